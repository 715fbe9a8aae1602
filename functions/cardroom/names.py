"""Players' names: which ones may be, and which look alike.

A name is what others know a player by, so no two may be mistaken for each other, and none for the
room itself.
"""

import re
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import Final

SHORTEST: Final = 3
LONGEST: Final = 20
SEPARATORS: Final = "_.-"
PENDING_MS: Final = 86_400_000
"""How long a name is kept for a sign-up that is not confirmed."""
RESERVED: Final = frozenset(
    {
        "admin", "administrator", "bank", "cardroom", "cashier", "dealer", "floor", "guest", "help",
        "house", "moderator", "nobody", "official", "operator", "security", "staff", "support",
        "system", "you",
    }
)  # fmt: skip
"""Words that no name may be, or have between separators or capitals, numbered or not."""
EDGES: Final = ("admin", "moderator", "operator", "support")
"""What no name may begin or end with."""
INSIDE: Final = "cardroom"
"""What no name may hold."""

_LOOKS: Final = str.maketrans({"0": "o", "1": "l", "i": "l", "2": "z", "5": "s", "8": "b"})
"""One sign that is taken for another, in small letters."""
_PAIRS: Final = (("rn", "m"), ("vv", "w"))
_WORDS: Final = re.compile(r"[_.-]|(?<=[a-z0-9])(?=[A-Z])")


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
    text = name.casefold().translate(str.maketrans("", "", SEPARATORS)).translate(_LOOKS)
    for pair, one in _PAIRS:
        text = text.replace(pair, one)
    return text


def _is_reserved(name: str) -> bool:
    words = [name, *_WORDS.split(name)]
    if any(skeleton(word.rstrip("0123456789")) in _RESERVED for word in words):
        return True
    whole = skeleton(name.rstrip("0123456789"))
    edges = tuple(skeleton(word) for word in EDGES)
    return whole.startswith(edges) or whole.endswith(edges) or skeleton(INSIDE) in whole


_RESERVED: Final = frozenset(skeleton(word) for word in RESERVED)
