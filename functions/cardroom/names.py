"""Players' names: which ones may be, and which look alike.

A name is what others know a player by, so no two may be mistaken for each other, and none for the
room itself.
"""

import re
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from itertools import combinations
from typing import Final

from cardroom.spans import DAY_MS

SHORTEST: Final = 3
LONGEST: Final = 20
SEPARATORS: Final = "_.-"
PENDING_MS: Final = DAY_MS
"""How long a name is kept for a sign-up that is not confirmed."""
RESERVED: Final = frozenset(
    {
        "admin", "administrator", "bank", "cardroom", "cashier", "dealer", "floor", "guest", "help",
        "house", "moderator", "nobody", "official", "operator", "security", "staff", "support",
        "system", "you",
    }
)  # fmt: skip
"""Words that no name may be, or have between separators, capitals or digits."""
EDGES: Final = ("operator", "support")
"""What no name may begin or end with."""
INSIDE: Final = ("admin", "cardroom", "cashier", "dealer", "moderator", "staff", "system")
"""What no name may hold."""
ORDINARY: Final = (
    "badminton", "falstaff", "flagstaff", "gustaff", "mustaffa", "staffan", "stafford", "wagstaff",
)  # fmt: skip
"""What holds such a word, and is one of its own."""

_LOOKS: Final = str.maketrans(
    {
        "0": "o", "1": "l", "i": "l", "2": "z", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b",
        "9": "g", "q": "g", "d": "cl", "m": "rn", "w": "vv",
    }
)  # fmt: skip
"""One sign that is taken for another, in small letters, or for two: those stand for it, as two may
be read as one in more than one way. A 6 is none of them: no two digits are one.
"""
_BOUNDARY: Final = re.compile(
    r"(?<=[_.-])|(?=[_.-])|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z]{2})(?=[a-z])|(?<=[0-9])|(?=[0-9])|^|$"
)


class NameCode(StrEnum):
    """Stable codes of what is wrong with a name."""

    LENGTH = "name_length"
    CHARACTERS = "name_characters"
    SEPARATORS = "name_separators"
    RESERVED = "name_reserved"
    TAKEN = "name_taken"


@dataclass(frozen=True, slots=True)
class NameFault:
    """Never with the name itself: it may hold anything."""

    code: NameCode
    sentence: str


TAKEN: Final = NameFault(NameCode.TAKEN, "this name is taken, or looks like one that is")


class Claim(Enum):
    """What came of claiming a name."""

    HELD = auto()
    TAKEN = auto()
    BUSY = auto()
    """Others are at it: ask again."""


def fault_of(name: str) -> NameFault | None:
    """Why nobody may be called so."""
    if not SHORTEST <= len(name) <= LONGEST:
        return NameFault(NameCode.LENGTH, f"a name has {SHORTEST} to {LONGEST} characters")
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9_.-]*", name) is None:
        sentence = "a name is made of A-Z a-z 0-9 _ . - and begins with a letter"
        return NameFault(NameCode.CHARACTERS, sentence)
    if re.search(r"[_.-]{2}", name):
        return NameFault(NameCode.SEPARATORS, "two of _ . - may not follow one another")
    if _is_reserved(name):
        return NameFault(NameCode.RESERVED, "this name is reserved for the room")
    return None


def skeleton(name: str) -> str:
    """What is left of a name when signs that look alike are the same: equal for two names that may
    be mistaken for each other.
    """
    return name.casefold().translate(str.maketrans("", "", SEPARATORS)).translate(_LOOKS)


def _is_reserved(name: str) -> bool:
    bounds = [found.start() for found in _BOUNDARY.finditer(name)]
    if any(_read(name[start:end]) in _RESERVED for start, end in combinations(bounds, 2)):
        return True
    whole = _read(name.rstrip("0123456789"))
    return whole.startswith(_EDGES) or whole.endswith(_EDGES) or _holds_reserved(_read(name))


def _holds_reserved(text: str) -> bool:
    for word in _INSIDE:
        rest = text
        for ordinary in _ORDINARY:
            # Not those of other words: a name may run on from one into the other.
            if word in ordinary:
                rest = rest.replace(ordinary, "#")
        if word in rest:
            return True
    return False


def _read(text: str) -> str:
    """As a word of the room is read: a 6 is a b there too."""
    return skeleton(text).replace("6", "b")


_RESERVED: Final = frozenset(skeleton(word) for word in RESERVED)
_EDGES: Final = tuple(skeleton(word) for word in EDGES)
_INSIDE: Final = tuple(skeleton(word) for word in INSIDE)
_ORDINARY: Final = tuple(skeleton(word) for word in ORDINARY)
