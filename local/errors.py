"""What keeps the local room from starting or going on."""


class RoomError(Exception):
    """Says in one line what is wrong and what to do about it; the output of a tool may follow."""
