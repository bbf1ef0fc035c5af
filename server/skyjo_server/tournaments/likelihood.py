"""The likelihood of strengths, given counted choices, and where it is greatest. It knows no bots and no scale.

Loads numpy, so :mod:`skyjo_server.tournaments.ratings` loads this module only when somebody is rated.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from skyjo_server.tournaments.rankings import SHARES, Choices

STEPS_MAX: Final = 200
"""Newton steps at most; a fit takes about ten."""

CLOSE: Final = 1e-6
"""The gain of a step in log-likelihood below which each further step doubles the digits that are right."""

LAST_STEPS: Final = 3
"""Steps that are taken from there on."""

DENSE_MAX: Final = 1_000
"""Entries up to which the whole curvature is inverted; with more, errors come from its diagonal."""

Vector = NDArray[np.floating]
Members = NDArray[np.int64]


class Likelihood:
    """log L(θ) = Σ chosen · θ − Σ counts · log Σ exp θ over each set, and a draw of everybody with a bot of θ = 0.

    It is concave and has one greatest value, which is finite whatever the results.

    Args:
        choices: what was chosen, out of whom; with at least one entry.
    """

    def __init__(self, choices: Choices) -> None:
        place = {entry: index for index, entry in enumerate(choices.entries)}
        self.size = len(place)
        # Half of a draw is a win.
        self._linear = np.array(choices.chosen, dtype=np.float64) / SHARES + 0.5
        self._sets: list[tuple[Members, Vector]] = []
        for size in sorted({len(members) for members in choices.sets}):
            chosen = [index for index, members in enumerate(choices.sets) if len(members) == size]
            members = np.array([[place[entry] for entry in choices.sets[index]] for index in chosen], dtype=np.int64)
            self._sets.append((members, np.array([choices.counts[index] / SHARES for index in chosen])))

    def most_likely(self) -> Vector:
        """The strengths θ that make the choices most likely, as natural logarithms."""
        found: Vector = np.zeros(self.size)
        for _ in range(STEPS_MAX):
            slope = self._slope(found)
            step = self._solve(found, slope)
            if slope @ step < CLOSE:
                break
            found = self._climbed(found, step)
        for _ in range(LAST_STEPS):
            found = found + self._solve(found, self._slope(found))
        return found

    def errors(self, strengths: Vector) -> Vector:
        """Standard errors of the strengths, by the curvature at their place."""
        if self.size > DENSE_MAX:
            narrow: Vector = 1 / np.sqrt(self._diagonal(strengths))
            return narrow
        inverse: Vector = np.linalg.inv(self._curvature(strengths))
        errors: Vector = np.sqrt(np.diagonal(inverse))
        return errors

    def _climbed(self, found: Vector, step: Vector) -> Vector:
        """Go as far along the step as it leads up, halving it where it overshoots."""
        value = self._value(found)
        while self._value(found + step) < value:
            step = step / 2
        return found + step

    def _value(self, strengths: Vector) -> float:
        total = float(self._linear @ strengths - np.logaddexp(0, strengths).sum())
        for members, counts in self._sets:
            total -= float(counts @ np.logaddexp.reduce(strengths[members], axis=1))
        return total

    def _slope(self, strengths: Vector) -> Vector:
        return self._linear - self._expected(strengths)

    def _expected(self, strengths: Vector) -> Vector:
        """How often each is expected to be chosen."""
        found = _against_the_middle(strengths)
        for members, counts in self._sets:
            found += self._added(members, _odds(strengths[members]) * counts[:, None])
        return found

    def _diagonal(self, strengths: Vector) -> Vector:
        middle = _against_the_middle(strengths)
        found = middle * (1 - middle)
        for members, counts in self._sets:
            odds = _odds(strengths[members])
            found += self._added(members, odds * (1 - odds) * counts[:, None])
        return found

    def _curvature(self, strengths: Vector) -> Vector:
        """The matrix of second derivatives, its sign turned: diagonal and off-diagonal together weakly dominant."""
        found: Vector = np.zeros(self.size * self.size)
        for members, counts in self._sets:
            odds = _odds(strengths[members])
            for one in range(members.shape[1]):
                for other in range(members.shape[1]):
                    both = odds[:, one] * odds[:, other] * counts
                    cells = members[:, one] * self.size + members[:, other]
                    found -= np.bincount(cells, both * (one != other), self.size * self.size)
        matrix = found.reshape(self.size, self.size)
        matrix[np.diag_indices(self.size)] = self._diagonal(strengths)
        return matrix

    def _solve(self, strengths: Vector, slope: Vector) -> Vector:
        if self.size <= DENSE_MAX:
            return np.linalg.solve(self._curvature(strengths), slope)
        return self._solved_by_steps(strengths, slope)

    def _solved_by_steps(self, strengths: Vector, slope: Vector) -> Vector:
        """Solve by conjugate gradients: the matrix of many entries is never written down."""
        weights = [(members, _odds(strengths[members]), counts) for members, counts in self._sets]
        middle = _against_the_middle(strengths)
        scale = 1 / self._diagonal(strengths)
        solved: Vector = np.zeros(self.size)
        rest, towards = slope.copy(), scale * slope
        length = rest @ towards
        goal = length * 1e-24
        for _ in range(self.size):
            if length <= goal:
                break
            bent = middle * (1 - middle) * towards
            for members, odds, counts in weights:
                along = odds * towards[members]
                bent += self._added(members, (along - odds * along.sum(axis=1, keepdims=True)) * counts[:, None])
            share = length / (towards @ bent)
            solved += share * towards
            rest -= share * bent
            scaled = scale * rest
            length, before = rest @ scaled, length
            towards = scaled + length / before * towards
        return solved

    def _added(self, members: Members, values: Vector) -> Vector:
        return np.bincount(members.ravel(), values.ravel(), self.size).astype(np.float64)


def _odds(strengths: Vector) -> Vector:
    """The chance of each in its row to be chosen."""
    odds: Vector = np.exp(strengths - strengths.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    return odds


def _against_the_middle(strengths: Vector) -> Vector:
    """Everybody's chance against a bot of strength 0."""
    chance: Vector = np.exp(-np.logaddexp(0, -strengths))
    return chance
