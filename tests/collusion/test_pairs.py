"""The search for pairs who play together against the others, with such pairs among honest ones."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from cardroom.days import Days
from cardroom.histories import DynamoHistories, Look, Unreadable
from cardroom.models import written
from cardroom.personal import Arrival
from cardroom.store import DynamoTables, _hand_item
from cardroom.stored import HandRecord
from cardroom.tables import open_table
from cli.collusion.measures import Ranked, What, ranked
from cli.collusion.report import Found, look, report, why
from cli.collusion.seen import GIFT, Decision, Seen, Spot, Yield, cell, seen
from cli.collusion.shared import Places
from cli.collusion.tallies import Tallies
from cli.finished import Finished, Player, finished_record
from cli.main import main
from cli.sheets import Style, write
from poker_engine.cards import parse_cards
from poker_engine.events import Acted, BoardDealt, Posted
from poker_engine.stakes import no_limit, table_settings
from poker_engine.state import Cause, Do, Post, Street
from tests.cli.conftest import STACK
from tests.cli.recorded import seeded_records
from tests.collusion.bots import BLIND, PLAYERS, STAKES, Deal, planted, played
from tests.collusion.places import arrivals

HANDS = 20_000
SEEDS = (1, 2, 3)


def tallied(hands: Iterator[Finished]) -> Tallies:
    tallies = Tallies()
    for hand in hands:
        found = seen(hand)
        assert found is not None
        tallies.add(f"{hand.table}/{hand.number}", found)
    return tallies


def places_of(found: Iterator[Arrival]) -> Places:
    places = Places()
    for one in found:
        places.add(one)
    return places


@pytest.mark.parametrize("seed", SEEDS)
def test_five_planted_pairs_rank_first_among_all(seed: int) -> None:
    """Of 200 players, 19,900 pairs; friends who always sit together are none of them."""
    bots, hands = played(seed, HANDS)
    assert len(bots) == PLAYERS == 200
    assert {one.deal for one in bots} == {None, *Deal}
    tallies = tallied(hands)
    assert tallies.hands == HANDS
    found = ranked(tallies)
    first = {one.names for one in found[:5]}
    assert first == planted(bots)
    # Friends live together, and many share a café: wherever those come from who collude.
    for at_home in (False, True):
        shared = places_of(arrivals(seed, bots, together=at_home)).shared()
        among = ranked(tallies, shared)
        assert {one.names for one in among[:5]} == planted(bots)
        assert all((one.score > one.play) == at_home for one in among[:5])
    assert all(any(why(one)) for one in found[:5])
    together = {one.names: one.pair.hands for one in found}
    friends = [one for one in bots if one.friend is not None]
    assert len(friends) == 24
    for one in friends:
        assert one.friend is not None
        pair = min(one.name, one.friend.name), max(one.name, one.friend.name)
        assert together[pair] > HANDS / 80
        assert pair not in first


# What is seen of a hand


def hand(steps: tuple[Any, ...], holes: tuple[str, ...], finals: tuple[int, ...]) -> Finished:
    """Of players a, b, c... with 100 big blinds each, on seats in dealing order."""
    stack = 100 * BLIND
    players = tuple(
        Player(seat, "abcdef"[seat], stack, stack + finals[seat] * BLIND, parse_cards(hole))
        for seat, hole in enumerate(holes)
    )
    posts = (Posted(0, Post.SMALL_BLIND, BLIND // 2), Posted(1, Post.BIG_BLIND, BLIND))
    return Finished("t", 1, STAKES, 6, 2, 0, 1, players, (*posts, *steps))


def acted(seat: int, do: Do, to: int = 0, cause: Cause = Cause.OWN) -> Acted:
    return Acted(seat, do, to * BLIND, 0, cause)


def test_who_is_alone_with_whom_and_who_raised_among_others() -> None:
    flop = BoardDealt(Street.FLOP, parse_cards("Ac9h4s"))
    steps = (
        acted(2, Do.RAISE, 3),
        acted(0, Do.RAISE, 9),
        acted(1, Do.FOLD),
        acted(2, Do.CALL, 9),
        flop,
        acted(0, Do.BET, 12),
        acted(2, Do.RAISE, 40),
        acted(0, Do.FOLD, 12),
    )
    found = seen(hand(steps, ("7d2c", "QhJh", "AsAh"), (-21, -1, 22)))
    assert found is not None
    assert found.decisions == [
        Decision(0, 2, cell(Spot.AMONG, Street.PREFLOP, 0), raised=True, folded=False),
        Decision(1, 0, cell(Spot.AMONG, Street.PREFLOP, 2), raised=False, folded=True),
        Decision(2, 0, cell(Spot.FACING, Street.PREFLOP, 3), raised=False, folded=False),
        Decision(0, 2, cell(Spot.FREE, Street.FLOP, 0), raised=True, folded=False),
        Decision(2, 0, cell(Spot.FACING, Street.FLOP, 3), raised=True, folded=False),
        Decision(0, 2, cell(Spot.FACING, Street.FLOP, 0), raised=False, folded=True),
    ]
    assert found.yields == [(0, 2)]
    assert [(one.loser, one.winner, one.gift) for one in found.flows] == [
        (0, 2, True),
        (1, 2, False),
    ]
    assert sum(one.blinds for one in found.flows) == 22


def test_what_the_clock_did_is_no_decision() -> None:
    steps = (acted(2, Do.RAISE, 3), acted(0, Do.FOLD, cause=Cause.EXPIRED))
    found = seen(hand(steps, ("7d2c", "QhJh", "AsAh"), (0, 0, 0)))
    assert found is not None
    assert found.decisions == []


def test_a_big_loss_with_a_good_hand_is_no_gift() -> None:
    steps = (acted(2, Do.RAISE, 50), acted(0, Do.CALL, 50), acted(1, Do.FOLD))
    for hole, gift in (("KdKc", False), ("7d2c", True)):
        found = seen(hand(steps, (hole, "QhJh", "AsAh"), (-GIFT, 0, GIFT)))
        assert found is not None
        assert [one.gift for one in found.flows] == [gift]


def test_real_records_are_seen_whole() -> None:
    """What one loses another wins, or the room, and each decision is one that was made."""
    some = 0
    for record in seeded_records(range(6), 300):
        if record.voided and not record.opening:
            continue
        told = finished_record(record)
        found = seen(told)
        assert (found is None) == (told.void is not None)
        if found is None:
            continue
        some += len(found.decisions)
        blinds = told.stakes.big_blind
        lost: dict[int, float] = defaultdict(float)
        for flow in found.flows:
            lost[flow.winner] += flow.blinds * blinds
        won = {one.seat: one.final - one.stack for one in told.players if one.final > one.stack}
        assert lost == pytest.approx(won)
        seats = {one.seat for one in told.players}
        for one in found.decisions:
            assert {one.actor, one.other} <= seats
            assert one.actor != one.other
            assert not (one.raised and one.folded)
    assert some > 50


# What is made of it


def many(count: int, **of: Any) -> Tallies:
    """So many hands of three, among others of their players that make everybody's average."""
    tallies = Tallies()
    names = {0: "ann", 1: "ben", 2: "cyd"}
    for number in range(count):
        tallies.add(f"t/{number}", Seen(names, of.get("decisions", []), [], of.get("yields", [])))
    for number in range(40 * count):
        others = dict(enumerate(sorted(({"ann", "ben", "cyd"}, {"dan", "eve", "fay"})[number % 2])))
        usual = [
            Decision(one, other, cell(Spot.FREE, Street.FLOP, 1), number % 4 < 2, folded=False)
            for one, other in combinations(range(3), 2)
        ]
        tallies.add("u/1", Seen(others, usual if number % 2 else [], [], []))
    return tallies


