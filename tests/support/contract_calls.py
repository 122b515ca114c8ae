"""Every method that a daemon serves, called on bytes."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import islice
from pkgutil import iter_modules
from typing import Any

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

import fivehundred.v1

SECONDS = 20
Metadata = tuple[tuple[str, str], ...]


def served_methods() -> dict[str, MethodDescriptor]:
    """Every method that a daemon serves, by ``service/method``: the contract's but for a bot's."""
    modules: list[Any] = [
        import_module(f"fivehundred.v1.{module.name}")
        for module in iter_modules(fivehundred.v1.__path__)
        if module.name.endswith("_pb2")
    ]
    found: dict[str, MethodDescriptor] = {}
    for module in (*modules, health_pb2, reflection_pb2):
        for service in module.DESCRIPTOR.services_by_name.values():
            if service.name != "BotService":
                methods: Sequence[MethodDescriptor] = service.methods
                found |= {f"{service.full_name}/{each.name}": each for each in methods}
    return found


METHODS = served_methods()


def request_of(method: str, fields: Mapping[str, str]) -> Message:
    """A method's request with those of some fields that it has; a message has it as its name."""
    descriptor = METHODS[method].input_type
    texts: dict[str, object] = {
        field.name: fields[field.name]
        if field.message_type is None
        else {"name": fields[field.name]}
        for field in descriptor.fields
        if field.name in fields
    }
    return message_factory.GetMessageClass(descriptor)(**texts)


def answers_of(
    channel: grpc.Channel, method: str, request: bytes, sent: Metadata, most: int = 1
) -> list[bytes]:
    """What a method answers, at most so many messages of it; raises `grpc.RpcError`."""
    descriptor: Any = METHODS[method]
    asks = "stream" if descriptor.client_streaming else "unary"
    answers = "stream" if descriptor.server_streaming else "unary"
    make = getattr(channel, f"{asks}_{answers}")(f"/{method}")
    ask = iter([request]) if descriptor.client_streaming else request
    call = make(ask, metadata=sent, timeout=SECONDS)
    if not descriptor.server_streaming:
        return [call]
    found = [*islice(call, most)]
    call.cancel()
    return found
