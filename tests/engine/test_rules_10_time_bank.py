"""RULES 10.4: the time bank, where a table has one."""

import pytest

from poker_engine import codec, views
from poker_engine.clock import Due, due, expires_at, wake_at
from poker_engine.commands import Expire
from poker_engine.errors import Code
from poker_engine.events import Acted, BankClosed, BankOpened, Going, TurnBegan
from poker_engine.stakes import PHP_STAKES, Settings, table_settings
from poker_engine.state import Cause, Do, Exit, Turn
from tests.engine.kit import SECOND, Game, given, opened

pytestmark = pytest.mark.rule("10.4")

BANK = 20 * SECOND
UNSEEN = 2 * SECOND
"""From the deadline that is shown to the moment at which the turn expires (RULES 4.5)."""


def dealt(stacks: tuple[int, ...] = (500, 500, 500), bank: int = BANK) -> Game:
    return given(stacks, time_bank_ms=bank)


def turn(game: Game) -> Turn:
    assert game.hand.turn is not None
    return game.hand.turn


def banks(game: Game) -> list[int]:
    return [game.standing(number).bank for number in range(len(game.table.seats))]


def test_a_table_has_none_unless_it_says_so() -> None:
    assert Settings.__dataclass_fields__["time_bank_ms"].default == 0
    game = given([500, 500, 500])
    assert banks(game) == [0, 0, 0]
    assert game.expire()[0] == Acted(2, Do.FOLD, 0, 0, Cause.EXPIRED)
    seats = views.snapshot(game.table, 0, game.deck, game.now)["state"]["seats"]
    assert all("bank" not in seat for seat in seats)


def test_it_is_full_when_a_player_sits_down_and_gains_a_second_a_hand_up_to_full() -> None:
    game = dealt()
    assert banks(game) == [BANK] * 3
    game.expire()
    game.wait(10_300)
    game.play("s2 folds")
    left = banks(game)[2]
    assert left == BANK - UNSEEN - 10_300
    game.fold_out()
    game.next_hand()
    assert banks(game) == [BANK, BANK, left + SECOND]
    for _ in range(13):
        game.fold_out()
        game.next_hand()
    assert banks(game) == [BANK] * 3


