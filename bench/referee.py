"""pokerkit as a referee: plays the hand of a case beside the engine.

Its players are numbered in dealing order, so that the last is the button. No cards are burned.
"""

import warnings
from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from typing import Final

from pokerkit import (
    Automation,
    BettingStructure,
    Card,
    CardsLike,
    Deck,
    Entry,
    Hand,
    Mode,
    Opening,
    StandardHighHand,
    State,
    Street,
)

from cli.cases import Case, deck_of
from poker_engine.cards import text
from poker_engine.stakes import Game
from poker_engine.state import BOARD_CARDS, Do, Post, Pot

AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
RAISES: Final = 3
"""Fixed-limit: one bet and three raises a round; pre-flop the big blind is the bet (RULES 3.4)."""

CARDS: Final = tuple(next(iter(Card.parse(text(card)))) for card in range(52))
"""The referee's card of each of ours."""


class RememberedHand(StandardHighHand):
    """The referee's own hand, which it looks up hundreds of times in one showdown."""

    @classmethod
    def from_game(cls, hole_cards: CardsLike, board_cards: CardsLike = ()) -> Hand:
        return _best_hand(tuple(Card.clean(hole_cards)), tuple(Card.clean(board_cards)))

    @cached_property
    def entry(self) -> Entry:
        return super().entry


@lru_cache(maxsize=64)
def _best_hand(hole: tuple[Card, ...], board: tuple[Card, ...]) -> Hand:
    return super(RememberedHand, RememberedHand).from_game(hole, board)


class Deviation(StrEnum):
    """Where the referee is known to leave the rules of play."""

    SHORT_BIG_BLIND = "short_big_blind"
    """It takes a short or missing big blind for the price (RULES 2.4)."""
    DEAD_AND_LIVE_ANTES = "dead_and_live_antes"
    """Its antes are either all dead or all live, so a dead post beside antes is beyond it."""
    REFUSED = "refused"
    """It refuses an action: a raise after cumulative short all-ins, half bets in fixed-limit."""
    REMAINDERS_ADDED_UP = "remainders_added_up"
    """It splits pots with the same winners as one; RULES 5.3 splits each."""


def cannot_judge(case: Case) -> Deviation | None:
    """Why the referee is no judge of this hand, whatever is done in it; None if it is one."""
    posted = [one.amount for one in case.posts if one.post is Post.BIG_BLIND]
    if posted != [case.big_blind]:
        return Deviation.SHORT_BIG_BLIND
    dead = any(one.post is Post.DEAD for one in case.posts)
    if dead and not case.dead_ante and any(one.post is Post.ANTE for one in case.posts):
        return Deviation.DEAD_AND_LIVE_ANTES
    return None


@cache
def streets(small_bet: int, big_bet: int, raises: int | None) -> tuple[Street, ...]:
    """The referee's rounds of hold'em. `raises` is the cap of fixed-limit, None in no-limit."""

    def street(hole: int, board: int, bet: int, most: int | None) -> Street:
        return Street(False, (False,) * hole, board, False, Opening.POSITION, bet, most)

    bets = None if raises is None else raises + 1
    return (
        street(2, 0, small_bet, raises),
        street(0, 3, small_bet, bets),
        street(0, 1, big_bet, bets),
        street(0, 1, big_bet, bets),
    )


