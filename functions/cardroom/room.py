"""What a client may ask of the room, and what it is answered."""

import json
from typing import Any, Final

from cardroom import messages
from cardroom.account import account_view
from cardroom.attendance import away
from cardroom.damage import DamagedError, named
from cardroom.dealer import Applied, Dealer, Wish
from cardroom.disputes import Disputes, dispute, dispute_view
from cardroom.errors import ArchiveUnreadError, MissingDeckError, Refused, RoomCode
from cardroom.hindsight import already_acted
from cardroom.limits import change, limits_view
from cardroom.lobby import Lobby, Wanted
from cardroom.messages import Error, Ok, error, ok
from cardroom.past import Past
from cardroom.ports import Clock, Signals, Tables, Views
from cardroom.seating import InLine, Seating
from cardroom.session import remind
from cardroom.soundness import events_of
from cardroom.statements import Span, Statements
from cardroom.stored import Stored
from cardroom.trouble import passes
from cardroom.wishes import Playing, command_of
from poker_engine.codec import Damaged
from poker_engine.errors import Code
from poker_engine.evolve import open_table
from poker_engine.frozen import dataclass
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
        self,
        tables: Tables,
        views: Views,
        dealer: Dealer,
        lobby: Lobby,
        seating: Seating,
        past: Past,
        statements: Statements,
        disputes: Disputes,
        clock: Clock,
        signals: Signals,
    ) -> None:
        self._tables = tables
        self._views = views
        self._dealer = dealer
        self._lobby = lobby
        self._seating = seating
        self._past = past
        self._statements = statements
        self._disputes = disputes
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
        if isinstance(reply, Ok):
            code, seq = "ok", reply.seq
            self._signals.count("Accepted")
        else:
            code, seq = reply.code, None
            self._signals.count("Rejected", by=code)
        took = self._clock.now() - started
        self._signals.milliseconds("CommandTime", took)
        self._signals.note(
            "command",
            route=route,
            table=table,
            code=code,
            seq=seq,
            ms=took,
            command=None if message_id is None else named(message_id),
            connection=caller.connection,
        )
        return reply

    def _guarded(self, message: messages.Asked, caller: Caller) -> Ok | Error:
        """A fault of ours is reported, and told to the client by no more than its code. Trouble of
        a service that passes is none: he may send it again. Nor is what is damaged in the store:
        others play on.
        """
        try:
            return self._answer(message, caller)
        except ArchiveUnreadError:
            return error(message.id, UNREAD)  # Reported.
        except Exception as fault:
            self._signals.fault("command", fault, route=message.route)
            if isinstance(fault, OUT_OF_ORDER):
                self._signals.count("OutOfOrder")
                return error(message.id, MENDED_LATER)
            if passes(fault):
                self._signals.count("Busy")
                return error(message.id, BUSY)
            self._signals.count("InternalError")
            return error(message.id, INTERNAL)

    def _answer(self, message: messages.Asked, caller: Caller) -> Ok | Error:
        match message:
            case messages.Ping():
                return self._ping(message, caller)
            case messages.Lobby():
                return self._show_lobby(message, caller)
            case messages.Account():
                return self._account(message, caller)
            case messages.Hands():
                return self._hands(message, caller)
            case messages.Hand():
                return self._hand(message, caller)
            case messages.Ledger():
                return self._ledger(message, caller)
            case messages.Results():
                return self._results(message, caller)
            case messages.Limits():
                return self._limits(message, caller)
            case messages.Watch():
                return self._watch(message, caller)
            case messages.Unwatch():
                self._views.unwatch(message.table, caller.connection)
                return ok(message.id)
            case messages.Sync():
                return self._sync(message, caller)
            case messages.Dispute():
                return self._dispute(message, caller)
            case messages.QuickSeat():
                return self._quick_seat(message, caller)
            case messages.Wait():
                return self._wait(message, caller)
            case messages.Unwait():
                return self._stop_waiting(message, caller)
            case _:
                return self._play(message, caller)

    def _show_lobby(self, message: messages.Lobby, caller: Caller) -> Ok:
        if message.watch:
            self._lobby.watch(caller.connection, caller.player or "")
        else:
            self._lobby.unwatch(caller.connection)
        wanted = Wanted(message.game, message.currency, message.structure, message.free)
        return ok(message.id, lobby=self._lobby.parts(wanted)[0])

    def _account(self, message: messages.Account, caller: Caller) -> Ok | Error:
        if caller.player is None:
            return error(message.id, NO_ACCOUNT)
        # Taken first: an offer that is made meanwhile is told with a later moment.
        now = self._clock.now()
        view = account_view(self._tables, self._seating, caller.player, now)
        return ok(message.id, now=now, account=view)

    def _hands(self, message: messages.Hands, caller: Caller) -> Ok | Error:
        if caller.player is None:
            return error(message.id, NO_ACCOUNT)
        hands = self._past.hands(caller.player, message.table, message.up_to)
        return ok(message.id, hands=hands)

    def _hand(self, message: messages.Hand, caller: Caller) -> Ok | Error:
        now = self._clock.now()
        found = self._past.hand(message.table, message.hand, caller.player, now)
        if isinstance(found, Refused):
            return error(message.id, found)
        if caller.player is not None and found["seat"] is not None:
            disputed = self._disputes.one(caller.player, message.table, message.hand)
            if disputed is not None:
                found["dispute"] = dispute_view(disputed)
        return ok(message.id, hand=found)

    def _ledger(self, message: messages.Ledger, caller: Caller) -> Ok | Error:
        if caller.player is None:
            return error(message.id, NO_ACCOUNT)
        now = self._clock.now()
        found = self._statements.ledger(caller.player, message.zone, message.after, now)
        if isinstance(found, Refused):
            return error(message.id, found)
        return ok(message.id, ledger=found)

    def _results(self, message: messages.Results, caller: Caller) -> Ok | Error:
        if caller.player is None:
            return error(message.id, NO_ACCOUNT)
        span = Span(message.since, message.until, message.hand)
        found = self._statements.results(caller.player, message.zone, message.table, span)
        if isinstance(found, Refused):
            return error(message.id, found)
        return ok(message.id, results=found)

    def _ping(self, message: messages.Ping, caller: Caller) -> Ok:
        now = self._clock.now()
        if caller.player is None:
            return ok(message.id, now=now)
        return ok(message.id, now=now, reminder=remind(self._tables, caller.player, now))

    def _limits(self, message: messages.Limits, caller: Caller) -> Ok | Error:
        if caller.player is None:
            return error(message.id, NO_ACCOUNT)
        limits = change(self._tables, caller.player, message.currency, message.asked, self._clock)
        if isinstance(limits, Refused):
            return error(message.id, limits)
        now = self._clock.now()
        remind(self._tables, caller.player, now)
        view = limits_view(limits, self._tables.wallets(caller.player), now)
        return ok(message.id, now=now, limits=view)

    def _dispute(self, message: messages.Dispute, caller: Caller) -> Ok | Error:
        if caller.player is None:
            return error(message.id, NO_ACCOUNT)
        refused = dispute(self._disputes, self._past, caller.player, message, self._clock.now())
        return ok(message.id) if refused is None else error(message.id, refused)

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
        picture = self._picture(applied.stored, caller)
        return ok(message.id, seq=picture["seq"], snapshot=picture)

    def _sync(self, message: messages.Sync, caller: Caller) -> Ok | Error:
        """The table now, what is due applied; no snapshot for one who has it already."""
        applied = self._dealer.apply(message.table)
        if isinstance(applied, Refused):
            return error(message.id, applied)
        behind = _behind(applied.stored, caller)
        if not behind and applied.seq == message.seq:
            return ok(message.id, seq=applied.seq)
        picture = self._picture(applied.stored, caller)
        if behind and picture["seq"] <= message.seq:
            # He may have more, from when he had a seat.
            return ok(message.id, seq=picture["seq"])
        return ok(message.id, seq=picture["seq"], snapshot=picture)

    def _play(self, message: Playing, caller: Caller) -> Ok | Error:
        if caller.player is None:
            return error(message.id, GUEST)
        wish = Wish(command_of(message, caller.player), caller.player, message.id)
        if isinstance(message, messages.Sit):
            applied = self._seating.sit(message.table, wish)
        else:
            applied = self._dealer.apply(message.table, wish)
        if isinstance(applied, Refused):
            return error(message.id, applied)
        if applied.refusal is not None:
            taken = None
            if isinstance(message, messages.Act) and applied.refusal.code in TOO_LATE:
                taken = already_acted(applied.stored, caller.player, message.hand, message.turn)
            return error(message.id, taken or applied.refusal)
        if isinstance(message, messages.Sit):
            return self._seated(message.id, applied, caller)
        return ok(message.id, seq=applied.seq)

    def _quick_seat(self, message: messages.QuickSeat, caller: Caller) -> Ok | Error:
        if caller.player is None:
            return error(message.id, GUEST)
        applied = self._seating.quick_seat(
            message.structure, caller.player, message.chips, message.id, post=message.post
        )
        if isinstance(applied, Refused):
            return error(message.id, applied)
        if applied.refusal is not None:
            return error(message.id, applied.refusal)
        seated = self._seated(message.id, applied, caller)
        return ok(
            message.id,
            table=applied.stored.table_id,
            seat=_seat(applied.stored, caller),
            seq=seated.seq,
            snapshot=seated.snapshot,
        )

    def _wait(self, message: messages.Wait, caller: Caller) -> Ok | Error:
        if caller.player is None:
            return error(message.id, GUEST)
        found = self._seating.wait(message.structure, caller.player)
        if isinstance(found, InLine):
            return ok(message.id, now=found.now, waiting=found.view())
        return error(message.id, found)

    def _stop_waiting(self, message: messages.Unwait, caller: Caller) -> Ok | Error:
        if caller.player is None:
            return error(message.id, GUEST)
        self._seating.stop_waiting(message.structure, caller.player)
        return ok(message.id)

    def _seated(self, message_id: str, applied: Applied, caller: Caller) -> Ok:
        """Who sits down gets pushes for a seat from here on, and a snapshot to begin with."""
        self._subscribe(applied.stored, caller)
        # Read after subscribing, as for `watch`; what was answered stands even if it is not there.
        stored = self._tables.load(applied.stored.table_id) or applied.stored
        if _seat(stored, caller) != _seat(applied.stored, caller):
            # He has lost it again, by another of his devices.
            self._subscribe(stored, caller)
        return ok(message_id, seq=applied.seq, snapshot=self._picture(stored, caller))

    def _subscribe(self, stored: Stored, caller: Caller) -> None:
        self._views.watch(
            stored.table_id,
            caller.connection,
            caller.player or "",
            seated=_seat(stored, caller) is not None,
            seq=stored.table.seq,
            now=self._clock.now(),
        )

    def _picture(self, stored: Stored, caller: Caller) -> dict[str, Any]:
        """What the caller may see: the table now, or of a delayed table, where he has no seat, what
        its spectators were sent last.
        """
        if _behind(stored, caller):
            return self._shown(stored)
        seated = self._views.audience(stored.table_id, self._clock.now()).seated
        return {**self._snapshot(stored, caller), "away": away(stored.table, seated)}

    def _shown(self, stored: Stored) -> dict[str, Any]:
        """Until something has been sent, the table as it was opened."""
        text = self._views.shown(stored.table_id)
        if text is None:
            empty = open_table(stored.table.settings)
            return {**snapshot(empty, None, None, self._clock.now()), "away": []}
        sent = json.loads(text)
        return {name: sent[name] for name in ("seq", "now", "away", "state")}

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
        return snapshot(table, seat, deck, self._clock.now(), events_of(stored.log))


