"""What a player may sit down with (RULES 1.2 to 1.5), also when he comes back (RULES 1.4)."""

from typing import Final

from poker_engine.errors import Code, Rejected
from poker_engine.frozen import dataclass
from poker_engine.stakes import Settings

RETURN_MS: Final = 5_400_000
"""90 minutes."""


@dataclass(frozen=True, slots=True)
class Left:
    """One leaving of a table of this structure; `removed`: by the clock (RULES 4.2)."""

    chips: int
    at: int
    removed: bool = False


def binding(left: tuple[Left, ...], now: int) -> Left | None:
    """The leaving that binds a return now: the largest of the last 90 minutes (RULES 1.4)."""
    recent = [one for one in left if now - one.at < RETURN_MS and one.chips > 0]
    return max(recent, key=lambda one: (one.chips, one.at), default=None)


def check_buy_in(
    settings: Settings, chips: int, left: tuple[Left, ...], now: int
) -> Rejected | None:
    """Whether a player with these leavings may sit down with `chips` (RULES 1.2 to 1.4)."""
    bound = binding(left, now)
    minimum, maximum = settings.minimum, settings.maximum
    if bound is not None:
        until = bound.at + RETURN_MS
        if maximum is None or bound.removed:
            floor = max(minimum, bound.chips)
            if chips < floor:
                return Rejected(
                    Code.BUY_IN_TOO_SMALL,
                    f"you left with {bound.chips}: until {until} the buy-in is at least {floor}",
                    {"minimum": floor, "until": until},
                )
            if maximum is not None and chips > max(maximum, bound.chips):
                most = max(maximum, bound.chips)
                return Rejected(
                    Code.BUY_IN_TOO_LARGE,
                    f"the buy-in is {floor} to {most}",
                    {"minimum": floor, "maximum": most},
                )
            return None
        exact = max(maximum, bound.chips)
        if chips != exact:
            return Rejected(
                Code.BUY_IN_FIXED,
                f"you left with {bound.chips}: until {until} the buy-in is exactly {exact}",
                {"amount": exact, "until": until},
            )
        return None
    if chips < minimum:
        return Rejected(
            Code.BUY_IN_TOO_SMALL, f"the buy-in is at least {minimum}", {"minimum": minimum}
        )
    if maximum is not None and chips > maximum:
        return Rejected(
            Code.BUY_IN_TOO_LARGE, f"the buy-in is at most {maximum}", {"maximum": maximum}
        )
    return None


def check_top_up(settings: Settings, have: int, chips: int, *, broke: bool) -> Rejected | None:
    """Whether `chips` may be added to what a seat has behind, earlier top-ups included (RULES 1.5).

    `broke`: nothing is left to it, neither in front nor in a running hand.
    """
    least = settings.minimum - have
    if broke and chips < least:
        return Rejected(
            Code.BUY_IN_TOO_SMALL, f"an empty stack buys at least {least}", {"minimum": least}
        )
    if chips < 1:
        return Rejected(Code.BUY_IN_TOO_SMALL, "a top-up is at least 1", {"minimum": 1})
    if settings.maximum is not None and have + chips > settings.maximum:
        most = max(0, settings.maximum - have)
        return Rejected(Code.BUY_IN_TOO_LARGE, f"you may add {most} at most", {"maximum": most})
    return None
