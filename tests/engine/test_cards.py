"""Cards and their texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_engine.cards import DECK, RANKS, SUITS, card, join_cards, parse_cards, rank, suit, text


def test_a_card_is_its_rank_times_four_and_its_suit() -> None:
    assert card("2c") == 0
    assert card("2s") == 3
    assert card("3c") == 4
    assert card("Ac") == 48
    assert card("As") == 51


def test_the_deck_holds_each_rank_in_each_suit_once_in_order() -> None:
    assert tuple(card(r + s) for r in "23456789TJQKA" for s in "cdhs") == DECK
    assert len(set(DECK)) == 52


def test_every_card_of_the_deck_survives_its_text() -> None:
    for one in DECK:
        assert card(text(one)) == one
        assert text(one) == RANKS[rank(one)] + SUITS[suit(one)]


@pytest.mark.parametrize("wrong", ["", "A", "s", "sA", "as", "AS", "1s", "10s", "Ax", "As ", "??"])
def test_a_text_that_is_no_card_is_refused_in_a_sentence(wrong: str) -> None:
    with pytest.raises(ValueError, match="is not a card: it takes a rank of") as refusal:
        card(wrong)
    assert repr(wrong) in str(refusal.value)


@pytest.mark.parametrize("wrong", [-1, 52])
def test_a_number_that_is_no_card_has_no_text(wrong: int) -> None:
    with pytest.raises(ValueError, match=f"{wrong} is not a card"):
        text(wrong)


def test_cards_are_read_with_or_without_blanks() -> None:
    assert parse_cards("AsKd9h") == (card("As"), card("Kd"), card("9h"))
    assert parse_cards(" As  Kd 9h ") == parse_cards("AsKd9h")
    assert parse_cards("") == ()


@pytest.mark.parametrize("wrong", ["AsK", "AsXd", "As,Kd"])
def test_a_row_of_cards_with_a_wrong_part_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        parse_cards(wrong)


def test_a_row_of_cards_names_no_card_twice() -> None:
    with pytest.raises(ValueError, match="the card Kd comes twice in 'AsKdKd'"):
        parse_cards("AsKdKd")


@given(st.lists(st.sampled_from(DECK), unique=True))
def test_joined_cards_are_read_back(cards: list[int]) -> None:
    assert parse_cards(join_cards(cards)) == tuple(cards)
