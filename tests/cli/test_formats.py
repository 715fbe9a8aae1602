"""Formats of hand histories, each read by programs that are not ours: pokerkit, ohh-pydantic and
hhp.
"""

import json
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from random import Random
from zoneinfo import ZoneInfo

import pytest
from open_hh_models.models import OpenHandHistory
from pokerkit import HandHistory

from bench import foreign
from bench.foreign import Verdict, big_blind_is_short, cents, has_half_bets, posts
from bench.hand_files import own_hands, real_hands
from cli.cases import Case, read_cases
from cli.finished import Finished, Player, finished_case, finished_record
from cli.formats import ohh, phh, pokerstars
from cli.record import case_of_record
from cli.replay import replay_case
from poker_engine.cards import text
from poker_engine.events import Acted, Shown
from poker_engine.stakes import Game
from poker_engine.state import Do, Post
from poker_engine.views import PUBLIC, Sight
from tests.cli.recorded import case_records, seeded_records, voided

SEEDS = range(40)
CASES = 120
MOST_EXPLAINED = 0.05
"""Of all hands: those where pokerkit's rules are known to leave ours."""


@dataclass(frozen=True)
class Hand:
    """A finished hand with the case that its record makes."""

    told: Finished
    case: Case

    @property
    def stacks(self) -> list[int]:
        return [one.final for one in self.told.players]


@cache
def course() -> tuple[Hand, ...]:
    """Some hundreds of hands of seeded courses of play, none of them void."""
    found = []
    for record in (*seeded_records(SEEDS), *case_records(CASES)):
        told = finished_record(record)
        if told.void is None:
            found.append(Hand(told, case_of_record(record)))
    return tuple(found)


@cache
def void_hands() -> tuple[Finished, ...]:
    """Void on every turn of some hands, and as a course of play has them."""
    found = [
        finished_record(voided(record, turn))
        for record in (*islice(seeded_records(SEEDS), 0, None, 12), *case_records(20))
        for turn in range(1, record.events.count('["turn",') + 1)
    ]
    chance = map(finished_record, seeded_records(range(60, 70)))
    return (*found, *(hand for hand in chance if hand.void is not None))


def cases() -> Iterator[Case]:
    for file in (*real_hands(), *own_hands()):
        for case in read_cases(file):
            assert isinstance(case, Case), case
            yield case


# What is in the course of play


def test_the_course_has_all_that_is_hard() -> None:
    counts: Counter[str] = Counter()
    for hand in course():
        told = hand.told
        kinds = {one.post for one in posts(told)}
        counts.update(
            {
                "no-limit": told.stakes.game is Game.NO_LIMIT,
                "fixed-limit": told.stakes.game is Game.FIXED_LIMIT,
                "antes": Post.ANTE in kinds,
                "late posts": Post.LIVE in kinds,
                "dead posts": Post.DEAD in kinds,
                "side pots": len(told.pots) > 1,
                "three pots": len(told.pots) > 2,
                "split pots": any(len(pot.shares) > 1 for pot in told.pots),
                "rake": bool(told.rake),
                "run-outs": "run-out" in hand.case.tags or len(told.board) == 5,
                "dead button": told.button not in [one.seat for one in told.players],
                "no small blind": Post.SMALL_BLIND not in kinds,
                "heads-up": len(told.players) == 2,
                "short big blind": big_blind_is_short(told),
                "half bets": has_half_bets(told),
            }
        )
    missing = [name for name, count in counts.items() if not count]
    assert missing == []
    assert len(course()) > 300


# PHH


def test_every_case_comes_back_through_phh_as_it_was() -> None:
    """Those of `shared/hands` too, where they are at hand."""
    compared = 0
    for case in cases():
        assert phh.load(phh.dump_case(case)) == case
        compared += 1
    assert compared > 80


def test_pokerkit_plays_the_cases_to_their_stacks() -> None:
    results: Counter[str] = Counter()
    for case in cases():
        parse = {"parse_value": cents} if case.unit == "1/100" else {}
        history = HandHistory.loads(phh.dump_case(case), **parse)
        if parse:
            history.parse_value = cents
        told = finished_case(case)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # It finds a fold where a check is free unwise.
                state = tuple(history)[-1]
        except ValueError:
            assert has_half_bets(told), case
            results["there are half bets"] += 1
            continue
        assert list(state.stacks) == [one.final for one in told.players], case
        results["same"] += 1
    assert results["there are half bets"] < 10, results


