"""What a client knows of a table: the last snapshot, and the events pushed since folded into it.

Nothing here knows a rule of poker: snapshots, events and the turn's choices come from the server,
and the folding only keeps books. Amounts are minor units, times milliseconds of the server's
clock, seats count from 0.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Protocol

type Json = dict[str, Any]

HELD: Final = 64
"""Pushes kept while a gap is being closed."""
BANK_GROWS: Final = 1_000
"""Milliseconds that a time bank gets for each hand."""


class Outcome(Enum):
    """What a push did to the view."""

    APPLIED = "applied"
    DROPPED = "dropped"
    """Known already, or older than what is known."""
    GAP = "gap"
    """Something before it is missing: ask for a snapshot."""


class Witness(Protocol):
    """Sees how a view comes to know what it knows."""

    def pushed(self, view: "TableView", push: Json) -> None:
        """The push is folded in next."""
        ...

    def loaded(self, view: "TableView", seq: int, *, asked: bool) -> None:
        """A snapshot of this seq is taken over next; `asked`: it came in a reply."""
        ...


PRIVATE: Final = frozenset({"planned", "refill_set", "prepared"})
"""Events that only their own seat is told, and which no seq counts."""


@dataclass
class TableView:
    """One table as one client sees it. `seq` is -1 until the first snapshot."""

    table: str
    player: str = ""
    """Whose view it is; "" is a spectator's."""
    seq: int = -1
    state: Json = field(default_factory=dict)
    heard: int = 0
    """When the last message about the table came, on the server's clock."""
    stale: bool = False
    """Something happened that events do not describe: a new snapshot is needed."""
    log: list[Json] = field(default_factory=list)
    """The events of the hand that runs or ran last, oldest first."""
    late_ms: int = 0
    """How long ago the table was as it is seen here; 0 where it is seen as it is."""
    away: frozenset[int] = frozenset()
    """Seats whose players have no connection to this table now."""
    away_at: int = -1
    """As of when, on the server's clock."""
    witness: Witness | None = field(default=None, repr=False, compare=False)
    _held: list[Json] = field(default_factory=list)
    """Pushes whose predecessor is missing."""
    _sat: tuple[int, dict[int, str]] = field(
        default_factory=lambda: (0, {}), repr=False, compare=False
    )
    """The hand's number, and by seat who was seen there last while it ran."""
    _own_at: int = -1
    """When what one is told alone was so."""

    @property
    def seats(self) -> list[Json | None]:
        seats: list[Json | None] = self.state.get("seats", [])
        return seats

    @property
    def hand(self) -> Json | None:
        """The hand that runs or ran last."""
        hand: Json | None = self.state.get("hand")
        return hand

    @property
    def running(self) -> Json | None:
        """The hand, unless it is over."""
        hand = self.hand
        return None if hand is None or hand["over"] else hand

    @property
    def turn(self) -> Json | None:
        """Whose turn it is and what he may do."""
        turn: Json | None = self.state.get("turn")
        return turn

    @property
    def hole(self) -> list[str]:
        """The client's own cards, or none."""
        return list(self.state.get("hole") or ())

    @property
    def settings(self) -> Json:
        settings: Json = self.state.get("settings", {})
        return settings

    def seat_of(self, player: str) -> int | None:
        """The player's seat, or None."""
        for number, seat in enumerate(self.seats):
            if seat is not None and seat["player"] == player:
                return number
        return None

    @property
    def mine(self) -> int | None:
        """The seat of the view's own player, or None.

        It shows more than another's: who looks on from outside may still be shown in a seat that he
        has left, where spectators see the table late.
        """
        number = self.seat_of(self.player) if self.player else None
        seat = None if number is None else self.seats[number]
        return number if seat is not None and "plan" in seat else None

    def told(self) -> list[tuple[Json, list[str | None]]]:
        """Each event of the log with who sat in which seat when it happened.

        Told backwards from who sits there now: whoever came later has not acted then. A snapshot
        says nothing of who went after the hand: he is called as he was known, or by his coming.
        """
        before = self._sat[1]
        players = [
            before.get(number) if seat is None else str(seat["player"])
            for number, seat in enumerate(self.seats)
        ]
        told: list[tuple[Json, list[str | None]]] = []
        for event in reversed(self.log):
            if event["e"] == "seat_emptied":
                players[event["seat"]] = str(event["player"])
            if event["e"] == "seated" and players[event["seat"]] is None:
                for later in (players, *(names for _, names in told)):
                    later[event["seat"]] = later[event["seat"]] or str(event["player"])
            told.append((event, list(players)))
            if event["e"] == "seated":
                players[event["seat"]] = None
        return told[::-1]

    @property
    def own(self) -> Json | None:
        """The seat of the view's own player, or None."""
        mine = self.mine
        return None if mine is None else self.seats[mine]

    @property
    def in_bank(self) -> bool:
        """The running turn has gone on in its seat's time bank."""
        kinds = (event["e"] for event in reversed(self.log))
        bounds = ("turn_began", "bank_opened", "bank_closed")
        return next((kind for kind in kinds if kind in bounds), None) == "bank_opened"

    def presence(self, message: Json) -> None:
        """Who is away, where the message says so and is not older than what is known."""
        now = int(message["now"])
        if "away" in message and now >= self.away_at:
            self.away, self.away_at = frozenset(message["away"]), now

    def load(self, seq: int, state: Json, now: int, *, asked: bool = True) -> bool:
        """Take over a snapshot unless it is older than what is known. The newest wins.

        What a spectator is sent unasked holds no cards of a seat: a seat does not take it.
        """
        self.heard = now
        if seq < self.seq or (not asked and self.mine is not None):
            return False
        if self.witness is not None:
            self.witness.loaded(self, seq, asked=asked)
        self.seq = seq
        self.state = state
        self._own_at = now
        self.stale = False
        self.log = list(state.get("log") or ())
        self._remember()
        self._replay_held(now)
        return True

    def push(self, push: Json) -> Outcome:
        """Fold a push of events in, if it is the next one."""
        seq, before = int(push["seq"]), int(push["before"])
        self.heard = int(push["now"])
        if before == self.seq:
            self._fold(push)
            self._replay_held(self.heard)
            return Outcome.APPLIED
        if seq <= self.seq:
            return Outcome.DROPPED
        if len(self._held) < HELD and push not in self._held:
            self._held.append(push)
        return Outcome.GAP

    @property
    def behind(self) -> bool:
        """A push is held whose predecessor is missing."""
        return bool(self._held)

    def _replay_held(self, now: int) -> None:
        while next_ones := [one for one in self._held if int(one["before"]) == self.seq]:
            # What concerns one seat alone before what goes on from there.
            push = min(next_ones, key=lambda one: (int(one["seq"]), int(one["now"])))
            self._held.remove(push)
            self._fold(push)
        self._held = [one for one in self._held if int(one["seq"]) > self.seq]
        self.heard = max(self.heard, now)

    def _fold(self, push: Json) -> None:
        if self.witness is not None:
            self.witness.pushed(self, push)
        for event in push["events"]:
            if event["e"] == "hand_started":
                self.log = []
                self.state.pop("hole", None)
            if event["e"] == "seat_emptied" and event["player"] == self.player:
                self.state.pop("hole", None)
            # What a void hand puts back (RULES 9) stands in no event.
            self.stale = self.stale or event["e"] == "hand_voided"
            _FOLDS.get(event["e"], _nothing)(self.state, event)
            if event["e"] == "seated" and event["player"] == self.player:
                _seat(self.state, event).update(_OWN)
            self.log.append(event)
        if "own" in push and int(push["now"]) >= self._own_at and self.mine is not None:
            # Of two that count the same the later holds, whichever comes first.
            self._own_at = int(push["now"])
            self.state["seats"][self.mine].update(push["own"])
        for name in ("hole", "turn"):
            if name in push:
                self.state[name] = push[name]
        if self.hand is not None and "pots" in push:
            self.hand["pots"] = push["pots"]
        self.seq = int(push["seq"])
        self._remember()

    def _remember(self) -> None:
        """Keep the names of those who are in the hand that is shown."""
        number = 0 if self.hand is None else int(self.hand["number"])
        if number != self._sat[0]:
            self._sat = (number, {})
        for seat, one in enumerate(self.seats):
            if one is not None and self.running is not None:
                self._sat[1][seat] = str(one["player"])

    def next_to_act(self) -> int | None:
        """The seat that is asked after the one whose turn it is, as far as anybody can tell."""
        if self.turn is None:
            return None
        seats = self.seats
        start = int(self.turn["seat"])
        for step in range(1, len(seats)):
            number = (start + step) % len(seats)
            seat = seats[number]
            if seat is None or not seat["in_hand"] or seat["all_in"]:
                continue
            return number
        return None

    def sync_at(self, *, next_ms: int, deadline_ms: int) -> int | None:
        """When to ask for news if nothing comes, so that a lost last push cannot stall a game.

        The player who is next asks after `next_ms` of silence, the others `deadline_ms` after the
        shown deadline; between hands everybody asks that long after the next hand's start.
        """
        if self.running is None:
            start: int | None = self.state.get("next_hand_at")
            return None if start is None else max(start, self.heard) + deadline_ms
        turn = self.turn
        if turn is None:
            return self.heard + next_ms
        late = max(int(turn["deadline"]), self.heard) + deadline_ms
        mine = self.mine
        if mine is not None and mine == self.next_to_act():
            return min(late, self.heard + next_ms)
        return late


