"""Examples below a command's help."""


def examples(*lines: str) -> str:
    """Lines that click leaves as they are."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])
