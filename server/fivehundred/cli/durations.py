"""Times as people write them: ``90s``, ``45min``, ``2h``, ``1d``, ``1h30min``."""

import re

from fivehundred.cli.failures import ConfigError

UNITS = {"s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
PART = re.compile(r"(\d+(?:\.\d+)?)\s*(s|min|m|h|d)")


def seconds_of(text: str) -> float:
    """The seconds of a time; raises `ConfigError` where it is none."""
    parts = PART.findall(text)
    if not parts or PART.sub("", text).strip():
        raise ConfigError(f"{text!r} is no time: write 90s, 45min, 2h, 1d or 1h30min")
    return sum(float(number) * UNITS[unit] for number, unit in parts)
