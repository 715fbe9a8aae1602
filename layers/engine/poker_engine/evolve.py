"""What an event changes.

`evolve` never refuses and never decides: it is the meaning of the record.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from poker_engine.events import (
    PRIVATE,
    Acted,
    BankClosed,
    BankOpened,
    BoardDealt,
    Closed,
    Closing,
    Event,
    Frozen,
    Going,
    HandEnded,
    HandScheduled,
    HandStarted,
    HandVoided,
    Mucked,
    Opened,
    Paused,
    Planned,
    Posted,
    PotWon,
    Prepared,
    RefillSet,
    Returned,
    SatIn,
    SatOut,
    Seated,
    SeatEmptied,
    Shown,
    Thawed,
    ToppedUp,
    TopUpPlayed,
    TurnBegan,
)
from poker_engine.stakes import Ante, Game, Settings, Stakes
from poker_engine.state import (
    Absent,
    Cause,
    Do,
    Exit,
    Hand,
    Post,
    Pot,
    PreDo,
    Seat,
    Standing,
    Status,
    Street,
    Table,
    Turn,
)

type Fields = dict[str, Any]
"""Those fields of a table, or of its hand, that an event changes."""

FIXED_LIMIT_BETS = 4
"""One bet and three raises (RULES 3.4)."""
BANKED_MS = 1_000
"""What each hand adds to a time bank (RULES 10.4)."""


def open_table(settings: Settings) -> Table:
    """An empty table; the same as evolving `Opened`."""
    return Table(settings=settings, seats=(None,) * settings.seats, seq=1)


def evolve(table: Table, event: Event) -> Table:
    """The table after the event; `seq` counts it, unless it is for one seat alone."""
    after = draft(table)
    apply(after, event)
    return after


def draft(table: Table) -> Table:
    """A copy of table and hand for `apply`; nobody else may hold it before the last event."""
    if table.hand is None:
        return changed(table)
    return changed(table, hand=changed(table.hand))


def apply(drafted: Table, event: Event) -> None:
    """`evolve` in place: one copy serves all events of a decision."""
    of_table, of_hand, public = _CHANGES[type(event)]
    fields = None if of_table is None else of_table(drafted, event)
    if of_hand is not None:
        hand = drafted.hand
        if hand is None:
            raise ValueError("there is no hand to change")
        hand_state = hand.__dict__
        hand_state |= of_hand(drafted, hand, event)
    table_state = drafted.__dict__
    if fields:
        table_state |= fields
    if public:
        table_state["seq"] += 1


def changed[Record: (Table, Hand, Seat, Standing)](record: Record, **fields: Any) -> Record:
    """`dataclasses.replace` for the records that change as a hand goes on, six times as fast."""
    copy = _new(type(record))
    _set(copy, "__dict__", record.__dict__ | fields)
    return copy


_new = object.__new__
_set = object.__setattr__


def put[Item](items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """The tuple with one item replaced."""
    several = list(items)
    several[index] = item
    return tuple(several)


def bet_size(stakes: Stakes, street: Street) -> int:
    """Fixed-limit: the bet of this street (RULES 3.4)."""
    return stakes.small_bet if street <= Street.FLOP else stakes.big_bet


def _hand(table: Table) -> Hand:
    if table.hand is None:
        raise ValueError("there is no hand to change")
    return table.hand


def _seat(table: Table, number: int) -> Seat:
    seat = table.seats[number]
    if seat is None:
        raise ValueError(f"nobody sits in seat {number}")
    return seat


def _with_seat(table: Table, number: int, **fields: Any) -> Fields:
    return {"seats": put(table.seats, number, changed(_seat(table, number), **fields))}


def _opened(table: Table, event: Opened) -> Fields:
    raise ValueError("a table is opened once")


def _seated(table: Table, event: Seated) -> Fields:
    known = next((one for one in table.absent if one.player == event.player), None)
    standing = Standing(
        status=Status.POSTING if event.posting else Status.WAITING,
        owes_small=event.owes_small,
        owes_big=True,
        big_blind_hand=known.big_blind_hand if known is not None else 0,
        owes_until=known.until if known is not None and event.owes_small else 0,
        bank=table.settings.time_bank_ms,
    )
    hand = table.hand
    if hand is not None:
        hand = changed(hand, before=put(hand.before, event.seat, None))
    return {
        "seats": put(table.seats, event.seat, Seat(event.player, event.chips, standing)),
        "hand": hand,
        "absent": tuple(one for one in table.absent if one.player != event.player),
    }


def _topped_up(table: Table, event: ToppedUp) -> Fields:
    topup = _seat(table, event.seat).topup + event.chips
    return _with_seat(table, event.seat, topup=topup)


def _top_up_played(table: Table, event: TopUpPlayed) -> Fields:
    seat = _seat(table, event.seat)
    return _with_seat(
        table, event.seat, stack=seat.stack + event.chips, topup=seat.topup - event.chips
    )


def _sat_out(table: Table, event: SatOut) -> Fields:
    standing = changed(_seat(table, event.seat).standing, status=Status.OUT)
    return _with_seat(table, event.seat, standing=standing, plan=None, out_since=event.at)


def _sat_in(table: Table, event: SatIn) -> Fields:
    standing = changed(_seat(table, event.seat).standing, status=event.status)
    return _with_seat(table, event.seat, standing=standing, out_since=None)


def _planned(table: Table, event: Planned) -> Fields:
    return _with_seat(table, event.seat, plan=event.plan)


def _refill_set(table: Table, event: RefillSet) -> Fields:
    return _with_seat(table, event.seat, refill=event.to)


def _going(table: Table, event: Going) -> Fields:
    fields = _with_seat(table, event.seat, exit=event.exit)
    hand = table.hand
    if hand is not None and hand.pre:
        fields["hand"] = changed(hand, pre=_pre_without(hand, event.seat))
    return fields


def _seat_emptied(table: Table, event: SeatEmptied) -> Fields:
    standing = _seat(table, event.seat).standing
    until = standing.owes_until if standing.owes_small and event.exit is not Exit.CLOSED else 0
    absent = (*table.absent, Absent(event.player, until, standing.big_blind_hand))
    hand = table.hand
    if hand is not None and hand.over:
        gone = ~(1 << event.seat)
        hand = changed(hand, live=hand.live & gone, mucked=hand.mucked & gone)
    return {
        "seats": put(table.seats, event.seat, None),
        "absent": _worth_keeping(absent, event.at, len(table.seats)),
        "hand": hand,
    }


def _worth_keeping(absent: tuple[Absent, ...], now: int, seats: int) -> tuple[Absent, ...]:
    """Debts that hold at `now`, and of the last big blinds as many as there are seats."""
    latest = sorted((one.big_blind_hand for one in absent), reverse=True)[:seats]
    least = max(1, latest[-1]) if len(latest) == seats else 1
    return tuple(one for one in absent if one.until > now or one.big_blind_hand >= least)


def _without_debts(absent: tuple[Absent, ...]) -> tuple[Absent, ...]:
    return tuple(replace(one, until=0) for one in absent if one.big_blind_hand)


def _hand_scheduled(table: Table, event: HandScheduled) -> Fields:
    return {
        "next_hand_at": event.at,
    }


def _lapsed(seat: Seat) -> Seat:
    """The seat without debts; a newcomer who sits out still has to come in by a blind."""
    old = seat.standing
    owes_big = old.owes_big and old.status is Status.OUT and not old.played
    if not old.owes_small and old.owes_big == owes_big:
        return seat
    return changed(seat, standing=changed(old, owes_small=False, owes_big=owes_big, owes_until=0))


def _paused(table: Table, event: Paused) -> Fields:
    return {
        "seats": tuple(_lapsed(seat) if seat is not None else None for seat in table.seats),
        "fresh": True,
        "next_hand_at": None,
        "absent": _without_debts(table.absent),
    }


_DEALT_IN: Final = Standing(Status.ACTIVE, played=True)
"""What all have in common who are dealt in: they owe no more."""


def _dealt_in(seat: Seat, number: int, event: HandStarted, settings: Settings) -> Seat:
    """A seat as its hand begins."""
    old = seat.standing
    standing = changed(
        _DEALT_IN,
        big_blind_hand=event.number if number == event.big_blind else old.big_blind_hand,
        expired=old.expired,
        bank=min(old.bank + BANKED_MS, settings.time_bank_ms),
    )
    return changed(seat, standing=standing)


def _left_out(seat: Seat, number: int, event: HandStarted, settings: Settings) -> Seat:
    """A seat as a hand begins without it: passed by a blind it owes that."""
    if event.fresh:
        return _lapsed(seat)
    missed_small, missed_big = number in event.missed_small, number in event.missed_big
    if not (missed_small or missed_big):
        return seat
    old = seat.standing
    standing = changed(
        old,
        owes_small=old.owes_small or missed_small,
        owes_big=old.owes_big or missed_big,
        passes=old.passes + (missed_big and old.status is Status.OUT),
        owes_until=event.at + settings.debt_ms if missed_small else old.owes_until,
    )
    return changed(seat, standing=standing)


def _hand_started(table: Table, event: HandStarted) -> Fields:
    settings, stakes = table.settings, table.settings.stakes
    seats = list(table.seats)
    behind = [0] * len(seats)
    for number, seat in enumerate(table.seats):
        if seat is None:
            continue
        if number in event.dealt:
            behind[number] = seat.stack
            seats[number] = _dealt_in(seat, number, event, settings)
        else:
            seats[number] = _left_out(seat, number, event, settings)
    nothing = (0,) * len(seats)
    hand = Hand(
        number=event.number,
        deck=event.deck,
        started=event.at,
        button=event.button,
        small_blind=event.small_blind,
        big_blind=event.big_blind,
        dealt=event.dealt,
        before=tuple(seat.standing if seat is not None else None for seat in table.seats),
        positions_before=(table.button, table.small_blind, table.big_blind, table.fresh),
        behind=tuple(behind),
        bets=nothing,
        totals=nothing,
        live=sum(1 << number for number in event.dealt),
        price=stakes.big_blind,
        full=stakes.big_blind,
        raises=1,
        fresh=event.fresh,
        rules=event.rules,
    )
    return {
        "seats": tuple(seats),
        "hand": hand,
        "hands": event.number,
        "button": event.button,
        "small_blind": event.small_blind,
        "big_blind": event.big_blind,
        "fresh": False,
        "next_hand_at": None,
    }


def _posted(table: Table, hand: Hand, event: Posted) -> Fields:
    seat, amount = event.seat, event.amount
    fields: Fields = {"behind": put(hand.behind, seat, hand.behind[seat] - amount)}
    ante_for_all = event.post is Post.ANTE and table.settings.stakes.ante_by is Ante.BIG_BLIND
    if event.post is Post.DEAD or ante_for_all:
        fields["dead"] = hand.dead + amount
    else:
        fields["totals"] = put(hand.totals, seat, hand.totals[seat] + amount)
        if event.post is not Post.ANTE:
            bet = hand.bets[seat] + amount
            fields["bets"] = put(hand.bets, seat, bet)
            fields["price"] = max(hand.price, bet)
    return fields


def _turn_began(table: Table, hand: Hand, event: TurnBegan) -> Fields:
    turn = Turn(event.number, event.seat, event.deadline, event.expires)
    return {"turn": turn, "turns": event.number}


def _bank_opened(table: Table, hand: Hand, event: BankOpened) -> Fields:
    turn = Turn(hand.turns, event.seat, event.deadline, event.expires, banked=True)
    return {"turn": turn}


def _bank_closed(table: Table, event: BankClosed) -> Fields:
    standing = changed(_seat(table, event.seat).standing, bank=event.left)
    return _with_seat(table, event.seat, standing=standing)


def _prepared(table: Table, hand: Hand, event: Prepared) -> Fields:
    pre = _pre_without(hand, event.seat)
    return {"pre": pre if event.do is None else (*pre, (event.seat, event.do, event.price))}


def _pre_without(hand: Hand, seat: int) -> tuple[tuple[int, PreDo, int], ...]:
    return tuple(one for one in hand.pre if one[0] != seat)


def _acted(table: Table, hand: Hand, event: Acted) -> Fields:
    seat, do, cause = event.seat, event.do, event.cause
    bit = 1 << seat
    fields: Fields = {"acted": hand.acted | bit, "turn": None}
    if do is Do.FOLD:
        fields["live"] = hand.live & ~bit
    elif do is not Do.CHECK:
        paid = event.paid
        fields["bets"] = put(hand.bets, seat, event.to)
        fields["totals"] = put(hand.totals, seat, hand.totals[seat] + paid)
        fields["behind"] = put(hand.behind, seat, hand.behind[seat] - paid)
        if hand.street is Street.PREFLOP and cause is Cause.OWN:
            fields["voluntary"] = True
        if do is not Do.CALL:
            fields["price"] = event.to
            fields["aggressor"] = seat
            fields |= _raised(table.settings, hand, event.to)
    if hand.pre:
        # At another price none of them holds.
        raised = do is Do.BET or do is Do.RAISE
        fields["pre"] = () if raised else _pre_without(hand, seat)
    if cause is Cause.OWN:
        fields["own"] = hand.own | bit
    elif cause is Cause.EXPIRED:
        fields["timed"] = hand.timed | bit
    return fields


def _counted(table: Table, event: Acted) -> Fields:
    """The seat's betting rounds that count towards removal (RULES 4.2)."""
    standing = _seat(table, event.seat).standing
    if event.cause is Cause.OWN:
        expired = 0
    elif event.cause is Cause.EXPIRED:
        hand = _hand(table)
        counts = not (hand.own | hand.timed) >> event.seat & 1
        expired = standing.expired + counts
    else:
        return {}
    if expired == standing.expired:
        return {}
    return _with_seat(table, event.seat, standing=changed(standing, expired=expired))


