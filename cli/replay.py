"""`cardroom replay FILE...`: recorded hands through decide and evolve, one verdict a hand.

A hand agrees when each action is by the seat whose turn it is, is legal when it comes, the hand
ends when the actions end, and the final stacks are the recorded ones.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TextIO

from cli.cases import BadLine, Case, CaseAction, deck_of
from cli.hand_files import count_hands, read_hands
from cli.printable import printable
from cli.progress import Progress
from poker_engine.cards import join_cards
from poker_engine.commands import Act, Command, Deal
from poker_engine.decide import advance
from poker_engine.errors import Rejected
from poker_engine.events import Event, Opened, Seated
from poker_engine.evolve import put
from poker_engine.legal import Options, options, options_of
from poker_engine.replay import replay
from poker_engine.stakes import PLAYED_RULES, Settings
from poker_engine.state import BOARD_CARDS, Do, Hand, Table

DECK_ID = "case"
NOW = 0
"""A case has no times: all of it happens at once."""


class Normalised(StrEnum):
    """Where another room allowed what ours does not, without a difference in the result."""

    RAISE_NOBODY_CAN_MATCH = "raise_nobody_can_match"
    """A raise above what every opponent can put in: here a call (RULES 3.5)."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`step` counts the actions from 1; 0 is the deal, one past the last the end of the hand."""

    step: int
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a case: the table where it ended, and what happened since the deal."""

    table: Table
    events: tuple[Event, ...]
    difference: Difference | None = None
    normalised: Normalised | None = None


@dataclass
class Tally:
    """Verdicts of many hands. A normalised hand that differs counts as different only."""

    agree: int = 0
    differ: int = 0
    normalised: Counter[Normalised] = field(default_factory=Counter)

    def add(self, verdict: Verdict) -> None:
        if verdict.difference is not None:
            self.differ += 1
        elif verdict.normalised is None:
            self.agree += 1
        else:
            self.normalised[verdict.normalised] += 1

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind}: {self.normalised[kind]}" for kind in Normalised)
        normalised = self.normalised.total()
        hands = self.agree + normalised + self.differ
        return (
            f"{hands} hands: {self.agree} agree, {normalised} normalised ({kinds}), "
            f"{self.differ} differ"
        )


def player(seat: int) -> str:
    """Name of the player that a case's seat gets."""
    return f"seat {seat}"


def table_of(case: Case) -> Table:
    """An open table with the case's players.

    A button that is not dealt in gets an empty seat, the last.
    """
    settings = Settings(
        stakes=case.stakes,
        seats=case.table_seats,
        minimum=1,
        maximum=None,
    )
    seated = (
        Seated(seat, player(seat), chips, posting=False, owes_small=False)
        for seat, chips in enumerate(case.stacks)
    )
    return replay((Opened(settings), *seated))


def deal_of(case: Case) -> Deal:
    """The command that deals the case's hand."""
    return Deal(
        deck=DECK_ID,
        button=case.button_seat,
        small_blind=case.small_blind_seat,
        big_blind=case.big_blind_seat,
        dealt=case.dealt,
        posts=tuple((one.seat, one.post, one.amount) for one in case.posts),
        rules=PLAYED_RULES if case.rules is None else case.rules,
    )


def replay_case(case: Case, table: Table | None = None) -> Verdict:
    """Plays the case's actions through the engine up to the first difference.

    `table` has the case's players, as `table_of` makes it, and may have settings of its own.
    """
    hand = _Replay(case, table or table_of(case))
    problem = hand.advance(deal_of(case))
    if problem is not None:
        return hand.verdict(Difference(0, "the hand is dealt", problem))
    for step, action in enumerate(case.actions, start=1):
        problem = hand.act(action)
        if problem is not None:
            return hand.verdict(Difference(step, str(action), problem))
    return hand.verdict(_at_the_end(case, hand.table))


class _Replay:
    """A case on its way through the engine. What goes wrong comes back as text."""

    def __init__(self, case: Case, table: Table) -> None:
        self.table = table
        self._deck = deck_of(case)
        self._events: list[Event] = []
        self._normalised: Normalised | None = None

    def advance(self, command: Command) -> str | None:
        step = advance(self.table, command, NOW, self._deck)
        if isinstance(step, Rejected):
            return f"{step.code}: {step.sentence}"
        self.table = step.table
        self._events += step.events
        return None

    def act(self, action: CaseAction) -> str | None:
        turn = options(self.table)
        if turn is None:
            return "the hand is over"
        problem = _out_of_turn(self.table, turn, action)
        if problem is not None:
            return problem
        do = action.do
        if _nobody_can_match(self.table, turn, action):
            do = Do.CALL if turn.to_call else Do.CHECK
            self._normalised = Normalised.RAISE_NOBODY_CAN_MATCH
        hand = _hand(self.table)
        return self.advance(Act(player(action.seat), hand.number, hand.turns, do, action.to))

    def verdict(self, difference: Difference | None) -> Verdict:
        return Verdict(self.table, tuple(self._events), difference, self._normalised)


