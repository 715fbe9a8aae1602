"""Games, stakes and the settings of a table (RULES 1).

All amounts are whole minor units (centavos, cents) of the table's one currency; times are
milliseconds.
"""

from enum import StrEnum
from typing import Final

from poker_engine.frozen import dataclass
from poker_engine.rake import SCHEDULES

RULES_VERSION: Final = 1
"""The newest version of the rules of play; a hand under any from 1 on can be played to its end."""
PLAYED_RULES: Final = 1
"""The version under which a new hand begins, and ends, and which is in its record (RULES 6.3).
Raised only when all that plays on knows it: not by the release that raises RULES_VERSION.
"""

MIN_SEATS: Final = 2
MAX_SEATS: Final = 10
BUY_IN_FACTOR: Final = 10
"""Least buy-in in lower limits (RULES 1.2)."""
DEFAULT_MAXIMUM: Final = 100
"""Greatest no-limit buy-in in big blinds (RULES 1.3)."""
MAX_TIME_BANK_MS: Final = 180_000
MAX_DELAY_S: Final = 900


class Game(StrEnum):
    NO_LIMIT = "nl"
    FIXED_LIMIT = "fl"


class Ante(StrEnum):
    """Who posts a table's ante (RULES 3.9)."""

    EACH = "each"
    BIG_BLIND = "big_blind"


@dataclass(frozen=True, slots=True)
class Stakes:
    """What is played for.

    `small_bet` and `big_bet` are the limits of fixed-limit and 0 in no-limit.
    """

    game: Game
    currency: str
    small_blind: int
    big_blind: int
    small_bet: int = 0
    big_bet: int = 0
    ante: int = 0
    ante_by: Ante = Ante.EACH
    rake: str = "none"
    """Name of the rake schedule (RULES 6)."""

    @property
    def lower_limit(self) -> int:
        """The lower bet of fixed-limit, the big blind of no-limit (RULES 1.2)."""
        return self.small_bet if self.game is Game.FIXED_LIMIT else self.big_blind

    @property
    def structure(self) -> str:
        """Game, currency and blinds: what the returning-player rule compares (RULES 1.4)."""
        return f"{self.game}-{self.currency}-{self.small_blind}-{self.big_blind}"


def no_limit(currency: str, small_blind: int, *, rake: str | None = None) -> Stakes:
    """No-limit: the big blind is twice the small one; the rake is the currency's (RULES 1)."""
    return Stakes(
        game=Game.NO_LIMIT,
        currency=currency,
        small_blind=small_blind,
        big_blind=2 * small_blind,
        rake=currency.lower() if rake is None else rake,
    )


def fixed_limit(currency: str, lower: int, *, rake: str | None = None) -> Stakes:
    """Fixed-limit: big blind = lower bet, small blind = half of it, upper bet = twice (RULES 1)."""
    if lower % 2:
        raise ValueError(f"the lower limit must be even in minor units, got {lower}")
    return Stakes(
        game=Game.FIXED_LIMIT,
        currency=currency,
        small_blind=lower // 2,
        big_blind=lower,
        small_bet=lower,
        big_bet=2 * lower,
        rake=currency.lower() if rake is None else rake,
    )


PHP_STAKES: Final = tuple(no_limit("PHP", small) for small in (250, 500, 1000, 2500, 5000, 10000))
"""2.5/5 to 100/200 pesos, in centavos (RULES 1)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A table as it was opened. `maximum` None means that a buy-in has no upper limit."""

    stakes: Stakes
    seats: int
    minimum: int
    maximum: int | None
    clock_ms: int = 15_000
    grace_ms: int = 1_000
    pause_ms: int = 3_000
    sit_out_ms: int = 300_000
    sit_out_passes: int = 3
    debt_ms: int = 5_400_000
    uncapped_heads_up: bool = False
    muck_losers: bool = False
    time_bank_ms: int = 0
    """The most that a seat's time bank holds; 0 where the table has none (RULES 10.4)."""
    delay_s: int = 0
    """Seconds by which spectators see the table later than its seats do."""


def table_settings(
    stakes: Stakes,
    seats: int = 6,
    *,
    clock_ms: int = 15_000,
    grace_ms: int = 1_000,
    pause_ms: int = 3_000,
    time_bank_ms: int = 0,
    delay_s: int = 0,
) -> Settings:
    """The room's usual settings for these stakes (RULES 1.1 to 1.3, 4.7).

    Raises ValueError beyond the limits.
    """
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise ValueError(f"a table has {MIN_SEATS} to {MAX_SEATS} seats, got {seats}")
    if stakes.rake not in SCHEDULES:
        known = ", ".join(SCHEDULES)
        raise ValueError(f"there is no rake schedule {stakes.rake!r}; there are {known}")
    if not 0 <= time_bank_ms <= MAX_TIME_BANK_MS:
        most = MAX_TIME_BANK_MS // 1000
        raise ValueError(f"a time bank holds 0 to {most} seconds, got {time_bank_ms / 1000:g}")
    if not 0 <= delay_s <= MAX_DELAY_S:
        raise ValueError(f"spectators are 0 to {MAX_DELAY_S} seconds behind, got {delay_s}")
    return Settings(
        stakes=stakes,
        seats=seats,
        minimum=BUY_IN_FACTOR * stakes.lower_limit,
        maximum=DEFAULT_MAXIMUM * stakes.big_blind if stakes.game is Game.NO_LIMIT else None,
        clock_ms=clock_ms,
        grace_ms=grace_ms,
        pause_ms=pause_ms,
        time_bank_ms=time_bank_ms,
        delay_s=delay_s,
    )
