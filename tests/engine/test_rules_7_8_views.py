"""RULES 7 and 8: who sees what, and what a turn tells its player."""

import json
import random
from collections.abc import Iterable

import pytest

from poker_engine.cards import DECK, text
from poker_engine.clock import Due, due
from poker_engine.commands import Act, Command, Expire, Leave, Show, Sit, SitOut, Start, When
from poker_engine.decide import advance
from poker_engine.errors import Rejected
from poker_engine.events import Event, HandStarted
from poker_engine.evolve import open_table
from poker_engine.legal import options
from poker_engine.stakes import Stakes, fixed_limit, no_limit, table_settings
from poker_engine.state import Do, Table
from poker_engine.views import needs_deck, push, snapshot, turn
from tests.engine.kit import NOON, STAKES, Game, given, table_of

# --- 7 --------------------------------------------------------------------------------------------


type Commands = list[tuple[Command, int]]
"""Each with its moment."""
type Writes = list[tuple[Table, list[Event]]]
"""The table after each write, and the events of it."""


def _bytes(view: object) -> bytes:
    return json.dumps(view).encode()


def _views(
    table: Table, events: Iterable[Event], log: Iterable[Event], seat: int | None, deck: list[int]
) -> bytes:
    """All that could be sent to this seat after one write."""
    events, log = tuple(events), tuple(log)
    mine = tuple(deck) if needs_deck(table, seat) else None
    return _bytes(
        [
            snapshot(table, seat, mine, NOON, log),
            push(table, events, seat, mine, table.seq - len(events), NOON),
        ]
    )


def _script(seed: int) -> tuple[Commands, list[int], Writes]:
    """A seeded hand of four with all kinds of ends: its commands, its deck, and its writes."""
    chance = random.Random(seed)
    deck = list(DECK)
    chance.shuffle(deck)
    table = open_table(table_settings(STAKES, 5))
    commands: Commands = []
    writes: Writes = []
    now = NOON

    def decide(command: Command) -> bool:
        nonlocal table
        outcome = advance(table, command, now, tuple(deck))
        if isinstance(outcome, Rejected):
            return False
        table = outcome.table
        commands.append((command, now))
        writes.append((table, list(outcome.events)))
        return True

    for seat in range(4):
        assert decide(Sit(f"p{seat}", seat, chance.choice((100, 300, 1000))))
    now += 3000
    assert decide(Start("deck", chance.randrange(2520)))
    while (may := options(table)) is not None:
        hand = table.hand
        assert hand is not None
        assert hand.turn is not None
        player = f"p{may.seat}"
        pick = chance.random()
        do, to = (Do.CHECK if may.check else Do.CALL), 0
        if pick < 0.25 and may.min_to is not None and may.max_to is not None:
            do, to = may.verb, chance.choice((may.min_to, may.max_to))
        elif pick < 0.35:
            do = Do.FOLD
        elif pick < 0.4:
            now = hand.turn.expires
            assert due(table, now) is Due.EXPIRE
            assert decide(Expire())
            continue
        elif pick < 0.43:
            assert decide(Leave(player))
            continue
        assert decide(Act(player, hand.number, hand.turn.number, do, to))
    for seat in range(4):
        decide(Show(f"p{seat}", (chance.randrange(2),)))
    return commands, deck, writes


def _seen_by(table: Table, seat: int | None, dealt: tuple[int, ...], deck: list[int]) -> set[int]:
    """Cards that this seat may see: the board, what was shown, his own."""
    hand = table.hand
    assert hand is not None
    cards = set(hand.board) | {card for _, shown in hand.shown for card in shown}
    if seat in dealt:
        place = dealt.index(seat)
        cards |= {deck[place], deck[len(dealt) + place]}
    return cards


def _permuted(deck: list[int], seen: set[int], chance: random.Random) -> list[int]:
    """The deck with all but the seen cards in other places."""
    hidden = [place for place, card in enumerate(deck) if card not in seen]
    cards = [deck[place] for place in hidden]
    chance.shuffle(cards)
    other = list(deck)
    for place, card in zip(hidden, cards, strict=True):
        other[place] = card
    return other


@pytest.mark.rule("7")
@pytest.mark.parametrize("seed", range(40))
def test_a_hand_played_with_other_hidden_cards_sends_the_same_bytes(seed: int) -> None:
    commands, deck, writes = _script(seed)
    dealt = next(table.hand.dealt for table, _ in writes if table.hand is not None)
    last = writes[-1][0]
    for seat in (None, 0, 1, 2, 3):
        seen = _seen_by(last, seat, dealt, deck)
        other = _permuted(deck, seen, random.Random(seed))
        table, played = open_table(last.settings), []
        for command, now in commands:
            outcome = advance(table, command, now, tuple(other))
            assert not isinstance(outcome, Rejected)
            table = outcome.table
            played.append((table, list(outcome.events)))
        for (first, events), (second, others) in zip(writes, played, strict=True):
            assert _views(first, events, events, seat, deck) == _views(
                second, others, others, seat, other
            )


