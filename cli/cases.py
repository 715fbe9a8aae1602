"""Hands as cases: recorded hands, one JSON object a line, that replay through the engine.

A case numbers the seats that were dealt in, from the first one left of the button; the last is the
button if its seat is dealt in. Amounts are integers of any one unit. `parse_case` reads an object
and names what is wrong with it; `as_json` writes it back.
"""

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader, FileIO, TextIOWrapper
from pathlib import Path
from typing import Any, Final, TextIO

from cli.printable import printable
from poker_engine.cards import card, text
from poker_engine.stakes import MAX_SEATS, MIN_SEATS, RULES_VERSION, Ante, Game, Stakes
from poker_engine.state import BOARD_CARDS, Do, Post, Street

NO_CURRENCY: Final = "XXX"
"""As ISO 4217 writes it: a case's amounts are of any one unit."""
UNITS: Final = ("1/100", "chip")
STREETS: Final = {street.name.lower(): street for street in Street}
HOLE_CARDS: Final = 2
MOST: Final = 2**53
"""Of any number: beyond, readers of JSON cease to be exact."""
LONGEST_PATH: Final = 200
LONGEST_VALUE: Final = 40
"""Signs of it in a sentence about what is wrong."""
LONGEST_LINE: Final = 1_000_000
"""Signs of a line; a hand has some thousands."""
BEGINNING: Final = 65_536
"""Bytes by which a file is told that is none of text."""
_PACKED: Final = (b"\x1f\x8b", b"PK\x03\x04", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ")
"""Beginnings of packed files, which may well hold no zero byte."""


class CaseError(ValueError):
    """What is wrong with a case, in one sentence that names the field."""


@dataclass(frozen=True, slots=True)
class CasePost:
    seat: int
    post: Post
    amount: int


@dataclass(frozen=True, slots=True)
class CaseAction:
    """`to` is the seat's total on this street; 0 for a fold or a check."""

    street: Street
    seat: int
    do: Do
    to: int = 0

    def __str__(self) -> str:
        words = f"{self.street.name.lower()}: seat {self.seat} {self.do}"
        return words if self.do in (Do.FOLD, Do.CHECK) else f"{words} to {self.to}"


@dataclass(frozen=True, slots=True)
class Case:
    """A recorded hand. `hole` has None for unknown cards.

    `button` is None where it lies on a seat that is not dealt in, `small_blind_seat` and
    `big_blind_seat` where nobody posted that blind.
    """

    id: str
    game: Game
    button: int | None
    small_blind_seat: int | None
    big_blind_seat: int | None
    ante: int
    small_blind: int
    big_blind: int
    small_bet: int
    big_bet: int
    stacks: tuple[int, ...]
    posts: tuple[CasePost, ...]
    hole: tuple[tuple[int, ...] | None, ...]
    board: tuple[int, ...]
    actions: tuple[CaseAction, ...]
    final_stacks: tuple[int, ...]
    source: str = ""
    unit: str = "1/100"
    tags: tuple[str, ...] = ()
    rules: int | None = None
    """Version of this room's rules by which it was played; None where it is none of ours."""

    @property
    def seats(self) -> int:
        """Players dealt in."""
        return len(self.stacks)

    @property
    def dealt(self) -> tuple[int, ...]:
        """Seats in dealing order, from the left of the button."""
        start = 0 if self.button is None else self.button + 1
        return (*range(start, self.seats), *range(start))

    @property
    def table_seats(self) -> int:
        """Seats of the table: where the button's is not dealt in it is an empty one, the last."""
        return self.seats if self.button is not None else self.seats + 1

    @property
    def button_seat(self) -> int:
        return self.seats if self.button is None else self.button

    @property
    def stakes(self) -> Stakes:
        """Without rake, as a case's final stacks are."""
        return Stakes(
            game=self.game,
            currency=NO_CURRENCY,
            small_blind=self.small_blind,
            big_blind=self.big_blind,
            small_bet=self.small_bet,
            big_bet=self.big_bet,
            ante=self.ante,
            ante_by=Ante.BIG_BLIND if self.dead_ante else Ante.EACH,
        )

    @property
    def dead_ante(self) -> bool:
        """A single ante, posted by the big blind for all: dead money (RULES 3.9)."""
        antes = [one.seat for one in self.posts if one.post is Post.ANTE]
        return len(antes) == 1 and antes[0] == self.big_blind_seat


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that holds no case. It counts from 1; 0 stands for the file itself."""

    path: str
    line: int
    problem: str

    def __str__(self) -> str:
        path = printable(self.path, LONGEST_PATH)
        where = f"{path}:{self.line}" if self.line else path
        return f"{where}: {self.problem}"


def read_cases(path: Path) -> Iterator[Case | BadLine]:
    """The cases of a file, one a line; blank lines are left out, bad ones come as BadLine."""
    for one in case_lines(path):
        if isinstance(one, BadLine):
            yield one
            continue
        number, line = one
        try:
            yield parse_line(line)
        except CaseError as error:
            yield BadLine(str(path), number, str(error))


def case_lines(path: Path) -> Iterator[tuple[int, bytes] | BadLine]:
    """The lines of a file that are not blank, each with its number; one at a time is in memory."""
    try:
        file = BufferedReader(FileIO(path), BEGINNING)
        with TextIOWrapper(file, "utf-8-sig", "surrogateescape") as text:
            begins = file.peek()
            if begins.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                yield BadLine(str(path), 0, "is UTF-16: save it as UTF-8")
                return
            if b"\0" in begins or begins.startswith(_PACKED):
                yield BadLine(str(path), 0, "is no text file")
                return
            yield from _lines(path, text)
    except OSError as error:
        yield BadLine(str(path), 0, (error.strerror or "cannot be read").lower())
    except ValueError:
        yield BadLine(str(path), 0, "is no name of a file")


def _lines(path: Path, text: TextIO) -> Iterator[tuple[int, bytes] | BadLine]:
    number = 0
    while line := text.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            yield BadLine(str(path), number, "is longer than any hand; nothing after it is read")
            return
        if line.strip():
            yield number, line.rstrip("\n").encode("utf-8", "surrogateescape")


def parse_line(line: str | bytes) -> Case:
    """The case of one line. Raises CaseError."""
    try:
        record = json.loads(line)
    except UnicodeDecodeError:
        raise CaseError("not UTF-8") from None
    except json.JSONDecodeError as error:
        raise CaseError(f"not JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError):
        raise CaseError("not JSON that can be read: a number or the nesting is too large") from None
    return parse_case(record)


def parse_case(record: object) -> Case:
    """The case that a JSON value describes. Raises CaseError for the first fault of it."""
    fields = _Fields.of(record, "the line")
    seats = fields.integer("seats", MIN_SEATS, MAX_SEATS)
    game = _game(fields)
    fixed = game is Game.FIXED_LIMIT
    case = Case(
        id=fields.text("id"),
        game=game,
        button=fields.seat("button", seats),
        small_blind_seat=fields.seat("sb_seat", seats),
        big_blind_seat=fields.seat("bb_seat", seats),
        ante=fields.integer("ante", 0),
        small_blind=fields.integer("small_blind", 0),
        big_blind=fields.integer("big_blind", 1),
        small_bet=fields.integer("small_bet", 1) if fixed else 0,
        big_bet=fields.integer("big_bet", 1) if fixed else 0,
        stacks=fields.amounts("stacks", seats, 1),
        posts=tuple(_post(one, seats) for one in fields.objects("posts")),
        hole=_hole(fields, seats),
        board=_board(fields),
        actions=tuple(_action(one, seats) for one in fields.objects("actions")),
        final_stacks=fields.amounts("final_stacks", seats, 0),
        source=fields.text("source", ""),
        unit=fields.text("unit", UNITS[0]),
        tags=_tags(fields),
        rules=_rules(fields),
    )
    _check_blinds(case)
    _check_posts(case)
    _check_cards(case)
    return case


class _Fields:
    """One JSON object and the name that errors call it by."""

    def __init__(self, record: dict[str, Any], name: str) -> None:
        self._record = record
        self._name = name

    @classmethod
    def of(cls, record: object, name: str) -> "_Fields":
        if not isinstance(record, dict):
            raise CaseError(f"{name} must be an object, not {_kind(record)}")
        return cls(record, name)

    def path(self, key: str) -> str:
        return f"`{key}`" if self._name == "the line" else f"`{self._name}.{key}`"

    def has(self, key: str) -> bool:
        return key in self._record

    def get(self, key: str) -> Any:
        if key not in self._record:
            raise CaseError(f"{self.path(key)} is missing")
        return self._record[key]

    def integer(self, key: str, least: int, most: int | None = None) -> int:
        return _integer(self.get(key), self.path(key), least, most)

    def seat(self, key: str, seats: int) -> int | None:
        value = self.get(key)
        return None if value is None else _integer(value, self.path(key), 0, seats - 1)

    def text(self, key: str, default: str | None = None) -> str:
        if default is not None and key not in self._record:
            return default
        value = self.get(key)
        if not isinstance(value, str):
            raise CaseError(f"{self.path(key)} must be text, not {_kind(value)}")
        return value

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in allowed:
            raise CaseError(
                f"{self.path(key)} must be one of {', '.join(allowed)}, not {_short(value)}"
            )
        return value

    def items(self, key: str, default: list[Any] | None = None) -> list[Any]:
        if default is not None and key not in self._record:
            return default
        value = self.get(key)
        if not isinstance(value, list):
            raise CaseError(f"{self.path(key)} must be a list, not {_kind(value)}")
        return value

    def per_seat(self, key: str, seats: int) -> list[Any]:
        items = self.items(key)
        if len(items) != seats:
            raise CaseError(f"{self.path(key)} has {len(items)} entries for {seats} seats")
        return items

    def amounts(self, key: str, seats: int, least: int) -> tuple[int, ...]:
        return tuple(
            _integer(item, f"`{key}[{index}]`", least)
            for index, item in enumerate(self.per_seat(key, seats))
        )

    def objects(self, key: str) -> "Iterator[_Fields]":
        for index, item in enumerate(self.items(key)):
            yield _Fields.of(item, f"{key}[{index}]")


def _kind(value: object) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number with a point", str: "text"}
    return names.get(type(value), "a list" if isinstance(value, list) else "an object")


def _integer(value: object, path: str, least: int, most: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise CaseError(f"{path} must be a whole number, not {_kind(value)}")
    if value < least or (most is not None and value > most):
        limits = f"{least} or more" if most is None else f"{least} to {most}"
        raise CaseError(f"{path} must be {limits}, not {_short(value)}")
    if value > MOST:
        raise CaseError(f"{path} is larger than any number of chips")
    return value


def _short(value: object) -> str:
    """A value of the file in a sentence, on one line of a terminal."""
    return printable(repr(value), LONGEST_VALUE)


def _game(fields: _Fields) -> Game:
    return Game(fields.one_of("game", tuple(Game)))


def _post(fields: _Fields, seats: int) -> CasePost:
    return CasePost(
        seat=fields.integer("seat", 0, seats - 1),
        post=Post(fields.one_of("kind", tuple(Post))),
        amount=fields.integer("amount", 1),
    )


def _action(fields: _Fields, seats: int) -> CaseAction:
    do = Do(fields.one_of("do", tuple(Do)))
    return CaseAction(
        street=STREETS[fields.one_of("street", tuple(STREETS))],
        seat=fields.integer("seat", 0, seats - 1),
        do=do,
        to=0 if do in (Do.FOLD, Do.CHECK) else fields.integer("to", 1),
    )


def _card(value: object, path: str) -> int:
    if not isinstance(value, str):
        raise CaseError(f"{path} must be a card as in 'As', not {_kind(value)}")
    try:
        return card(value)
    except ValueError:
        raise CaseError(f"{path} must be a card as in 'As', not {_short(value)}") from None


def _hole(fields: _Fields, seats: int) -> tuple[tuple[int, ...] | None, ...]:
    hands: list[tuple[int, ...] | None] = []
    for index, item in enumerate(fields.per_seat("hole", seats)):
        if item is None:
            hands.append(None)
        elif isinstance(item, list) and len(item) == HOLE_CARDS:
            hands.append(tuple(_card(one, f"`hole[{index}]`") for one in item))
        else:
            raise CaseError(f"`hole[{index}]` must be two cards or null")
    return tuple(hands)


def _board(fields: _Fields) -> tuple[int, ...]:
    board = tuple(_card(one, "`board`") for one in fields.items("board"))
    if len(board) not in BOARD_CARDS:
        raise CaseError(f"`board` must have 0, 3, 4 or 5 cards, not {len(board)}")
    return board


def _tags(fields: _Fields) -> tuple[str, ...]:
    tags = fields.items("tags", [])
    if not all(isinstance(tag, str) for tag in tags):
        raise CaseError("`tags` must be a list of texts")
    return tuple(tags)


def _rules(fields: _Fields) -> int | None:
    if not fields.has("rules"):
        return None
    rules = fields.integer("rules", 1)
    if rules > RULES_VERSION:
        raise CaseError(f"`rules` is {rules}: rules that this version does not know")
    return rules


def _check_blinds(case: Case) -> None:
    if case.small_blind_seat is not None and case.small_blind_seat == case.big_blind_seat:
        raise CaseError(f"`sb_seat` and `bb_seat` are both {case.small_blind_seat}")
    if case.big_bet < case.small_bet:
        raise CaseError(f"`big_bet` is {case.big_bet}, below `small_bet` {case.small_bet}")


def _check_posts(case: Case) -> None:
    """Posts come from the seats that the case names, once each, and from what those seats have."""
    left = list(case.stacks)
    seen: set[tuple[int, Post]] = set()
    blinds = {
        Post.SMALL_BLIND: ("sb_seat", case.small_blind_seat),
        Post.BIG_BLIND: ("bb_seat", case.big_blind_seat),
    }
    for index, one in enumerate(case.posts):
        name, seat = blinds.get(one.post, ("", one.seat))
        if one.seat != seat:
            named = "null" if seat is None else seat
            raise CaseError(
                f"`posts[{index}]` is the {one.post} of seat {one.seat}, but `{name}` is {named}"
            )
        if (one.seat, one.post) in seen:
            raise CaseError(f"`posts[{index}]` is a second {one.post} of seat {one.seat}")
        seen.add((one.seat, one.post))
        left[one.seat] -= one.amount
        if left[one.seat] < 0:
            raise CaseError(f"`posts[{index}]` takes more than the stack of seat {one.seat}")


def _check_cards(case: Case) -> None:
    seen: set[int] = set()
    for one in (*case.board, *(one for pair in case.hole if pair for one in pair)):
        if one in seen:
            raise CaseError(f"the card {text(one)} comes twice")
        seen.add(one)


def deck_of(case: Case) -> tuple[int, ...]:
    """A whole deck that deals the case's cards; unknown ones are filled with unused cards."""
    known = {one for pair in case.hole if pair for one in pair}.union(case.board)
    unused = (one for one in range(52) if one not in known)
    hands = [case.hole[seat] or (next(unused), next(unused)) for seat in case.dealt]
    board = (*case.board, *(next(unused) for _ in range(BOARD_CARDS[-1] - len(case.board))))
    return (*(pair[0] for pair in hands), *(pair[1] for pair in hands), *board, *unused)


def as_json(case: Case) -> dict[str, Any]:
    """The case as a JSON object in the format's own order of fields."""
    record: dict[str, Any] = {
        "id": case.id,
        "source": case.source,
        "game": case.game.value,
        "seats": case.seats,
        "button": case.button,
        "sb_seat": case.small_blind_seat,
        "bb_seat": case.big_blind_seat,
        "ante": case.ante,
        "small_blind": case.small_blind,
        "big_blind": case.big_blind,
    }
    if case.game is Game.FIXED_LIMIT:
        record |= {"small_bet": case.small_bet, "big_bet": case.big_bet}
    if case.rules is not None:
        record["rules"] = case.rules
    return record | {
        "stacks": list(case.stacks),
        "posts": [
            {"seat": one.seat, "kind": one.post.value, "amount": one.amount} for one in case.posts
        ],
        "hole": [[text(one) for one in pair] if pair else None for pair in case.hole],
        "unit": case.unit,
        "actions": [_action_json(one) for one in case.actions],
        "board": [text(one) for one in case.board],
        "final_stacks": list(case.final_stacks),
        "tags": list(case.tags),
    }


def _action_json(action: CaseAction) -> dict[str, Any]:
    record: dict[str, Any] = {
        "street": action.street.name.lower(),
        "seat": action.seat,
        "do": action.do.value,
    }
    return record if action.do in (Do.FOLD, Do.CHECK) else record | {"to": action.to}


def dump_line(case: Case) -> str:
    """The case as one line of a file, without the line's end."""
    return json.dumps(as_json(case), separators=(", ", ": "))
