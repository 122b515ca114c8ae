"""Whether a suspended entrant's bot is there again."""

from collections.abc import Callable
from pathlib import Path

from fivehundred.daemon.creation import create
from fivehundred.daemon.greeting import Greeter
from fivehundred.daemon.results import plan_of
from fivehundred.players.attached import AttachedBots
from fivehundred.players.lag import LagMonitor
from fivehundred.storage.store import open_store
from fivehundred.storage.values import RegisteredBot
from fivehundred.v1 import tournament_pb2
from fivehundred_bots.random_bot import Random
from fivehundred_client import serve

MakeSpec = Callable[..., tournament_pb2.TournamentSpec]


async def test_a_bot_that_is_not_registered_any_more_does_not_answer(
    make_spec: MakeSpec, tmp_path: Path
) -> None:
    server = await serve(Random())
    lag = LagMonitor()
    spec = make_spec(("known", server.address))
    spec.entrants.add(registered="gone")
    spec.fault_policy.suspension.faults = 3
    with open_store(tmp_path / "t.db") as store:
        store.register_bot(RegisteredBot("gone", server.address, "", 0))
        create(store, spec)
        bots = ("random@1", "random@1")
        greeter = Greeter(plan_of(store, "test"), bots, store, AttachedBots(), lag)

        before = [await greeter.greet(entrant) for entrant in (0, 1)]
        store.delete_bot("gone")
        after = [await greeter.greet(entrant) for entrant in (0, 1)]

    lag.stop()
    await server.stop()
    assert (before, after) == ([True, True], [True, False])
