"""RULES 2.6: a seat cannot be kept for nothing by coming back whenever it would be emptied."""

import pytest

from poker_engine.commands import When
from poker_engine.state import Exit, Status
from tests.engine.kit import table_of


@pytest.mark.rule("2.6")
@pytest.mark.parametrize("when", [When.NOW, When.BIG_BLIND])
def test_who_comes_back_in_each_hand_and_lets_each_big_blind_pass_loses_his_seat(
    when: When,
) -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.fold_out()
    game.sit_out("p3")
    for _ in range(20):
        game.next_hand()
        assert 3 not in game.hand.dealt
        game.sit_in("p3")
        if when is When.BIG_BLIND:
            game.sit_out("p3", when)
        game.fold_out()
        if game.is_empty(3):
            break
        if when is When.NOW:
            game.sit_out("p3")
    assert [(one.player, one.exit) for one in game.left] == [("p3", Exit.SAT_OUT)]


@pytest.mark.rule("2.6")
def test_who_comes_back_after_the_last_passing_and_pays_his_big_blind_starts_afresh() -> None:
    game = table_of(0, 1, 2, 3, button=0)
    game.fold_out()
    game.sit_out("p3")
    game.play_until(lambda: game.standing(3).passes == 3)
    game.sit_in("p3")
    game.play_until(lambda: 3 in game.hand.dealt)
    assert game.hand.big_blind == 3
    game.fold_out()
    assert game.standing(3).passes == 0
    assert game.standing(3).status is Status.ACTIVE
