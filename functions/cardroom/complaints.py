"""Disputed hands as support reads and closes them, on DynamoDB: for the operator's command line,
never for a function.
"""

from collections.abc import Iterable, Iterator

from botocore.exceptions import ClientError

from cardroom import keys
from cardroom.damage import UNREADABLE, Attributes
from cardroom.disputes import Dispute, read_dispute
from cardroom.histories import DynamoHistories


class DynamoComplaints(DynamoHistories):
    def disputes(self) -> Iterator[Dispute | str]:
        """All that players ever disputed, in no order; of one that is damaged its key."""
        found = self.scan("begins_with(pk, :disputes)", {":disputes": {"S": keys.DISPUTES}})
        return map(_read, found)

    def disputes_of(
        self, table_id: str, number: int, players: Iterable[str] | None
    ) -> list[Dispute]:
        """Of this hand, the first one first; without those that are damaged. `players` were dealt
        in; where nobody knows who was, all that the room has stored is looked through.
        """
        hand = keys.disputed(table_id, number)
        if players is None:
            found = self.scan(
                "begins_with(pk, :disputes) AND sk = :hand",
                {":disputes": {"S": keys.DISPUTES}, ":hand": {"S": hand}},
            )
        else:
            asked = (self._read(keys.disputes(player), hand) for player in players)
            found = (item for item in asked if item is not None)
        disputes = [one for one in map(_read, found) if isinstance(one, Dispute)]
        return sorted(disputes, key=lambda one: one.at)

    def settle(self, dispute: Dispute, who: str, word: str, now: int) -> bool:
        """Closes it; False where that was done already."""
        try:
            self._client.update_item(
                TableName=self.name,
                Key={
                    "pk": {"S": keys.disputes(dispute.player)},
                    "sk": {"S": keys.disputed(dispute.table, dispute.hand)},
                },
                UpdateExpression="SET closed = :now, who = :who, word = :word",
                ConditionExpression="attribute_exists(pk) AND attribute_not_exists(closed)",
                ExpressionAttributeValues={
                    ":now": {"N": str(now)},
                    ":who": {"S": who},
                    ":word": {"S": word},
                },
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            return False
        return True


def _read(item: Attributes) -> Dispute | str:
    try:
        return read_dispute(item)
    except UNREADABLE:
        return f"{item['pk']['S']} / {item['sk']['S']}"
