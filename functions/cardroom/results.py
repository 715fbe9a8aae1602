"""What was answered to a player's last commands, so that a repeated one is answered alike.

Kept with the table, as JSON text: a list of the answers by seat, and by name `until` and the
answers of those who have none. Answers are digests each with its seq, in one string. `until` is 0
while he is seated, else the moment (ms) from which it may be dropped.

Before schema 2 the text had all of them by name, also who sits at the table and is named there.
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Sequence
from dataclasses import field
from hashlib import blake2b
from typing import Final

from cardroom.shape import counted, holds
from poker_engine.frozen import dataclass
from poker_engine.schema import WRITE_SCHEMA

KEPT = 4
DIGITS = 8
KEEP_MS = 600_000
"""Ten minutes after he left."""
BY_SEAT: Final = 2
"""The first schema in which answers stand by seat."""

type Answers = tuple[tuple[str, int], ...]


def digest(command_id: str) -> str:
    """Eight characters for an id of up to 36: the state item is paid for by its size."""
    return urlsafe_b64encode(blake2b(command_id.encode(), digest_size=6).digest()).decode()


@dataclass(frozen=True, slots=True)
class Results:
    players: dict[str, tuple[int, Answers]] = field(default_factory=dict)

    def find(self, player: str, command_id: str) -> int | None:
        """The seq that this command's answer named, if it is one of his last four."""
        _, answers = self.players.get(player, (0, ()))
        return dict(answers).get(digest(command_id))

    def with_answer(self, player: str, command_id: str, seq: int, now: int) -> "Results":
        """With `seq` as the answer to this command; kept ten minutes where he is not seated."""
        _, answers = self.players.get(player, (0, ()))
        kept = (*answers, (digest(command_id), seq))[-KEPT:]
        return Results({**self.players, player: (now + KEEP_MS, kept)})

    def kept(self, seated: Iterable[str], now: int) -> "Results":
        """Without those who left more than ten minutes ago."""
        here = set(seated)
        players: dict[str, tuple[int, Answers]] = {}
        for player, (until, answers) in self.players.items():
            if player in here:
                players[player] = (0, answers)
            elif not until:
                players[player] = (now + KEEP_MS, answers)
            elif now < until:
                players[player] = (until, answers)
        return Results(players)

    def dump(self, seats: Sequence[str | None] = (), schema: int = WRITE_SCHEMA) -> str:
        """`seats` has the player in each seat."""
        named = dict(self.players)
        by_seat: list[str] = []
        for player in seats if schema >= BY_SEAT else ():
            until, answers = (1, ()) if player is None else named.get(player, (1, ()))
            by_seat.append("" if until else _dump(answers))
            if player is not None and not until:
                del named[player]
        rows = {name: [until, _dump(answers)] for name, (until, answers) in named.items()}
        return _json(rows if schema < BY_SEAT else [by_seat, rows])

    @staticmethod
    def load(text: str, seats: Sequence[str | None] = ()) -> "Results":
        """Raises ValueError if the text is not what `dump` writes of the same seats."""
        players: dict[str, tuple[int, Answers]] = {}
        read = json.loads(text)
        by_seat, rows, *_ = read if isinstance(read, list) else ([""] * len(seats), read)
        for player, answers in zip(seats, by_seat, strict=True):
            if answers == "":
                continue
            if player is None:
                raise ValueError("answers of an empty seat")
            players[player] = (0, _load(answers))
        for name, (until, answers, *_) in rows.items():
            if not holds(until, int) or name in players:
                raise ValueError("not the answers of a player")
            players[name] = (until, _load(answers))
        return Results(players)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _dump(answers: Answers) -> str:
    return " ".join([f"{key}{seq}" for key, seq in answers])


def _load(text: str) -> Answers:
    return tuple((one[:DIGITS], counted(int(one[DIGITS:]))) for one in text.split())
