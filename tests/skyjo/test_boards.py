"""What an event draws from its seed: the published vectors, and other few lines that must agree with all of it."""

from __future__ import annotations

import hmac
import json
from collections import Counter
from hashlib import sha256
from struct import pack, unpack
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from skyjo import boards
from skyjo.shuffle import table_commitment
from tests.house.tree import ROOT

VECTORS: dict[str, Any] = json.loads((ROOT / "tests" / "vectors" / "boards.json").read_text(encoding="utf-8"))
SEED = bytes.fromhex(VECTORS["seed"])
EVENT = UUID(VECTORS["event_id"])

seeds = st.binary(min_size=32, max_size=32)
numbers = st.integers(0, 2**32 - 1)


def keyed(seed: bytes, label: bytes, *parts: bytes | int) -> bytes:
    return hmac.new(seed, label + b"\0" + joined(parts), "sha256").digest()


def hashed(label: bytes, *parts: bytes | int) -> bytes:
    return sha256(label + b"\0" + joined(parts)).digest()


def joined(parts: tuple[bytes | int, ...]) -> bytes:
    return b"".join(part if isinstance(part, bytes) else pack(">I", part) for part in parts)


def drawn_lots(seed: bytes, event: UUID, round_: int, count: int) -> list[int]:
    words = (word for j in range(2**32) for word in unpack(">8I", keyed(seed, b"skyjo-lots/1", event.bytes, round_, j)))
    order = list(range(count))
    for i in reversed(range(1, count)):
        j = next(word for word in words if word < 2**32 - 2**32 % (i + 1)) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def test_everything_of_an_event_is_the_published_one() -> None:
    assert boards.event_commitment(SEED, EVENT).hex() == VECTORS["commitment"]
    for board in VECTORS["boards"]:
        number = board["board"]
        assert str(boards.board_id(EVENT, number)) == board["id"]
        assert boards.board_seed(SEED, EVENT, number).hex() == board["seed"]
        assert boards.board_commitment(SEED, EVENT, number, VECTORS["rules"]).hex() == board["commitment"]
    commitments = [bytes.fromhex(board["commitment"]) for board in VECTORS["boards"]]
    assert boards.boards_commitment(EVENT, commitments).hex() == VECTORS["boards_commitment"]


def test_everything_of_a_table_is_the_published_one() -> None:
    for table in VECTORS["tables"]:
        game = boards.game_id(EVENT, table["round"], table["table"], table["attempt"])
        assert str(game) == table["game"]
        salt = boards.table_salt(SEED, EVENT, game)
        assert salt.hex() == table["salt"]
        assert boards.game_seed(SEED, EVENT, game).hex() == table["seed"]
        committed = boards.board_commitment(SEED, EVENT, table["board"], VECTORS["rules"])
        assert table_commitment(game, salt, committed).hex() == table["commitment"]


def test_lots_are_the_published_ones() -> None:
    for drawing in VECTORS["lots"]:
        assert list(boards.lots(SEED, EVENT, drawing["round"], drawing["count"])) == drawing["lots"]


@given(seeds, st.uuids(), numbers)
def test_a_board_is_drawn_as_it_is_described(seed: bytes, event: UUID, board: int) -> None:
    assert boards.event_commitment(seed, event) == hashed(b"skyjo-event/1", event.bytes, seed)
    assert boards.board_seed(seed, event, board) == keyed(seed, b"skyjo-board/1", event.bytes, board)
    board_id = boards.board_id(event, board)
    assert board_id == UUID(bytes=hashed(b"skyjo-board-id/1", event.bytes, board)[:16], version=4)
    name = pack(">H", 6) + b"french"
    committed = hashed(b"skyjo-commit/1", board_id.bytes, name, boards.board_seed(seed, event, board))
    assert boards.board_commitment(seed, event, board, "french") == committed
    assert boards.boards_commitment(event, [committed, seed]) == hashed(b"skyjo-boards/1", event.bytes, committed, seed)


@given(seeds, st.uuids(), numbers, numbers, numbers)
def test_a_game_is_drawn_as_it_is_described(seed: bytes, event: UUID, round_: int, table: int, attempt: int) -> None:
    game = boards.game_id(event, round_, table, attempt)
    assert game == UUID(bytes=hashed(b"skyjo-game/1", event.bytes, round_, table, attempt)[:16], version=4)
    assert game.version == 4
    assert boards.table_salt(seed, event, game) == keyed(seed, b"skyjo-table-salt/1", event.bytes, game.bytes)
    assert boards.game_seed(seed, event, game) == keyed(seed, b"skyjo-game-seed/1", event.bytes, game.bytes)


@given(seeds, st.uuids(), numbers, st.integers(0, 60))
def test_lots_are_drawn_as_cards_are(seed: bytes, event: UUID, round_: int, count: int) -> None:
    drawn = boards.lots(seed, event, round_, count)
    assert sorted(drawn) == list(range(count))
    assert list(drawn) == drawn_lots(seed, event, round_, count)


def test_every_order_of_lots_is_equally_likely() -> None:
    orders = Counter(boards.lots(SEED, EVENT, round_, 4) for round_ in range(4800))
    assert len(orders) == 24
    # Expected 200 each, standard deviation 13.8: six of them is once in 20 million seeds, and this seed is fixed.
    assert all(abs(count - 200) < 83 for count in orders.values())
