"""What ought to have become of every decision, judged from the trace alone.

A second account of what an answer means, written from the contract and not from the daemon's code:
the first answer that carries the decision's id and comes before the time is up counts; what is
wrong with it is the bot's fault; a connection that is lost is survived once.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from fivehundred.rules.actions import Action
from fivehundred.table.values import FaultKind
from simulation.trace import (
    Arrived,
    Asked,
    End,
    Ended,
    Greeted,
    Killed,
    Part,
    Sent,
    Session,
    Stalled,
    TraceEvent,
    Verdict,
)

END_OF_TIME_S = 1e9


@dataclass(slots=True)
class Decision:
    """One decision, and what has become of it."""

    asked: Asked
    unary: bool
    sendings: int = 0
    under_way: bool = False
    """Whether it lies with the bot; otherwise it waits to be sent again."""
    connection: int = -1
    lost_at: float | None = None
    back_at: float | None = None
    """When the bot was greeted again after the loss."""
    suspect_at: float | None = None
    """When the bot last said something that answers nothing."""
    is_beside_suspect: bool = False
    """Whether it said so at the very moment at which it was asked, which may count or not."""
    action: Action | None = None
    faults: frozenset[FaultKind] = frozenset()
    """The faults that it may be; none where it was answered."""
    is_of_the_last_moment: bool = False
    """Whether an answer came in the very microsecond in which its time was up: a tie."""
    elapsed_us: int | None = None
    """None where it has not been settled."""
    earliest_us: int | None = None
    """The least that may have elapsed where that is left open."""

    @property
    def is_open(self) -> bool:
        """Whether nothing has settled it."""
        return self.elapsed_us is None

    def since(self, at: float) -> int:
        """Microseconds since it was first sent."""
        return round((at - self.asked.at) * 1e6)

    def is_over_before(self, at: float) -> bool:
        """Whether its time was up before a moment, at which an answer would still count."""
        return self.since(at) > self.asked.limit_us

    def is_over_at(self, at: float) -> bool:
        """Whether its time is up."""
        return self.since(at) >= self.asked.limit_us

    def answer(self, part: Part, at: float) -> None:
        """Settle it by an answer."""
        self.elapsed_us = self.since(at)
        self.is_of_the_last_moment = self.elapsed_us == self.asked.limit_us
        if part.verdict is Verdict.LEGAL:
            self.action = part.action
        elif part.verdict is Verdict.ILLEGAL:
            self.faults = frozenset({FaultKind.ILLEGAL})
        else:
            kinds = {FaultKind.MALFORMED, *([FaultKind.ILLEGAL] if self.unary else [])}
            self.faults = frozenset(kinds)

    def fail(self, kinds: Iterable[FaultKind], at: float) -> None:
        """Settle it by a fault."""
        self.elapsed_us = min(self.since(at), self.asked.limit_us)
        self.faults = frozenset(kinds)

    def run_out(self) -> None:
        """Settle it by the end of its time, or by a loss after which it was not sent again."""
        wrong = [FaultKind.MALFORMED] if self.suspect_at is not None else []
        beside = [FaultKind.MALFORMED] if self.is_beside_suspect else []
        if self.under_way:
            self.faults = frozenset([*(wrong or [FaultKind.TIMEOUT]), *beside])
        else:
            assert self.lost_at is not None
            self.faults = frozenset([*wrong, FaultKind.DISCONNECTED, *beside])
            self.earliest_us = self.since(self.lost_at)
        self.elapsed_us = self.asked.limit_us

    @property
    def is_neglected(self) -> bool:
        """Whether it was not sent again although the bot was back in time."""
        return self.back_at is not None and not self.under_way and not self.is_over_at(self.back_at)


@dataclass(slots=True)
class Expectation:
    """All decisions of all sessions."""

    unary: frozenset[int]
    """The entrants whose bots are called decision by decision."""
    decisions: dict[str, Decision] = field(default_factory=dict)
    _suspects: dict[Session, float] = field(default_factory=dict)
    _dead: set[int] = field(default_factory=set)
    _open: dict[Session, dict[str, Decision]] = field(default_factory=dict)

    def follow(self, events: Iterable[TraceEvent]) -> None:
        """Account for all that happened, in order."""
        for event in events:
            if isinstance(event, Arrived):
                self._run_out(event.session, event.at, Decision.is_over_before)
            elif not isinstance(event, Killed | Stalled):
                self._run_out(event.session, event.at)
            match event:
                case Asked():
                    self._ask(event)
                case Sent():
                    self._send(event)
                case Arrived():
                    self._arrive(event)
                case Ended():
                    self._end(event)
                case Greeted():
                    self._greet(event)
                case Stalled():
                    continue
                case Killed():
                    self._kill(event.at)
        for session in self._open:
            self._run_out(session, END_OF_TIME_S)

    def _ask(self, event: Asked) -> None:
        decision = Decision(event, event.session[1] in self.unary)
        decision.is_beside_suspect = self._suspects.get(event.session) == event.at
        self.decisions[event.id] = decision
        self._open.setdefault(event.session, {})[event.id] = decision

    def _send(self, event: Sent) -> None:
        for name in event.ids:
            decision = self.decisions[name]
            decision.sendings += 1
            decision.under_way = True
            decision.connection = event.connection

    def _arrive(self, event: Arrived) -> None:
        if event.connection in self._dead:
            return
        if self._is_unary(event.session):
            self._arrive_alone(event)
        elif event.parts is None:
            self._kill_connection(event, (FaultKind.MALFORMED,))
        else:
            self._arrive_together(event, event.parts)

    def _arrive_alone(self, event: Arrived) -> None:
        for decision in self._on(event.session, event.connection):
            part = event.parts[0] if event.parts else None
            if part is None or part.id != decision.asked.id:
                decision.fail((FaultKind.MALFORMED,), event.at)
            else:
                decision.answer(part, event.at)
        self._settle(event.session)

    def _arrive_together(self, event: Arrived, parts: tuple[Part, ...]) -> None:
        own = self._open.get(event.session, {})
        for part in parts:
            decision = own.get(part.id)
            if decision is not None and decision.is_open:
                decision.answer(part, event.at)
        if not parts or any(part.id not in self.decisions for part in parts):
            self._suspects[event.session] = event.at
            for decision in own.values():
                decision.suspect_at = event.at
        self._settle(event.session)

    def _end(self, event: Ended) -> None:
        if event.connection in self._dead:
            return
        if event.how is End.WRONG:
            self._kill_connection(event, (FaultKind.MALFORMED,))
            return
        self._dead.add(event.connection)
        for decision in self._on(event.session, event.connection):
            if decision.sendings > 1:
                decision.fail((FaultKind.DISCONNECTED,), event.at)
            else:
                decision.under_way, decision.lost_at = False, event.at
        self._settle(event.session)

    def _kill_connection(self, event: Arrived | Ended, kinds: tuple[FaultKind, ...]) -> None:
        self._dead.add(event.connection)
        for decision in self._on(event.session, event.connection):
            decision.fail(kinds, event.at)
        self._settle(event.session)

    def _greet(self, event: Greeted) -> None:
        """A bot that is back is asked again at once what it still has time for."""
        for decision in self._open.get(event.session, {}).values():
            if not decision.under_way:
                decision.back_at = event.at

    def _kill(self, at: float) -> None:
        """What was under way with a daemon that is gone stays unsettled.

        A daemon that is killed at the very moment at which the bot is back sends nothing any more.
        """
        for session, own in self._open.items():
            self._run_out(session, at)
            for decision in own.values():
                if decision.back_at == at:
                    decision.back_at = None
        self._open.clear()

    def _run_out(
        self,
        session: Session,
        at: float,
        is_over: Callable[[Decision, float], bool] = Decision.is_over_at,
    ) -> None:
        for decision in self._open.get(session, {}).values():
            if is_over(decision, at):
                decision.run_out()
        self._settle(session)

    def _on(self, session: Session, connection: int) -> list[Decision]:
        own = self._open.get(session, {}).values()
        return [each for each in own if each.under_way and each.connection == connection]

    def _settle(self, session: Session) -> None:
        own = self._open.get(session, {})
        for name in [name for name, decision in own.items() if not decision.is_open]:
            del own[name]

    def _is_unary(self, session: Session) -> bool:
        return session[1] in self.unary
