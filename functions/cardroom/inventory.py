"""All that holds money, read from DynamoDB for the audit, with the operator's rights."""

from collections.abc import Callable, Iterable

from cardroom import keys
from cardroom.accounts import DynamoAccounts
from cardroom.audit import Count, Rake, TableCount
from cardroom.damage import UNREADABLE, Attributes
from cardroom.store import read_state
from cardroom.wallets import read_entry, read_wallet
from poker_engine.chips import chips_on_table


class DynamoInventory(DynamoAccounts):
    """The port `Room` of the audit."""

    def everything(self) -> Count:
        items = self.scan(
            "sk = :state OR begins_with(pk, :user) OR begins_with(pk, :rake)",
            {
                ":state": {"S": keys.STATE},
                ":user": {"S": keys.user("")},
                ":rake": {"S": keys.rake("")},
            },
        )
        return counted(items)

    def of_player(self, name: str) -> Count:
        return counted(self._partition(keys.user(name)))

    def of_table(self, table_id: str) -> Count:
        state = self._read(keys.table(table_id), keys.STATE)
        found = [] if state is None else [state]
        return counted([*found, *self._partition(keys.rake(table_id))])


def counted(items: Iterable[Attributes]) -> Count:
    """Of these items those that hold money; one that cannot be read is named."""
    count = Count()
    for item in items:
        partition, sort = item["pk"]["S"], item["sk"]["S"]
        kind = _kind(partition, sort)
        if kind is None:
            continue
        try:
            kind(count, item)
        except UNREADABLE:
            whose = partition.partition("#")[2]
            owner = (whose, "") if partition.startswith(keys.user("")) else ("", whose)
            count.damaged[f"{partition} / {sort}"] = owner
    return count


def _kind(partition: str, sort: str) -> Callable[[Count, Attributes], None] | None:
    if sort == keys.STATE:
        return _table
    if partition.startswith(keys.rake("")):
        return _rake
    if partition.startswith(keys.user("")) and sort.startswith(keys.WALLET):
        return _wallet
    if partition.startswith(keys.user("")) and sort.startswith(keys.LEDGER):
        return _entry
    return None


def _table(count: Count, item: Attributes) -> None:
    stored = read_state(item)
    seats = [seat.player for seat in stored.table.seats if seat is not None]
    count.tables[stored.table_id] = TableCount(
        table_id=stored.table_id,
        currency=stored.table.settings.stakes.currency,
        version=stored.version,
        chips_in=stored.chips_in,
        chips_out=stored.chips_out,
        seated=chips_on_table(stored.table),
        leaving=stored.chips - chips_on_table(stored.table),
        players=(*seats, *(one.player for one in stored.leaving)),
    )


def _rake(count: Count, item: Attributes) -> None:
    table_id, hand = keys.table_id(item["pk"]["S"]), int(item["sk"]["S"])
    count.rake[table_id, hand] = Rake(
        table_id, hand, int(item["amount"]["N"]), item["currency"]["S"]
    )


def _wallet(count: Count, item: Attributes) -> None:
    wallet = read_wallet(item)
    count.wallets[wallet.player, wallet.currency] = wallet


def _entry(count: Count, item: Attributes) -> None:
    entry = read_entry(item)
    count.entries[entry.player, entry.id] = entry
