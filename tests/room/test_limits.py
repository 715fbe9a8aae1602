"""The limits that a player sets himself, and what they never touch."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from typing import Any

import pytest

from cardroom import keys
from cardroom.audit import check
from cardroom.bank import BankCode, Booked, Declined, Order
from cardroom.contract import LimitsView, ReminderView
from cardroom.errors import RoomCode
from cardroom.inventory import DynamoInventory
from cardroom.limits import LONGEST_MS, WAIT_MS, Limit, Limits, may_play
from cardroom.messages import Error, Ok
from cardroom.messages import Limits as Message
from cardroom.money import Entry, Kind, Player, Standing, Turnover, Wallet
from cardroom.session import BREAK_MS, Session
from cardroom.spans import DAY_MS
from cardroom.tables import open_table
from poker_engine.rake import SCHEDULES
from poker_engine.stakes import fixed_limit, table_settings
from tests.room.meeting import Meeting
from tests.room.world import RICH, START, TABLE, World, settings

ORDER = Order("olga", "a test")
NEXT_DAY = (START // DAY_MS + 1) * DAY_MS
SECOND = 1_000
STRUCTURE = "nl-PHP-500-1000"


def _shown(world: World, **asked: Any) -> dict[str, Any]:
    """What ana's limits are once she has asked for this."""
    answer = world.say("ana", "limits", **asked)
    assert isinstance(answer, Ok), answer
    assert answer.limits is not None
    LimitsView.model_validate_json(json.dumps(answer.limits))
    return answer.limits


def _refused(answer: Ok | Error) -> tuple[str, dict[str, int] | None]:
    assert isinstance(answer, Error), answer
    return answer.code, answer.facts


def _declined(answer: Booked | Declined) -> tuple[BankCode, dict[str, int]]:
    assert isinstance(answer, Declined), answer
    assert isinstance(answer.code, BankCode)
    return answer.code, dict(answer.facts)


def _of(shown: dict[str, Any], name: str, currency: str = "PHP") -> Any:
    (found,) = [one for one in shown["currencies"] if one["currency"] == currency]
    return found[name]


def _deposit(world: World, amount: int, reference: str, player: str = "ana") -> Booked | Declined:
    return world.bank.deposit(player, "PHP", amount, reference, ORDER)


def _make(world: World, *players: str) -> None:
    """Players without money."""
    for player in players:
        world.views.connect(player, player, world.clock.now())
        assert isinstance(world.bank.create(player, ORDER), Player)


def _balanced(world: World) -> None:
    assert check(DynamoInventory(TABLE, world.tables._client).everything()) == []


# --- lower at once, higher in a day ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["deposit_day", "loss_day"])
def test_the_first_limit_and_a_lower_one_hold_at_once(world: World, name: str) -> None:
    _make(world, "ana")
    for value in (5_000, 3_000, 0):
        shown = _shown(world, currency="PHP", **{name: value})
        assert _of(shown, name) == {"value": value, "next": None}


@pytest.mark.parametrize("higher", [3_001, 10**12, None])
@pytest.mark.parametrize("name", ["deposit_day", "loss_day"])
def test_a_higher_one_or_none_holds_after_24_hours_to_the_second(
    world: World, name: str, higher: int | None
) -> None:
    _make(world, "ana")
    _shown(world, currency="PHP", **{name: 3_000})
    at = world.clock.now() + 24 * 3600 * SECOND
    shown = _shown(world, currency="PHP", **{name: higher})
    assert _of(shown, name) == {"value": 3_000, "next": {"value": higher, "at": at}}
    world.clock.go_to(at - SECOND)
    assert _of(_shown(world), name) == {"value": 3_000, "next": {"value": higher, "at": at}}
    world.clock.go_to(at)
    assert _of(_shown(world), name) == {"value": higher, "next": None}


