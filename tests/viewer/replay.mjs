/** Plays games again from standard input whose chance is told, not drawn, and answers what each step came to. */

import { createInterface } from "node:readline";

import { PLACES, INDEX } from "../../server/skyjo_server/http/page/game/cards.js";
import { decide, decideLeave, start } from "../../server/skyjo_server/http/page/game/engine.js";
import { legalActions } from "../../server/skyjo_server/http/page/game/legal.js";
import { fold, initialState, toAct } from "../../server/skyjo_server/http/page/game/state.js";

/** The outcomes of chance that one event tells of. */
class ToldChance {
  constructor(facts, starters) {
    this.facts = facts;
    this.starters = starters;
  }

  deal(round) {
    return this.facts.find((fact) => fact.kind === "dealt" && fact.round === round).cards;
  }

  reshuffle() {
    return this.facts.find((fact) => fact.kind === "reshuffled").cards;
  }

  flips(_round, seats, count) {
    const after = this.facts.slice(this.facts.findIndex((fact) => fact.kind === "dealt") + 1);
    return Array.from({ length: seats }, (_, seat) =>
      after.slice(seat * count, (seat + 1) * count).map((fact) => INDEX.get(fact.place)),
    );
  }

  starter(round, candidates) {
    return this.starters[round - 1][candidates];
  }
}

function played({ rules, seats, starters, events }) {
  let state = initialState(rules, seats);
  return events.map((told) => {
    const chance = new ToldChance(told.facts, starters);
    const { seat, action, cause } = told;
    const event =
      seat === null
        ? start(rules, seats, chance)
        : action === null
          ? decideLeave(state, seat, cause)
          : decide(state, seat, action, chance, cause);
    state = fold(state, event);
    const legal = toAct(state).map((acting) => [acting, legalActions(state, acting)]);
    const faces = state.grids.map((grid) => PLACES.map((_, index) => grid.faces[index]).join(" "));
    return { facts: event.facts, opener: event.opener, legal, faces, discards: state.discards };
  });
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(played(JSON.parse(line))));
