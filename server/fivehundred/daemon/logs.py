"""Logs on standard error: readable on a terminal, JSON lines elsewhere."""

import logging
import sys

import structlog


def configure(json: bool | None = None, level: int = logging.INFO) -> None:
    """Send structlog's events to standard error; ``json`` None: JSON unless it is a terminal."""
    as_json = not sys.stderr.isatty() if json is None else json
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
    )
