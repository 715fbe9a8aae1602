"""What a player is told of his account: his standing, his money, his limits, and where he sits."""

from typing import Any

from cardroom.limits import limits_view
from cardroom.ports import Tables


def account_view(tables: Tables, player: str, now: int) -> dict[str, Any]:
    """`standing` is None for one who is signed in, but no player of this room yet; `seats` are the
    tables where he has one, by the list of open tables. Raises WalletError.
    """
    wallets = tables.wallets(player)
    standing = tables.standing(player)
    return {
        "player": player,
        "standing": None if standing is None else str(standing),
        "balances": [{"currency": one.currency, "balance": one.balance} for one in wallets],
        "seats": [row.table for row in tables.rows() if player in row.players],
        "limits": limits_view(tables.limits(player), wallets, now),
    }
