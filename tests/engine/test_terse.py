"""Events of the second schema: short, the same as those of the first, and never taken for them."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_engine.codec import Damaged, dump_events, load_events
from poker_engine.schema import STEPS, raised_events
from poker_engine.state import Do, Post
from poker_engine.terse import ACTIONS, POSTS, plain, terse
from tests.engine.strategies import Session, sessions

type Json = Any

NOON = 1_764_000_000_000
PAIRS: list[tuple[list[Json], list[Json]]] = [
    (["act", 7, "call", 2000, 2000], ["call", 7, 2000]),
    (["act", 5, "call", 2000, 1000], ["call", 5, 2000, 1000]),
    (["act", 5, "call", 2000], ["call", 5, 2000, 0]),
    (["act", 5, "bet", 400, 400], ["bet", 5, 400]),
    (["act", 5, "raise", 4000, 3000], ["raise", 5, 4000, 3000]),
    (["act", 6, "check"], ["check", 6]),
    (["act", 6, "check", 2000], ["check", 6, 2000]),
    (["act", 6, "fold", 0, 0, "expired"], ["fold", 6, 0, 0, "expired"]),
    (["act", 6, "call", 9, 9, "own", 5], ["call", 6, 9, 9, "own", 5]),
    (["post", 3, "small_blind", 1000], ["small_blind", 3, 1000]),
    (["post", 0, "dead", 5, "more"], ["dead", 0, 5, "more"]),
    (["turn", 4, 9, NOON + 10, 1990], ["turn", 4, 9, NOON + 10]),
    (["turn", 4, 9, NOON, 2000], ["turn", 4, 9, NOON]),
    (["turn", 4, 9, NOON, 1000], ["turn", 4, 9, NOON, 1000]),
    (["turn", 4, 9, NOON, 2000, 1], ["turn", 4, 9, NOON, 2000, 1]),
    (["bank", 9, NOON + 999, 1001], ["bank", 9, NOON + 999]),
    (["bank", 9, NOON + 999, 2001], ["bank", 9, NOON + 999, 2001]),
    (["pause"], ["pause"]),
    (["board", 1, [46, 38, 30]], ["board", 1, [46, 38, 30]]),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_each_event_is_written_in_both_ways(first: list[Json], second: list[Json]) -> None:
    assert terse(first) == second
    assert plain(second) == first


def test_no_name_is_missing_and_none_is_a_tag() -> None:
    """A new action or post is no change of this schema: it needs one of its own."""
    assert set(Do) == ACTIONS
    assert set(Post) == POSTS
    others = {first[0] for first, _ in PAIRS} | {"start", "show", "muck", "pot", "end", "void"}
    assert not (ACTIONS | POSTS) & others


AMOUNTS = st.sampled_from((0, 1, 400, 2**53))


@given(
    seat=st.integers(0, 9),
    do=st.sampled_from(sorted(ACTIONS)),
    amounts=st.lists(AMOUNTS, max_size=2),
    more=st.sampled_from(([], ["expired"], ["own", 7])),
)
def test_an_action_comes_back_whatever_it_took(
    seat: int, do: str, amounts: list[int], more: list[Json]
) -> None:
    first = ["act", seat, do, *([*amounts, 0, 0][:2] if more else amounts), *more]
    while not more and first[-1] == 0 and len(first) > 3:
        del first[-1]
    assert plain(terse(first)) == first


@settings(max_examples=25, deadline=None, database=None)
@given(sessions())
def test_what_is_played_reads_alike_in_both(session: Session) -> None:
    events = tuple(session.events)
    second = json.loads(dump_events(events))
    first = json.loads(json.dumps([plain(event) for event in second]))
    assert [terse(event) for event in first] == second
    assert {tag for tag, *_ in first} & (ACTIONS | POSTS) == set()
    text = json.dumps(first, separators=(",", ":"))
    assert load_events(raised_events(text, 1)) == events
    assert len(dump_events(events)) <= len(text)
    back = STEPS[0].events_back
    assert back is not None
    assert back(second) == first


OF_THE_FIRST = [first for first, second in PAIRS if first[0] in ("act", "post")]
OF_THE_SECOND = [second for first, second in PAIRS if first[0] in ("act", "post")]


@pytest.mark.parametrize("event", OF_THE_FIRST)
def test_an_event_of_the_first_is_none_of_the_second(event: list[Json]) -> None:
    with pytest.raises(Damaged):
        load_events(json.dumps([event]))


@pytest.mark.parametrize(
    "event",
    [
        *OF_THE_SECOND,
        ["act", 1, "turn", 2, 3, 4],
        ["act", 1, ["call"], 2],
        ["act", 1],
        ["post", 1, "call", 2],
        ["turn", 1, 2, "noon", 3],
        ["turn", 1, 2, None, 3],
        [],
        7,
        None,
        {},
    ],
)  # fmt: skip
def test_what_is_no_event_of_the_first_is_damaged(event: Json) -> None:
    with pytest.raises(Damaged):
        raised_events(json.dumps([event]), 1)


@pytest.mark.parametrize("text", ["{}", '""', "7", "null", '{"a":1}', "[", ""])
def test_what_is_no_list_is_not_made_one(text: str) -> None:
    with pytest.raises(Damaged):
        raised_events(text, 1)


@pytest.mark.parametrize(
    "event",
    [
        ["call"],
        ["turn", 1, 2],
        ["turn", 1, 2, "noon"],
        ["turn", 1, 2, "%99999999999d"],
        ["turn", 1, 2, NOON + 0.5],
        ["bank", 1, None],
        ["bank", 1, "%99999999999d"],
        [["call"], 1],
        [],
    ],
)
def test_what_is_no_event_of_the_second_is_damaged(event: Json) -> None:
    with pytest.raises(Damaged):
        load_events(json.dumps([event]))
