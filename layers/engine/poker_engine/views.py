"""The only producer of what leaves the room about a table.

A view depends on nothing that its recipient may not see: the deck is opened for the recipient's
own hole cards alone, everything else comes out of the public state (RULES 7).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, Final

from poker_engine import events as happened
from poker_engine.cards import text
from poker_engine.chips import pot_total
from poker_engine.events import Event
from poker_engine.evolve import changed, evolve
from poker_engine.legal import options
from poker_engine.pots import layers
from poker_engine.showdown import hole_cards
from poker_engine.stakes import Settings
from poker_engine.state import Hand, Seat, Street, Table

type View = dict[str, Any]

HOLE_CARDS: Final = 2
_CARDS: Final = frozenset({"cards", "board"})
_HIDDEN: Final = frozenset({"deck", "expires", "rules"})
"""The moment of enforcement would show the grace."""
_AFTERWARDS: Final = (happened.Shown, happened.Mucked)
"""What belongs to a hand that is over."""


def snapshot(
    table: Table,
    seat: int | None,
    deck: Sequence[int] | None,
    now: int,
    log: Iterable[Event] = (),
) -> View:
    """The whole table as `seat` may see it; None is a spectator. `now` in milliseconds.

    A seat that was dealt in (`needs_deck`) sees its cards, where there is a deck; `log` are the
    hand's events so far.
    """
    view: View = {
        "settings": settings(table.settings),
        "button": table.button,
        "hands": table.hands,
        "next_hand_at": table.next_hand_at,
        "closing": table.closing,
        "frozen": table.frozen,
        "seats": [_seat(table, number, seat) for number in range(len(table.seats))],
        "hand": _hand(table) if table.hand is not None else None,
        "turn": turn(table),
        # What a seat was told alone is not for who takes it after the hand.
        "log": _events(log, seat if table.running is not None else None),
    }
    if deck is not None and needs_deck(table, seat):
        view["hole"] = _hole(table, seat, deck)
    return {"seq": table.seq, "now": now, "state": view}


def push(
    table: Table,
    events: Iterable[Event],
    seat: int | None,
    deck: Sequence[int] | None,
    before: int,
    now: int,
) -> View:
    """What one write means to `seat`: the `table` it left, its events, the `seq` `before` it."""
    events = tuple(events)
    view: View = {
        "seq": table.seq,
        "before": before,
        "now": now,
        "events": _events(events, seat),
        "turn": turn(table),
        "pots": _pots(table.hand) if table.hand is not None else [],
    }
    occupant = None if seat is None else table.seats[seat]
    if seat is not None and occupant is not None:
        # Whole each time: what concerns one seat alone is not counted, so a lost push is no gap.
        view["own"] = _own(table, occupant, seat)
    began = any(isinstance(event, happened.HandStarted) for event in events)
    if began and needs_deck(table, seat):
        view["hole"] = _hole(table, seat, deck)
    return view


def needs_deck(table: Table, seat: int | None) -> bool:
    """Whether a view for this seat shows hole cards of its own."""
    hand = table.hand
    if seat is None or hand is None or seat not in hand.dealt:
        return False
    occupant = table.seats[seat]
    # Who took the seat after the deal sees nothing of his predecessor's.
    return occupant is not None and occupant.standing.played


def turn(table: Table) -> View | None:
    """Whose turn it is, with all that his controls need (RULES 8)."""
    may = options(table)
    hand = table.hand
    if may is None or hand is None or hand.turn is None:
        return None
    return {
        "hand": hand.number,
        "number": hand.turn.number,
        "seat": may.seat,
        "deadline": hand.turn.deadline,
        "price": may.price,
        "to_call": may.to_call,
        "call_to": may.call_to,
        "check": may.check,
        "verb": may.verb,
        "min_to": may.min_to,
        "max_to": may.max_to,
        "step": may.step,
    }


def settings(table: Settings) -> View:
    """Stakes and settings of a table, but for the grace, which is never shown (RULES 4.5)."""
    stakes = table.stakes
    return {
        "game": stakes.game,
        "currency": stakes.currency,
        "small_blind": stakes.small_blind,
        "big_blind": stakes.big_blind,
        "small_bet": stakes.small_bet,
        "big_bet": stakes.big_bet,
        "ante": stakes.ante,
        "ante_by": stakes.ante_by,
        "rake": stakes.rake,
        "seats": table.seats,
        "minimum": table.minimum,
        "maximum": table.maximum,
        "clock_ms": table.clock_ms,
        "pause_ms": table.pause_ms,
        "time_bank_ms": table.time_bank_ms,
        "delay_s": table.delay_s,
    }


def _hole(table: Table, seat: int | None, deck: Sequence[int] | None) -> list[str]:
    if table.hand is None or seat is None or deck is None:
        raise ValueError("the deck is needed for a seat that was dealt in")
    return [text(card) for card in hole_cards(table.hand, deck, seat)]


def _seat(table: Table, number: int, viewer: int | None) -> View | None:
    seat = table.seats[number]
    if seat is None:
        return None
    hand = table.hand
    dealt = hand is not None and number in hand.dealt and seat.standing.played
    running = dealt and hand is not None and not hand.over
    still_in = dealt and hand is not None and bool(hand.live >> number & 1)
    view: View = {
        "seat": number,
        "player": seat.player,
        "stack": hand.behind[number] if running and hand is not None else seat.stack,
        "topup": seat.topup,
        "status": seat.standing.status,
        "exit": seat.exit,
        "bet": hand.bets[number] if running and hand is not None else 0,
        "in_hand": still_in,
        "folded": dealt and not still_in,
        "all_in": running and hand is not None and still_in and not hand.behind[number],
    }
    if table.settings.time_bank_ms:
        view["bank"] = seat.standing.bank
    if number == viewer:
        view |= _own(table, seat, number)
    return view


def _own(table: Table, seat: Seat, number: int) -> View:
    """What only its player is told of a seat."""
    return {
        "plan": seat.plan,
        "pre": _prepared(table.hand, number),
        "refill": seat.refill,
        "owes": {"small": seat.standing.owes_small, "big": seat.standing.owes_big},
    }


def _prepared(hand: Hand | None, seat: int) -> View | None:
    """The seat's pre-action, which ends with the hand at the latest (RULES 10.3)."""
    pre = () if hand is None else hand.pre
    return next(({"do": do, "price": price} for number, do, price in pre if number == seat), None)


