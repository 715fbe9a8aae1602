"""What a client knows of the lobby."""

from typing import Any

import pytest

from local.lobby_view import EVERYTHING, Filter, LobbyView, filter_of, free_seats, stake_name
from tests.local.fake_room import lobby, row, stake

PESOS = stake(small_blind=250, big_blind=500, structure="nl-PHP-250-500")
LIMIT = stake(
    game="fl",
    currency="USD",
    small_blind=500,
    big_blind=1_000,
    small_bet=1_000,
    big_bet=2_000,
    structure="fl-USD-500-1000",
)


def row_of(one: dict[str, Any], **changes: Any) -> dict[str, Any]:
    same = {name: part for name, part in one.items() if name not in ("tables", "waiting")}
    return row(**same, **changes)


def view() -> LobbyView:
    found = LobbyView()
    rows = (row_of(PESOS), row_of(LIMIT, table="u1", players=["a", "b", "c"]))
    found.load(lobby(*rows, stakes=[PESOS, LIMIT]))
    return found


def test_stakes_are_called_as_people_call_them() -> None:
    assert stake_name(PESOS) == "php-2.50-5"
    assert stake_name(LIMIT) == "usd-10-20-limit"


@pytest.mark.parametrize(
    ("name", "stakes"),
    [
        ("php-2.50-5", PESOS),
        ("PHP 2.50/5", PESOS),
        ("php 2.5/5", PESOS),
        # As the tables' ids have it.
        ("php-2p50-5", PESOS),
        ("nl-PHP-250-500", PESOS),
        ("usd-10-20-limit", LIMIT),
        ("usd 10/20 limit", LIMIT),
        ("usd-10-20", None),
        ("", None),
        ("\x1b[2J", None),
    ],
)
def test_a_stake_is_found_however_it_is_written(name: str, stakes: Any) -> None:
    assert view().stake(name) == stakes


def test_the_newest_lobby_wins() -> None:
    found = LobbyView()
    assert found.load(lobby(row(taken=1), now=20))
    assert not found.load(lobby(row(taken=2), now=10))
    assert found.tables[0]["taken"] == 1
    assert found.load(lobby(row(taken=3), now=30))
    assert (found.tables[0]["taken"], found.now) == (3, 30)


def part(number: int, now: int, *tables: str) -> dict[str, Any]:
    rows = [row(table=name) for name in tables]
    return lobby(*rows, now=now) | {"part": number, "parts": 2}


def test_a_lobby_in_parts_is_taken_over_when_all_are_there() -> None:
    found = LobbyView()
    # Of the first one what there is is shown at once.
    assert found.load(part(1, 10, "a", "b"))
    assert found.load(part(2, 10, "c"))
    assert [one["table"] for one in found.tables] == ["a", "b", "c"]
    assert not found.load(part(2, 20, "d"))
    assert not found.load(part(1, 15, "x"))
    assert found.now == 10
    assert not found.load(part(2, 20, "d"))
    assert found.load(part(1, 20, "a"))
    assert [one["table"] for one in found.tables] == ["a", "d"]
    assert found.now == 20


def test_seats_are_free_at_open_tables_only() -> None:
    assert free_seats(row()) == [1]
    assert free_seats(row(state="closing")) == []
    assert free_seats(row(state="frozen")) == []


@pytest.mark.parametrize(
    ("words", "stakes", "tables"),
    [
        ("", 2, ["t1", "u1"]),
        ("php", 1, ["t1"]),
        ("usd", 1, ["u1"]),
        ("no-limit", 1, ["t1"]),
        ("limit", 1, ["u1"]),
        ("free", 2, ["t1"]),
        ("usd free", 1, []),
        ("php-2.50-5", 1, ["t1"]),
        ("usd off", 2, ["t1", "u1"]),
    ],
)
def test_filters(words: str, stakes: int, tables: list[str]) -> None:
    known = view()
    shows = filter_of(words.split(), known)
    assert len([one for one in known.stakes if shows.shows_stake(one)]) == stakes
    assert [one["table"] for one in known.tables if shows.shows_table(one)] == tables


def test_a_filter_is_told_as_it_is_typed() -> None:
    known = view()
    for words in ("PHP", "PHP no-limit free", "USD limit", "usd-10-20-limit"):
        assert filter_of(words.lower().split(), known).words(known) == words
    assert EVERYTHING.words(known) == ""
    assert Filter(structure="nl-EUR-1-2").words(known) == "nl-EUR-1-2"


def test_what_filters_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^'eur' filters nothing: "):
        filter_of(["php", "eur"], view())