def _raised(settings: Settings, hand: Hand, to: int) -> Fields:
    """What a bet or raise does to the next one: RULES 3.3 in no-limit, 3.4 in fixed-limit."""
    if settings.stakes.game is Game.NO_LIMIT:
        return {"full": max(hand.full, to - hand.price)}
    if 2 * (to - hand.full) < bet_size(settings.stakes, hand.street):
        return {}
    raises = hand.raises + 1
    heads_up = hand.live.bit_count() == 2
    capped = raises >= FIXED_LIMIT_BETS and not (settings.uncapped_heads_up and heads_up)
    return {"full": to, "raises": raises, "capped": capped}


def _board_dealt(table: Table, hand: Hand, event: BoardDealt) -> Fields:
    stakes = table.settings.stakes
    return {
        "street": event.street,
        "board": hand.board + event.cards,
        "bets": (0,) * len(hand.bets),
        "acted": 0,
        "own": 0,
        "timed": 0,
        "price": 0,
        "full": stakes.big_blind if stakes.game is Game.NO_LIMIT else 0,
        "raises": 0,
        "capped": False,
        "aggressor": None,
        "turn": None,
        "pre": (),
    }


def _returned(table: Table, hand: Hand, event: Returned) -> Fields:
    seat, amount = event.seat, event.amount
    return {
        "totals": put(hand.totals, seat, hand.totals[seat] - amount),
        "behind": put(hand.behind, seat, hand.behind[seat] + amount),
        "bets": put(hand.bets, seat, max(0, hand.bets[seat] - amount)),
    }


