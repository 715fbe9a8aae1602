"""A room in which anything happens: sittings, leavings, top-ups, hands, timeouts, money."""

from random import Random
from typing import Any

from cardroom.bank import Order
from poker_engine.legal import options
from tests.room.world import World

ORDER = Order("olga", "a test")


def something(world: World, dice: Random, player: str, turn: int) -> None:
    """At the table `t`; the player is connected."""
    table = world.stored().table
    what = dice.random()
    if what < 0.1:
        world.bank.deposit(player, "PHP", dice.randrange(1, 1000), f"d{turn}", ORDER)
    elif what < 0.15:
        world.bank.withdraw(player, "PHP", dice.randrange(1, 1000), f"w{turn}", ORDER)
    elif table.frozen and what < 0.5:
        world.dealer.thaw("t")
    elif table.seat_of(player) is None:
        answer = world.say(player, "sit", seat=turn % 6, chips=50_000, post=True)
        facts: dict[str, Any] = getattr(answer, "facts", None) or {}
        if "amount" in facts:
            world.say(player, "sit", seat=turn % 6, chips=facts["amount"], post=True)
        world.say(player, "autotopup", to=100_000)
    elif what < 0.25:
        world.say(player, "leave")
    elif what < 0.3:
        world.say(player, "topup", chips=dice.randrange(1, 20_000))
    elif what < 0.33:
        world.say(player, "autotopup", to=dice.choice((0, 50_000)))
    elif what < 0.34:
        world.dealer.freeze("t")
    elif (may := options(table)) is not None and what < 0.92:
        do, to = "check" if may.check else "call", {}
        if may.max_to is not None and dice.random() < 0.3:
            do, to = str(may.verb), {"to": may.max_to}
        world.act(do, **to)
    else:
        due = [table.next_hand_at] if table.running is None else []
        if table.running is not None and table.running.turn is not None:
            due = [table.running.turn.expires]
        world.clock.go_to(max([world.clock.now(), *(at for at in due if at is not None)]))
        world.dealer.apply("t")
