"""What a seed decides: the tournament, the bots' habits and the daemon's ends."""

from dataclasses import dataclass, replace
from enum import Enum
from random import Random

from fivehundred.v1 import tournament_pb2

PRESETS = (
    *("ko-2p-23", "hist-2p-24", "ko-2p-23", "hist-2p-24"),
    *("au-4p-43", "us-4p-45", "qc-4p-46-vi", "au-4p-43"),
    *("ko-3p-33", "uspc-3p-33"),
)
"""Those of two seats are the cheapest."""
TWO_SEATS = ("ko-2p-23", "hist-2p-24")
THREE_SIDES = ("ko-3p-33", "uspc-3p-33")
MILLISECOND = 1000
SCOPES = tournament_pb2.ForfeitScope.values()


class Habit(Enum):
    """What a bot does with a decision."""

    ANSWERS = 1
    AT_THE_LAST = 2
    """Answers a microsecond before its time is up."""
    LATE = 3
    JUST_LATE = 4
    LOST = 5
    TWICE = 6
    """Answers twice, and not the same."""
    STALE = 7
    """Answers, and answers otherwise when all is over."""
    STRAY_FIRST = 8
    """Answers what nobody asked, then what was asked."""
    STRAY_ONLY = 9
    OTHERS = 10
    """Answers, if it can, what another seat of its was asked as well."""
    ILLEGAL = 11
    WRONG_KIND = 12
    EMPTY_ANSWER = 13
    EMPTY_MESSAGE = 14
    GARBAGE = 15
    HANGS_UP = 16
    """Ends the connection instead of answering."""
    HANGS_UP_WRONGLY = 17
    CRASHES = 18
    """Ends, and comes back after a while."""
    ANSWERS_AND_CRASHES = 19
    MUTE = 20
    """Neither answers nor reads any more."""


HONEST = (Habit.ANSWERS, Habit.AT_THE_LAST)
HARMLESS = (Habit.TWICE, Habit.STALE, Habit.STRAY_FIRST)
"""What costs a bot nothing: its first answer is right and in time.

A stray answer to a single call is its only one, so that no bot that is called has that habit.
"""
SLOW = (Habit.LATE, Habit.LOST)
BAD = tuple(habit for habit in Habit if habit not in (*HONEST, *HARMLESS))


class At(Enum):
    """What the daemon is doing when it is killed."""

    MOMENT = 1
    """Anything; counted in tenths of a millisecond."""
    ASKING = 2
    """It has just sent a message."""
    ANSWERED = 3
    """An answer has just come."""
    FLUSHING = 4
    """It writes decisions, of which a part may be on the disk."""
    BEFORE_COMMIT = 5
    AFTER_COMMIT = 6
    """Hands are stored, and nobody knows."""


@dataclass(frozen=True, slots=True)
class Kill:
    """The end of one daemon: when it does something for the ``count``-th time."""

    at: At
    count: int
    torn: float = 0.0
    """What part of a write under way is on the disk."""


@dataclass(frozen=True, slots=True)
class BotHabits:
    """How one bot is."""

    streams: bool
    max_in_flight: int
    habits: tuple[Habit, ...]
    """What it does beside answering."""
    rate: float
    """How often."""
    latency_us: int
    """How long it thinks on the average."""
    down_us: int
    """How long it stays away at most."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """All that a seed decides in advance."""

    seed: int
    spec: tournament_pb2.TournamentSpec
    bots: tuple[BotHabits, ...]
    kills: tuple[Kill, ...]
    stalls: int
    """How many times the daemon's machine stands still in each life."""

    @property
    def is_calm(self) -> bool:
        """Whether no bot is ever at fault, so that the hands do not depend on the time."""
        good = {*HONEST, *HARMLESS}
        return not self.stalls and all(good.issuperset(bot.habits) for bot in self.bots)

    def without_kills(self) -> "Scenario":
        """The same with one daemon for all."""
        return replace(self, kills=())