def _shown(table: Table, hand: Hand, event: Shown) -> Fields:
    shown = dict(hand.shown)
    known = shown.get(event.seat, ())
    shown[event.seat] = known + tuple(card for card in event.cards if card not in known)
    return {"shown": tuple(shown.items())}


def _mucked(table: Table, hand: Hand, event: Mucked) -> Fields:
    return {"mucked": hand.mucked | 1 << event.seat}


def _pot_won(table: Table, hand: Hand, event: PotWon) -> Fields:
    behind = hand.behind
    for seat, chips in event.shares:
        behind = put(behind, seat, behind[seat] + chips)
    pot = Pot(event.amount, event.rake, event.contenders, event.shares)
    # Settled from the last pot to the main (RULES 5.2), kept from the main on.
    return {"behind": behind, "pots": (pot, *hand.pots)}


def _hand_ended(table: Table, event: HandEnded) -> Fields:
    hand = _hand(table)
    seats = list(table.seats)
    for number in hand.dealt:
        seat = seats[number]
        if seat is None:
            continue
        if seat.stack != hand.behind[number]:
            seat = changed(seat, stack=hand.behind[number])
        seats[number] = _sits_out_from(seat, event.at)
    return {
        "seats": tuple(seats),
        "absent": _without_debts(table.absent) if hand.fresh else table.absent,
    }