@pytest.mark.rule("7")
@pytest.mark.parametrize("seed", range(60))
def test_no_byte_sent_depends_on_a_card_that_its_receiver_may_not_see(seed: int) -> None:
    _, deck, writes = _script(seed)
    log: list[Event] = []
    shuffle = random.Random(seed + 1)
    for table, events in writes:
        log += events
        if table.hand is None:
            continue
        dealt = table.hand.dealt
        for seat in (None, 0, 1, 2, 3, 4):
            other = _permuted(deck, _seen_by(table, seat, dealt, deck), shuffle)
            assert _views(table, events, log, seat, deck) == _views(table, events, log, seat, other)


@pytest.mark.rule("7")
@pytest.mark.parametrize("seed", range(60))
def test_no_text_sent_names_a_card_that_its_receiver_may_not_see(seed: int) -> None:
    _, deck, writes = _script(seed)
    for table, events in writes:
        if table.hand is None:
            continue
        for seat in (None, 0, 1, 2, 3):
            sent = _views(table, events, (), seat, deck).decode()
            seen = {text(card) for card in _seen_by(table, seat, table.hand.dealt, deck)}
            named = {text(card) for card in DECK if f'"{text(card)}"' in sent}
            assert named <= seen


@pytest.mark.rule("7")
def test_anyone_may_watch_without_joining() -> None:
    game = given([500, 500, 500])
    view = snapshot(game.table, None, None, game.now)
    assert "hole" not in view["state"]
    assert view["state"]["hand"]["pot"] == 15
    assert [seat["player"] for seat in view["state"]["seats"]] == ["p0", "p1", "p2"]


@pytest.mark.rule("7")
def test_a_spectator_gets_the_public_view_only() -> None:
    game = given([500, 500, 500], holes={0: "AsAh"})
    public = push(game.table, game.last, None, None, 0, game.now)
    assert "hole" not in public
    own = push(game.table, game.last, 0, game.deck, 0, game.now)
    assert own["hole"] == ["As", "Ah"]


@pytest.mark.rule("7")
def test_who_takes_a_seat_after_the_hand_sees_nothing_of_his_predecessors_cards() -> None:
    game = given([500, 500, 500])
    game.fold_out()
    game.leave("p2")
    game.sit("new", 2, 500)
    assert not needs_deck(game.table, 2)
    assert "hole" not in snapshot(game.table, 2, None, game.now)["state"]


@pytest.mark.rule("7")
def test_what_a_player_plans_is_told_to_nobody_else() -> None:
    game = table_of(0, 1, 2, button=0)
    game.sit_out("p1", When.BIG_BLIND)
    assert push(game.table, game.last, 1, game.deck, 0, game.now)["events"] != []
    for other in (None, 0):
        view = push(game.table, game.last, other, game.deck, 0, game.now)
        assert view["events"] == []
        seats = snapshot(game.table, other, game.deck, game.now)["state"]["seats"]
        assert "plan" not in seats[1]


@pytest.mark.rule("4.5")
def test_the_grace_is_never_shown() -> None:
    views = []
    for grace in (0, 1000, 5000):
        game = given([500, 500, 500], grace_ms=grace)
        views.append(
            [
                _views(game.table, game.last, game.log, seat, list(game.deck))
                for seat in (None, 0, 1, 2)
            ]
        )
    assert views[0] == views[1] == views[2]


# --- 8 --------------------------------------------------------------------------------------------

ONE_TWO = no_limit("USD", 1, rake="none")
"""Blinds 1-2."""
LIMIT = fixed_limit("USD", 20, rake="none")


def _turn(game: Game) -> dict[str, object]:
    view = turn(game.table)
    assert view is not None
    return view


@pytest.mark.rule("8")
@pytest.mark.parametrize("stakes", [ONE_TWO, LIMIT])
def test_every_turn_carries_what_its_controls_need(stakes: Stakes) -> None:
    game = given([500, 500, 500], stakes)
    seen = 0
    while game.may is not None:
        view = _turn(game)
        may = game.may
        assert set(view) == {
            "hand",
            "number",
            "seat",
            "deadline",
            "price",
            "to_call",
            "call_to",
            "check",
            "verb",
            "min_to",
            "max_to",
            "step",
        }
        assert view["seat"] == may.seat
        assert view["check"] == (view["to_call"] == 0)
        assert game.hand.turn is not None
        assert view["deadline"] == game.hand.turn.deadline
        pushed = push(game.table, game.last, None, None, 0, game.now)
        assert pushed["turn"] == view
        game.acts(may.seat, Do.CHECK if may.check else Do.CALL)
        seen += 1
    assert seen == 12
    assert turn(game.table) is None


