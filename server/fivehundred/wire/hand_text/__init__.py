"""Hands as text for people (docs/hand-format.md): `dumps` writes them, `loads` reads them."""

from fivehundred.wire.hand_text.check import check
from fivehundred.wire.hand_text.read import loads
from fivehundred.wire.hand_text.values import HandTextError, WrittenHand
from fivehundred.wire.hand_text.write import dumps

__all__ = ["HandTextError", "WrittenHand", "check", "dumps", "loads"]