def _sits_out_from(seat: Seat, at: int) -> Seat:
    """Who asked to sit out in the hand does so from the next one: his time runs from its end."""
    return seat if seat.standing.status is not Status.OUT else changed(seat, out_since=at)


def _hand_voided(table: Table, event: HandVoided) -> Fields:
    hand = _hand(table)
    seats = list(table.seats)
    for number, before in enumerate(hand.before):
        seat = seats[number]
        if seat is None or before is None:
            continue
        dealt = number in hand.dealt
        status = _status_after_void(before, seat.standing.status, dealt)
        seat = changed(seat, standing=changed(before, status=status))
        seats[number] = _sits_out_from(seat, event.at) if dealt else seat
    button, small_blind, big_blind, fresh = hand.positions_before
    return {
        "seats": tuple(seats),
        "button": button,
        "small_blind": small_blind,
        "big_blind": big_blind,
        "fresh": fresh,
    }


def _status_after_void(before: Standing, now: Status, dealt: bool) -> Status:
    """Sitting out or coming back is the player's own choice and stands; all else is as before."""
    if now is Status.OUT:
        return now
    if dealt and before.status is not Status.OUT:
        return before.status
    if not (before.owes_small or before.owes_big):
        return Status.ACTIVE
    return Status.WAITING if now is Status.ACTIVE else now


