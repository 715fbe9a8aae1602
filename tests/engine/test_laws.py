"""Laws of the engine: what holds for every table, whatever is asked of it (Hypothesis).

Sessions are random play of all games, stakes and antes with 2 to 10 seats, short stacks, comings
and goings, refused commands, faults and a clock that runs out.
"""

import json
from dataclasses import fields
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from poker_engine import codec, views
from poker_engine.cards import text
from poker_engine.chips import chips_on_table
from poker_engine.clock import Due, due
from poker_engine.commands import Act, Expire, PreAct
from poker_engine.decide import Advance, advance, decide
from poker_engine.errors import Code, Rejected
from poker_engine.evaluator import evaluate
from poker_engine.events import (
    PRIVATE,
    Acted,
    BankClosed,
    BankOpened,
    BoardDealt,
    HandEnded,
    HandStarted,
    HandVoided,
    Mucked,
    PotWon,
    Prepared,
    Returned,
    Seated,
    SeatEmptied,
    Shown,
    ToppedUp,
    TurnBegan,
)
from poker_engine.evolve import evolve, open_table
from poker_engine.legal import options, to_call
from poker_engine.rake import SCHEDULES
from poker_engine.replay import replay
from poker_engine.state import Cause, Do, Exit, Hand, PreDo, Seat, Standing, Status, Street, Table
from poker_engine.terse import plain, terse
from tests.engine.literal_rules import Reading, best_of, pots
from tests.engine.strategies import Session, Step, act, played, running, seeded, sessions

law = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)

PRIVATE_NAMES = ("planned", "refill_set", "prepared")

TURNS = 400
"""No session's hand needs more turns than this: what betting cannot do, time does."""


# --- chips ---------------------------------------------------------------------------------------


@law
@given(sessions())
def test_chips_are_conserved_after_every_event(session: Session) -> None:
    table = open_table(session.settings)
    brought = 0
    raked = 0
    for event in session.events[1:]:
        table = evolve(table, event)
        match event:
            case Seated() | ToppedUp():
                brought += event.chips
            case SeatEmptied():
                brought -= event.chips
            case PotWon():
                raked += event.rake
            case HandEnded():
                brought -= raked
                raked = 0
            case _:
                pass
        assert chips_on_table(table) == brought
        hand = table.running
        if hand is None:
            continue
        paid = sum(pot.amount for pot in hand.pots)
        in_the_middle = sum(hand.totals) + hand.dead - paid
        before = sum(seat.stack for seat in table.seats if seat and seat.standing.played)
        dealt = sum(_stack(table, number) for number in hand.dealt)
        assert sum(hand.behind) + in_the_middle + raked == dealt <= before
        assert min((*hand.behind, *hand.bets, *hand.totals, hand.dead)) >= 0


def _stack(table: Table, number: int) -> int:
    seat = table.seats[number]
    assert seat is not None
    return seat.stack


# --- the record ----------------------------------------------------------------------------------


@law
@given(sessions())
def test_the_record_gives_the_table_back(session: Session) -> None:
    assert replay(session.events) == session.table
    public = [event for event in session.events if type(event) not in PRIVATE]
    assert session.table.seq == len(public)


@law
@given(sessions())
def test_evolving_what_decide_says_is_what_advance_gives(session: Session) -> None:
    for step in session.steps:
        said = decide(step.before, step.command, step.now, step.deck)
        if isinstance(step.outcome, Rejected):
            assert said == step.outcome
        else:
            assert said == step.outcome.events
            assert replay(step.outcome.events, step.before) == step.outcome.table


@law
@given(sessions())
def test_deciding_is_pure(session: Session) -> None:
    for step in session.steps:
        before = codec.dump_table(step.before)
        again = advance(step.before, step.command, step.now, step.deck)
        assert again == step.outcome
        assert codec.dump_table(step.before) == before
        if isinstance(again, Rejected):
            assert step.table is step.before


@law
@given(sessions())
def test_without_the_deck_a_command_is_decided_alike_or_the_deck_is_asked_for(
    session: Session,
) -> None:
    for step in session.steps:
        blind = advance(step.before, step.command, step.now, None)
        if isinstance(blind, Rejected) and blind.code is Code.DECK_NEEDED:
            assert any(isinstance(event, BoardDealt | Shown | PotWon) for event in step.events)
        else:
            assert blind == step.outcome


