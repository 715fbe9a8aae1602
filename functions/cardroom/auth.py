"""Who connects: a Cognito access token out of `Sec-WebSocket-Protocol`, verified.

The token rides beside the protocol's name, as `bearer.<token>`: never in a URL, never in a log.
A browser says which page asks (`Origin`), and only pages of the room's own are let in, guests
included. What is no browser says nothing, and may come.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import jwt

from cardroom.damage import UNREADABLE
from cardroom.offered import protocols

ORIGIN: Final = "origin"
SUBPROTOCOL: Final = "cardroom.v1"
BEARER: Final = "bearer."
MAX_TOKEN: Final = 4096
LEEWAY_SECONDS: Final = 5
PLAYER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,35}")
"""A player is named by his user name of the pool, which never changes."""


class Keys(Protocol):
    """The pool's key set, cached."""

    def get_signing_key_from_jwt(self, token: str | bytes) -> jwt.PyJWK: ...


@dataclass(frozen=True, slots=True)
class Verifier:
    keys: Keys
    issuer: str
    client_id: str
    guests: bool
    origins: frozenset[str] = frozenset()
    """Of pages that may connect, as browsers write them: `https://play.example.com`."""

    def player(self, headers: Mapping[str, str]) -> str | None:
        """The player's name, or "" for a guest; None where the connection is refused.

        Raises jwt.PyJWKClientConnectionError where the key set cannot be had.
        """
        if not self._from_our_page(headers):
            return None
        offered = protocols(headers)
        if SUBPROTOCOL not in offered:
            return None
        tokens = [one.removeprefix(BEARER) for one in offered if one.startswith(BEARER)]
        if not tokens:
            return "" if self.guests else None
        return self._verified(tokens[0]) if len(tokens) == 1 else None

    def _from_our_page(self, headers: Mapping[str, str]) -> bool:
        """Whether each page that is named may connect; none is named by what is no browser."""
        named = [value for name, value in headers.items() if name.lower() == ORIGIN]
        return all(origin in self.origins for origin in named)

    def _verified(self, token: str) -> str | None:
        if len(token) > MAX_TOKEN:
            return None
        try:
            key = self.keys.get_signing_key_from_jwt(token)
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=["RS256"],
                issuer=self.issuer,
                leeway=LEEWAY_SECONDS,
                # An access token has no audience; its client is in `client_id`.
                options={
                    "require": ["exp", "iss", "sub", "token_use", "client_id", "username"],
                    "verify_aud": False,
                },
            )
        except jwt.PyJWKClientConnectionError:
            raise  # Ours to mend, and no reason to call a token bad.
        except (jwt.PyJWTError, *UNREADABLE):
            # Also where the library stumbles: over brackets a thousand deep, or text that is none.
            return None
        if claims["token_use"] != "access" or claims["client_id"] != self.client_id:
            return None
        player = claims["username"]
        fits = isinstance(player, str) and PLAYER.fullmatch(player)
        return player if fits else None


def policy(player: str | None, method_arn: str) -> dict[str, Any]:
    """The authorizer's answer. What `context` holds is in every later event of this connection."""
    effect = "Deny" if player is None else "Allow"
    return {
        "principalId": player or "guest",
        "policyDocument": {
            "Version": "2012-10-17",
            "Statement": [
                {"Action": "execute-api:Invoke", "Effect": effect, "Resource": method_arn}
            ],
        },
        "context": {"player": player or ""},
    }
