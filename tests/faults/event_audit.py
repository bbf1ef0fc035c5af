"""The audit of an event of tables of two from its archive alone. Its rules are written anew, with nothing of ours."""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations, pairwise
from uuid import UUID

from tests.faults.event_archive import Archive, Game, Plain

Pair = tuple[int, int]

FORFEIT_POINTS = 100
STAYED = {"finished", "timeout"}


def audit(archive: bytes) -> Archive:
    """Audit a finished event whatever its format; gives it read."""
    read = Archive(archive)
    assert read.event["status"] == "finished"
    _audit_log(read)
    _audit_seeds(read)
    _audit_results(read)
    _audit_boards(read)
    _audit_seats(read)
    _AUDITS[read.event["format"]](read)
    _audit_standings(read)
    _audit_ratings(read)
    return read


def _audit_log(read: Archive) -> None:
    """Versions have no gap, nothing happens twice, and every table of the schedule was paired and ended once."""
    assert [event["version"] for event in read.log] == list(range(len(read.log)))
    assert all(event["tournament"] == read.event["id"] for event in read.log)
    assert len(read.logged("started")) == len(read.logged("finished")) == 1
    paired = [
        (event["data"]["round"], event["data"]["first_table"] + place, tuple(seats), board)
        for event in read.logged("paired")
        for place, (seats, board) in enumerate(zip(event["data"]["tables"], event["data"]["boards"], strict=True))
    ]
    scheduled = [(table["round"], table["table"], _seats(table), table["board"]) for table in read.first_tables]
    assert sorted(paired, key=str) == sorted(scheduled, key=str)
    for kind in ("dealt", "ended"):
        told = [_key(table) for event in read.logged(kind) for table in event["data"]["tables"]]
        assert len(told) == len(set(told)), f"{kind} twice"
        assert set(told) == {_key(table) for table in read.tables if table["outcome"] != "cancelled"}


def _audit_seeds(read: Archive) -> None:
    """Everything was committed to before it was used, and every game has the id and the deal that follow."""
    event = read.event
    assert hashlib.sha256(b"skyjo-event/1\0" + read.id + read.seed).hexdigest() == event["commitment"]
    boards = read.logged("started")[0]["data"]["boards"]
    if boards:
        commitments = b"".join(_commitment(read, *_board(read, board)) for board in range(boards))
        assert hashlib.sha256(b"skyjo-boards/1\0" + read.id + commitments).hexdigest() == event["boards_commitment"]
    for table in read.tables:
        if table["outcome"] == "cancelled":
            assert table["game"] is None
            continue
        number = b"".join(_u32(table[member]) for member in ("round", "table", "attempt"))
        game_id = UUID(bytes=hashlib.sha256(b"skyjo-game/1\0" + read.id + number).digest()[:16], version=4)
        assert table["game"] == str(game_id)
        _audit_deal(read, table, read.games[table["game"]], game_id.bytes)


def _audit_deal(read: Archive, table: Plain, game: Game, game_id: bytes) -> None:
    header = game.header
    if "board" in header:
        seed, board_id = _board(read, table["board"])
        salt = read.derived(b"skyjo-table-salt/1", read.id, game_id)
        assert (header["board"]["id"], header["board"]["salt"]) == (str(UUID(bytes=board_id)), salt.hex())
        committed = hashlib.sha256(b"skyjo-table/1\0" + game_id + salt + _commitment(read, seed, board_id)).digest()
    else:
        assert table["board"] is None or not table["complete"]
        seed = read.derived(b"skyjo-game-seed/1", read.id, game_id)
        committed = _commitment(read, seed, game_id)
    assert (header["seed"], header["commitment"]) == (seed.hex(), committed.hex())


def _audit_results(read: Archive) -> None:
    """Every result is that of its game, and the causes are what its events tell."""
    names = [entry["name"] for entry in read.entries]
    assert set(read.games) == {table["game"] for table in read.tables if table["game"] is not None}
    assert {f"games/{game}.skyjo" for game in read.games} == {name for name in read.names if name.endswith(".skyjo")}
    for table in read.tables:
        if table["outcome"] == "finished":
            game, seats = read.games[table["game"]], table["seats"]
            assert [seat["name"] for seat in game.header["seats"]] == [names[seat["entry"]] for seat in seats]
            assert game.result["status"] == "finished"
            assert [seat["total"] for seat in seats] == game.result["totals"]
            assert [seat["rank"] for seat in seats] == game.result["ranks"]
            assert [seat["cause"] for seat in seats] == [_cause(game, seat) for seat in range(len(seats))]


