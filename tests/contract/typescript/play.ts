/**
 * Plays one whole game against a bot of the house, and reads it back: `node out/play.js ADDRESS`.
 *
 * It knows the service from the types that were generated from openapi.yaml, and from nothing else. Whatever is not as
 * they say ends it with an error; at the end it prints what it has seen, as one line of JSON.
 */
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
type Decision = Schemas["Decision"];
/** What requests are answered with, unless they ask for something else: objects, or problems. */
type Json = "application/json" | "application/problem+json";
type Api = Client<paths, Json>;

declare const process: { argv: string[] };

function demand(holds: boolean, what: string): asserts holds {
  if (!holds) {
    throw new Error(`not so: ${what}`);
  }
}

/** Give what an operation has answered, or end with the problem that it has answered instead. */
function answered<T>(result: { data?: T; error?: unknown }): T {
  if (result.data === undefined) {
    throw new Error(`refused: ${JSON.stringify(result.error)}`);
  }
  return result.data;
}

function connect(address: string, token?: string): Api {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return createClient<paths, Json>({ baseUrl: address, headers });
}

/** Choose by the one card that can be had: a low one goes where it helps most, a high one is not taken. */
function choose(decision: Decision): string {
  switch (decision.phase) {
    case "flip":
      return first(decision.legal_actions);
    case "turn":
      return worth(decision.discard_pile.at(-1)) ? `take ${target(decision)}` : "draw";
    case "drawn":
      return `${worth(decision.drawn) ? "keep" : "reject"} ${target(decision)}`;
    case "over":
      throw new Error("nothing is left to choose");
  }
}

function worth(card: number | null | undefined): boolean {
  return typeof card === "number" && card <= 3;
}

/** The first own place with a hidden card. There is one as long as the round is on, or goes on for this seat. */
function target(decision: Decision): string {
  demand(decision.seat !== null, "a player has a seat");
  const own = decision.seats[decision.seat];
  demand(own !== undefined, "the own seat is at the table");
  for (const [index, column] of own.columns.entries()) {
    const row = column?.indexOf(null) ?? -1;
    if (row >= 0) {
      return `${"abcd".charAt(index)}${row + 1}`;
    }
  }
  throw new Error("no hidden card is left");
}

function first<T>(items: readonly T[]): T {
  const [item] = items;
  demand(item !== undefined, "there is one");
  return item;
}

async function register(address: string, name: string): Promise<{ api: Api; bot: Schemas["Bot"] }> {
  const { bot, token } = answered(await connect(address).POST("/v1/bots", { body: { name } }));
  const api = connect(address, token.token);
  const me = answered(await api.GET("/v1/me"));
  demand(me.bot?.id === bot.id && me.token.scope === "bot", "the token is the bot's");
  const taken = await api.POST("/v1/bots", { body: { name } });
  demand(taken.error?.type === "urn:skyjo:problem:name-taken", "a name is given once");
  return { api, bot };
}

/** Replace the token, and see that the replaced one is refused from then on. */
async function rotate(address: string, api: Api): Promise<Api> {
  const old = answered(await api.GET("/v1/me")).token;
  const fresh = answered(await api.POST("/v1/tokens", { body: {} }));
  const next = connect(address, fresh.token);
  const gone = await next.DELETE("/v1/tokens/{token_id}", { params: { path: { token_id: old.id } } });
  demand(gone.response.status === 204, "a token can be revoked");
  const refused = await api.GET("/v1/me");
  demand(refused.error?.type === "urn:skyjo:problem:unauthenticated", "a revoked token is refused");
  return next;
}

/** An option that is left out is the preset's, not another's. */
async function createFrench(api: Api): Promise<void> {
  const body: Schemas["NewGame"] = {
    preset: "french",
    rules: { initial_flips: 3 },
    seats: [{ kind: "open" }, { kind: "open" }],
  };
  const { rules, preset } = answered(await api.POST("/v1/games", { body }));
  demand(preset === null && rules.initial_flips === 3, "the option is as wanted");
  demand(rules.next_starter === "winner" && !rules.double_on_tie, "the others are the preset's");
}

async function view(api: Api, game_id: string): Promise<Decision> {
  const seen = await api.GET("/v1/games/{game_id}/view", { params: { path: { game_id } } });
  const decision = answered(seen);
  const tag = seen.response.headers.get("ETag") ?? "";
  const again = await api.GET("/v1/games/{game_id}/view", {
    params: { path: { game_id }, header: { "If-None-Match": tag } },
  });
  demand(again.response.status === 304, "what is known is not sent again");
  return decision;
}

/** Do what the rules refuse, and what comes too late: each is a problem of its own type that says how to go on. */
async function stumble(api: Api, start: Decision): Promise<Decision> {
  const path = { game_id: start.game };
  const header = { "If-Match": `"${start.version}"` };
  const illegal = await api.POST("/v1/games/{game_id}/actions", {
    params: { path, header },
    body: { action: "keep a1" },
  });
  demand(illegal.error?.type === "urn:skyjo:problem:illegal-action", "an illegal action is refused as that");
  const reason: Schemas["Reason"] = illegal.error.reason;
  demand(reason === "wrong-phase" && illegal.error.version === start.version, "it says why, and has changed nothing");
  const action = first(illegal.error.legal_actions);
  demand(start.legal_actions.includes(action), "it says what is legal");

  const move = { params: { path, header }, body: { action } };
  const played = answered(await api.POST("/v1/games/{game_id}/actions", move));
  const stale = await api.POST("/v1/games/{game_id}/actions", move);
  demand(stale.error?.type === "urn:skyjo:problem:stale-version", "an action for an earlier version is refused too");
  demand(stale.error.version === played.version, "it says which version there is");
  demand(JSON.stringify(stale.error.decision) === JSON.stringify(played), "it shows what to decide now");
  return stale.error.decision;
}

