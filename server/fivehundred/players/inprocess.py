"""A bot in the same process, asked through the same messages; for self-play and tests."""

import secrets
import time
from collections.abc import Callable

from fivehundred.players.faults import judge
from fivehundred.table.values import Ask, Reply
from fivehundred.v1 import bot_pb2
from fivehundred.wire.codec import ask_to_proto


class InProcessPlayer:
    """Asks a function. It cannot be interrupted: the table judges afterwards what took too long."""

    def __init__(
        self, handle: Callable[[bot_pb2.Decision], bot_pb2.Answer], rules_hash: bytes = b""
    ) -> None:
        self._handle = handle
        self._rules_hash = rules_hash

    async def decide(self, ask: Ask) -> Reply:
        """Call the function with the decision and judge its answer."""
        decision = ask_to_proto(ask, secrets.token_hex(8), self._rules_hash)
        started = time.monotonic_ns()
        answer = self._handle(decision)
        elapsed_us = (time.monotonic_ns() - started) // 1000
        action, note = judge(answer, ask)
        return Reply(action, elapsed_us, note=note)
