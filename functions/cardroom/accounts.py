"""Players and their accounts on DynamoDB, for the operator: a command line's, never a function's.

It reads whole partitions and the whole table, which no function has the right to.
"""

from collections.abc import Iterator
from typing import Any, Self

from botocore.exceptions import ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as BotoConnectionError

from cardroom import keys
from cardroom.damage import Attributes
from cardroom.errors import Ambiguous, Conflict
from cardroom.limits import Limits
from cardroom.models import PlayerItem, written
from cardroom.money import Entry, Move, Player, Standing, Wallet
from cardroom.names import Claim
from cardroom.register import DynamoRegister
from cardroom.shape import moment
from cardroom.store import read_state, translated
from cardroom.wallets import DynamoWallets, moved, read_entry, unchanged


class DynamoAccounts(DynamoWallets):
    """On a client of the operator's, with his rights."""

    def __init__(self, table_name: str, client: Any) -> None:
        self.name = table_name
        self._client = client

    @classmethod
    def beside(cls, store: DynamoWallets) -> Self:
        """On the same table, through the same client."""
        return cls(store.name, store._client)

    def player(self, name: str) -> Player | None:
        """With his wallets."""
        item = self._read(keys.user(name), keys.PLAYER)
        if item is None:
            return None
        wallets = self.wallets(name)
        return self._wallets.one(item, lambda found: _read_player(found, wallets))

    def entries(self, name: str) -> list[Entry]:
        """The whole ledger of a player, by currency and in order."""
        items = self._partition(keys.user(name), keys.LEDGER)
        found = [self._wallets.one(item, read_entry) for item in items]
        return sorted(found, key=lambda entry: (entry.currency, entry.number))

    def claim(self, name: str, now: int) -> Claim:
        """For good, and with it all that look like it."""
        return DynamoRegister(self.name, self._client).claim(name, now)

    def create(self, player: Player) -> bool:
        """False if there is one of this name."""
        try:
            self._client.put_item(
                TableName=self.name,
                Item=written(_player_item(player)),
                ConditionExpression="attribute_not_exists(pk)",
            )
        except ClientError as error:
            if isinstance(translated(error), Conflict):
                return False
            raise
        return True

    def set_standing(self, player: Player, before: Standing) -> bool:
        """Of the player, and so for his wallets; False if his standing is another than `before`."""
        try:
            self._client.put_item(
                TableName=self.name,
                Item=written(_player_item(player)),
                ConditionExpression="standing = :before",
                ExpressionAttributeValues={":before": {"S": str(before)}},
            )
        except ClientError as error:
            if isinstance(translated(error), Conflict):
                return False
            raise
        # After his own item: a deposit, which might add a wallet, is conditional on that.
        for wallet in self.wallets(player.name):
            self._mark(wallet, suspended=player.standing is not Standing.OPEN)
        return True

    def _mark(self, wallet: Wallet, *, suspended: bool) -> None:
        mark: dict[str, Any] = {"UpdateExpression": "REMOVE suspended"}
        if suspended:
            mark = {
                "UpdateExpression": "SET suspended = :yes",
                "ExpressionAttributeValues": {":yes": {"N": "1"}},
            }
        self._client.update_item(
            TableName=self.name,
            Key={
                "pk": {"S": keys.user(wallet.player)},
                "sk": {"S": keys.wallet(wallet.currency)},
            },
            ConditionExpression="attribute_exists(pk)",
            **mark,
        )

    def book(self, move: Move, standing: Standing, limits: Limits | None = None) -> None:
        """A wallet's move of its own, if the player still stands so, and these still are his
        limits.

        Raises Conflict if anything has changed meanwhile, Ambiguous if nobody knows.
        """
        player = {"pk": {"S": keys.user(move.wallet.player)}, "sk": {"S": keys.PLAYER}}
        check = {
            "ConditionCheck": {
                "TableName": self.name,
                "Key": player,
                "ConditionExpression": "standing = :standing",
                "ExpressionAttributeValues": {":standing": {"S": str(standing)}},
            }
        }
        items = [check, *moved(self.name, move)]
        if limits is not None:
            items.append(unchanged(self.name, limits.player, limits.version))
        try:
            self._client.transact_write_items(TransactItems=items)
        except ClientError as error:
            raise translated(error, records=0) from error
        except (HTTPClientError, BotoConnectionError) as error:
            raise Ambiguous from error

    def seats(self, player: str) -> list[str]:
        """Tables at which the player has a seat, or chips that are leaving. Raises DamagedError
        where that cannot be told of every table.
        """
        found = []
        for item in self.scan("sk = :state", {":state": {"S": keys.STATE}}):
            stored = self._inspection.one(item, read_state)
            leaving = any(one.player == player for one in stored.leaving)
            if leaving or stored.table.seat_of(player) is not None:
                found.append(stored.table_id)
        return sorted(found)

    def scan(self, condition: str, values: Attributes) -> Iterator[Attributes]:
        """All items for which the condition holds, in no order (consistent reads)."""
        scan: dict[str, Any] = {
            "TableName": self.name,
            "FilterExpression": condition,
            "ExpressionAttributeValues": values,
            "ConsistentRead": True,
        }
        while True:
            answer = self._client.scan(**scan)
            yield from answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return
            scan["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def _player_item(player: Player) -> PlayerItem:
    return PlayerItem(
        keys.user(player.name),
        keys.PLAYER,
        standing=str(player.standing),
        at=player.at,
        who=player.who,
        why=player.why,
        created=player.created,
    )


def _read_player(item: Attributes, wallets: tuple[Wallet, ...]) -> Player:
    return Player(
        name=keys.player(item["pk"]["S"]),
        standing=Standing(item["standing"]["S"]),
        at=moment(item["at"]),
        who=item["who"]["S"],
        why=item["why"]["S"],
        created=moment(item["created"]),
        wallets=wallets,
    )