/** Play one action with those of all other games, as a bot with many games does. */
async function playAmongOthers(api: Api, decision: Decision): Promise<void> {
  const { game, version } = decision;
  const turn = { game, version, action: choose(decision), key: `v${version}` };
  const answer = answered(await api.POST("/v1/turns", { body: { actions: [turn, { ...turn, key: "another" }] } }));
  const [accepted, refused] = answer.results;
  demand(accepted?.status === "accepted" && accepted.problem === null, "the first is played");
  demand(refused?.status === "refused", "the second comes too late");
  switch (refused.problem?.type) {
    case "urn:skyjo:problem:stale-version":
      demand(refused.problem.decision.version > version, "the game has moved on");
      break;
    case "urn:skyjo:problem:game-over":
      break;
    default:
      throw new Error(`refused otherwise: ${JSON.stringify(refused.problem)}`);
  }
}

async function playOut(api: Api, decision: Decision): Promise<Decision> {
  const path = { game_id: decision.game };
  for (let turn = 0; decision.phase !== "over"; turn++) {
    if (turn % 5 === 4) {
      await playAmongOthers(api, decision);
      decision = answered(await api.GET("/v1/games/{game_id}/view", { params: { path } }));
    } else {
      const header = { "If-Match": `"${decision.version}"`, "Idempotency-Key": `v${decision.version}` };
      const body = { action: choose(decision) };
      decision = answered(await api.POST("/v1/games/{game_id}/actions", { params: { path, header }, body }));
    }
  }
  return decision;
}

async function readEvents(api: Api, game_id: string): Promise<Schemas["Event"][]> {
  const events: Schemas["Event"][] = [];
  for (let version = -1, last = 0; version < last; version = events.length - 1) {
    const query = { after: version, limit: 50 };
    const page = answered(await api.GET("/v1/games/{game_id}/events", { params: { path: { game_id }, query } }));
    demand(page.events.every((event, index) => event.version === version + 1 + index), "no event is skipped");
    events.push(...page.events);
    last = page.version;
  }
  return events;
}

/** Follow a game as it happens, to its end; give the numbers of its events. */
async function follow(api: Api, game_id: string): Promise<number[]> {
  const headers = { Accept: "text/event-stream" };
  const path = { game_id };
  const stream = answered(await api.GET("/v1/games/{game_id}/events", { params: { path }, headers, parseAs: "text" }));
  const messages = stream.split("\n\n").filter((message) => message !== "" && !message.startsWith(":"));
  demand(messages.pop()?.startsWith("event: end\n") === true, "a stream says that it is at its end");
  return messages.map((message) => Number(/^id: (\d+)\ndata: /.exec(message)?.[1]));
}

/** Count the points from the events alone; every kind of fact is known, or this does not compile. */
function count(events: Schemas["Event"][]): number[] {
  let totals: number[] = [];
  for (const fact of events.flatMap((event) => event.facts)) {
    switch (fact.kind) {
      case "dealt":
        demand(fact.cards.every((card) => card !== null), "when all is over, all cards are shown");
        break;
      case "round_scored":
        totals = fact.final.map((points, seat) => points + (totals[seat] ?? 0));
        demand(totals.join() === fact.totals.join(), "the totals are the sums");
        break;
      case "game_ended":
        demand(totals.join() === fact.totals.join(), "the last totals count");
        break;
      case "flipped":
      case "drawn":
      case "placed":
      case "discarded":
      case "removed":
      case "reshuffled":
      case "left":
        break;
      default:
        fact satisfies never;
    }
  }
  return totals;
}

async function transcript(api: Api, game_id: string, accept: string): Promise<string> {
  const headers = { Accept: accept };
  const path = { game_id };
  return answered(await api.GET("/v1/games/{game_id}/transcript", { params: { path }, headers, parseAs: "text" }));
}

async function main(address: string, name: string): Promise<void> {
  const registered = await register(address, name);
  const api = await rotate(address, registered.api);
  await createFrench(api);
  const seats: Schemas["SeatRequest"][] = [
    { kind: "bot", bot: registered.bot.id },
    { kind: "house", house: "greedy" },
  ];
  const { id } = answered(await api.POST("/v1/games", { body: { preset: "classic", seats } }));
  const following = follow(api, id);
  const early = await api.GET("/v1/games/{game_id}/transcript", { params: { path: { game_id: id } } });
  demand(early.error?.type === "urn:skyjo:problem:game-not-finished", "there is no replay before the end");
  const end = await playOut(api, await stumble(api, await view(api, id)));

  const game = answered(await api.GET("/v1/games/{game_id}", { params: { path: { game_id: id } } }));
  demand(game.status === "finished" && game.result?.status === "finished", "the game was played out");
  const query = { bot: registered.bot.id, status: "finished" } as const;
  const mine = answered(await api.GET("/v1/games", { params: { query } }));
  demand(mine.items.length === 1 && mine.items[0]?.id === id, "it is found among the bot's games");
  const events = await readEvents(api, id);
  demand(events.length === end.version + 1, "there is an event for each version");
  demand((await following).join() === events.map((event) => event.version).join(), "all were shown as they happened");
  demand(count(events).join() === game.result.totals.join(), "the events lead to the result");
  const [text, lines] = [await transcript(api, id, "text/plain"), await transcript(api, id, "application/jsonl")];
  console.log(JSON.stringify({ game: id, version: end.version, totals: game.result.totals, text, lines }));
}

const [, , address, name] = process.argv;
demand(address !== undefined && name !== undefined, "the address and a name are given");
await main(address, name);
