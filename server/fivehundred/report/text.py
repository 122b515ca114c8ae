"""Numbers and names as a page shows them."""

from fivehundred.ratings.values import ALIKE, Estimate

NOTHING = "–"
MINUS = "−"
_UNITS = ((1_000_000, "s"), (1_000, "ms"), (1, "µs"))


def harmless(text: str) -> str:
    """A text of a stranger's; what cannot be seen, or turns what follows, is escaped."""
    return "".join(each if each.isprintable() else _escaped(each) for each in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def number_text(number: float | None, form: str = ".1f") -> str:
    """``+12.3`` with a sign in the form; a dash for None."""
    if number is None:
        return NOTHING
    text = format(number, form)
    if not any(digit in text for digit in "123456789"):
        text = text.lstrip("+-")
    return text.replace("-", MINUS)


def count_text(count: float) -> str:
    """``12,345``; halves of ties with a decimal."""
    return format(count, ",.0f" if count == int(count) else ",.1f")


def percent_text(share: float | None) -> str:
    """``62%``; nothing that is not certain is 0 or 100."""
    if share is None:
        return NOTHING
    if 0.995 <= share < 1:
        return ">99%"
    if 0 < share < 0.005:
        return "<1%"
    return f"{100 * share:.0f}%"


def chance_text(chance: float) -> str:
    """``62%``; no chance is certain."""
    return percent_text(min(max(chance, 1e-9), 1 - 1e-9))


def probability_text(probability: float | None) -> str:
    """``0.43``; ``<0.001`` below."""
    if probability is None:
        return NOTHING
    return "<0.001" if probability < 0.001 else f"{probability:.3f}"


def rank_text(best: int, worst: int) -> str:
    """``2`` or ``2–4``."""
    return str(best) if best == worst else f"{best}–{worst}"


def interval_text(estimate: Estimate, form: str) -> str:
    """``35.2 … 47.4``; an end that is missing is unbounded."""
    if estimate.low is None and estimate.high is None:
        return "no interval" if estimate.value is not None else ""
    low = f"{MINUS}∞" if estimate.low is None else number_text(estimate.low, form)
    high = "∞" if estimate.high is None else number_text(estimate.high, form)
    return f"{low} … {high}"


def time_text(microseconds: float) -> str:
    """``1.2 ms``, with three digits at most."""
    size, unit = next((each for each in _UNITS if microseconds >= each[0]), _UNITS[-1])
    number = microseconds / size
    return f"{number:.{0 if number >= 100 or size == 1 else 1 if number >= 10 else 2}f} {unit}"


def reach_text(estimate: Estimate, form: str) -> str:
    """``±4.5``, half of an even interval; a question mark where there is none.

    ``alike`` where nothing varied, as between copies of one bot: that is no error of 0.
    """
    if estimate.low is None or estimate.high is None:
        return "alike" if estimate.remark == ALIKE else "±?"
    return f"±{number_text((estimate.high - estimate.low) / 2, form)}"


def percent_interval_text(share: Estimate) -> str:
    """``41–73%``; nothing where there is no interval."""
    if share.low is None or share.high is None:
        return ""
    return f"{100 * share.low:.0f}–{100 * share.high:.0f}%"
