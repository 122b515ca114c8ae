"""The command line: `fivehundred run | serve | tournament | bot | hand | verify | rules`."""

from fivehundred.cli.app import main

__all__ = ["main"]
