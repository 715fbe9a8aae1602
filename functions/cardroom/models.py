"""The items beside STATE, as PynamoDB models of the one table.

`prime` gives them all one connection: else each model would build a client of its own.
"""

from typing import Any

from botocore.config import Config
from botocore.session import Session
from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute
from pynamodb.connection.table import TableConnection
from pynamodb.models import Model

CONNECT_SECONDS = 1.0
READ_SECONDS = 2.0
RETRIES = 2
POOL = 16
USER_AGENT = "cardroom"


class Item(Model):
    """Any item: two keys."""

    class Meta:
        table_name: str = ""
        connect_timeout_seconds = CONNECT_SECONDS
        read_timeout_seconds = READ_SECONDS
        max_retry_attempts = RETRIES
        max_pool_connections = POOL

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)


class MetaItem(Item):
    """How a table was opened: `opening` is the codec's text of the empty table. `base` is there
    where it opened by itself, after that table; `most` are the tables of its stake up to which more
    do so.
    """

    structure = UnicodeAttribute()
    opening = UnicodeAttribute()
    schema = NumberAttribute(null=True)
    opened_at = NumberAttribute()
    base = UnicodeAttribute(null=True)
    most = NumberAttribute(null=True)


class ListedItem(Item):
    """A table's place in the list of open tables; its id is the sort key. `row` is what the lobby
    shows of the table at `seq`.
    """

    structure = UnicodeAttribute()
    row = UnicodeAttribute(null=True)
    seq = NumberAttribute(null=True)


class ClosedItem(Item):
    """A closed table of whose hands there may be records in the table; its id is the sort key, `at`
    (ms) when it closed.
    """

    at = NumberAttribute()


class SecretItem(Item):
    """A deck, as 104 characters, and the table when its hand began."""

    deck = UnicodeAttribute()
    opening = UnicodeAttribute()
    schema = NumberAttribute(null=True)
    ttl = NumberAttribute()


class HandItem(Item):
    """A finished hand's whole record. `log_schema` is there where `events` were written anew, by
    what may be a later release than the rest.
    """

    opening = UnicodeAttribute()
    events = UnicodeAttribute()
    deck = UnicodeAttribute()
    started = NumberAttribute()
    ended = NumberAttribute()
    currency = UnicodeAttribute()
    schedule = UnicodeAttribute()
    rake = NumberAttribute()
    pots = UnicodeAttribute()
    rules = NumberAttribute()
    schema = NumberAttribute()
    log_schema = NumberAttribute(null=True)
    voided = NumberAttribute()
    before = UnicodeAttribute(null=True)
    seal = UnicodeAttribute(null=True)


class LookItem(Item):
    """Somebody saw cards that were not shown: who, why, and which hands; written once."""

    at = NumberAttribute()
    who = UnicodeAttribute()
    why = UnicodeAttribute()
    what = UnicodeAttribute()


class DisputeItem(Item):
    """A hand that a player disputes; `command` is the id of his message. With `closed` (ms) support
    has answered it: who, and in which words.
    """

    at = NumberAttribute()
    text = UnicodeAttribute()
    command = UnicodeAttribute()
    closed = NumberAttribute(null=True)
    who = UnicodeAttribute(null=True)
    word = UnicodeAttribute(null=True)


class RakeItem(Item):
    """What a hand's rake was; written once, never changed."""

    amount = NumberAttribute()
    currency = UnicodeAttribute()
    schedule = UnicodeAttribute()
    at = NumberAttribute()


class PlayerItem(Item):
    """A player of the room: his standing, and who set it why."""

    standing = UnicodeAttribute()
    at = NumberAttribute()
    who = UnicodeAttribute()
    why = UnicodeAttribute()
    created = NumberAttribute()


class WalletItem(Item):
    """A balance, and the number of ledger entries that made it; what was deposited and lost on the
    day (since 1970) of the last one.
    """

    balance = NumberAttribute()
    entries = NumberAttribute()
    suspended = NumberAttribute(null=True)
    day = NumberAttribute(null=True)
    deposited = NumberAttribute(null=True)
    lost = NumberAttribute(null=True)


