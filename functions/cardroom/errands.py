"""What the floor is asked to do, as messages of its queue.

Any of them may come twice, late, or not at all: each is a reason to look, never news in itself.
"""

import json
import re

from cardroom.ports import Queue
from poker_engine.frozen import dataclass

LONGEST_STRUCTURE = 64
_STRUCTURE = re.compile(r"[a-z]{2}-[A-Z]{3}-[0-9]+-[0-9]+")


@dataclass(frozen=True, slots=True)
class Tick:
    """Tell the lobby's watchers how things stand, once in this slot of time (lobby.SLOT_MS)."""

    slot: int


@dataclass(frozen=True, slots=True)
class Serve:
    """Look after the tables and the waiting list of a stake."""

    structure: str


type Errand = Tick | Serve


def dump_errand(errand: Errand) -> str:
    match errand:
        case Tick(slot=slot):
            fields = {"do": "tick", "slot": slot}
        case Serve(structure=structure):
            fields = {"do": "stake", "structure": structure}
    return json.dumps(fields, separators=(",", ":"))


def load_errand(text: str) -> Errand:
    """Raises ValueError if the text is not what `dump_errand` writes."""
    match json.loads(text):
        case {"do": "tick", "slot": int(slot)} if not isinstance(slot, bool):
            if slot >= 0:
                return Tick(slot)
        case {"do": "stake", "structure": str(structure)}:
            if len(structure) <= LONGEST_STRUCTURE and _STRUCTURE.fullmatch(structure):
                return Serve(structure)
    raise ValueError("not an errand of the floor")


def ask(floor: Queue, errand: Errand, *, delay_ms: int = 0) -> None:
    """Send the errand, to be done once `delay_ms` have passed (the queue counts whole seconds)."""
    floor.send(dump_errand(errand), delay=-(-max(delay_ms, 0) // 1000))
