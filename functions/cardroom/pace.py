"""How a table plays: moving averages over its hands, for the lobby."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from cardroom.spans import HOUR_MS
from poker_engine.events import (
    Acted,
    BoardDealt,
    Event,
    HandEnded,
    HandStarted,
    PotWon,
    TurnBegan,
)
from poker_engine.state import Do, Street

WEIGHT = 8
"""A new value counts one in so many."""
LONGEST_GAP_MS = 300_000
"""Between hands; beyond, nobody was playing."""


@dataclass(frozen=True, slots=True)
class Pace:
    """None where nothing is known yet. Averages weigh a new value 1/8, in whole units."""

    pot: int | None = None
    """Minor units, before rake."""
    flop: int | None = None
    """Of those dealt in, per mille, who saw a flop."""
    gap_ms: int | None = None
    """From one hand's end to the next."""
    acting_ms: int | None = None
    """What an action took."""
    ended: int | None = None
    """When the last hand that counts ended."""

    @property
    def hands_hour(self) -> int | None:
        return None if not self.gap_ms else round(HOUR_MS / self.gap_ms)

    def dump(self) -> str:
        """JSON list: pot, flop, gap_ms, acting_ms, ended."""
        values = [self.pot, self.flop, self.gap_ms, self.acting_ms, self.ended]
        return json.dumps(values, separators=(",", ":"))

    @classmethod
    def load(cls, text: str) -> "Pace":
        """Raises ValueError if the text is not what `dump` writes."""
        pot, flop, gap_ms, acting_ms, ended, *_ = json.loads(text)
        return cls(pot, flop, gap_ms, acting_ms, ended)

    def after(self, hand: Iterable[Event], clock_ms: int) -> "Pace":
        """With a finished hand's events, of a table on which a turn lasts `clock_ms`."""
        seen = _seen(hand, clock_ms)
        gap = None if self.ended is None else seen.ended - self.ended
        if gap is not None and not 0 < gap <= LONGEST_GAP_MS:
            gap = None
        return Pace(
            pot=_average(self.pot, seen.pot),
            flop=_average(self.flop, seen.flop),
            gap_ms=_average(self.gap_ms, gap),
            acting_ms=_average(self.acting_ms, seen.acting_ms),
            ended=seen.ended,
        )


def _average(known: int | None, new: int | None) -> int | None:
    if known is None or new is None:
        return known if new is None else new
    return ((WEIGHT - 1) * known + new + WEIGHT // 2) // WEIGHT


@dataclass(slots=True)
class _Hand:
    """What counts of one hand."""

    pot: int = 0
    flop: int = 0
    acting_ms: int | None = None
    ended: int = 0


def _seen(events: Iterable[Event], clock_ms: int) -> _Hand:
    """An action took from when its turn began to the next thing that happened after it."""
    hand = _Hand()
    dealt = folded = 0
    turn: TurnBegan | None = None
    acted = False
    times: list[int] = []
    for event in events:
        at: int | None = None
        match event:
            case HandStarted():
                dealt = len(event.dealt)
            case TurnBegan():
                at = event.deadline - clock_ms
            case Acted():
                acted = acted or (turn is not None and event.seat == turn.seat)
                folded += event.do is Do.FOLD
            case BoardDealt(street=Street.FLOP) if dealt:
                hand.flop = 1000 * (dealt - folded) // dealt
            case PotWon():
                hand.pot += event.amount
            case HandEnded():
                at = hand.ended = event.at
            case _:
                pass
        if at is None:
            continue
        if acted and turn is not None:
            times.append(max(0, at - (turn.deadline - clock_ms)))
        turn, acted = (event, False) if isinstance(event, TurnBegan) else (None, False)
    if times:
        hand.acting_ms = round(sum(times) / len(times))
    return hand
