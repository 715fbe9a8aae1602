"""Every code with its meaning, once: the schema and docs/errors.md are made of it.

No function imports this at run time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cardroom.bank import BankCode
from cardroom.errors import RoomCode
from cardroom.names import NameCode
from poker_engine.errors import Code


class SignUpCode(StrEnum):
    """What the user pool's answer to a sign-up begins with, beside what is wrong with a name."""

    EMAIL_MISSING = "email_missing"
    NOT_ALLOWED = "not_allowed"
    BUSY = "busy"


@dataclass(frozen=True, slots=True)
class Meaning:
    """`wrong` says what is amiss, `then` what is allowed instead, or what a client does. `facts`
    are the numbers that may come with it.
    """

    wrong: str
    then: str
    facts: tuple[str, ...] = ()


SENT: Final[Mapping[Code | RoomCode, Meaning]] = {
    # The message.
    RoomCode.BAD_MESSAGE: Meaning(
        "not JSON, or a field is missing, unknown, or of another type or size",
        "mend the client; the sentence names the field",
    ),
    RoomCode.TOO_LARGE: Meaning(
        "the message has more bytes than `maximum`", "mend the client", ("maximum",)
    ),
    RoomCode.TOO_DEEP: Meaning(
        "the message nests deeper than `maximum`", "mend the client", ("maximum",)
    ),
    RoomCode.UNKNOWN_ROUTE: Meaning("there is no such route", "mend the client"),
    RoomCode.UPGRADE_REQUIRED: Meaning(
        "`v` is no version that this room speaks", "load a newer client", ("version",)
    ),
    RoomCode.UNKNOWN_TABLE: Meaning("there is no such table", "ask `lobby` again"),
    RoomCode.UNKNOWN_HAND: Meaning(
        "there is no such hand, or none that you may see yet", "nothing"
    ),
    RoomCode.UNKNOWN_ZONE: Meaning(
        "the room knows no time zone of this name", "ask with `UTC`, and say that days are of it"
    ),
    RoomCode.UNKNOWN_STAKE: Meaning("no table of this stake is open", "ask `lobby` again"),
    RoomCode.NOT_ALLOWED: Meaning("guests only watch", "sign in, and connect with a token"),
    # How things stand with the room.
    RoomCode.BUSY: Meaning(
        "too many wanted the same at once, or a service is in trouble",
        "send the same again after a moment, with the same `id`",
    ),
    RoomCode.SLOW_DOWN: Meaning(
        "you say too much; nothing was looked at",
        "send the same again after `retry_ms`, with the same `id`",
        ("retry_ms",),
    ),
    RoomCode.OUT_OF_ORDER: Meaning(
        "what is stored of this table, or of you, is damaged: nothing was done; it is reported",
        "another table; at this one after a while",
    ),
    RoomCode.INTERNAL: Meaning(
        "a fault of the room, which has been reported",
        "`sync`, and show the player that it did not work",
    ),
    # Money.
    RoomCode.INSUFFICIENT_FUNDS: Meaning(
        "your `balance` does not pay for the `amount`; to `wait` it pays for the least buy-in",
        "bring less, or deposit",
        ("balance", "amount"),
    ),
    RoomCode.SUSPENDED: Meaning(
        "the operator has suspended you: you buy no chips", "play on with those that you have"
    ),
    RoomCode.LOSS_LIMIT: Meaning(
        "your own `limit` of a day's losses: only `left` may be bought until then",
        "bring at most `left`, or wait for the day to end",
        ("limit", "left", "until"),
    ),
    RoomCode.EXCLUDED: Meaning(
        "you have excluded yourself `until` then", "show when it ends", ("until",)
    ),
    RoomCode.ID_USED: Meaning("this `id` was for something else", "take a new `id`"),
    # Seats.
    RoomCode.ALL_FULL: Meaning("no table of this stake has a free seat for you", "`wait` for one"),
    RoomCode.SEAT_RESERVED: Meaning(
        "the free seats are kept for those who wait, `until` then at least", "`wait`", ("until",)
    ),
    Code.NOT_SEATED: Meaning("you have no seat at this table", "`sit` first"),
    Code.ALREADY_SEATED: Meaning(
        "you have a seat at this table, or at this stake", "play it: `watch` shows it"
    ),
    Code.NO_SUCH_SEAT: Meaning("the table's `last` seat is a lower one", "0 to `last`", ("last",)),
    Code.SEAT_TAKEN: Meaning("somebody sits there", "another seat, or `quickseat`"),
    Code.TABLE_CLOSING: Meaning("the table takes no more players", "another table"),
    Code.TABLE_FROZEN: Meaning("nobody sits down at this table for now", "later, or another table"),
    Code.BUY_IN_TOO_SMALL: Meaning(
        "fewer chips than may be bought; `until` where you have left these stakes a while ago",
        "at least `minimum`",
        ("minimum", "until"),
    ),
    Code.BUY_IN_TOO_LARGE: Meaning(
        "more chips than may be bought", "at most `maximum`", ("minimum", "maximum")
    ),
    Code.BUY_IN_FIXED: Meaning(
        "you left a table of these stakes with more than its maximum: `until` then bring as much",
        "exactly `amount`",
        ("amount", "until"),
    ),
    Code.LEAVING: Meaning("you are leaving", "that cannot be taken back"),
    Code.NO_CHIPS: Meaning(
        "your stack is empty", "`topup` by at least `minimum`, then `sitin`", ("minimum",)
    ),
    # Play.
    RoomCode.ALREADY_ACTED: Meaning(
        "you have acted on this turn, here or on another device; the sentence says how",
        "nothing",
        ("to",),
    ),
    RoomCode.TOO_MANY_CHANGES: Meaning(
        "this seat has changed its mind `most` times in this hand",
        "to act and to leave are always possible; the rest when the hand is over",
        ("most",),
    ),
    RoomCode.NOT_DEALT_IN: Meaning(
        "there is no such hand that is over, or you had no cards in it",
        "the number of a hand that you played",
    ),
    RoomCode.ALREADY_DISPUTED: Meaning("you have disputed this hand before", "nothing"),
    RoomCode.TOO_MANY_DISPUTES: Meaning(
        "you have disputed `most` hands within 24 hours: no more `until` then",
        "show when it ends",
        ("most", "until"),
    ),
    Code.NO_HAND: Meaning("no such hand is running", "`sync`"),
    Code.STALE_TURN: Meaning(
        "the game has gone on to `turn` of `hand`, or your time was over: nothing was done",
        "`sync`; never act anew without asking the player",
        ("hand", "turn"),
    ),
    Code.NOT_YOUR_TURN: Meaning("it is the turn of `seat`", "wait for yours", ("seat",)),
    Code.YOUR_TURN: Meaning("a pre-action comes too late: it is your `turn`", "`act`", ("turn",)),
    Code.NOTHING_TO_PREPARE: Meaning("you have no more turns in this hand", "nothing"),
    Code.PRICE_CHANGED: Meaning(
        "the pre-action was for another price than this; nothing is prepared",
        "let the player choose again",
        ("price",),
    ),
    Code.CANNOT_CHECK: Meaning(
        "there is `to_call` to call", "`call`, `fold` or raise", ("to_call",)
    ),
    Code.NOTHING_TO_CALL: Meaning("there is nothing to call", "`check` or bet"),
    Code.CANNOT_BET: Meaning("a bet is not open to you now", "what `turn` allows"),
    Code.CANNOT_RAISE: Meaning("a raise is not open to you now", "what `turn` allows"),
    Code.AMOUNT_TOO_SMALL: Meaning(
        "`to` is below `min_to`", "`min_to` to `max_to`", ("min_to", "max_to")
    ),
    Code.AMOUNT_TOO_LARGE: Meaning(
        "`to` is above `max_to`", "`min_to` to `max_to`", ("min_to", "max_to")
    ),
    Code.NOTHING_TO_SHOW: Meaning(
        "no hand that you may show, or its cards are no longer kept", "nothing"
    ),
}
"""What a client may be answered."""

