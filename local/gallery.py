"""Who looks on in a soak: spectators of tables and of the lobby, and what they are promised."""

import json
import time
from dataclasses import dataclass, field
from typing import Any, Final

from local.lobby_view import LobbyView
from local.table_view import Json

PER_HAND: Final = 6
"""Snapshots of a hand: its start, three streets, its end, and a hand shown after it."""


@dataclass
class Spectator:
    """What one connection is sent of a table; to be the `record` of its client."""

    table: str
    hands: dict[int, set[int]] = field(default_factory=dict)
    """The seqs of the snapshots of each hand."""
    repeated: int = 0
    """Snapshots that came again."""
    _idle: bool = False

    def __call__(self, text: str) -> None:
        message: dict[str, Any] = json.loads(text)
        if message.get("type") == "snapshot":
            self._count(int(message["seq"]), message["state"])

    def _count(self, seq: int, state: Json) -> None:
        hand = state["hand"]
        if hand is None:
            return
        # While no hand runs or is scheduled every change is shown.
        of_pause = self._idle and hand["over"]
        self._idle = bool(hand["over"]) and state["next_hand_at"] is None
        if of_pause:
            return
        seqs = self.hands.setdefault(int(hand["number"]), set())
        self.repeated += seq in seqs
        seqs.add(seq)

    @property
    def most(self) -> int:
        """Snapshots of the hand that had most."""
        return max(map(len, self.hands.values()), default=0)

    def findings(self) -> list[str]:
        return [
            f"{self.table}: {len(seqs)} snapshots of hand {number} to a spectator"
            for number, seqs in self.hands.items()
            if len(seqs) > PER_HAND
        ]


@dataclass
class LobbyWatch:
    """What one connection is told of the lobby; to be the `record` of its client."""

    lobby: LobbyView = field(default_factory=LobbyView)
    pushes: int = 0
    oldest_ms: int = 0
    """How old the lobby was when it was oldest: server and watcher share this machine's clock."""

    def __call__(self, text: str) -> None:
        message: dict[str, Any] = json.loads(text)
        told = message if message.get("type") == "lobby" else message.get("lobby")
        if told is None:
            return
        self.look()
        self.pushes += self.lobby.load(told)

    def look(self) -> int:
        """How old it is now, in milliseconds."""
        if self.lobby.now < 0:
            return 0
        age = time.time_ns() // 1_000_000 - self.lobby.now
        self.oldest_ms = max(self.oldest_ms, age)
        return age
