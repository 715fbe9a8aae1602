"""Hands that are over, as the room tells them, beside what came of them; and odds that the engine's
evaluator counts: for the tests of the replayer in web/client. All follows from seeds. Written anew
by

    .venv/bin/python -m tests.cli.replayed
"""

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, Final

from cardroom.past import told
from cardroom.stored import HandRecord
from poker_engine.cards import DECK, text
from poker_engine.codec import load_events, load_table
from poker_engine.evaluator import evaluate
from poker_engine.events import HandEnded, HandVoided
from poker_engine.replay import replay
from tests.cli.recorded import seeded_records

FOLDER: Final = Path(__file__).parents[2] / "web/client/test"
HANDS: Final = FOLDER / "past-hands.json"
ODDS: Final = FOLDER / "odds.json"
TABLES: Final = range(1, 15)
MOST: Final = 4
"""Hands of a table, those in which most happened."""
SEED: Final = 5

type Json = dict[str, Any]


def hands() -> Iterator[Json]:
    """Each as somebody may see it: who was dealt in first, who was dealt in last, or a guest."""
    tables: dict[str, list[HandRecord]] = {}
    for record in seeded_records(TABLES, 400):
        tables.setdefault(record.table_id, []).append(record)
    number = 0
    for records in tables.values():
        for record in sorted(records, key=lambda one: -len(one.events))[:MOST]:
            number += 1
            yield {"hand": _told(record, number), **_result(record)}


def _told(record: HandRecord, number: int) -> Json:
    table, events = load_table(record.opening), load_events(record.events)
    dealt = [one.player for one in table.seats if one is not None]
    viewer = (dealt[0], dealt[-1], None)[number % 3]
    view = told(record, viewer, record.ended + 3_600_000, lambda: None)
    assert isinstance(view, dict)
    assert events
    return view


def _result(record: HandRecord) -> Json:
    """What the engine says of the table when the hand was over."""
    events = load_events(record.events)
    end = next(at for at, one in enumerate(events) if isinstance(one, HandEnded | HandVoided))
    table = replay(events[: end + 1], load_table(record.opening))
    hand = table.hand
    assert hand is not None
    assert hand.over
    return {
        "stacks": [None if seat is None else seat.stack for seat in table.seats],
        "pots": [
            {"amount": pot.amount, "rake": pot.rake, "shares": [list(one) for one in pot.shares]}
            for pot in hand.pots
        ],
        "board": [text(card) for card in hand.board],
        "voided": hand.voided,
    }


def odds() -> Json:
    """Hands by the score that they have, and what two to four hands may come to."""
    dice = Random(SEED)
    ranked = [dice.sample(DECK, count) for count in (5, 6, 7) for _ in range(100)]
    ranked += [cards for cards in (dice.sample(DECK, 7) for _ in range(20_000)) if _is_rare(cards)]
    ranks = [[" ".join(map(text, cards)), evaluate(cards)] for cards in ranked]
    return {"ranks": ranks, "cases": [_case(dice, number) for number in range(12)]}


def _is_rare(cards: list[int]) -> bool:
    """A straight flush, or four of a kind."""
    return evaluate(cards) >= 7297


def _case(dice: Random, number: int) -> Json:
    players, laid = 2 + number % 3, (5, 4, 4, 3)[number % 4]
    dead = number % 2
    cards = dice.sample(DECK, 2 * players + laid + 2 * dead)
    pairs = [cards[2 * seat : 2 * seat + 2] for seat in range(players)]
    board = cards[2 * players : 2 * players + laid]
    gone = cards[2 * players + laid :]
    rest = [card for card in DECK if card not in cards]
    wins, ties = [0] * players, [0] * players
    boards = 0
    for more in combinations(rest, 5 - laid):
        boards += 1
        scores = [evaluate([*pair, *board, *more]) for pair in pairs]
        best = [seat for seat in range(players) if scores[seat] == max(scores)]
        for seat in best:
            (wins if len(best) == 1 else ties)[seat] += 1
    return {
        "hands": [" ".join(map(text, pair)) for pair in pairs],
        "board": " ".join(map(text, board)),
        "dead": " ".join(map(text, gone)),
        "boards": boards,
        "wins": wins,
        "ties": ties,
    }


def _lines(values: list[Any]) -> str:
    return ",\n".join(json.dumps(value, separators=(",", ":")) for value in values)


def files() -> dict[Path, str]:
    """Their texts."""
    counted = odds()
    ranks, cases = _lines(counted["ranks"]), _lines(counted["cases"])
    return {
        HANDS: f"[\n{_lines(list(hands()))}\n]\n",
        ODDS: f'{{"ranks":[\n{ranks}\n],"cases":[\n{cases}\n]}}\n',
    }


if __name__ == "__main__":
    for path, written in files().items():
        path.write_text(written)
