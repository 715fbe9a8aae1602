"""Amounts as texts."""


def decimal(amount: int, unit: int) -> str:
    """Of smallest amounts, `unit` in one: 12.50, or 1250 where they are whole chips."""
    if unit == 1:
        return str(amount)
    whole, rest = divmod(abs(amount), unit)
    return f"{'-' if amount < 0 else ''}{whole}.{rest:02d}"


def plain(amount: int, unit: int) -> str:
    """Without decimals where there are none: 12.50, 12."""
    text = decimal(amount, unit)
    return text.removesuffix(".00")
