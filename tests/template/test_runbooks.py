"""docs/runbooks: a page for each alarm, with commands that there are."""

import re
from collections.abc import Iterator

import botocore.session
import pytest
from botocore import xform_name

from cli.place import ALIAS
from cli.stages import stages
from tests.alarms.cloudwatch import Alarm
from tests.alarms.declared import alarms, declared, resolved, topic
from tests.alarms.pages import CARDROOM, FOLDER, INDEX, commands, page_of, pages, parsed, text_of
from tests.template.parsed import ROOT, resources, template

ALARMS = alarms()
DESCRIPTIONS = {
    resolved(one["Properties"]["AlarmName"]).removeprefix("cardroom-"): one["Properties"][
        "AlarmDescription"
    ]
    for one in declared().values()
}
SPEND = "spend"
"""Of the budget, which is no alarm of CloudWatch."""
SECTIONS = ["What it means", "What players see", "How to look", "What to do", "When it is over"]
GLOBAL = {"--query", "--output", "--region", "--cli-binary-format"}
"""Options that all commands of AWS's command line have."""
TYPED = [
    pytest.param(page, words, id=f"{page}-{number}")
    for page in [*pages(), INDEX]
    for number, words in enumerate(commands(page))
]


@pytest.mark.parametrize("name", ALARMS)
def test_an_alarm_names_its_page_and_the_page_the_alarm(name: str) -> None:
    page = page_of(DESCRIPTIONS[name])
    assert name in re.split(r"[ ,]+", text_of(page).splitlines()[0].removeprefix("# "))


def test_no_page_is_of_nothing() -> None:
    assert {page_of(one) for one in DESCRIPTIONS.values()} | {SPEND} == set(pages())
    (budget,) = resources("AWS::Budgets::Budget").values()
    assert budget["Properties"]["Budget"]["BudgetName"]["Fn::Sub"].endswith("-spend")


@pytest.mark.parametrize("page", pages())
def test_a_page_says_what_somebody_woken_wants_to_know(page: str) -> None:
    text = text_of(page)
    assert re.findall(r"^\*\*([\w ]+)\.\*\*", text, re.MULTILINE) == SECTIONS
    assert len(text.splitlines()) <= 60


@pytest.mark.parametrize("name", ALARMS)
def test_a_page_says_whether_it_wakes_somebody(name: str) -> None:
    text = text_of(page_of(DESCRIPTIONS[name]))
    wanted = "wake" if topic(name) == "NightTopic" else "waits for the morning"
    assert wanted in text.split("**What it means.**")[0].lower()


@pytest.mark.parametrize("page", [*pages(), INDEX])
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", text_of(page)):
        assert (FOLDER / target).exists(), target


@pytest.mark.parametrize(("page", "words"), TYPED)
def test_a_command_is_one(page: str, words: list[str]) -> None:
    match words:
        case [program, *rest] if program == CARDROOM:
            assert getattr(parsed(rest), "stack", None) == "cardroom"
        case ["aws", "logs", "tail", group, *options]:
            # Of AWS's second command line only, which botocore has no model of.
            assert group in _groups()
            assert {one for one in options if one.startswith("--")} <= {
                "--since",
                "--filter-pattern",
            }
        case ["aws", service, "wait", state, *options]:
            waiters = botocore.session.get_session().get_waiter_model(service)
            names = {xform_name(name, "-"): name for name in waiters.waiter_names}
            awaited = xform_name(waiters.get_waiter(names[state]).operation, "-")
            _hold_aws(service, awaited, [one for one in options if one.startswith("--")])
        case ["aws", service, operation, *options]:
            _hold_aws(service, operation, [one for one in options if one.startswith("--")])
        case ["make", "deploy", *settings]:
            # Else it would be deployed as dev, which protects and reserves nothing.
            (stage,) = [one for one in settings if one.startswith("STAGE=")]
            assert stage.removeprefix("STAGE=") in set(stages()) - {"dev"}
            assert "STACK=cardroom" in settings
            for name in _parameters(settings):
                assert name in template()["Parameters"]
        case _:
            raise AssertionError(f"what is {words[0]}?")


@pytest.mark.parametrize(("page", "words"), TYPED)
def test_a_function_is_asked_for_by_its_alias(page: str, words: list[str]) -> None:
    """Who may call it is said there; called otherwise it is what came last, good or bad."""
    match words:
        case ["aws", "lambda", "invoke" | "get-policy", *options]:
            assert options[options.index("--qualifier") + 1] == ALIAS
        case _:
            pass


