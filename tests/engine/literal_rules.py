"""RULES 3 and 5.2 read word by word from a hand's events: slow, and another way than the engine's.

`Reading` follows a hand event by event and answers what the rules say of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from poker_engine.events import Acted, BoardDealt, Event, HandStarted, Posted, Returned
from poker_engine.stakes import Ante, Game, Settings
from poker_engine.state import Do, Post, Street


@dataclass
class Player:
    left: int
    total: int = 0
    """Over the hand; dead money apart."""
    bet: int = 0
    """On this street."""
    folded: bool = False
    seen: int | None = None
    """The price after his last action of this street; None before it."""

    def pays(self, chips: int) -> None:
        self.left -= chips
        self.total += chips
        self.bet += chips


@dataclass
class Reading:
    """A hand so far. `players` in dealing order."""

    settings: Settings
    players: dict[int, Player]
    button: int
    last: int
    """Seat after which the next turn is looked for."""
    street: Street = Street.PREFLOP
    price: int = 0
    raises: list[int] = field(default_factory=list)
    """Full bets and raises of the round: in no-limit their sizes, in fixed-limit their totals."""
    capped: bool = False
    dead: int = 0

    @classmethod
    def of(cls, settings: Settings, stacks: dict[int, int], started: HandStarted) -> "Reading":
        big_blind = settings.stakes.big_blind
        assert started.big_blind is not None
        return cls(
            settings,
            {seat: Player(stacks[seat]) for seat in started.dealt},
            started.button,
            started.big_blind,
            price=big_blind,
            raises=[big_blind],
        )

    def follow(self, event: Event) -> None:
        match event:
            case Posted():
                self._post(event)
            case Acted():
                self._act(event)
            case BoardDealt():
                self._street(event.street)
            case Returned():
                self.players[event.seat].left += event.amount
                self.players[event.seat].total -= event.amount
            case _:
                pass

    def _post(self, event: Posted) -> None:
        player = self.players[event.seat]
        for_all = self.settings.stakes.ante_by is Ante.BIG_BLIND
        if event.post is Post.DEAD or (event.post is Post.ANTE and for_all):
            player.left -= event.amount
            self.dead += event.amount
        elif event.post is Post.ANTE:
            player.left -= event.amount
            player.total += event.amount
        else:
            player.pays(event.amount)

    def _act(self, event: Acted) -> None:
        player = self.players[event.seat]
        match event.do:
            case Do.FOLD:
                player.folded = True
            case Do.CHECK | Do.CALL:
                player.pays(event.paid)
            case Do.BET | Do.RAISE:
                self._raise(player, event)
        player.seen = self.price
        self.last = event.seat

    def _raise(self, player: Player, event: Acted) -> None:
        if self.settings.stakes.game is Game.NO_LIMIT:
            by = event.to - self.price
            if by >= self.full:
                self.raises.append(by)
        elif event.to - self.full >= self.limit / 2:
            self.raises.append(event.to)
            uncapped = self.settings.uncapped_heads_up and len(self.still_in()) == 2
            self.capped = len(self.raises) >= 4 and not uncapped
        player.pays(event.paid)
        assert player.bet == event.to
        self.price = event.to

    def _street(self, street: Street) -> None:
        self.street, self.price, self.last, self.capped = street, 0, self.button, False
        self.raises = []
        for player in self.players.values():
            player.bet, player.seen = 0, None

    @property
    def limit(self) -> int:
        """Fixed-limit: the bet of this street."""
        stakes = self.settings.stakes
        early = self.street in (Street.PREFLOP, Street.FLOP)
        return stakes.small_bet if early else stakes.big_bet

    @property
    def full(self) -> int:
        """No-limit: the largest full bet or raise; fixed-limit: L."""
        if self.settings.stakes.game is Game.NO_LIMIT:
            return max(self.raises, default=self.settings.stakes.big_blind)
        return self.raises[-1] if self.raises else 0

    def still_in(self) -> list[int]:
        return [seat for seat, player in self.players.items() if not player.folded]

    # --- what the rules say ---------------------------------------------------------------------

    def turn(self) -> int | None:
        """Whose turn it is; None where the street, or the hand, is over."""
        if len(self.still_in()) == 1:
            return None
        around = self.settings.seats
        for step in range(1, around + 1):
            seat = (self.last + step) % around
            player = self.players.get(seat)
            if player is None or player.folded or player.left == 0:
                continue
            faces = player.seen is None or player.bet < self.price
            if faces and not self._nothing_to_decide(seat):
                return seat
        return None

    def _nothing_to_decide(self, seat: int) -> bool:
        """RULES 3.5, its second sentence."""
        opponents = [self.players[other] for other in self.still_in() if other != seat]
        matched = all(self.players[seat].total >= one.total for one in opponents)
        return matched and all(one.left == 0 for one in opponents)

    def to_call(self, seat: int) -> int:
        player = self.players[seat]
        return min(max(0, self.price - player.bet), player.left)

    def raises_to(self, seat: int) -> tuple[int, int] | None:
        """Least and greatest total of a bet or raise; None if there may be none."""
        player = self.players[seat]
        most = player.bet + player.left
        opponents = [self.players[other] for other in self.still_in() if other != seat]
        if most <= self.price or not any(one.bet + one.left > self.price for one in opponents):
            return None
        no_limit = self.settings.stakes.game is Game.NO_LIMIT
        if player.seen is not None:
            faces = self.price - player.seen
            if faces < (self.full if no_limit else self.limit / 2):
                return None
        if no_limit:
            return min(self.price + self.full, most), most
        if self.capped:
            return None
        to = min(self.full + self.limit, most)
        return to, to


def pots(reading: Reading) -> list[tuple[int, set[int]]]:
    """Chips and contenders of each pot by the textbook: a layer a total, then like layers merged.

    Called after the uncalled part went back.
    """
    result: list[tuple[int, set[int]]] = []
    below = 0
    still_in = reading.still_in()
    for level in sorted({player.total for player in reading.players.values()}):
        chips = sum(max(0, min(player.total, level) - below) for player in reading.players.values())
        contenders = {seat for seat in still_in if reading.players[seat].total >= level}
        below = level
        if not contenders or (result and result[-1][1] == contenders):
            # Above all who are still in there is only money of players who folded.
            result[-1] = (result[-1][0] + chips, result[-1][1])
        else:
            result.append((chips, contenders))
    return [(result[0][0] + reading.dead, result[0][1]), *result[1:]]


def best_of(values: dict[int, int], contenders: Sequence[int]) -> set[int]:
    best = max(values[seat] for seat in contenders)
    return {seat for seat in contenders if values[seat] == best}
