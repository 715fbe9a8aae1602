"""What a client knows of the lobby: stakes and tables as they were sent last, and seats offered.

Everything comes from the server, whole each time. Amounts are minor units, times milliseconds of
the server's clock.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from cli.printable import printable
from local.money import parsed, shown

type Json = dict[str, Any]

GAMES: Final = {
    "nl": "nl", "no-limit": "nl", "nolimit": "nl", "fl": "fl", "limit": "fl", "fixed-limit": "fl",
}  # fmt: skip
CURRENCIES: Final = ("PHP", "USD")
OPEN: Final = "open"


@dataclass(frozen=True, slots=True)
class Offer:
    """A seat that is kept at a table of this stake until then. `table` is None where it is kept no
    more; `waiting`: the player still has his place in the line.
    """

    structure: str
    table: str | None
    until: int
    waiting: bool


@dataclass
class LobbyView:
    """`now` is -1 until the lobby was sent once."""

    now: int = -1
    stakes: list[Json] = field(default_factory=list)
    tables: list[Json] = field(default_factory=list)
    _parts: dict[int, Json] = field(default_factory=dict)

    def load(self, message: Json) -> bool:
        """Take over what was sent, unless it is older than what is known: once all parts of one
        moment are there, but for the very first.
        """
        now, parts = int(message["now"]), int(message["parts"])
        if now < self.now:
            return False
        self._parts = {n: one for n, one in self._parts.items() if one["now"] == now}
        self._parts[int(message["part"])] = message
        if len(self._parts) < parts and self.now >= 0:
            return False
        self.now = now
        self.stakes = list(message["stakes"])
        self.tables = [row for _, part in sorted(self._parts.items()) for row in part["tables"]]
        return True

    def table(self, name: str) -> Json | None:
        """The row of this table."""
        return next((row for row in self.tables if row["table"] == name), None)

    def stake(self, name: str) -> Json | None:
        """The stake of this name, however it is written: "php-5-10", "PHP 5/10", or as the room
        calls it.
        """
        wanted = _plain(name)
        names = ((stake, (stake_name(stake), str(stake["structure"]))) for stake in self.stakes)
        return next((stake for stake, these in names if wanted in map(_plain, these)), None)

    def named(self, structure: str) -> str:
        """What people call the stake."""
        for stake in self.stakes:
            if stake["structure"] == structure:
                return stake_name(stake)
        return printable(structure)


def _plain(name: str) -> str:
    parts = name.lower().replace("/", "-").replace(" ", "-").split("-")
    return "-".join(_number(part) for part in parts if part)


def _number(part: str) -> str:
    try:
        # A table's id cannot hold a dot: "php-2p50-5".
        return shown(parsed(part.replace("p", ".")))
    except ValueError:
        return part


def stake_name(stake: Json) -> str:
    """As "php-2.50-5" and "usd-10-20-limit": no-limit is called by its blinds, fixed-limit by its
    bets (RULES 1). Of a stake or a table's row.
    """
    limit = stake["game"] == "fl"
    low, high = ("small_bet", "big_bet") if limit else ("small_blind", "big_blind")
    parts = [str(stake["currency"]).lower(), shown(stake[low]), shown(stake[high])]
    return "-".join([*parts, *(["limit"] if limit else [])])


def free_seats(row: Json) -> list[int]:
    """Seats of a table in which one may sit down."""
    if row["state"] != OPEN:
        return []
    return [number for number, player in enumerate(row["players"]) if player is None]


@dataclass(frozen=True, slots=True)
class Filter:
    """What of the lobby is shown; None and False show all."""

    currency: str | None = None
    game: str | None = None
    structure: str | None = None
    free: bool = False

    def shows_stake(self, stake: Json) -> bool:
        return (
            self.currency in (None, stake["currency"])
            and self.game in (None, stake["game"])
            and self.structure in (None, stake["structure"])
        )

    def shows_table(self, row: Json) -> bool:
        return self.shows_stake(row) and (not self.free or bool(free_seats(row)))

    def words(self, lobby: LobbyView) -> str:
        """The filter as it is typed; "" where everything is shown."""
        game = {"nl": "no-limit", "fl": "limit"}.get(self.game or "")
        stake = None if self.structure is None else lobby.named(self.structure)
        return " ".join(filter(None, (self.currency, game, stake, "free" if self.free else None)))


EVERYTHING: Final = Filter()


def filter_of(words: Sequence[str], lobby: LobbyView) -> Filter:
    """The filter that is typed: currencies, games, a stake, "free"; "off" or nothing shows all.
    Raises ValueError with one sentence.
    """
    found = EVERYTHING
    for word in words:
        stake = lobby.stake(word)
        if word in ("off", "all"):
            found = EVERYTHING
        elif word.upper() in CURRENCIES:
            found = replace(found, currency=word.upper())
        elif word in GAMES:
            found = replace(found, game=GAMES[word])
        elif word == "free":
            found = replace(found, free=True)
        elif stake is not None:
            found = replace(found, structure=str(stake["structure"]))
        else:
            raise ValueError(
                f"{printable(word)!r} filters nothing: php, usd, no-limit, limit, free, a stake, "
                "or off."
            )
    return found