_OWN: Final[Json] = {"plan": None, "pre": None, "refill": 0}
"""What a new seat of one's own shows besides."""


def _nothing(state: Json, event: Json) -> None:
    """Events that change nothing which a view shows."""


def _seat(state: Json, event: Json) -> Json:
    seat: Json = state["seats"][event["seat"]]
    return seat


def _seated(state: Json, event: Json) -> None:
    state["seats"][event["seat"]] = {
        "seat": event["seat"],
        "player": event["player"],
        "stack": event["chips"],
        "topup": 0,
        "status": "posting" if event["posting"] else "waiting",
        "exit": None,
        "bet": 0,
        "in_hand": False,
        "folded": False,
        "all_in": False,
    }
    most = state["settings"].get("time_bank_ms", 0)
    if most:
        state["seats"][event["seat"]]["bank"] = most


def _topped_up(state: Json, event: Json) -> None:
    _seat(state, event)["topup"] += event["chips"]


def _top_up_played(state: Json, event: Json) -> None:
    seat = _seat(state, event)
    seat["topup"] -= event["chips"]
    seat["stack"] += event["chips"]


def _sat_out(state: Json, event: Json) -> None:
    seat = _seat(state, event)
    seat["status"] = "out"
    if "plan" in seat:
        seat["plan"] = None


