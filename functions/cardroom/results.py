"""What was answered to a player's last commands, so that a repeated one is answered alike.

Kept with the table, as JSON text: by player `until` and, in one string, digests each with its seq.
`until` is 0 while he is seated, else the moment (ms) from which it may be dropped.
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import field
from hashlib import blake2b

from cardroom.shape import holds
from poker_engine.frozen import dataclass

KEPT = 4
DIGITS = 8
KEEP_MS = 600_000
"""Ten minutes after he left."""

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

    def dump(self) -> str:
        table = {
            name: [until, " ".join(f"{key}{seq}" for key, seq in answers)]
            for name, (until, answers) in self.players.items()
        }
        return json.dumps(table, separators=(",", ":"))

    @staticmethod
    def load(text: str) -> "Results":
        """Raises ValueError if the text is not what `dump` writes."""
        players: dict[str, tuple[int, Answers]] = {}
        for name, (until, answers, *_) in json.loads(text).items():
            pairs = tuple((one[:DIGITS], int(one[DIGITS:])) for one in answers.split())
            if not holds(until, int):
                raise ValueError("not the answers of a player")
            players[name] = (until, pairs)
        return Results(players)
