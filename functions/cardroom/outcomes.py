"""What a hand that is over left a player: won or lost, and the rake that he bore of it."""

from collections.abc import Iterable, Sequence

from cardroom.soundness import hand_of
from cardroom.stored import HandRecord
from poker_engine.events import Acted, Event, HandStarted, Posted, PotWon, Returned
from poker_engine.frozen import dataclass
from poker_engine.replay import replay


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of a player in one hand, in minor units: `net` is after rake, less than 0 where he lost;
    `rake` is his part of that of the pots that he won.
    """

    net: int
    rake: int


def outcome(record: HandRecord, player: str) -> Outcome | None:
    """None where he was not dealt in, and of a void hand, which counts nowhere.

    Raises one of damage.UNREADABLE.
    """
    # Names have no sign that JSON would write otherwise; most hands are told apart by this.
    named = f'"{player}"'
    if record.voided or (named not in record.opening and named not in record.events):
        return None
    if not record.opening:
        raise ValueError("its record does not say how it began")
    opening, events = hand_of(record)
    start = next((at for at, one in enumerate(events) if isinstance(one, HandStarted)), None)
    if start is None:
        raise ValueError("its record does not say that it began")
    table, started = replay(events[:start], opening), events[start]
    assert isinstance(started, HandStarted)
    for seat in started.dealt:
        occupant = table.seats[seat]
        if occupant is not None and occupant.player == player:
            return outcome_of(events, seat)
    return None


def outcome_of(events: Sequence[Event], seat: int) -> Outcome:
    """Of a seat that was dealt in."""
    rake = sum(borne(one).get(seat, 0) for one in events if isinstance(one, PotWon))
    return Outcome(net(events, seat), rake)


def borne(pot: PotWon) -> dict[int, int]:
    """The rake of a pot by the seats that won it: each his part, the first what is left over."""
    each, rest = divmod(pot.rake, len(pot.shares))
    return {seat: each + (rest if place == 0 else 0) for place, (seat, _) in enumerate(pot.shares)}


def net(events: Iterable[Event], seat: int) -> int:
    """What a hand that was not void left him more than he had; less than 0 where he lost."""
    found = 0
    for event in events:
        match event:
            case Posted(seat=at, amount=amount) if at == seat:
                found -= amount
            case Acted(seat=at, paid=paid) if at == seat:
                found -= paid
            case Returned(seat=at, amount=amount) if at == seat:
                found += amount
            case PotWon(shares=shares):
                found += sum(chips for winner, chips in shares if winner == seat)
            case _:
                pass
    return found
