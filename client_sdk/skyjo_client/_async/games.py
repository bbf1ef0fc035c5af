"""Games: one method for each request."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from time import monotonic
from typing import Final

from skyjo import Action, Decision, RuleSet
from skyjo.analysis import ScoredDecision
from skyjo_client._async.api import AsyncApi
from skyjo_client._async.pages import AsyncPage, page_of
from skyjo_client.exchange import Request, as_json, as_text, entity_tag, get, path, plain, post
from skyjo_client.models import Choices, EventPage, Game, GameStatus, SeatTaken, StampedEvent
from skyjo_client.replay_models import Commitments, Perspective, Proof, read_analysis
from skyjo_client.retry import Idleness
from skyjo_client.submissions import SeatRequest, as_action, new_key

_TRANSCRIPT: Final = "text/plain"
_JSON_LINES: Final = "application/jsonl"


class AsyncGames:
    """Games: ``client.games``."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def create(
        self,
        *,
        seats: Sequence[SeatRequest],
        rules: RuleSet | None = None,
        move_seconds: float | None = None,
        bank_seconds: float | None = None,
        key: str | None = None,
    ) -> Game:
        """Create a game; it starts when no open seat is left.

        Args:
            seats: 2 to 8, in playing order.
            rules: None = `classic`.
            move_seconds: time for each move; None = no limit.
            bank_seconds: time to spare for the whole game.
            key: makes sending it again harmless, also from another process; None = a new one.
        Raises:
            InvalidRules: naming the option.
            NotFound: if a seat asks for a bot that is not there or not the caller's.
        """
        body = {
            "preset": rules and rules.name,
            "rules": None if rules is None or rules.name else rules.to_dict(),
            "seats": [seat.to_dict() for seat in seats],
            "move_seconds": move_seconds if move_seconds is None else plain(move_seconds),
            "bank_seconds": bank_seconds if bank_seconds is None else plain(bank_seconds),
        }
        return await self._api.send(post(path("games"), Game.from_dict, body, key=key or new_key()))

    async def list(
        self,
        *,
        status: GameStatus | None = None,
        bot: str | None = None,
        tournament: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[Game]:
        """Games, the newest first, page by page.

        Args:
            status: only those that stand there.
            bot: only those with this bot in a seat.
            tournament: only those of this tournament.
            limit: games on a page, 1 to 100; None = 20.
            cursor: where to begin, from an earlier page.
        """
        query = {"status": status, "bot": bot, "tournament": tournament, "limit": limit}
        return await page_of(self._api, path("games"), Game.from_dict, query, cursor)

    async def get(self, game_id: str) -> Game:
        """A game by its id.

        Raises:
            NotFound: if there is none.
        """
        return await self._api.send(get(path("games", game_id), Game.from_dict))

    async def join(self, game_id: str, *, bot: str | None = None, entropy: bytes | None = None) -> SeatTaken:
        """Take an open seat. It is sent once.

        Args:
            game_id: the game.
            bot: id of a bot of the caller's owner; None = the caller's own bot.
            entropy: at most 64 bytes that go into the game's shuffles.
        Raises:
            GameFull: if no seat is open.
            AlreadySeated: if the bot has a seat there.
        """
        body = {"bot": bot, "entropy": None if entropy is None else entropy.hex()}
        return await self._api.send(post(path("games", game_id, "seats"), SeatTaken.from_dict, body))

    async def resign(self, game_id: str, *, bot: str | None = None) -> Game:
        """Leave a game for good: default actions play on, below every seat that stays. It is sent once.

        Args:
            game_id: the game.
            bot: whose seat, if several bots of the owner play; None = the caller's own.
        Raises:
            GameOver: if there is nothing left to leave.
            IllegalAction: `already-left`.
        """
        where = path("games", game_id, "resignation")
        return await self._api.send(Request("POST", where, as_json(Game.from_dict), query={"bot": bot}))

    async def view(
        self,
        game_id: str,
        *,
        bot: str | None = None,
        after: int | None = None,
        wait_seconds: float = 0.0,
        known: Decision | None = None,
    ) -> Decision:
        """The table as the caller sees it: as its seat if it has one, else as a spectator.

        Args:
            game_id: the game.
            bot: whose seat, if several bots of the owner play; None = the caller's own.
            after: answer as soon as the version is greater.
            wait_seconds: at the latest after so long, 0 to 30, with the table as it is then.
            known: an earlier answer to the same question, given back itself if nothing has changed.
        Raises:
            NotFound: if there is no such game.
            GameNotStarted: if there is no table yet.
        """
        headers = {"If-None-Match": None if known is None else entity_tag(known)}
        return await self._api.send(
            get(
                path("games", game_id, "view"),
                Decision.from_dict,
                wait_seconds=wait_seconds,
                headers=headers,
                unchanged=known,
                bot=bot,
                after=after,
            )
        )

    async def legal_actions(self, game_id: str, *, bot: str | None = None) -> Choices:
        """What the caller's seat may play now: nothing if it has none.

        Args:
            game_id: the game.
            bot: whose seat, if several bots of the owner play; None = the caller's own.
        Raises:
            NotFound: if there is no such game.
            GameNotStarted: if there is no table yet.
        """
        return await self._api.send(get(path("games", game_id, "actions"), Choices.from_dict, bot=bot))

    async def play(self, game_id: str, *, version: int, action: Action | str, key: str | None = None) -> Decision:
        """Play one action. The answer is the table after it and all that the house played after it.

        Sent again after a lost answer, with the same key, it is played once and answered as the first time.

        Args:
            game_id: the game.
            version: the version of the decision that it answers.
            action: what to play.
            key: as in :class:`Submission`; None = a new one.
        Raises:
            StaleVersion: if the game has moved on; with the decision now. The action was not played.
            IllegalAction: with the reason and what is legal.
            DeadlinePassed: if it came too late; with the decision now.
        """
        request = Request(
            "POST",
            path("games", game_id, "actions"),
            as_json(Decision.from_dict),
            headers={"If-Match": f'"{version}"', "Idempotency-Key": key or new_key()},
            body={"action": str(as_action(action))},
            repeatable=True,
        )
        return await self._api.send(request)

    async def events(
        self, game_id: str, *, after: int = -1, limit: int | None = None, wait_seconds: float = 0.0
    ) -> EventPage:
        """Events of a game in order, as the caller may know them.

        Args:
            game_id: the game.
            after: the version of the last event that is known; -1 = none.
            limit: events at most, 1 to 1000; None = 500.
            wait_seconds: if there is none yet, wait so long for one, 0 to 30.
        Raises:
            NotFound: if there is no such game.
        """
        return await self._api.send(
            get(
                path("games", game_id, "events"),
                EventPage.from_dict,
                wait_seconds=wait_seconds,
                after=after,
                limit=limit,
            )
        )

    async def follow(self, game_id: str, *, after: int = -1, wait_seconds: float = 20.0) -> AsyncIterator[StampedEvent]:
        """Every event of a game as it happens, until the game is over.

        It asks again whenever nothing has happened yet; only the end of the game, or an error, ends it.

        Args:
            game_id: the game.
            after: the version of the last event that is known; -1 = none.
            wait_seconds: how long each request may wait, 0 to 30.
        """
        idleness = Idleness()
        while True:
            began = monotonic()
            page = await self.events(game_id, after=after, wait_seconds=wait_seconds)
            early = monotonic() - began < wait_seconds
            for stamped in page.events:
                yield stamped
                after = stamped.event.version
            if page.ends_with(after):
                return
            await self._api.idle(idleness, fruitful=bool(page.events), early=early)

    async def transcript(self, game_id: str) -> str:
        """A game that is over, in the notation of ``.skyjo`` files.

        Raises:
            GameNotFinished: if it is not over.
        """
        return await self._api.send(_text(game_id, _TRANSCRIPT))

    async def export(self, game_id: str) -> str:
        """A game that is over as JSON Lines, with everything that its verification needs.

        Raises:
            GameNotFinished: if it is not over.
        """
        return await self._api.send(_text(game_id, _JSON_LINES))

    async def state(
        self,
        game_id: str,
        version: int,
        *,
        seat: int | None = None,
        view: Perspective | None = None,
    ) -> Decision:
        """The table as it was after an event.

        Args:
            game_id: the game.
            version: the event's number.
            seat: as this seat saw it: the caller's own, or any once the game is over.
            view: as a spectator saw it; or with every card open, once the game is over.
                With neither of the two: every card if the game is over, else as the caller may see the table.
        Raises:
            NotFound: if there is no such game, or it has not come so far.
            GameNotFinished: for what may not be seen before the end.
            Embargoed: for what may not be seen before its deals are over at every table.
        """
        where = path("games", game_id, "states", str(version))
        return await self._api.send(get(where, Decision.from_dict, seat=seat, view=view))

    async def proof(self, game_id: str) -> Proof:
        """Where the chance of a game that is over came from, and what its log is bound to.

        :func:`skyjo.verify` proves a whole game: read its :meth:`export`.

        Raises:
            GameNotFinished: if it is not over.
            Embargoed: if its deals are still in play at another table.
        """
        return await self._api.send(get(path("games", game_id, "proof"), Proof.from_dict))

    async def analysis(self, game_id: str) -> tuple[ScoredDecision, ...]:
        """What each decision of a game that is over cost, by the reckoning of the bot `greedy`.

        Raises:
            GameNotFinished: if it is not over.
            Embargoed: if its deals are still in play at another table.
            InvalidRequest: if it is too long to be analysed by the service.
        """
        return await self._api.send(get(path("games", game_id, "analysis"), read_analysis))

    async def fork(
        self,
        game_id: str,
        *,
        version: int,
        seats: Sequence[SeatRequest],
        move_seconds: float | None = None,
        bank_seconds: float | None = None,
        key: str | None = None,
    ) -> Game:
        """Create a game that repeats one that is over up to a step, card for card, and goes on with other players.

        Args:
            game_id: the game that is over.
            version: the last event that the new game repeats.
            seats: who goes on, in the order of its seats; none of them open.
            move_seconds: time for each move; None = no limit.
            bank_seconds: time to spare for the whole game.
            key: makes sending it again harmless, also from another process; None = a new one.
        Raises:
            GameNotFinished: if it is not over.
            Embargoed: if its deals are still in play at another table.
            InvalidRequest: for a step that it does not have, or cannot go on from.
        """
        body = {
            "version": version,
            "seats": [seat.to_dict() for seat in seats],
            "move_seconds": move_seconds if move_seconds is None else plain(move_seconds),
            "bank_seconds": bank_seconds if bank_seconds is None else plain(bank_seconds),
        }
        where = path("games", game_id, "forks")
        return await self._api.send(post(where, Game.from_dict, body, key=key or new_key()))

    async def commitments(self) -> Commitments:
        """What has become of the seeds that games and tournaments were bound to before they began."""
        return await self._api.send(get(path("fairness"), Commitments.from_dict))


def _text(game_id: str, media_type: str) -> Request[str]:
    headers = {"Accept": f"{media_type}, application/problem+json"}
    return Request("GET", path("games", game_id, "transcript"), as_text, headers=headers, repeatable=True)
