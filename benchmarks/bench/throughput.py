"""Rows of whole hands a second, each beside a bare gRPC echo in the same run."""

from collections.abc import Sequence
from statistics import median

from bench.echo import stream_seconds, unary_seconds
from bench.meter import Meter
from bench.names import ATTACHED
from bench.play import Playing, Window, daemon, spec_of
from bench.processes import bots
from bench.rows import Figures, Terms
from fivehundred.v1.tournament_pb2 import TournamentSpec
from fivehundred.wire.presets import DEFAULT_PRESET

ENTRANTS = 4
TABLES = 64
SLOW = ("--think", "20")
PER_SECOND = "hands/s"
OF_ECHO = "of echo"


async def one_process(terms: Terms) -> Figures:
    """Two entrants that are one process."""
    return medians([await stream_round(terms, 1, TABLES) for _ in range(terms.rounds)])


async def four_processes(terms: Terms) -> Figures:
    """Four entrants, a process each, at few tables and at many."""
    few = medians([await stream_round(terms, ENTRANTS, TABLES) for _ in range(terms.rounds)])
    many = medians([await stream_round(terms, ENTRANTS, 256) for _ in range(terms.rounds)])
    return {f"{key}, 64 tables": few[key] for key in few} | {
        f"{key}, 256 tables": many[key] for key in many
    }


async def stream_round(
    terms: Terms, processes: int, tables: int, preset: str = DEFAULT_PRESET
) -> Figures:
    """A window on a tournament over streams, then the echo of what it has carried."""
    window = await play_window(terms, [()] * processes, tables, preset)
    streams = max(processes, 2)
    echo = await stream_seconds(terms.room, window.traffic, streams, processes)
    return compared(window, echo)


async def unary(terms: Terms) -> Figures:
    """Bots that take one decision a call."""
    return medians([await _unary_round(terms) for _ in range(terms.rounds)])


async def _unary_round(terms: Terms) -> Figures:
    window = await play_window(terms, [("--unary",)], TABLES)
    echo = await unary_seconds(terms.room, window.traffic, TABLES, channels=2)
    return compared(window, echo)


async def play_window(
    terms: Terms, kinds: Sequence[Sequence[str]], tables: int, preset: str = DEFAULT_PRESET
) -> Window:
    """A window on a tournament between bots of some kinds; one alone is both entrants."""
    with bots(terms.room, *kinds) as processes:
        addresses = processes.addresses * (2 if len(kinds) == 1 else 1)
        async with daemon(terms.room, processes) as playing:
            playing.start(spec_of(addresses, tables=tables, preset=preset))
            await playing.warm()
            return await playing.window(terms.seconds)


async def attached(terms: Terms) -> Figures:
    """Bots that dial in, in turn with the same that are dialled."""
    return medians([await _attached_round(terms) for _ in range(terms.rounds)])


async def _attached_round(terms: Terms) -> Figures:
    dialled = await play_window(terms, [()], TABLES)
    with bots(terms.room, ("--attach",)) as processes:
        (address,) = processes.addresses
        async with daemon(terms.room, processes) as playing, playing.listening(address):
            playing.start(spec_of((ATTACHED, ATTACHED), tables=TABLES))
            await playing.warm()
            window = await playing.window(terms.seconds)
    return {
        "of dialled": window.hands_a_second / dialled.hands_a_second,
        PER_SECOND: window.hands_a_second,
        **window.figures(),
    }


def compared(window: Window, echo_s: float) -> Figures:
    """The figures of a window beside its echo."""
    return {
        PER_SECOND: window.hands_a_second,
        OF_ECHO: echo_s / window.seconds,
        **window.figures(),
    }


async def one_slow(terms: Terms) -> Figures:
    """Tables of three instant bots, without and with a slow bot at as many other tables."""
    kinds: list[Sequence[str]] = [(), (), (), SLOW]
    with bots(terms.room, *kinds) as processes:
        async with daemon(terms.room, processes, Meter()) as playing:
            playing.start(spec_of(processes.addresses[:3], tables=TABLES // 2))
            await playing.warm()
            slow = spec_of(
                (processes.addresses[0], processes.addresses[3]), tables=TABLES // 2, name="slow"
            )
            rounds = [await _with_and_without(terms, playing, slow) for _ in range(terms.rounds)]
    return medians(rounds)


async def _with_and_without(terms: Terms, playing: Playing, slow: TournamentSpec) -> Figures:
    alone = await playing.window(terms.seconds)
    playing.start(slow)
    await playing.warm(slow.name, hands=0)
    beside = await playing.window(terms.seconds)
    await playing.director.pause("slow")
    rates = alone.hands / alone.seconds, beside.hands / beside.seconds
    return {"rate kept": rates[1] / rates[0], PER_SECOND: rates[1]}


def medians(rounds: Sequence[Figures]) -> Figures:
    """Of each figure the one in the middle."""
    return {key: median(each[key] for each in rounds) for key in rounds[0]}
