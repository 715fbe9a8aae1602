"""Two releases of the code work on one table: what the later one adds, the older passes over. So it
is with the last release and this one, and with this one and the next.
"""

import dataclasses
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from cardroom.errands import Serve, load_errand
from cardroom.fanout import Parcel, load_parcel
from cardroom.limits import Limit, Limits
from cardroom.outbox import Outbox, load_outbox
from cardroom.pace import Pace
from cardroom.results import Results
from poker_engine.codec import dump_events, load_events
from poker_engine.events import Acted
from poker_engine.schema import WRITE_SCHEMA
from poker_engine.state import Cause, Do
from tests.simulation.faults import Faults
from tests.simulation.history import run
from tests.simulation.release import OURS, Release, following, previous, raising

DEPLOYED = next(seed for seed in count(8) if Faults(seed).strikes("release deployed"))
"""From a seed on whose history leaves much to both."""


@pytest.mark.slow
@pytest.mark.parametrize("other", [following, previous, raising])
def test_laws_hold_while_two_releases_take_turns(other: Callable[[], Release]) -> None:
    ended = run(DEPLOYED, 2.0, other=other)
    assert ended.fired["release deployed"] == 1
    assert ended.counts["by the other release"] > 50
    assert ended.violation is None


EXCHANGED: dict[str, Any] = {
    "outbox.Outbox": Outbox("t", 1, 2, 3, (Acted(0, Do.CALL, 200, 100, Cause.OWN),)),
    "fanout.Parcel": Parcel("t", 1, 2, 3, (0, 1), "{}"),
    "errands.Serve": Serve("nl-PHP-500-1000"),
    "pace.Pace": Pace(100, 300, 4000, 500, 6000),
    "results.Results": Results({"ana": (5, (("abcdefgh", 7),))}),
    "limits.Limits": Limits("ana", {"PHP": Limit(5, 6, 7)}, {"PHP": Limit(8)}, Limit(9), 10, 11),
}


def _dumped(release_name: str, name: str, value: Any) -> str:
    """By the release's own function or method, from what is the same there."""
    release = {"this": OURS, "next": following()}[release_name]
    module = release.module(f"cardroom.{name.partition('.')[0]}")
    match value:
        case Outbox():
            events = release.module("poker_engine.codec").load_events(dump_events(value.events))
            return str(module.dump_outbox(dataclasses.replace(value, events=events)))
        case Parcel():
            return str(module.dump_parcel(value))
        case Serve():
            return str(module.dump_errand(module.Serve(value.structure)))
        case _:
            return str(getattr(module, type(value).__name__).dump(value))


def _loaded(text: str, value: Any) -> Any:
    match value:
        case Outbox():
            return load_outbox("t", text, WRITE_SCHEMA)
        case Parcel():
            return load_parcel(text)
        case Serve():
            return load_errand(text)
        case Limits():
            return Limits.load(value.player, value.version, text)
        case _:
            return type(value).load(text)


@pytest.mark.parametrize("name", EXCHANGED)
def test_what_a_later_release_adds_to_a_text_is_passed_over(name: str) -> None:
    value = EXCHANGED[name]
    ours, theirs = _dumped("this", name, value), _dumped("next", name, value)
    assert ours != theirs, "next.patch adds nothing to it"
    assert _loaded(theirs, value) == _loaded(ours, value) == value


def test_what_a_later_release_adds_to_an_event_is_passed_over() -> None:
    acted = following().module("poker_engine.events").Acted
    state = following().module("poker_engine.state")
    later = acted(0, state.Do.CALL, 200, 100, state.Cause.OWN, 1_700_000_000_000)
    text = following().module("poker_engine.codec").dump_events((later,))
    assert "1700000000000" in text
    assert load_events(text) == (Acted(0, Do.CALL, 200, 100, Cause.OWN),)


def test_each_release_has_modules_of_its_own() -> None:
    for name in ("cardroom.store", "poker_engine.state", "command.app"):
        assert following().module(name) is not OURS.module(name)
    assert following().module("cardroom.store").Stored is not OURS.module("cardroom.store").Stored
