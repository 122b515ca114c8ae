"""The line between a daemon and a worker: messages over a socket, each after its length."""

import asyncio
import socket
from contextlib import suppress
from struct import Struct

from google.protobuf.message import Message

LENGTH = Struct(">I")


class Link:
    """One end of the line. The other end's death is an end of messages here."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def receive(self) -> bytes | None:
        """The next message; None when the other end has closed or died."""
        try:
            (length,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
            return await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    def send(self, message: Message) -> None:
        """Send a message without waiting; nothing comes of it where the other end is gone."""
        if not self._writer.is_closing():
            content = message.SerializeToString()
            self._writer.write(LENGTH.pack(len(content)) + content)

    async def close(self) -> None:
        """Send what is left and close this end."""
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()

    def abort(self) -> None:
        """Close this end at once."""
        self._writer.transport.abort()


async def open_link(end: socket.socket) -> Link:
    """The line over a connected socket."""
    return Link(*await asyncio.open_connection(sock=end))
