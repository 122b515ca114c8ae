"""Stored things as the contract's resources."""

from dataclasses import dataclass
from functools import lru_cache

from google.protobuf.timestamp_pb2 import Timestamp

from fivehundred.daemon.progress import Progress
from fivehundred.storage.store import Store
from fivehundred.storage.values import RegisteredBot, StoredHand, StoredTournament, TournamentState
from fivehundred.tournament.formats import Size
from fivehundred.v1 import hands_pb2, record_pb2, registry_pb2, tournament_pb2
from fivehundred.wire.matches import Schedule, schedule
from fivehundred.wire.record import record_to_proto
from fivehundred.wire.spec import check_spec

OPEN_STATES = (TournamentState.FINISHED, TournamentState.ABORTED)
"""States in which the secret and the hands are shown."""


def tournament_message(
    store: Store, stored: StoredTournament, progress: Progress | None, matches_at_rest: int = 0
) -> tournament_pb2.Tournament:
    """A tournament; its secret only once it has ended.

    ``progress`` is None where none plays; then so many matches were over when play ended.
    """
    spec = tournament_pb2.TournamentSpec.FromString(stored.spec)
    planned = _planned(stored.spec)
    if stored.state not in OPEN_STATES:
        spec.seed = ""
    matches = progress.matches if progress else _matches_played(store, stored, matches_at_rest)
    is_over = stored.state is TournamentState.FINISHED
    made = progress.matches_planned if progress else matches if is_over else 0
    message = tournament_pb2.Tournament(
        spec=spec,
        state=tournament_pb2.TournamentState.ValueType(stored.state),
        seed_commitment=stored.commitment,
        rules_hash=stored.rules_hash,
        hands_played=progress.hands if progress else store.hand_count(stored.name),
        matches_played=matches,
        create_time=timestamp(stored.create_time_us),
        log_digest=stored.log_digest,
        reason=(progress.waits_for if progress else "") or stored.reason,
        bots=stored.bots,
        entropy=stored.entropy,
    )
    planned.tell(message)
    message.matches_planned = planned.matches or made
    return message


@dataclass(frozen=True, slots=True)
class Planned:
    """How much a definition plays, as far as that is known before the first match."""

    hands: int
    """0 where that is open."""
    matches: int
    """0 where that is open."""
    size: Size

    @classmethod
    def of(cls, planned: Schedule) -> "Planned":
        """What a schedule without outcomes plays."""
        return cls(planned.hands, planned.matches_planned, planned.format.size)

    def tell(self, message: tournament_pb2.Tournament) -> None:
        """Fills in what is planned."""
        message.hands_planned = self.hands
        message.matches_planned = self.matches
        message.matches_least = self.size.least
        if self.size.expected is not None:
            message.matches_expected = self.size.expected
        if self.size.most is not None:
            message.matches_most = self.size.most


def _matches_played(store: Store, stored: StoredTournament, at_rest: int) -> int:
    """Those of a tournament that is not being played."""
    is_finished = stored.state is TournamentState.FINISHED
    return store.match_count(stored.name) if is_finished else at_rest


@lru_cache(maxsize=64)
def _planned(spec: bytes) -> Planned:
    """What a stored definition plays; it never changes."""
    return Planned.of(schedule(check_spec(tournament_pb2.TournamentSpec.FromString(spec))))


def hand_summary(hand: StoredHand) -> hands_pb2.HandSummary:
    """A hand in a list."""
    facts = hand_message(hand).facts
    return hands_pb2.HandSummary(id=hand.id, key=facts.key, bots=facts.bots, result=facts.result)


def hand_message(hand: StoredHand) -> record_pb2.HandRecord:
    """A hand whole, but for the bots' private notes: nobody here can prove to be their author."""
    message = record_to_proto(hand.record)
    message.ClearField("notes")
    return message


def bot_message(bot: RegisteredBot, *, attached: bool) -> registry_pb2.Bot:
    """A registered bot."""
    return registry_pb2.Bot(
        name=bot.name,
        address=bot.address,
        identity=bot.identity,
        create_time=timestamp(bot.create_time_us),
        dials_in=bot.dials_in,
        attached=attached,
    )


def timestamp(microseconds: int) -> Timestamp:
    """Microseconds since 1970 as a message."""
    return Timestamp(seconds=microseconds // 1_000_000, nanos=microseconds % 1_000_000 * 1000)
