"""What a launched bot may use where it is shut into a sandbox."""

from collections.abc import Callable
from dataclasses import dataclass

from fivehundred.v1 import tournament_pb2

MIB = 1 << 20
TIB = 1 << 40
LEAST_MEMORY = 32 * MIB
"""What a process has before it does anything."""
LEAST_FILE = 4096
MOST_PROCESSES = 4096
MOST_CPU_SECONDS = 366 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The bounds of a launched bot that is shut into bubblewrap."""

    memory_bytes: int = 1024 * MIB
    """The memory that one process may take."""
    processes: int = 64
    """Processes and threads."""
    cpu_seconds: int = 3600
    """The processor time of one process."""
    file_bytes: int = 64 * MIB
    """The size of one file, and of all that the bot has written together."""


_BOUNDS = {
    "memory_bytes": (LEAST_MEMORY, TIB),
    "processes": (2, MOST_PROCESSES),
    "cpu_seconds": (1, MOST_CPU_SECONDS),
    "file_bytes": (LEAST_FILE, TIB),
}


def sandbox_from_proto(
    message: tournament_pb2.Sandbox, path: str, fail: Callable[[str, str], None]
) -> Sandbox:
    """The bounds with their defaults; ``fail`` is told path and mistake of what is wrong."""
    bounds = {name: getattr(message, name) for name in _BOUNDS}
    if message.kind == tournament_pb2.SANDBOX_KIND_UNSPECIFIED:
        fail(f"{path}.kind", "a sandbox without a kind: write SANDBOX_KIND_BUBBLEWRAP")
    elif message.kind != tournament_pb2.SANDBOX_KIND_BUBBLEWRAP:
        fail(f"{path}.kind", f"{message.kind} is no kind of sandbox: write SANDBOX_KIND_BUBBLEWRAP")
    for name, (least, most) in _BOUNDS.items():
        if bounds[name] and not least <= bounds[name] <= most:
            fail(f"{path}.{name}", f"{bounds[name]}: write {least} to {most}, or 0 for the default")
    return Sandbox(**{name: bound for name, bound in bounds.items() if bound})
