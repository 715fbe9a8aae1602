"""What an operator does with players and their money.

Deposits and withdrawals are the only ways in and out of the room. Each names something outside, its
reference, and is booked once however often it is asked for.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

from cardroom import keys
from cardroom.errors import Ambiguous, Conflict
from cardroom.limits import Limits
from cardroom.money import Entry, Kind, Move, Player, Standing, Wallet
from cardroom.names import TAKEN, Claim, NameCode, fault_of
from cardroom.ports import Clock

TRIES = 8
PAUSE_MS = 25


class BankCode(StrEnum):
    """Stable codes of what the bank declines."""

    PLAYER_EXISTS = "player_exists"
    UNKNOWN_PLAYER = "unknown_player"
    SUSPENDED = "suspended"
    EXCLUDED = "excluded"
    DEPOSIT_LIMIT = "deposit_limit"
    NOT_SUSPENDED = "not_suspended"
    CLOSED = "closed"
    INSUFFICIENT_FUNDS = "insufficient_funds"
    REFERENCE_USED = "reference_used"
    NOT_EMPTY = "not_empty"
    SEATED = "seated"
    BUSY = "busy"


@dataclass(frozen=True, slots=True)
class Declined:
    """`facts` are numbers of the sentence: amounts in minor units, moments in ms."""

    code: BankCode | NameCode
    sentence: str
    facts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Booked:
    """`repeated`: it had been booked before, and was not again."""

    entry: Entry
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """Who wants it, and why: it is in the ledger."""

    who: str
    why: str


class Accounts(Protocol):
    """Players, wallets and ledger, to be read and written."""

    def player(self, name: str) -> Player | None: ...

    def wallet(self, player: str, currency: str) -> Wallet: ...

    def entry(self, player: str, entry_id: str) -> Entry | None: ...

    def claim(self, name: str, now: int) -> Claim:
        """Take the name for good, and with it all that look like it; TAKEN if it is somebody
        else's, or is being signed up.
        """
        ...

    def create(self, player: Player) -> bool:
        """False if there is one of this name."""
        ...

    def set_standing(self, player: Player, before: Standing) -> bool:
        """False if his standing is another than `before`."""
        ...

    def limits(self, player: str) -> Limits:
        """None at all where he has set none."""
        ...

    def book(self, move: Move, standing: Standing, limits: Limits | None = None) -> None:
        """If the player still stands so and these still are his limits. Raises Conflict or
        Ambiguous.
        """
        ...

    def seats(self, player: str) -> Iterable[str]:
        """Tables at which the player has chips."""
        ...


class Bank:
    def __init__(self, accounts: Accounts, clock: Clock) -> None:
        self._accounts = accounts
        self._clock = clock

    def create(self, name: str, order: Order) -> Player | Declined:
        now = self._clock.now()
        if self._accounts.player(name) is not None:
            return _exists(name)
        if (fault := fault_of(name)) is not None:
            return Declined(fault.code, fault.sentence)
        match self._accounts.claim(name, now):
            case Claim.TAKEN:
                return Declined(TAKEN.code, TAKEN.sentence)
            case Claim.BUSY:
                return _busy(name)
            case Claim.HELD:
                pass
        player = Player(name, Standing.OPEN, now, order.who, order.why, created=now)
        if self._accounts.create(player):
            return player
        return _exists(name)

    def deposit(
        self, name: str, currency: str, amount: int, reference: str, order: Order
    ) -> Booked | Declined:
        """Money from outside, as far as the player's own limits let him; `amount` in minor units,
        above 0.
        """
        return self._book(Kind.DEPOSIT, name, currency, amount, reference, order)

    def withdraw(
        self, name: str, currency: str, amount: int, reference: str, order: Order
    ) -> Booked | Declined:
        """Money that goes out; of a suspended player and one who has excluded himself too."""
        return self._book(Kind.WITHDRAWAL, name, currency, -amount, reference, order)

    def suspend(self, name: str, order: Order) -> Player | Declined:
        """No buy-in, no deposit; seats, payments to him and withdrawals go on."""
        return self._stand(name, Standing.SUSPENDED, order)

    def lift(self, name: str, order: Order) -> Player | Declined:
        """End a suspension."""
        return self._stand(name, Standing.OPEN, order)

    def close(self, name: str, order: Order) -> Player | Declined:
        """For ever. He is suspended first, so that nothing moves: no money, no seat."""
        player = self._accounts.player(name)
        if player is not None and player.standing is Standing.OPEN:
            return Declined(BankCode.NOT_SUSPENDED, f"{name} may still play: suspend him first")
        if player is not None and player.standing is Standing.SUSPENDED:
            if seats := ", ".join(self._accounts.seats(name)):
                return Declined(BankCode.SEATED, f"{name} still has chips at {seats}")
            if any(wallet.balance for wallet in player.wallets):
                return Declined(BankCode.NOT_EMPTY, f"{name} still has money: withdraw it first")
        return self._stand(name, Standing.CLOSED, order)

    def _stand(self, name: str, standing: Standing, order: Order) -> Player | Declined:
        for _ in range(TRIES):
            player = self._accounts.player(name)
            if player is None:
                return _unknown(name)
            if player.standing is Standing.CLOSED:
                return _closed(name)
            changed = replace(
                player,
                standing=standing,
                at=self._clock.now(),
                who=order.who,
                why=order.why,
                wallets=tuple(
                    replace(wallet, suspended=standing is not Standing.OPEN)
                    for wallet in player.wallets
                ),
            )
            if self._accounts.set_standing(changed, player.standing):
                return changed
        return _busy(name)

    def _book(
        self, kind: Kind, name: str, currency: str, amount: int, reference: str, order: Order
    ) -> Booked | Declined:
        for attempt in range(1, TRIES + 1):
            known = self._accounts.entry(name, keys.referred(reference))
            if known is not None:
                return _known(known, kind, currency, amount)
            player = self._accounts.player(name)
            if player is None:
                return _unknown(name)
            if player.standing is Standing.CLOSED:
                return _closed(name)
            if player.standing is Standing.SUSPENDED and kind is Kind.DEPOSIT:
                return Declined(BankCode.SUSPENDED, f"{name} is suspended: no deposit is taken")
            wallet = self._accounts.wallet(name, currency)
            limits = self._accounts.limits(name) if kind is Kind.DEPOSIT else None
            if limits is not None:
                limited = _limited(limits, wallet, amount, self._clock.now())
                if limited is not None:
                    return limited
            if wallet.balance + amount < 0:
                return Declined(
                    BankCode.INSUFFICIENT_FUNDS,
                    f"{name} has {_exact(wallet.balance)} {currency}, less than {_exact(-amount)}",
                )
            move = Move(wallet).add(
                Entry(
                    id=keys.referred(reference),
                    player=name,
                    currency=currency,
                    kind=kind,
                    amount=amount,
                    at=self._clock.now(),
                    who=order.who,
                    why=order.why,
                    reference=reference,
                )
            )
            try:
                self._accounts.book(move, player.standing, limits)
            except (Conflict, Ambiguous):
                self._clock.pause(PAUSE_MS * attempt)
                continue
            return Booked(move.entries[0])
        known = self._accounts.entry(name, keys.referred(reference))
        return _busy(name) if known is None else _known(known, kind, currency, amount)


def _limited(limits: Limits, wallet: Wallet, amount: int, now: int) -> Declined | None:
    """What the player's own limits have against a deposit."""
    name, currency = wallet.player, wallet.currency
    if (excluded := limits.excluded(now)) is not None:
        sentence = f"{name} has excluded himself: no deposit is taken"
        return Declined(BankCode.EXCLUDED, sentence, excluded.facts)
    left = limits.deposit_left(currency, wallet.turnover, now)
    if left is None or amount <= left:
        return None
    limit = limits.deposits[currency].on(now).value or 0
    return Declined(
        BankCode.DEPOSIT_LIMIT,
        f"{name} has limited a day's deposits to {_exact(limit)} {currency}: "
        f"{_exact(left)} is left of it",
        {"limit": limit, "left": left, "until": wallet.turnover.on(now).ends},
    )


def _known(entry: Entry, kind: Kind, currency: str, amount: int) -> Booked | Declined:
    if (entry.kind, entry.currency, entry.amount) == (kind, currency, amount):
        return Booked(entry, repeated=True)
    return Declined(
        BankCode.REFERENCE_USED,
        f"reference {entry.reference} is a {entry.kind} of {_exact(abs(entry.amount))} "
        f"{entry.currency}",
    )


def _exists(name: str) -> Declined:
    return Declined(BankCode.PLAYER_EXISTS, f"there is a player {name} already")


def _unknown(name: str) -> Declined:
    return Declined(BankCode.UNKNOWN_PLAYER, f"there is no player {name}")


def _closed(name: str) -> Declined:
    return Declined(BankCode.CLOSED, f"the account of {name} is closed")


def _busy(name: str) -> Declined:
    return Declined(BankCode.BUSY, f"the account of {name} keeps changing; try again")


def _exact(amount: int) -> str:
    return f"{amount // 100}.{amount % 100:02}"
