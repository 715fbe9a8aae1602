"""Every message that a client may send, and the replies (protocol version 1).

Strict: unknown fields, other types and values out of range are refused; so are messages that are
too large or nested too deep, before anything is made of them. A refusal names the field, never its
value.
"""

import json
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from cardroom.errors import Refused, RoomCode
from poker_engine.errors import Rejected

PROTOCOL: Final = 1
MAX_BYTES: Final = 2048
MAX_DEPTH: Final = 3
MAX_CHIPS: Final = 10**12

type Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,36}$")]
type TableId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
type Chips = Annotated[int, Field(ge=1, le=MAX_CHIPS)]
type Number = Annotated[int, Field(ge=0, le=2**53)]
type When = Literal["now", "big_blind", "never"]


class Message(BaseModel):
    """What all have in common: the version, and an id of the client's making for the reply."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    id: Id
    v: Literal[1]


class AtTable(Message):
    table: TableId


class Watch(AtTable):
    """Subscribe to a table, from one's seat or as a spectator; the reply holds a snapshot."""

    route: Literal["watch"]


class Unwatch(AtTable):
    route: Literal["unwatch"]


class Sync(AtTable):
    """`seq` is the last that the client has; the reply holds a snapshot where it is behind."""

    route: Literal["sync"]
    seq: Number


class Sit(AtTable):
    """Take a free seat (counted from 0) with `chips` minor units (RULES 1.2 to 1.4, 2.5)."""

    route: Literal["sit"]
    seat: Annotated[int, Field(ge=0, le=9)]
    chips: Chips
    post: bool = False


class TopUp(AtTable):
    route: Literal["topup"]
    chips: Chips


class SitOut(AtTable):
    route: Literal["sitout"]
    when: When = "now"


class SitIn(AtTable):
    route: Literal["sitin"]
    post: bool = False


class Leave(AtTable):
    route: Literal["leave"]
    when: When = "now"


class Act(AtTable):
    """Act on one's turn, which `hand` and `turn` name. `to` is the street's total, for bet and
    raise.
    """

    route: Literal["act"]
    hand: Number
    turn: Number
    do: Literal["fold", "check", "call", "bet", "raise"]
    to: Chips | None = None

    @model_validator(mode="after")
    def _amount_fits(self) -> Self:
        if (self.to is not None) != (self.do in ("bet", "raise")):
            raise ValueError("`to` belongs to bet and raise, and only to them")
        return self


class Show(AtTable):
    """Show one or both of one's cards, by index."""

    route: Literal["show"]
    cards: Annotated[list[Annotated[int, Field(ge=0, le=1)]], Field(min_length=1, max_length=2)]

    @model_validator(mode="after")
    def _once_each(self) -> Self:
        if len(set(self.cards)) != len(self.cards):
            raise ValueError("a card is shown once")
        return self


class Tables(Message):
    """The open tables' ids."""

    route: Literal["tables"]


class Ping(Message):
    route: Literal["ping"]


type Asked = (
    Watch | Unwatch | Sync | Sit | TopUp | SitOut | SitIn | Leave | Act | Show | Tables | Ping
)

MESSAGES: Final[dict[str, type[Message]]] = {
    "watch": Watch,
    "unwatch": Unwatch,
    "sync": Sync,
    "sit": Sit,
    "topup": TopUp,
    "sitout": SitOut,
    "sitin": SitIn,
    "leave": Leave,
    "act": Act,
    "show": Show,
    "tables": Tables,
    "ping": Ping,
}
"""By route."""


