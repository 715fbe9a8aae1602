"""Somebody else's text on a terminal. By itself, for the replay loads no room."""


def printable(text: str, most: int = 40) -> str:
    """Without anything that could steer the terminal, cut to `most` characters."""
    kept = "".join(one if one.isprintable() else "?" for one in text)
    return kept if len(kept) <= most else kept[: most - 1] + "~"
