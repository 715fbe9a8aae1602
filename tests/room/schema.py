"""Holds messages to `events/messages.schema.json`, and error replies to what their code may say."""

import json
from functools import cache
from typing import Any, Final

from jsonschema_rs import Draft202012Validator

from cardroom.codes import SENT
from cardroom.contract import PUSHES, REPLIES, ErrorReply
from cardroom.messages import Error, Ok
from tests.template.parsed import ROOT

SCHEMA: Final[dict[str, Any]] = json.loads((ROOT / "events/messages.schema.json").read_text())
FACTS: Final = {str(code): set(meaning.facts) for code, meaning in SENT.items()}


@cache
def validator(name: str = "") -> Draft202012Validator:
    """Of a definition, or of the whole."""
    reference = {"$ref": f"#/$defs/{name}"} if name else {"anyOf": SCHEMA["anyOf"]}
    return Draft202012Validator({"$defs": SCHEMA["$defs"], **reference})


def hold_reply(route: str, reply: Ok | Error) -> None:
    """To the reply of its route. Raises AssertionError."""
    told = json.loads(reply.text())
    if isinstance(reply, Ok):
        hold(REPLIES[route].__name__, told)
        return
    hold(ErrorReply.__name__, told)
    assert set(told.get("facts", {})) <= FACTS[reply.code], told


def hold_push(data: bytes) -> None:
    """To the push of its type. Raises AssertionError."""
    message = json.loads(data)
    hold(PUSHES[message["type"]].__name__, message)


def hold(name: str, message: Any) -> None:
    error = next(validator(name).iter_errors(message), None)
    assert error is None, (name, error.message, list(error.instance_path), message)