def _cause(game: Game, seat: int) -> str:
    own = [event for event in game.events if event["seat"] == seat]
    left = [event["cause"] for event in own if event["action"] is None]
    if left == ["player"]:
        return "resigned"
    if left == ["forfeit"]:
        return "forfeit" if any(event["cause"] == "player" for event in own) else "no-show"
    assert not left
    return "timeout" if any(event["cause"] == "timeout" for event in own) else "finished"


def _audit_boards(read: Archive) -> None:
    """All tables of a board have one deal, no owner met it at two of them, and it was secret until all were over."""
    owners = {entry["number"]: entry["owner"] for entry in read.entries}
    by_board: dict[int, list[Plain]] = defaultdict(list)
    for table in read.tables:
        if table["board"] is not None:
            by_board[table["board"]].append(table)
    ended = {_key(table): event["version"] for event in read.logged("ended") for table in event["data"]["tables"]}
    revealed = {board: event for event in read.logged("revealed") for board in event["data"]["boards"]}
    for board, tables in by_board.items():
        games = [read.games[table["game"]] for table in tables if table["game"] is not None]
        deals = {str(_deal(game)) for game in games if "board" in game.header}
        assert len(deals) <= 1, f"board {board} was dealt in {len(deals)} ways"
        met = Counter(
            owner
            for seats in {(table["round"], table["table"], _seats(table)) for table in tables}
            for owner in {owners[entry] for entry in seats[2]} - {None}
        )
        assert not met or max(met.values()) == 1, f"an owner met board {board} twice"
        for table in tables:
            if table["game"] is not None:
                assert ended[_key(table)] < revealed[board]["version"]
                assert read.games[table["game"]].events[-1]["at"][:19] <= revealed[board]["at"][:19]
    others = [str(_deal(game)) for game in read.games.values() if "board" not in game.header]
    assert len(set(others)) == len(others)


def _audit_seats(read: Archive) -> None:
    """How often an entry sits first and second differs by one at most."""
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for table in read.first_tables:
        for seat, entry in enumerate(_seats(table)):
            counts[entry][seat] += 1
    for entry, (first, second) in counts.items():
        assert abs(first - second) <= 1, f"entry {entry} sat first {first} times and second {second} times"


def _audit_round_robin(read: Archive) -> None:
    games = read.event["boards"] * (read.event["rounds"] or 1)
    numbers = [entry["number"] for entry in read.entries]
    assert _meetings(read) == dict.fromkeys(combinations(numbers, 2), games)


def _audit_gauntlet(read: Archive) -> None:
    numbers, challengers = [entry["number"] for entry in read.entries], read.event["challengers"]
    games = read.event["boards"] * (read.event["rounds"] or 1)
    wanted = [(one, other) for one in numbers[:challengers] for other in numbers[challengers:]]
    assert _meetings(read) == dict.fromkeys(wanted, games)


def _audit_swiss(read: Archive) -> None:
    """Nobody meets twice, every meeting is a full one, and byes go round, but not to whoever leads alone."""
    assert set(_meetings(read).values()) == {read.event["boards"]}
    byes: Counter[int] = Counter()
    gone = _gone_before(read)
    for event in read.logged("paired"):
        number = event["data"]["round"]
        scores = _scores(table for table in read.last_tables if table["round"] < number)
        active = [entry["number"] for entry in read.entries if gone.get(entry["number"], number + 1) > number]
        for entry in event["data"]["byes"]:
            assert byes[entry] == min(byes[other] for other in active), "a second bye before everybody had one"
            reached = {other: scores[other][0] + byes[other] * read.event["boards"] for other in active}
            assert number == 0 or any(reached[other] >= reached[entry] for other in active if other != entry)
        byes.update(event["data"]["byes"])