def _hand(table: Table) -> Hand:
    if table.hand is None:
        raise ValueError("no hand was dealt at this table")
    return table.hand


def _out_of_turn(table: Table, turn: Options, action: CaseAction) -> str | None:
    """Why the action cannot be the next one, apart from its being legal."""
    street = _hand(table).street
    if street is not action.street:
        return f"{street.name.lower()}: the turn of seat {turn.seat}"
    if turn.seat != action.seat:
        return f"the turn of seat {turn.seat}"
    if action.do is Do.CALL and turn.to_call and turn.call_to != action.to:
        return f"a call makes {turn.call_to}"
    return None


def _nobody_can_match(table: Table, turn: Options, action: CaseAction) -> bool:
    """A bet or raise that is refused only because no opponent can put in more than the price.

    So it would be legal if an opponent had the chips.
    """
    if action.do not in (Do.BET, Do.RAISE) or turn.min_to is not None:
        return False
    hand = _hand(table)
    opponents = [seat for seat in hand.dealt if seat != turn.seat and hand.live >> seat & 1]
    if any(hand.bets[seat] + hand.behind[seat] > turn.price for seat in opponents):
        return False
    matching = put(hand.behind, opponents[0], turn.price + 1)
    against_chips = options_of(table.settings, replace(hand, behind=matching), turn.seat)
    return (
        against_chips.min_to is not None
        and against_chips.max_to is not None
        and against_chips.min_to <= action.to <= against_chips.max_to
    )


def _at_the_end(case: Case, table: Table) -> Difference | None:
    step = len(case.actions) + 1
    hand = _hand(table)
    if hand.turn is not None:
        return Difference(step, "the hand ends", f"the turn of seat {hand.turn.seat}")
    stacks = tuple(seat.stack for seat in table.seats if seat is not None)
    if case.final_stacks and stacks != case.final_stacks:
        return Difference(step, f"stacks {_list(case.final_stacks)}", f"stacks {_list(stacks)}")
    return _shown_unknown(case, hand, step)


def _shown_unknown(case: Case, hand: Hand, step: int) -> Difference | None:
    """A showdown of cards that the case does not know proves nothing, whoever won."""
    live = [seat for seat in hand.dealt if hand.live >> seat & 1]
    if len(live) < 2:
        return None
    unknown = [seat for seat in live if case.hole[seat] is None]
    if unknown:
        return Difference(step, "known cards at the showdown", f"seat {unknown[0]} has none")
    if len(case.board) < BOARD_CARDS[-1]:
        board = join_cards(case.board) or "no board"
        return Difference(step, "five cards on the board at the showdown", board)
    return None


def _list(amounts: Sequence[int]) -> str:
    return "[" + ", ".join(map(str, amounts)) + "]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="cases, one a line (see docs/cases.md), or PHH (.phh, .phhs)",
    )
    parser.epilog = (
        "Exit code: 0 every hand agrees, or is normalised; 1 a hand differs; "
        "2 a file or a line cannot be read."
    )


def run(args: argparse.Namespace) -> int:
    """0 if every hand agrees, 1 if one differs, 2 if a file or a line could not be read."""
    return replay_files(args.files, sys.stdout, sys.stderr)


def replay_files(files: Sequence[Path], out: TextIO, err: TextIO) -> int:
    """Replays all cases of the files; findings and the summary go to `out`, bad input to `err`."""
    tally = Tally()
    bad = 0
    with Progress(err) as progress:
        total = sum(map(count_hands, files)) if err.isatty() else 0
        for done, case in enumerate(_all_cases(files)):
            progress.at(min(done, total), total)
            if isinstance(case, BadLine):
                bad += 1
                progress.print(err, str(case))
                continue
            verdict = replay_case(case)
            tally.add(verdict)
            if verdict.difference is not None:
                found = verdict.difference
                where = f"{printable(case.id)}, step {found.step}"
                progress.print(out, f"{where}: expected {found.expected}; got {found.got}")
    print(tally, file=out)
    if bad:
        return 2
    return 1 if tally.differ else 0


def _all_cases(files: Sequence[Path]) -> Iterator[Case | BadLine]:
    for file in files:
        yield from read_hands(file)
