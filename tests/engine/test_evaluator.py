"""The evaluator: what beats what, proven on all five-card hands and against another evaluator."""

import importlib.util
import random
import sys
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from types import ModuleType

import eval7
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_engine import evaluator
from poker_engine.cards import DECK, join_cards, parse_cards, rank, suit, text
from poker_engine.evaluator import BEST, WORST, Category, category, describe, evaluate

ROOT = Path(__file__).parents[2]

hands = st.integers(5, 7).flatmap(
    lambda size: st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True)
)
seven_cards = st.lists(st.sampled_from(DECK), min_size=7, max_size=7, unique=True)


def score(cards: str) -> int:
    return evaluate(parse_cards(cards))


@pytest.fixture(scope="module")
def scores_of_five() -> Counter[int]:
    """How many of the 2,598,960 five-card hands have each score."""
    return Counter(map(evaluate, combinations(DECK, 5)))


# Five cards


@pytest.mark.rule("5.1")
def test_each_category_has_its_known_number_of_five_card_hands(
    scores_of_five: Counter[int],
) -> None:
    by_category: Counter[Category] = Counter()
    for worth, count in scores_of_five.items():
        by_category[category(worth)] += count
    assert by_category == {
        Category.STRAIGHT_FLUSH: 40,
        Category.FOUR_OF_A_KIND: 624,
        Category.FULL_HOUSE: 3_744,
        Category.FLUSH: 5_108,
        Category.STRAIGHT: 10_200,
        Category.THREE_OF_A_KIND: 54_912,
        Category.TWO_PAIR: 123_552,
        Category.PAIR: 1_098_240,
        Category.HIGH_CARD: 1_302_540,
    }


@pytest.mark.rule("5.1")
def test_five_card_hands_take_exactly_the_scores_from_worst_to_best(
    scores_of_five: Counter[int],
) -> None:
    assert sorted(scores_of_five) == list(range(WORST, BEST + 1))
    assert len(scores_of_five) == 7_462
    assert scores_of_five[BEST] == 4  # a royal flush in each suit
    assert scores_of_five[WORST] == 4**5 - 4  # 7-5-4-3-2 in all suits but one alone


LADDER = [
    "2c3d4h5s7c",  # the worst hand
    "AcKdQhJs9c",
    "2c2d3h4s5c",
    "AcAdKhQsJc",
    "2c2d3h3s4c",
    "AcAdKhKsQc",
    "2c2d2h3s4c",
    "AcAdAhKsQc",
    "Ac2d3h4s5c",
    "2c3d4h5s6c",
    "TcJdQhKsAc",
    "2c3c4c5c7c",
    "AcKcQcJc9c",
    "2c2d2h3s3c",
    "AcAdAhKsKc",
    "2c2d2h2s3c",
    "AcAdAhAsKc",
    "Ac2c3c4c5c",
    "2c3c4c5c6c",
    "TcJcQcKcAc",
]


@pytest.mark.rule("5.1")
@pytest.mark.parametrize(("worse", "better"), list(pairwise(LADDER)))
def test_the_better_five_cards_score_more(worse: str, better: str) -> None:
    assert score(worse) < score(better)


# Seven cards


@pytest.mark.rule("5.1")
@given(st.lists(st.sampled_from(DECK), min_size=6, max_size=7, unique=True))
def test_the_best_five_count_whichever_they_are(cards: list[int]) -> None:
    assert evaluate(cards) == max(evaluate(five) for five in combinations(cards, 5))


@pytest.mark.rule("5.1")
def test_every_collection_of_ranks_scores_as_its_best_five() -> None:
    """One hand without a flush for each of the 67,600 ways to hold 6 or 7 cards by rank."""
    checked = 0
    for size in (6, 7):
        for held in _rank_collections(size):
            cards = _without_flush(held)
            best = max(evaluate(cards[:i] + cards[i + 1 :]) for i in range(size))
            assert evaluate(cards) == best, join_cards(cards)
            checked += 1
    assert checked == 18_395 + 49_205


def _rank_collections(size: int, least: int = 0) -> list[tuple[int, ...]]:
    """Ranks of ``size`` cards, ascending from ``least``, none more than four times."""
    if size == 0:
        return [()]
    return [
        (lowest,) * count + rest
        for lowest in range(least, 13)
        for count in range(1, min(4, size) + 1)
        for rest in _rank_collections(size - count, lowest + 1)
    ]


def _without_flush(held: tuple[int, ...]) -> tuple[int, ...]:
    """Cards of these ascending ranks, their suits in turn: at most two of a suit."""
    return tuple(one * 4 + place % 4 for place, one in enumerate(held))