def _audit_knockout(read: Archive) -> None:
    """Who has lost a match never sits at a table again, and the first place lost none."""
    lost: dict[int, int] = {}
    by_match: dict[tuple[int, Pair], list[Plain]] = defaultdict(list)
    for table in read.first_tables:
        by_match[table["round"], _pair(table)].append(table)
    for (number, pair), tables in sorted(by_match.items()):
        for entry in pair:
            assert entry not in lost, f"entry {entry} lost in round {lost.get(entry)} and plays in round {number}"
        assert len(tables) in {read.event["boards"], 2}
        goes_on = {entry for (later, other), _ in by_match.items() if later > number for entry in other} & set(pair)
        if goes_on != set(pair):
            winner = read.standings[0]["entry"]
            lost.update((entry, number) for entry in pair if entry not in goes_on and entry != winner)
    assert read.standings[0]["entry"] not in lost
    assert len(lost) == len({entry for _, pair in by_match for entry in pair}) - 1


def _audit_ladder(read: Archive) -> None:
    """Everybody plays as many games as everybody else, give or take a meeting, and meetings are full ones."""
    games = Counter(entry for table in read.first_tables for entry in _seats(table))
    assert set(games) == {entry["number"] for entry in read.entries}
    spread = max(games.values()) - min(games.values())
    assert spread <= read.event["boards"], f"{spread} games more than others"
    assert all(count % read.event["boards"] == 0 for count in _meetings(read).values())


_AUDITS = {
    "round-robin": _audit_round_robin,
    "gauntlet": _audit_gauntlet,
    "swiss": _audit_swiss,
    "knockout": _audit_knockout,
    "ladder": _audit_ladder,
}


def _audit_standings(read: Archive) -> None:
    """Every score, win, cause and seat is what the results add up to, and ranks follow."""
    event = read.event
    summed, ranks = event["format"] in {"swiss", "knockout"}, event["scoring"] == "ranks"
    scores = _scores(read.last_tables)
    byes = Counter(entry for paired in read.logged("paired") for entry in paired["data"]["byes"])
    assert [row["rank"] for row in read.standings] == list(range(1, len(read.entries) + 1))
    for row in read.standings:
        match_points, points, tables, compared, wins = scores[row["entry"]]
        got, of = (match_points, tables) if ranks else (points, compared)
        if summed and ranks and event["format"] == "swiss":
            got += byes[row["entry"]] * event["boards"]
        expected = got if summed else (got / of if of else None)
        if event["format"] != "knockout" or not ranks:
            assert _close(row["score"], expected), (row["name"], row["score"], expected)
        assert (row["tables"], row["wins"]) == (tables, wins)
    if event["format"] != "knockout":
        found = [-math.inf if row["score"] is None else row["score"] for row in read.standings]
        assert all(one >= other - 1e-9 for one, other in pairwise(found))


def _scores(tables: Iterable[Plain]) -> dict[int, tuple[float, float, int, int, int]]:
    """By entry: match points, points, tables with a result, tables with points, and tables won alone."""
    finished = [table for table in tables if table["outcome"] == "finished"]
    means: dict[int, list[Plain]] = defaultdict(list)
    for table in finished:
        if table["board"] is not None and table["complete"] and _all_stayed(table):
            means[table["board"]].append(table)
    found: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0, 0, 0])
    for table in finished:
        for seat, own in enumerate(table["seats"]):
            other, sums = table["seats"][1 - seat], found[own["entry"]]
            sums[0] += 1.0 if own["rank"] < other["rank"] else 0.5 if own["rank"] == other["rank"] else 0.0
            sums[2] += 1
            sums[4] += own["rank"] < other["rank"]
            points = _points(table, seat, means)
            if points is not None:
                sums[1] += points
                sums[3] += 1
    rows = {entry: (row[0], row[1], int(row[2]), int(row[3]), int(row[4])) for entry, row in found.items()}
    return defaultdict(lambda: (0.0, 0.0, 0, 0, 0), rows)


