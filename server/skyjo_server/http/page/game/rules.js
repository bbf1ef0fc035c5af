/** The options of a game, their bounds and presets. Decides nothing: what an option changes stands where it decides. */

import { BadText, members, oneOf, refuse, whole } from "./read.js";

const ONE_OF = {
  initial_flip_choice: ["player", "random"],
  first_starter: ["highest_sum", "lowest_seat", "random"],
  starter_tie: ["lowest_seat", "random"],
  next_starter: ["ender", "winner", "highest_sum", "rotate"],
  flip_after_reject: ["required", "optional"],
  final_removal: ["mandatory", "beneficial", "never"],
  draw_streams: ["shared", "per_seat"],
};
const FLAGS = ["remove_columns", "remove_rows", "double_on_tie", "double_non_positive"];
const BOUNDS = {
  initial_flips: [0, 11],
  ender_multiplier: [1, 100],
  score_limit: [1, 1_000_000],
  max_rounds: [1, 10_000],
  max_turns_per_seat: [1, 1_000_000],
};
const NULLABLE = ["score_limit", "max_rounds", "max_turns_per_seat"];

const CLASSIC = {
  initial_flips: 2,
  initial_flip_choice: "player",
  first_starter: "highest_sum",
  starter_tie: "lowest_seat",
  next_starter: "ender",
  flip_after_reject: "required",
  remove_columns: true,
  remove_rows: false,
  final_removal: "mandatory",
  ender_multiplier: 2,
  double_on_tie: true,
  double_non_positive: false,
  score_limit: 100,
  max_rounds: null,
  draw_streams: "shared",
  max_turns_per_seat: 200,
};
const FRENCH = {
  ...CLASSIC,
  next_starter: "winner",
  flip_after_reject: "optional",
  final_removal: "beneficial",
  double_on_tie: false,
};

/** The rules that have a name. */
export const PRESETS = { classic: CLASSIC, french: FRENCH };

/** Read rules: every option, and nothing else. */
export function readRules(data) {
  const rules = members("rules", data, Object.keys(CLASSIC));
  for (const [name, words] of Object.entries(ONE_OF)) oneOf(name, rules[name], words);
  for (const name of FLAGS) if (typeof rules[name] !== "boolean") refuse(name, rules[name], "true or false");
  for (const [name, bounds] of Object.entries(BOUNDS)) {
    if (rules[name] !== null || !NULLABLE.includes(name)) whole(name, rules[name], ...bounds);
  }
  if (rules.score_limit === null && rules.max_rounds === null) {
    throw new BadText("score_limit and max_rounds are both none: the game would never end");
  }
  return { ...rules };
}

/** The name of the preset with exactly these options; null for house rules. */
export function presetName(rules) {
  const equal = (preset) => Object.keys(CLASSIC).every((name) => preset[name] === rules[name]);
  return Object.keys(PRESETS).find((name) => equal(PRESETS[name])) ?? null;
}

/** What a shuffle commits to: the preset's name, else all options as canonical JSON. */
export function canonicalName(rules) {
  const sorted = Object.keys(CLASSIC).sort().map((name) => [name, rules[name]]);
  return presetName(rules) ?? JSON.stringify(Object.fromEntries(sorted));
}

/** The options in which rules differ from `classic`, as [name, value] pairs. */
export function houseOptions(rules) {
  return Object.entries(CLASSIC).flatMap(([name, usual]) => (rules[name] === usual ? [] : [[name, rules[name]]]));
}
