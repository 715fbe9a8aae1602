"""Decks that are said beforehand, for the next hand at a table of the local room.

`cardroom deck` writes a file for a table, in a folder of this room's own. The emulator lets each
function's process load this module by its path, which then looks there before a hand is dealt.
What is deployed holds none of it: no function imports it, and it is never built.

Imported by the emulator and by the functions' processes: only the standard library at import, and
the room's own code where a hand is dealt.
"""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

DECKS: Final = "CARDROOM_DECKS"
"""Names the folder, in the environment of the emulator and of what it runs."""
ROOT: Final = Path(__file__).parents[1]
AFTER: Final = "mod = importlib.import_module(module_name)\n"
"""Of the worker's text: here all code of the function is loaded, and nothing has been invoked."""
LOAD: Final = (
    'if os.environ.get("CARDROOM_DECKS"): __import__("runpy").run_path({path!r})["install"]()\n'
)


@dataclass(frozen=True, slots=True)
class Script:
    """Cards by their texts: of seats, and of the board, as far as they are said. `hand` is the one
    that has them, once a hand has been dealt from it.
    """

    holes: dict[str, list[str]]
    board: list[str]
    hand: int | None = None

    def dump(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Script:
        return cls(**json.loads(text))


def folder(port: int, root: Path = ROOT) -> Path:
    """Where the room on this port has its scripts."""
    return root / ".build" / "decks" / str(port)


def write(place: Path, table: str, script: Script) -> None:
    """For the next hand at the table, instead of what was said before. At once, or not at all."""
    place.mkdir(parents=True, exist_ok=True)
    draft = place / f".{table}.{os.getpid()}"
    draft.write_text(script.dump(), encoding="utf-8")
    draft.replace(place / table)


def forget(place: Path, table: str) -> bool:
    """Whether there was one."""
    try:
        (place / table).unlink()
    except FileNotFoundError:
        return False
    return True


def stack(
    dealt: Sequence[int],
    holes: Mapping[int, Sequence[int]],
    board: Sequence[int],
    shuffled: Sequence[int],
) -> tuple[int, ...]:
    """All cards of `shuffled`, in an order that deals these to seats and board, the rest as it lies
    there. `dealt` are seats in the order of dealing: one card each, twice, then the board.
    """
    wanted: list[int | None] = [holes[seat][turn] if seat in holes else None
                                for turn in (0, 1) for seat in dealt]  # fmt: skip
    wanted += board
    named = {card for card in wanted if card is not None}
    spare = iter([card for card in shuffled if card not in named])
    return (*(next(spare) if card is None else card for card in wanted), *spare)


def worker(text: str) -> str:
    """The text of the emulator's worker, with this module in it. Raises ValueError where it is
    another than expected.
    """
    found = [line for line in text.splitlines(keepends=True) if line.endswith(AFTER)]
    if len(found) != 1:
        raise ValueError("the emulator's worker is another than local/scripted.py expects")
    indent = found[0][: len(found[0]) - len(AFTER)]
    return text.replace(found[0], found[0] + indent + LOAD.format(path=__file__))


def install() -> None:
    """In a function's process, where that function deals: hands come from scripts, if there are."""
    module = sys.modules.get("cardroom.dealer")
    if module is not None:
        dealer: Any = module.Dealer
        dealer._start = _scripted(dealer._start, Path(os.environ[DECKS]))


class _Laid:
    """The port `Randomness` for one hand: a deck that is laid out, a draw that is known."""

    def __init__(self, chance: Any, deck: tuple[int, ...], draw: int) -> None:
        self._deck, self._draw = deck, draw
        self.token = chance.token

    def deck(self) -> tuple[int, ...]:
        return self._deck

    def below(self, limit: int) -> int:
        return self._draw


def _scripted(start: Any, place: Path) -> Any:
    """`start` is the dealer's own way to begin a hand."""

    @functools.wraps(start)
    def scripted(self: Any, table_id: str, table: Any, now: int) -> Any:
        script = _due(place, table_id, table.hands + 1)
        if script is None:
            return start(self, table_id, table, now)
        chance = self._randomness
        self._randomness = _laid_out(script, table, now, chance)
        try:
            return start(self, table_id, table, now)
        finally:
            self._randomness = chance

    return scripted


def _due(place: Path, table_id: str, hand: int) -> Script | None:
    """The table's script, if it is for this hand. A hand may be dealt more than once, by several
    processes, before one of them is the first to write it: all deal the same.
    """
    try:
        script = Script.load((place / table_id).read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError):
        return None
    if script.hand is None:
        script = Script(script.holes, script.board, hand)
        write(place, table_id, script)
    elif script.hand != hand:
        with suppress(OSError):
            (place / table_id).unlink()
        return None
    return script


def _laid_out(script: Script, table: Any, now: int, chance: Any) -> _Laid:
    from cardroom.dealer import DRAWS
    from poker_engine.cards import card
    from poker_engine.commands import Start
    from poker_engine.decide import advance
    from poker_engine.errors import Rejected
    from poker_engine.events import HandStarted

    shuffled, draw = chance.deck(), chance.below(DRAWS)
    step = advance(table, Start("tried", draw), now, shuffled)
    events = () if isinstance(step, Rejected) else step.events
    dealt = next((event.dealt for event in events if isinstance(event, HandStarted)), ())
    holes = {int(seat): [card(text) for text in cards] for seat, cards in script.holes.items()}
    return _Laid(chance, stack(dealt, holes, [card(text) for text in script.board], shuffled), draw)
