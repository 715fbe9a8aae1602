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
MAX_HAND: Final = 10**9 - 1

type Id = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_-]{1,36}$",
        description="Of the client's making; the reply has the same. Sent again it is the same "
        "command, which is not done twice.",
    ),
]
type TableId = Annotated[
    str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$", description="A table's name.")
]
type Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$", description="As ISO 4217 has it.")]
type Structure = Annotated[
    str,
    Field(
        pattern=r"^[a-z]{2}-[A-Z]{3}-[0-9]{1,13}-[0-9]{1,13}$",
        description="A stake: game, currency, and the blinds in minor units.",
    ),
]
type SomeChips = Annotated[
    int, Field(ge=1, le=MAX_CHIPS, description="Minor units (centavos, cents), at least 1.")
]
type Amount = Annotated[int, Field(ge=0, le=MAX_CHIPS, description="Minor units, 0 included.")]
type Whole = Annotated[
    int, Field(ge=0, le=2**53, description="A number of the room's, given back to it.")
]
type HandNumber = Annotated[
    int, Field(ge=1, le=MAX_HAND, description="Hands of a table are counted from 1.")
]
type When = Annotated[
    Literal["now", "big_blind", "never"],
    Field(
        description="At once (a running hand is finished first), rather than pay the next big "
        "blind, or not at all, which takes such a wish back."
    ),
]
type Do = Annotated[
    Literal["fold", "check", "call", "bet", "raise"],
    Field(description="What a turn may be used for."),
]
type PreDo = Annotated[
    Literal["check_fold", "call", "fold"],
    Field(
        description="What may be chosen before one's turn; `check_fold` checks where that is "
        "free, and else folds."
    ),
]
type ZoneName = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_+/-]{1,64}$",
        description="A time zone by its IANA name, as Asia/Manila: days and times are of it.",
    ),
]
type EntryId = Annotated[
    str,
    Field(pattern=r"^[ -~]{1,128}$", description="Of the room's making, given back to it."),
]
type Game = Annotated[Literal["nl", "fl"], Field(description="No-limit or fixed-limit hold'em.")]
type Json = dict[str, Any]


# What validators below hold to, as the schema that is made of these models says it.
_AMOUNT_FITS: Final[Json] = {
    "if": {"properties": {"do": {"enum": ["bet", "raise"]}}},
    "then": {"required": ["to"], "properties": {"to": {"type": "integer"}}},
    "else": {"properties": {"to": {"type": "null"}}},
}
_CURRENCY_FITS: Final[Json] = {
    "if": {"anyOf": [{"required": ["deposit_day"]}, {"required": ["loss_day"]}]},
    "then": {"required": ["currency"], "properties": {"currency": {"type": "string"}}},
    "else": {"properties": {"currency": {"type": "null"}}},
}


class Message(BaseModel):
    """What all have in common: the version, and an id of the client's making for the reply."""

    # Built when the first of its kind comes: a function that starts needs none yet.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    id: Id
    v: Literal[1]


class AtTable(Message):
    table: TableId


class Watch(AtTable):
    """Subscribe to a table, from one's seat or as a spectator; the reply holds a snapshot."""

    route: Literal["watch"]


class Unwatch(AtTable):
    """No more pushes from this table."""

    route: Literal["unwatch"]


class Sync(AtTable):
    """`seq` is the last that the client has; the reply holds a snapshot where it is behind."""

    route: Literal["sync"]
    seq: Whole


class Sit(AtTable):
    """Take a free seat (counted from 0) with `chips` minor units (RULES 1.2 to 1.4, 2.5)."""

    route: Literal["sit"]
    seat: Annotated[int, Field(ge=0, le=9)]
    chips: SomeChips
    post: bool = False


class QuickSeat(Message):
    """A free seat at the best table of a stake: the fullest with one (RULES 1.2 to 1.4, 2.5)."""

    route: Literal["quickseat"]
    structure: Structure
    chips: SomeChips
    post: bool = False


