"""What a player is told of his account: his standing, his money, his limits, and where he sits or
waits for a seat.
"""

from typing import Any

from cardroom.limits import limits_view
from cardroom.ports import Tables
from cardroom.seating import Seating


def account_view(tables: Tables, seating: Seating, player: str, now: int) -> dict[str, Any]:
    """`standing` is None for one who is signed in, but no player of this room yet; `seats` are the
    tables where he has one, by the list of open tables; `lines` where he waits for one. Raises
    WalletError.
    """
    wallets = tables.wallets(player)
    standing = tables.standing(player)
    rows = tables.rows()
    stakes = {row.structure for row in rows}
    return {
        "player": player,
        "standing": None if standing is None else str(standing),
        "balances": [{"currency": one.currency, "balance": one.balance} for one in wallets],
        "seats": [row.table for row in rows if player in row.players],
        "lines": [place.view() for place in seating.places(player, stakes)],
        "limits": limits_view(tables.limits(player), wallets, now),
    }