def _sat_in(state: Json, event: Json) -> None:
    _seat(state, event)["status"] = event["status"]


def _planned(state: Json, event: Json) -> None:
    _seat(state, event)["plan"] = event["plan"]


def _refill_set(state: Json, event: Json) -> None:
    _seat(state, event)["refill"] = event["to"]


def _prepared(state: Json, event: Json) -> None:
    do, price = event["do"], event["price"]
    _seat(state, event)["pre"] = None if do is None else {"do": do, "price": price}


def _bank_closed(state: Json, event: Json) -> None:
    _seat(state, event)["bank"] = event["left"]


def _going(state: Json, event: Json) -> None:
    seat = _seat(state, event)
    seat["exit"] = event["exit"]
    _void_prepared([seat])


def _seat_emptied(state: Json, event: Json) -> None:
    state["seats"][event["seat"]] = None


def _hand_scheduled(state: Json, event: Json) -> None:
    state["next_hand_at"] = event["at"]


def _paused(state: Json, event: Json) -> None:
    state["next_hand_at"] = None


def _hand_started(state: Json, event: Json) -> None:
    state["button"] = event["button"]
    state["hands"] = event["number"]
    state["next_hand_at"] = None
    state["hand"] = {
        "number": event["number"],
        "button": event["button"],
        "small_blind": event["small_blind"],
        "big_blind": event["big_blind"],
        "street": "preflop",
        "board": [],
        "pot": 0,
        "pots": [],
        "shown": [],
        "over": False,
        "voided": False,
    }
    dealt = set(event["dealt"])
    most = state["settings"].get("time_bank_ms", 0)
    for seat in state["seats"]:
        if seat is None:
            continue
        playing = seat["seat"] in dealt
        if playing and "bank" in seat:
            seat["bank"] = min(most, seat["bank"] + BANK_GROWS)
        seat.update(bet=0, in_hand=playing, folded=False, all_in=False)
        if playing and seat["status"] != "out":
            seat["status"] = "active"


