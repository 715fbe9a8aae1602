"""The decisions about a line, as a function of what was seen."""

from hypothesis import given
from hypothesis import strategies as st

from cardroom.listing import Row, State, row_of
from cardroom.pace import Pace
from cardroom.waiting import (
    OFFER_MS,
    Kept,
    Lapse,
    Line,
    Offer,
    Seated,
    TakeBack,
    Waiter,
    best_first,
    free_seats,
    kept_from,
    steps,
    waiting,
)
from poker_engine.evolve import open_table
from poker_engine.stakes import table_settings
from tests.room.stake import STAKES, STRUCTURE

NOW = 1_000_000


def row(table: str, players: tuple[str | None, ...], state: State = State.OPEN) -> Row:
    made = row_of(table, open_table(table_settings(STAKES, len(players))), Pace())
    values = {name: getattr(made, name) for name in Row.__slots__}
    taken = sum(player is not None for player in players)
    return Row(**{**values, "players": players, "taken": taken, "state": state})


def waiter(player: str, since: int, table: str = "", until: int = 0, told: bool = True) -> Waiter:
    return Waiter(STRUCTURE, player, since, table, until, told)


def test_offers_are_made_in_the_order_of_the_line() -> None:
    line = (waiter("ana", 1), waiter("ben", 2), waiter("cyd", 3))
    rows = [row("x", (None, None, "dee")), row("y", ("eve", "fay"))]
    assert steps(line, rows, NOW) == [Offer(line[0], "x"), Offer(line[1], "x")]


def test_none_is_made_while_anybody_has_to_be_given_back_his_place() -> None:
    back = waiter("ana", 1, "gone", NOW + 1)
    line = (back, waiter("ben", 2))
    assert steps(line, [row("x", (None, "dee"))], NOW) == [TakeBack(back)]


def test_of_more_offers_than_seats_the_last_is_taken_back() -> None:
    first, last = waiter("ana", 1, "x", NOW + 1), waiter("ben", 2, "x", NOW + 1)
    assert steps((first, last), [row("x", (None, "dee"))], NOW) == [TakeBack(last)]


def test_who_has_a_seat_or_let_his_time_pass_waits_no_more() -> None:
    seated, late = waiter("dee", 1), waiter("ana", 2, "x", NOW)
    untold = waiter("ben", 3, "x", NOW, told=False)
    found = steps((seated, late, untold), [row("x", (None, "dee"))], NOW)
    assert found == [Seated(seated), Lapse(late), TakeBack(untold)]
    assert waiting((seated, late, untold), NOW) == (seated, untold)


def test_tables_that_take_nobody_are_not_offered() -> None:
    rows = [row("x", (None, None), State.FROZEN), row("y", (None, None), State.CLOSING)]
    assert steps((waiter("ana", 1),), rows, NOW) == []
    assert [free_seats(one) for one in rows] == [0, 0]


def test_the_best_table_has_the_most_active_players_then_hands_then_players() -> None:
    rows = [row("d", ("ana", "ben")), row("c", ("cyd", None)), row("b", (None, None))]
    assert [one.table for one in best_first(rows)] == ["d", "c", "b"]
    values = {name: getattr(rows[2], name) for name in Row.__slots__}
    quick = Row(**{**values, "table": "q", "hands_hour": 60})
    busy = Row(**{**values, "table": "z", "active": 1})
    assert [one.table for one in best_first([*rows, quick, busy])] == ["z", "q", "d", "c", "b"]


def test_what_is_kept_from_whom() -> None:
    offered, first, second = waiter("ana", 1, "x", NOW + 9), waiter("ben", 2), waiter("cyd", 3)
    line = (offered, first, second)
    assert kept_from("dee", "x", line) == Kept((offered,), (first, second))
    assert kept_from("dee", "y", line) == Kept((), (first, second))
    assert kept_from("cyd", "x", line) == Kept((offered,), (first,))
    assert kept_from("ben", "x", line) == Kept((offered,), ())
    assert kept_from("ana", "x", line) == Kept((), ())
    # To whom a seat is offered it is not kept for others: not for who has an offer too, nor for
    # who is before him and lost his.
    both = (first, waiter("cyd", 3, "x", NOW + 9), waiter("dee", 4, "x", NOW + 9))
    assert kept_from("dee", "x", both) == kept_from("cyd", "x", both) == Kept((), ())
    # At another table an offer gives no right: but nobody is before him.
    assert kept_from("ana", "y", line) == Kept((), ())
    assert kept_from("dee", "x", line).until(NOW) == NOW + 9
    assert kept_from("dee", "y", line).until(NOW) == NOW + OFFER_MS
    assert kept_from("dee", "x", line).until(NOW + 9) == NOW + 9 + OFFER_MS


PLAYERS = st.sampled_from([f"p{number}" for number in range(8)])


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Line, list[Row]]:
    tables = ("x", "y", "z")
    rows = []
    seated = draw(st.lists(st.one_of(st.none(), st.sampled_from("abcdefgh")), max_size=9))
    for number, table in enumerate(tables):
        seats = (*seated[3 * number : 3 * number + 3], None, None)
        rows.append(row(table, seats, draw(st.sampled_from(State))))
    line = []
    for number, player in enumerate(draw(st.lists(PLAYERS, unique=True, max_size=8))):
        table = draw(st.sampled_from(("", *tables, "gone")))
        until = NOW + draw(st.integers(-2, 2)) if table else 0
        line.append(waiter(player, number, table, until, draw(st.booleans())))
    return tuple(line), rows


@given(scenes())
def test_it_comes_to_rest_with_no_seat_promised_twice_and_none_kept_from_the_line(
    scene: tuple[Line, list[Row]],
) -> None:
    line, rows = scene
    before = {one.player: one for one in line}
    for _ in range(20):
        todo = steps(line, rows, NOW)
        if not todo:
            break
        for step in todo:
            changed = [one for one in line if one != step.waiter]
            if isinstance(step, Offer):
                changed.append(waiter(step.waiter.player, step.waiter.since, step.table, NOW + 9))
            elif isinstance(step, TakeBack):
                changed.append(waiter(step.waiter.player, step.waiter.since))
            line = tuple(sorted(changed, key=lambda one: one.place))
    assert steps(line, rows, NOW) == []
    free = {one.table: free_seats(one) for one in rows}
    for one in line:
        if one.table:
            free[one.table] -= 1
    assert all(left >= 0 for left in free.values())
    idle = [one for one in line if not one.table]
    assert not (idle and any(free.values()))
    # Nobody was offered a seat before one who came earlier and has none.
    fresh = [one for one in line if one.table and one != before[one.player]]
    assert all(one.place < other.place for one in fresh for other in idle)
    assert {one.player for one in line} == {
        player for player, one in before.items() if not one.lapsed(NOW)
    }