def counted(judge: Callable[[Finished], Verdict], every: int = 1) -> Counter[Verdict]:
    """What a reader makes of the course's hands; it raises where one differs."""
    return Counter(judge(hand.told) for hand in course()[::every])


def few_are_explained(results: Counter[Verdict]) -> bool:
    judged = results.total() - results[Verdict.POSTS]
    return judged > 100 and judged - results[Verdict.SAME] < MOST_EXPLAINED * judged


def test_pokerkit_comes_to_the_same_stacks_when_it_is_given_the_rake() -> None:
    results = counted(foreign.pokerkit_of_phh)
    assert few_are_explained(results), results
    assert not results[Verdict.POSTS]


def test_two_who_raise_past_the_cap_are_told_apart() -> None:
    """Where the table lets them (RULES 3.4); pokerkit would have none of it."""
    found = [
        hand
        for hand in map(finished_record, seeded_records(range(100, 121)))
        if foreign.goes_past_the_cap(hand) and not has_half_bets(hand)
    ]
    assert len(found) > 1
    for hand in found:
        assert foreign.pokerkit_of_phh(hand) is Verdict.UNCAPPED
        assert foreign.ohh_pydantic(hand) is Verdict.SAME
    assert foreign.hhp(found) == [Verdict.SAME] * len(found)


def test_what_the_room_recorded_comes_back_through_phh_and_agrees() -> None:
    for hand in course():
        back = phh.load(phh.dump(hand.told))
        assert back.final_stacks == hand.case.final_stacks
        assert [(one.street, one.do, one.to) for one in back.actions] == [
            (one.street, one.do, one.to) for one in hand.case.actions
        ]
        assert (back.hole, back.posts, back.board) == (
            hand.case.hole,
            hand.case.posts,
            hand.case.board,
        )


def test_the_time_is_of_the_zone_that_is_named() -> None:
    hand = replace(course()[0].told, started=1_764_000_000_000)
    text = phh.dump(hand, ZoneInfo("Asia/Manila"), "Asia/Manila")
    assert 'time = 00:00:00\ntime_zone = "Asia/Manila"\nday = 25\nmonth = 11\nyear = 2025\n' in text
    assert "2025/11/25 0:00:00 UTC+08" in pokerstars.dump(hand, ZoneInfo("Asia/Manila"))
    assert "2025-11-24T16:00:00Z" in ohh.dump(hand)


# Open Hand History


def test_ohh_pydantic_reads_every_hand_and_adds_it_up() -> None:
    results = counted(foreign.ohh_pydantic)
    assert results[Verdict.SAME] == len(course())
    hand = json.loads(ohh.dump(course()[0].told))["ohh"]
    assert OpenHandHistory.model_validate(hand).spec_version == "1.4.7"


def test_a_hand_is_one_line_of_json() -> None:
    assert all("\n" not in ohh.dump(hand.told) for hand in course())


# Text in the manner of PokerStars


def test_pokerkit_parses_the_text_to_the_same_stacks() -> None:
    results = counted(foreign.pokerkit_of_text, every=2)  # It takes its time.
    assert few_are_explained(results), results


def test_hhp_reads_every_hand_and_adds_it_up() -> None:
    hands = [hand.told for hand in course()]
    assert foreign.hhp(hands) == [Verdict.SAME] * len(hands)


def hhp_alone(hand: Finished) -> Verdict:
    (verdict,) = foreign.hhp([hand])
    if isinstance(verdict, foreign.Differs):
        raise verdict
    return verdict


@pytest.mark.parametrize("judge", [foreign.pokerkit_of_phh, foreign.ohh_pydantic, hhp_alone])
def test_a_wrong_amount_is_noticed(judge: Callable[[Finished], Verdict]) -> None:
    """The readers are no formality: a chip that is not paid is a difference."""
    hand = next(hand.told for hand in course() if hand.told.rake and len(hand.told.live) > 1)
    first, *others = hand.players
    wrong = replace(hand, players=(replace(first, final=first.final + 1), *others))
    with pytest.raises(foreign.Differs):
        judge(wrong)


