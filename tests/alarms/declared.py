"""The alarms that the template declares, for `cloudwatch` to judge."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from tests.alarms.cloudwatch import Alarm, Query, Series
from tests.template.parsed import resources

STACK: Final = "cardroom"
KIND: Final = "AWS::CloudWatch::Alarm"


def resolved(value: Any) -> Any:
    """In place of a reference, what it refers to: the stack's own name, and other things by the id
    that they have in the template.
    """
    match value:
        case {"Ref": "AWS::StackName"}:
            return STACK
        case {"Ref": name} | {"Fn::GetAtt": name}:
            return name
        case {"Fn::Sub": text}:
            return text.replace("${AWS::StackName}", STACK)
    return value


def declared() -> dict[str, Any]:
    """By their ids. Those that watch a new release are not among them: they speak to CodeDeploy,
    and to nobody else.
    """
    found = resources(KIND)
    return {name: one for name, one in found.items() if one["Condition"] != "HasCanary"}


@cache
def alarms() -> Mapping[str, Alarm]:
    """By their names without the stack's."""
    found = (_alarm(one["Properties"]) for one in declared().values())
    return {alarm.name: alarm for alarm in found}


def topic(name: str) -> str:
    """To which this alarm speaks."""
    (properties,) = [one for one in _properties() if _name(one) == name]
    (topic,) = properties["AlarmActions"]
    return str(topic["Ref"])


def _properties() -> list[dict[str, Any]]:
    return [one["Properties"] for one in declared().values()]


def _name(properties: Mapping[str, Any]) -> str:
    return str(resolved(properties["AlarmName"])).removeprefix(f"{STACK}-")


def _alarm(properties: Mapping[str, Any]) -> Alarm:
    if "Metrics" in properties:
        queries = {one["Id"]: _query(one) for one in properties["Metrics"]}
        (looked_at,) = [one["Id"] for one in properties["Metrics"] if one.get("ReturnData", True)]
        (period,) = {
            one["MetricStat"]["Period"] for one in properties["Metrics"] if "MetricStat" in one
        }
    else:
        statistic = properties.get("Statistic") or properties["ExtendedStatistic"]
        queries = {"m": Query(_series(properties), statistic)}
        looked_at, period = "m", properties["Period"]
    return Alarm(
        _name(properties),
        queries,
        looked_at,
        period=period,
        periods=properties["EvaluationPeriods"],
        to_alarm=properties.get("DatapointsToAlarm", properties["EvaluationPeriods"]),
        comparison=properties["ComparisonOperator"],
        threshold=properties["Threshold"],
        missing=properties["TreatMissingData"],
    )


def _query(declared: Mapping[str, Any]) -> Query:
    if "Expression" in declared:
        return Query(expression=declared["Expression"])
    stat = declared["MetricStat"]
    return Query(_series(stat["Metric"]), stat["Stat"])


def _series(declared: Mapping[str, Any]) -> Series:
    dimensions = {one["Name"]: resolved(one["Value"]) for one in declared["Dimensions"]}
    return Series(declared["Namespace"], declared["MetricName"], frozenset(dimensions.items()))
