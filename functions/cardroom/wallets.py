"""Wallets, ledger and leavings on DynamoDB, and the parts of a transaction that change them.

All of a player lies in his own partition. A wallet is written under the condition that it is what
was read, and each change of it together with the entry that explains it.
"""

from collections.abc import Iterator
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from cardroom import keys
from cardroom.damage import Attributes, DamagedError, Inspection
from cardroom.errors import DamagedWalletError, WalletError
from cardroom.limits import Limits
from cardroom.models import (
    EntryItem,
    Item,
    LeftItem,
    LimitsItem,
    SessionItem,
    WalletItem,
    written,
)
from cardroom.money import Books, Departure, Entry, Kind, Move, Standing, Turnover, Wallet
from cardroom.session import BREAK_MS, Session
from cardroom.shape import counted, moment, whole
from poker_engine.buyin import Left

_CHANGED = frozenset({"ConditionalCheckFailedException", "TransactionConflictException"})


class DynamoWallets:
    """Reads; `name` and `_client` are those of the store that this is a part of."""

    name: str
    _client: Any
    _inspection: Inspection = Inspection()
    _wallets: Inspection = Inspection(raised=DamagedWalletError)

    def wallet(self, player: str, currency: str) -> Wallet:
        item = self._read(keys.user(player), keys.wallet(currency))
        return Wallet(player, currency) if item is None else self._wallets.one(item, read_wallet)

    def wallets(self, player: str) -> tuple[Wallet, ...]:
        items = self._partition(keys.user(player), keys.WALLET)
        return tuple(self._wallets.one(item, read_wallet) for item in items)

    def standing(self, player: str) -> Standing | None:
        item = self._read(keys.user(player), keys.PLAYER)
        return None if item is None else self._wallets.one(item, _read_standing)

    def limits(self, player: str) -> Limits:
        item = self._read(keys.user(player), keys.LIMITS)
        return Limits(player) if item is None else self._wallets.one(item, _read_limits)

    def put_limits(self, limits: Limits) -> bool:
        item = LimitsItem(
            keys.user(limits.player), keys.LIMITS, version=limits.version, limits=limits.dump()
        )
        before = limits.version - 1
        condition: dict[str, Any] = {"ConditionExpression": "attribute_not_exists(pk)"}
        if before:
            condition = {
                "ConditionExpression": "version = :before",
                "ExpressionAttributeValues": {":before": {"N": str(before)}},
            }
        try:
            self._client.put_item(TableName=self.name, Item=written(item), **condition)
        except ClientError as error:
            if error.response["Error"]["Code"] not in _CHANGED:
                raise
            return False
        return True

    def session(self, player: str) -> Session | None:
        item = self._read(keys.user(player), keys.SESSION)
        try:
            return None if item is None else self._wallets.one(item, _read_session)
        except DamagedError:
            # Reported. It is a memory of half an hour, and begins anew.
            return None

    def put_session(self, player: str, session: Session) -> None:
        ends = -(-(session.seen + BREAK_MS) // 1000)
        item = SessionItem(
            keys.user(player), keys.SESSION, began=session.began, seen=session.seen, ttl=ends
        )
        self._client.put_item(TableName=self.name, Item=written(item))

    def entry(self, player: str, entry_id: str) -> Entry | None:
        item = self._read(keys.user(player), keys.ledger(entry_id))
        return None if item is None else self._wallets.one(item, read_entry)

    def entries_after(self, player: str, after: str | None, most: int) -> list[Entry]:
        """So many of his entries, or all that there are, in the order of their ids."""
        query: dict[str, Any] = {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk AND begins_with(sk, :prefix)",
            "ExpressionAttributeValues": {
                ":pk": {"S": keys.user(player)},
                ":prefix": {"S": keys.LEDGER},
            },
            "ConsistentRead": True,
        }
        if after is not None:
            start = {"pk": {"S": keys.user(player)}, "sk": {"S": keys.ledger(after)}}
            query["ExclusiveStartKey"] = start
        items: list[Attributes] = []
        try:
            while len(items) < most:
                answer = self._client.query(**query | {"Limit": most - len(items)})
                items += answer["Items"]
                if "LastEvaluatedKey" not in answer:
                    break
                query["ExclusiveStartKey"] = answer["LastEvaluatedKey"]
        except (BotoCoreError, ClientError) as error:
            raise WalletError from error
        return [self._wallets.one(item, read_entry) for item in items]

    def departures(self, player: str, structure: str) -> tuple[Departure, ...]:
        prefix = f"{keys.LEFT}{structure}#"
        items = self._partition(keys.user(player), prefix)
        return tuple(self._wallets.one(item, read_departure) for item in items)

    def _read(self, partition: str, sort: str) -> Attributes | None:
        try:
            answer = self._client.get_item(
                TableName=self.name,
                Key={"pk": {"S": partition}, "sk": {"S": sort}},
                ConsistentRead=True,
            )
        except (BotoCoreError, ClientError) as error:
            raise WalletError from error
        item: Attributes | None = answer.get("Item")
        return item

    def _partition(self, partition: str, prefix: str = "") -> Iterator[Attributes]:
        """The items of a partition (consistent reads) whose sort key begins so, in its order."""
        query: dict[str, Any] = {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": partition}},
            "ConsistentRead": True,
        }
        if prefix:
            query["KeyConditionExpression"] += " AND begins_with(sk, :prefix)"
            query["ExpressionAttributeValues"][":prefix"] = {"S": prefix}
        while True:
            answer = self._client.query(**query)
            yield from answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return
            query["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def booked(table_name: str, books: Books) -> list[dict[str, Any]]:
    """What a write of a table moves, as parts of its transaction."""
    items = [part for move in books.moves for part in moved(table_name, move)]
    items += [unchanged(table_name, player, version) for player, version in books.limits]
    items += [
        {"Put": {"TableName": table_name, "Item": written(_departure_item(one))}}
        for one in books.departures
    ]
    if books.returned is not None:
        items.append(
            {
                "Delete": {
                    "TableName": table_name,
                    "Key": _key(_departure_item(books.returned)),
                    # A buy-in at another table may have used it up before the wallet was read.
                    "ConditionExpression": "attribute_exists(pk)",
                }
            }
        )
    return items


def moved(table_name: str, move: Move) -> Iterator[dict[str, Any]]:
    """A wallet's change, and its entries."""
    wallet, total = move.wallet, sum(entry.amount for entry in move.entries)
    today = move.turnover
    condition = "balance = :balance AND entries = :entries"
    values = {
        ":day": {"N": str(today.day)},
        ":deposited": {"N": str(today.deposited)},
        ":lost": {"N": str(today.lost)},
        ":total": {"N": str(total)},
        ":more": {"N": str(len(move.entries))},
        ":balance": {"N": str(wallet.balance)},
        ":entries": {"N": str(wallet.entries)},
    }
    if not wallet.entries:
        condition = "attribute_not_exists(pk)"
        del values[":balance"], values[":entries"]
    elif move.debits:
        condition += " AND balance >= :least AND attribute_not_exists(suspended)"
        values[":least"] = {"N": str(max(0, -total))}
    yield {
        "Update": {
            "TableName": table_name,
            "Key": _key(WalletItem(keys.user(wallet.player), keys.wallet(wallet.currency))),
            "UpdateExpression": "ADD balance :total, entries :more"
            " SET #day = :day, deposited = :deposited, lost = :lost",
            "ConditionExpression": condition,
            # A reserved word.
            "ExpressionAttributeNames": {"#day": "day"},
            "ExpressionAttributeValues": values,
        }
    }
    for entry in move.entries:
        yield {
            "Put": {
                "TableName": table_name,
                "Item": written(_entry_item(entry)),
                "ConditionExpression": "attribute_not_exists(pk)",
            }
        }


def unchanged(table_name: str, player: str, version: int) -> dict[str, Any]:
    """That the player's limits still are what they were when they allowed this."""
    check: dict[str, Any] = {
        "TableName": table_name,
        "Key": {"pk": {"S": keys.user(player)}, "sk": {"S": keys.LIMITS}},
        "ConditionExpression": "attribute_not_exists(pk)",
    }
    if version:
        check["ConditionExpression"] = "version = :version"
        check["ExpressionAttributeValues"] = {":version": {"N": str(version)}}
    return {"ConditionCheck": check}


def _key(item: Item) -> Attributes:
    return {"pk": {"S": item.pk}, "sk": {"S": item.sk}}


def _entry_item(entry: Entry) -> EntryItem:
    return EntryItem(
        keys.user(entry.player),
        keys.ledger(entry.id),
        currency=entry.currency,
        kind=str(entry.kind),
        amount=entry.amount,
        number=entry.number,
        balance=entry.balance,
        at=entry.at,
        who=entry.who,
        why=entry.why,
        table=entry.table or None,
        version=entry.version or None,
        seq=entry.seq or None,
        reference=entry.reference or None,
    )


def read_entry(item: Attributes) -> Entry:
    """Raises LookupError, ValueError or TypeError if the item is damaged."""
    return Entry(
        id=item["sk"]["S"].removeprefix(keys.LEDGER),
        player=keys.player(item["pk"]["S"]),
        currency=item["currency"]["S"],
        kind=Kind(item["kind"]["S"]),
        amount=_signed(item["amount"]),
        at=moment(item["at"]),
        who=item["who"]["S"],
        why=item["why"]["S"],
        number=whole(item["number"]),
        balance=whole(item["balance"]),
        table=item.get("table", {"S": ""})["S"],
        version=whole(item.get("version", {"N": "0"})),
        seq=whole(item.get("seq", {"N": "0"})),
        reference=item.get("reference", {"S": ""})["S"],
    )


def _signed(attribute: dict[str, Any]) -> int:
    amount = int(attribute["N"])
    return -counted(-amount) if amount < 0 else counted(amount)


def _read_standing(item: Attributes) -> Standing:
    return Standing(item["standing"]["S"])


def _read_limits(item: Attributes) -> Limits:
    player = keys.player(item["pk"]["S"])
    return Limits.load(player, whole(item["version"]), item["limits"]["S"])


def _read_session(item: Attributes) -> Session:
    return Session(moment(item["began"]), moment(item["seen"]))


def read_wallet(item: Attributes) -> Wallet:
    """Raises LookupError, ValueError or TypeError if the item is damaged."""
    return Wallet(
        player=keys.player(item["pk"]["S"]),
        currency=item["sk"]["S"].removeprefix(keys.WALLET),
        balance=whole(item["balance"]),
        entries=whole(item["entries"]),
        suspended="suspended" in item,
        turnover=_read_turnover(item) if "day" in item else Turnover(),
    )


def _read_turnover(item: Attributes) -> Turnover:
    return Turnover(whole(item["day"]), whole(item["deposited"]), whole(item["lost"]))


def _departure_item(departure: Departure) -> LeftItem:
    left = departure.left
    return LeftItem(
        keys.user(departure.player),
        keys.left(departure.structure, left.at, departure.table, departure.version),
        chips=left.chips,
        at=left.at,
        removed=int(left.removed),
        ttl=-(-departure.until // 1000),
    )


def read_departure(item: Attributes) -> Departure:
    """Raises LookupError, ValueError or TypeError if the item is damaged."""
    _, structure, _, table, version = item["sk"]["S"].split("#")
    left = Left(whole(item["chips"]), moment(item["at"]), bool(whole(item["removed"])))
    return Departure(keys.player(item["pk"]["S"]), structure, table, int(version), left)
