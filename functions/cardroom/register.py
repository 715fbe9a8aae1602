"""The register of names on DynamoDB: one item for all names that look alike, whoever came first.

A name that is being signed up is kept for a day, and for good when the sign-up is confirmed, in the
write that makes the player.
"""

from typing import Any, Final

from botocore.exceptions import ClientError

from cardroom import keys
from cardroom.models import Item, NameItem, PlayerItem, written
from cardroom.names import PENDING_MS, Claim, skeleton

type Attributes = dict[str, dict[str, Any]]

SIGN_UP: Final = "sign-up"
OPERATOR: Final = "operator"

_FREE = "attribute_not_exists(pk) OR #until <= :now"
"""Nobody's, or of a sign-up that was not confirmed in time."""
_LOST = frozenset({"ConditionalCheckFailed"})
_BUSY = frozenset(
    {
        "ProvisionedThroughputExceeded",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingError",
        "ThrottlingException",
        "TransactionConflict",
        "TransactionInProgressException",
    }
)


class DynamoRegister:
    def __init__(self, table_name: str, client: Any) -> None:
        self.name = table_name
        self._client = client

    def pend(self, name: str, now: int) -> Claim:
        """For somebody who is signing up under this name. Asked for again it is his, but no
        longer; never a name under which there is a player.
        """
        put = self._put(_item(name, SIGN_UP, now + PENDING_MS), _FREE, {":now": {"N": str(now)}})
        put["Put"]["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
        nobody = {
            "ConditionCheck": {
                "TableName": self.name,
                "Key": {"pk": {"S": keys.user(name)}, "sk": {"S": keys.PLAYER}},
                "ConditionExpression": "attribute_not_exists(pk)",
            }
        }
        (claim, player), held = self._transact([put, nobody])
        if claim is Claim.TAKEN and "until" in held and held.get("player") == {"S": name}:
            return player
        return claim if claim is not Claim.HELD else player

    def claim(self, name: str, now: int) -> Claim:
        """By the operator, for good; TAKEN while somebody is signing up under it."""
        mine = "(player = :player AND attribute_not_exists(#until))"
        values = {":now": {"N": str(now)}, ":player": {"S": name}}
        put = self._put(_item(name, OPERATOR), f"{_FREE} OR {mine}", values)
        (claim,), _ = self._transact([put])
        return claim

    def confirm(self, name: str, now: int, who: str, why: str) -> Claim:
        """For good, and there is a player of this name. TAKEN where it was not confirmed in time
        and is another's by now. Asked for again it changes nothing.
        """
        # The pool may give the name back in other letters than it was signed up with.
        mine = "(folded = :folded AND taken_by = :sign_up)"
        values = {
            ":now": {"N": str(now)},
            ":folded": {"S": name.casefold()},
            ":sign_up": {"S": SIGN_UP},
        }
        player = PlayerItem(
            keys.user(name), keys.PLAYER, standing="open", at=now, who=who, why=why, created=now
        )
        put = self._put(_item(name, SIGN_UP), f"{_FREE} OR {mine}", values)
        made = self._put(player, "attribute_not_exists(pk)")
        (claim, new), _ = self._transact([put, made])
        # He is a player already, and his name is his: this came before.
        return new if claim is Claim.HELD and new is Claim.BUSY else claim

    def _put(self, item: Item, condition: str, values: Attributes | None = None) -> dict[str, Any]:
        put: dict[str, Any] = {
            "TableName": self.name,
            "Item": written(item),
            "ConditionExpression": condition,
        }
        if values is not None:
            # A reserved word.
            put["ExpressionAttributeNames"] = {"#until": "until"}
            put["ExpressionAttributeValues"] = values
        return {"Put": put}

    def _transact(self, parts: list[dict[str, Any]]) -> tuple[list[Claim], Attributes]:
        """What each part found, and the item that was in the way of the first."""
        try:
            self._client.transact_write_items(TransactItems=parts)
        except ClientError as error:
            response: dict[str, Any] = dict(error.response)
            code = response["Error"]["Code"]
            reasons = response.get("CancellationReasons") or [{"Code": code}] * len(parts)
            codes = {str(reason["Code"]) for reason in reasons} - {"None"}
            if not codes or not codes <= _LOST | _BUSY:
                raise
            return [_found(str(reason["Code"])) for reason in reasons], reasons[0].get("Item", {})
        return [Claim.HELD] * len(parts), {}


def _found(code: str) -> Claim:
    if code in _LOST:
        return Claim.TAKEN
    return Claim.BUSY if code in _BUSY else Claim.HELD


def _item(name: str, by: str, until: int | None = None) -> NameItem:
    return NameItem(
        keys.name(skeleton(name)),
        keys.NAME,
        player=name,
        folded=name.casefold(),
        taken_by=by,
        until=until,
        ttl=None if until is None else -(-until // 1000),
    )