class LimitsItem(Item):
    """The limits that a player has set himself, as JSON text."""

    version = NumberAttribute()
    limits = UnicodeAttribute()


class SessionItem(Item):
    """Since when (ms) a player has been here, and when he was last heard of."""

    began = NumberAttribute()
    seen = NumberAttribute()
    ttl = NumberAttribute()


class NameItem(Item):
    """Whose name, of all that look like it, is taken; `until` (ms) where that is not confirmed
    yet. Read by that, as ttl lags. `taken_by` says who took it; `folded` is in small letters.
    """

    player = UnicodeAttribute()
    folded = UnicodeAttribute()
    taken_by = UnicodeAttribute()
    until = NumberAttribute(null=True)
    ttl = NumberAttribute(null=True)


class EntryItem(Item):
    """One ledger entry; written once, never changed. `amount` is signed, `balance` after it."""

    currency = UnicodeAttribute()
    kind = UnicodeAttribute()
    amount = NumberAttribute()
    number = NumberAttribute()
    balance = NumberAttribute()
    at = NumberAttribute()
    who = UnicodeAttribute()
    why = UnicodeAttribute()
    table = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    seq = NumberAttribute(null=True)
    reference = UnicodeAttribute(null=True)


class LeftItem(Item):
    """What a player left a table with; read by its age, as ttl lags."""

    chips = NumberAttribute()
    at = NumberAttribute()
    removed = NumberAttribute()
    ttl = NumberAttribute()


class ViewItem(Item):
    """Who watches a table, from a seat or in a shard of spectators; `seq` is of the table that told
    which of the two.
    """

    player = UnicodeAttribute()
    seq = NumberAttribute()
    ttl = NumberAttribute()


class LobbyItem(Item):
    """Who watches the lobby."""

    player = UnicodeAttribute()
    ttl = NumberAttribute()


class CrowdItem(Item):
    """A shard in which spectators may be; its sort key is `<table>#<shard>`."""

    ttl = NumberAttribute()


class ShownItem(Item):
    """What the spectators of a delayed table were sent last, as JSON text."""

    seq = NumberAttribute()
    data = UnicodeAttribute()


class WaitItem(Item):
    """A player who waits for a seat; with an offer its table and end, `untold` until he is told."""

    since = NumberAttribute()
    offered = UnicodeAttribute(null=True)
    lapses = NumberAttribute(null=True)
    untold = NumberAttribute(null=True)
    ttl = NumberAttribute()


class ShardItem(Item):
    """Beside the views from seats: this shard has spectators."""

    ttl = NumberAttribute()


class ConnectionItem(Item):
    """A connection; `tables` are the partitions in which its views lie. A guest's has no `online`,
    and so is in no index.
    """

    player = UnicodeAttribute()
    online = UnicodeAttribute(null=True)
    tables = UnicodeSetAttribute(null=True)
    ttl = NumberAttribute()


class BanItem(Item):
    """Somebody who is kept out `until` (ms); read by that, as ttl lags."""

    until = NumberAttribute()
    ttl = NumberAttribute()


class ArrivalItem(Item):
    """A player came on a day from a place, with a device: hashes, in its sort key."""

    ttl = NumberAttribute()


def prime(table_name: str) -> TableConnection:
    """Bind all models to this table, through one connection and one client.

    Kept on the base class, where each model finds it; only then is the STATE item written through
    the same client.
    """
    if Item.Meta.table_name != table_name:
        Item.Meta.table_name = table_name
        Item._connection = None
        # Else botocore describes itself and its surroundings anew in each request, twice.
        session().set_default_client_config(Config(user_agent=USER_AGENT))
    return Item._get_connection()


def session() -> Session:
    """The primed connection's session: what it has read of botocore's data serves all clients."""
    return Item._get_connection().connection.session


def written(item: Item) -> dict[str, Any]:
    """The item as DynamoDB's attribute values, for a transaction."""
    serialized: dict[str, Any] = item.serialize()
    return serialized
