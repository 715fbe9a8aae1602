"""The floor's errands: as messages, and what becomes of a batch of them."""

import json
from dataclasses import dataclass, field

import pytest

from cardroom.errands import Errand, Serve, Tick, ask, dump_errand, load_errand
from cardroom.floor import Floor
from tests.room.world import FakeQueue, ListSignals

STAKE = "nl-PHP-500-1000"


@dataclass
class Work:
    """What the floor has done, in order; slots and structures that are `bad` fail."""

    done: list[int | str] = field(default_factory=list)
    bad: tuple[int | str, ...] = ()

    def tick(self, slot: int, errand: str) -> None:
        self._do(slot)

    def serve(self, structure: str) -> None:
        self._do(structure)

    def _do(self, what: int | str) -> None:
        self.done.append(what)
        if what in self.bad:
            raise ConnectionError


def _floor(work: Work) -> tuple[Floor, ListSignals]:
    signals = ListSignals()
    return Floor(work, work, signals), signals


@pytest.mark.parametrize("errand", [Tick(0), Tick(566_666_667), Serve(STAKE)])
def test_an_errand_is_kept_as_text(errand: Errand) -> None:
    assert load_errand(dump_errand(errand)) == errand


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "null",
        "[]",
        "{}",
        '{"do":"tick"}',
        '{"do":"tick","slot":"1"}',
        '{"do":"tick","slot":1.0}',
        '{"do":"tick","slot":true}',
        '{"do":"tick","slot":-1}',
        '{"do":"stake"}',
        '{"do":"stake","structure":7}',
        '{"do":"stake","structure":""}',
        '{"do":"stake","structure":"nl-PHP-500-1000\\n"}',
        '{"do":"stake","structure":"nl-PHP-500"}',
        '{"do":"stake","structure":"nl-PHP-500-1000#x"}',
        '{"do":"stake","structure":"nl-PHP-' + "5" * 60 + '-1000"}',
        '{"do":"dance","slot":1}',
        "[" * 20_000 + "]" * 20_000,
    ],
)
def test_a_damaged_errand_is_told_and_passed_over(text: str) -> None:
    with pytest.raises((ValueError, RecursionError)):
        load_errand(text)
    work = Work()
    floor, signals = _floor(work)
    assert floor.deliver([("a", text), ("b", dump_errand(Serve(STAKE)))]) == []
    assert work.done == [STAKE]
    assert signals.counts == {"ErrandDamaged": 1}


def test_ticks_are_first_and_a_stake_is_served_once() -> None:
    work = Work()
    floor, _ = _floor(work)
    errands: list[Errand] = [Serve(STAKE), Serve("fl-USD-100-200"), Tick(7), Serve(STAKE), Tick(8)]
    batch = [(str(number), dump_errand(errand)) for number, errand in enumerate(errands)]
    assert floor.deliver(batch) == []
    assert work.done == [7, 8, STAKE, "fl-USD-100-200"]


def test_what_fails_comes_again_and_spoils_nothing_else() -> None:
    work = Work(bad=(7, STAKE))
    floor, signals = _floor(work)
    errands: list[Errand] = [Serve(STAKE), Serve("fl-USD-100-200"), Tick(7), Serve(STAKE), Tick(8)]
    batch = [(f"m{number}", dump_errand(errand)) for number, errand in enumerate(errands)]
    assert floor.deliver(batch) == ["m2", "m0", "m3"]
    assert work.done == [7, 8, STAKE, "fl-USD-100-200"]
    assert signals.counts == {"FloorFailed": 2}


@pytest.mark.parametrize(
    ("ms", "seconds"), [(-5, 0), (0, 0), (1, 1), (1000, 1), (1001, 2), (30_000, 30)]
)
def test_an_errand_is_never_received_early(ms: int, seconds: int) -> None:
    queue = FakeQueue()
    ask(queue, Tick(3), delay_ms=ms)
    assert (json.loads(queue.bodies[0]), queue.delays) == ({"do": "tick", "slot": 3}, [seconds])
