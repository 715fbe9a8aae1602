"""The template's alarms: what they look at is there, under the dimensions under which it is; each
speaks to one topic and has a page for whoever it wakes.
"""

import re
from typing import Any

import pytest

from cardroom.metrics import METRICS, NAMESPACE, ROOM, By, Unit
from cli.tables import CURRENCIES
from tests.alarms.cloudwatch import Alarm, Series, names_of
from tests.alarms.declared import STACK, alarms, declared, topic
from tests.template.parsed import ROOT, resources, template
from tests.template.watched import AWS_METRICS, REFERS

ALARMS = alarms()
EVERY = pytest.mark.parametrize("alarm", ALARMS.values(), ids=ALARMS)
SERIES = [
    pytest.param(query.series, id=f"{alarm.name}-{query.series.metric}-{name}")
    for alarm in ALARMS.values()
    for name, query in alarm.queries.items()
    if query.series is not None
]


def _properties(alarm: Alarm) -> dict[str, Any]:
    found: dict[str, Any]
    (found,) = [
        one["Properties"]
        for one in declared().values()
        if one["Properties"]["AlarmName"] == {"Fn::Sub": f"${{AWS::StackName}}-{alarm.name}"}
    ]
    return found


def hold_series(series: Series) -> None:
    """It is one of ours, or one that AWS keeps under these dimensions of something that is ours."""
    dimensions = dict(series.dimensions)
    if series.namespace == NAMESPACE:
        metric = METRICS[series.metric]
        assert dimensions[ROOM] == STACK
        assert set(dimensions) in [set(names) for names in metric.dimension_sets]
        if By.CURRENCY in dimensions:
            assert dimensions[By.CURRENCY] in CURRENCIES
        if By.NOTICED_BY in dimensions:
            assert dimensions[By.NOTICED_BY] in metric.functions
        return
    assert frozenset(dimensions) in AWS_METRICS[series.namespace, series.metric]
    table = resources("AWS::DynamoDB::Table")["Table"]["Properties"]
    for name, value in dimensions.items():
        if name == "Stage":
            (api,) = resources("AWS::Serverless::WebSocketApi").values()
            assert value == api["Properties"]["StageName"]
        elif name == "GlobalSecondaryIndexName":
            assert value in [one["IndexName"] for one in table["GlobalSecondaryIndexes"]]
        else:
            # A queue's `Ref` is its address.
            resource, _, attribute = value.partition(".")
            assert attribute == ("QueueName" if name == "QueueName" else "")
            assert template()["Resources"][resource]["Type"] in REFERS[name]


@pytest.mark.parametrize("series", SERIES)
def test_what_an_alarm_looks_at_is_there(series: Series) -> None:
    hold_series(series)


@EVERY
def test_an_alarm_is_whole(alarm: Alarm) -> None:
    properties = _properties(alarm)
    # The emulator makes no metrics, so an alarm on it would say nothing, or the wrong thing.
    (whole,) = [one for one in declared().values() if one["Properties"] is properties]
    assert whole["Condition"] == "IsAws"
    assert alarm.missing in ("breaching", "notBreaching")
    assert alarm.period % 60 == 0
    assert 1 <= alarm.to_alarm <= alarm.periods
    # As CloudWatch has it: an alarm looks a day back at most, and at ten series.
    assert alarm.period * alarm.periods <= 86_400
    assert sum(query.series is not None for query in alarm.queries.values()) <= 10
    assert properties["OKActions"] == properties["AlarmActions"]
    assert topic(alarm.name) in ("NightTopic", "MorningTopic")


@EVERY
def test_an_expression_is_made_of_what_the_alarm_has(alarm: Alarm) -> None:
    named = {alarm.looked_at}
    for query in alarm.queries.values():
        if query.expression:
            named |= names_of(query.expression)
    assert named == set(alarm.queries)
    assert all(re.fullmatch(r"[a-z][a-z_]*", name) for name in named)


@EVERY
def test_a_figure_is_summed_up_as_what_it_is(alarm: Alarm) -> None:
    """Times as percentiles, counts as sums; gauges of money and age never as a sum."""
    for query in alarm.queries.values():
        if query.series is None or query.series.namespace != NAMESPACE:
            continue
        unit = METRICS[query.series.metric].unit
        wanted = {
            Unit.MILLISECONDS: r"p\d+",
            Unit.SECONDS: "Maximum",
            Unit.MINOR: "Maximum",
            Unit.COUNT: "Sum|SampleCount",
        }
        assert re.fullmatch(wanted[unit], query.statistic)


@EVERY
def test_only_what_is_told_at_every_run_is_missed(alarm: Alarm) -> None:
    """Of anything else no news is good news."""
    told = all(
        METRICS[query.series.metric].every_minute or METRICS[query.series.metric].every_run
        for query in alarm.queries.values()
        if query.series is not None and query.series.namespace == NAMESPACE
    )
    if alarm.missing == "breaching":
        assert told


def test_what_never_happens_while_all_is_well_has_an_alarm() -> None:
    """Each of our own figures that is a fault, or one where it lasts: but for `Overdue`, which many
    players who sit out hold up as well.
    """
    watched = {
        query.series.metric
        for alarm in ALARMS.values()
        for query in alarm.queries.values()
        if query.series is not None and query.series.namespace == NAMESPACE
    }
    bad = {
        name
        for name, metric in METRICS.items()
        if metric.health in ("fault", "fault where it lasts")
    }
    assert bad - watched == {"Overdue"}


