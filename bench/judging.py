"""What a room must keep through a fault, as judgements: of the hands that it struck, of the refunds
of void ones, and of every text that a client is sent.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from cardroom.stored import HandRecord
from poker_engine.state import Table

WITHIN_MS: Final = 90_000
"""From a fault until the hand that it struck is over, one way or the other."""
INSIDE: Final = ("Traceback (most", 'File "', "site-packages", ".py:", "stackTrace", "errorType")
"""Of a stack trace, or of Lambda's own word on an error: nothing that a client is to see."""
GATEWAY: Final = {"message", "connectionId", "requestId"}
"""All that API Gateway says where a function could not answer."""
INTERNAL: Final = "internal"
DECKLESS: Final = "out_of_order"
MOST: Final = 20


class Fate(StrEnum):
    """What became of a hand."""

    ENDED = "ended"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Struck:
    """A hand that ran when a fault came, at the moment `at` (ms)."""

    table: str
    hand: int
    at: int
    chips: tuple[tuple[str, int], ...] = ()
    """Of each player before the hand: what he has again where it is void (RULES 9)."""


@dataclass(frozen=True, slots=True)
class Judged:
    """`took` is from the fault to the hand's end (ms); `wrong` is empty where all is as it must be.
    None for a hand that never ended.
    """

    fate: Fate | None
    took: int
    wrong: tuple[str, ...] = ()


def judge(struck: Struck, record: HandRecord | None, after: Mapping[str, int]) -> Judged:
    """By the record of the hand, None where there is none yet, and by what each player has or left
    with after it; of a hand that was played to its end that says nothing here.
    """
    name = f"{struck.table} hand {struck.hand}"
    if record is None:
        return Judged(None, WITHIN_MS, (f"{name} did not end within {WITHIN_MS // 1000} s",))
    took = record.ended - struck.at
    wrong = []
    if took > WITHIN_MS:
        wrong.append(f"{name} took {took / 1000:.1f} s to end, more than {WITHIN_MS // 1000}")
    if record.voided:
        wrong += [f"{name} is void, but {other}" for other in not_refunded(struck, record, after)]
    return Judged(Fate.VOID if record.voided else Fate.ENDED, took, tuple(wrong))


def not_refunded(struck: Struck, record: HandRecord, after: Mapping[str, int]) -> Iterator[str]:
    """What is wrong with the refunds of a void hand; nothing where every chip is back."""
    if record.rake:
        yield f"{record.rake} of rake was taken"
    for player, chips in struck.chips:
        if after.get(player, 0) != chips:
            yield f"{player} had {chips} before it, and has {after.get(player, 0)}"


def chips_of(table: Table) -> tuple[tuple[str, int], ...]:
    """Of each player as he has them between two hands: while one runs, as before it."""
    return tuple((seat.player, seat.chips) for seat in table.seats if seat is not None)


@dataclass
class Ear:
    """Hears every text that one client is sent; to be its `record`."""

    texts: int = 0
    cut_off: int = 0
    """Answers of API Gateway itself, for a function that died over them."""
    codes: Counter[str] = field(default_factory=Counter)
    """What was refused, by code."""
    findings: list[str] = field(default_factory=list)

    def __call__(self, text: str) -> None:
        self.texts += 1
        if any(part in text for part in INSIDE):
            self._find(f"a client was sent the inside of an error: {text[:200]}")
        try:
            message: Any = json.loads(text)
        except ValueError:
            self._find(f"a client was sent no JSON: {text[:200]}")
            return
        if not isinstance(message, dict):
            self._find(f"a client was sent no message: {text[:200]}")
        elif "type" not in message:
            if set(message) == GATEWAY and message["message"] == "Internal server error":
                self.cut_off += 1
            else:
                self._find(f"a client was sent what is no part of the protocol: {text[:200]}")
        elif message["type"] == "error":
            self.codes[str(message.get("code"))] += 1

    def _find(self, finding: str) -> None:
        if len(self.findings) < MOST:
            self.findings.append(finding)


def of_texts(ears: Iterable[Ear], *, deckless: int) -> list[str]:
    """What was amiss in all texts. `deckless` is how many hands were made to lose their cards: who
    sits there may be told so.
    """
    ears = list(ears)
    found = [finding for ear in ears for finding in ear.findings]
    codes: Counter[str] = sum((ear.codes for ear in ears), Counter())
    if codes[INTERNAL]:
        found.append(f"{codes[INTERNAL]} requests were answered `{INTERNAL}`")
    if codes[DECKLESS] and not deckless:
        found.append(f"{codes[DECKLESS]} requests were answered `{DECKLESS}`")
    return found
