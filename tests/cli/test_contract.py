"""What is made of the models is what lies in the project, and is sound."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from cardroom import codes, contract
from cardroom.bank import BankCode
from cardroom.errors import RoomCode
from cardroom.messages import MESSAGES
from cardroom.names import NameCode
from cli import asyncapi, schema
from cli.contract import ROOT, files, stale
from cli.main import main
from poker_engine.errors import Code

SCHEMA = schema.bundle()
DEFINED: dict[str, Any] = SCHEMA["$defs"]
DOCUMENT = asyncapi.document()


def test_nothing_is_stale() -> None:
    assert stale(files(), ROOT) == [], "run `make contract`"
    assert main(["contract", "--check"]) == 0


def test_what_is_stale_or_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "same").write_text("a")
    (tmp_path / "other").write_text("b")
    assert stale({"same": "a", "other": "a", "missing": "a"}, tmp_path) == ["other", "missing"]


def test_check_fails_and_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cli.contract.ROOT", tmp_path)
    assert main(["contract", "--check"]) == 1
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().out.count("is stale") == len(files())


def test_it_writes_what_is_stale(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("cli.contract.ROOT", tmp_path)
    for name in files():
        (tmp_path / name).parent.mkdir(exist_ok=True)
    assert main(["contract"]) == 0
    assert stale(files(), tmp_path) == []


def test_the_schema_is_one() -> None:
    jsonschema_rs.meta.validate(SCHEMA)
    jsonschema_rs.Draft202012Validator(SCHEMA)


def _words(found: Any, *, fields: bool = False) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Every word of the schema language in it, with its value and what stands beside it."""
    if isinstance(found, list):
        for one in found:
            yield from _words(one)
    elif isinstance(found, dict):
        for word, value in found.items():
            if not fields:
                yield word, value, found
            yield from _words(value, fields=not fields and word in ("properties", "$defs"))


def test_definitions_make_good_types() -> None:
    """Named once each, described, and no title or lone reference that makes a second type."""
    for name, one in DEFINED.items():
        assert re.fullmatch("[A-Z][A-Za-z]*", name), name
        assert one["title"] == name
        assert one["description"], name
    titles = [value for word, value, _ in _words(SCHEMA) if word == "title"]
    assert sorted(titles) == sorted([*DEFINED, "Cardroom"])
    references = [(value, beside) for word, value, beside in _words(SCHEMA) if word == "$ref"]
    assert all(len(beside) == 1 for _, beside in references)
    named = {value.removeprefix(schema.REF) for value, _ in references}
    assert named == set(DEFINED) - {schema.HELD_TOGETHER}


def test_the_schema_has_every_message() -> None:
    assert DEFINED["ReplyByRoute"]["required"] == list(MESSAGES)
    for union, field, kinds in (
        ("ClientMessage", "route", set(MESSAGES)),
        ("Push", "type", set(contract.PUSHES)),
    ):
        assert DEFINED[union]["discriminator"] == {"propertyName": field}
        members = [one["$ref"].removeprefix(schema.REF) for one in DEFINED[union]["oneOf"]]
        assert {DEFINED[name]["properties"][field]["const"] for name in members} == kinds


def test_every_code_has_one_meaning() -> None:
    assert set(codes.SENT) | set(codes.INSIDE) == {*Code, *RoomCode}
    assert not set(codes.SENT) & set(codes.INSIDE)
    assert len(codes.SENT) + len(codes.INSIDE) == len(Code) + len(RoomCode)
    assert set(codes.SIGN_UP) == {*NameCode, *codes.SignUpCode}
    assert set(codes.BANK) == set(BankCode)
    told = [one["const"] for one in DEFINED["ErrorCode"]["oneOf"]]
    assert told == [str(code) for code in codes.SENT]
    assert all(one["description"] for one in DEFINED["ErrorCode"]["oneOf"])


def test_the_page_of_codes_has_each_of_them_once_in_its_part() -> None:
    text = (ROOT / "docs/errors.md").read_text(encoding="utf-8")
    parts = text.split("\n## ")[1:]
    shown = [re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE) for part in parts]
    tables: list[list[str]] = [
        [str(code) for code in table]
        for table in (codes.SENT, codes.SIGN_UP, codes.BANK, codes.INSIDE)
    ]
    assert shown == tables


def test_every_code_of_a_sign_up_is_in_the_table() -> None:
    source = (ROOT / "functions/cardroom/signup.py").read_text(encoding="utf-8")
    written = set(re.findall(r'"(\w+): ', source))
    assert written == {str(code) for code in codes.SignUpCode}


def _resolved(reference: str) -> Any:
    """What a reference inside the document, or to the schema beside it, leads to."""
    file, _, pointer = reference.partition("#/")
    assert file in ("", "./messages.schema.json")
    found: Any = SCHEMA if file else DOCUMENT
    for part in pointer.split("/"):
        found = found[part]
    return found


def test_references_of_the_asyncapi_document_lead_somewhere() -> None:
    references = {value for word, value, _ in _all(DOCUMENT) if word == "$ref"}
    assert len(references) > len(MESSAGES) * 3
    for reference in references:
        assert _resolved(reference)


def _all(found: Any) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    if isinstance(found, list):
        for one in found:
            yield from _all(one)
    elif isinstance(found, dict):
        for word, value in found.items():
            yield word, value, found
            yield from _all(value)


def test_each_route_is_received_and_answered_and_each_push_is_sent() -> None:
    operations = DOCUMENT["operations"]
    received = {name: one for name, one in operations.items() if one["action"] == "receive"}
    assert set(received) == set(MESSAGES)
    for route, one in received.items():
        (asked,) = _payloads(one["messages"])
        assert asked == f"{MESSAGES[route].__name__}Message"
        assert _payloads(one["reply"]["messages"]) == [
            contract.REPLIES[route].__name__,
            "ErrorReply",
        ]
    sent = [one for one in operations.values() if one["action"] == "send"]
    assert [_payloads(one["messages"]) for one in sent] == [
        *([model.__name__] for model in contract.PUSHES.values()),
        ["GatewayNotice"],
    ]
    channel = DOCUMENT["channels"]["room"]
    assert all(one["channel"] == {"$ref": asyncapi.CHANNEL} for one in operations.values())
    used = {reference["$ref"] for one in operations.values() for reference in _messages(one)}
    assert used == {f"{asyncapi.CHANNEL}/messages/{name}" for name in channel["messages"]}


def _messages(operation: dict[str, Any]) -> list[dict[str, str]]:
    return [*operation["messages"], *operation.get("reply", {}).get("messages", [])]


def _payloads(references: list[dict[str, str]]) -> list[str]:
    """Of messages of the channel, the names in the schema."""
    found = [_resolved(_resolved(one["$ref"])["$ref"]) for one in references]
    return [one["payload"]["schema"]["$ref"].removeprefix(asyncapi.SCHEMA) for one in found]


def test_what_has_an_id_is_correlated_by_it() -> None:
    for message in DOCUMENT["components"]["messages"].values():
        definition = _resolved(message["payload"]["schema"]["$ref"])
        assert ("id" in definition["properties"]) == ("correlationId" in message)


def test_files_are_plain_json() -> None:
    for name in ("events/messages.schema.json", "events/asyncapi.json"):
        json.loads((ROOT / name).read_text(encoding="utf-8"))