class Wait(Message):
    """A place in the line for a seat at a stake; who has one keeps it."""

    route: Literal["wait"]
    structure: Structure


class Unwait(Message):
    """Out of the line; a seat that is on offer goes to the next."""

    route: Literal["unwait"]
    structure: Structure


class TopUp(AtTable):
    """More chips, up to the table's maximum; in a hand they wait until it is over."""

    route: Literal["topup"]
    chips: SomeChips


class AutoTopUp(AtTable):
    """Before each hand chips are bought up to `to`, 0 for none (RULES 10.1)."""

    route: Literal["autotopup"]
    to: Annotated[int, Field(ge=0, le=MAX_CHIPS)]


class SitOut(AtTable):
    """No more cards, from when on is said; `never` takes it back."""

    route: Literal["sitout"]
    when: When = "now"


class SitIn(AtTable):
    """Come back; with `post` one posts what one owes, otherwise one waits for the big blind."""

    route: Literal["sitin"]
    post: bool = False


class Leave(AtTable):
    """Give the seat up and be paid, from when on is said; `never` takes it back."""

    route: Literal["leave"]
    when: When = "now"


class Act(AtTable):
    """Act on one's turn, which `hand` and `turn` name. `to` is the street's total, for bet and
    raise.
    """

    model_config = ConfigDict(json_schema_extra=_AMOUNT_FITS)

    route: Literal["act"]
    hand: Whole
    turn: Whole
    do: Do
    to: SomeChips | None = None

    @model_validator(mode="after")
    def _amount_fits(self) -> Self:
        if (self.to is not None) != (self.do in ("bet", "raise")):
            raise ValueError("`to` belongs to bet and raise, and only to them")
        return self


class PreAct(AtTable):
    """Choose before one's turn what to do on it, at the `price` (of `turn`) that the player sees;
    `none` takes it back (RULES 10.3).
    """

    route: Literal["preact"]
    hand: Whole
    price: Whole
    do: PreDo | Literal["none"]


class Show(AtTable):
    """Show one or both of one's cards, by index, after a hand that was won unseen."""

    route: Literal["show"]
    cards: Annotated[
        list[Annotated[int, Field(ge=0, le=1)]],
        Field(min_length=1, max_length=2, json_schema_extra={"uniqueItems": True}),
    ]

    @model_validator(mode="after")
    def _once_each(self) -> Self:
        if len(set(self.cards)) != len(self.cards):
            raise ValueError("a card is shown once")
        return self


class Dispute(AtTable):
    """Tell support that something was wrong with a hand that is over, in which one had cards."""

    route: Literal["dispute"]
    hand: Annotated[int, Field(ge=1, le=999_999_999, description="Its number at this table.")]
    text: Annotated[
        str,
        Field(
            pattern=r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,300}$",
            description="What was wrong, in one line.",
        ),
    ]


class Lobby(Message):
    """The stakes and the open tables: all, or those of a game, currency or structure, or those with
    a free seat. With `watch` all of it is told again and again from now on, without it no more.
    """

    route: Literal["lobby"]
    game: Game | None = None
    currency: Currency | None = None
    structure: Structure | None = None
    free: bool = False
    watch: bool = True


class Account(Message):
    """One's own account: balances, limits, and where one sits or waits for a seat."""

    route: Literal["account"]


class Hands(Message):
    """One's own hands at a table, from `up_to` back, the newest first; without a table at the one
    where one played last.
    """

    route: Literal["hands"]
    table: TableId | None = None
    up_to: HandNumber | None = None


class Hand(AtTable):
    """A hand that is over, as one may see it."""

    route: Literal["hand"]
    hand: HandNumber


class Ledger(Message):
    """One's own ledger: entries after that one, in no order of time."""

    route: Literal["ledger"]
    zone: ZoneName = "UTC"
    after: EntryId | None = None


