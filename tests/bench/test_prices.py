"""The arithmetic of a bill, and what DynamoDB charges."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bench import calls, capacity, ceiling, naive, prices
from bench.capacity import Charge, Charged
from bench.metered import Counts, Invocation
from bench.people import Played
from bench.prices import PRICES, Line, billed_ms
from tests.simulation.cloud import indexes
from tests.simulation.dynamo import Index, Refused

INDEX = Index("lane", "wake_at")


def _item(sk: str = "STATE", size: int = 0, **more: Any) -> dict[str, Any]:
    return {"pk": {"S": "TABLE#t"}, "sk": {"S": sk}, "text": {"S": "x" * size}, **more}


def _wakes(at: int) -> dict[str, Any]:
    return _item(lane={"S": "wake#0"}, wake_at={"N": str(at)})


def test_an_item_is_as_large_as_its_names_and_values() -> None:
    assert capacity.size({"pk": {"S": "é"}, "n": {"N": "1234"}}) == 2 + 2 + 1 + 3
    assert capacity.size({"n": {"N": "1700000100000"}}) == 1 + 5
    assert capacity.size({"s": {"SS": ["ab", "c"]}}) == 4
    assert capacity.size(None) == 0


@pytest.mark.parametrize(
    ("before", "after", "units"),
    [(0, 10, 1), (0, 1000, 1), (0, 1100, 2), (3000, 10, 3), (10, 5000, 5)],
)
def test_a_write_is_charged_by_the_larger_of_before_and_after(
    before: int, after: int, units: int
) -> None:
    assert capacity.written(_item(size=before), _item(size=after)) == units


@pytest.mark.parametrize(
    ("size", "consistent", "units"),
    [(0, True, 1), (4096, True, 1), (4097, True, 2), (10, False, 0.5)],
)
def test_a_read_is_charged_by_4_kb(size: int, consistent: bool, units: float) -> None:
    assert capacity.read(size, consistent=consistent) == units


def test_an_index_is_charged_where_its_key_changes() -> None:
    assert capacity.indexed(INDEX, None, _wakes(1)) == 1
    assert capacity.indexed(INDEX, _wakes(1), _wakes(2)) == 2
    assert capacity.indexed(INDEX, _wakes(1), _wakes(1)) == 0
    assert capacity.indexed(INDEX, _wakes(1), _item()) == 1
    assert capacity.indexed(INDEX, _item(), _item()) == 0


class Charges:
    def __init__(self) -> None:
        self.by: Counter[str] = Counter()
        self.dynamo = Charged(indexes(), lambda written: None, self._see)

    def _see(self, operation: str, charges: list[Charge]) -> None:
        for one in charges:
            self.by[f"{one.what} read"] += round(2 * one.reads)
            self.by[f"{one.what} written"] += round(one.writes)

    @property
    def charged(self) -> dict[str, int]:
        return {name: units for name, units in self.by.items() if units}


def test_a_transaction_is_charged_twice_but_for_its_indexes() -> None:
    charges = Charges()
    parts = [{"Put": {"Item": _wakes(1)}}, {"Put": {"Item": _item("META", 2000)}}]
    charges.dynamo.call("TransactWriteItems", {"TransactItems": parts})
    assert charges.charged == {"STATE written": 2, "index wake written": 1, "META written": 4}


def test_a_refused_write_is_charged_like_one_that_was_done() -> None:
    charges = Charges()
    charges.dynamo.call("PutItem", {"Item": _item(size=2500)})
    with pytest.raises(Refused):
        charges.dynamo.call(
            "PutItem",
            {"Item": _item(size=10), "ConditionExpression": "attribute_not_exists(pk)"},
        )
    assert charges.charged == {"STATE written": 6}


def test_a_query_is_charged_for_all_that_it_looks_at_together() -> None:
    charges = Charges()
    for number in range(3):
        charges.dynamo.call("PutItem", {"Item": _item(f"VIEW#{number}", 2000)})
    charges.by.clear()
    request = {
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": {"S": "TABLE#t"}},
        "ConsistentRead": True,
    }
    charges.dynamo.call("Query", request)
    assert charges.charged == {"TABLE read": 4}


def test_a_batch_is_charged_for_each_item_by_itself() -> None:
    charges = Charges()
    charges.dynamo.call("PutItem", {"Item": _item(size=5000)})
    charges.by.clear()
    named = [{"pk": {"S": "TABLE#t"}, "sk": {"S": sk}} for sk in ("STATE", "META")]
    charges.dynamo.call(
        "BatchGetItem", {"RequestItems": {"cardroom": {"Keys": named, "ConsistentRead": True}}}
    )
    assert charges.charged == {"STATE read": 4, "META read": 2}


def test_a_price_is_dollars_for_so_many_units() -> None:
    assert PRICES["api messages"].of(2_000_000) == 2.0
    assert Line("API Gateway", "pushes", 144, "api messages").dollars == pytest.approx(0.144)
    assert prices.total([Line("", "", 1000, "api messages")] * 2) == pytest.approx(2.0)


def test_a_function_is_paid_for_its_share_of_a_cpu_and_for_its_waits() -> None:
    calls = Counter({"GetItem": 1, "PutItem": 1})
    acting = Invocation("command", "act", cpu_ns=1_000_000, calls=calls)
    # 1 ms at 512 of 1,769 MB, and 4 + 6 ms of waiting; begun milliseconds count.
    assert billed_ms(acting, 512) == 14
    assert billed_ms(acting, 1769) == 11
    telling = Invocation("broadcast", "broadcast", calls=Counter({"PostToConnection": 25}))
    assert billed_ms(telling, 512) == 24


def test_memory_is_the_templates() -> None:
    memory = prices.memory_mb()
    assert set(memory) >= {"command", "broadcast", "clock", "fanout", "authorizer"}
    assert set(memory.values()) == {512}


def test_a_bill_is_linear_in_what_was_counted(played: Played) -> None:
    bill = {(one.service, one.what): one.units for one in prices.bill(played)}
    counts = played.counts
    assert bill["API Gateway", "pushes to players"] == counts.pushes / 2
    assert bill["API Gateway", "connection minutes"] == pytest.approx(16 * counts.ms / 60_000 / 2)
    assert bill["SQS", "requests: send, receive, delete"] == 3 * counts.queued / 2
    assert bill["Step Functions", "executions"] == 1
    assert bill["DynamoDB", "write units"] == pytest.approx(counts.write_units / 2, rel=0.05)


def test_the_naive_design_costs_several_times_as_much(played: Played) -> None:
    ours, theirs = prices.total(prices.bill(played)), prices.total(naive.bill(played))
    assert 0.2 < ours < 1.0
    assert theirs > 3 * ours
    bill = {one.what: one.units for one in naive.bill(played)}
    assert bill["snapshots to everybody"] == len(played.counts.state_bytes) / 2 * 16
    assert bill["transitions"] == 3 * len(played.counts.of("act")) / 2


def test_a_connection_is_paid_by_the_hands_that_are_played_over_it(played: Played) -> None:
    session = prices.sessions(played)
    assert session.messages == 16
    assert len([one for one in session.invocations if one.function == "authorizer"]) == 16
    hand_ms = played.counts.ms / 2
    assert session.share == pytest.approx(hand_ms / prices.ROTATION_MS)


def test_of_each_function_the_first_run_in_a_second_is_traced(played: Played) -> None:
    runs = [Invocation("command", "act", at) for at in (0, 10, 999, 1000)]
    runs.append(Invocation("clock", "clock", 20))
    counts = replace(played.counts, invocations=runs, hands=1)
    traced = prices.traces_alone(replace(played, counts=counts))
    assert traced == pytest.approx(3 + 2 * prices.TRACED)


def test_traces_are_in_the_bill_where_they_are_on(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prices, "tracing", lambda: False)
    without = prices.total(prices.bill(played))
    assert prices.traced(played, 0) == pytest.approx(without)
    monkeypatch.setattr(prices, "tracing", lambda: True)
    with_them = prices.total(prices.bill(played))
    assert with_them == pytest.approx(prices.traced(played, prices.traces(played)))
    assert with_them > without
    # With nothing else to do nearly everything is traced.
    assert prices.traces_alone(played) > 5 * prices.traces(played)


def test_what_lambda_logs_by_itself_is_in_the_bill_where_it_does(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    def logged() -> float:
        return next(one.units for one in prices.bill(played) if one.price == "logs")

    monkeypatch.setattr(prices, "platform_log_bytes", lambda: 0)
    own = logged()
    assert own == pytest.approx(played.counts.log_bytes / 2 / 1000)
    monkeypatch.setattr(prices, "platform_log_bytes", lambda: prices.PLATFORM_LOG_BYTES)
    runs = len(played.counts.invocations) / 2
    assert logged() - own == pytest.approx(runs * prices.PLATFORM_LOG_BYTES / 1000, rel=0.2)


def test_calls_and_units_of_a_hand_are_those_that_were_counted(played: Played) -> None:
    asked = {(service, what): times for service, what, times in calls.rows(played)}
    assert asked["API Gateway", "PostToConnection"] == played.counts.calls["PostToConnection"] / 2
    assert asked["Lambda", "runs of broadcast"] == len(played.counts.of("broadcast")) / 2
    units = calls.units(played)
    assert sum(times for _, what, times in units if what == "write units") == pytest.approx(
        played.counts.write_units / 2
    )
    assert sum(times for _, what, times in units if what == "read units") == pytest.approx(
        played.counts.read_units / 2
    )


def test_the_tightest_limit_comes_first(played: Played) -> None:
    limits = ceiling.limits(played)
    tables = [one.tables for one in limits]
    assert tables == sorted(tables)
    assert all(0 < one.used < one.quota for one in limits)


def test_nothing_counted_costs_nothing() -> None:
    assert Counts().read_units == Counts().write_units == 0