@pytest.mark.rule("5.1")
def test_two_hundred_thousand_showdowns_fall_as_eval7_says() -> None:
    """Two hands on a shared board each time; the order must be the same, ties included."""
    theirs = [eval7.Card(text(card)) for card in DECK]
    chosen = random.Random(200_000)
    translation: dict[int, int] = {}
    outcomes: Counter[int] = Counter()
    for _ in range(200_000):
        deal = chosen.sample(DECK, 9)
        first, second = deal[:7], deal[2:]
        ours = evaluate(first), evaluate(second)
        referee = (
            eval7.evaluate([theirs[card] for card in first]),
            eval7.evaluate([theirs[card] for card in second]),
        )
        outcome = (ours[0] > ours[1]) - (ours[0] < ours[1])
        assert outcome == (referee[0] > referee[1]) - (referee[0] < referee[1]), join_cards(deal)
        outcomes[outcome] += 1
        translation.update(zip(ours, referee, strict=True))
    assert min(outcomes.values()) > 5_000
    # Not only within a pair: all scores that occurred stand in one order.
    assert all(translation[a] < translation[b] for a, b in pairwise(sorted(translation)))


@pytest.mark.rule("5.1")
@given(cards=hands, suits=st.permutations(range(4)))
def test_suits_never_break_ties(cards: list[int], suits: list[int]) -> None:
    assert evaluate([rank(one) * 4 + suits[suit(one)] for one in cards]) == evaluate(cards)


@pytest.mark.rule("5.1")
@given(seven_cards.flatmap(lambda cards: st.tuples(st.just(cards), st.permutations(cards))))
def test_the_order_of_the_cards_does_not_matter(both: tuple[list[int], list[int]]) -> None:
    given_order, other_order = both
    assert evaluate(given_order) == evaluate(other_order)


@pytest.mark.rule("5.1")
def test_any_mix_of_hole_and_board_cards_counts() -> None:
    board = "TsJsQsKs2d"
    assert describe(parse_cards(board + "As3c")) == "royal flush"  # one hole card
    assert describe(parse_cards(board + "AcAd")) == "straight, ace high"  # one of a pair
    assert describe(parse_cards("Ts9c4d3d2d" + "QsJs")) == "high card, queen"  # both


# Showdowns that other engines got wrong


@pytest.mark.rule("5.1")
def test_a_steel_wheel_beats_a_six_high_straight() -> None:
    board = "2d3d4d5d9h"
    assert score(board + "AdKh") > score(board + "6cKs")
    assert describe(parse_cards(board + "AdKh")) == "straight flush, five high"
    assert describe(parse_cards(board + "6cKs")) == "straight, six high"


@pytest.mark.rule("5.1", "5.3")
def test_hole_cards_outside_the_best_five_do_not_decide() -> None:
    board = "5c6d7h8s9c"
    assert score(board + "AhKd") == score(board + "2c2d") == score(board)


@pytest.mark.rule("5.1", "5.3")
def test_a_third_pair_is_no_kicker_below_a_higher_card() -> None:
    board = "6cQcAd6sAc"
    assert score(board + "TdJs") == score(board + "3s3d") == score("AdAc6c6sQc")
    assert describe(parse_cards(board + "3s3d")) == "two pair, aces and sixes"


@pytest.mark.rule("5.1", "5.3")
def test_a_pair_with_all_kickers_on_the_board_is_equal() -> None:
    board = "AcJh3hQd3c"
    assert score(board + "8s5d") == score(board + "8h2d") == score("3h3cAcQdJh")


@pytest.mark.rule("5.1")
def test_a_pair_is_decided_by_its_kickers() -> None:
    board = "9c7s5h5s3c"
    better, worse = score(board + "8hKs"), score(board + "4dQs")
    assert better > worse
    assert better == score("5h5sKs9c8h")
    assert worse == score("5h5sQs9c7s")


@pytest.mark.rule("5.1")
def test_a_third_pair_is_the_kicker_when_it_is_the_highest_card_left() -> None:
    assert score("AcAdKcKdQcQd2s") == score("AcAdKcKdQs") > score("AcAdKcKdJs9c2s")


@pytest.mark.rule("5.1")
def test_an_ace_does_not_join_the_ends_of_a_straight() -> None:
    assert category(score("QcKdAh2s3c")) is Category.HIGH_CARD
    assert category(score("QcKcAc2c3c")) is Category.FLUSH


@pytest.mark.rule("5.1")
def test_the_ace_is_low_in_the_wheel_even_beside_a_pair_of_aces() -> None:
    assert describe(parse_cards("AcAd2h3s4c5d9h")) == "straight, five high"
    assert score("AcAd2h3s4c5d6h") > score("AcAd2h3s4c5d9h")