@pytest.mark.rule("8")
def test_all_that_a_turn_offers_is_accepted_and_nothing_beyond() -> None:
    for do, to in ((Do.CALL, 0), (Do.FOLD, 0), (Do.RAISE, 4), (Do.RAISE, 5), (Do.RAISE, 500)):
        game = given([500, 500, 500], ONE_TWO)
        game.acts(2, do, to)
    game = given([500, 500, 500], ONE_TWO)
    for to in (0, 2, 3, 501):
        game.refuses_act(2, Do.RAISE, to)
    game.refuses_act(2, Do.BET, 4)
    game.refuses_act(2, Do.CHECK)


@pytest.mark.rule("8")
def test_a_turn_without_a_raise_offers_no_amounts() -> None:
    game = given([500, 500, 100], ONE_TWO)
    game.play("s2 is all-in, s0 is all-in")
    view = _turn(game)
    assert (view["min_to"], view["max_to"]) == (None, None)
    assert (view["to_call"], view["call_to"]) == (498, 500)


@pytest.mark.rule("8.1")
def test_the_button_says_bet_or_raise_and_shows_the_minimum_first() -> None:
    game = given([500, 500, 500], ONE_TWO)
    assert (_turn(game)["verb"], _turn(game)["min_to"]) == ("raise", 4)
    game.play("s2 calls, s0 calls, s1 checks")
    assert (_turn(game)["verb"], _turn(game)["min_to"]) == ("bet", 2)
    game.play("s0 bets 10")
    assert (_turn(game)["verb"], _turn(game)["min_to"]) == ("raise", 20)


@pytest.mark.rule("8.2")
@pytest.mark.parametrize("amount", [4, 5, 7, 499, 500])
def test_the_bet_box_takes_an_exact_amount_of_any_step(amount: int) -> None:
    game = given([500, 500, 500], ONE_TWO)
    game.acts(2, Do.RAISE, amount)
    assert game.hand.bets[2] == amount


@pytest.mark.rule("8.3")
def test_the_slider_goes_from_the_minimum_raise_by_its_size_to_the_whole_stack() -> None:
    game = given([500, 500, 500], ONE_TWO)
    view = _turn(game)
    assert (view["min_to"], view["step"], view["max_to"]) == (4, 2, 500)
    game.play("s2 raises 10")
    view = _turn(game)
    assert (view["min_to"], view["step"], view["max_to"]) == (18, 8, 500)


@pytest.mark.rule("8.3")
def test_the_whole_stack_counts_what_is_in_already_and_not_the_streets_before() -> None:
    game = given([500, 300, 500], ONE_TWO)
    game.play("s2 raises 10, s0 folds")
    assert _turn(game)["max_to"] == 300
    game.play("s1 calls")
    view = _turn(game)
    assert (view["min_to"], view["step"], view["max_to"]) == (2, 2, 290)


@pytest.mark.rule("8.3")
def test_where_the_stack_is_less_than_the_minimum_the_only_stop_is_the_stack() -> None:
    game = given([500, 500, 15], ONE_TWO)
    game.play("s2 calls, s0 raises 10, s1 folds")
    view = _turn(game)
    assert (view["min_to"], view["max_to"]) == (15, 15)


@pytest.mark.rule("8.3")
def test_in_fixed_limit_there_is_one_stop() -> None:
    game = given([500, 500, 500], LIMIT)
    view = _turn(game)
    assert (view["min_to"], view["max_to"], view["step"]) == (40, 40, 20)
    game.play("s2 calls, s0 calls, s1 checks, s0 checks, s1 checks, s2 checks")
    view = _turn(game)
    assert (view["min_to"], view["max_to"], view["step"]) == (40, 40, 40)


@pytest.mark.rule("8")
def test_hole_cards_come_with_the_hands_beginning_and_in_every_snapshot() -> None:
    game = given([500, 500, 500], holes={2: "AsKd"})
    began = push(game.table, game.last, 2, game.deck, 0, game.now)
    assert any(isinstance(event, HandStarted) for event in game.last)
    assert began["hole"] == ["As", "Kd"]
    game.play("s2 calls")
    assert "hole" not in push(game.table, game.last, 2, game.deck, 0, game.now)
    assert snapshot(game.table, 2, game.deck, game.now)["state"]["hole"] == ["As", "Kd"]


@pytest.mark.rule("8")
def test_a_snapshot_shows_stacks_bets_and_who_is_in() -> None:
    game = given([500, 500, 100])
    game.play("s2 is all-in, s0 folds")
    seats = snapshot(game.table, None, None, game.now)["state"]["seats"]
    assert [(one["stack"], one["bet"]) for one in seats] == [(495, 5), (490, 10), (0, 100)]
    assert [(one["in_hand"], one["folded"], one["all_in"]) for one in seats] == [
        (False, True, False),
        (True, False, False),
        (True, False, True),
    ]


def test_sitting_out_is_public() -> None:
    game = table_of(0, 1, 2, button=0)
    game.do(SitOut("p1"))
    view = push(game.table, game.last, None, None, 0, game.now)
    assert view["events"] == [{"e": "sat_out", "seat": 1, "at": game.now}]
