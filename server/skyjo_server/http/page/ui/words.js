/** What happened, in words for people. Decides nothing about who may know it: that is asked of the view. */

const CAUSES = { timeout: " (time ran out)", forfeit: " (has left)", player: "", system: "" };

/** A card as a text: with the minus sign of print. */
export const points = (n) => (n === null || n === undefined ? "?" : String(n).replace("-", "−"));

/** A figure to two places. */
export const figure = (value) => (value === null || value === undefined ? "–" : points(Math.round(value * 100) / 100));

/** Points that were lost, to a tenth. */
export const lost = (n) => points(Number(n).toFixed(1));

const list = (items) => items.join(", ");

/** The main clause of an event, and what followed from it in its order, as {main, notes}. */
export function described(event, names) {
  const own = /^(?:flip|reject)/.test(event.action ?? "") ? event.action.split(" ").slice(1) : [];
  const isOwn = (fact) => fact.kind === "flipped" && fact.seat === event.seat && own.includes(fact.place);
  const notes = together(event.facts.filter((fact) => !isOwn(fact))).flatMap((facts) => NOTES[facts[0].kind]?.(facts, names) ?? []);
  return { main: main(event, names), notes };
}

/** Facts in their order; the cards that one seat turned up one after another are one group. */
function together(facts) {
  const groups = [];
  for (const fact of facts) {
    const last = groups.at(-1)?.[0];
    if (fact.kind === "flipped" && last?.kind === "flipped" && last.seat === fact.seat) groups.at(-1).push(fact);
    else groups.push([fact]);
  }
  return groups;
}

function main(event, names) {
  if (event.seat === null) return "The cards are dealt";
  const name = names[event.seat];
  if (event.action === null) {
    return event.facts.some((fact) => fact.kind === "left") ? left(event, name) : `${name} has chosen its first cards`;
  }
  const [verb, ...places] = event.action.split(" ");
  return `${name} ${VERBS[verb](event, places)}${CAUSES[event.cause]}`;
}

const left = (event, name) => (event.cause === "forfeit" ? `${name} is made to leave` : `${name} resigns`);

const fact = (event, kind) => event.facts.find((one) => one.kind === kind && one.seat === event.seat);

const VERBS = {
  flip: (_event, places) => `turns up ${list(places)}`,
  draw: (event) => {
    const { card } = fact(event, "drawn");
    return card === null ? "draws a card" : `draws ${points(card)}`;
  },
  take: (event, [place]) => `takes ${swapped(event)} ${place}`,
  keep: (event, [place]) => `keeps ${swapped(event)} ${place}`,
  reject: (event, [place]) => {
    const away = `puts ${points(fact(event, "discarded").card)} away`;
    return place === undefined ? away : `${away} and turns up ${place}: ${points(fact(event, "flipped")?.card)}`;
  },
};

const swapped = (event) => `${points(fact(event, "placed").card)} for ${points(fact(event, "discarded").card)} on`;

const NOTES = {
  flipped: (facts, names) => [`${names[facts[0].seat]} shows ${list(facts.map((one) => `${one.place} ${points(one.card)}`))}`],
  dealt: ([{ round }]) => (round === 1 ? [] : [`Round ${round} is dealt`]),
  removed: ([one], names) => [`${names[one.seat]} removes ${list(one.places)}, each ${points(one.card)}`],
  reshuffled: ([{ cards }]) => [`The discards become a new draw pile of ${cards.length} cards`],
  round_scored: ([scored], names) => {
    const how = scored.ender === null ? "stopped by the limit of turns" : `ended by ${names[scored.ender]}`;
    const more = (seat) => (scored.final[seat] === scored.raw[seat] ? "" : ` (${points(scored.raw[seat])} multiplied)`);
    const scores = names.map((name, seat) => `${name} ${points(scored.final[seat])}${more(seat)}`);
    return [`Round ${scored.round}, ${how}: ${list(scores)}`];
  },
  game_ended: ([{ ranks, totals }], names) => {
    const order = names.map((_, seat) => seat).sort((one, other) => ranks[one] - ranks[other]);
    return [`The game is over: ${list(order.map((seat) => `${ranks[seat]}. ${names[seat]} ${points(totals[seat])}`))}`];
  },
};
