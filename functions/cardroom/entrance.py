"""Who has shown who he is comes in here, unless he is kept out for a while."""

from cardroom.ports import Bans, Clock, Signals, Views


class Entrance:
    def __init__(self, views: Views, bans: Bans, clock: Clock, signals: Signals) -> None:
        self._views = views
        self._bans = bans
        self._clock = clock
        self._signals = signals

    def admit(self, connection: str, player: str, address: str) -> bool:
        """Remember the connection; False where it is refused. A guest's `player` is empty."""
        now = self._clock.now()
        if self._bans.banned(player or None, address, now):
            self._signals.count("ConnectionRefused")
            self._signals.note("refused", connection=connection)
            return False
        self._views.connect(connection, player, now)
        self._signals.note("connected", connection=connection)
        return True
