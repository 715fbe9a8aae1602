"""How fast the engine plays whole hands beside pokerkit, both the same hands in one run.

Both deal the given cards, are asked at every turn what is allowed, check and take the recorded
action, and settle the hand. Cards and actions come in the form that each of them takes.
"""

from collections.abc import Callable, Sequence
from statistics import median
from time import process_time
from typing import Final

from pokerkit import Automation, BettingStructure, Deck, StandardHighHand, State

from bench.figures import Figure
from bench.referee import CARDS, streets
from cli.cases import Case, deck_of
from cli.replay import NOW, deal_of, player, table_of
from poker_engine.commands import Act
from poker_engine.decide import Advance, advance
from poker_engine.errors import Rejected
from poker_engine.legal import options
from poker_engine.stakes import Game
from poker_engine.state import BOARD_CARDS, Do, Post, Table

AIM: Final = 10
ROUNDS: Final = 15
AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class OurHand:
    """A recorded hand for the engine: a table with its players, the deal and the actions."""

    def __init__(self, case: Case) -> None:
        self.table = table_of(case)
        self.deal = deal_of(case)
        self.deck = deck_of(case)
        self.actions = [(player(one.seat), one.do, one.to) for one in case.actions]
        self.final_stacks = case.final_stacks

    def play(self) -> bool:
        """Whether it ends in the recorded stacks."""
        deck = self.deck
        table = _after(advance(self.table, self.deal, NOW, deck))
        for name, do, to in self.actions:
            if options(table) is None or table.hand is None:
                return False
            hand = table.hand
            table = _after(advance(table, Act(name, hand.number, hand.turns, do, to), NOW, deck))
        return tuple(seat.stack for seat in table.seats if seat is not None) == self.final_stacks


def _after(step: Advance | Rejected) -> Table:
    if isinstance(step, Rejected):
        raise ValueError(f"the engine refuses a recorded hand: {step.sentence}")
    return step.table


class TheirHand:
    """The same for pokerkit. It burns no cards, as the engine burns none."""

    def __init__(self, case: Case) -> None:
        deck = deck_of(case)
        seats = case.seats
        blinds = [0] * seats
        for one in case.posts:
            blinds[case.dealt.index(one.seat)] += one.amount
        # Heads-up it takes the big blind's seat for the first and the small blind for its blind.
        self.blinds = tuple(reversed(blinds)) if seats == 2 else tuple(blinds)
        self.big_blind = case.big_blind
        self.stacks = tuple(case.stacks[seat] for seat in case.dealt)
        self.hole = [(CARDS[deck[i]], CARDS[deck[seats + i]]) for i in range(seats)]
        self.board = [CARDS[card] for card in deck[2 * seats :][: BOARD_CARDS[-1]]]
        self.actions = [(one.do, one.to) for one in case.actions]
        self.final_stacks = tuple(case.final_stacks[seat] for seat in case.dealt)

    def play(self) -> bool:
        """Whether it ends in the recorded stacks."""
        state = State(
            AUTOMATIONS,
            Deck.STANDARD,
            (StandardHighHand,),
            streets(self.big_blind, self.big_blind, None),
            BettingStructure.NO_LIMIT,
            True,
            0,
            self.blinds,
            0,
            self.stacks,
            len(self.stacks),
        )
        for pair in self.hole:
            state.deal_hole(pair)
        dealt = 0
        for do, to in self.actions:
            if state.checking_or_calling_amount is None:
                return False
            state.min_completion_betting_or_raising_to_amount  # noqa: B018 - asked, as ours is
            state.max_completion_betting_or_raising_to_amount  # noqa: B018
            if do is Do.FOLD:
                state.fold()
            elif do in (Do.CHECK, Do.CALL):
                state.check_or_call()
            else:
                state.complete_bet_or_raise_to(to)
            while count := state.board_dealing_count:
                state.deal_board(self.board[dealt : dealt + count])
                dealt += count
        return tuple(state.stacks) == self.final_stacks


def suitable(case: Case) -> bool:
    """A no-limit hand with two full blinds and nothing else posted, which pokerkit plays alike."""
    posts = sorted((one.post, one.amount) for one in case.posts)
    blinds = [(Post.BIG_BLIND, case.big_blind), (Post.SMALL_BLIND, case.small_blind)]
    if case.game is not Game.NO_LIMIT or posts != blinds:
        return False
    try:
        return TheirHand(case).play()
    except ValueError:
        return False


def measure(cases: Sequence[Case]) -> tuple[float, float]:
    """Hands a second of the engine and of pokerkit: medians over rounds of all hands.

    The two take turns round by round, so that what else the machine does slows both.
    """
    ours = [OurHand(case) for case in cases]
    theirs = [TheirHand(case) for case in cases]
    # Once before the clock runs: nothing is imported or cached while it does.
    for case, our_hand, their_hand in zip(cases, ours, theirs, strict=True):
        if not (our_hand.play() and their_hand.play()):
            raise ValueError(f"the recorded stacks of {case.id} are not reached")
    our_speeds: list[float] = []
    their_speeds: list[float] = []
    for _ in range(ROUNDS):
        our_speeds.append(_speed([hand.play for hand in ours], repeats=8))
        their_speeds.append(_speed([hand.play for hand in theirs], repeats=1))
    return median(our_speeds), median(their_speeds)


def _speed(plays: Sequence[Callable[[], bool]], *, repeats: int) -> float:
    """Hands a second of this process; the faster side repeats its hands for a span alike."""
    began = process_time()
    for _ in range(repeats):
        for play in plays:
            play()
    return repeats * len(plays) / (process_time() - began)


def figures(speeds: tuple[float, float]) -> list[Figure]:
    """What `measure` found."""
    ours, theirs = speeds
    return [
        Figure("engine: whole hands", ours, "a second"),
        Figure("engine: times pokerkit", ours / theirs, "", AIM, at_least=True),
    ]
