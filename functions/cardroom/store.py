"""The port `Tables` on DynamoDB: STATE through the client itself, the other items as models.

PynamoDB's `save` cannot return the item that made a condition fail; with it a loser of a race
decides again without another read.
"""

import json
from typing import Any

from botocore.exceptions import (
    ClientError,
    ConnectionClosedError,
    HTTPClientError,
)
from botocore.exceptions import (
    ConnectionError as BotoConnectionError,
)
from pynamodb.exceptions import PutError

from cardroom import keys
from cardroom.damage import UNREADABLE, Attributes, DamagedError, Inspection
from cardroom.errors import Ambiguous, Conflict, DamagedWalletError
from cardroom.listing import Row, row_of
from cardroom.models import (
    ClosedItem,
    HandItem,
    Item,
    ListedItem,
    MetaItem,
    RakeItem,
    SecretItem,
    prime,
    written,
)
from cardroom.money import Leaving
from cardroom.outbox import Outbox, dump_outbox
from cardroom.pace import Pace
from cardroom.ports import Secret, Signals
from cardroom.results import Results
from cardroom.seals import check_seal
from cardroom.shape import counted, dated, whole
from cardroom.soundness import check_chips, check_schema, check_stored, check_table
from cardroom.stored import Change, HandRecord, Meta, Stored
from cardroom.trouble import LATER, UNKNOWN
from cardroom.wakes import overdue, wake_fields
from cardroom.wallets import DynamoWallets, booked
from poker_engine.cards import DECK, join_cards, parse_cards
from poker_engine.clock import wake_at
from poker_engine.codec import dump_table, load_table
from poker_engine.events import Closed
from poker_engine.schema import (
    WRITE_SCHEMA,
    lowered_events,
    lowered_table,
    raised_events,
    raised_table,
)
from poker_engine.state import Exit, Table

VERSION_STANDS = "version = :before"

KNOWN_TABLES = 64
"""A warm function keeps the tables that it has written last."""


