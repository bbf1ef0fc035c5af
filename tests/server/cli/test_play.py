"""`skyjo play`: a bot is registered once, and the same command brings it back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skyjo_client import Client
from skyjo_server.cli.kept_tokens import token_file
from tests.sdk.serving import LocalServer
from tests.server.cli.conftest import Skyjo

GAME = ["--against", "random", "--rules", '{"max_rounds": 1}']


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Where tokens are kept."""
    return tmp_path / "data" / "skyjo-arena" / "bots"


def test_the_same_command_brings_the_same_bot_back(skyjo: Skyjo, server: LocalServer, kept: Path) -> None:
    command = ["play", "threshold", "--url", server.url, "--name", "ada", *GAME]
    first, again = skyjo(*command), skyjo(*command, "--json")
    assert (first.code, again.code) == (0, 0)
    assert "registered 'ada'" in first.err
    assert "back as 'ada'" in again.err
    assert json.loads(again.out)["played"] > 0
    (file,) = kept.iterdir()
    token = file.read_text().strip()
    assert (token in first.err, token in again.err) == (True, False)
    assert (file.stat().st_mode & 0o777, kept.stat().st_mode & 0o777) == (0o600, 0o700)
    with Client(server.url, token) as client:
        bot = client.me().bot
        assert bot is not None
        assert len([game for game in client.games.list(bot=bot.id).items if game.status.is_over]) == 2


def test_a_token_that_the_service_does_not_know_any_more_gives_way_to_a_new_one(
    skyjo: Skyjo, server: LocalServer, kept: Path
) -> None:
    command = ["play", "threshold", "--url", server.url, "--until-done"]
    assert skyjo(*command, "--name", "ada").code == 0
    (file,) = kept.iterdir()
    old = file.read_text().strip()
    with Client(server.url, old) as client:
        client.tokens.revoke(client.me().token.id)
    taken = skyjo(*command, "--name", "ada")
    assert (taken.code, "--token" in taken.err) == (1, True)
    damaged = kept / token_file(server.url, "bob").name
    damaged.write_text("not a token")
    assert skyjo(*command, "--name", "bob").code == 0
    with Client(server.url, damaged.read_text().strip()) as client:
        bot = client.me().bot
        assert bot is not None
        assert bot.name == "bob"


def test_where_no_token_can_be_kept_the_bot_plays_all_the_same(
    skyjo: Skyjo, server: LocalServer, tmp_path: Path
) -> None:
    (tmp_path / "data").write_text("a file where a folder would have to be")
    played = skyjo("play", "threshold", "--url", server.url, "--name", "ada", *GAME)
    assert (played.code, "shown this once" in played.err) == (0, True)


def test_what_cannot_be_a_token_is_refused_with_the_way_out(skyjo: Skyjo, server: LocalServer) -> None:
    refused = skyjo("play", "threshold", "--url", server.url, "--token", "skj_half a token")
    assert (refused.code, "copy it again" in refused.err, "Traceback" in refused.err) == (2, True, False)


def test_a_name_goes_before_the_token_of_another_and_the_bots_own_token_before_both(
    skyjo: Skyjo, server: LocalServer, monkeypatch: pytest.MonkeyPatch, kept: Path
) -> None:
    with Client(server.url) as client:
        token = client.bots.register("ada").token.token
    monkeypatch.setenv("SKYJO_TOKEN", token)
    command = ["play", "threshold", "--url", server.url, "--until-done"]
    own, other = skyjo(*command, "--name", "ada"), skyjo(*command, "--name", "bob")
    assert (own.code, own.err.count("registered"), own.err.count("back as")) == (0, 0, 0)
    assert (other.code, other.err.count("registered 'bob'")) == (0, 1)
    assert [file.name for file in kept.iterdir()] == [token_file(server.url, "bob").name]