def test_the_reminder_is_a_limit_as_the_others(world: World) -> None:
    _make(world, "ana")
    assert _shown(world, reminder_minutes=60)["reminder_minutes"] == {"value": 60, "next": None}
    at = START + WAIT_MS
    shown = _shown(world, reminder_minutes=90)
    assert shown["reminder_minutes"] == {"value": 60, "next": {"value": 90, "at": at}}
    assert _shown(world, reminder_minutes=30)["reminder_minutes"] == {"value": 30, "next": None}


def test_a_raised_deposit_limit_lets_more_in_at_that_very_second(world: World) -> None:
    _make(world, "ana")
    _shown(world, currency="PHP", deposit_day=1_000)
    _shown(world, currency="PHP", deposit_day=2_000)
    world.clock.go(WAIT_MS - SECOND)
    assert _declined(_deposit(world, 1_001, "a"))[0] is BankCode.DEPOSIT_LIMIT
    world.clock.go(SECOND)
    assert isinstance(_deposit(world, 2_000, "a"), Booked)


def test_a_raised_loss_limit_lets_more_be_bought_at_that_very_second(world: World) -> None:
    world.connect("ana", "ana")
    _shown(world, currency="PHP", loss_day=10_000)
    _shown(world, currency="PHP", loss_day=None)
    world.clock.go(WAIT_MS - SECOND)
    assert _refused(world.say("ana", "sit", seat=0, chips=10_001))[0] == RoomCode.LOSS_LIMIT
    world.clock.go(SECOND)
    assert isinstance(world.say("ana", "sit", seat=0, chips=10_001), Ok)


def test_the_last_wish_counts() -> None:
    held = Limit().wished(100, 0).wished(200, 10)
    assert held == Limit(100, 200, 10 + WAIT_MS)
    assert held.wished(200, 20) == held, "a repeated wish does not wait longer"
    assert held.wished(150, 20) == Limit(100, 150, 20 + WAIT_MS)
    assert held.wished(None, 20) == Limit(100, None, 20 + WAIT_MS)
    assert held.wished(100, 20) == Limit(100), "as it is: the change is taken back"
    assert held.wished(50, 20) == Limit(50)
    assert held.wished(150, 10 + WAIT_MS) == Limit(150), "lower than what has come into force"
    assert held.wished(201, 10 + WAIT_MS) == Limit(200, 201, 10 + 2 * WAIT_MS)
    assert Limit().wished(None, 0) == Limit()


def test_a_message_asked_twice_changes_nothing_more(world: World) -> None:
    _make(world, "ana")
    _shown(world, currency="PHP", loss_day=1_000)
    raised = _shown(world, id="x", currency="PHP", loss_day=2_000)
    version = world.tables.limits("ana").version
    world.clock.go(1)
    assert _shown(world, id="x", currency="PHP", loss_day=2_000) == raised
    assert _shown(world) == raised
    assert world.tables.limits("ana").version == version


def test_what_is_not_named_stays_as_it_is(world: World) -> None:
    _make(world, "ana")
    _shown(world, currency="PHP", loss_day=1_000, deposit_day=700, reminder_minutes=20)
    _shown(world, currency="USD", loss_day=5)
    shown = _shown(world, currency="PHP", deposit_day=600)
    assert _of(shown, "loss_day")["value"] == 1_000
    assert _of(shown, "deposit_day")["value"] == 600
    assert _of(shown, "loss_day", "USD")["value"] == 5
    assert shown["reminder_minutes"]["value"] == 20