INSIDE: Final[Mapping[Code, str]] = {
    Code.NOT_DUE: "nothing has expired, or no hand begins yet",
    Code.NOT_ENOUGH_PLAYERS: "a hand needs two",
    Code.DECK_NEEDED: "the deck has to be loaded first",
    Code.NOT_FROZEN: "the table is not frozen: an operator hears this",
}
"""No message of a client leads to these."""

SIGN_UP: Final[Mapping[NameCode | SignUpCode, Meaning]] = {
    NameCode.LENGTH: Meaning("the name is too short or too long", "3 to 20 signs"),
    NameCode.CHARACTERS: Meaning(
        "the name has other signs, or does not begin with a letter", "`A-Z a-z 0-9 _ . -`"
    ),
    NameCode.SEPARATORS: Meaning("two of `_ . -` follow one another", "one at a time"),
    NameCode.RESERVED: Meaning("the name has a word that is the room's own", "another name"),
    NameCode.TAKEN: Meaning("the name is taken, or looks like one that is", "another name"),
    SignUpCode.EMAIL_MISSING: Meaning("there is no e-mail address", "the attribute `email`"),
    SignUpCode.NOT_ALLOWED: Meaning(
        "the pool's other ways to sign up are not for players", "`SignUp`"
    ),
    SignUpCode.BUSY: Meaning("this did not work now", "try the same again"),
}
"""What a sign-up may be answered."""

BANK: Final[Mapping[BankCode, Meaning]] = {
    BankCode.PLAYER_EXISTS: Meaning("there is a player of this name", "another name"),
    BankCode.UNKNOWN_PLAYER: Meaning(
        "there is no player of this name", "names are as he writes his"
    ),
    BankCode.SUSPENDED: Meaning("he is suspended: no deposit is taken", "lift it first"),
    BankCode.EXCLUDED: Meaning(
        "he has excluded himself: no deposit is taken", "nobody can shorten it", ("until",)
    ),
    BankCode.DEPOSIT_LIMIT: Meaning(
        "his own `limit` of a day's deposits", "at most `left`", ("limit", "left", "until")
    ),
    BankCode.NOT_SUSPENDED: Meaning("he may still play", "suspend him before you close"),
    BankCode.CLOSED: Meaning("the account is closed", "that cannot be taken back"),
    BankCode.INSUFFICIENT_FUNDS: Meaning("he has less than that", "withdraw less"),
    BankCode.REFERENCE_USED: Meaning("the reference is that of another movement", "a new one"),
    BankCode.NOT_EMPTY: Meaning("he still has money", "withdraw it before you close"),
    BankCode.SEATED: Meaning("he still has chips at a table", "close when he has left"),
    BankCode.BUSY: Meaning("the account keeps changing", "try again, with the same reference"),
}
"""What `cardroom players` may be answered."""


def described(meanings: Mapping[Code | RoomCode, Meaning]) -> list[dict[str, str]]:
    """As JSON Schema names the values of an enum with what they mean."""
    return [{"const": str(code), "description": sentence(one)} for code, one in meanings.items()]


def sentence(meaning: Meaning) -> str:
    """In one line, without markup."""
    text = f"{meaning.wrong}: {meaning.then}" if meaning.then != "nothing" else meaning.wrong
    return f"{text[:1].upper()}{text[1:]}.".replace("`", "")
