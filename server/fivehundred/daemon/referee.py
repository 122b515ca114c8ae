"""The referee as a service."""

from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict, SerializeToJsonError
from google.protobuf.struct_pb2 import Struct

from fivehundred.daemon.aside import Aside
from fivehundred.referee import BadQuestion, answer
from fivehundred.v1 import referee_pb2, referee_pb2_grpc
from fivehundred.wire.errors import InvalidArgument, Violation

# The method's name is the contract's, as generated servicers want it.
# ruff: noqa: N802

MOST_BYTES = 1 << 17
"""The largest question that is answered, since answers are made beside the tables."""


class RefereeServicer(referee_pb2_grpc.RefereeServiceServicer):
    """Answers questions about the rules; keeps nothing."""

    def __init__(self, aside: Aside) -> None:
        self._aside = aside

    async def Ask(
        self,
        request: referee_pb2.AskRequest,
        context: grpc.aio.ServicerContext[Any, Any],
    ) -> referee_pb2.AskResponse:
        """Answer one question."""
        try:
            answered = await self._aside.run(answer, question_of(request.question))
        except BadQuestion as error:
            raise InvalidArgument([Violation(error.field, error.message)]) from None
        response = referee_pb2.AskResponse()
        response.answer.update(answered)
        return response


def question_of(message: Struct) -> dict[str, Any]:
    """A question as the referee takes it; raises `InvalidArgument` where it cannot be one."""
    if (size := message.ByteSize()) > MOST_BYTES:
        raise InvalidArgument([Violation("question", f"{size} bytes: at most {MOST_BYTES}")])
    try:
        return dict(MessageToDict(message))
    except (ValueError, SerializeToJsonError):
        raise InvalidArgument([Violation("question", "write finite numbers only")]) from None