def test_two_changes_at_once_are_both_made(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    _make(world, "ana")

    def ask(name: str) -> Ok | Error:
        fields: dict[str, Any] = {name: 1_000}
        return world.say("ana", "limits", id=name, currency="PHP", **fields)

    with monkeypatch.context() as patch, ThreadPoolExecutor(2) as threads:
        patch.setattr(world.tables, "limits", Meeting(world.tables.limits))
        answers = list(threads.map(ask, ("loss_day", "deposit_day")))
    assert all(isinstance(one, Ok) for one in answers)
    found = world.tables.limits("ana")
    assert (found.losses, found.deposits) == ({"PHP": Limit(1_000)}, {"PHP": Limit(1_000)})
    assert found.version == 2


def test_what_keeps_changing_is_given_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    _make(world, "ana")
    monkeypatch.setattr(world.tables, "put_limits", lambda _: False)
    answer = world.say("ana", "limits", reminder_minutes=5)
    assert _refused(answer) == (RoomCode.BUSY, None)


@pytest.mark.parametrize(
    "fields",
    [
        {"loss_day": 1},
        {"deposit_day": None},
        {"currency": "PHP"},
        {"currency": "PHP", "reminder_minutes": 1},
        {"currency": "EUR", "loss_day": 1},
        {"currency": "PHP", "loss_day": -1},
        {"currency": "PHP", "loss_day": 10**12 + 1},
        {"reminder_minutes": 0},
        {"reminder_minutes": 1441},
        {"exclude_until": -1},
        {"exclude_until": START},
        {"exclude_until": 0},
        {"exclude_until": START + LONGEST_MS + 1},
    ],
)
def test_what_makes_no_sense_is_a_bad_message(world: World, fields: dict[str, Any]) -> None:
    _make(world, "ana")
    assert _refused(world.say("ana", "limits", **fields))[0] == RoomCode.BAD_MESSAGE
    assert world.tables.limits("ana") == Limits("ana")


def test_a_guest_has_no_limits(world: World) -> None:
    assert _refused(world.say("", "limits", on="guest"))[0] == RoomCode.NOT_ALLOWED


def test_limits_are_of_the_currencies_that_there_are() -> None:
    known = {name.upper() for name in SCHEDULES if name != "none"}
    assert set(str(Message.model_fields["currency"].annotation).split("'")[1::2]) == known


def test_all_is_kept_as_text_and_read_again() -> None:
    limits = Limits(
        "ana",
        {"PHP": Limit(1, 2, 3), "USD": Limit()},
        {"PHP": Limit(0)},
        Limit(60, None, 4),
        excluded_until=5,
        version=7,
    )
    assert Limits.load("ana", 7, limits.dump()) == limits


# --- deposits -------------------------------------------------------------------------------------


def test_a_day_takes_deposits_up_to_the_limit(world: World) -> None:
    _make(world, "ana")
    _shown(world, currency="PHP", deposit_day=1_000)
    assert isinstance(_deposit(world, 600, "a"), Booked)
    facts = {"limit": 1_000, "left": 400, "until": NEXT_DAY}
    assert _declined(_deposit(world, 401, "b")) == (BankCode.DEPOSIT_LIMIT, facts)
    assert isinstance(_deposit(world, 400, "b"), Booked)
    assert _declined(_deposit(world, 1, "c"))[1]["left"] == 0
    assert _of(_shown(world), "deposited") == 1_000
    # What has been booked is told so again, whatever the limit.
    assert _deposit(world, 400, "b").repeated  # type: ignore[union-attr]
    assert isinstance(world.bank.deposit("ana", "USD", 5_000, "d", ORDER), Booked)
    _balanced(world)


def test_a_withdrawal_makes_no_room_for_another_deposit(world: World) -> None:
    _make(world, "ana")
    _shown(world, currency="PHP", deposit_day=1_000)
    assert isinstance(_deposit(world, 1_000, "a"), Booked)
    assert isinstance(world.bank.withdraw("ana", "PHP", 1_000, "b", ORDER), Booked)
    assert _declined(_deposit(world, 1, "c"))[0] is BankCode.DEPOSIT_LIMIT


def test_a_day_ends_at_midnight_utc(world: World) -> None:
    _make(world, "ana")
    _shown(world, currency="PHP", deposit_day=1_000)
    assert isinstance(_deposit(world, 1_000, "a"), Booked)
    world.clock.go_to(NEXT_DAY - 1)
    assert _declined(_deposit(world, 1, "b"))[0] is BankCode.DEPOSIT_LIMIT
    world.clock.go_to(NEXT_DAY)
    shown = _shown(world)
    assert (_of(shown, "deposited"), shown["day_ends"]) == (0, NEXT_DAY + DAY_MS)
    assert isinstance(_deposit(world, 1_000, "b"), Booked)
    assert world.tables.wallet("ana", "PHP").turnover == Turnover(NEXT_DAY // DAY_MS, 1_000, 0)
    _balanced(world)


def test_two_deposits_at_once_with_room_for_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _make(world, "ana")
    _shown(world, currency="PHP", deposit_day=1_000)
    with monkeypatch.context() as patch, ThreadPoolExecutor(2) as threads:
        patch.setattr(world.accounts, "wallet", Meeting(world.accounts.wallet))
        answers = list(threads.map(lambda name: _deposit(world, 600, name), ("a", "b")))
    (declined,) = [one for one in answers if isinstance(one, Declined)]
    assert declined.code is BankCode.DEPOSIT_LIMIT
    assert world.balance("ana") == 600
    _balanced(world)


def test_a_limit_that_is_lowered_while_a_deposit_is_under_way_holds(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _make(world, "ana")
    limits, lowered = world.accounts.limits, threading.Event()

    def read_then_lower(player: str) -> Limits:
        found = limits(player)
        if not lowered.is_set():
            lowered.set()
            _shown(world, currency="PHP", deposit_day=10)
        return found

    monkeypatch.setattr(world.accounts, "limits", read_then_lower)
    assert _declined(_deposit(world, 600, "a"))[0] is BankCode.DEPOSIT_LIMIT
    assert world.balance("ana") == 0


# --- losses ---------------------------------------------------------------------------------------


def test_what_goes_to_tables_less_what_comes_back_is_lost(world: World) -> None:
    world.connect("ana", "ana")
    _shown(world, currency="PHP", loss_day=30_000)
    assert isinstance(world.say("ana", "sit", seat=0, chips=20_000), Ok)
    facts = {"limit": 30_000, "left": 10_000, "until": NEXT_DAY}
    assert _refused(world.say("ana", "topup", chips=10_001)) == (RoomCode.LOSS_LIMIT, facts)
    assert isinstance(world.say("ana", "topup", chips=10_000), Ok)
    assert _refused(world.say("ana", "topup", chips=1))[0] == RoomCode.LOSS_LIMIT
    assert _of(_shown(world), "lost") == 30_000
    assert isinstance(world.say("ana", "leave"), Ok)
    assert _of(_shown(world), "lost") == 0
    _balanced(world)


def test_what_comes_back_makes_room_up_to_the_limit_and_no_further(world: World) -> None:
    """A day's losses are not what was put in; and what was won is not set against them."""
    world.seat("ana", "ben", chips=50_000)
    _shown(world, currency="PHP", loss_day=60_000)
    world.deal()
    world.play_out()
    for player in ("ana", "ben"):
        assert isinstance(world.say(player, "leave"), Ok)
    won = {player: world.balance(player) - RICH for player in ("ana", "ben")}
    assert min(won.values()) < 0 < max(won.values())
    assert _of(_shown(world), "lost") == max(0, -won["ana"])
    for player, more in won.items():
        turnover = world.tables.wallet(player, "PHP").turnover
        assert turnover.lost == max(0, -more)
        limits = world.tables.limits("ana")
        assert limits.loss_left("PHP", turnover, START) == min(60_000, 60_000 + more)
    _balanced(world)


def test_losses_are_counted_in_the_order_of_the_entries() -> None:
    def lost(*amounts: int) -> int:
        kinds = {True: Kind.PAY_OUT, False: Kind.BUY_IN}
        entries = (
            Entry(str(number), "ana", "PHP", kinds[amount > 0], amount, START, "ana", "a test")
            for number, amount in enumerate(amounts)
        )
        return reduce(Turnover.after, entries, Turnover()).lost

    assert lost(500, -300) == 300
    assert lost(-300, 500) == 0
    assert lost(-300, 500, -300, 100) == 200


def test_the_limit_holds_over_two_tables_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.connect("ana", "ana")
    assert open_table(world.tables, "u", settings(), START)
    _shown(world, currency="PHP", loss_day=60_000)

    def sit(table: str) -> Ok | Error:
        return world.say("ana", "sit", id=f"s-{table}", table=table, seat=0, chips=40_000)

    with monkeypatch.context() as patch, ThreadPoolExecutor(2) as threads:
        patch.setattr(world.tables, "wallet", Meeting(world.tables.wallet))
        answers = list(threads.map(sit, ("t", "u")))
    (refused,) = [one for one in answers if isinstance(one, Error)]
    facts = {"limit": 60_000, "left": 20_000, "until": NEXT_DAY}
    assert _refused(refused) == (RoomCode.LOSS_LIMIT, facts)
    assert RICH - world.balance("ana") == 40_000
    _balanced(world)


def test_a_limit_that_is_lowered_while_seated_buys_no_more_and_takes_nothing(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    _shown(world, currency="PHP", loss_day=10_000)
    facts = {"limit": 10_000, "left": 0, "until": NEXT_DAY}
    assert _refused(world.say("ana", "topup", chips=1)) == (RoomCode.LOSS_LIMIT, facts)
    world.deal()
    world.play_out()
    assert isinstance(world.say("ana", "leave"), Ok)
    assert world.stored().table.seat_of("ana") is None
    _balanced(world)


def test_a_limit_that_is_lowered_while_a_buy_in_is_under_way_holds(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.connect("ana", "ana")
    limits, lowered = world.tables.limits, threading.Event()

    def read_then_lower(player: str) -> Limits:
        found = limits(player)
        if not lowered.is_set():
            lowered.set()
            _shown(world, currency="PHP", loss_day=10)
        return found

    monkeypatch.setattr(world.tables, "limits", read_then_lower)
    answer = world.say("ana", "sit", seat=0, chips=50_000)
    assert _refused(answer)[0] == RoomCode.LOSS_LIMIT
    assert world.balance("ana") == RICH


def test_the_day_of_a_loss_ends_at_midnight_utc(world: World) -> None:
    world.connect("ana", "ana")
    _shown(world, currency="PHP", loss_day=20_000)
    assert isinstance(world.say("ana", "sit", seat=0, chips=20_000), Ok)
    world.clock.go_to(NEXT_DAY - 1)
    assert _refused(world.say("ana", "topup", chips=1))[0] == RoomCode.LOSS_LIMIT
    world.clock.go_to(NEXT_DAY)
    assert isinstance(world.say("ana", "topup", chips=20_000), Ok)
    assert _refused(world.say("ana", "topup", chips=1))[0] == RoomCode.LOSS_LIMIT
    _balanced(world)


def test_chips_of_yesterday_that_come_back_make_no_room_for_more(world: World) -> None:
    """In at 23:59, out at 00:01, and again: no day lets in more than its limit."""
    world.connect("ana", "ana")
    _shown(world, currency="PHP", loss_day=50_000)
    for day in range(3):
        world.clock.go_to(NEXT_DAY + day * DAY_MS - 60 * SECOND)
        facts = {"limit": 50_000, "left": 50_000, "until": NEXT_DAY + day * DAY_MS}
        answer = world.say("ana", "sit", seat=0, chips=50_001)
        assert _refused(answer) == (RoomCode.LOSS_LIMIT, facts)
        assert isinstance(world.say("ana", "sit", seat=0, chips=50_000), Ok)
        world.clock.go_to(NEXT_DAY + day * DAY_MS + 60 * SECOND)
        assert isinstance(world.say("ana", "leave"), Ok)
        assert _of(_shown(world), "lost") == 0
        assert world.tables.wallet("ana", "PHP").turnover.lost == 0
        _balanced(world)


def test_another_currency_has_a_limit_of_its_own(world: World) -> None:
    world.connect("ana", "ana")
    world.fund("ana", currency="USD")
    assert open_table(world.tables, "usd", table_settings(fixed_limit("USD", 300)), START)
    _shown(world, currency="PHP", loss_day=0)
    assert isinstance(world.say("ana", "sit", table="usd", seat=0, chips=5_000), Ok)
    assert _refused(world.say("ana", "sit", seat=0, chips=50_000))[0] == RoomCode.LOSS_LIMIT


def test_automatic_top_ups_buy_what_the_limit_leaves(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    _shown(world, currency="PHP", loss_day=53_000)
    assert isinstance(world.say("ana", "autotopup", to=60_000), Ok)
    world.deal()
    assert world.accounts.entries("ana")[-1].amount == -3_000
    assert world.tables.wallet("ana", "PHP").turnover.lost == 53_000
    _balanced(world)


def test_automatic_top_ups_are_not_asked_for_where_nothing_may_be_bought(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    _shown(world, currency="PHP", loss_day=50_000)
    assert _refused(world.say("ana", "autotopup", to=60_000))[0] == RoomCode.LOSS_LIMIT
    assert isinstance(world.say("ana", "autotopup", to=0), Ok)


def test_automatic_top_ups_end_with_an_exclusion(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    assert isinstance(world.say("ana", "autotopup", to=60_000), Ok)
    _shown(world, exclude_until=START + DAY_MS)
    world.deal()
    assert world.tables.wallet("ana", "PHP").turnover.lost == 50_000
    seat = world.stored().table.seats[0]
    assert seat is not None
    assert seat.refill == 0


def test_a_late_try_from_before_midnight_counts_with_the_day_that_has_begun() -> None:
    wallet = Wallet("ana", "PHP", turnover=Turnover(10, 5, 7))
    assert wallet.turnover.on(10 * DAY_MS - 1) == wallet.turnover
    assert wallet.turnover.on(11 * DAY_MS - 1) == wallet.turnover
    assert wallet.turnover.on(11 * DAY_MS) == Turnover(11)


# --- exclusion ------------------------------------------------------------------------------------


def test_an_exclusion_holds_at_once_and_ends_by_itself(world: World) -> None:
    world.connect("ana", "ana")
    until = START + 7 * DAY_MS
    assert _shown(world, exclude_until=until)["exclude_until"] == until
    world.clock.go_to(until - 1)
    assert _refused(world.say("ana", "sit", seat=0, chips=50_000)) == (
        RoomCode.EXCLUDED,
        {"until": until},
    )
    world.clock.go_to(until)
    assert _shown(world)["exclude_until"] is None
    assert isinstance(world.say("ana", "sit", seat=0, chips=50_000), Ok)


def test_who_has_excluded_himself_brings_no_money_and_no_chips(world: World) -> None:
    world.seat("ana", "ben", chips=50_000)
    assert open_table(world.tables, "u", settings(), START)
    until = START + DAY_MS
    _shown(world, exclude_until=until)
    excluded = (RoomCode.EXCLUDED, {"until": until})
    assert _refused(world.say("ana", "sit", table="u", seat=0, chips=50_000)) == excluded
    assert _refused(world.say("ana", "topup", chips=1_000)) == excluded
    assert _refused(world.say("ana", "autotopup", to=60_000)) == excluded
    quick = world.say("ana", "quickseat", structure=STRUCTURE, chips=50_000)
    assert _refused(quick) == excluded
    world.connect("cyd", "cyd")
    answer = world.say("cyd", "limits", exclude_until=until)
    assert isinstance(answer, Ok)
    assert _refused(world.say("cyd", "wait", structure=STRUCTURE)) == excluded
    assert _declined(_deposit(world, 1, "d")) == (BankCode.EXCLUDED, {"until": until})
    _balanced(world)


@pytest.mark.parametrize("shorter", [None, START + 7 * DAY_MS - 1, START + SECOND])
def test_an_exclusion_cannot_be_shortened(world: World, shorter: int | None) -> None:
    _make(world, "ana")
    until = START + 7 * DAY_MS
    _shown(world, exclude_until=until)
    answer = world.say("ana", "limits", exclude_until=shorter, reminder_minutes=5)
    assert _refused(answer) == (RoomCode.EXCLUDED, {"until": until})
    shown = _shown(world)
    assert shown["exclude_until"] == until
    assert shown["reminder_minutes"]["value"] is None, "all of a message or nothing"


def test_an_exclusion_can_be_prolonged_as_often_as_one_likes(world: World) -> None:
    _make(world, "ana")
    for days in (1, 2, 2, 1827):
        until = START + days * DAY_MS
        assert _shown(world, exclude_until=until)["exclude_until"] == until


def test_it_never_hinders_leaving_being_paid_or_withdrawing(world: World) -> None:
    world.seat("ana", "ben", "cyd", chips=50_000)
    world.deal()
    _shown(world, exclude_until=START + LONGEST_MS, currency="PHP", loss_day=0, deposit_day=0)
    assert isinstance(world.say("ana", "sitout"), Ok)
    assert isinstance(world.say("ana", "leave"), Ok)
    world.play_out()
    assert world.stored().table.seat_of("ana") is None
    assert world.stored().leaving == ()
    assert world.accounts.entries("ana")[-1].kind is Kind.PAY_OUT
    balance = world.balance("ana")
    assert isinstance(world.bank.withdraw("ana", "PHP", balance, "all", ORDER), Booked)
    assert world.balance("ana") == 0
    _balanced(world)


def test_who_has_excluded_himself_may_still_be_suspended_and_closed(world: World) -> None:
    _make(world, "ana")
    _shown(world, exclude_until=START + DAY_MS)
    assert isinstance(world.bank.suspend("ana", ORDER), Player)
    closed = world.bank.close("ana", ORDER)
    assert isinstance(closed, Player)
    assert closed.standing is Standing.CLOSED


def test_a_seat_is_not_waited_for_where_its_chips_may_not_be_bought(world: World) -> None:
    world.connect("ana", "ana")
    least = world.stored().table.settings.minimum
    _shown(world, currency="PHP", loss_day=least - 1)
    facts = {"limit": least - 1, "left": least - 1, "until": NEXT_DAY}
    answer = world.say("ana", "wait", structure=STRUCTURE)
    assert _refused(answer) == (RoomCode.LOSS_LIMIT, facts)
    assert may_play(world.tables, "ana", "PHP", least - 1, START) is None
    assert may_play(world.tables, "ben", "PHP", 10**9, START) is None


# --- the audit ------------------------------------------------------------------------------------


def _change(world: World, name: str, by: int) -> None:
    world.tables._client.update_item(
        TableName=TABLE,
        Key={"pk": {"S": keys.user("ana")}, "sk": {"S": keys.wallet("PHP")}},
        UpdateExpression="ADD #n :by",
        ExpressionAttributeNames={"#n": name},
        ExpressionAttributeValues={":by": {"N": str(by)}},
    )


@pytest.mark.parametrize("name", ["day", "deposited", "lost"])
@pytest.mark.parametrize("by", [-1, 1])
def test_the_audit_finds_a_day_that_was_counted_wrong(world: World, name: str, by: int) -> None:
    world.seat("ana", "ben")
    _balanced(world)
    _change(world, name, by)
    (finding,) = check(DynamoInventory(TABLE, world.tables._client).everything())
    assert finding.sentence.startswith("wallet ana PHP: counts ")
    assert finding.players == {"ana"}


def test_the_audit_has_nothing_against_a_wallet_from_before(world: World) -> None:
    world.seat("ana", "ben")
    world.tables._client.update_item(
        TableName=TABLE,
        Key={"pk": {"S": keys.user("ana")}, "sk": {"S": keys.wallet("PHP")}},
        UpdateExpression="REMOVE #day, deposited, lost",
        ExpressionAttributeNames={"#day": "day"},
    )
    assert world.tables.wallet("ana", "PHP").turnover == Turnover()
    _balanced(world)


@pytest.mark.parametrize("moment", [START, NEXT_DAY - 1, NEXT_DAY, NEXT_DAY + 5 * DAY_MS])
def test_days_are_counted_with_each_entry_over_midnights(world: World, moment: int) -> None:
    world.seat("ana", "ben", chips=50_000)
    world.clock.go_to(moment)
    assert isinstance(world.say("ana", "topup", chips=2_000), Ok)
    assert isinstance(_deposit(world, 10, "later"), Booked)
    assert isinstance(world.bank.withdraw("ana", "PHP", 7, "out", ORDER), Booked)
    found = world.tables.wallet("ana", "PHP").turnover
    same_day = moment < NEXT_DAY
    assert found.day == moment // DAY_MS
    assert found.deposited == (RICH if same_day else 0) + 10
    assert found.lost == (50_000 if same_day else 0) + 2_000
    _balanced(world)


# --- the reminder ---------------------------------------------------------------------------------


def _reminder(world: World, on: str = "ana") -> dict[str, int] | None:
    answer = world.say("ana", "ping", on=on)
    assert isinstance(answer, Ok)
    assert answer.now == world.clock.now()
    if answer.reminder is not None:
        ReminderView.model_validate(answer.reminder)
    return answer.reminder


def _pings(world: World, minutes: int) -> list[dict[str, int] | None]:
    """One every four minutes."""
    found = []
    for _ in range(0, minutes, 4):
        world.clock.go(4 * 60_000)
        found.append(_reminder(world))
    return found


def test_who_wants_no_reminder_has_none_and_costs_nothing(world: World) -> None:
    _make(world, "ana")
    assert _pings(world, 400) == [None] * 100
    assert world.tables.session("ana") is None
    guest = world.say("", "ping", on="guest")
    assert isinstance(guest, Ok)
    assert guest.reminder is None


def test_the_reminder_comes_with_the_first_ping_after_each_period(world: World) -> None:
    _make(world, "ana")
    _shown(world, reminder_minutes=30)
    told = [None if one is None else one["minutes"] for one in _pings(world, 64)]
    assert told == [None] * 7 + [30] * 7 + [60] * 2
    assert _reminder(world) == {"since": START, "minutes": 60}


def test_a_session_goes_on_over_connections_and_ends_with_a_break(world: World) -> None:
    _make(world, "ana")
    _shown(world, reminder_minutes=40)
    _pings(world, 32)
    world.clock.go(BREAK_MS - 1)
    assert _reminder(world, on="phone") == {"since": START, "minutes": 40}
    world.clock.go(BREAK_MS)
    assert _reminder(world) is None
    assert world.tables.session("ana") == Session(world.clock.now(), world.clock.now())


def test_a_longer_reminder_comes_a_day_later(world: World) -> None:
    _make(world, "ana")
    _shown(world, reminder_minutes=10)
    _shown(world, reminder_minutes=None)
    assert _pings(world, 12)[-1] == {"since": START, "minutes": 10}
    world.clock.go(WAIT_MS)
    assert _pings(world, 60) == [None] * 15


def test_nothing_of_it_is_logged(world: World) -> None:
    _make(world, "ana")
    _shown(world, currency="PHP", loss_day=123_456, exclude_until=START + 987_654_321)
    lines = "\n".join(world.signals.lines)
    assert "123456" not in lines
    assert str(START + 987_654_321) not in lines