# Void hands


def test_the_void_hands_have_all_that_is_hard() -> None:
    counts: Counter[str] = Counter()
    for hand in void_hands():
        did = {step.do for step in hand.steps if isinstance(step, Acted)}
        counts.update({f"{len(hand.board)} cards": True, hand.stakes.game.name: True})
        counts.update(
            {
                "antes": Post.ANTE in {one.post for one in posts(hand)},
                "folds": Do.FOLD in did,
                "raises": Do.RAISE in did,
                "nothing done": not did,
            }
        )
    wanted = {f"{number} cards" for number in (0, 3, 4, 5)} | {game.name for game in Game}
    assert wanted <= set(counts)
    assert all(counts.values())
    assert len(void_hands()) > 200


def test_readers_come_to_the_stacks_that_a_void_hand_began_with() -> None:
    hands = list(void_hands())
    assert foreign.hhp(hands) == [Verdict.SAME] * len(hands)
    oddly = [named(hand) for hand in hands[::2]]
    assert foreign.hhp(oddly) == [Verdict.SAME] * len(oddly)
    assert {foreign.ohh_pydantic(hand) for hand in hands} == {Verdict.VOID}
    by_phh = Counter(map(foreign.pokerkit_of_phh, hands))
    assert by_phh[Verdict.SAME] > (1 - MOST_EXPLAINED) * len(hands), by_phh
    by_text = Counter(map(foreign.pokerkit_of_text, hands[::3]))
    assert by_text[Verdict.SAME] > 30, by_text


def test_a_void_hand_says_so() -> None:
    for hand in void_hands()[::3]:
        assert pokerstars.dump(hand).count("Hand cancelled\n*** SUMMARY ***\nTotal pot $0 | ") == 1
        assert " collected " not in pokerstars.dump(hand)
        assert HandHistory.loads(phh.dump(hand)).user_defined_fields["_void"] == hand.void
        with pytest.raises(phh.PhhError, match="the hand was void"):
            phh.load(phh.dump(hand))


def test_a_chip_that_does_not_come_back_is_noticed() -> None:
    hand = next(hand for hand in void_hands() if not big_blind_is_short(hand))
    first, *others = hand.players
    wrong = replace(hand, players=(replace(first, final=first.final - 1), *others))
    for judge in (foreign.pokerkit_of_phh, hhp_alone):
        with pytest.raises(foreign.Differs):
            judge(wrong)


# Names

ODD = (
    "Big Bob",
    "a:b: raises $5 to $10",
    "x [As Kd]",
    "Zoë 王 (button)",
    "x collected $9 from pot",
    "q\"uo'te\\",
    "tab\tline\nend",
    "#1 is the button",
    "  ",
    "a:b",
)


def named(hand: Finished) -> Finished:
    """With odd names for as many as there are."""
    return hand.with_names(
        {one.name: odd for one, odd in zip(hand.players, ODD, strict=False)}
        | {one.name: one.name for one in hand.players[len(ODD) :]}
    )


def oddly_named() -> list[Finished]:
    return [named(hand.told) for hand in course()[:120]]


def test_odd_names_are_kept_where_the_format_can() -> None:
    for hand in oddly_named():
        names = [one.name for one in hand.players]
        assert HandHistory.loads(phh.dump(hand), parse_value=cents).players == names
        read = OpenHandHistory.model_validate(json.loads(ohh.dump(hand))["ohh"])
        assert [one.name for one in read.players] == names


def test_odd_names_spoil_no_text() -> None:
    """They lose what a reader would stumble over, and are all different still."""
    hands = oddly_named()
    assert foreign.hhp(hands) == [Verdict.SAME] * len(hands)


# Who sees what


def test_each_sees_his_own_cards_and_what_was_shown() -> None:
    told = 0
    for record in seeded_records(range(6)):
        everything = finished_record(record)
        public = finished_record(record, PUBLIC)
        for one in everything.players:
            his = finished_record(record, Sight(one.name))
            for mine, open_, all_ in zip(
                his.players, public.players, everything.players, strict=True
            ):
                assert mine.hole == (all_.hole if mine.seat == one.seat else open_.hole)
            for written in (phh.dump(his), ohh.dump(his), pokerstars.dump(his)):
                assert not hidden(everything, public, one) & cards_in(written)
                told += 1
    assert told > 300


