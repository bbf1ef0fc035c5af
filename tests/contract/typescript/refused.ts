/** What must not compile: types that take everything would help nobody. Nothing here is ever run. */
import type { Client } from "openapi-fetch";
import type { components, paths } from "./schema.js";

export const seats: components["schemas"]["SeatRequest"][] = [
  { kind: "open" },
  // @ts-expect-error: no bot of the house has this name
  { kind: "house", house: "nobody" },
  // @ts-expect-error: a bot's seat names the bot
  { kind: "bot" },
];

export async function requests(api: Client<paths>, game_id: string): Promise<void> {
  // @ts-expect-error: a name is a text
  await api.POST("/v1/bots", { body: { name: 1 } });
  // @ts-expect-error: an action says which version it answers
  await api.POST("/v1/games/{game_id}/actions", { params: { path: { game_id } }, body: { action: "draw" } });
  // @ts-expect-error: there is no such status
  await api.GET("/v1/games", { params: { query: { status: "lost" } } });
}

export function answers(decision: components["schemas"]["Decision"]): number {
  // @ts-expect-error: a spectator has no seat
  return decision.seat;
}