def test_who_is_not_dealt_in_gains_nothing() -> None:
    game = dealt()
    game.expire()
    game.play("s2 folds")
    game.expire()
    game.wait(BANK // 2)
    game.play("s0 folds")
    left = banks(game)[0]
    game.sit_out("p0")
    game.next_hand()
    assert banks(game)[0] == left < BANK // 2


def test_at_the_end_of_a_turn_the_bank_is_opened_and_the_turn_goes_on() -> None:
    game = dealt()
    before = turn(game)
    events = game.expire()
    deadline = before.deadline + BANK
    assert events == (BankOpened(2, deadline, expires_at(deadline, 1_000)),)
    assert turn(game) == Turn(1, 2, deadline, expires_at(deadline, 1_000), banked=True)
    assert wake_at(game.table) == turn(game).expires
    assert game.may is not None
    assert game.may.seat == 2
    game.play("s2 raises 20")
    assert game.turn_of == 0


@pytest.mark.rule("4.5")
@pytest.mark.parametrize("late", [0, 1, 3 * SECOND])
def test_the_whole_bank_counts_from_the_deadline_that_was_shown(late: int) -> None:
    """Nobody may have noticed for a while: he has that from his bank, and no unseen second."""
    game = dealt()
    before = turn(game)
    assert before.expires - before.deadline == UNSEEN
    game.wait(before.expires + late - game.now)
    game.settle_due()
    assert turn(game).deadline == before.deadline + BANK
    assert turn(game).expires == expires_at(before.deadline + BANK, 1_000)
    game.play("s2 calls")
    assert game.last[0] == BankClosed(2, BANK - UNSEEN - late)


def test_an_action_in_the_grace_takes_nothing_from_it() -> None:
    game = dealt()
    game.wait(turn(game).expires - 1 - game.now)
    assert due(game.table, game.now) is None
    game.play("s2 calls")
    assert [type(one) for one in game.last] == [Acted, TurnBegan]
    assert banks(game)[2] == BANK


def test_what_is_not_used_is_left() -> None:
    game = dealt()
    game.expire()
    game.wait(4_321)
    game.play("s2 calls")
    left = BANK - UNSEEN - 4_321
    assert game.last[:2] == (BankClosed(2, left), Acted(2, Do.CALL, 10, 10, Cause.OWN))
    assert banks(game) == [BANK, BANK, left]
    assert turn(game).banked is False


def test_in_the_bank_too_the_grace_counts() -> None:
    game = dealt()
    game.expire()
    game.wait(turn(game).deadline + 500 - game.now)
    game.play("s2 calls")
    assert game.last[0] == BankClosed(2, 0)


@pytest.mark.rule("4.1")
def test_when_it_is_used_up_the_clock_acts_as_ever() -> None:
    game = dealt()
    game.expire()
    assert game.refuses(Expire()).code is Code.NOT_DUE
    game.wait(turn(game).expires - 1 - game.now)
    assert due(game.table, game.now) is None
    game.wait(1)
    assert due(game.table, game.now) is Due.EXPIRE
    game.do(Expire())
    assert game.last[:2] == (BankClosed(2, 0), Acted(2, Do.FOLD, 0, 0, Cause.EXPIRED))
    assert banks(game)[2] == 0
    assert game.standing(2).expired == 1


@pytest.mark.parametrize(("bank", "late"), [(UNSEEN + SECOND, 0), (BANK, BANK - UNSEEN - SECOND)])
def test_no_bank_is_opened_of_which_no_more_than_a_second_would_be_left(
    bank: int, late: int
) -> None:
    game = dealt(bank=bank)
    game.wait(turn(game).expires + late - game.now)
    game.settle_due()
    assert game.of(BankOpened) == []
    assert game.acted[0] == (2, Do.FOLD)
    assert banks(game)[2] == bank
    more = dealt(bank=bank + 1)
    before = turn(more)
    more.wait(before.expires + late - more.now)
    more.settle_due()
    assert more.last == (BankOpened(2, turn(more).deadline, turn(more).expires),)
    assert turn(more).deadline == more.now + SECOND + 1 > before.deadline
    assert turn(more).expires > more.now >= before.expires


@pytest.mark.parametrize("grace", [0, 1_000, 5_000])
def test_neither_deadline_goes_back(grace: int) -> None:
    opened_at = 0
    for bank in range(1_000, 12_000, 250):
        game = given((500, 500, 500), time_bank_ms=bank, grace_ms=grace)
        before = turn(game)
        if isinstance(game.expire()[0], BankOpened):
            opened_at = opened_at or bank
            assert turn(game).deadline > game.now + SECOND
            assert turn(game).deadline > before.deadline
            assert turn(game).expires > before.expires
        else:
            assert not opened_at
    assert opened_at > grace


@pytest.mark.rule("4.2", "4.3")
def test_who_never_comes_back_is_removed_when_it_is_used_up() -> None:
    game = dealt((500, 500))
    game.play("s1 calls")
    game.expire()
    game.expire()
    assert game.standing(0).expired == 1
    assert game.of(Going) == []
    game.expire()
    assert game.of(Going) == [Going(0, Exit.REMOVED)]


@pytest.mark.rule("4.2")
def test_opening_it_is_no_expiry_and_acting_in_it_is_an_action_of_ones_own() -> None:
    game = dealt()
    game.expire()
    assert game.hand.timed == 0
    assert game.standing(2).expired == 0
    game.play("s2 calls")
    assert game.hand.own == 1 << 2


@pytest.mark.rule("2.7")
def test_who_leaves_in_it_acts_at_once() -> None:
    game = dealt()
    game.expire()
    game.wait(SECOND)
    game.leave("p2")
    assert game.last[:3] == (
        Going(2, Exit.LEFT),
        BankClosed(2, BANK - UNSEEN - SECOND),
        Acted(2, Do.FOLD, 0, 0, Cause.LEAVING),
    )


@pytest.mark.rule("9")
def test_a_void_hand_gives_back_what_it_took() -> None:
    game = dealt()
    game.expire()
    game.wait(10 * SECOND)
    game.play("s2 calls")
    game.expire()
    game.void()
    assert banks(game) == [BANK] * 3
    assert game.hand.turn is None
    assert game.replayed() == game.table


def test_it_is_shown_to_all() -> None:
    game = dealt()
    events = game.expire()
    for viewer in (None, 0, 1, 2):
        sent = views.snapshot(game.table, viewer, game.deck, game.now, game.log)["state"]
        assert [seat["bank"] for seat in sent["seats"]] == [BANK] * 3
        assert sent["turn"]["deadline"] == turn(game).deadline
        push = views.push(game.table, events, viewer, game.deck, 0, game.now)
        assert push["events"] == [{"e": "bank_opened", "seat": 2, "deadline": turn(game).deadline}]
    game.wait(SECOND)
    game.play("s2 calls")
    push = views.push(game.table, game.last, None, None, 0, game.now)
    assert push["events"][0] == {"e": "bank_closed", "seat": 2, "left": BANK - UNSEEN - SECOND}


def test_it_stands_in_the_record_and_the_state() -> None:
    game = dealt()
    game.expire()
    assert codec.load_table(codec.dump_table(game.table)) == game.table
    assert codec.load_events(codec.dump_events(game.log)) == tuple(game.log)
    game.play("s2 calls")
    assert game.replayed() == game.table
    assert codec.load_table(codec.dump_table(game.table)) == game.table


@pytest.mark.parametrize("fields", [{"time_bank_ms": 180_001}, {"time_bank_ms": -1}])
def test_a_table_gives_3_minutes_at_most(fields: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="a time bank holds 0 to 180 seconds"):
        table_settings(PHP_STAKES[0], **fields)
    assert table_settings(PHP_STAKES[0], time_bank_ms=180_000).time_bank_ms == 180_000


def test_a_new_player_has_it_full_whoever_sat_there() -> None:
    game = opened(time_bank_ms=BANK)
    for seat in range(3):
        game.sit(f"p{seat}", seat)
    game.next_hand()
    number = game.turn_of
    assert number is not None
    game.expire()
    game.expire()
    assert game.standing(number).bank == 0
    game.fold_out()
    game.leave(f"p{number}")
    game.sit("new", number)
    assert game.standing(number).bank == BANK
