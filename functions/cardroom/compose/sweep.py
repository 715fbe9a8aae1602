"""The sweep."""

from functools import cache

from cardroom.aws import StepTimers
from cardroom.compose.dealing import dealer
from cardroom.environment import ClockEnvironment, read
from cardroom.signals import PowertoolsSignals, signals
from cardroom.sweep import Sweep


@cache
def sweep() -> tuple[Sweep, PowertoolsSignals]:
    environment, log = read(ClockEnvironment), signals("sweep")
    deals = dealer(environment.table_name, log)
    return Sweep(deals, StepTimers(environment.turn_clock_arn), deals.clock, log), log
