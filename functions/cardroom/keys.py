"""Keys of the one table's items."""

from zlib import crc32

STATE = "STATE"
META = "META"
VIEW = "VIEW#"
SHARD = "SHARD#"
CONNECTION = "CONN"
SHOWN = "SHOWN"
"""Of a delayed table: what its spectators were sent last."""
BAN = "BAN"
LISTED = "LISTED"
"""Partition of the list of open tables."""
CLOSED = "CLOSED"
"""Partition of closed tables of whose hands there may be records that are not in the archive."""
DRAINED = "DRAINED"
"""Partition of tables that an operator has drained, until he opens others in their place."""
CROWDS = "CROWDS"
"""Partition of the shards in which spectators may be: `<table>#<shard>`."""
LOBBY = "LOBBY"
TICK = "TICK"
LOBBY_WATCH = "WATCH#LOBBY"
"""Partition of those who watch the lobby; no table's id has capitals."""
PLAYER = "PLAYER"
WALLET = "WALLET#"
LEDGER = "LEDGER#"
BOUGHT = "in#"
"""What the ids of entries begin with that charge for a seat's chips."""
PAID_OUT = "out#"
"""What the ids of entries begin with that pay a seat's chips out."""
LEFT = "LEFT#"
LIMITS = "LIMITS"
SESSION = "SESSION"
NAME = "NAME"
LOOKS = "LOOKS"
"""Partition of who saw hands that were not shown to him."""
DISPUTES = "DISPUTE#"
"""Begins the partitions of what players dispute."""
LAST_NUMBER = 10**9 - 1
"""The greatest that a hand can have."""
CAME = "CAME#"
"""Begins the partitions of from where players came."""
WAKE_INDEX = "wake"
ONLINE_INDEX = "online"
"""Sparse: the connections of those who are signed in, by player."""
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


def write(table_id: str, version: int) -> str:
    """No item's, but the name in log lines of the write that made this version of the table: of who
    asked for it, and of who told it.
    """
    return f"{table_id}@{version}"


def number(hand_number: int) -> str:
    """Of fixed width, so that hands sort by number."""
    return f"{hand_number:09d}"


def hand_number(sort: str) -> int:
    """Which hand it is that has this key. Raises ValueError if none has."""
    found = int(sort)
    if number(found) != sort or not 1 <= found <= LAST_NUMBER:
        raise ValueError("no hand's number")
    return found


def seats(table_id: str) -> str:
    """Partition of those who watch from a seat, and of the shards with spectators in them. Apart
    from STATE: who may write it may not write that. Of a prefix of its own: the stream tells who
    comes and goes.
    """
    return f"SEATED#{table_id}"


def crowd(table_id: str, shard: int) -> str:
    """Partition of a shard of spectators."""
    return f"WATCH#{table_id}#{shard}"


def shown(table_id: str) -> str:
    """Partition of what the spectators of a delayed table were sent last."""
    return f"WATCH#{table_id}"


def counted(table_id: str, shard: int) -> str:
    """A shard's place among the crowds that the lobby counts."""
    return f"{table_id}#{shard}"


def view(connection: str) -> str:
    return f"{VIEW}{connection}"


def shard(number: int) -> str:
    return f"{SHARD}{number}"


def connection(connection_id: str) -> str:
    return f"CONN#{connection_id}"


def connection_id(partition: str) -> str:
    """Of the connection to which a partition belongs."""
    return partition.removeprefix("CONN#")


def ban(who: str) -> str:
    """Partition of a ban, of a player or of a guest's address."""
    return f"BAN#{who}"


def online(player: str) -> str:
    """Partition of a player's connections in their index: no prefix of the table's own."""
    return f"ONLINE#{player}"


def lane(table_id: str) -> str:
    return LANES[crc32(table_id.encode()) % len(LANES)]


def shard_of(connection_id: str, shards: int) -> int:
    return crc32(connection_id.encode()) % shards


def line(structure: str) -> str:
    """Partition of those who wait for a seat at a stake; the sort key is the player."""
    return f"WAIT#{structure}"


def structure(partition: str) -> str:
    """Of the stake whose line a partition is."""
    return partition.removeprefix("WAIT#")


def user(player: str) -> str:
    """Partition of a player's wallets, ledger and leavings."""
    return f"USER#{player}"


def disputes(player: str) -> str:
    """Partition of the hands that a player disputes."""
    return f"{DISPUTES}{player}"


def disputed(table_id: str, hand_number: int) -> str:
    """Which hand it is: no player disputes one twice."""
    return f"{table_id}#{number(hand_number)}"


def came(player: str) -> str:
    """Partition of from where a player came."""
    return f"{CAME}{player}"


def arrival(day: int, address: str, device: str) -> str:
    """Of a day (since 1970, UTC), and the hashes of an address and a device."""
    return f"{day}#{address}#{device}"


def player(partition: str) -> str:
    """Whose partition it is."""
    return partition.removeprefix("USER#")


def name(skeleton: str) -> str:
    """Partition of all names that look like this."""
    return f"NAME#{skeleton}"


def wallet(currency: str) -> str:
    return f"{WALLET}{currency}"


def ledger(entry: str) -> str:
    return f"{LEDGER}{entry}"


def bought(command_id: str) -> str:
    """Entry of a buy-in or top-up: a client's id holds no "#", so no other entry is called so."""
    return f"{BOUGHT}{command_id}"


def refilled(table_id: str, version: int, seat: int) -> str:
    """Entry of chips that a seat bought by itself: one write begins one hand at most."""
    return f"auto#{table_id}#{version}#{seat}"


def paid_out(table_id: str, version: int, seat: int) -> str:
    """Entry of a seat's chips: no write of a table empties a seat twice."""
    return f"{PAID_OUT}{table_id}#{version}#{seat}"


def left_with(sort: str) -> int | None:
    """The version of the table that emptied the seat, from the sort key of such an entry; None of
    another one. Raises ValueError.
    """
    if not sort.startswith(ledger(PAID_OUT)):
        return None
    _, version, _ = sort.removeprefix(ledger(PAID_OUT)).split("#")
    return int(version)


def referred(reference: str) -> str:
    """Entry of a deposit or withdrawal."""
    return f"ref#{reference}"


def left(structure: str, at: int, table_id: str, version: int) -> str:
    """Of a leaving, which that version of the table tells from any other of the same moment."""
    return f"{LEFT}{structure}#{at:015d}#{table_id}#{version}"