def best(tallies: Tallies) -> Ranked:
    return ranked(tallies)[0]


def test_two_who_never_bet_into_each_other_are_told() -> None:
    checks = [Decision(0, 1, cell(Spot.FREE, Street.FLOP, 1), raised=False, folded=False)]
    found = best(many(60, decisions=checks))
    assert found.names == ("ann", "ben")
    (reason,) = found.reasons
    assert (reason.what, reason.found, reason.of) == (What.SOFT, 0, 60)
    assert next(why(found)).startswith("soft play: bet or raised 0 of 60 times")


def test_hands_in_which_one_gives_up_to_the_other_are_named() -> None:
    found = best(many(30, yields=[Yield(1, 0)]))
    assert found.names == ("ann", "ben")
    text = next(why(found))
    assert text.startswith("bets given up: ben bet and folded when ann raised")
    assert "as in t/0, t/1, t/2" in text


def test_nobody_is_striking_where_all_do_the_same() -> None:
    assert best(many(1)).score < 1
    assert ranked(Tallies()) == []


# The report


class FakeRecords:
    def __init__(self, *records: HandRecord | Unreadable) -> None:
        self._records = records

    def records(
        self, table_id: str, number: int | None = None
    ) -> Iterator[HandRecord | Unreadable]:
        return iter(self._records)


