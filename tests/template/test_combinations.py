"""Parameters in every combination: what is there names nothing that is not; and what they say of
concurrency holds together.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final

import pytest

from cli.gate import GATED
from cli.stages import stages
from tests.template.parsed import resources, template
from tests.template.transformed import transformed

CANARIES: Final = ("none", "Linear10PercentEvery1Minute")
RESERVED: Final = tuple(GATED.values())
CHOICES: Final[tuple[tuple[dict[str, str], ...], ...]] = (
    ({"LocalEndpoint": ""}, {"LocalEndpoint": "http://127.0.0.1:4566"}),
    (
        {"WebDomain": "", "WebCertificate": ""},
        {"WebDomain": "a.example", "WebCertificate": "arn:aws:acm:us-east-1:1:certificate/a"},
    ),
    ({"AlarmEmail": ""}, {"AlarmEmail": "a@b.example"}),
    ({"MonthlyBudget": "100"}, {"MonthlyBudget": "0"}),
    (dict.fromkeys(RESERVED, "0"), dict.fromkeys(RESERVED, "7")),
    *(
        tuple({name: str(value)} for value in parameter["AllowedValues"])
        for name, parameter in template()["Parameters"].items()
        if name != "Canary"
        and f"{{'Ref': '{name}'}}" in str(template()["Conditions"])
        and "AllowedValues" in parameter
    ),
)
"""What conditions depend on, beside the canary."""
GIVEN: Final = re.compile(r"\$\{([^!}][^}]*)\}")

type Truths = dict[str, bool]


@pytest.fixture(scope="module")
def made() -> dict[str, dict[str, Any]]:
    """The resources by kind of canary, which the transform decides."""
    return dict(zip(CANARIES, transformed(*({"Canary": kind} for kind in CANARIES)), strict=True))


def _truths(values: Mapping[str, str]) -> Truths:
    conditions = template()["Conditions"]

    def holds(asked: Any) -> bool:
        ((function, given),) = asked.items()
        match function:
            case "Condition":
                return holds(conditions[given])
            case "Fn::And":
                return all(map(holds, given))
            case "Fn::Not":
                return not holds(given[0])
            case "Fn::Equals":
                one, other = (values[it["Ref"]] if isinstance(it, dict) else it for it in given)
                return str(one) == str(other)
        raise AssertionError(function)

    return {name: holds(asked) for name, asked in conditions.items()}


def _chosen(value: Any, truths: Truths) -> Any:
    """The value as these conditions have it."""
    if isinstance(value, dict):
        if "Fn::If" in value:
            name, then, otherwise = value["Fn::If"]
            return _chosen(then if truths[name] else otherwise, truths)
        return {key: _chosen(inner, truths) for key, inner in value.items()}
    return [_chosen(inner, truths) for inner in value] if isinstance(value, list) else value


def _named(value: Any) -> Iterator[str]:
    """Resources and parameters that it names."""
    if isinstance(value, dict):
        if isinstance(value.get("Ref"), str):
            yield value["Ref"]
        elif got := value.get("Fn::GetAtt"):
            yield got[0] if isinstance(got, list) else got.partition(".")[0]
        elif text := value.get("Fn::Sub"):
            own: Mapping[str, Any] = text[1] if isinstance(text, list) else {}
            names = GIVEN.findall(text[0] if isinstance(text, list) else text)
            yield from (name.partition(".")[0] for name in names if name not in own)
            yield from _named(list(own.values()))
        else:
            yield from _named(list(value.values()))
    elif isinstance(value, list):
        for inner in value:
            yield from _named(inner)


@pytest.mark.parametrize("kind", CANARIES)
def test_in_every_combination_what_is_there_names_what_is_there(
    kind: str, made: dict[str, dict[str, Any]]
) -> None:
    plain = {name: str(one.get("Default", "")) for name, one in template()["Parameters"].items()}
    seen: set[tuple[bool, ...]] = set()
    for choice in product(*CHOICES):
        values = {**plain, "Canary": kind}
        for one in choice:
            values |= one
        truths = _truths(values)
        if tuple(truths.values()) in seen:
            continue
        seen.add(tuple(truths.values()))
        there = {
            name: one
            for name, one in made[kind].items()
            if truths.get(one.get("Condition", ""), True)
        }
        outputs = {
            name: one
            for name, one in template()["Outputs"].items()
            if truths.get(one.get("Condition", ""), True)
        }
        # Of the short forms that SAM resolves, an output has the alias of no function.
        for name, one in {**there, **outputs}.items():
            needed = one.get("DependsOn", [])
            needed = [needed] if isinstance(needed, str) else needed
            for other in {*_named(_chosen(one, truths)), *needed}:
                assert other in there or other in plain or other.startswith("AWS::"), (
                    f"{name} names {other}, which is not there: {values}"
                )
    # Each condition is true somewhere, and false somewhere: but for what no canary leaves open.
    for number, name in enumerate(template()["Conditions"]):
        found = {truths[number] for truths in seen}
        assert found == ({False} if (name, kind) == ("HasCanary", "none") else {False, True}), name


# ---- concurrency --------------------------------------------------------------------------------


def _called_at_once() -> dict[str, int]:
    """By parameter: how many of a function its queue calls at once, where a queue calls it."""
    found = {}
    for name, function in resources("AWS::Serverless::Function").items():
        for event in function["Properties"].get("Events", {}).values():
            if event["Type"] == "SQS":
                most = event["Properties"]["ScalingConfig"]["MaximumConcurrency"]
                found[GATED[name]] = int(most)
    return found


def _refused() -> dict[str, list[str]]:
    """By parameter: values that a rule of the template does not let pass."""
    found: dict[str, list[str]] = {}
    for rule in template()["Rules"].values():
        for one in rule["Assertions"]:
            match one["Assert"]:
                case {"Fn::Not": [{"Fn::Contains": [values, {"Ref": name}]}]}:
                    found[name] = values
                case _:
                    pass
    return found


def test_a_function_may_run_as_often_as_its_queue_calls_it() -> None:
    """Refused calls count as tries: the queue would give its messages up while nothing is wrong."""
    called, refused = _called_at_once(), _refused()
    assert set(called) == {"FanoutConcurrency", "FloorConcurrency"}
    assert refused == {
        name: [str(number) for number in range(1, most)] for name, most in called.items()
    }
    for name, most in called.items():
        parameter = template()["Parameters"][name]
        assert f"; {most} at least" in parameter["Description"]
        assert parameter["Default"] >= most
        assert all(values[name] not in refused[name] for values in stages().values())
