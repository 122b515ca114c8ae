"""Times as people write them."""

import pytest

from fivehundred.cli.durations import seconds_of
from fivehundred.cli.failures import ConfigError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90),
        ("45min", 2_700),
        ("45m", 2_700),
        ("2h", 7_200),
        ("1.5d", 129_600),
        ("1h30min", 5_400),
    ],
)
def test_a_time_is_read(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "90", "soon", "2h or so", "-3s"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="is no time"):
        seconds_of(text)
