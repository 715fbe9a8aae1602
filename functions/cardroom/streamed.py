"""A record of the table's stream: a write of STATE, or somebody who comes or goes."""

from typing import Any

from cardroom import keys
from cardroom.attendance import Change
from cardroom.broadcast import Update
from cardroom.outbox import load_outbox
from cardroom.pace import Pace
from cardroom.shape import holds, whole
from cardroom.soundness import check_schema, check_table
from poker_engine.codec import load_table
from poker_engine.schema import raised_events, raised_table


def read_record(record: dict[str, Any]) -> Update | Change:
    """From the stream's `dynamodb` part. Raises one of damage.UNREADABLE if it is damaged."""
    if record["Keys"]["sk"]["S"] == keys.STATE:
        return read_update(record)
    return Change(record["SequenceNumber"], keys.table_id(record["Keys"]["pk"]["S"]))


def read_update(record: dict[str, Any]) -> Update:
    """Raises one of damage.UNREADABLE if the item is damaged."""
    image = record["NewImage"]
    schema = whole(image["schema"])
    check_schema(schema)
    outbox = load_outbox(keys.table_id(image["pk"]["S"]), image["outbox"]["S"], schema)
    table = load_table(raised_table(image["state"]["S"], schema))
    pace = Pace.load(image["pace"]["S"]) if "pace" in image else Pace()
    check_table(table)
    if not holds(pace, Pace) or not all(holds(one, type(one)) for one in outbox.events):
        raise ValueError("pace or events")
    if not holds((outbox.before, outbox.seq, outbox.at), tuple[int, ...]):
        raise ValueError("outbox")
    version = whole(image["version"])
    log = raised_events(image["log"]["S"], schema)
    return Update(record["SequenceNumber"], version, outbox, table, log, pace)
