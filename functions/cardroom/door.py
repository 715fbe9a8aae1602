"""What a client says comes in here: within its budget to the room, beyond it no further."""

from typing import Final

from cardroom.budget import Budgets
from cardroom.errors import Refused, RoomCode
from cardroom.messages import Error, Ok, error, parse
from cardroom.ports import Bans, Clock, Closer, Signals
from cardroom.room import Caller, Room

BAN_MS: Final = 60_000
"""How long one who was put out is kept out."""


class Door:
    def __init__(
        self,
        room: Room,
        budgets: Budgets,
        bans: Bans,
        closer: Closer,
        clock: Clock,
        signals: Signals,
    ) -> None:
        self._room = room
        self._budgets = budgets
        self._bans = bans
        self._closer = closer
        self._clock = clock
        self._signals = signals

    def answer(self, body: str, caller: Caller, address: str) -> Ok | Error:
        """The reply to a message as it came. Where it is one too many nothing is read for it.

        `address` is where the connection comes from: a guest is known by nothing else.
        """
        now = self._clock.now()
        verdict = self._budgets.spend(caller.connection, caller.player, address, now)
        if not verdict.wait:
            return self._room.answer(body, caller)
        self._signals.count("SlowedDown")
        self._signals.count("Rejected", by=RoomCode.SLOW_DOWN)
        if verdict.flood:
            self._put_out(caller, address, now)
        message_id, _ = parse(body)
        return error(
            message_id,
            Refused(
                RoomCode.SLOW_DOWN,
                f"too many messages: wait {verdict.wait} ms and send it again",
                {"retry_ms": verdict.wait},
            ),
        )

    def _put_out(self, caller: Caller, address: str, now: int) -> None:
        """Banned first, so that he does not come in again while he is put out."""
        self._signals.count("FlooderClosed")
        self._signals.note("flooder closed", connection=caller.connection)
        try:
            self._bans.ban(caller.player, address, now + BAN_MS)
        except Exception as fault:  # Put out all the same.
            self._signals.count("InternalError")
            self._signals.fault("door", fault)
        self._closer.close(caller.connection)
