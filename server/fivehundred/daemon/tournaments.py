"""The service that runs tournaments."""

from collections.abc import AsyncIterator

from fivehundred.daemon import ladders
from fivehundred.daemon.aside import Aside
from fivehundred.daemon.creation import add_entropy, keep, with_seed
from fivehundred.daemon.director import Director
from fivehundred.daemon.errors import Context
from fivehundred.daemon.paging import page_size
from fivehundred.daemon.ranking import Rankings
from fivehundred.daemon.resources import Planned, tournament_message
from fivehundred.daemon.sessions import hello_of
from fivehundred.daemon.watching import Watchers
from fivehundred.storage.store import Store
from fivehundred.storage.values import TournamentState
from fivehundred.v1 import tournament_pb2, tournament_pb2_grpc
from fivehundred.wire.matches import Schedule, schedule
from fivehundred.wire.spec import check_spec

# The methods' names are the contract's, as generated servicers want them.
# ruff: noqa: N802


class TournamentServicer(tournament_pb2_grpc.TournamentServiceServicer):
    """Runs tournaments."""

    def __init__(
        self, store: Store, director: Director, aside: Aside, events_a_second: float
    ) -> None:
        self._store = store
        self._director = director
        self._aside = aside
        self._rankings = Rankings(store, aside)
        self._watchers = Watchers(store, director, aside, events_a_second)

    async def CreateTournament(
        self, request: tournament_pb2.CreateTournamentRequest, context: Context
    ) -> tournament_pb2.CreateTournamentResponse:
        """Store a tournament and start it if asked to."""
        drawn = with_seed(request.spec)
        plan = await self._aside.run(check_spec, drawn)
        stored = keep(self._store, request.spec, drawn, plan, request.request_id)
        if request.start and stored.state is TournamentState.CREATED:
            await self._director.prepare(stored.name)
            if self._store.tournament(stored.name).state is TournamentState.CREATED:
                self._director.start(stored.name)
        return tournament_pb2.CreateTournamentResponse(tournament=self._tournament(stored.name))

    async def ValidateTournament(
        self, request: tournament_pb2.ValidateTournamentRequest, context: Context
    ) -> tournament_pb2.ValidateTournamentResponse:
        """Say what a tournament would play, or everything that is wrong with it."""
        spec = with_seed(request.spec)
        planned = await self._aside.run(_planned, spec)
        spec.seed = request.spec.seed
        tournament = tournament_pb2.Tournament(
            spec=spec, rules_hash=hello_of(planned.plan.rules, 0).rules_hash
        )
        Planned.of(planned).tell(tournament)
        return tournament_pb2.ValidateTournamentResponse(tournament=tournament)

    async def StartTournament(
        self, request: tournament_pb2.StartTournamentRequest, context: Context
    ) -> tournament_pb2.StartTournamentResponse:
        """Start or resume."""
        await self._director.prepare(request.name)
        self._director.start(request.name)
        return tournament_pb2.StartTournamentResponse(tournament=self._tournament(request.name))

    async def PauseTournament(
        self, request: tournament_pb2.PauseTournamentRequest, context: Context
    ) -> tournament_pb2.PauseTournamentResponse:
        """Stop at once."""
        await self._director.pause(request.name)
        return tournament_pb2.PauseTournamentResponse(tournament=self._tournament(request.name))

    async def DrainTournament(
        self, request: tournament_pb2.DrainTournamentRequest, context: Context
    ) -> tournament_pb2.DrainTournamentResponse:
        """Stop after the hands under way."""
        await self._director.drain(request.name)
        return tournament_pb2.DrainTournamentResponse(tournament=self._tournament(request.name))

    async def JoinTournament(
        self, request: tournament_pb2.JoinTournamentRequest, context: Context
    ) -> tournament_pb2.JoinTournamentResponse:
        """Let an entrant come to a ladder."""
        at = await self._aside.run(ladders.standstill, self._store, request.name)
        ladders.join(self._store, request.name, request.entrant, at)
        return tournament_pb2.JoinTournamentResponse(tournament=self._tournament(request.name))

    async def LeaveTournament(
        self, request: tournament_pb2.LeaveTournamentRequest, context: Context
    ) -> tournament_pb2.LeaveTournamentResponse:
        """Let an entrant go from a ladder."""
        at = await self._aside.run(ladders.standstill, self._store, request.name)
        ladders.leave(self._store, request.name, request.entrant, at)
        return tournament_pb2.LeaveTournamentResponse(tournament=self._tournament(request.name))

    async def FinishTournament(
        self, request: tournament_pb2.FinishTournamentRequest, context: Context
    ) -> tournament_pb2.FinishTournamentResponse:
        """Make no more matches of a ladder."""
        await self._director.finish(request.name)
        return tournament_pb2.FinishTournamentResponse(tournament=self._tournament(request.name))

    async def AbortTournament(
        self, request: tournament_pb2.AbortTournamentRequest, context: Context
    ) -> tournament_pb2.AbortTournamentResponse:
        """End for good."""
        await self._director.abort(request.name)
        return tournament_pb2.AbortTournamentResponse(tournament=self._tournament(request.name))

    async def AddEntropy(
        self, request: tournament_pb2.AddEntropyRequest, context: Context
    ) -> tournament_pb2.AddEntropyResponse:
        """Let an entrant add to the deals."""
        add_entropy(self._store, request.name, request.entrant, request.entropy)
        return tournament_pb2.AddEntropyResponse(tournament=self._tournament(request.name))

    async def GetTournament(
        self, request: tournament_pb2.GetTournamentRequest, context: Context
    ) -> tournament_pb2.GetTournamentResponse:
        """One tournament."""
        return tournament_pb2.GetTournamentResponse(tournament=self._tournament(request.name))

    async def ListTournaments(
        self, request: tournament_pb2.ListTournamentsRequest, context: Context
    ) -> tournament_pb2.ListTournamentsResponse:
        """A page of tournaments, newest first."""
        size = page_size(request.page_size, default=50, most=100)
        return await self._aside.run(self._page, size, request.page_token or None)

    async def GetStandings(
        self, request: tournament_pb2.GetStandingsRequest, context: Context
    ) -> tournament_pb2.GetStandingsResponse:
        """The standings as the log stands now."""
        standings = await self._rankings.standings(request.name)
        return tournament_pb2.GetStandingsResponse(standings=standings)

    async def WatchTournament(
        self, request: tournament_pb2.WatchTournamentRequest, context: Context
    ) -> AsyncIterator[tournament_pb2.WatchTournamentResponse]:
        """Everything that has happened since an event, and then what happens."""
        async for news in self._watchers.follow(request.name, request.after_event):
            yield news

    def _page(self, size: int, after: str | None) -> tournament_pb2.ListTournamentsResponse:
        found = self._store.tournaments(size + 1, after)
        return tournament_pb2.ListTournamentsResponse(
            tournaments=[self._tournament(each.name) for each in found[:size]],
            next_page_token=found[size - 1].name if len(found) > size else "",
        )

    def _tournament(self, name: str) -> tournament_pb2.Tournament:
        stored = self._store.tournament(name)
        progress, at_rest = self._director.progress(name), self._director.matches_played(name)
        return tournament_message(self._store, stored, progress, at_rest)


def _planned(spec: tournament_pb2.TournamentSpec) -> Schedule:
    return schedule(check_spec(spec))