def _closing(table: Table, event: Closing) -> Fields:
    return {
        "closing": True,
        "next_hand_at": None,
    }


def _closed(table: Table, event: Closed) -> Fields:
    return {
        "closed": True,
        "next_hand_at": None,
    }


def _frozen(table: Table, event: Frozen) -> Fields:
    return {
        "frozen": True,
        "next_hand_at": None,
    }


def _thawed(table: Table, event: Thawed) -> Fields:
    return {
        "frozen": False,
        "seats": tuple(
            None if seat is None else _sits_out_from(seat, event.at) for seat in table.seats
        ),
    }


def _over(table: Table, hand: Hand, event: HandEnded | HandVoided) -> Fields:
    return {"over": True, "voided": isinstance(event, HandVoided), "turn": None, "pre": ()}


type OfTable = Callable[[Table, Any], Fields]
type OfHand = Callable[[Table, Hand, Any], Fields]

_MEANINGS: dict[type, tuple[OfTable | None, OfHand | None]] = {
    Opened: (_opened, None),
    Seated: (_seated, None),
    ToppedUp: (_topped_up, None),
    TopUpPlayed: (_top_up_played, None),
    SatOut: (_sat_out, None),
    SatIn: (_sat_in, None),
    Planned: (_planned, None),
    Going: (_going, None),
    SeatEmptied: (_seat_emptied, None),
    HandScheduled: (_hand_scheduled, None),
    Paused: (_paused, None),
    HandStarted: (_hand_started, None),
    Posted: (None, _posted),
    TurnBegan: (None, _turn_began),
    Acted: (_counted, _acted),
    BoardDealt: (None, _board_dealt),
    Returned: (None, _returned),
    Shown: (None, _shown),
    Mucked: (None, _mucked),
    PotWon: (None, _pot_won),
    HandEnded: (_hand_ended, _over),
    HandVoided: (_hand_voided, _over),
    Closing: (_closing, None),
    Closed: (_closed, None),
    RefillSet: (_refill_set, None),
    Frozen: (_frozen, None),
    Thawed: (_thawed, None),
    Prepared: (None, _prepared),
    BankOpened: (None, _bank_opened),
    BankClosed: (_bank_closed, None),
}
"""What each event changes in the table, and what in its hand; both as they were before it."""

_CHANGES = {kind: (*both, kind not in PRIVATE) for kind, both in _MEANINGS.items()}
"""The same, and whether `seq` counts it: not what is its seat's alone to know."""