def _groups() -> set[str]:
    return {
        resolved(one["Properties"]["LogGroupName"])
        for one in resources("AWS::Logs::LogGroup").values()
    }


def _hold_aws(service: str, operation: str, options: list[str]) -> None:
    """AWS has such an operation, with such options."""
    named = {"s3api": "s3"}.get(service, service)
    model = botocore.session.get_session().get_service_model(named)
    operations = {xform_name(name, "-"): name for name in model.operation_names}
    shape = model.operation_model(operations[operation]).input_shape
    members = {f"--{xform_name(name, '-')}" for name in (shape.members if shape else {})}
    assert set(options) <= members | GLOBAL, operation


def _parameters(settings: list[str]) -> Iterator[str]:
    for setting in settings:
        name, _, value = setting.partition("=")
        if name == "PARAMETERS":
            yield from (one.partition("=")[0] for one in value.split())
        else:
            assert name in ("STAGE", "STACK")


@pytest.mark.parametrize("page", pages())
def test_what_a_page_asks_of_the_stack_is_there(page: str) -> None:
    text = text_of(page)
    assert set(re.findall(r"OutputKey=='(\w+)'", text)) <= set(template()["Outputs"])
    resource = set(re.findall(r"--logical-resource-id (\w+)", text))
    assert resource <= set(template()["Resources"])


@pytest.mark.parametrize("page", pages())
def test_logs_that_a_page_names_are_there(page: str) -> None:
    functions = re.findall(r"`cardroom-([a-z]+)`", text_of(page))
    assert {f"/aws/lambda/cardroom-{one}" for one in functions} <= _groups()


@pytest.mark.parametrize("page", pages())
def test_what_a_page_points_to_on_a_dashboard_is_there(page: str) -> None:
    titles = re.findall(r'"title": "([^"]+)"|"### ([^"]+)"', (ROOT / "template.yaml").read_text())
    shown = [one or other for one, other in titles]
    assert len(shown) > 30
    for sentence in re.split(r"(?<=[.?])\s", text_of(page).replace("\n", " ")):
        if "dashboard" in sentence:
            for title in re.findall(r'"([^"]+)"', sentence):
                assert any(one.startswith(title) for one in shown), title


def _rows() -> dict[str, list[str]]:
    """The index, by the alarms' names."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text_of(INDEX).splitlines()
        if line.startswith("| [")
    ]
    return {re.findall(r"\[([\w-]+)\]", row[0])[0]: row for row in rows}


def test_the_index_has_every_alarm_with_its_threshold() -> None:
    rows = _rows()
    assert set(rows) == {*ALARMS, SPEND}
    for name, alarm in ALARMS.items():
        link, wakes, when = rows[name][:3]
        assert f"({page_of(DESCRIPTIONS[name])}.md)" in link
        assert wakes == ("night" if topic(name) == "NightTopic" else "morning")
        assert when.endswith(said(alarm)), (name, said(alarm))


def said(alarm: Alarm) -> str:
    """How the index says threshold and periods."""
    sign = {
        "GreaterThanThreshold": ">",
        "GreaterThanOrEqualToThreshold": ">=",
        "LessThanThreshold": "<",
    }[alarm.comparison]
    minutes = alarm.period // 60
    span = f"{minutes} min" if alarm.periods == 1 else f"{alarm.periods} x {minutes} min"
    if alarm.to_alarm < alarm.periods:
        span = f"{alarm.to_alarm} of {span}"
    silence = ", silence too" if alarm.missing == "breaching" else ""
    return f"{sign} {alarm.threshold:g}, {span}{silence}"


def test_what_is_unproven_is_said() -> None:
    """Each alarm that looks at AWS's own figures, and none of the others."""
    unproven = text_of(INDEX).split("## Unproven")[1].split("\n## ")[0]
    named = set(re.findall(r"`([\w-]+)`", unproven))
    on_aws = {
        name
        for name, alarm in ALARMS.items()
        if any(
            one.series and one.series.namespace.startswith("AWS/") for one in alarm.queries.values()
        )
    }
    assert named & {*ALARMS, SPEND} == on_aws | {SPEND}
