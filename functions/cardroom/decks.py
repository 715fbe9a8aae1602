"""Decks: written before the hand that names them, never changed, so warm functions keep them."""

from cardroom.damage import DamagedError
from cardroom.errors import MissingDeckError
from cardroom.ports import Secret, Tables

KEPT = 64
EXPIRES_SECONDS = 7 * 86_400
"""Far longer than a hand; its record holds the deck when it is over."""


class Decks:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._kept: dict[tuple[str, str], Secret] = {}

    def put(self, table_id: str, deck_id: str, secret: Secret, now: int) -> None:
        """Store a new deck; `now` in ms."""
        self._tables.put_secret(table_id, deck_id, secret, now // 1000 + EXPIRES_SECONDS)
        self._keep((table_id, deck_id), secret)

    def get(self, table_id: str, deck_id: str) -> Secret:
        """Raises MissingDeckError if there is none, or none that can be read."""
        key = (table_id, deck_id)
        kept = self._kept.get(key)
        if kept is None:
            try:
                kept = self._tables.secret(table_id, deck_id)
            except DamagedError as damaged:
                raise MissingDeckError from damaged
            if kept is None:
                raise MissingDeckError
            self._keep(key, kept)
        return kept

    def _keep(self, key: tuple[str, str], secret: Secret) -> None:
        while len(self._kept) >= KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = secret
