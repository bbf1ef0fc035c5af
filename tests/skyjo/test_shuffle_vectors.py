"""The published vectors of ``skyjo-shuffle/1``: commitments, keys, deals, reshuffles, and the chance stream."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest

from skyjo import DECK, FairChance, commitment, shuffle_key
from tests.house.tree import ROOT

VECTORS = ROOT / "tests" / "vectors"
SHUFFLES: list[dict[str, Any]] = json.loads((VECTORS / "skyjo-shuffle-1.json").read_text(encoding="utf-8"))
CHANCES: list[dict[str, Any]] = json.loads((VECTORS / "chance.json").read_text(encoding="utf-8"))
CONTEXTS = ["no entropy", "entropy of two seats", "entropy with an empty one"]


def key_of(context: dict[str, Any]) -> bytes:
    entropy = [bytes.fromhex(given) for given in context["entropy"]]
    return shuffle_key(bytes.fromhex(context["seed"]), UUID(context["game_id"]), context["rules"], entropy)


@pytest.mark.parametrize("context", SHUFFLES, ids=CONTEXTS)
def test_commitment_and_key_are_the_published_ones(context: dict[str, Any]) -> None:
    committed = commitment(bytes.fromhex(context["seed"]), UUID(context["game_id"]), context["rules"])
    assert committed.hex() == context["commitment"]
    assert key_of(context).hex() == context["key"]


@pytest.mark.parametrize("context", SHUFFLES, ids=CONTEXTS)
def test_deals_and_reshuffles_are_the_published_ones(context: dict[str, Any]) -> None:
    chance = FairChance(key_of(context))
    for deal in context["deals"]:
        # The example of a reshuffle takes the canonical deck's first cards, as many as it has.
        cards = DECK[: len(deal["cards"])]
        assert list(chance.reshuffle(deal["round"], deal["reshuffle"], cards)) == deal["cards"]
        if not deal["reshuffle"]:
            assert list(chance.deal(deal["round"])) == deal["cards"]


@pytest.mark.parametrize("context", CHANCES, ids=CONTEXTS)
def test_the_words_of_other_chance_are_the_published_ones(context: dict[str, Any]) -> None:
    assert key_of(context).hex() == context["key"]
    chance = FairChance(key_of(context))
    for published in context["words"]:
        stream = chance.stream(published["round"], published["purpose"])
        assert [stream.word() for _ in published["words"]] == published["words"]


@pytest.mark.parametrize("context", CHANCES, ids=CONTEXTS)
def test_random_flips_are_the_published_ones(context: dict[str, Any]) -> None:
    chance = FairChance(key_of(context))
    for published in context["flips"]:
        flips = chance.flips(published["round"], published["seats"], published["k"])
        assert [[str(place) for place in places] for places in flips] == published["places"]


@pytest.mark.parametrize("context", CHANCES, ids=CONTEXTS)
def test_random_starters_are_the_published_ones(context: dict[str, Any]) -> None:
    chance = FairChance(key_of(context))
    for published in context["starter"]:
        assert chance.starter(published["round"], published["m"]) == published["index"]
