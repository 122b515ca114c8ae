"""A ladder without an end: entrants come and go, and it ends when it is told to."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from fivehundred.daemon import ladders
from fivehundred.daemon.creation import create, is_same
from fivehundred.daemon.director import Director
from fivehundred.daemon.embedded import director_of
from fivehundred.daemon.results import schedule_of
from fivehundred.storage.store import Store
from fivehundred.storage.values import TournamentState
from fivehundred.storage.verify import verify
from fivehundred.tournament.formats import Ladder
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import FailedPrecondition, NotFound, SpecError

StartBot = Callable[[str], str]
MakeSpec = Callable[..., tournament_pb2.TournamentSpec]
Entrant = tournament_pb2.Entrant
AHEAD = 4


@asynccontextmanager
async def endless(
    spec: tournament_pb2.TournamentSpec, room: Path
) -> AsyncIterator[tuple[Store, Director]]:
    """A ladder of a definition's entrants that has been stored, with who plays it."""
    spec.format.ladder.ahead = AHEAD
    async with director_of(room / "t.db") as (store, director):
        create(store, spec)
        yield store, director


async def paused_after(director: Director, store: Store, hands: int) -> None:
    """Play until so many hands are stored, then pause."""
    director.start("test")
    async with asyncio.timeout(60):
        while store.hand_count("test") < hands:
            await director.changed.wait()
    await director.pause("test")


def numbers_of(store: Store, entrant: int) -> list[int]:
    """The numbers of the matches that an entrant is in, in order."""
    hands = store.hands("test")
    return sorted({hand.key.match for hand in hands if entrant in hand.record.started.entrants})


def made(store: Store) -> int:
    """How many matches have been paired."""
    ladder = schedule_of(store, "test").format
    assert isinstance(ladder, Ladder)
    return ladder.made


async def test_entrants_come_and_go_and_it_ends_when_told(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    address = start_bot("random_bot:Random")
    spec = make_spec(("a", address), ("b", address), ("c", address), boards=1)
    async with endless(spec, tmp_path) as (store, director):
        await paused_after(director, store, 12)
        come = made(store)
        ladders.join(store, "test", Entrant(name="d", address=address))
        ladders.leave(store, "test", "a")
        await paused_after(director, store, 30)
        back = made(store)
        ladders.join(store, "test", Entrant(name="a"))

        director.start("test")
        async with asyncio.timeout(60):
            while (progress := director.progress("test")) is None or progress.matches < back + 4:
                await director.changed.wait()
        director.finish("test")
        await director.finished("test")

        stored = store.tournament("test")
        assert stored.state is TournamentState.FINISHED, stored.reason
        assert is_same(store.tournament("test"), tournament_pb2.TournamentSpec()) is False
        assert verify(store).problems == ()
        assert min(numbers_of(store, 3)) >= come
        assert not [number for number in numbers_of(store, 0) if come <= number < back]
        assert numbers_of(store, 0)[-1] >= back
        assert store.match_count("test") == made(store)


async def test_a_ladder_is_told_to_end_while_it_rests(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    address = start_bot("random_bot:Random")
    spec = make_spec(("a", address), ("b", address), boards=1)
    async with endless(spec, tmp_path) as (store, director):
        director.finish("test")

        assert is_same(store.tournament("test"), spec)
        director.start("test")
        await director.finished("test")
        assert store.match_count("test") == AHEAD
        with pytest.raises(FailedPrecondition, match="it has ended already"):
            director.finish("test")


async def test_what_cannot_be_changed_is_told(make_spec: MakeSpec, tmp_path: Path) -> None:
    nowhere = "127.0.0.1:1"
    spec = make_spec(("a", nowhere), ("b", nowhere), boards=1)
    async with endless(spec, tmp_path) as (store, director):
        with pytest.raises(FailedPrecondition, match="'b' is there"):
            ladders.join(store, "test", Entrant(name="b"))
        with pytest.raises(SpecError, match="give one of launch"):
            ladders.join(store, "test", Entrant(name="c"))
        with pytest.raises(NotFound, match="no entrant 'zed'"):
            ladders.leave(store, "test", "zed")
        director.finish("test")
        with pytest.raises(FailedPrecondition, match="ends by itself"):
            director.finish("test")


async def test_too_few_cannot_be_left_for_the_matches_to_come(
    make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = make_spec(("a", "127.0.0.1:1"), ("b", "127.0.0.1:1"), boards=1)
    async with endless(spec, tmp_path) as (store, _):
        with pytest.raises(FailedPrecondition, match="match 4 is of 2 entrants, and 1 would be"):
            ladders.leave(store, "test", "a")
        assert is_same(store.tournament("test"), spec)


async def test_other_formats_have_their_entrants_for_good(
    make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = make_spec(("a", "127.0.0.1:1"), ("b", "127.0.0.1:1"))
    async with director_of(tmp_path / "t.db") as (store, director):
        create(store, spec)

        with pytest.raises(FailedPrecondition, match="is no ladder"):
            ladders.leave(store, "test", "a")
        with pytest.raises(FailedPrecondition, match="ends by itself"):
            director.finish("test")
