"""How the program was built."""


def build() -> str:
    """What the rules are: "compiled" or "pure" Python."""
    from fivehundred.rules import hand

    return "pure" if str(hand.__file__).endswith(".py") else "compiled"