def rows(found: Found, top: int = 50) -> list[dict[str, str]]:
    out = io.StringIO()
    write(report(found, top), Style.CSV, out)
    return list(csv.DictReader(io.StringIO(out.getvalue())))


def test_hands_of_other_days_count_nothing_and_what_cannot_be_read_is_named() -> None:
    record = next(one for one in seeded_records(range(1)) if not one.voided)
    broken = replace(record, events="[[")
    hands = FakeRecords(record, Unreadable("t", "000000009"), broken)
    day = Days().day(record.ended)
    found = look(hands, ["t"], Days(day, day))
    assert found.tallies.hands == 1
    assert found.amiss == ["t hand 9", f"t hand {record.number}"]
    players = len(finished_record(record).players)
    assert len(rows(found)) == players * (players - 1) // 2
    assert len(rows(found, 1)) == 1
    later = Days(day.replace(year=day.year + 1))
    assert look(FakeRecords(record), ["t"], later).tallies.hands == 0


def test_chips_are_told_from_the_first_players_side() -> None:
    tallies = Tallies()
    for name, net in (("t/1", -5.0), ("t/2", 2.0)):
        loser, winner = (0, 1) if net < 0 else (1, 0)
        flow: Any = (loser, winner, abs(net), False)
        tallies.add(name, Seen({0: "ann", 1: "ben"}, [], [flow], []))
    (row,) = rows(Found(Days(), tallies))
    assert (row["players"], row["hands"]) == ("ann ben", "2")
    assert (row["net bb"], row["gross bb"]) == ("-3.0", "7.0")


def test_the_report_is_asked_for_with_a_reason_which_is_kept(
    tables: DynamoTables, capsys: pytest.CaptureFixture[str]
) -> None:
    assert open_table(tables, "t-0", table_settings(no_limit("PHP", 500)), 0)
    for record in seeded_records(range(1), 100):
        tables._client.put_item(TableName=tables.name, Item=written(_hand_item(record)))
    words = ["report", "pairs", "--stack", STACK, "--top", "3"]
    assert main(words) == 2
    assert capsys.readouterr().err == "cardroom: support sees all cards: say --why\n"
    assert main([*words, "--why", "a complaint", "--who", "sue"]) == 0
    assert "\n     1  p" in capsys.readouterr().out
    (kept,) = DynamoHistories.beside(tables).looks()
    assert isinstance(kept, Look)
    assert (kept.who, kept.why) == ("sue", "a complaint")
    assert kept.what.startswith("pairs of players, the beginning to now")
    assert main([*words, "--why", "again", "--top", "0"]) == 2
