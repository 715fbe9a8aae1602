"""From a client's message to the engine's command."""

from cardroom import messages
from poker_engine.commands import (
    Act,
    AutoTopUp,
    Command,
    Leave,
    PreAct,
    Show,
    Sit,
    SitIn,
    SitOut,
    TopUp,
    When,
)
from poker_engine.state import Do, PreDo

type Playing = (
    messages.Sit
    | messages.TopUp
    | messages.AutoTopUp
    | messages.SitOut
    | messages.SitIn
    | messages.Leave
    | messages.Act
    | messages.PreAct
    | messages.Show
)
"""The messages that change a table."""


def command_of(message: Playing, player: str) -> Command:
    """The player comes from the connection, never from the message."""
    match message:
        case messages.Sit():
            return Sit(player, message.seat, message.chips, message.post)
        case messages.TopUp():
            return TopUp(player, message.chips)
        case messages.AutoTopUp():
            return AutoTopUp(player, message.to)
        case messages.SitOut():
            return SitOut(player, When(message.when))
        case messages.SitIn():
            return SitIn(player, message.post)
        case messages.Leave():
            return Leave(player, When(message.when))
        case messages.Act():
            return Act(player, message.hand, message.turn, Do(message.do), message.to or 0)
        case messages.PreAct():
            do = None if message.do == "none" else PreDo(message.do)
            return PreAct(player, message.hand, message.price, do)
        case messages.Show():
            return Show(player, tuple(message.cards))