def _points(table: Plain, seat: int, means: dict[int, list[Plain]]) -> float | None:
    own, is_board = table["seats"][seat], table["board"] is not None
    lead: float | None = _lead(table, seat)
    if is_board:
        others = [_lead(other, seat) for other in means[table["board"]] if other is not table]
        lead = _lead(table, seat) - sum(others) / len(others) if others and table["complete"] else None
    if own["cause"] not in STAYED:
        return min(-FORFEIT_POINTS, math.inf if lead is None else lead)
    return lead if _all_stayed(table) and (table["complete"] or not is_board) else None


def _lead(table: Plain, seat: int) -> int:
    own, other = table["seats"][seat]["total"], table["seats"][1 - seat]["total"]
    return int(other - own)


def _all_stayed(table: Plain) -> bool:
    return all(seat["cause"] in STAYED for seat in table["seats"])


def _audit_ratings(read: Archive) -> None:
    """The ratings are those that make the results likeliest, found here step by step, one strength after the other."""
    entries = [entry["number"] for entry in read.entries]
    won = dict.fromkeys(entries, 0.5)
    games: dict[int, Counter[int]] = {entry: Counter() for entry in entries}
    for table in read.last_tables:
        if table["outcome"] == "finished":
            (one, other), (first, second) = _seats(table), [seat["rank"] for seat in table["seats"]]
            won[one] += 1.0 if first < second else 0.5 if first == second else 0.0
            won[other] += 1.0 if second < first else 0.5 if first == second else 0.0
            games[one][other] += 1
            games[other][one] += 1
    strengths = dict.fromkeys(entries, 0.0)
    for _ in range(3000):
        for entry in entries:
            chances = [(_chance(strengths[entry], 0.0), 1)]
            chances += [(_chance(strengths[entry], strengths[other]), count) for other, count in games[entry].items()]
            slope = won[entry] - sum(chance * count for chance, count in chances)
            bend = sum(chance * (1 - chance) * count for chance, count in chances)
            strengths[entry] += max(-1.0, min(1.0, slope / bend))
    for row in read.standings:
        if row["rating"] is None:
            assert not games[row["entry"]]
            continue
        expected = 1500 + 400 / math.log(10) * strengths[row["entry"]]
        assert abs(row["rating"]["value"] - expected) < 0.5, (row["name"], row["rating"], expected)


def _chance(one: float, other: float) -> float:
    return 1 / (1 + math.exp(other - one))


def _meetings(read: Archive) -> dict[Pair, int]:
    return dict(Counter(_pair(table) for table in read.first_tables))


def _gone_before(read: Archive) -> dict[int, int]:
    """By entry that has left: the first round that was paired afterwards."""
    gone, following = {}, 0
    for event in read.log:
        if event["kind"] == "paired":
            following = event["data"]["round"] + 1
        elif event["kind"] in {"withdrawn", "disqualified"}:
            gone[event["data"]["entry"]] = following
    return gone


def _pair(table: Plain) -> Pair:
    one, other = sorted(_seats(table))
    return one, other


def _seats(table: Plain) -> Pair:
    one, other = (seat["entry"] for seat in table["seats"])
    return one, other


def _key(table: Plain) -> tuple[int, int, int]:
    return table["round"], table["table"], table["attempt"]


def _board(read: Archive, board: int) -> tuple[bytes, bytes]:
    """The seed of a board, and the id that stands in its shuffles."""
    seed = read.derived(b"skyjo-board/1", read.id, _u32(board))
    digest = hashlib.sha256(b"skyjo-board-id/1\0" + read.id + _u32(board)).digest()
    return seed, UUID(bytes=digest[:16], version=4).bytes


def _commitment(read: Archive, seed: bytes, shuffled_as: bytes) -> bytes:
    name = len(read.rules_name).to_bytes(2, "big") + read.rules_name
    return hashlib.sha256(b"skyjo-commit/1\0" + shuffled_as + name + seed).digest()


def _deal(game: Game) -> list[int]:
    cards: list[int] = next(fact["cards"] for fact in game.events[0]["facts"] if fact["kind"] == "dealt")
    return cards


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _close(found: float | None, expected: float | None) -> bool:
    if found is None or expected is None:
        return found is expected
    return abs(found - expected) < 0.01
