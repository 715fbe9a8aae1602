"""How long a player has been here without a break, for the reminder that he has asked for.

Clients ping every four minutes, and those pings are what is known of a player's presence. His
session is one over all his connections and devices, and ends when nothing was heard for a while.
"""

from typing import Any, Final, Protocol

from cardroom.limits import Limits
from cardroom.spans import MINUTE_MS
from poker_engine.frozen import dataclass

BREAK_MS: Final = 1_800_000
"""Half an hour without a word begins a new session."""


@dataclass(frozen=True, slots=True)
class Session:
    """Since when (ms) he is here, and when he was last heard of."""

    began: int
    seen: int

    def heard(self, now: int) -> "Session":
        """Of him, at this moment."""
        return Session(now if now - self.seen >= BREAK_MS else self.began, now)


class Sessions(Protocol):
    def limits(self, player: str) -> Limits: ...

    def session(self, player: str) -> Session | None:
        """The last one that is known of."""
        ...

    def put_session(self, player: str, session: Session) -> None: ...


def remind(store: Sessions, player: str, now: int) -> dict[str, Any] | None:
    """What to tell him: since when he is here, and the last multiple of his reminder's minutes that
    has passed. None before the first, and for one who wants no reminder. Raises WalletError.
    """
    every = store.limits(player).reminder.on(now).value
    if every is None:
        return None
    session = (store.session(player) or Session(now, now)).heard(now)
    store.put_session(player, session)
    passed = (now - session.began) // (every * MINUTE_MS)
    return {"since": session.began, "minutes": passed * every} if passed else None
