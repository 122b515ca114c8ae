"""Storing a tournament: checked, with its secret drawn and committed to."""

import secrets
import time

from fivehundred.daemon.ladders import as_it_began
from fivehundred.storage.store import Store
from fivehundred.storage.values import NewTournament, StoredTournament
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.errors import AlreadyExists, InvalidArgument, NotFound, Violation
from fivehundred.wire.mistakes import near
from fivehundred.wire.spec import Plan, check_spec

LEAST_ENTROPY = 16
MOST_ENTROPY = 64
"""Bytes that an entrant may add to the deals."""


def create(store: Store, spec: tournament_pb2.TournamentSpec) -> StoredTournament:
    """Store a tournament; a seed that it lacks is drawn.

    Raises `SpecError` for a wrong definition, `AlreadyExists` for a name that is taken.
    """
    drawn = with_seed(spec)
    return keep(store, spec, drawn, check_spec(drawn))


def keep(
    store: Store,
    spec: tournament_pb2.TournamentSpec,
    drawn: tournament_pb2.TournamentSpec,
    plan: Plan,
    request_id: str | None = None,
) -> StoredTournament:
    """Store a definition that has its secret and has been checked.

    Where the same request has stored one before, gives that. Raises `AlreadyExists` for a name that
    is taken.
    """
    for entrant in plan.entrants:
        if entrant.registered:
            store.bot(entrant.registered)
    if request_id and (earlier := _earlier(store, spec, request_id)):
        return earlier
    return store.create_tournament(
        NewTournament(
            name=plan.name,
            spec=drawn.SerializeToString(deterministic=True),
            rules=plan.rules,
            seed=plan.seed,
            create_time_us=time.time_ns() // 1000,
            request_id=request_id or None,
        )
    )


def find_or_create(store: Store, spec: tournament_pb2.TournamentSpec) -> StoredTournament:
    """The stored tournament of a definition's name, made where there is none.

    Raises `SpecError` for a wrong definition, `AlreadyExists` where the name belongs to another.
    """
    check_spec(spec)
    try:
        stored = store.tournament(spec.name)
    except NotFound:
        return create(store, spec)
    if is_same(stored, spec):
        return stored
    parts = ", ".join(_differences(stored, spec))
    raise AlreadyExists(
        f"the database has another tournament {spec.name!r}, which differs in {parts}: "
        "change the name or take another database"
    )


def is_same(stored: StoredTournament, spec: tournament_pb2.TournamentSpec) -> bool:
    """Whether a stored tournament has a definition; what is left open matches what it became."""
    return not _differences(stored, spec)


def _differences(stored: StoredTournament, spec: tournament_pb2.TournamentSpec) -> list[str]:
    """The fields in which a definition is not that of a stored tournament."""
    before = tournament_pb2.TournamentSpec.FromString(stored.spec)
    wanted = tournament_pb2.TournamentSpec()
    wanted.CopyFrom(spec)
    wanted.seed = wanted.seed.lower() or before.seed
    wanted.tables = before.tables
    if wanted.format.HasField("ladder") and before.format.HasField("ladder"):
        before = as_it_began(before, wanted)
    fields = tournament_pb2.TournamentSpec.DESCRIPTOR.fields
    return [
        each.name for each in fields if getattr(before, each.name) != getattr(wanted, each.name)
    ]


def with_seed(spec: tournament_pb2.TournamentSpec) -> tournament_pb2.TournamentSpec:
    """The definition with a secret: its own, or one drawn at random."""
    drawn = tournament_pb2.TournamentSpec()
    drawn.CopyFrom(spec)
    drawn.seed = drawn.seed.lower() or secrets.token_hex(32)
    return drawn


def add_entropy(store: Store, name: str, entrant: str, entropy: bytes) -> None:
    """Let an entrant of a tournament that has not been started add to its deals.

    Raises `NotFound`, `InvalidArgument` or `FailedPrecondition`.
    """
    stored = store.tournament(name)
    plan = check_spec(tournament_pb2.TournamentSpec.FromString(stored.spec))
    names = [each.name for each in plan.entrants]
    if entrant not in names:
        raise NotFound(f"{name!r} has no entrant {entrant!r}{near(entrant, names)}")
    if not LEAST_ENTROPY <= len(entropy) <= MOST_ENTROPY:
        wrong = f"{len(entropy)} bytes: give {LEAST_ENTROPY} to {MOST_ENTROPY} drawn at random"
        raise InvalidArgument([Violation("entropy", wrong)])
    store.add_entropy(name, names.index(entrant), len(names), entropy)


def _earlier(
    store: Store, spec: tournament_pb2.TournamentSpec, request_id: str
) -> StoredTournament | None:
    try:
        stored = store.tournament(spec.name)
    except NotFound:
        return None
    return stored if stored.request_id == request_id and is_same(stored, spec) else None