class Results(AtTable):
    """What one's own hands at a table left one, by day: of those that ended from `since`, or from
    number `hand` on where reading goes on, to `until`.
    """

    route: Literal["results"]
    zone: ZoneName = "UTC"
    since: Whole = 0
    until: Whole | None = None
    hand: HandNumber | None = None


class Limits(Message):
    """One's own limits, changed where a field is given: null lifts one. A lower one holds at once,
    a higher one in 24 hours; an exclusion at once, and it can only be prolonged.
    """

    model_config = ConfigDict(json_schema_extra=_CURRENCY_FITS)

    route: Literal["limits"]
    currency: Literal["PHP", "USD"] | None = None
    deposit_day: Amount | None = None
    loss_day: Amount | None = None
    reminder_minutes: Annotated[int, Field(ge=1, le=1440)] | None = None
    exclude_until: Whole | None = None

    @model_validator(mode="after")
    def _currency_fits(self) -> Self:
        given = "deposit_day" in self.model_fields_set or "loss_day" in self.model_fields_set
        if (self.currency is not None) != given:
            raise ValueError("`currency` belongs to `deposit_day` and `loss_day`")
        return self

    @property
    def asked(self) -> dict[str, int | None]:
        """What is to be changed, by field."""
        names = ("deposit_day", "loss_day", "reminder_minutes", "exclude_until")
        return {name: getattr(self, name) for name in names if name in self.model_fields_set}


class Ping(Message):
    """Keeps the connection open; the reply tells the server's clock."""

    route: Literal["ping"]


type Asked = (
    Watch
    | Unwatch
    | Sync
    | Sit
    | QuickSeat
    | Wait
    | Unwait
    | TopUp
    | AutoTopUp
    | SitOut
    | SitIn
    | Leave
    | Act
    | PreAct
    | Show
    | Dispute
    | Lobby
    | Account
    | Hands
    | Hand
    | Ledger
    | Results
    | Limits
    | Ping
)

MESSAGES: Final[dict[str, type[Message]]] = {
    "watch": Watch,
    "unwatch": Unwatch,
    "sync": Sync,
    "sit": Sit,
    "quickseat": QuickSeat,
    "wait": Wait,
    "unwait": Unwait,
    "topup": TopUp,
    "autotopup": AutoTopUp,
    "sitout": SitOut,
    "sitin": SitIn,
    "leave": Leave,
    "act": Act,
    "preact": PreAct,
    "show": Show,
    "dispute": Dispute,
    "lobby": Lobby,
    "account": Account,
    "hands": Hands,
    "hand": Hand,
    "ledger": Ledger,
    "results": Results,
    "limits": Limits,
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
    lobby: dict[str, Any] | None = None
    account: dict[str, Any] | None = None
    hands: dict[str, Any] | None = None
    hand: dict[str, Any] | None = None
    ledger: dict[str, Any] | None = None
    results: dict[str, Any] | None = None
    limits: dict[str, Any] | None = None
    reminder: dict[str, int] | None = None
    table: str | None = None
    seat: int | None = None
    waiting: dict[str, Any] | None = None


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
    lobby: dict[str, Any] | None = None,
    account: dict[str, Any] | None = None,
    hands: dict[str, Any] | None = None,
    hand: dict[str, Any] | None = None,
    ledger: dict[str, Any] | None = None,
    results: dict[str, Any] | None = None,
    limits: dict[str, Any] | None = None,
    reminder: dict[str, int] | None = None,
    table: str | None = None,
    seat: int | None = None,
    waiting: dict[str, Any] | None = None,
) -> Ok:
    fields = {
        "seq": seq,
        "snapshot": snapshot,
        "now": now,
        "lobby": lobby,
        "account": account,
        "hands": hands,
        "hand": hand,
        "ledger": ledger,
        "results": results,
        "limits": limits,
        "reminder": reminder,
        "table": table,
        "seat": seat,
        "waiting": waiting,
    }
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
