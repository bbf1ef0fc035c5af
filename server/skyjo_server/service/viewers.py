"""Who sees a table, and as whom: the seat of a caller, and the log as a viewer may know it. Plays nothing."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from uuid import UUID

from skyjo import SeenEvent, full_event, initial_state, seen_event
from skyjo.evolution import evolve
from skyjo_server.service.errors import Embargoed, NotFound
from skyjo_server.service.model import Caller, StampedEvent
from skyjo_server.service.ports import StoredEvent
from skyjo_server.service.table import Table


def seat_of(table: Table, caller: Caller, bot_id: UUID | None) -> int:
    """The seat that a caller plays: that of its token's bot, or of a named bot of its owner.

    Raises:
        NotFound: if there is none, or the token plays for another bot.
    """
    seat = table.setup.seat_of(bot_id or caller.bot_id)
    if seat is None or table.setup.seats[seat].owner_id != caller.owner_id:
        raise NotFound
    if caller.bot_id is not None and bot_id not in {None, caller.bot_id}:
        raise NotFound
    return seat


def viewer_of(table: Table, caller: Caller | None, bot_id: UUID | None) -> int | None:
    """The seat that a caller sees the table from; None = as a spectator.

    Raises:
        NotFound: if a bot is named that is not the caller's, or has no seat here.
        Embargoed: if it would be as a spectator, and there may be none yet.
    """
    if caller is None or (bot_id is None and table.setup.seat_of(caller.bot_id) is None):
        if bot_id is not None:
            raise NotFound
        if table.embargoed:
            raise Embargoed
        return None
    return seat_of(table, caller, bot_id)


def seen_events(
    table: Table, viewer: int | None, events: Iterable[StoredEvent], after: int, limit: int
) -> tuple[StampedEvent, ...]:
    """Events after a version as a viewer may know them: everything once the game is open to everybody."""
    if table.is_open:
        later = (stored for stored in events if stored.event.version > after)
        return tuple(stamped(full_event(stored.event), stored) for stored in islice(later, limit))
    state = initial_state(table.setup.rules, len(table.setup.seats))
    seen: list[StampedEvent] = []
    for stored in events:
        if stored.event.version > after and len(seen) < limit:
            seen.append(stamped(seen_event(stored.event, state, viewer), stored))
        state = evolve(state, stored.event)
    return tuple(seen)


def stamped(event: SeenEvent, stored: StoredEvent) -> StampedEvent:
    """An event as its reader may know it, with its times."""
    return StampedEvent(event, stored.at, stored.thinking_seconds)