TOO_LATE: Final = (Code.STALE_TURN, Code.NO_HAND)
"""What an action on a turn that is over is refused with."""
GUEST = Refused(RoomCode.NOT_ALLOWED, "guests watch; sign in to play")
NO_ACCOUNT = Refused(RoomCode.NOT_ALLOWED, "sign in to have an account")
UNKNOWN = Refused(RoomCode.UNKNOWN_TABLE, "there is no such table")
BUSY = Refused(RoomCode.BUSY, "the room is busy; try again")
OUT_OF_ORDER: Final = (DamagedError, Damaged, MissingDeckError)
"""What only an operator, or the sweep, can mend."""
MENDED_LATER = Refused(
    RoomCode.OUT_OF_ORDER, "this is out of order: it has been reported, and nothing was done"
)
UNREAD = Refused(
    RoomCode.ARCHIVE_UNAVAILABLE,
    "hands this old are in an archive that cannot be read just now; ask again later",
)
INTERNAL = Refused(RoomCode.INTERNAL, "something went wrong on our side")


def _behind(stored: Stored, caller: Caller) -> bool:
    """Whether he sees this table later than it is."""
    return stored.table.settings.delay_s > 0 and _seat(stored, caller) is None


def _seat(stored: Stored, caller: Caller) -> int | None:
    return None if caller.player is None else stored.table.seat_of(caller.player)
