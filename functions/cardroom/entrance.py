"""Who has shown who he is comes in here, unless he is kept out for a while."""

from cardroom.ports import Arrivals, Bans, Clock, Signals, Views


class Entrance:
    def __init__(
        self, views: Views, bans: Bans, arrivals: Arrivals, clock: Clock, signals: Signals
    ) -> None:
        self._views = views
        self._bans = bans
        self._arrivals = arrivals
        self._clock = clock
        self._signals = signals

    def admit(self, connection: str, player: str, address: str, device: str = "") -> bool:
        """Remember the connection; False where it is refused. A guest's `player` is empty, and so
        is the `device` of a client that says nothing of it.
        """
        now = self._clock.now()
        if self._bans.banned(player or None, address, now):
            self._signals.count("ConnectionRefused")
            self._signals.note("refused", connection=connection)
            return False
        self._views.connect(connection, player, now)
        if player:
            self._note(player, address, device, now)
        self._signals.note("connected", connection=connection)
        return True

    def _note(self, player: str, address: str, device: str, now: int) -> None:
        try:
            self._arrivals.note(player, address, device, now)
        except Exception as fault:  # He comes in all the same.
            self._signals.count("ArrivalLost")
            self._signals.fault("entrance", fault)