class Reply(BaseModel):
    """An answer to the message with this id, on the connection that it came from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str | None

    def text(self) -> str:
        """As it is sent."""
        return json.dumps(
            self.model_dump(exclude_unset=True), separators=(",", ":"), ensure_ascii=True
        )


class Ok(Reply):
    """Done. `seq` is the table's after it; `snapshot` as the engine's views make it."""

    type: Literal["ok"]
    seq: int | None = None
    snapshot: dict[str, Any] | None = None
    now: int | None = None
    tables: list[str] | None = None


class Error(Reply):
    """Not done: a stable code, one sentence, and the numbers that the sentence names."""

    type: Literal["error"]
    code: str
    message: str
    facts: dict[str, int] | None = None


def ok(
    message_id: str,
    *,
    seq: int | None = None,
    snapshot: dict[str, Any] | None = None,
    now: int | None = None,
    tables: list[str] | None = None,
) -> Ok:
    fields = {"seq": seq, "snapshot": snapshot, "now": now, "tables": tables}
    given = {name: value for name, value in fields.items() if value is not None}
    return Ok.model_validate({"type": "ok", "id": message_id, **given})


def error(message_id: str | None, refusal: Refused | Rejected) -> Error:
    facts = {"facts": refusal.facts} if refusal.facts else {}
    return Error.model_validate(
        {
            "type": "error",
            "id": message_id,
            "code": str(refusal.code),
            "message": _sentence(refusal.sentence),
            **facts,
        }
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def parse(body: str) -> tuple[str | None, Asked | Refused]:
    """The message's id, as far as there is one, and the message or why it is none."""
    if len(body) > MAX_BYTES or len(body.encode(errors="surrogatepass")) > MAX_BYTES:
        return None, Refused(
            RoomCode.TOO_LARGE,
            f"a message has at most {MAX_BYTES} bytes",
            {"maximum": MAX_BYTES},
        )
    if depth(body) > MAX_DEPTH:
        return None, Refused(
            RoomCode.TOO_DEEP, f"a message nests at most {MAX_DEPTH} deep", {"maximum": MAX_DEPTH}
        )
    try:
        found = json.loads(body, object_pairs_hook=_unique, parse_constant=_no_constant)
    except ValueError:
        return None, Refused(RoomCode.BAD_MESSAGE, "a message is one JSON object")
    if not isinstance(found, dict):
        return None, Refused(RoomCode.BAD_MESSAGE, "a message is one JSON object")
    message_id = _id_of(found)
    version = found.get("v")
    if type(version) is not int:
        return message_id, Refused(
            RoomCode.BAD_MESSAGE, "`v` names the version of the protocol, a whole number"
        )
    if version != PROTOCOL:
        return message_id, Refused(
            RoomCode.UPGRADE_REQUIRED,
            f"this room speaks version {PROTOCOL} of the protocol",
            {"version": PROTOCOL},
        )
    route = found.get("route")
    model = MESSAGES.get(route) if isinstance(route, str) else None
    if model is None:
        return message_id, Refused(RoomCode.UNKNOWN_ROUTE, "there is no such route")
    try:
        # Strictness is told from JSON, where a list is a list.
        message: Any = model.model_validate_json(body)
    except ValidationError as invalid:
        return message_id, Refused(RoomCode.BAD_MESSAGE, _reason(invalid, model))
    return message_id, message


def depth(body: str) -> int:
    """How deep brackets nest outside of strings; told before parsing, which recurses."""
    deepest = level = 0
    quoted = escaped = False
    for character in body:
        if quoted:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                quoted = False
        elif character == '"':
            quoted = True
        elif character in "[{":
            level += 1
            deepest = max(deepest, level)
        elif character in "]}":
            level -= 1
    return deepest


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a field comes twice")
    return found


def _no_constant(_: str) -> None:
    raise ValueError("not JSON")


def _id_of(found: dict[str, Any]) -> str | None:
    """The id for the reply, where it is a possible one."""
    message_id = found.get("id")
    if not isinstance(message_id, str) or not 1 <= len(message_id) <= 36:
        return None
    fits = message_id.isascii() and message_id.replace("-", "").replace("_", "a").isalnum()
    return message_id if fits or set(message_id) <= {"-"} else None


def _reason(invalid: ValidationError, model: type[Message]) -> str:
    """The first fault: which field, and what should be there. What was sent is not repeated."""
    first = invalid.errors(include_url=False, include_context=False, include_input=False)[0]
    field = str(first["loc"][0]) if first["loc"] else ""
    if field and field not in model.model_fields:
        return "there is a field that this route does not know"
    reason = first["msg"].removeprefix("Value error, ")
    return f"`{field}`: {reason}" if field else reason