def hidden(everything: Finished, public: Finished, eyes: Player) -> set[str]:
    """Cards that this player may not see."""
    seen = {card for step in public.steps if isinstance(step, Shown) for card in step.cards}
    seen |= set(everything.board) | set(everything.player(eyes.seat).hole or ())
    return {text(card) for one in everything.players for card in one.hole or () if card not in seen}


def cards_in(text: str) -> set[str]:
    parts = re.findall(r"(?:\b|\[)((?:[2-9TJQKA][cdhs] ?)+)(?=\b|\]|\")", text)
    return {one for part in parts for one in re.findall(r"[2-9TJQKA][cdhs]", part)}


# What is no hand


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[", "not TOML"),
        ("antes = [0, 0]", "`variant` is missing"),
        ('variant = "PO"', "no other game is played here"),
        ('variant = "NT"', "`starting_stacks` is missing"),
        (
            'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n'
            'starting_stacks = [9, 9]\nactions = ["p1 dances"]',
            "no action of hold'em",
        ),
        (
            'variant = "NT"\nantes = [0, 0, 0]\nblinds_or_straddles = [1, 2, 4]\nmin_bet = 2\n'
            "starting_stacks = [9, 9, 9]\nactions = []",
            "a straddle is not played here",
        ),
        (
            'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n'
            "starting_stacks = [9, inf]\nactions = []",
            "amount",
        ),
        (
            'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n'
            'starting_stacks = [9, 9]\nactions = ["d dh p3 AsKs"]',
            "there is no player",
        ),
    ],
)
def test_what_is_wrong_with_a_hand_is_said(text: str, problem: str) -> None:
    with pytest.raises(phh.PhhError, match=problem):
        phh.load(text)


@pytest.mark.parametrize("amount", ["1e999999999", "-1e999999999", "nan", "inf", "9" * 400, "true"])
def test_no_amount_takes_all_memory(amount: str) -> None:
    hand = course()[0].told
    text = phh.dump(hand)
    for line in text.splitlines():
        name, _, value = line.partition(" = ")
        if name in ("starting_stacks", "_stakes", "_positions", "seats"):
            changed = text.replace(line, f"{name} = [{amount}, {value[1:]}")
            with pytest.raises(phh.PhhError):
                phh.load(changed)


def test_whatever_is_in_a_file_is_a_hand_or_said_to_be_none() -> None:
    """Texts with a part cut out, doubled, or changed."""
    random = Random("phh")
    texts = [phh.dump(hand.told) for hand in course()[:10]]
    refused = 0
    for _ in range(1500):
        written = random.choice(texts)
        begin = random.randrange(len(written))
        end = min(len(written), begin + random.choice((1, 1, 3, 12)))
        part = random.choice(
            ("", written[begin:end] * 2, random.choice('0-9."[]=pcbr #?\n'), "1e9")
        )
        try:
            phh.load(written[:begin] + part + written[end:])
        except phh.PhhError:
            refused += 1
    assert refused > 500


def test_a_hand_of_another_program_is_played() -> None:
    """The example of pokerkit's documentation: Dwan and Ivey, 2009, by the format's own fields."""
    text = """
variant = "NT"
ante_trimming_status = true
antes = [500, 500, 500]
blinds_or_straddles = [1000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000000, 553500]
actions = [
  "d dh p1 Ac2d", "d dh p2 ????", "d dh p3 7h6h", "p3 cbr 7000", "p1 cbr 23000", "p2 f",
  "p3 cc", "d db Jc3d5c", "p1 cbr 35000", "p3 cc", "d db 4h", "p1 cbr 90000", "p3 cbr 232600",
  "p1 cbr 1067100", "p3 cc", "p1 sm Ac2d", "p3 sm 7h6h", "d db Jh",
]
"""
    case = phh.load(text, "ivey")
    assert case.final_stacks == ()
    verdict = replay_case(case)
    assert verdict.difference is None
    assert [seat.stack for seat in verdict.table.seats if seat is not None] == [
        572_100,
        1_997_500,
        1_109_500,
    ]
