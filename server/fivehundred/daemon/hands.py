"""The service that gives out the log."""

from collections.abc import AsyncIterator
from itertools import islice

from fivehundred.daemon.aside import Aside
from fivehundred.daemon.errors import Context
from fivehundred.daemon.paging import MOST_NUMBER, number_of, page_size
from fivehundred.daemon.resources import OPEN_STATES, hand_message, hand_summary
from fivehundred.daemon.trace import trace, trace_messages
from fivehundred.storage.store import Store
from fivehundred.table.values import HandKey
from fivehundred.v1 import hands_pb2, hands_pb2_grpc
from fivehundred.wire.errors import FailedPrecondition, NotFound

# The methods' names are the contract's, as generated servicers want them.
# ruff: noqa: N802

HANDS_A_READ = 64
DECISIONS_A_READ = 256


class HandServicer(hands_pb2_grpc.HandServiceServicer):
    """Gives out the hands of tournaments that have ended."""

    def __init__(self, store: Store, aside: Aside) -> None:
        self._store = store
        self._aside = aside

    async def ListHands(
        self, request: hands_pb2.ListHandsRequest, context: Context
    ) -> hands_pb2.ListHandsResponse:
        """A page of hands in order."""
        self._require_open(request.tournament)
        size = page_size(request.page_size, default=100, most=1000)
        after = self._store.hand(number_of(request.page_token)).key if request.page_token else None
        return await self._aside.run(self._page, request.tournament, size, after)

    async def GetHand(
        self, request: hands_pb2.GetHandRequest, context: Context
    ) -> hands_pb2.GetHandResponse:
        """One hand whole."""
        if request.id > MOST_NUMBER:
            raise NotFound(f"there is no hand {request.id}")
        hand = self._store.hand(request.id)
        self._require_open(hand.key.tournament)
        return hands_pb2.GetHandResponse(hand=hand_message(hand))

    async def ExportHands(
        self, request: hands_pb2.ExportHandsRequest, context: Context
    ) -> AsyncIterator[hands_pb2.ExportHandsResponse]:
        """Every hand whole, in order."""
        self._require_open(request.tournament)
        after: HandKey | None = None
        while page := await self._aside.run(
            self._store.hands_page, request.tournament, HANDS_A_READ, after
        ):
            for hand in page:
                yield hands_pb2.ExportHandsResponse(hand=hand_message(hand))
            after = page[-1].key

    async def TraceEntrant(
        self, request: hands_pb2.TraceEntrantRequest, context: Context
    ) -> AsyncIterator[hands_pb2.TraceEntrantResponse]:
        """Everything that one entrant was asked and answered."""
        self._require_open(request.tournament)
        messages = (
            message
            for traced in trace(self._store, request.tournament, request.entrant)
            for message in trace_messages(traced, faults_only=request.faults_only)
        )
        while some := await self._aside.run(list, islice(messages, DECISIONS_A_READ)):
            for message in some:
                yield message

    def _page(self, name: str, size: int, after: HandKey | None) -> hands_pb2.ListHandsResponse:
        found = self._store.hands_page(name, size + 1, after)
        return hands_pb2.ListHandsResponse(
            hands=map(hand_summary, found[:size]),
            next_page_token=str(found[size - 1].id) if len(found) > size else "",
        )

    def _require_open(self, name: str) -> None:
        state = self._store.tournament(name).state
        if state not in OPEN_STATES:
            raise FailedPrecondition(
                f"{name!r} is {state.name}: its hands are open once it is FINISHED or ABORTED"
            )