def test_every_queue_of_what_was_given_up_has_an_alarm() -> None:
    """Whatever a queue, a stream or a schedule gives its failures to."""
    text = (ROOT / "template.yaml").read_text()
    named = set(re.findall(r"deadLetterTargetArn: !GetAtt (\w+)\.Arn", text))
    named |= set(re.findall(r"OnFailure: \{Type: SQS, Destination: !GetAtt (\w+)\.Arn\}", text))
    watched = {
        dict(query.series.dimensions)["QueueName"].removesuffix(".QueueName")
        for alarm in ALARMS.values()
        for query in alarm.queries.values()
        if query.series is not None and query.series.metric == "ApproximateNumberOfMessagesVisible"
    }
    assert named
    assert named == watched
    # No other way of saying it, which this would miss.
    assert text.count("deadLetterTargetArn") == len(
        re.findall(r"deadLetterTargetArn: !GetAtt", text)
    )
    assert text.count("OnFailure") == len(re.findall(r"OnFailure: \{Type: SQS", text))


def test_every_function_is_watched() -> None:
    """For errors and for throttling."""

    def functions(name: str) -> set[str]:
        queries = ALARMS[name].queries.values()
        return {
            dict(query.series.dimensions)["FunctionName"]
            for query in queries
            if query.series is not None and query.series.namespace == "AWS/Lambda"
        }

    every = set(resources("AWS::Serverless::Function"))
    apart = functions("archive-errors")
    assert functions("functions-throttled") | apart == every
    assert functions("function-errors") | functions("authorizer-errors") | apart == every


def test_indexes_are_watched_for_throttling() -> None:
    table = resources("AWS::DynamoDB::Table")["Table"]["Properties"]
    watched = {
        (query.series.metric, dict(query.series.dimensions).get("GlobalSecondaryIndexName"))
        for query in ALARMS["table-throttled"].queries.values()
        if query.series is not None
    }
    indexes = [None, *(one["IndexName"] for one in table["GlobalSecondaryIndexes"])]
    assert watched == {
        (metric, index)
        for metric in ("ReadThrottleEvents", "WriteThrottleEvents")
        for index in indexes
    }


def test_the_mail_goes_out_only_where_there_is_an_address() -> None:
    subscriptions = resources("AWS::SNS::Subscription")
    assert {one["Properties"]["TopicArn"]["Ref"] for one in subscriptions.values()} == {
        "NightTopic",
        "MorningTopic",
    }
    for one in subscriptions.values():
        assert one["Condition"] == "HasAlarmEmail"
        assert one["Properties"]["Endpoint"] == {"Ref": "AlarmEmail"}
    assert template()["Parameters"]["AlarmEmail"]["Default"] == ""


@pytest.mark.parametrize(
    ("address", "admitted"),
    [
        ("", True),
        ("night@example.com", True),
        ("night", False),
        ("a b@example.com", False),
        ("a@example.com,b@example.com", False),
    ],
)
def test_an_address_looks_like_one(address: str, admitted: bool) -> None:
    pattern = template()["Parameters"]["AlarmEmail"]["AllowedPattern"]
    assert bool(re.fullmatch(pattern, address)) is admitted


def test_only_alarms_and_budgets_of_this_account_may_speak() -> None:
    (policy,) = resources("AWS::SNS::TopicPolicy").values()
    topics = [{"Ref": name} for name in resources("AWS::SNS::Topic")]
    assert policy["Properties"]["Topics"] == topics
    (statement,) = policy["Properties"]["PolicyDocument"]["Statement"]
    assert statement["Principal"] == {
        "Service": ["cloudwatch.amazonaws.com", "budgets.amazonaws.com"]
    }
    assert statement["Action"] == ["sns:Publish"]
    assert statement["Resource"] == topics
    account = {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}
    assert statement["Condition"] == {"StringEquals": account}


def test_money_that_is_spent_is_told_by_day() -> None:
    (budget,) = resources("AWS::Budgets::Budget").values()
    assert budget["Condition"] == "HasBudget"
    conditions = template()["Conditions"]
    assert conditions["HasBudget"] == {
        "Fn::And": [
            {"Condition": "IsAws"},
            {"Fn::Not": [{"Fn::Equals": [{"Ref": "MonthlyBudget"}, 0]}]},
        ]
    }
    told = [
        (one["Notification"]["NotificationType"], one["Notification"]["Threshold"])
        for one in budget["Properties"]["NotificationsWithSubscribers"]
    ]
    assert told == [("ACTUAL", 80), ("FORECASTED", 100)]
    for one in budget["Properties"]["NotificationsWithSubscribers"]:
        (subscriber,) = one["Subscribers"]
        assert subscriber == {"SubscriptionType": "SNS", "Address": {"Ref": "MorningTopic"}}


def test_figures_of_two_rooms_stay_apart() -> None:
    """Each function is told whose figures it reports."""
    variables = template()["Globals"]["Function"]["Environment"]["Variables"]
    assert variables["ROOM"] == {"Ref": "AWS::StackName"}
