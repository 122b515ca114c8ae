"""A whole bot with nothing but generated code: one decision a call, the first legal action."""

import sys
from concurrent import futures

import grpc

from fivehundred.v1 import bot_pb2, bot_pb2_grpc

# The methods' names are the contract's.
# ruff: noqa: N802


class PlainBot(bot_pb2_grpc.BotServiceServicer):
    """Bids as low as it can if nobody has bid, throws and plays the lowest cards."""

    def Hello(self, request, context):
        return bot_pb2.HelloResponse(name="plain", version="1")

    def Bid(self, request, context):
        first = not request.ask.view.auction
        call = request.legal[1] if first else request.legal[0]
        return bot_pb2.BidResponse(decision_id=request.ask.decision_id, call=call)

    def Discard(self, request, context):
        cards = request.ask.view.holding[: request.throw]
        return bot_pb2.DiscardResponse(decision_id=request.ask.decision_id, cards=cards)

    def Play(self, request, context):
        card = request.legal[0]
        named = request.nameable[0] if card >= 65 and request.nameable else 0
        return bot_pb2.PlayResponse(
            decision_id=request.ask.decision_id, card=card, named_suit=named
        )


server = grpc.server(futures.ThreadPoolExecutor())
bot_pb2_grpc.add_BotServiceServicer_to_server(PlainBot(), server)
port = server.add_insecure_port("127.0.0.1:0")
server.start()
print(f"listening at 127.0.0.1:{port}", file=sys.stderr, flush=True)
server.wait_for_termination()
