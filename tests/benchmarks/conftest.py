"""What the tests of the benchmarks leave as it was."""

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """A benchmark mutes the logs of its process."""
    yield
    structlog.reset_defaults()
