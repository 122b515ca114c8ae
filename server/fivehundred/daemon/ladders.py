"""What an operator changes of a ladder that goes on: who comes, who goes, where it ends.

The definition that is kept says it by numbers of matches, so that a log still tells the whole.
"""

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


def join(store: Store, name: str, entrant: tournament_pb2.Entrant) -> None:
    """Let an entrant come, from the next match that is paired on.

    Raises `NotFound`, `FailedPrecondition` or `SpecError`.
    """
    spec, made = _at_rest(store, name)
    known = [each.name for each in check_spec(spec).entrants]
    if entrant.name in known:
        _require_gone(spec, entrant.name, made)
        come = entrant.name
    else:
        spec.entrants.append(entrant)
        if ratings := spec.format.ladder.ratings:
            ratings.append(START)
        come = check_spec(spec).entrants[-1].name
    spec.format.ladder.stays.add(entrant=come, first=made)
    _keep(store, name, spec)


def leave(store: Store, name: str, entrant: str) -> None:
    """Let an entrant go, before the next match that is paired.

    Raises `NotFound`, `FailedPrecondition` or `SpecError`.
    """
    spec, made = _at_rest(store, name)
    known = [each.name for each in check_spec(spec).entrants]
    if entrant not in known:
        raise NotFound(f"{name!r} has no entrant {entrant!r}{near(entrant, known)}")
    stays = [stay for stay in spec.format.ladder.stays if stay.entrant == entrant]
    if not stays:
        stays = [spec.format.ladder.stays.add(entrant=entrant)]
    if (last := stays[-1]).HasField("until") and last.until <= made:
        raise FailedPrecondition(f"{entrant!r} has left already, before match {last.until}")
    if last.first >= made:
        spec.format.ladder.stays.remove(last)
    else:
        last.until = made
    _require_enough(spec, known, made)
    _keep(store, name, spec)


def end(store: Store, name: str, planned: Schedule) -> None:
    """Make no more matches; raises `FailedPrecondition` for what ends by itself."""
    ladder = planned.format
    if not isinstance(ladder, Ladder) or ladder.size.most is not None:
        raise FailedPrecondition(f"{name!r} ends by itself: only an endless ladder is told to")
    spec = Spec.FromString(store.tournament(name).spec)
    spec.format.ladder.matches = ladder.stop()
    _keep(store, name, spec)


def _at_rest(store: Store, name: str) -> tuple[Spec, int]:
    """The definition of a ladder that is not being played, and how many matches are paired."""
    stored = store.tournament(name)
    ladder = schedule_of(store, name).format
    if not isinstance(ladder, Ladder):
        raise FailedPrecondition(f"{name!r} is no ladder: its entrants come and go with a new one")
    if stored.state not in AT_REST:
        raise FailedPrecondition(
            f"{name!r} is {stored.state.name}: entrants come and go while it is CREATED or PAUSED"
        )
    return Spec.FromString(stored.spec), ladder.made


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


def _require_gone(spec: Spec, entrant: str, made: int) -> None:
    stays = [stay for stay in spec.format.ladder.stays if stay.entrant == entrant]
    if not stays or not stays[-1].HasField("until") or stays[-1].until > made:
        raise FailedPrecondition(f"{entrant!r} is there: it can come back once it has left")


def _keep(store: Store, name: str, spec: Spec) -> None:
    check_spec(spec)
    store.set_spec(name, spec.SerializeToString(deterministic=True))
