"""Reading a tournament's definition from a file."""

from pathlib import Path

from fivehundred.cli.failures import ConfigError
from fivehundred.v1.tournament_pb2 import TournamentSpec
from fivehundred.wire.spec import parse_spec


def read_spec(path: Path) -> TournamentSpec:
    """The tournament of a file; raises `ConfigError` where it cannot be read or is none."""
    return parse_spec(read_text(path), path.name)


def read_text(path: Path) -> str:
    """The text of a tournament's or a rule set's file; raises `ConfigError` where it has none."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is no text: write a tournament as .textproto") from None
