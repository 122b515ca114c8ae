"""What a bot did wrong, from what came over the wire."""

import asyncio

import grpc.aio

from fivehundred.rules.actions import Action
from fivehundred.table.values import Ask, Fault, FaultKind
from fivehundred.v1 import bot_pb2
from fivehundred.wire.codec import Response, decode_answer
from fivehundred.wire.errors import MalformedAnswer

LOST_WHILE_WRITING = "Internal error from Core"
"""What grpc.aio says, as INTERNAL, when a stream ends while it is being written to."""
MAX_REASON = 300
MAX_EVIDENCE = 256
SESSION_CLOSED = Fault(FaultKind.DISCONNECTED, "the session was closed")
NO_ANSWER = Fault(FaultKind.MALFORMED, "the call ended well and without an answer")
"""A call that grpc.aio answers with None: it has ended OK with no message."""
GONE = Fault(FaultKind.DISCONNECTED, "the bot is gone and did not come back in time")

_KIND_OF_STATUS = {
    grpc.StatusCode.DEADLINE_EXCEEDED: FaultKind.TIMEOUT,
    grpc.StatusCode.UNAVAILABLE: FaultKind.DISCONNECTED,
    grpc.StatusCode.CANCELLED: FaultKind.DISCONNECTED,
    grpc.StatusCode.FAILED_PRECONDITION: FaultKind.DISCONNECTED,
}
"""FAILED_PRECONDITION is a restarted bot's way to ask for a new greeting; the rest is MALFORMED."""


def fault_of_status(error: grpc.aio.AioRpcError) -> Fault:
    """The fault that a call's status amounts to."""
    kind = _KIND_OF_STATUS.get(error.code(), FaultKind.MALFORMED)
    if error.details() == LOST_WHILE_WRITING:
        kind = FaultKind.DISCONNECTED
    return Fault(kind, f"{error.code().name}: {error.details() or ''}"[:MAX_REASON])


def fault_of_cancelling(reason: str) -> Fault:
    """The fault of a call that was cancelled; where the task itself was, that is raised again."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
    return Fault(FaultKind.DISCONNECTED, reason)


def malformed(reason: str, answer: bytes = b"") -> Fault:
    """A fault for an answer that is none, with the first bytes of it."""
    return Fault(FaultKind.MALFORMED, reason[:MAX_REASON], answer[:MAX_EVIDENCE])


def judge(answer: bot_pb2.Answer | Response, ask: Ask) -> tuple[Action | Fault, str]:
    """The action of an answer and its note, or the fault it is."""
    try:
        action, note = decode_answer(answer, ask)
    except MalformedAnswer as error:
        return malformed(_explained(error.reason, answer), answer.SerializeToString()), ""
    if action in ask.legal:
        return action, note
    evidence = answer.SerializeToString()[:MAX_EVIDENCE]
    return Fault(FaultKind.ILLEGAL, f"{action} is not legal"[:MAX_REASON], evidence), note


def _explained(reason: str, answer: bot_pb2.Answer | Response) -> str:
    """The reason with the answer's note: a client tells there what its bot has raised."""
    kind = answer.WhichOneof("kind") if isinstance(answer, bot_pb2.Answer) else None
    response = getattr(answer, kind) if kind else answer
    note = getattr(response, "note", "")
    return f"{reason}; its note: {note}" if note else reason
