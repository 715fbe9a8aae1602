"""Makes `seeded.jsonl`: hands of seeded players on the engine, as cases of the project's own.

    python -m tests.hands.make_seeded

The same seeds give the same file, so a test can tell whether the engine still plays these hands.
"""

from dataclasses import replace
from pathlib import Path
from random import Random

from cli.cases import Case, deck_of, dump_line
from cli.record import case_of
from cli.replay import NOW, deal_of, player, table_of
from poker_engine.commands import Act, Command
from poker_engine.decide import Advance, advance
from poker_engine.events import Event
from poker_engine.legal import options
from poker_engine.stakes import Game
from poker_engine.state import Do, Table
from tests.engine.seeded_hands import Style, raise_to, seeded_case

FILE = Path(__file__).with_name("seeded.jsonl")
HANDS = {Game.NO_LIMIT: 40, Game.FIXED_LIMIT: 30}


def played(seed: str, game: Game) -> Case:
    """The hand of a seed, played to its end by the engine."""
    random = Random(seed)
    case = seeded_case(random, game)
    style = Style.of(random)
    deck = deck_of(case)
    events: list[Event] = []
    before = table_of(case)

    def after(table: Table, command: Command) -> Table:
        step = advance(table, command, NOW, deck)
        assert isinstance(step, Advance), step
        events.extend(step.events)
        return step.table

    table = after(before, deal_of(case))
    while (turn := options(table)) is not None:
        assert table.hand is not None
        do, to = style.choose(random, turn), 0
        if do in (Do.BET, Do.RAISE):
            assert turn.min_to is not None
            assert turn.max_to is not None
            to = raise_to(random, turn.min_to, turn.max_to)
        table = after(table, Act(player(turn.seat), table.hand.number, table.hand.turns, do, to))
    stacks = dict(enumerate(case.stacks))
    name = f"own/{seed.replace(' ', '/')}"
    stakes = before.settings.stakes
    # Folded cards stay unknown, as in hands that were recorded at a table.
    live = table.hand.live if table.hand is not None else 0
    hole = {seat: pair for seat, pair in enumerate(case.hole) if pair and live >> seat & 1}
    return replace(case_of(name, stakes, stacks, events, hole, source="own"), unit="chip")


def lines() -> list[str]:
    """The file's lines."""
    return [
        dump_line(played(f"{game} {number}", game))
        for game, count in HANDS.items()
        for number in range(count)
    ]


if __name__ == "__main__":
    FILE.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