class DynamoTables(DynamoWallets):
    """One DynamoDB table. Its name is given, never read from the environment."""

    def __init__(self, table_name: str, signals: Signals | None = None) -> None:
        """Damaged items are reported where there are `signals`."""
        self.name = table_name
        self._client: Any = prime(table_name).connection.client
        self._inspection = Inspection(signals)
        self._wallets = Inspection(signals, DamagedWalletError)
        self._written: dict[str, tuple[Attributes, Stored]] = {}
        """By table what was last written here, item and table."""

    def load(self, table_id: str) -> Stored | None:
        item = self._item(keys.table(table_id), keys.STATE)
        if item is None:
            return None
        known = self._written.get(table_id)
        if known is not None and known[0] == item:
            # Nobody has written since: what it says is known.
            return known[1]
        return self._inspection.one(item, read_table)

    def chips_missing(self, table_id: str) -> int | None:
        item = self._item(keys.table(table_id), keys.STATE)
        if item is None:
            return None
        stored = self._inspection.one(item, read_state)
        return stored.chips_in - stored.chips_out - stored.chips

    def _item(self, partition: str, sort: str) -> Attributes | None:
        """By the store's own client: on the command line the models may have none."""
        key = {"pk": {"S": partition}, "sk": {"S": sort}}
        answer = self._client.get_item(TableName=self.name, Key=key, ConsistentRead=True)
        item: Attributes | None = answer.get("Item")
        return item

    def write(self, change: Change) -> None:
        item = state_item(change)
        condition: dict[str, Any] = {
            "TableName": self.name,
            "Item": item,
            "ConditionExpression": VERSION_STANDS,
            "ExpressionAttributeValues": {":before": {"N": str(change.before)}},
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        first = [{"Put": condition}, *self._beside(change)]
        money = booked(self.name, change.books)
        try:
            if money or len(first) > 1:
                self._client.transact_write_items(TransactItems=[*first, *money])
            else:
                self._client.put_item(**condition)
        except ClientError as error:
            raise translated(error, len(first)) from error
        except (HTTPClientError, BotoConnectionError, ConnectionClosedError) as error:
            raise Ambiguous from error
        self._written.pop(change.after.table_id, None)
        self._written[change.after.table_id] = item, change.after
        if len(self._written) > KNOWN_TABLES:
            self._written.pop(next(iter(self._written)), None)

    def _beside(self, change: Change) -> list[dict[str, Any]]:
        """Records that are written in one transaction with STATE."""
        items: list[dict[str, Any]] = []
        if (record := change.record) is not None:
            items.append(self._put_once(_hand_item(record)))
            if record.rake:
                items.append(self._put_once(_rake_item(record)))
        elif change.amends is not None:
            key = {
                "pk": {"S": keys.hand(change.after.table_id)},
                "sk": {"S": keys.number(change.amends)},
            }
            items.append(
                {
                    "Update": {
                        "TableName": self.name,
                        "Key": key,
                        "UpdateExpression": "SET events = :log, log_schema = :schema, seal = :seal",
                        "ConditionExpression": "attribute_exists(pk)",
                        "ExpressionAttributeValues": {
                            ":log": {"S": lowered_events(change.after.log)},
                            ":schema": {"N": str(WRITE_SCHEMA)},
                            ":seal": {"S": change.after.seal},
                        },
                    }
                }
            )
        if any(isinstance(event, Closed) for event in change.events):
            listed = {"pk": {"S": keys.LISTED}, "sk": {"S": change.after.table_id}}
            items.append({"Delete": {"TableName": self.name, "Key": listed}})
            # Who moves old records has no other way to find a table that is not in the list.
            closed = ClosedItem(keys.CLOSED, change.after.table_id, at=change.at)
            items.append({"Put": {"TableName": self.name, "Item": written(closed)}})
        return items

    def _put_once(self, item: Item) -> dict[str, Any]:
        return {
            "Put": {
                "TableName": self.name,
                "Item": written(item),
                "ConditionExpression": "attribute_not_exists(pk)",
            }
        }

    def create(self, stored: Stored, opened_at: int, *, base: str = "", most: int = 1) -> bool:
        structure = stored.table.settings.stakes.structure
        change = Change(before=0, after=stored, from_seq=0, at=opened_at, events=())
        meta = MetaItem(
            keys.table(stored.table_id),
            keys.META,
            structure=structure,
            opening=lowered_table(dump_table(stored.table)),
            schema=WRITE_SCHEMA,
            opened_at=opened_at,
            base=base or None,
            most=most,
        )
        listed = ListedItem(
            keys.LISTED,
            stored.table_id,
            structure=structure,
            row=row_of(stored.table_id, stored.table, stored.pace).dump(),
            seq=stored.table.seq,
        )
        state = {
            "Put": {
                "TableName": self.name,
                "Item": state_item(change),
                "ConditionExpression": "attribute_not_exists(pk)",
            }
        }
        try:
            self._client.transact_write_items(
                TransactItems=[state, self._put_once(meta), self._put_once(listed)]
            )
        except ClientError as error:
            if isinstance(translated(error), Conflict):
                return False
            raise
        return True

    def meta(self, table_id: str) -> Meta | None:
        found = self._item(keys.table(table_id), keys.META)
        return None if found is None else self._inspection.one(found, read_meta)

    def put_secret(self, table_id: str, deck_id: str, secret: Secret, expires: int) -> None:
        item = SecretItem(
            keys.secret(table_id),
            deck_id,
            deck=join_cards(secret.deck),
            opening=lowered_table(secret.opening),
            schema=WRITE_SCHEMA,
            ttl=expires,
        )
        try:
            item.save(SecretItem.pk.does_not_exist())
        except PutError as error:
            # A retry inside the client meets the item of its own first try.
            if error.cause_response_code != "ConditionalCheckFailedException":
                raise
            if self.secret(table_id, deck_id) != secret:
                raise

    def secret(self, table_id: str, deck_id: str) -> Secret | None:
        found = self._item(keys.secret(table_id), deck_id)
        return None if found is None else self._inspection.one(found, _read_secret)

    def overdue(self, before: int) -> list[str]:
        return overdue(self._client, self.name, before)

    def listed(self) -> list[str]:
        return [item["sk"]["S"] for item in self._partition(keys.LISTED)]

    def rows(self) -> tuple[Row, ...]:
        found = (self._row(item) for item in self._partition(keys.LISTED))
        return tuple(row for row in found if row is not None)

    def _row(self, item: Attributes) -> Row | None:
        """Made from the table itself where there is none yet, or none that can be read; None where
        that cannot be read either.
        """
        try:
            if "row" in item:
                return self._inspection.one(item, _read_row)
        except DamagedError:
            pass  # Reported.
        try:
            stored = self.load(item["sk"]["S"])
        except DamagedError:
            return None
        return None if stored is None else row_of(stored.table_id, stored.table, stored.pace)

    def list_row(self, row: Row, seq: int) -> None:
        try:
            self._client.update_item(
                TableName=self.name,
                Key={"pk": {"S": keys.LISTED}, "sk": {"S": row.table}},
                UpdateExpression="SET #row = :row, seq = :seq",
                ConditionExpression="attribute_exists(pk)"
                " AND (attribute_not_exists(seq) OR seq < :seq)",
                # A reserved word, which moto lets pass.
                ExpressionAttributeNames={"#row": "row"},
                ExpressionAttributeValues={":row": {"S": row.dump()}, ":seq": {"N": str(seq)}},
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise


def _state_key(table_id: str) -> Attributes:
    return {"pk": {"S": keys.table(table_id)}, "sk": {"S": keys.STATE}}


def state_item(change: Change) -> Attributes:
    """STATE as DynamoDB's attribute values. No hidden card is in it."""
    after = change.after
    outbox = Outbox(after.table_id, change.from_seq, after.table.seq, change.at, change.events)
    item: Attributes = {
        **_state_key(after.table_id),
        "version": {"N": str(after.version)},
        "schema": {"N": str(WRITE_SCHEMA)},
        "state": {"S": lowered_table(dump_table(after.table))},
        "log": {"S": lowered_events(after.log)},
        "outbox": {"S": dump_outbox(outbox)},
        "results": {"S": after.results.dump(_players(after.table))},
        "chips_in": {"N": str(after.chips_in)},
        "chips_out": {"N": str(after.chips_out)},
        "pace": {"S": after.pace.dump()},
    }
    wakes = [one.at for one in after.leaving]
    if (at := wake_at(after.table)) is not None:
        wakes.append(at)
    if after.leaving:
        item["leaving"] = {"S": _dump_leaving(after.leaving)}
    if after.seal:
        item["seal"] = {"S": after.seal}
    return {**item, **wake_fields(after.table_id, min(wakes))} if wakes else item


def read_state(item: Attributes) -> Stored:
    """Raises one of damage.UNREADABLE if the item is damaged, or of a schema yet to come."""
    schema = whole(item["schema"])
    check_schema(schema)
    seal = item.get("seal", {"S": ""})["S"]
    if seal:
        check_seal(seal)
    table = load_table(raised_table(item["state"]["S"], schema))
    stored = Stored(
        table_id=keys.table_id(item["pk"]["S"]),
        version=whole(item["version"]),
        table=table,
        log=raised_events(item["log"]["S"], schema),
        results=Results.load(item["results"]["S"], _players(table)),
        chips_in=whole(item["chips_in"]),
        chips_out=whole(item["chips_out"]),
        leaving=_load_leaving(item.get("leaving", {"S": "[]"})["S"]),
        pace=Pace.load(item["pace"]["S"]) if "pace" in item else Pace(),
        seal=seal,
    )
    check_stored(stored)
    return stored


def _players(table: Table) -> list[str | None]:
    """In each seat."""
    return [None if seat is None else seat.player for seat in table.seats]


def _schema(item: Attributes) -> int:
    """Of the text in it: of the first one, where the item does not say. Raises UnsoundError."""
    schema = whole(item.get("schema", {"N": "1"}))
    check_schema(schema)
    return schema


def read_table(item: Attributes) -> Stored:
    """A table that can be played on: what `read_state` reads, and its chips are all there."""
    stored = read_state(item)
    check_chips(stored)
    return stored


def read_meta(item: Attributes) -> Meta:
    """Raises one of damage.UNREADABLE if the item is damaged."""
    opening = load_table(raised_table(item["opening"]["S"], _schema(item)))
    check_table(opening)
    return Meta(
        keys.table_id(item["pk"]["S"]),
        opening.settings,
        whole(item["opened_at"]),
        item.get("base", {"S": ""})["S"],
        # Older tables know nothing of others.
        whole(item.get("most", {"N": "1"})),
    )


def _read_secret(item: Attributes) -> Secret:
    opening = raised_table(item["opening"]["S"], _schema(item))
    secret = Secret(parse_cards(item["deck"]["S"]), opening)
    if len(secret.deck) != len(DECK):
        raise ValueError("a deck that is not whole")
    check_table(load_table(secret.opening))
    return secret


def _read_row(item: Attributes) -> Row:
    row = Row.load(item["row"]["S"])
    # A row that no newer one can replace would stand for ever.
    whole(item["seq"])
    if row.table != item["sk"]["S"]:
        raise ValueError("the row of another table")
    return row


def _dump_leaving(leaving: tuple[Leaving, ...]) -> str:
    """JSON list of [seat, player, chips, exit, at, version]."""
    rows = [[one.seat, one.player, one.chips, one.exit, one.at, one.version] for one in leaving]
    return json.dumps(rows, separators=(",", ":"))


def _load_leaving(text: str) -> tuple[Leaving, ...]:
    """Raises ValueError if the text is not what `_dump_leaving` writes."""
    return tuple(
        Leaving(seat, player, chips, Exit(left), at, version)
        for seat, player, chips, left, at, version, *_ in json.loads(text)
    )


def _hand_item(record: HandRecord) -> HandItem:
    return HandItem(
        keys.hand(record.table_id),
        keys.number(record.number),
        opening=record.opening and lowered_table(record.opening),
        events=lowered_events(record.events),
        deck=join_cards(record.deck),
        started=record.started,
        ended=record.ended,
        currency=record.currency,
        schedule=record.schedule,
        rake=record.rake,
        pots=record.pots,
        rules=record.rules,
        schema=WRITE_SCHEMA,
        voided=int(record.voided),
        before=record.before,
        seal=record.seal,
    )


def read_hand(item: HandItem) -> HandRecord:
    """Raises one of damage.UNREADABLE if the item is damaged, or of a schema yet to come."""
    schema = counted(item.schema)
    log_schema = counted(item.attribute_values.get("log_schema", schema))
    check_schema(schema)
    check_schema(log_schema)
    if item.voided not in (0, 1):
        raise ValueError("neither void nor not")
    texts = (item.opening, item.events, item.currency, item.schedule, item.pots)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("not the record of a hand")
    return HandRecord(
        table_id=keys.table_id(item.pk),
        number=keys.hand_number(item.sk),
        opening=item.opening and raised_table(item.opening, schema),
        events=raised_events(item.events, log_schema),
        deck=parse_cards(item.deck),
        started=dated(item.started),
        ended=dated(item.ended),
        currency=item.currency,
        schedule=item.schedule,
        rake=counted(item.rake),
        pots=item.pots,
        rules=counted(item.rules),
        voided=bool(item.voided),
        before=item.before or "",
        seal=item.seal or "",
    )


def hands(table_id: str) -> list[HandRecord]:
    """All records of a table's hands, the first one first. For the command line, not for a
    function.
    """
    return [read_hand(item) for item in HandItem.query(keys.hand(table_id))]


def _rake_item(record: HandRecord) -> RakeItem:
    return RakeItem(
        keys.rake(record.table_id),
        keys.number(record.number),
        amount=record.rake,
        currency=record.currency,
        schedule=record.schedule,
        at=record.ended,
    )


def translated(error: ClientError, records: int = 1) -> Exception:
    """What a refused write means: a race, an open question, or a fault of ours.

    STATE and records come first in a transaction, `records` of them, then what concerns wallets:
    whatever befalls a wallet, the table is decided again.
    """
    response: dict[str, Any] = dict(error.response)
    code = response["Error"]["Code"]
    if code == "ConditionalCheckFailedException":
        return Conflict(_current(response))
    if code == "TransactionConflictException" or code in LATER:
        return Conflict(None)
    if code in UNKNOWN or _status(response) >= 500:
        return Ambiguous()
    if code == "TransactionCanceledException":
        # Reasons come in the order of the request: STATE is the first.
        reasons: list[dict[str, Any]] = response.get("CancellationReasons", [])
        if reasons and reasons[0]["Code"] == "ConditionalCheckFailed":
            return Conflict(_current(reasons[0]))
        beside = {reason["Code"] for reason in reasons[:records]} - {"None"}
        money = {reason["Code"] for reason in reasons[records:]} - {"None"}
        if (beside or money) and beside <= ({"TransactionConflict"} | LATER):
            return Conflict(None)
    return error


def _current(refusal: dict[str, Any]) -> Stored | None:
    """The table that made a condition fail, where that is told, and can be read."""
    item = refusal.get("Item")
    try:
        return None if item is None else read_table(item)
    except UNREADABLE:
        return None


def _status(response: dict[str, Any]) -> int:
    status: int = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return status
