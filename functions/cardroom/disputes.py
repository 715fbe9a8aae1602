"""A player disputes a hand that he was dealt in; support looks at it, and closes it with a word.

What he writes is kept beside the hand's record, never in it: the chain of records holds no text of
anybody's.
"""

from typing import Any, Final, Protocol

from botocore.exceptions import ClientError

from cardroom import keys
from cardroom.damage import Attributes, Inspection
from cardroom.errors import Refused, RoomCode
from cardroom.messages import Dispute as Asked
from cardroom.models import DisputeItem, prime, written
from cardroom.ports import Signals
from cardroom.shape import moment
from cardroom.spans import DAY_MS
from poker_engine.frozen import dataclass

MOST: Final = 5
"""Of one player within 24 hours. Two at the same moment may make it one more."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """`at` and `closed` are moments (ms); `closed` is 0 while nobody has answered."""

    player: str
    table: str
    hand: int
    at: int
    text: str
    command: str
    closed: int = 0
    who: str = ""
    word: str = ""


class Hands(Protocol):
    def was_dealt_in(self, table_id: str, number: int, player: str) -> bool:
        """In a hand that is over. Raises DamagedError and ArchiveUnreadError."""
        ...


class Disputes(Protocol):
    def of(self, player: str) -> tuple[Dispute, ...]:
        """All that he ever disputed. Raises DamagedError."""
        ...

    def one(self, player: str, table_id: str, number: int) -> Dispute | None:
        """His own about this hand. Raises DamagedError."""
        ...

    def put(self, dispute: Dispute) -> bool:
        """False where he disputes this hand already."""
        ...


def dispute_view(found: Dispute) -> dict[str, Any]:
    """As he is told of his own: what he wrote, and support's word once there is one. Who of support
    it was is not told.
    """
    return {
        "text": found.text,
        "at": found.at,
        "closed": found.closed or None,
        "word": found.word or None,
    }


def dispute(
    disputes: Disputes, hands: Hands, player: str, asked: Asked, now: int
) -> Refused | None:
    """Keeps it, once; why not. One who had no cards in it is not told whether there was such a
    hand.
    """
    if not hands.was_dealt_in(asked.table, asked.hand, player):
        return NOT_DEALT_IN
    earlier = disputes.of(player)
    for one in earlier:
        if (one.table, one.hand) == (asked.table, asked.hand):
            return None if one.command == asked.id else ALREADY
    recent = sorted(one.at for one in earlier if now - one.at < DAY_MS)
    if len(recent) >= MOST:
        again = recent[-MOST] + DAY_MS
        return Refused(
            RoomCode.TOO_MANY_DISPUTES,
            f"you have disputed {MOST} hands within 24 hours: wait until {again}",
            {"most": MOST, "until": again},
        )
    new = Dispute(player, asked.table, asked.hand, now, asked.text, asked.id)
    if disputes.put(new):
        return None
    # It may be this very message that was quicker: sent twice, or tried again after a timeout.
    kept = disputes.one(player, asked.table, asked.hand)
    return None if kept is not None and kept.command == asked.id else ALREADY


NOT_DEALT_IN: Final = Refused(
    RoomCode.NOT_DEALT_IN, "you were dealt in no hand of this number at this table that is over"
)
ALREADY: Final = Refused(
    RoomCode.ALREADY_DISPUTED, "you have disputed this hand already; support looks at it"
)


class DynamoDisputes:
    def __init__(self, table_name: str, signals: Signals | None = None, client: Any = None) -> None:
        """Damaged items are reported where there are `signals`."""
        self.name = table_name
        self._inspection = Inspection(signals)
        self._client: Any = prime(table_name).connection.client if client is None else client

    def of(self, player: str) -> tuple[Dispute, ...]:
        query: dict[str, Any] = {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": keys.disputes(player)}},
            "ConsistentRead": True,
        }
        found: list[Dispute] = []
        while True:
            answer = self._client.query(**query)
            found += (self._inspection.one(item, read_dispute) for item in answer["Items"])
            if "LastEvaluatedKey" not in answer:
                return tuple(found)
            query["ExclusiveStartKey"] = answer["LastEvaluatedKey"]

    def one(self, player: str, table_id: str, number: int) -> Dispute | None:
        answer = self._client.get_item(
            TableName=self.name,
            Key={
                "pk": {"S": keys.disputes(player)},
                "sk": {"S": keys.disputed(table_id, number)},
            },
            ConsistentRead=True,
        )
        item = answer.get("Item")
        return None if item is None else self._inspection.one(item, read_dispute)

    def put(self, dispute: Dispute) -> bool:
        try:
            self._client.put_item(
                TableName=self.name,
                Item=written(_item(dispute)),
                ConditionExpression="attribute_not_exists(pk)",
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            return False
        return True


def _item(dispute: Dispute) -> DisputeItem:
    return DisputeItem(
        keys.disputes(dispute.player),
        keys.disputed(dispute.table, dispute.hand),
        at=dispute.at,
        text=dispute.text,
        command=dispute.command,
        closed=dispute.closed or None,
        who=dispute.who or None,
        word=dispute.word or None,
    )


def read_dispute(item: Attributes) -> Dispute:
    """Raises one of damage.UNREADABLE if the item is damaged."""
    table, _, hand = item["sk"]["S"].partition("#")
    return Dispute(
        player=item["pk"]["S"].removeprefix(keys.DISPUTES),
        table=table,
        hand=int(hand),
        at=moment(item["at"]),
        text=str(item["text"]["S"]),
        command=str(item["command"]["S"]),
        closed=moment(item.get("closed", {"N": "0"})),
        who=str(item.get("who", {"S": ""})["S"]),
        word=str(item.get("word", {"S": ""})["S"]),
    )
