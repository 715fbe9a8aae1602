"""The room, as clients meet it."""

from functools import cache

from cardroom.compose.dealing import dealer
from cardroom.connections import DynamoViews
from cardroom.environment import TableEnvironment, read
from cardroom.room import Room
from cardroom.signals import PowertoolsSignals, signals


@cache
def room() -> tuple[Room, PowertoolsSignals]:
    name, log = read(TableEnvironment).table_name, signals("command")
    deals = dealer(name, log)
    return Room(deals.tables, DynamoViews(name), deals, deals.clock, log), log
