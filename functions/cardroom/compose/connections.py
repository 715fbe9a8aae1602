"""disconnect: the connections, and where they are logged."""

from functools import cache

from cardroom.connections import DynamoViews
from cardroom.environment import TableEnvironment, read
from cardroom.signals import PowertoolsSignals, signals


@cache
def connections() -> tuple[DynamoViews, PowertoolsSignals]:
    log = signals("connections")
    return DynamoViews(read(TableEnvironment).table_name, signals=log), log