class Referee:
    """A hand at the referee's table. Raises ValueError where the referee refuses an action."""

    def __init__(self, case: Case) -> None:
        self.case = case
        dead = [0] * case.seats
        antes = [0] * case.seats
        blinds = [0] * case.seats
        player = {seat: index for index, seat in enumerate(case.dealt)}
        for one in case.posts:
            index = player[one.seat]
            if one.post is Post.ANTE and not case.dead_ante:
                antes[index] += one.amount
            elif one.post in (Post.ANTE, Post.DEAD):
                dead[index] += one.amount
            elif one.post is Post.LIVE:
                # A late post: it does not move the first turn, which a blind would.
                blinds[index] -= one.amount
            else:
                blinds[index] += one.amount
        if case.seats == 2:
            for values in (dead, antes, blinds):
                values.reverse()
        fixed = case.game is Game.FIXED_LIMIT
        self.state = State(
            AUTOMATIONS,
            Deck.STANDARD,
            (RememberedHand,),
            streets(
                case.small_bet if fixed else case.big_blind,
                case.big_bet if fixed else case.big_blind,
                RAISES if fixed else None,
            ),
            BettingStructure.FIXED_LIMIT if fixed else BettingStructure.NO_LIMIT,
            not any(dead),
            dead if any(dead) else antes,
            blinds,
            0,
            [case.stacks[seat] for seat in case.dealt],
            case.seats,
            mode=Mode.CASH_GAME,
        )
        deck = deck_of(case)
        n = case.seats
        for index in range(n):
            self.state.deal_hole((CARDS[deck[index]], CARDS[deck[n + index]]))
        self._board = [CARDS[card] for card in deck[2 * n : 2 * n + BOARD_CARDS[-1]]]
        self._dealt = 0
        self._go_on()

    def _go_on(self) -> None:
        """Turns up the hands and deals the streets that are due."""
        state = self.state
        while True:
            if state.showdown_index is not None:
                state.show_or_muck_hole_cards(True)
            elif count := state.board_dealing_count:
                state.deal_board(self._board[self._dealt : self._dealt + count])
                self._dealt += count
            else:
                return

    @property
    def seat(self) -> int | None:
        """The seat whose turn it is."""
        actor = self.state.actor_index
        return None if actor is None else self.case.dealt[actor]

    @property
    def to_call(self) -> int:
        return int(self.state.checking_or_calling_amount or 0)

    @property
    def raise_to(self) -> tuple[int, int] | None:
        """Least and most of a bet or raise; None where there is none."""
        low = self.state.min_completion_betting_or_raising_to_amount
        high = self.state.max_completion_betting_or_raising_to_amount
        return None if low is None or high is None else (int(low), int(high))

    def act(self, do: Do, to: int) -> None:
        """One action of the seat whose turn it is."""
        if do is Do.FOLD:
            with warnings.catch_warnings():
                # It finds a fold where a check is free unwise.
                warnings.simplefilter("ignore")
                self.state.fold()
        elif do in (Do.CHECK, Do.CALL):
            self.state.check_or_call()
        else:
            self.state.complete_bet_or_raise_to(to)
        self._go_on()

    @property
    def _others(self) -> list[int]:
        """Players still in besides the one whose turn it is."""
        state = self.state
        return [i for i in state.player_indices if state.statuses[i] and i != state.actor_index]

    def nobody_can_match(self) -> bool:
        """No opponent can put in more than the price: a raise is as good as a call."""
        state = self.state
        return all(state.stacks[i] + state.bets[i] <= max(state.bets) for i in self._others)

    def check_where_nobody_can_bet(self) -> bool:
        """It asks a seat that has matched everybody, none of whom has chips left: that checks."""
        state = self.state
        if state.actor_index is None or self.to_call or any(state.stacks[i] for i in self._others):
            return False
        state.check_or_call()
        self._go_on()
        return True

    @property
    def final_stacks(self) -> tuple[int, ...] | None:
        """By the case's seats, when the hand is over."""
        if self.state.status:
            return None
        stacks = dict(zip(self.case.dealt, self.state.stacks, strict=True))
        return tuple(int(stacks[seat]) for seat in range(self.case.seats))


def final_stacks(case: Case) -> tuple[int, ...] | None:
    """The stacks that the referee comes to after the case's actions; None if that ends no hand.

    Raises ValueError where it refuses an action.
    """
    referee = Referee(case)
    for action in case.actions:
        while referee.seat != action.seat and referee.check_where_nobody_can_bet():
            pass
        raises = action.do in (Do.BET, Do.RAISE)
        referee.act(Do.CALL if raises and referee.nobody_can_match() else action.do, action.to)
    while referee.check_where_nobody_can_bet():
        pass
    return referee.final_stacks


def compare(case: Case, pots: Iterable[Pot]) -> Deviation | None:
    """None where the referee comes to the case's final stacks, or by which deviation it does not.

    `pots` are those of the engine's hand. Raises ValueError for stacks that no deviation explains.
    """
    why = cannot_judge(case)
    if why is not None:
        return why
    try:
        stacks = final_stacks(case)
    except ValueError:
        return Deviation.REFUSED
    if stacks == case.final_stacks:
        return None
    if stacks == with_remainders_added_up(case.final_stacks, pots):
        return Deviation.REMAINDERS_ADDED_UP
    raise ValueError(f"the referee comes to the stacks {stacks}, not {case.final_stacks}")


def with_remainders_added_up(stacks: Sequence[int], pots: Iterable[Pot]) -> tuple[int, ...]:
    """The final stacks if pots that the same seats split were one pot, as the referee has them."""
    changed = list(stacks)
    together: dict[tuple[int, ...], list[Pot]] = defaultdict(list)
    for pot in pots:
        together[tuple(seat for seat, _ in pot.shares)].append(pot)
    for winners, several in together.items():
        if len(several) == 1:
            continue
        for pot in several:
            for seat, chips in pot.shares:
                changed[seat] -= chips
        share, remainder = divmod(sum(pot.amount for pot in several), len(winners))
        for place, seat in enumerate(winners):
            changed[seat] += share + (remainder if place == 0 else 0)
    return tuple(changed)
