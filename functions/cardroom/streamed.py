"""A record of the table's stream, read as a write of STATE."""

from typing import Any

from cardroom import keys
from cardroom.broadcast import Update
from cardroom.outbox import load_outbox
from poker_engine.codec import load_table


def read_update(record: dict[str, Any]) -> Update:
    """From the stream's `dynamodb` part. Raises KeyError or ValueError if the item is damaged."""
    image = record["NewImage"]
    outbox = load_outbox(keys.table_id(image["pk"]["S"]), image["outbox"]["S"])
    table = load_table(image["state"]["S"])
    return Update(record["SequenceNumber"], outbox, table, image["log"]["S"])
