"""Keys of the one table's items."""

from zlib import crc32

STATE = "STATE"
META = "META"
VIEW = "VIEW#"
SHARD = "SHARD#"
CONNECTION = "CONN"
LISTED = "LISTED"
"""Partition of the list of open tables."""
PLAYER = "PLAYER"
WALLET = "WALLET#"
LEDGER = "LEDGER#"
LEFT = "LEFT#"
WAKE_INDEX = "wake"
LANES = tuple(f"wake#{number}" for number in range(4))
"""Partitions of the sparse index of tables on which something will be due."""


def table(table_id: str) -> str:
    return f"TABLE#{table_id}"


def table_id(partition: str) -> str:
    """The id of the table that a partition belongs to."""
    return partition.split("#")[1]


def secret(table_id: str) -> str:
    return f"SECRET#{table_id}"


def hand(table_id: str) -> str:
    return f"HAND#{table_id}"


def rake(table_id: str) -> str:
    return f"RAKE#{table_id}"


def number(hand_number: int) -> str:
    """Of fixed width, so that hands sort by number."""
    return f"{hand_number:09d}"


def seats(table_id: str) -> str:
    """Partition of those who watch from a seat. Apart from STATE: who may write it may not write
    that.
    """
    return f"WATCH#{table_id}"


def crowd(table_id: str, shard: int) -> str:
    """Partition of a shard of spectators."""
    return f"WATCH#{table_id}#{shard}"


def view(connection: str) -> str:
    return f"{VIEW}{connection}"


def shard(number: int) -> str:
    return f"{SHARD}{number}"


def connection(connection_id: str) -> str:
    return f"CONN#{connection_id}"


def lane(table_id: str) -> str:
    return LANES[crc32(table_id.encode()) % len(LANES)]


def shard_of(connection_id: str, shards: int) -> int:
    return crc32(connection_id.encode()) % shards


def user(player: str) -> str:
    """Partition of a player's wallets, ledger and leavings."""
    return f"USER#{player}"


def player(partition: str) -> str:
    """Whose partition it is."""
    return partition.removeprefix("USER#")


def wallet(currency: str) -> str:
    return f"{WALLET}{currency}"


def ledger(entry: str) -> str:
    return f"{LEDGER}{entry}"


def bought(command_id: str) -> str:
    """Entry of a buy-in or top-up: a client's id holds no "#", so no other entry is called so."""
    return f"in#{command_id}"


def paid_out(table_id: str, version: int, seat: int) -> str:
    """Entry of a seat's chips: no write of a table empties a seat twice."""
    return f"out#{table_id}#{version}#{seat}"


def referred(reference: str) -> str:
    """Entry of a deposit or withdrawal."""
    return f"ref#{reference}"


def left(structure: str, at: int, table_id: str, version: int) -> str:
    """Of a leaving, which that version of the table tells from any other of the same moment."""
    return f"{LEFT}{structure}#{at:015d}#{table_id}#{version}"
