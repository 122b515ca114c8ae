"""A ladder without an end: entrants come and go, and it ends when it is told to."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from fivehundred.daemon.creation import add_entropy, create, is_same
from fivehundred.daemon.director import Director
from fivehundred.daemon.embedded import director_of
from fivehundred.daemon.ladders import join, leave, standstill
from fivehundred.daemon.results import schedule_of
from fivehundred.storage.store import Store
from fivehundred.storage.values import TournamentState
from fivehundred.storage.verify import verify
from fivehundred.tournament.formats import Ladder
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import FailedPrecondition, NotFound, SpecError
from fivehundred_bots.random_bot import Random
from fivehundred_client import serve

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
        join(store, "test", Entrant(name="d", address=address), standstill(store, "test"))
        leave(store, "test", "a", standstill(store, "test"))
        await paused_after(director, store, 30)
        back = made(store)
        join(store, "test", Entrant(name="a"), standstill(store, "test"))

        director.start("test")
        async with asyncio.timeout(60):
            while (progress := director.progress("test")) is None or progress.matches < back + 4:
                await director.changed.wait()
        await director.finish("test")
        await director.finished("test")

        stored = store.tournament("test")
        assert stored.state is TournamentState.FINISHED, stored.reason
        assert is_same(stored, spec)
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
        await director.finish("test")

        assert is_same(store.tournament("test"), spec)
        director.start("test")
        await director.finished("test")
        assert store.match_count("test") == AHEAD
        with pytest.raises(FailedPrecondition, match="it has ended already"):
            await director.finish("test")


async def test_what_cannot_be_changed_is_told(make_spec: MakeSpec, tmp_path: Path) -> None:
    nowhere = "127.0.0.1:1"
    spec = make_spec(("a", nowhere), ("b", nowhere), boards=1)
    async with endless(spec, tmp_path) as (store, director):
        with pytest.raises(FailedPrecondition, match="'b' is there"):
            join(store, "test", Entrant(name="b"), standstill(store, "test"))
        with pytest.raises(SpecError, match="give one of launch"):
            join(store, "test", Entrant(name="c"), standstill(store, "test"))
        with pytest.raises(NotFound, match="no entrant 'zed'"):
            leave(store, "test", "zed", standstill(store, "test"))
        await director.finish("test")
        with pytest.raises(FailedPrecondition, match="ends by itself"):
            await director.finish("test")


async def test_too_few_cannot_be_left_for_the_matches_to_come(
    make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = make_spec(("a", "127.0.0.1:1"), ("b", "127.0.0.1:1"), boards=1)
    async with endless(spec, tmp_path) as (store, _):
        with pytest.raises(FailedPrecondition, match="match 4 is of 2 entrants, and 1 would be"):
            leave(store, "test", "a", standstill(store, "test"))
        assert is_same(store.tournament("test"), spec)


async def test_who_comes_and_goes_at_once_was_never_there(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    address = start_bot("random_bot:Random")
    spec = make_spec(("a", address), ("b", address), ("c", address), boards=1)
    async with endless(spec, tmp_path) as (store, director):
        await paused_after(director, store, 12)
        before = made(store)
        join(store, "test", Entrant(name="d", address="127.0.0.1:1"), standstill(store, "test"))
        leave(store, "test", "d", standstill(store, "test"))

        assert made(store) == before
        await paused_after(director, store, 20)
        await director.finish("test")
        director.start("test")
        await director.finished("test")
        assert store.tournament("test").state is TournamentState.FINISHED
        assert (verify(store).problems, numbers_of(store, 3)) == ((), [])


async def test_who_has_left_need_not_come_up_again(
    start_bot: StartBot, make_spec: MakeSpec, tmp_path: Path
) -> None:
    server = await serve(Random())
    address = start_bot("random_bot:Random")
    spec = make_spec(("a", address), ("b", address), ("c", server.address), boards=1, tables=1)
    spec.format.ladder.ahead = 1
    async with director_of(tmp_path / "t.db") as (store, director):
        create(store, spec)
        await paused_after(director, store, 12)
        director.start("test")
        await director.drain("test")
        await director.finished("test")
        leave(store, "test", "c", standstill(store, "test"))
        while 2 not in schedule_of(store, "test").absent:
            await paused_after(director, store, store.hand_count("test") + 1)
        await server.stop()

        await paused_after(director, store, store.hand_count("test") + 8)

        stored = store.tournament("test")
        assert (stored.state, stored.reason) == (TournamentState.PAUSED, "")
        assert stored.bots[2] == "random@1"
        assert verify(store).problems == ()


async def test_one_who_comes_has_to_be_known_and_comes_back_as_he_was(
    make_spec: MakeSpec, tmp_path: Path
) -> None:
    nowhere = "127.0.0.1:1"
    spec = make_spec(("a", nowhere), ("b", nowhere), ("c", nowhere), boards=1)
    async with endless(spec, tmp_path) as (store, _):
        at = standstill(store, "test")
        with pytest.raises(NotFound, match="'nobody'"):
            join(store, "test", Entrant(name="d", registered="nobody"), at)
        leave(store, "test", "c", at)
        with pytest.raises(FailedPrecondition, match="'c' comes back as it was"):
            join(store, "test", Entrant(name="c", address="127.0.0.1:2"), at)
        join(store, "test", Entrant(name="c"), at)
        assert is_same(store.tournament("test"), spec)


async def test_entropy_is_taken_of_one_who_has_come(make_spec: MakeSpec, tmp_path: Path) -> None:
    nowhere = "127.0.0.1:1"
    spec = make_spec(("a", nowhere), ("b", nowhere), boards=1)
    async with endless(spec, tmp_path) as (store, _):
        add_entropy(store, "test", "b", bytes(16))
        join(store, "test", Entrant(name="c", address=nowhere), standstill(store, "test"))
        add_entropy(store, "test", "c", bytes(range(16)))

        assert store.tournament("test").entropy == (b"", bytes(16), bytes(range(16)))


async def test_other_formats_have_their_entrants_for_good(
    make_spec: MakeSpec, tmp_path: Path
) -> None:
    spec = make_spec(("a", "127.0.0.1:1"), ("b", "127.0.0.1:1"))
    async with director_of(tmp_path / "t.db") as (store, director):
        create(store, spec)

        with pytest.raises(FailedPrecondition, match="is no ladder"):
            leave(store, "test", "a", standstill(store, "test"))
        with pytest.raises(FailedPrecondition, match="ends by itself"):
            await director.finish("test")
