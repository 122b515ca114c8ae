"""What an operator changes of a ladder that goes on: who comes, who goes, where it ends.

The definition that is kept says it by numbers of matches, so that a log still tells the whole.
"""

from dataclasses import dataclass

from fivehundred.daemon.results import schedule_of
from fivehundred.storage.store import Store
from fivehundred.storage.values import TournamentState
from fivehundred.tournament.formats.forms import LadderForm
from fivehundred.tournament.formats.ladder import START, Ladder
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import FailedPrecondition, NotFound
from fivehundred.wire.matches import Schedule
from fivehundred.wire.mistakes import near
from fivehundred.wire.spec import check_spec

AT_REST = (TournamentState.CREATED, TournamentState.PAUSED)
Spec = tournament_pb2.TournamentSpec


@dataclass(frozen=True, slots=True)
class Standstill:
    """Where a ladder rests: how many matches have been paired, from how many hands."""

    made: int
    hands: int


def standstill(store: Store, name: str) -> Standstill:
    """Where a ladder rests; reads its whole log, so ask beside the loop.

    Raises `NotFound`, and `FailedPrecondition` for what is no ladder.
    """
    hands = store.hand_count(name)
    ladder = schedule_of(store, name).format
    if not isinstance(ladder, Ladder):
        raise FailedPrecondition(f"{name!r} is no ladder: its entrants are those of its definition")
    return Standstill(ladder.made, hands)


def join(store: Store, name: str, entrant: tournament_pb2.Entrant, at: Standstill) -> None:
    """Let an entrant come, from the next match that is paired on.

    Raises `NotFound`, `FailedPrecondition` or `SpecError`.
    """
    spec = _at_rest(store, name, at)
    known = [each.name for each in check_spec(spec).entrants]
    if entrant.name in known:
        _require_gone(spec, entrant, at.made)
        come = entrant.name
    else:
        spec.entrants.append(entrant)
        if ratings := spec.format.ladder.ratings:
            ratings.append(START)
        newcomer = check_spec(spec).entrants[-1]
        come = newcomer.name
        if newcomer.registered:
            store.bot(newcomer.registered)
    spec.format.ladder.stays.add(entrant=come, first=at.made)
    _keep(store, name, spec)


def leave(store: Store, name: str, entrant: str, at: Standstill) -> None:
    """Let an entrant go, before the next match that is paired.

    Raises `NotFound`, `FailedPrecondition` or `SpecError`.
    """
    spec = _at_rest(store, name, at)
    known = [each.name for each in check_spec(spec).entrants]
    if entrant not in known:
        raise NotFound(f"{name!r} has no entrant {entrant!r}{near(entrant, known)}")
    stays = [stay for stay in spec.format.ladder.stays if stay.entrant == entrant]
    if not stays:
        stays = [spec.format.ladder.stays.add(entrant=entrant)]
    if (last := stays[-1]).HasField("until") and last.until <= at.made:
        raise FailedPrecondition(f"{entrant!r} has left already, before match {last.until}")
    last.until = max(at.made, last.first)
    _require_enough(spec, known, at.made)
    _keep(store, name, spec)


def end(store: Store, name: str, planned: Schedule) -> None:
    """Make no more matches; raises `FailedPrecondition` for what ends by itself."""
    ladder = planned.format
    if not isinstance(ladder, Ladder) or ladder.size.most is not None:
        raise FailedPrecondition(f"{name!r} ends by itself: only an endless ladder is told to")
    spec = Spec.FromString(store.tournament(name).spec)
    spec.format.ladder.matches = ladder.stop()
    _keep(store, name, spec)


def as_it_began(spec: Spec, began: Spec) -> Spec:
    """A ladder's definition without who has come and gone and where it ends since it began so."""
    found = Spec()
    found.CopyFrom(spec)
    del found.entrants[len(began.entrants) :]
    now, then = found.format.ladder, began.format.ladder
    del now.ratings[len(then.ratings) :]
    if not then.matches:
        now.ClearField("matches")
    listed = {(stay.entrant, stay.first) for stay in now.stays}
    if all((stay.entrant, stay.first) in listed for stay in then.stays):
        now.ClearField("stays")
        now.stays.extend(then.stays)
    return found


def _at_rest(store: Store, name: str, at: Standstill) -> Spec:
    """The definition of a ladder that is not being played."""
    stored = store.tournament(name)
    if stored.state not in AT_REST:
        raise FailedPrecondition(
            f"{name!r} is {stored.state.name}: entrants come and go while it is CREATED or PAUSED"
        )
    if store.hand_count(name) != at.hands:
        raise FailedPrecondition(f"{name!r} has been played meanwhile: ask again")
    return Spec.FromString(stored.spec)


def _require_gone(spec: Spec, entrant: tournament_pb2.Entrant, made: int) -> None:
    """Refuses to let somebody come who is there, or who would come as another."""
    name = entrant.name
    stays = [stay for stay in spec.format.ladder.stays if stay.entrant == name]
    if not stays or not stays[-1].HasField("until") or stays[-1].until > made:
        raise FailedPrecondition(f"{name!r} is there: it can come back once it has left")
    if entrant.WhichOneof("bot"):
        raise FailedPrecondition(
            f"{name!r} comes back as it was: name no bot, or let it join under another name"
        )


def _require_enough(spec: Spec, entrants: list[str], made: int) -> None:
    """Refuses to leave too few for the next match."""
    plan = check_spec(spec)
    assert isinstance(plan.form, LadderForm)
    stays = plan.form.stays or ()
    there = len({stay.entrant for stay in stays if made in stay})
    if there < (least := plan.form.slots(plan.rules, len(entrants))):
        raise FailedPrecondition(
            f"match {made} is of {least} entrants, and {there} would be left: "
            "let others join first, or finish the ladder"
        )


def _keep(store: Store, name: str, spec: Spec) -> None:
    check_spec(spec)
    store.set_spec(name, spec.SerializeToString(deterministic=True))
