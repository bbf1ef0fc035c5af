/** Asking the service. Everything here may fail, and says so; nothing here is shown. */

/** An answer that is not the one asked for: `status` is 0 if there was none at all. */
export class Unanswered extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function answer(path, accept) {
  let response;
  try {
    response = await fetch(path, { headers: { Accept: accept }, credentials: "omit" });
  } catch {
    throw new Unanswered(0, "The service does not answer.");
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Unanswered(response.status, String(problem.detail ?? problem.title ?? `The service answered ${response.status}.`));
}

const json = async (path) => (await answer(path, "application/json, application/problem+json")).json();

/** Games that stand so, newest first: {items, next_cursor}. */
export const games = (status, limit, cursor) => json(`v1/games?${query({ status, limit, cursor })}`);

export const game = (id) => json(`v1/games/${encodeURIComponent(id)}`);

/** A game that is over, as JSON Lines. */
export async function lines(id) {
  const type = "application/jsonl, application/problem+json;q=0.5";
  return (await answer(`v1/games/${encodeURIComponent(id)}/transcript`, type)).text();
}

/** Where a game that is over can be loaded as a transcript. */
export const transcriptAddress = (id) => `v1/games/${encodeURIComponent(id)}/transcript`;

/** Where the events of a game come from as they happen, after a version. */
export const eventsAddress = (id, after) => `v1/games/${encodeURIComponent(id)}/events?${query({ after })}`;

/** Events, newest first; null where this service runs none. */
export const tournaments = (limit) => json(`v1/tournaments?${query({ limit })}`).catch(absent);
export const tournament = (id) => json(`v1/tournaments/${encodeURIComponent(id)}`);
export const standings = (id, limit) => json(`v1/tournaments/${encodeURIComponent(id)}/standings?${query({ limit })}`);

/** The best entries of an event against one another: {entries, cells}. */
export const crosstable = (id) => json(`v1/tournaments/${encodeURIComponent(id)}/crosstable`);

/** Live ratings over all events, best first: {items, next_cursor}; null where this service runs none. */
export const leaders = (limit, cursor) => json(`v1/leaderboard?${query({ limit, cursor })}`).catch(absent);

/** Tables of an event's schedule of which this has become: {items, next_cursor}. */
export const tables = (id, outcome, limit) => json(`v1/tournaments/${encodeURIComponent(id)}/tables?${query({ outcome, limit })}`);

/** Where everything about an event can be loaded. */
export const archiveAddress = (id) => `v1/tournaments/${encodeURIComponent(id)}/export`;

function absent(error) {
  if (error instanceof Unanswered && error.status === 404) return null;
  throw error;
}

function query(members) {
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(given).toString();
}
