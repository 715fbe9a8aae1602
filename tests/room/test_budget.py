"""How many messages come in, to the millisecond."""

import pytest

from cardroom.budget import FLOOD, FLOOD_MS, GUESTS, KEPT, Budgets, Rate, Verdict

RATE = Rate(per_second=10, burst=30)


ADDRESS = "192.0.2.1"


def _spend(budgets: Budgets, count: int, now: int, player: str | None = "ana") -> list[Verdict]:
    return [budgets.spend("phone", player, ADDRESS, now) for _ in range(count)]


def test_a_burst_comes_in_and_then_ten_a_second() -> None:
    budgets = Budgets()
    assert _spend(budgets, RATE.burst, 0) == [Verdict()] * RATE.burst
    assert budgets.spend("phone", "ana", ADDRESS, 0) == Verdict(wait=100)
    assert budgets.spend("phone", "ana", ADDRESS, 99) == Verdict(wait=1)
    assert budgets.spend("phone", "ana", ADDRESS, 100) == Verdict()
    assert budgets.spend("phone", "ana", ADDRESS, 100) == Verdict(wait=100)
    admitted = [
        now for now in range(101, 2101) if not budgets.spend("phone", "ana", ADDRESS, now).wait
    ]
    assert admitted == list(range(200, 2101, 100))


def test_a_budget_grows_to_its_burst_and_no_further() -> None:
    budgets = Budgets()
    _spend(budgets, RATE.burst, 0)
    verdicts = _spend(budgets, RATE.burst + 1, 3_600_000)
    assert [verdict.wait for verdict in verdicts] == [0] * RATE.burst + [100]


def test_what_is_refused_costs_nothing() -> None:
    budgets = Budgets()
    _spend(budgets, RATE.burst + FLOOD - 1, 0)
    assert budgets.spend("phone", "ana", ADDRESS, 100) == Verdict()


def test_two_players_share_no_budget() -> None:
    budgets = Budgets()
    _spend(budgets, RATE.burst + FLOOD, 0)
    for _ in range(RATE.burst):
        assert budgets.spend("other", "ben", ADDRESS, 0) == Verdict()


def test_two_devices_of_a_player_share_his() -> None:
    budgets = Budgets()
    _spend(budgets, RATE.burst // 2, 0)
    for _ in range(RATE.burst // 2):
        assert budgets.spend("laptop", "ana", ADDRESS, 0) == Verdict()
    assert budgets.spend("laptop", "ana", ADDRESS, 0) == Verdict(wait=100)
    assert budgets.spend("phone", "ana", ADDRESS, 0) == Verdict(wait=100)


def test_a_connection_has_a_budget_beside_its_players() -> None:
    budgets = Budgets(connection=Rate(per_second=1, burst=1))
    assert budgets.spend("phone", "ana", ADDRESS, 0) == Verdict()
    assert budgets.spend("phone", "ana", ADDRESS, 0) == Verdict(wait=1000)
    assert budgets.spend("laptop", "ana", ADDRESS, 0) == Verdict()


def test_guests_have_a_budget_for_each_connection() -> None:
    budgets = Budgets()
    _spend(budgets, RATE.burst, 0, player=None)
    assert budgets.spend("phone", None, ADDRESS, 0) == Verdict(wait=100)
    assert budgets.spend("laptop", None, ADDRESS, 0) == Verdict()


def test_no_name_of_a_player_is_taken_for_a_connection() -> None:
    budgets = Budgets()
    _spend(budgets, RATE.burst, 0, player=None)
    assert budgets.spend("laptop", "phone", ADDRESS, 0) == Verdict()


@pytest.mark.parametrize("player", ["ana", None])
def test_a_hundred_refusals_within_ten_seconds_are_a_flood(player: str | None) -> None:
    budgets = Budgets()
    _spend(budgets, RATE.burst, 0, player)
    floods = [verdict.flood for verdict in _spend(budgets, 2 * FLOOD, 50, player)]
    assert floods == [*[False] * (FLOOD - 1), True] * 2


def test_refusals_on_all_devices_are_counted_together() -> None:
    budgets = Budgets()
    _spend(budgets, RATE.burst + FLOOD - 1, 0)
    assert budgets.spend("laptop", "ana", ADDRESS, 0) == Verdict(wait=100, flood=True)


def test_refusals_that_take_longer_are_none() -> None:
    budgets = Budgets()
    _spend(budgets, RATE.burst + FLOOD - 1, 0)
    late = FLOOD_MS + 1
    # What has grown meanwhile is spent first.
    assert not any(verdict.flood for verdict in _spend(budgets, RATE.burst + FLOOD - 1, late))
    assert budgets.spend("phone", "ana", ADDRESS, late) == Verdict(wait=100, flood=True)


def test_memory_is_bounded_and_keeps_who_was_here_last() -> None:
    budgets = Budgets()
    for number in range(3 * KEPT):
        budgets.spend(f"c{number}", f"p{number}", ADDRESS, number)
        assert len(budgets) <= KEPT
    assert len(budgets) == KEPT
    small = Budgets(kept=4)
    _spend(small, RATE.burst, 0)
    for number in range(8):
        small.spend(f"c{number}", f"p{number}", ADDRESS, 0)
        assert small.spend("phone", "ana", ADDRESS, 0).wait
    for number in range(4):
        small.spend(f"d{number}", f"q{number}", ADDRESS, 0)
    assert not small.spend("phone", "ana", ADDRESS, 0).wait


def test_a_clock_that_is_set_back_gives_nothing_and_takes_nothing() -> None:
    budgets = Budgets()
    _spend(budgets, RATE.burst, 10_000)
    assert budgets.spend("phone", "ana", ADDRESS, 0) == Verdict(wait=100)
    assert budgets.spend("phone", "ana", ADDRESS, 100) == Verdict()
    assert [one.flood for one in _spend(budgets, FLOOD, 0)].count(True) == 1


def test_guests_of_one_address_have_one_budget_together() -> None:
    budgets = Budgets()
    admitted = sum(
        not budgets.spend(f"tab-{number}", None, ADDRESS, 0).wait
        for number in range(100)
        for _ in range(RATE.burst)
    )
    assert admitted == GUESTS.burst
    assert budgets.spend("elsewhere", None, "192.0.2.2", 0) == Verdict()
    assert budgets.spend("phone", "ana", ADDRESS, 0) == Verdict()


def test_a_quiet_guest_is_not_put_out_for_others_of_his_address() -> None:
    budgets = Budgets()
    for number in range(100):
        for _ in range(RATE.burst):
            assert not budgets.spend(f"tab-{number}", None, ADDRESS, 0).flood