def _put_in(state: Json, seat: Json, amount: int) -> None:
    seat["stack"] -= amount
    seat["all_in"] = seat["stack"] == 0
    state["hand"]["pot"] += amount


def _posted(state: Json, event: Json) -> None:
    seat = _seat(state, event)
    _put_in(state, seat, event["amount"])
    if event["post"] not in ("ante", "dead"):
        seat["bet"] += event["amount"]


def _void_prepared(seats: list[Json | None]) -> None:
    """What was said beforehand holds for one price and one street."""
    for seat in seats:
        if seat is not None and "pre" in seat:
            seat["pre"] = None


def _acted(state: Json, event: Json) -> None:
    seat = _seat(state, event)
    _void_prepared(state["seats"] if event["do"] in ("bet", "raise") else [seat])
    if event["do"] == "fold":
        seat.update(in_hand=False, folded=True)
    elif event["paid"]:
        _put_in(state, seat, event["paid"])
        seat["bet"] = event["to"]


def _board_dealt(state: Json, event: Json) -> None:
    state["hand"]["street"] = event["street"]
    state["hand"]["board"] += event["cards"]
    _void_prepared(state["seats"])
    for seat in state["seats"]:
        if seat is not None:
            seat["bet"] = 0


def _returned(state: Json, event: Json) -> None:
    seat = _seat(state, event)
    seat["stack"] += event["amount"]
    seat["all_in"] = False
    seat["bet"] = max(0, seat["bet"] - event["amount"])
    state["hand"]["pot"] -= event["amount"]


def _shown(state: Json, event: Json) -> None:
    shown = state["hand"]["shown"]
    for one in shown:
        if one["seat"] == event["seat"]:
            one["cards"] += [card for card in event["cards"] if card not in one["cards"]]
            return
    shown.append({"seat": event["seat"], "cards": list(event["cards"])})


def _pot_won(state: Json, event: Json) -> None:
    hand = state["hand"]
    # Settled from the last pot to the main one, shown from the main one on.
    settled = [pot for pot in hand["pots"] if "shares" in pot]
    names = ("amount", "rake", "contenders", "shares")
    hand["pots"] = [{name: event[name] for name in names}, *settled]
    for number, chips in event["shares"]:
        state["seats"][number]["stack"] += chips


def _hand_over(state: Json, event: Json) -> None:
    state["hand"]["over"] = True
    _void_prepared(state["seats"])
    for seat in state["seats"]:
        if seat is not None:
            seat.update(bet=0, all_in=False)


def _closing(state: Json, event: Json) -> None:
    state["closing"] = True
    state["next_hand_at"] = None


def _frozen(state: Json, event: Json) -> None:
    state["frozen"] = True
    state["next_hand_at"] = None


def _thawed(state: Json, event: Json) -> None:
    state["frozen"] = False


def _hand_voided(state: Json, event: Json) -> None:
    _hand_over(state, event)
    state["hand"]["voided"] = True


_FOLDS: Final[dict[str, Callable[[Json, Json], None]]] = {
    "seated": _seated,
    "topped_up": _topped_up,
    "top_up_played": _top_up_played,
    "sat_out": _sat_out,
    "sat_in": _sat_in,
    "planned": _planned,
    "refill_set": _refill_set,
    "prepared": _prepared,
    "bank_closed": _bank_closed,
    "going": _going,
    "seat_emptied": _seat_emptied,
    "hand_scheduled": _hand_scheduled,
    "paused": _paused,
    "hand_started": _hand_started,
    "posted": _posted,
    "acted": _acted,
    "board_dealt": _board_dealt,
    "returned": _returned,
    "shown": _shown,
    "pot_won": _pot_won,
    "hand_ended": _hand_over,
    "hand_voided": _hand_voided,
    "closing": _closing,
    "closed": _closing,
    "frozen": _frozen,
    "thawed": _thawed,
}
