"""The turn clock."""

from functools import cache

from cardroom.aws import StepTimers
from cardroom.clock import TurnClock
from cardroom.compose.dealing import dealer
from cardroom.environment import ClockEnvironment, read
from cardroom.signals import PowertoolsSignals, signals


@cache
def turn_clock() -> tuple[TurnClock, PowertoolsSignals]:
    environment, log = read(ClockEnvironment), signals("clock")
    deals = dealer(environment.table_name, log)
    return TurnClock(deals, StepTimers(environment.turn_clock_arn), deals.clock, log), log
