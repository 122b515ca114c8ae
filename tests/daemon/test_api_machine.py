"""The API against a model of it: any calls in any order, over a socket, while bots play."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import grpc
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from fivehundred.v1 import (
    hands_pb2,
    hands_pb2_grpc,
    registry_pb2,
    registry_pb2_grpc,
    tournament_pb2,
    tournament_pb2_grpc,
)

CI, NIGHTLY = 12, 120
STEPS = 20
NOBODY = "127.0.0.1:1"
LOOK_S = 0.1
"""How long a tournament that goes on is followed."""
SHORT, LONG = 1, 400

(CREATED, RUNNING, DRAINING, PAUSED, FINISHED, ABORTED, FAILED) = (
    name.removeprefix("TOURNAMENT_STATE_") for name in tournament_pb2.TournamentState.keys()[1:]
)
ENDED = {FINISHED, ABORTED, FAILED}
BY_ITSELF = {RUNNING: {FINISHED, PAUSED}, DRAINING: {PAUSED, FINISHED}}
"""What becomes of a state that nobody changes; PAUSED where a bot does not come up."""
MAY = {
    "Start": ({CREATED, PAUSED}, RUNNING),
    "Pause": ({RUNNING, DRAINING}, PAUSED),
    "Drain": ({RUNNING, DRAINING}, DRAINING),
    "Abort": ({CREATED, RUNNING, DRAINING, PAUSED}, ABORTED),
}
"""By call, in which states it may be made and what it leads to."""
Code = grpc.StatusCode


@dataclass
class Known:
    """What the model knows of a tournament."""

    spec: tournament_pb2.TournamentSpec
    request_id: str
    state: str = CREATED
    hands: int = 0
    is_over: bool = False
    """Whether it was seen to have ended; its log is whole."""
    events: list[str] = field(default_factory=list)
    """The states and hands told so far, in order."""

    def may_be(self) -> set[str]:
        """The states in which it may be by now."""
        return {self.state} | BY_ITSELF.get(self.state, set())


class Machine(RuleBasedStateMachine):
    """Operators that do anything, and what must hold whatever they do."""

    address: str
    bot: str
    runs = count()
    tournaments: Bundle[str] = Bundle("tournaments")
    bots: Bundle[str] = Bundle("bots")

    def __init__(self) -> None:
        super().__init__()
        self.channel = grpc.insecure_channel(self.address)
        self.service = tournament_pb2_grpc.TournamentServiceStub(self.channel)
        self.registry = registry_pb2_grpc.BotRegistryServiceStub(self.channel)
        self.log = hands_pb2_grpc.HandServiceStub(self.channel)
        self.prefix = f"m{next(Machine.runs)}-"
        self.known: dict[str, Known] = {}
        self.registered: dict[str, str] = {}
        self.numbers = count()

    def teardown(self) -> None:
        """Leave nothing that plays."""
        for name, known in self.known.items():
            if known.state not in ENDED:
                self.call("Abort", name)
        for name in list(self.registered):
            self.registry.DeleteBot(registry_pb2.DeleteBotRequest(name=name))
        self.channel.close()

    def code_of(self, call: Callable[[], object]) -> grpc.StatusCode:
        """How a call ends; a failure of the daemon's is no end."""
        try:
            call()
        except grpc.RpcError as error:
            code: grpc.StatusCode = error.code()
            assert code not in (Code.INTERNAL, Code.UNKNOWN), error
            return code
        return Code.OK

    def look(self, name: str) -> tournament_pb2.Tournament:
        """A tournament as it is; the model follows where it went by itself."""
        found = self.service.GetTournament(tournament_pb2.GetTournamentRequest(name=name))
        return self.agree(name, found.tournament)

    def agree(self, name: str, found: tournament_pb2.Tournament) -> tournament_pb2.Tournament:
        """Check what the daemon says against what may be."""
        known = self.known[name]
        state = tournament_pb2.TournamentState.Name(found.state)
        state = state.removeprefix("TOURNAMENT_STATE_")
        assert state in known.may_be(), (name, known.state, state)
        assert found.hands_played >= known.hands
        assert (found.spec.seed == known.spec.seed) is (state in {FINISHED, ABORTED})
        if known.is_over:
            assert found.hands_played == known.hands
        known.state, known.hands = state, found.hands_played
        known.is_over = state in ENDED
        return found

    @rule(target=bots, number=st.integers(0, 3), how=st.sampled_from(["dialled", "dials in"]))
    def register(self, number: int, how: str) -> str:
        name = f"{self.prefix}b{number}"
        request = registry_pb2.RegisterBotRequest(name=name)
        if how == "dialled":
            request.address = self.bot
        else:
            request.dials_in = True

        answer = self.registry.RegisterBot(request)

        assert (answer.bot.name, bool(answer.token)) == (name, how == "dials in")
        self.registered[name] = how
        return name

    @rule(name=consumes(bots))
    def delete(self, name: str) -> None:
        code = self.code_of(
            lambda: self.registry.DeleteBot(registry_pb2.DeleteBotRequest(name=name))
        )

        assert code is (Code.OK if name in self.registered else Code.NOT_FOUND)
        self.registered.pop(name, None)

    @rule(size=st.integers(1, 3))
    def list_bots(self, size: int) -> None:
        names: list[str] = []
        request = registry_pb2.ListBotsRequest(page_size=size, page_token=self.prefix)
        while True:
            page = self.registry.ListBots(request)
            assert len(page.bots) <= size
            names += [bot.name for bot in page.bots if bot.name.startswith(self.prefix)]
            request.page_token = page.next_page_token
            if not page.next_page_token or not page.bots[-1].name.startswith(self.prefix):
                break

        assert names == sorted(self.registered)

    @rule(target=tournaments, rounds=st.sampled_from([SHORT, SHORT, LONG]), where=st.booleans())
    def create(self, rounds: int, where: bool) -> str:
        spec = self.spec(f"{self.prefix}t{next(self.numbers)}", rounds)
        if not where:
            spec.entrants[1].address = NOBODY
        known = Known(spec, f"{spec.name} once")
        request = tournament_pb2.CreateTournamentRequest(spec=spec, request_id=known.request_id)

        made = self.service.CreateTournament(request).tournament

        self.known[spec.name] = known
        self.agree(spec.name, made)
        return spec.name

    @rule(target=tournaments, name=bots)
    def create_for_registered(self, name: str) -> Any:
        spec = self.spec(f"{self.prefix}t{next(self.numbers)}", SHORT)
        spec.entrants[1].registered = name
        request = tournament_pb2.CreateTournamentRequest(spec=spec)

        code = self.code_of(lambda: self.service.CreateTournament(request))

        assert code is (Code.OK if name in self.registered else Code.NOT_FOUND)
        if code is not Code.OK:
            return multiple()
        self.known[spec.name] = Known(spec, "")
        return spec.name

    @rule(name=tournaments, other=st.booleans())
    def create_again(self, name: str, other: bool) -> None:
        known = self.known[name]
        spec = tournament_pb2.TournamentSpec()
        spec.CopyFrom(known.spec)
        if other:
            spec.format.boards.boards_per_match += 1
        request = tournament_pb2.CreateTournamentRequest(spec=spec, request_id=known.request_id)

        code = self.code_of(lambda: self.service.CreateTournament(request))

        gone = [each.registered for each in spec.entrants if each.registered]
        if not set(gone) <= set(self.registered):
            assert code is Code.NOT_FOUND
        else:
            same = bool(known.request_id) and not other
            assert code is (Code.OK if same else Code.ALREADY_EXISTS)
        self.look(name)

    @rule(call=st.sampled_from(sorted(MAY)), name=tournaments)
    def change(self, call: str, name: str) -> None:
        self.call(call, name)

    def call(self, call: str, name: str) -> None:
        """Change a tournament's state, or be refused where that cannot be."""
        allowed, result = MAY[call]
        known = self.known[name]
        before = known.may_be()
        request = getattr(tournament_pb2, f"{call}TournamentRequest")(name=name)

        code = self.code_of(lambda: getattr(self.service, f"{call}Tournament")(request))

        if code is Code.OK:
            assert before & allowed, (call, before)
            known.state = result
        else:
            assert code is Code.FAILED_PRECONDITION
            assert before - allowed, (call, before)
        self.look(name)

    @rule(name=tournaments)
    def watch(self, name: str) -> None:
        known = self.known[name]
        state = self.look(name).state
        after = len(known.events)
        request = tournament_pb2.WatchTournamentRequest(name=name, after_event=after)

        for event in self.follow(request):
            known.events.append(str(event.WhichOneof("what")))
            assert event.event == len(known.events)
        assert known.events[:1] == ["tournament"]
        if tournament_pb2.TournamentState.Name(state).endswith(tuple(ENDED)):
            assert known.events.count("hand") == known.hands

    def follow(
        self, request: tournament_pb2.WatchTournamentRequest
    ) -> Iterator[tournament_pb2.WatchTournamentResponse]:
        """What comes until it ends; of one that goes on its first event, or what comes soon."""
        ended = self.known[request.name].state in ENDED
        soon = request.after_event > 0 and not ended
        stream: Any = self.service.WatchTournament(request, timeout=LOOK_S if soon else 60)
        try:
            if soon or ended:
                yield from stream
            else:
                yield next(stream)
                stream.cancel()
        except grpc.RpcError as error:
            assert soon
            assert error.code() is Code.DEADLINE_EXCEEDED, error

    @rule(name=tournaments)
    def standings(self, name: str) -> None:
        before = self.look(name).hands_played

        request = tournament_pb2.GetStandingsRequest(name=name)
        table = self.service.GetStandings(request).standings

        assert sorted(row.entrant for row in table.rows) == ["e0", "e1"]
        assert table.hands <= self.look(name).hands_played
        if self.known[name].state == FINISHED:
            assert table.hands == before == self.known[name].hands

    @rule(size=st.integers(1, 4))
    def list_tournaments(self, size: int) -> None:
        names: list[str] = []
        request = tournament_pb2.ListTournamentsRequest(page_size=size)
        while True:
            page = self.service.ListTournaments(request)
            assert len(page.tournaments) <= size
            mine = [each for each in page.tournaments if each.spec.name in self.known]
            names += [self.agree(each.spec.name, each).spec.name for each in mine]
            request.page_token = page.next_page_token
            if len(mine) < size:
                break

        assert names == list(self.known)[::-1]

    @rule(name=tournaments, size=st.integers(1, 3))
    def hands(self, name: str, size: int) -> None:
        self.look(name)
        request = hands_pb2.ListHandsRequest(tournament=name, page_size=size)
        if self.known[name].state not in {FINISHED, ABORTED}:
            code = self.code_of(lambda: self.log.ListHands(request))
            self.look(name)
            assert (code is Code.OK) is (self.known[name].state in {FINISHED, ABORTED})
            return
        keys: list[tuple[int, int, int]] = []
        while len(keys) < 12:
            page = self.log.ListHands(request)
            keys += [(each.key.match, each.key.board, each.key.seating) for each in page.hands]
            request.page_token = page.next_page_token
            if not page.next_page_token:
                assert len(keys) == self.known[name].hands
                break

        assert keys == sorted(set(keys))

    @invariant()
    def everything_may_be_as_it_is(self) -> None:
        for name in list(self.known)[-2:]:
            self.look(name)

    def spec(self, name: str, rounds: int) -> tournament_pb2.TournamentSpec:
        """A tournament of two entrants, at the bot that comes up."""
        spec = tournament_pb2.TournamentSpec(name=name, tables=2, seed="5a" * 32)
        for number in range(2):
            spec.entrants.add(name=f"e{number}", address=self.bot)
        spec.format.round_robin.rounds = rounds
        spec.format.boards.boards_per_match = 1
        spec.time_control.bank.seconds = 60
        spec.time_control.connect.nanos = 300_000_000
        return spec


@pytest.mark.timeout(900)
def test_any_calls_in_any_order_keep_what_is_promised(
    start_daemon: Callable[..., Any], start_bot: Callable[[str], str], nightly: bool
) -> None:
    Machine.address = start_daemon(None, "--rate-each", "100000").address
    Machine.bot = start_bot("basic:Basic")

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=NIGHTLY if nightly else CI,
            stateful_step_count=STEPS,
            derandomize=True,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate,),
        ),
    )