@pytest.mark.rule("5.1")
def test_of_two_sets_of_three_the_higher_is_filled_by_the_lower() -> None:
    assert score("4c4d4h9c9d9h2s") == score("9c9d9h4c4d")
    assert describe(parse_cards("4c4d4h9c9d9h2s")) == "full house, nines over fours"


@pytest.mark.rule("5.1")
def test_the_higher_of_two_pairs_fills_a_set() -> None:
    assert score("4c4d4h9c9dKhKs") == score("4c4d4hKhKs")
    assert describe(parse_cards("4c4d4h9c9dKhKs")) == "full house, fours over kings"


@pytest.mark.rule("5.1")
def test_a_straight_and_a_flush_of_other_cards_are_no_straight_flush() -> None:
    assert describe(parse_cards("5h6h7h8h9cKhAd")) == "flush, king high"


@pytest.mark.rule("5.1")
def test_five_of_six_or_seven_suited_cards_count() -> None:
    assert score("AcKc9c7c5c3c2d") == score("AcKc9c7c5c")
    assert score("2c3c4c5c6c7c8c") == score("4c5c6c7c8c")
    assert score("Ac2c3c4c5cKcQc") == score("Ac2c3c4c5c")


# Words


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("TsJsQsKsAs2c2d", "royal flush"),
        ("5s6s7s8s9sAhAd", "straight flush, nine high"),
        ("AsAhAdAcKsKdKc", "four of a kind, aces"),
        ("6s6h6d2c2sAdKc", "full house, sixes over deuces"),
        ("2h4h7h9hJhAsAd", "flush, jack high"),
        ("As2d3h4c5s", "straight, five high"),
        ("TsJdQhKcAs", "straight, ace high"),
        ("8s8h8d2c4sJdKc", "three of a kind, eights"),
        ("AsAh6d6c2s2dQc", "two pair, aces and sixes"),
        ("TsTh2d4c6s", "pair of tens"),
        ("Ks9h7d4c3s2d", "high card, king"),
    ],
)
def test_a_hand_is_described_by_its_best_five(cards: str, words: str) -> None:
    assert describe(parse_cards(cards)) == words


NAMES = {
    Category.HIGH_CARD: "high card",
    Category.PAIR: "pair of",
    Category.TWO_PAIR: "two pair",
    Category.THREE_OF_A_KIND: "three of a kind",
    Category.STRAIGHT: "straight, ",
    Category.FLUSH: "flush",
    Category.FULL_HOUSE: "full house",
    Category.FOUR_OF_A_KIND: "four of a kind",
    Category.STRAIGHT_FLUSH: "straight flush",
}


@given(hands)
def test_the_words_name_the_category(cards: list[int]) -> None:
    words = describe(cards)
    assert words == "royal flush" or words.startswith(NAMES[category(evaluate(cards))])


@given(seven_cards)
def test_the_words_are_those_of_the_best_five_alone(cards: list[int]) -> None:
    assert describe(cards) == describe(max(combinations(cards, 5), key=evaluate))


# Wrong input and the table file


@pytest.mark.parametrize("size", [0, 4, 8])
def test_other_numbers_of_cards_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"5, 6 or 7 cards, not {size}"):
        evaluate(DECK[:size])


@pytest.mark.parametrize("wrong", [WORST - 1, BEST + 1])
def test_what_is_no_score_has_no_category(wrong: int) -> None:
    with pytest.raises(ValueError, match=f"{wrong} is not a score"):
        category(wrong)


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "evaluator_tables", ROOT / "bench" / "evaluator_tables.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _shipped() -> Path:
    return Path(evaluator.__file__).with_name("evaluator_tables.bin")


def test_the_shipped_tables_are_what_the_generator_makes() -> None:
    assert _shipped().read_bytes() == _generator().build()


def test_the_tables_are_small_enough_for_a_cold_start() -> None:
    assert _shipped().stat().st_size < 400_000


def test_a_foreign_file_is_not_taken_for_tables(tmp_path: Path) -> None:
    foreign = tmp_path / "evaluator_tables.bin"
    foreign.write_bytes(b"something" * 10)
    with pytest.raises(
        RuntimeError, match=r"evaluator_tables\.bin does not hold the evaluator's tables"
    ):
        evaluator._load(str(foreign))


def test_a_big_endian_machine_reads_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told that it is on one, the loader swaps what a little-endian machine must not swap."""
    read = evaluator._load(str(_shipped()))
    other = "little" if sys.byteorder == "big" else "big"
    monkeypatch.setattr(sys, "byteorder", other)
    for section, swapped in zip(read, evaluator._load(str(_shipped())), strict=True):
        swapped.byteswap()
        assert swapped == section
