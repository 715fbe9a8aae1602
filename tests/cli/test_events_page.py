"""docs/protocol.md: its events are the engine's, with their fields and words; tokens are got as it
says.
"""

import io
import json
import re
from collections.abc import Callable
from dataclasses import fields
from enum import Enum, IntEnum
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from cardroom.contract import SeatView
from cli.main import main
from local.errors import RoomError
from local.passwords import keep_ready_players
from local.running import RoomFile
from local.user_pool import Refused
from poker_engine import state
from poker_engine.events import Event, Prepared
from poker_engine.stakes import PHP_STAKES, Ante, Game, Settings, table_settings
from poker_engine.views import event_view

PAGE = (Path(__file__).parents[2] / "docs/protocol.md").read_text(encoding="utf-8")


def sample(kind: Any) -> Any:
    """A value of this type."""
    if isinstance(kind, UnionType):
        return sample(get_args(kind)[0])
    if get_origin(kind) is tuple:
        return ()
    if kind is Settings:
        return table_settings(PHP_STAKES[0])
    if issubclass(kind, Enum):
        return next(iter(kind))
    return kind()


def sent(kind: Any) -> list[str]:
    """The fields that a client gets of such an event."""
    hints = get_type_hints(kind)
    made = kind(**{field.name: sample(hints[field.name]) for field in fields(kind)})
    return [name for name in event_view(made) if name != "e"]


def test_the_table_has_every_event_with_its_fields_in_order() -> None:
    part = PAGE.partition("## Events")[2].partition("The words in them")[0]
    shown = dict(re.findall(r"^\| ([a-z_]+) \|(.*?)\|", part, re.MULTILINE))
    del shown["event"]
    assert {name: re.findall(r"`(\w+)`", named) for name, named in shown.items()} == {
        event_name(kind): sent(kind) for kind in Event.__value__.__args__
    }


def event_name(kind: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


WORDS: dict[str, type[Enum]] = {
    "status": state.Status,
    "exit": state.Exit,
    "plan": state.Plan,
    "post": state.Post,
    "do": state.Do,
    "pre": state.PreDo,
    "cause": state.Cause,
    "street": state.Street,
    "game": Game,
    "ante_by": Ante,
}


def test_the_words_are_all_there_are() -> None:
    rows = PAGE.partition("The words in them")[2].partition("## Limits")[0]
    shown = dict(re.findall(r"^\| ([a-z_]+) \| (.*) \|$", rows, re.MULTILINE))
    del shown["field"]
    assert {name: re.findall(r"`(\w+)`", words) for name, words in shown.items()} == {
        name: [one.name.lower() if issubclass(kind, IntEnum) else str(one.value) for one in kind]
        for name, kind in WORDS.items()
    }


def test_no_event_has_words_that_the_page_leaves_out() -> None:
    for kind in Event.__value__.__args__:
        for name, hint in get_type_hints(kind).items():
            row = "pre" if (kind, name) == (Prepared, "do") else name
            for one in get_args(hint) or (hint,):
                if isinstance(one, type) and issubclass(one, Enum):
                    assert WORDS[row] is one


def test_the_own_seat_is_one_that_is_sent() -> None:
    (block,) = re.findall(r'^    (\{"seat".*?\}\})$', PAGE, re.MULTILINE | re.DOTALL)
    seat = SeatView.model_validate_json(block)
    assert seat.owes is not None
    assert set(json.loads(block)) == set(SeatView.model_fields)


class Pool:
    """A user pool in which the password of everybody is "right"."""

    def sign_in(self, name: str, password: str, new_password: Callable[[], str]) -> str:
        if password == "temporary":
            assert new_password() == "temporary"
        elif password != "right":
            raise Refused("NotAuthorizedException", "name or password is wrong")
        return f"token of {name}"


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A room on this machine, for which Ann is ready."""
    endpoint = "http://127.0.0.1:9"
    monkeypatch.setenv("CARDROOM_STATE", str(tmp_path))
    monkeypatch.delenv("CARDROOM_PASSWORD", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    keep_ready_players(endpoint, {"Ann": "right"})
    monkeypatch.setattr(
        "local.place.find", lambda address: type("Room", (), {"endpoint": endpoint})
    )
    monkeypatch.setattr("local.sign_in.UserPool.of", lambda room: Pool())


def test_a_token_is_printed_as_the_page_says(
    room: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CARDROOM_PASSWORD", "right")
    (words,) = re.findall(r"^    \.venv/bin/cardroom (token .*)$", PAGE, re.MULTILINE)
    assert main(words.split()) == 0
    assert capsys.readouterr() == ("token of ana\n", "")


def test_the_password_of_a_ready_player_is_known(
    room: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["token", "Ann"]) == 0
    assert capsys.readouterr() == ("token of Ann\n", "")


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("wrong", "name or password is wrong"),
        ("", "there is nobody to ask for the password: set CARDROOM_PASSWORD"),
    ],
)
def test_without_the_password_there_is_none(
    room: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    password: str,
    why: str,
) -> None:
    monkeypatch.setenv("CARDROOM_PASSWORD", password)
    assert main(["token", "ana"]) == 1
    assert capsys.readouterr() == ("", f"cardroom: {why}\n")


def test_a_password_that_an_operator_gave_is_replaced(
    room: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDROOM_PASSWORD", "temporary")
    assert main(["token", "ana"]) == 0


def test_nobody_gets_the_token_of_a_bot_or_of_nonsense(
    room: None, capsys: pytest.CaptureFixture[str]
) -> None:
    RoomFile("http://127.0.0.1:9", 7, "ws://127.0.0.1:9/", ("Isko",)).write()
    bot = "ISKO is a bot of this room: take another name."
    for name, why in (("ISKO", bot), ("a b", "'a b' is no name")):
        assert main(["token", name]) == 2
        assert capsys.readouterr().err == f"cardroom: {why}\n"


def test_a_password_is_no_word_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("token", "join", "signup"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert "--password" not in capsys.readouterr().out


def test_without_a_room_there_is_none(
    room: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing(address: str | None) -> None:
        raise RoomError("no room is running")

    monkeypatch.setattr("local.place.find", nothing)
    assert main(["token", "ana"]) == 1
    assert capsys.readouterr().err == "cardroom: no room is running\n"