def _hand(table: Table) -> View:
    hand = table.hand
    if hand is None:
        raise ValueError("there is no hand")
    return {
        "number": hand.number,
        "button": hand.button,
        "small_blind": hand.small_blind,
        "big_blind": hand.big_blind,
        "street": Street(hand.street).name.lower(),
        "board": [text(card) for card in hand.board],
        "pot": pot_total(hand),
        "pots": _pots(hand),
        "shown": [
            {"seat": seat, "cards": [text(card) for card in cards]} for seat, cards in hand.shown
        ],
        "over": hand.over,
        "voided": hand.voided,
    }


def _pots(hand: Hand) -> list[View]:
    if hand.pots:
        return [
            {
                "amount": pot.amount,
                "rake": pot.rake,
                "seats": list(pot.contenders),
                "shares": [list(share) for share in pot.shares],
            }
            for pot in hand.pots
        ]
    if hand.over:
        return []
    return [{"amount": pot.amount, "seats": list(pot.contenders)} for pot in layers(hand)]


def _events(events: Iterable[Event], viewer: int | None) -> list[View]:
    """What `viewer` is told: of what concerns one seat alone only his own, since he sat down."""
    told: list[Event] = []
    for event in events:
        if isinstance(event, happened.Seated) and event.seat == viewer:
            told = [one for one in told if type(one) not in happened.PRIVATE]
        if type(event) not in happened.PRIVATE or getattr(event, "seat", None) == viewer:
            told.append(event)
    return [event_view(event) for event in told]


def event_view(event: Event) -> View:
    """An event as clients get it: its name under `e`, its fields, cards as text."""
    view: View = {"e": _NAMES[type(event)]}
    for name in _FIELDS[type(event)]:
        value = getattr(event, name)
        if name in _CARDS:
            value = [text(card) for card in value]
        elif isinstance(value, Street):
            value = value.name.lower()
        elif isinstance(value, Settings):
            value = settings(value)
        elif isinstance(value, tuple):
            value = [list(item) if isinstance(item, tuple) else item for item in value]
        elif isinstance(value, Enum):
            value = value.value
        view[name] = value
    return view


@dataclass(frozen=True, slots=True)
class Sight:
    """Whose eyes a finished hand is told for: a player's, by name, those of support, who see
    everything, or everybody's.
    """

    player: str | None = None
    everything: bool = False


EVERYTHING: Final = Sight(everything=True)
PUBLIC: Final = Sight()


def cards_seen(
    dealt: Sequence[int],
    events: Iterable[Event],
    deck: Sequence[int],
    seat: int | None,
    *,
    everything: bool = False,
) -> dict[int, tuple[int, ...]]:
    """Hole cards of a finished hand by seat, where both are known to whoever sat in `seat` (None:
    to everybody): his own, and what was turned up; or all of them.

    `dealt` are the seats in dealing order. Of a hand without a deck only what was turned up.
    """
    seen: dict[int, tuple[int, ...]] = {}
    for event in events:
        if isinstance(event, happened.Shown):
            known = seen.get(event.seat, ())
            seen[event.seat] = known + tuple(card for card in event.cards if card not in known)
    for place, number in enumerate(dealt):
        if deck and (everything or number == seat):
            seen[number] = (deck[place], deck[len(dealt) + place])
    return {number: cards for number, cards in seen.items() if len(cards) == HOLE_CARDS}


def course(opening: Table, events: Iterable[Event], deck: Sequence[int], seat: int | None) -> View:
    """A finished hand, step by step, as whoever sat in `seat` may see it; None is a spectator.

    `opening` is the table before its first event. A step is an event, with the pots where it left
    them other than they were; what became of seats when it was over is no part of it. `hole` are
    the seat's cards, where it was dealt in and the deck is known.
    """
    table, pots, steps = opening, list[View](), list[View]()
    dealt: tuple[int, ...] = ()
    for event in events:
        over = bool(steps) and table.running is None
        table = evolve(table, event)
        if isinstance(event, happened.HandStarted):
            dealt = event.dealt
        if type(event) in happened.PRIVATE or (over and not isinstance(event, _AFTERWARDS)):
            continue
        step: View = {"event": event_view(event)}
        after = _pots(table.hand) if table.hand is not None else []
        if after != pots:
            step["pots"] = pots = after
        steps.append(step)
    # Without the hand before it.
    state = snapshot(changed(opening, hand=None), None, None, 0)["state"]
    view: View = {"state": state, "steps": steps}
    if deck and seat in dealt:
        place = dealt.index(seat)
        view["hole"] = [text(deck[place]), text(deck[len(dealt) + place])]
    return view


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


_KINDS: Final = tuple(Event.__value__.__args__)
_NAMES: Final = {kind: _snake(kind.__name__) for kind in _KINDS}
_FIELDS: Final = {
    kind: tuple(field.name for field in fields(kind) if field.name not in _HIDDEN)
    for kind in _KINDS
}