# --- codec ---------------------------------------------------------------------------------------


@law
@given(sessions())
def test_the_codec_gives_tables_and_events_back(session: Session) -> None:
    for step in session.steps:
        assert codec.load_table(codec.dump_table(step.table)) == step.table
        assert codec.load_events(codec.dump_events(step.events)) == step.events
    events = tuple(session.events)
    assert codec.load_events(codec.dump_events(events)) == events


@law
@given(sessions(150))
def test_the_codec_passes_over_fields_that_a_later_version_appended(session: Session) -> None:
    for step in session.steps:
        table = json.loads(codec.dump_table(step.table))
        for seat in table[1]:
            if seat is not None:
                seat[2] = _later(seat[2], Standing)
                seat[:] = _later(seat, Seat)
        if len(table) > 4 and table[4] is not None:
            table[4] = _later(table[4], Hand)
        assert codec.load_table(json.dumps(_later(table, Table))) == step.table
        for event in step.events:
            (written,) = json.loads(codec.dump_events([event]))
            whole = plain(written)
            if len(whole) == 1 + len(fields(event)):
                later = json.dumps([terse([*whole, "new", None])])
                assert codec.load_events(later) == (event,)


def _later(values: list[object], kind: type) -> list[object]:
    """The record as a later version would write it: all its fields, then new ones."""
    defaults = [field.default for field in fields(kind)][len(values) :]
    return [*values, *defaults, {"new": ["field"]}, 7]


# --- betting -------------------------------------------------------------------------------------


@law
@given(sessions())
@pytest.mark.rule("3.2", "3.3", "3.4", "3.5", "3.8")
def test_what_is_offered_is_accepted_and_all_else_is_refused_with_its_code(
    session: Session,
) -> None:
    for step in session.steps:
        # A time bank may have run out as well, before anybody noticed that the turn's time had.
        if step.table.running is not None and due(step.table, step.now) is not Due.EXPIRE:
            _every_action(step, session)


