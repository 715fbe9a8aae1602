"""The stream's consumer."""

from functools import cache

from cardroom.aws import ApiPush, SqsQueue, StepTimers
from cardroom.broadcast import Broadcast
from cardroom.connections import DynamoViews
from cardroom.decks import Decks
from cardroom.environment import BroadcastEnvironment, read
from cardroom.signals import PowertoolsSignals, signals
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock


@cache
def broadcast() -> tuple[Broadcast, PowertoolsSignals]:
    environment, log = read(BroadcastEnvironment), signals("broadcast")
    use_case = Broadcast(
        DynamoViews(environment.table_name),
        Decks(DynamoTables(environment.table_name)),
        ApiPush(environment.callback_url),
        SqsQueue(environment.fanout_queue_url),
        StepTimers(environment.turn_clock_arn),
        SystemClock(),
        log,
    )
    return use_case, log
