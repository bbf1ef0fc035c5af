/** What ending a round costs its ender: the points it keeps, and those it risks. Knows scores, not cards. */

import { VARIANCE } from "./columns.js";

/** Standard deviation, in points, of what a last turn gains. */
const LAST_TURN_SPREAD = 3;

/** Scores are whole points: the border between a tie and a win lies half a point beside the tie. */
const HALF_POINT = 0.5;

/** What a seat with so many hidden cards and one more turn will score: a normal distribution, in points. */
export const prospect = (mean, hidden) => ({ mean, deviation: Math.sqrt(LAST_TURN_SPREAD ** 2 + VARIANCE * hidden) });

/**
 * The ender's expected points: its raw score, and what the rules add if it is not the lowest (rule 24).
 *
 * @param {object} rules every option.
 * @param {number} raw the sum of the ender's grid.
 * @param {{mean: number, deviation: number}[]} others the prospects of the other seats.
 */
export function enderCost(rules, raw, others) {
  if (raw <= 0 && !rules.double_non_positive) return raw;
  const border = raw + (rules.double_on_tie ? HALF_POINT : -HALF_POINT);
  let lowest = 1;
  for (const { mean, deviation } of others) lowest *= 0.5 + 0.5 * erf((mean - border) / (deviation * Math.SQRT2));
  return raw + raw * (rules.ender_multiplier - 1) * (1 - lowest);
}

/** Up to here the series of the error function is exact enough, from here on the fraction of its complement. */
const NEAR = 2;
const FRACTION_TERMS = 60;

/**
 * The error function, which JavaScript lacks, to about 1e-15.
 *
 * Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.6 and 7.1.14.
 */
export function erf(x) {
  if (x < 0) return -erf(-x);
  const scale = Math.exp(-x * x) / Math.sqrt(Math.PI);
  if (x > NEAR) {
    let fraction = x;
    for (let term = FRACTION_TERMS; term > 0; term -= 1) fraction = x + term / 2 / fraction;
    return 1 - scale / fraction;
  }
  let [term, total, before] = [x, x, null];
  for (let odd = 3; total !== before; odd += 2) {
    before = total;
    term *= (2 * x * x) / odd;
    total += term;
  }
  return 2 * scale * total;
}
