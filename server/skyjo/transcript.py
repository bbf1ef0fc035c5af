r"""Games as text for people, in the spirit of chess's PGN (``.skyjo``): written, and read back by playing them again.

A game is its headers, then its rounds; several games follow one another. Headers are lines ``[Name "value"]``, with
``\"`` and ``\\`` for a quotation mark and a backslash inside. The first is Skyjo, the version of rules and format::

    [Skyjo "1"]
    [Game "00112233-4455-6677-8899-aabbccddeeff"]
    [Date "2026-01-31T18:30:00Z"]
    [Rules "classic with initial_flips=3 score_limit=none max_rounds=1"]
    [Seat0 "Ann"]
    ...

    Round 1
    Deal 0: 5 7 9 / 3 1 9 / 2 4 0 / 10 -1 12
    ...
    1: flip d2 c2 {10 8} 0: flip b1 c1 {3 2} 1: draw {7} keep a1 {5} 0: (timeout) draw {4} (timeout) reject a1 {0}

A line of moves has ``seat:`` before the actions of a seat, the cause in round brackets where it is not ``player``, and
in braces the cards that an action showed: flipped; drawn; taken and replaced; replaced. ``leave`` is a seat that
resigns, or by ``(forfeit)`` is made to leave. A line that begins with a capital letter notes what came by itself, and
goes on in lines that begin with a space: Round, Deal (columns a to d), Discard, Pile and Reshuffled (first drawn
first), Shown (places and cards turned up), Removed, Opener (by chance), Scores, End. A line that begins with ``;`` is a
remark and is passed over, as are empty lines.

Headers and moves are the game; all the rest follows from them and the seed, and reading checks every word of it. Of the
times, only that of version 0 is kept, as Date. Of the hashes only that of the result is kept, as Hash, and the chain to
it is computed again. Salts are not kept, as the seed gives them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, NoReturn

from skyjo.actions import Action
from skyjo.cards import DECK
from skyjo.chain import hashed
from skyjo.errors import CorruptLog, InvalidText, SkyjoError
from skyjo.facts import Cause, Event
from skyjo.preamble import HEADER_NAMES, read_headers, write_headers
from skyjo.reading import Lines, at_line, numbered_lines, quoted
from skyjo.record import GameRecord, LoggedEvent
from skyjo.referee import Referee
from skyjo.scribe import LEAVE, Scribe, Unit
from skyjo.verify import check_commitment, check_result

WIDTH: Final = 100
"""Characters of a line of moves or notes, the longest words apart."""

_AHEAD: Final = 2 * len(DECK)
"""More words than a pile that is reshuffled has: no more can be found before the move that brings them about."""

_FIRST: Final = "[Skyjo "
_INDENT: Final = "  "
_HEADER: Final = re.compile(r'\[([A-Za-z]+[0-9]?) "((?:[^"\\]|\\["\\])*)"\]\s*')
_ITEM: Final = re.compile(
    r"(?:(?P<seat>[0-7]):|\((?P<cause>timeout|forfeit)\)|\{[^{}]*\}|(?P<action>[a-z]+(?: +[a-d][1-3])*))(?:\s+|$)"
)


def write_transcript(record: GameRecord) -> str:
    """A game as a transcript, with an empty line at its end. Only one that :func:`skyjo.verify` accepts reads back."""
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in write_headers(record)]
    scribe = Scribe(len(record.seats))
    lines += _laid_out(unit for event in record.bare_events() for unit in scribe.units(event))
    return "\n".join([*lines, "", ""])


def read_transcript(lines: Lines) -> Iterator[GameRecord]:
    """Read the games of a text or file, one after another, each played again and checked; one is in memory.

    Args:
        lines: a text, an open file (best in binary), or lines.
    Raises:
        InvalidText: naming the line, for what has not the form of a transcript.
        CorruptLog: naming the line, for what the rules do not allow, or what does not follow from moves and seed.
    """
    game: _Reading | None = None
    for number, line in numbered_lines(lines):
        if not line.strip() or line.startswith(";"):
            continue
        if line.startswith(_FIRST):
            if game is not None:
                yield game.finished()
            game = _Reading()
        if game is None:
            raise InvalidText(f'line {number}: a game begins with [Skyjo "1"], but here is {quoted(line)}')
        game.take(number, line)
    if game is not None:
        yield game.finished()


class _Reading:
    """A game in the course of being read."""

    def __init__(self) -> None:
        self._number = 0
        self._headers: dict[str, str] = {}
        self._play: _Play | None = None

    def take(self, number: int, line: str) -> None:
        """Read one line."""
        self._number = number
        with _naming_line(number):
            if not line.startswith("["):
                self._begun().take(number, line)
            elif self._play is None:
                self._take_header(line)
            else:
                raise InvalidText(f"{quoted(line)} stands among the moves, but headers stand before them")

    def finished(self) -> GameRecord:
        """The game, once its last line was read."""
        with _naming_line(self._number):
            play = self._play or _Play(read_headers(self._headers))
            record = play.finished()
            if "Date" in self._headers and record.events:
                first, *others = record.events
                record = replace(record, events=(replace(first, at=self._headers["Date"]), *others))
            return _with_hashes(record, self._headers["Hash"]) if "Hash" in self._headers else record

    def _take_header(self, line: str) -> None:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise InvalidText(f'{quoted(line)} is no header: write [Name "value"], and \\" for a quotation mark inside')
        name = found[1]
        if name not in HEADER_NAMES:
            raise InvalidText(f"there is no header {quoted(name)}: the headers are {', '.join(HEADER_NAMES)}")
        if name in self._headers:
            raise InvalidText(f"the header {name} stands here twice")
        self._headers[name] = re.sub(r"\\(.)", r"\1", found[2])

    def _begun(self) -> _Play:
        """The game behind its headers; the first deal comes by itself."""
        if self._play is None:
            self._play = _Play(read_headers(self._headers))
            self._play.deal()
        return self._play


class _Play:
    """The moves of a game, played again as they are read; what was found is held against what came of them.

    A pile that is reshuffled is found before the draw that brings it about, so both wait here until the other is there.
    """

    def __init__(self, record: GameRecord) -> None:
        check_commitment(record)
        self._record = record
        self._referee = Referee(record)
        self._scribe = Scribe(len(record.seats))
        self._events: list[LoggedEvent] = []
        self._seat: int | None = None
        self._found: deque[tuple[str, int]] = deque()
        self._expected: deque[tuple[str, int]] = deque()

    def deal(self) -> None:
        """Begin: version 0."""
        self._play(Event(0, None, None, Cause.SYSTEM, ()))

    def take(self, number: int, line: str) -> None:
        """Read a line of moves or notes."""
        self._found.extend((word, number) for word in line.split())
        if line[0].isspace() or line[0].isupper():
            self._seat = None
        else:
            for seat, action, cause in list(self._commands(line)):
                self._play(Event(len(self._events), seat, action, cause, ()))
        self._compare()

    def finished(self) -> GameRecord:
        """The game; nothing may be missing or left over."""
        self._compare()
        if self._found:
            self._refuse_leftover()
        if self._expected:
            word, version = self._expected[0]
            raise self._corrupt(version, f"the text ends before {quoted(word)}")
        check_result(self._record, self._referee.state)
        return replace(self._record, events=tuple(self._events))

    def _commands(self, line: str) -> Iterator[tuple[int, Action | None, Cause]]:
        at, cause = 0, Cause.PLAYER
        while at < len(line):
            item = _ITEM.match(line, at)
            if item is None:
                word = line[at:].split(maxsplit=1)[0]
                raise InvalidText(f"{quoted(word)} is no part of a move: write as in '0: draw {{5}} keep c2 {{7}}'")
            at = item.end()
            if item["seat"]:
                self._seat = int(item["seat"])
            elif item["cause"]:
                cause = Cause(item["cause"])
            elif item["action"]:
                if self._seat is None:
                    raise InvalidText(f"{quoted(item['action'])} names no seat: write it as '0: {item['action']}'")
                yield self._seat, _action(item["action"]), cause
                cause = Cause.PLAYER

    def _play(self, told: Event) -> None:
        event = self._referee.judge(told)
        self._events.append(LoggedEvent(event))
        words = (word for unit in self._scribe.units(event) for word in unit.text.split())
        self._expected.extend((word, event.version) for word in words)

    def _compare(self) -> None:
        while self._found and self._expected:
            (found, number), (expected, version) = self._found.popleft(), self._expected.popleft()
            if found != expected:
                raise self._corrupt(version, f"must be {quoted(expected)}, found {quoted(found)} in line {number}")
        if len(self._found) > _AHEAD:
            self._refuse_leftover()

    def _refuse_leftover(self) -> NoReturn:
        word, number = self._found[0]
        raise self._corrupt(len(self._events), f"{quoted(word)} in line {number} follows from nothing before it")

    def _corrupt(self, version: int, message: str) -> CorruptLog:
        game = str(self._record.game)
        return CorruptLog(f"game {game}, event {version}: {message}", game=game, version=version)


def _action(words: str) -> Action | None:
    return None if words == LEAVE else Action.parse(" ".join(words.split()))


def _with_hashes(record: GameRecord, last: str) -> GameRecord:
    chained = hashed(record)
    if chained.hash is None or chained.hash.hex() != last:
        game = str(record.game)
        ends = quoted(chained.hash and chained.hash.hex())
        raise CorruptLog(f"game {game}: Hash is {quoted(last)}, but the chain ends in {ends}", game=game)
    return chained


@contextmanager
def _naming_line(number: int) -> Iterator[None]:
    try:
        yield
    except CorruptLog as error:
        raise CorruptLog(at_line(number, error), game=error.game, version=error.version) from error
    except SkyjoError as error:
        raise InvalidText(at_line(number, error)) from error


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _laid_out(units: Iterable[Unit]) -> Iterator[str]:
    """The units in lines, an empty one before each round."""
    moves: list[str] = []
    for unit in units:
        if unit.continues and moves:
            moves[-1] += f" {unit.text}"
            continue
        if not unit.is_note:
            moves.append(unit.text)
            continue
        yield from _wrapped(moves, "")
        moves = []
        if unit.text.startswith("Round "):
            yield ""
        yield from _wrapped(unit.text.split(" "), _INDENT)
    yield from _wrapped(moves, "")


def _wrapped(texts: Iterable[str], indent: str) -> Iterator[str]:
    line = ""
    for text in texts:
        if line and len(line) + 1 + len(text) > WIDTH:
            yield line
            line = indent + text
        else:
            line = f"{line} {text}" if line else text
    if line:
        yield line
