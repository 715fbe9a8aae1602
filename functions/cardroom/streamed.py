"""A record of the table's stream: a write of STATE, or somebody who comes or goes."""

from typing import Any

from cardroom import keys
from cardroom.attendance import Change
from cardroom.broadcast import Update
from cardroom.outbox import load_outbox
from cardroom.pace import Pace
from poker_engine.codec import load_table


def read_record(record: dict[str, Any]) -> Update | Change:
    """From the stream's `dynamodb` part. Raises KeyError or ValueError if it is damaged."""
    if record["Keys"]["sk"]["S"] == keys.STATE:
        return read_update(record)
    return Change(record["SequenceNumber"], keys.table_id(record["Keys"]["pk"]["S"]))


def read_update(record: dict[str, Any]) -> Update:
    """Raises KeyError or ValueError if the item is damaged."""
    image = record["NewImage"]
    outbox = load_outbox(keys.table_id(image["pk"]["S"]), image["outbox"]["S"])
    table = load_table(image["state"]["S"])
    pace = Pace.load(image["pace"]["S"]) if "pace" in image else Pace()
    return Update(record["SequenceNumber"], outbox, table, image["log"]["S"], pace)
