"""The room, as clients meet it: behind its door."""

from functools import cache

from cardroom.aws import ApiCloser, SqsQueue, archive
from cardroom.bans import DynamoBans
from cardroom.budget import Budgets
from cardroom.compose.dealing import dealer
from cardroom.connections import DynamoViews
from cardroom.disputes import DynamoDisputes
from cardroom.door import Door
from cardroom.environment import CommandEnvironment, read
from cardroom.lines import DynamoLines
from cardroom.lobby import Lobby
from cardroom.past import Past
from cardroom.played import DynamoPlayed
from cardroom.room import Room
from cardroom.seating import Seating
from cardroom.signals import PowertoolsSignals, signals
from cardroom.statements import Statements
from cardroom.watchers import DynamoWatchers


@cache
def door() -> tuple[Door, PowertoolsSignals]:
    environment, log = read(CommandEnvironment), signals("command")
    name = environment.table_name
    deals = dealer(name, log)
    floor = SqsQueue(environment.floor_queue_url)
    lines = DynamoLines(name, log)
    lobby = Lobby(deals.tables, DynamoWatchers(name, log), lines, floor, deals.clock)
    seating = Seating(deals.tables, deals, lines, floor)
    played = DynamoPlayed(name, log, archive(environment.hands_bucket))
    past = Past(played, log)
    statements = Statements(deals.tables, played, log)
    views = DynamoViews(name, signals=log)
    disputes = DynamoDisputes(name, log)
    room = Room(
        deals.tables, views, deals, lobby, seating, past, statements, disputes, deals.clock, log
    )
    closer = ApiCloser(environment.callback_url)
    return Door(room, Budgets(), DynamoBans(name, log), closer, deals.clock, log), log