def _every_action(step: Step, session: Session) -> None:
    table, hand = step.table, step.table.hand
    may = options(table)
    assert may is not None
    assert hand is not None
    assert hand.turn is not None
    deck = session.decks[hand.deck]
    seat, bet = may.seat, hand.bets[may.seat]

    def answers(command: Act, now: int = step.now) -> Code | Acted:
        outcome = advance(table, command, now, deck)
        if isinstance(outcome, Rejected):
            return outcome.code
        first = next(one for one in outcome.events if not isinstance(one, BankClosed))
        assert isinstance(first, Acted)
        return first

    def accepted(do: Do, to: int) -> Acted:
        return Acted(seat, do, to, to - bet, Cause.OWN)

    def asks(do: Do, to: int = 0) -> Code | Acted:
        return answers(act(table, seat, do, to))

    assert asks(Do.FOLD) == accepted(Do.FOLD, bet)
    assert asks(Do.CHECK) == (accepted(Do.CHECK, bet) if may.check else Code.CANNOT_CHECK)
    call = Code.NOTHING_TO_CALL if may.check else accepted(Do.CALL, may.call_to)
    assert asks(Do.CALL) == call
    assert asks(Do.CALL, 1) == call
    cannot = {Do.BET: Code.CANNOT_BET, Do.RAISE: Code.CANNOT_RAISE}
    other = Do.BET if may.verb is Do.RAISE else Do.RAISE
    if may.min_to is None or may.max_to is None:
        for verb, code in cannot.items():
            for to in (0, may.price, may.price + 1, may.price + may.step, bet + hand.behind[seat]):
                assert asks(verb, to) == code
    else:
        assert may.price < may.min_to <= may.max_to <= bet + hand.behind[seat]
        for to in {may.min_to, (may.min_to + may.max_to) // 2, may.max_to}:
            assert asks(may.verb, to) == accepted(may.verb, to)
            assert asks(other, to) == cannot[other]
        for to in (-1, 0, may.min_to - 1):
            assert asks(may.verb, to) == Code.AMOUNT_TOO_SMALL
        for to in (may.max_to + 1, 10**12):
            assert asks(may.verb, to) == Code.AMOUNT_TOO_LARGE
    player = act(table, seat, Do.FOLD).player
    number, turn = hand.number, hand.turn.number
    for stale in (
        Act(player, number, turn - 1, Do.FOLD),
        Act(player, number, turn + 1, Do.FOLD),
        Act(player, number - 1, turn, Do.FOLD),
    ):
        assert answers(stale) == Code.STALE_TURN
    assert answers(act(table, seat, Do.FOLD), hand.turn.expires) == Code.STALE_TURN
    assert answers(Act("nobody", number, turn, Do.FOLD)) == Code.NOT_SEATED
    for number_, occupant in enumerate(table.seats):
        if occupant is not None and number_ != seat:
            code = Code.NOT_YOUR_TURN if occupant.exit is None else Code.LEAVING
            assert answers(Act(occupant.player, number, turn, Do.FOLD)) == code


@law
@given(sessions())
@pytest.mark.rule("3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.9", "5.2")
def test_turns_options_and_pots_are_those_of_the_rules_read_word_by_word(session: Session) -> None:
    reading: Reading | None = None
    table = open_table(session.settings)
    for event in session.events[1:]:
        stacks = {n: seat.stack for n, seat in enumerate(table.seats) if seat is not None}
        table = evolve(table, event)
        if isinstance(event, HandStarted):
            reading = Reading.of(session.settings, stacks, event)
        elif isinstance(event, HandEnded | HandVoided):
            reading = None
        if reading is None:
            continue
        match event:
            case TurnBegan():
                _turn_is_by_the_rules(reading, table)
            case Acted():
                assert reading.turn() == event.seat
                if event.cause in (Cause.LEAVING, Cause.REMOVED):
                    assert event.do is (Do.FOLD if reading.to_call(event.seat) else Do.CHECK)
            case BoardDealt():
                assert reading.turn() is None
                assert len(reading.still_in()) > 1
            case Returned():
                totals = sorted(player.total for player in reading.players.values())
                assert reading.players[event.seat].total == totals[-1]
                assert event.amount == totals[-1] - totals[-2]
            case PotWon():
                assert reading.turn() is None
                amount, contenders = pots(reading)[event.pot]
                assert (event.amount, set(event.contenders)) == (amount, contenders)
                assert sum(chips for _, chips in event.shares) == amount - event.rake
            case _:
                pass
        reading.follow(event)


def _turn_is_by_the_rules(reading: Reading, table: Table) -> None:
    may = options(table)
    assert may is not None
    assert reading.turn() == may.seat
    assert may.to_call == reading.to_call(may.seat)
    assert may.call_to == reading.players[may.seat].bet + may.to_call
    allowed = reading.raises_to(may.seat)
    assert (may.min_to, may.max_to) == (allowed if allowed is not None else (None, None))


@law
@given(sessions())
@pytest.mark.rule("3.1")
def test_a_turn_is_followed_by_its_seats_action_and_turns_are_numbered(session: Session) -> None:
    for events in session.hands():
        number = 0
        waiting: int | None = None
        prepared: dict[int, PreDo] = {}
        over = False
        for event in events:
            match event:
                case Prepared(seat, None):
                    prepared.pop(seat, None)
                case Prepared(seat, do) if do is not None:
                    prepared[seat] = do
                case Acted(seat=seat, cause=Cause.OWN) if waiting is None:
                    # In place of a turn (RULES 10.3).
                    prepared.pop(seat)
                case TurnBegan():
                    assert not over
                    assert waiting is None
                    number += 1
                    assert event.number == number
                    assert event.deadline < event.expires
                    waiting = event.seat
                    assert waiting not in prepared
                case Acted(cause=Cause.OWN | Cause.EXPIRED):
                    assert event.seat == waiting
                    waiting = None
                case Acted(cause=Cause.LEAVING | Cause.REMOVED):
                    assert waiting in (None, event.seat)
                    waiting = None
                case BankOpened() | BankClosed():
                    assert event.seat == waiting
                case BoardDealt() | PotWon() | Shown() | HandEnded():
                    assert waiting is None
                    over = over or isinstance(event, HandEnded)
                case HandVoided():
                    over = True
                case _:
                    pass
            if isinstance(event, BoardDealt) or (
                isinstance(event, Acted) and event.do in (Do.BET, Do.RAISE)
            ):
                prepared = {}
        assert over


@law
@given(sessions())
@pytest.mark.rule("1.1")
def test_a_hand_begins_with_two_players_at_least_and_all_of_them_have_chips(
    session: Session,
) -> None:
    for step in session.steps:
        for event in step.events:
            if isinstance(event, HandStarted):
                assert len(event.dealt) >= 2
                assert len(set(event.dealt)) == len(event.dealt)
                assert event.big_blind in event.dealt
                assert all(_stack(step.before, seat) > 0 for seat in event.dealt)


@law
@given(sessions())
def test_every_hand_ends_by_time_alone(session: Session) -> None:
    # `finish` stopped because no hand runs; and no hand took turns without end.
    assert session.table.running is None
    for events in session.hands():
        assert sum(isinstance(event, TurnBegan) for event in events) < TURNS
        assert sum(isinstance(event, HandEnded | HandVoided) for event in events) == 1


@law
@given(sessions(120), st.integers(0, 40))
def test_a_hand_ends_in_two_time_outs_a_seat_and_street_wherever_everybody_stops(
    session: Session, at: int
) -> None:
    table = session.steps[min(at, len(session.steps) - 1)].table
    hand = table.running
    if hand is None:
        return
    deck = session.decks[hand.deck]
    banks = 2 if session.settings.time_bank_ms else 1
    for _ in range(banks * 2 * 4 * len(hand.dealt)):
        now = table.running
        if now is None:
            return
        assert now.turn is not None
        outcome = advance(table, Expire(), now.turn.expires, deck)
        assert isinstance(outcome, Advance)
        table = outcome.table
    assert table.running is None


# --- cards ---------------------------------------------------------------------------------------


@law
@given(sessions())
@pytest.mark.rule("5.4", "7")
def test_no_event_holds_a_card_that_was_not_dealt_to_the_board_or_shown(session: Session) -> None:
    for step, hand in running(session):
        deck = session.decks[hand.deck]
        count = len(hand.dealt)
        for event in step.events:
            match event:
                case BoardDealt():
                    first = 2 * count + (0 if event.street is Street.FLOP else 2 + event.street)
                    first -= 0 if event.street is Street.FLOP else 1
                    assert event.cards == deck[first : first + len(event.cards)]
                    assert len(event.cards) == (3 if event.street is Street.FLOP else 1)
                case Shown():
                    place = hand.dealt.index(event.seat)
                    assert set(event.cards) <= {deck[place], deck[count + place]}
                case _:
                    assert not hasattr(event, "cards")
        assert hand.board == deck[2 * count : 2 * count + len(hand.board)]


@law
@given(sessions())
@pytest.mark.rule("5.4")
def test_only_who_is_still_in_shows_and_without_a_showdown_only_who_asks_to(
    session: Session,
) -> None:
    for step, hand in running(session):
        shown = [event for event in step.events if isinstance(event, Shown)]
        if not shown or step.before.running is None:
            continue
        still_in = {seat for seat in hand.dealt if seat not in _folded(session, hand)}
        mucked = {event.seat for event in step.events if isinstance(event, Mucked)}
        assert {event.seat for event in shown} | mucked == still_in
        assert len(still_in) > 1
        assert all(len(event.cards) == 2 for event in shown)


def _folded(session: Session, hand: Hand) -> set[int]:
    (events,) = [
        events
        for events in session.hands()
        if isinstance(events[0], HandStarted) and events[0].number == hand.number
    ]
    return {event.seat for event in events if isinstance(event, Acted) and event.do is Do.FOLD}


@law
@given(sessions())
@pytest.mark.rule("5.1", "5.2", "5.3", "6.1", "6.2")
def test_each_pot_goes_to_the_best_hand_of_its_contenders_and_bears_its_rake(
    session: Session,
) -> None:
    stakes = session.settings.stakes
    for step, hand in running(session):
        won = [event for event in step.events if isinstance(event, PotWon)]
        if not won:
            continue
        deck = session.decks[hand.deck]
        values = {
            seat: evaluate((deck[place], deck[len(hand.dealt) + place], *hand.board))
            for place, seat in enumerate(hand.dealt)
            if len(hand.board) == 5
        }
        for event in won:
            winners = {seat for seat, _ in event.shares}
            if len(event.contenders) > 1:
                assert winners == best_of(values, event.contenders)
            else:
                assert winners == set(event.contenders)
            paid = [chips for _, chips in event.shares]
            share = (event.amount - event.rake) // len(paid)
            assert paid[1:] == [share] * (len(paid) - 1)
            order = [(seat - hand.button - 1) % len(hand.bets) for seat, _ in event.shares]
            assert order == sorted(order)
        total = sum(event.amount for event in won)
        due = SCHEDULES[stakes.rake].of(total, stakes.big_blind) if hand.voluntary else 0
        assert sum(event.rake for event in won) == due


@settings(law, max_examples=40)
@given(sessions(200), st.integers(0, 2**32 - 1))
@pytest.mark.rule("7")
def test_what_a_recipient_gets_does_not_depend_on_cards_that_he_may_not_see(
    session: Session, seed: int
) -> None:
    random = Random(seed)
    for step, hand in running(session):
        deck = session.decks[hand.deck]
        for viewer in (None, *range(session.settings.seats)):
            other = _with_hidden_cards_permuted(step, hand, deck, viewer, random)
            if viewer is None:
                # To the public the same command has the same effect with the other deck ...
                assert advance(step.before, step.command, step.now, other) == step.outcome
            # ... and what anybody is sent is the same to the byte.
            assert _sent(step, viewer, deck) == _sent(step, viewer, other)


def _with_hidden_cards_permuted(
    step: Step, hand: Hand, deck: tuple[int, ...], viewer: int | None, random: Random
) -> tuple[int, ...]:
    """Another deck with the same board, shown cards and cards of the viewer's.

    A mucked hand stays too: that it loses is public.
    """
    count = len(hand.dealt)
    known = {event.seat for event in step.events if isinstance(event, Mucked)} | {viewer}
    seen = set(hand.board)
    for _, cards in hand.shown:
        seen |= set(cards)
    for place, seat in enumerate(hand.dealt):
        if seat in known:
            seen |= {deck[place], deck[count + place]}
    hidden = [place for place, card in enumerate(deck) if card not in seen]
    cards_ = [deck[place] for place in hidden]
    random.shuffle(cards_)
    changed = list(deck)
    for place, card in zip(hidden, cards_, strict=True):
        changed[place] = card
    return tuple(changed)


@law
@given(sessions(200))
@pytest.mark.rule("7")
def test_hole_cards_go_to_the_player_who_was_dealt_them_and_to_nobody_after_him_in_his_seat(
    session: Session,
) -> None:
    dealt: dict[int, str] = {}
    for step, hand in running(session):
        if any(isinstance(event, HandStarted) for event in step.events):
            dealt = {seat: _player(step.table, seat) for seat in hand.dealt}
        for seat, occupant in enumerate(step.table.seats):
            if occupant is not None and views.needs_deck(step.table, seat):
                assert dealt[seat] == occupant.player


def _player(table: Table, number: int) -> str:
    seat = table.seats[number]
    assert seat is not None
    return seat.player


@law
@given(sessions(200))
@pytest.mark.rule("7")
def test_what_a_player_plans_prepares_and_owes_reaches_him_alone(session: Session) -> None:
    for step, hand in running(session):
        for viewer in (None, *hand.dealt):
            sent = views.snapshot(step.table, viewer, session.decks[hand.deck], step.now)
            for seat in sent["state"]["seats"]:
                if seat is not None:
                    own = {"plan", "pre", "refill", "owes"}
                    assert own & set(seat) == (own if seat["seat"] == viewer else set())
            push = views.push(step.table, step.events, viewer, session.decks[hand.deck], 0, 0)
            assert all(
                event["seat"] == viewer for event in push["events"] if event["e"] in PRIVATE_NAMES
            )


def _sent(step: Step, viewer: int | None, deck: tuple[int, ...]) -> str:
    return json.dumps(
        [
            views.snapshot(step.table, viewer, deck, step.now, step.events),
            views.push(step.table, step.events, viewer, deck, step.before.seq, step.now),
        ]
    )


@law
@given(sessions(200))
@pytest.mark.rule("7")
def test_a_spectator_gets_no_deck_at_all_and_a_view_needs_it_only_for_ones_own_cards(
    session: Session,
) -> None:
    for step, hand in running(session):
        deck = session.decks[hand.deck]
        for viewer in (None, *range(session.settings.seats)):
            sent = _sent(step, viewer, deck)
            assert hand.deck not in sent
            assert "expires" not in sent
            assert "grace" not in sent
            if views.needs_deck(step.table, viewer):
                assert viewer is not None
                place = hand.dealt.index(viewer)
                own = [text(deck[place]), text(deck[len(hand.dealt) + place])]
                assert json.dumps({"hole": own})[1:-1] in sent
            else:
                assert '"hole"' not in sent
                snapshot = views.snapshot(step.table, viewer, None, step.now, step.events)
                assert json.dumps(snapshot) in sent


# --- pre-actions and time banks ------------------------------------------------------------------


@law
@given(sessions())
@pytest.mark.rule("10.3")
def test_a_pre_action_acts_at_the_price_it_was_given_for_and_as_it_says(session: Session) -> None:
    table = open_table(session.settings)
    for event in session.events[1:]:
        before, table = table, evolve(table, event)
        hand = before.running
        if hand is None or not isinstance(event, Acted):
            continue
        pre = {seat: (do, price) for seat, do, price in hand.pre}
        if hand.turn is not None or event.cause is not Cause.OWN:
            continue
        do, price = pre[event.seat]
        owed = to_call(hand, event.seat)
        assert price == hand.price
        assert (event.do, event.paid) == {
            PreDo.FOLD: (Do.FOLD, 0),
            PreDo.CALL: (Do.CALL, owed),
            PreDo.CHECK_FOLD: (Do.FOLD if owed else Do.CHECK, 0),
        }[do]


@law
@given(sessions())
@pytest.mark.rule("10.3")
def test_pre_actions_are_of_seats_that_may_come_to_act_at_this_price(session: Session) -> None:
    for step in session.steps:
        hand = step.table.hand
        if isinstance(step.command, PreAct) and step.command.do is not None and step.events:
            assert hand is not None
            assert step.command.price == hand.price
        if hand is None or not hand.pre:
            continue
        assert hand.turn is not None
        seats = [seat for seat, _, _ in hand.pre]
        assert len(set(seats)) == len(seats)
        assert hand.turn.seat not in seats
        for seat, _, price in hand.pre:
            assert price == hand.price
            assert hand.live >> seat & 1
            assert hand.behind[seat] > 0
            occupant = step.table.seats[seat]
            assert occupant is not None
            assert occupant.exit is None


@law
@given(sessions(200))
@pytest.mark.rule("10.3", "7")
def test_what_others_are_sent_does_not_depend_on_what_a_seat_has_prepared(
    session: Session,
) -> None:
    for step, hand in running(session):
        if not hand.pre:
            continue
        deck, secret = session.decks[hand.deck], hand.pre[0][0]
        bare = evolve(step.table, Prepared(secret, None, 0))
        events = [
            one for one in step.events if not (isinstance(one, Prepared) and one.seat == secret)
        ]
        for viewer in (None, *range(session.settings.seats)):
            sent = [
                [
                    views.snapshot(table, viewer, deck, step.now, happened),
                    views.push(table, happened, viewer, deck, step.before.seq, step.now),
                ]
                for table, happened in ((step.table, step.events), (bare, events))
            ]
            assert (sent[0] == sent[1]) == (viewer != secret)


@law
@given(sessions())
@pytest.mark.rule("10.4")
def test_no_turn_expires_before_its_bank_is_used_up_and_deadlines_only_grow(
    session: Session,
) -> None:
    most = session.settings.time_bank_ms
    for step in session.steps:
        table = step.before
        for event in step.events:
            hand = table.hand
            match event:
                case BankOpened():
                    assert hand is not None
                    assert hand.turn is not None
                    assert not hand.turn.banked
                    bank = _bank(table, event.seat)
                    assert step.now >= hand.turn.expires
                    assert event.deadline == hand.turn.deadline + bank > step.now + 1_000
                    assert event.expires > event.deadline
                    assert event.expires > hand.turn.expires
                case BankClosed():
                    assert 0 <= event.left <= _bank(table, event.seat)
                case Acted(cause=Cause.EXPIRED) if most:
                    assert hand is not None
                    assert hand.turn is not None
                    assert step.now >= hand.turn.expires > hand.turn.deadline
                    bank = _bank(table, event.seat)
                    if hand.turn.banked:
                        assert bank == 0
                    else:
                        assert step.now >= hand.turn.deadline + bank - 1_000
                case _:
                    pass
            table = evolve(table, event)
    if not most:
        assert not any(isinstance(one, BankOpened | BankClosed) for one in session.events)


@law
@given(sessions())
@pytest.mark.rule("10.4")
def test_a_bank_holds_what_the_table_allows_and_its_views_say_so(session: Session) -> None:
    most = session.settings.time_bank_ms
    for step in session.steps:
        seats = views.snapshot(step.table, None, None, step.now)["state"]["seats"]
        for number, occupant in enumerate(step.table.seats):
            if occupant is not None:
                assert 0 <= occupant.standing.bank <= most
                assert seats[number].get("bank") == (occupant.standing.bank if most else None)


def _bank(table: Table, number: int) -> int:
    seat = table.seats[number]
    assert seat is not None
    return seat.standing.bank


# --- automatic top-ups, freezing -----------------------------------------------------------------


@law
@given(sessions())
@pytest.mark.rule("1.5", "10.1")
def test_who_has_nothing_and_does_not_sit_out_buys_for_the_next_hand(session: Session) -> None:
    for step in session.steps:
        hand = step.table.running
        for number, seat in enumerate(step.table.seats):
            if seat is None or seat.stack or seat.exit is not None:
                continue
            assert hand is None or number not in hand.dealt
            assert seat.refill or seat.standing.status is Status.OUT


@law
@given(sessions())
@pytest.mark.rule("10.2")
def test_at_a_frozen_table_no_hand_is_due_and_no_seat_is_taken_or_given_up(
    session: Session,
) -> None:
    for step in session.steps:
        if not step.before.frozen:
            continue
        assert step.before.next_hand_at is None
        for event in step.events:
            assert not isinstance(event, HandStarted | Seated)
            if isinstance(event, SeatEmptied):
                assert event.exit is not Exit.SAT_OUT


# --- that the laws meet what they are about ------------------------------------------------------


def test_the_sessions_hold_all_that_the_laws_are_about() -> None:
    kinds: dict[str, int] = {}
    for seed in range(60):
        for step in played(seeded(seed)).steps:
            own = [one for one in step.events if isinstance(one, Acted) and one.cause is Cause.OWN]
            for acted in own[isinstance(step.command, Act) :]:
                name = f"pre-action {acted.do}"
                kinds[name] = kinds.get(name, 0) + 1
            for event in step.events:
                name = type(event).__name__
                if isinstance(event, Acted):
                    name = f"{event.do} {event.cause}"
                elif isinstance(event, PotWon):
                    name = f"pot {min(event.pot, 2)} of {min(len(event.shares), 2)}"
                elif isinstance(event, SeatEmptied):
                    name = f"seat {event.exit}"
                kinds[name] = kinds.get(name, 0) + 1
    for name in (
        *(f"{do} {Cause.OWN}" for do in Do),
        f"{Do.FOLD} {Cause.EXPIRED}",
        f"{Do.CHECK} {Cause.EXPIRED}",
        f"seat {Exit.LEFT}",
        "pot 1 of 1",
        "pot 2 of 1",
        "pot 0 of 2",
        "Returned",
        "Shown",
        "Mucked",
        "HandVoided",
        "RefillSet",
        "Frozen",
        "Thawed",
        "Prepared",
        "BankOpened",
        "BankClosed",
        *(f"pre-action {do}" for do in (Do.CHECK, Do.FOLD, Do.CALL)),
    ):
        assert kinds.get(name, 0) >= 3, (name, kinds)
