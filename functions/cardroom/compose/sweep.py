"""The sweep."""

from functools import cache

from cardroom.aws import SqsQueue, StepTimers
from cardroom.compose.dealing import dealer
from cardroom.environment import SweepEnvironment, read
from cardroom.signals import PowertoolsSignals, signals
from cardroom.sweep import Sweep


@cache
def sweep() -> tuple[Sweep, PowertoolsSignals]:
    environment, log = read(SweepEnvironment), signals("sweep")
    deals = dealer(environment.table_name, log)
    timers = StepTimers(environment.turn_clock_arn)
    floor = SqsQueue(environment.floor_queue_url)
    return Sweep(deals, timers, floor, deals.clock, log), log