def scenario_of(seed: int) -> Scenario:
    """What a seed decides."""
    random = Random(f"scenario {seed}")
    spec = _spec(random)
    calm = random.random() < 0.4
    if calm:
        spec.time_control.ClearField("soft")
        spec.time_control.ClearField("soft_strikes")
    stalls = 0 if calm or random.random() < 0.8 else random.randint(1, 4)
    habits = (*HONEST[1:], *HARMLESS) if calm else (*HONEST[1:], *HARMLESS, *BAD, *BAD)
    if stalls:
        habits = (*HARMLESS, *SLOW)
    return Scenario(
        seed=seed,
        spec=spec,
        bots=tuple(_bot(random, habits) for _ in spec.entrants),
        kills=tuple(_kill(random) for _ in range(random.choice((0, 1, 2, 3, 5)))),
        stalls=stalls,
    )


def _spec(random: Random) -> tournament_pb2.TournamentSpec:
    spec = tournament_pb2.TournamentSpec(
        name="simulated", tables=random.choice((1, 2, 8)), seed=random.randbytes(32).hex()
    )
    spec.rules.preset = random.choice(PRESETS)
    three = spec.rules.preset in THREE_SIDES
    for number in range(3 if three or random.random() < 0.1 else 2):
        spec.entrants.add(name=f"bot-{number}", address=f"unix:bot-{number}")
    spec.format.round_robin.rounds = _rounds(spec, random)
    if random.random() < 0.25 and not three:
        spec.format.games.boards_per_match = 1
        spec.format.games.max_deals = random.choice((1, 2))
    else:
        two = spec.rules.preset in TWO_SEATS and spec.format.round_robin.rounds == 1
        spec.format.boards.boards_per_match = 2 if two else 1
    _draw_times(spec.time_control, random)
    _draw_policy(spec.fault_policy, random)
    return spec


def _rounds(spec: tournament_pb2.TournamentSpec, random: Random) -> int:
    """So many meetings that there is something to play at once, and little in all."""
    if len(spec.entrants) > 2:
        return 1
    return random.choice((1, 2, 2) if spec.rules.preset in TWO_SEATS else (1, 1, 1, 2))


def _draw_times(time: tournament_pb2.TimeControl, random: Random) -> None:
    for limit in (time.bid, time.discard, time.play):
        limit.FromMicroseconds(random.choice((4, 10, 25)) * MILLISECOND)
    if random.random() < 0.5:
        time.bank.FromMicroseconds(random.choice((5, 40)) * MILLISECOND)
        time.increment.FromMicroseconds(random.choice((0, 3, 100)) * MILLISECOND)
    if random.random() < 0.2:
        time.soft.FromMicroseconds(random.choice((2, 3)) * MILLISECOND)
        time.soft_strikes = random.choice((1, 3))
    time.first_decision.FromMicroseconds(random.choice((0, 10, 50)) * MILLISECOND)


def _draw_policy(policy: tournament_pb2.FaultPolicy, random: Random) -> None:
    if random.random() < 0.3:
        policy.never_forfeit = True
    else:
        policy.strikes = random.choice((1, 3, 10, 25))
        policy.forfeit = random.choice(SCOPES)
    if random.random() < 0.2:
        policy.suspension.faults = random.choice((1, 3))
        policy.suspension.probe.FromMilliseconds(20)
        policy.suspension.patience.FromMilliseconds(random.choice((50, 300)))


def _bot(random: Random, kinds: tuple[Habit, ...]) -> BotHabits:
    streams = random.random() < 0.75
    if not streams:
        kinds = tuple(kind for kind in kinds if kind is not Habit.STRAY_FIRST)
    habits = random.sample(kinds, random.randint(0, min(6, len(kinds))))
    return BotHabits(
        streams=streams,
        max_in_flight=random.choice((0, 0, 1, 2, 8)),
        habits=tuple(habits),
        rate=random.choice((0.02, 0.1, 0.3)) if habits else 0.0,
        latency_us=random.choice((100, 500, 2000)),
        down_us=random.choice((3, 60, 400, 1500)) * MILLISECOND,
    )


def _kill(random: Random) -> Kill:
    at = random.choice(tuple(At))
    most = {At.MOMENT: 600, At.BEFORE_COMMIT: 4, At.AFTER_COMMIT: 4}.get(at, 60)
    return Kill(at, random.randint(1, most), random.choice((0.0, 1.0, random.random())))
