"""What a client may ask of the room, and what it is answered."""

from dataclasses import dataclass
from typing import Any

from cardroom import messages
from cardroom.dealer import Applied, Dealer, Wish
from cardroom.errors import MissingDeckError, Refused, RoomCode
from cardroom.messages import Error, Ok, error, ok
from cardroom.ports import Clock, Signals, Tables, Views
from cardroom.stored import Stored
from cardroom.wishes import Playing, command_of
from poker_engine.codec import load_events
from poker_engine.views import needs_deck, snapshot


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose connection it is, from the request's context. A guest has no player name and only
    watches.
    """

    connection: str
    player: str | None


class Room:
    def __init__(
        self, tables: Tables, views: Views, dealer: Dealer, clock: Clock, signals: Signals
    ) -> None:
        self._tables = tables
        self._views = views
        self._dealer = dealer
        self._clock = clock
        self._signals = signals

    def answer(self, body: str, caller: Caller) -> Ok | Error:
        """The reply to a message as it came. Never raises on what a client may send."""
        started = self._clock.now()
        message_id, message = messages.parse(body)
        if isinstance(message, Refused):
            reply: Ok | Error = error(message_id, message)
            route = table = None
        else:
            reply = self._guarded(message, caller)
            route, table = message.route, getattr(message, "table", None)
        code = "ok" if isinstance(reply, Ok) else reply.code
        self._signals.count("Accepted" if isinstance(reply, Ok) else "Rejected")
        self._signals.milliseconds("CommandTime", self._clock.now() - started)
        self._signals.note(
            "command",
            route=route,
            table=table,
            code=code,
            id=message_id,
            connection=caller.connection,
        )
        return reply

    def _guarded(self, message: messages.Asked, caller: Caller) -> Ok | Error:
        """A fault of ours is reported, and told to the client by no more than its code."""
        try:
            return self._answer(message, caller)
        except Exception as fault:
            self._signals.count("InternalError")
            self._signals.fault("command", fault, route=message.route)
            return error(message.id, INTERNAL)

    def _answer(self, message: messages.Asked, caller: Caller) -> Ok | Error:
        match message:
            case messages.Ping():
                return ok(message.id, now=self._clock.now())
            case messages.Tables():
                return ok(message.id, tables=self._tables.listed())
            case messages.Watch():
                return self._watch(message, caller)
            case messages.Unwatch():
                self._views.unwatch(message.table, caller.connection)
                return ok(message.id)
            case messages.Sync():
                return self._sync(message, caller)
            case _:
                return self._play(message, caller)

    def _watch(self, message: messages.Watch, caller: Caller) -> Ok | Error:
        stored = self._tables.load(message.table)
        if stored is None:
            return error(message.id, UNKNOWN)
        self._subscribe(stored, caller)
        # Read after subscribing: what happens from here on is pushed or in the snapshot.
        applied = self._dealer.apply(message.table)
        if isinstance(applied, Refused):
            return error(message.id, applied)
        if _seat(applied.stored, caller) != _seat(stored, caller):
            # He sat down, or lost his seat, between the two.
            self._subscribe(applied.stored, caller)
        return ok(message.id, seq=applied.seq, snapshot=self._snapshot(applied.stored, caller))

    def _sync(self, message: messages.Sync, caller: Caller) -> Ok | Error:
        """The table now, what is due applied; no snapshot for one who has it already."""
        applied = self._dealer.apply(message.table)
        if isinstance(applied, Refused):
            return error(message.id, applied)
        if applied.seq == message.seq:
            return ok(message.id, seq=applied.seq)
        return ok(message.id, seq=applied.seq, snapshot=self._snapshot(applied.stored, caller))

    def _play(self, message: Playing, caller: Caller) -> Ok | Error:
        if caller.player is None:
            return error(message.id, Refused(RoomCode.NOT_ALLOWED, "guests watch; sign in to play"))
        wish = Wish(command_of(message, caller.player), caller.player, message.id)
        applied = self._dealer.apply(message.table, wish)
        if isinstance(applied, Refused):
            return error(message.id, applied)
        if applied.refusal is not None:
            return error(message.id, applied.refusal)
        if isinstance(message, messages.Sit):
            return self._seated(message.id, applied, caller)
        return ok(message.id, seq=applied.seq)

    def _seated(self, message_id: str, applied: Applied, caller: Caller) -> Ok:
        """Who sits down gets pushes for a seat from here on, and a snapshot to begin with."""
        self._subscribe(applied.stored, caller)
        # Read after subscribing, as for `watch`; what was answered stands even if it is not there.
        stored = self._tables.load(applied.stored.table_id) or applied.stored
        return ok(message_id, seq=applied.seq, snapshot=self._snapshot(stored, caller))

    def _subscribe(self, stored: Stored, caller: Caller) -> None:
        self._views.watch(
            stored.table_id,
            caller.connection,
            caller.player or "",
            seated=_seat(stored, caller) is not None,
            seq=stored.table.seq,
            now=self._clock.now(),
        )

    def _snapshot(self, stored: Stored, caller: Caller) -> dict[str, Any]:
        """The table as the caller may see it; without his cards where their deck is lost, or is no
        longer kept after the hand.
        """
        table, seat = stored.table, _seat(stored, caller)
        deck = None
        if needs_deck(table, seat) and table.hand is not None:
            try:
                deck = self._dealer.decks.get(stored.table_id, table.hand.deck).deck
            except MissingDeckError as error:
                if not table.hand.over:
                    self._signals.count("DeckMissing")
                    self._signals.fault("command", error, table=stored.table_id)
        return snapshot(table, seat, deck, self._clock.now(), load_events(stored.log))


UNKNOWN = Refused(RoomCode.UNKNOWN_TABLE, "there is no such table")
INTERNAL = Refused(RoomCode.INTERNAL, "something went wrong on our side")


def _seat(stored: Stored, caller: Caller) -> int | None:
    return None if caller.player is None else stored.table.seat_of(caller.player)
