"""Simulated bots, on the far side of a simulated network."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from zlib import crc32

from any_action import any_action
from fivehundred.rules.actions import PASS, Action, Bid, Exchange, Play
from fivehundred.rules.cards import ALL_CARDS, NO_TRUMP, members
from fivehundred.table.values import AskKind
from fivehundred.v1 import bot_pb2
from fivehundred.wire.asked import Asked as WireAsk
from fivehundred.wire.codec import ask_from_proto, encode_answer, encode_answers
from simulation.scenario import BotHabits, Habit
from simulation.trace import Part, Verdict

PASSES = 0.6
UNASKED = "nobody asked"
GARBAGE = b"\xff\xff\xff\xff"


@dataclass(frozen=True, slots=True)
class Message:
    """What a bot says, in bytes and in what it is worth; None where it is worth nothing."""

    content: bytes
    parts: tuple[Part, ...] | None


@dataclass(frozen=True, slots=True)
class Does:
    """What a bot does so many microseconds after it was asked."""

    after_us: int
    say: Message | None = None
    hang_up: bool = False
    wrongly: bool = False
    stays_away_us: int | None = None
    """It ends, and is back after so long."""


@dataclass(slots=True)
class SimulatedBot:
    """One entrant's bot, the same for every daemon that asks it."""

    entrant: int
    habits: BotHabits
    random: Random
    down_until: float = 0.0
    mute: bool = False
    _open: dict[str, WireAsk] = field(default_factory=dict)
    _luck: dict[str, int] = field(default_factory=dict)

    @property
    def greeting(self) -> bytes:
        """How it answers Hello."""
        return bot_pb2.HelloResponse(
            name=f"bot-{self.entrant}",
            version="1",
            streams=self.habits.streams,
            max_in_flight=self.habits.max_in_flight,
        ).SerializeToString()

    def think(self, ask: WireAsk, view: bytes) -> list[Does]:
        """What it will do about a decision, of which it sees the bytes of a view."""
        self._open[ask.decision_id] = ask
        self._luck[ask.decision_id] = crc32(view, self.entrant)
        return _HABITS[self._habit()](self, ask)

    def forget(self) -> None:
        """Know of nothing that was asked: it or the daemon has begun anew."""
        self._open.clear()
        self._luck.clear()

    def choice(self, ask: WireAsk) -> Action:
        """What it chooses at a view: always the same."""
        return _action(ask, Random(self._luck[ask.decision_id]))

    def other(self, ask: WireAsk) -> WireAsk | None:
        """Another decision of which it knows."""
        others = [each for each in self._open.values() if each is not ask]
        return self.random.choice(others[-3:]) if others else None

    def latency(self, ask: WireAsk) -> int:
        """Microseconds that it thinks, always less than it has."""
        drawn = 20 + int(self.random.expovariate(1 / self.habits.latency_us))
        return min(drawn, ask.time_left_us * 9 // 10)

    def _habit(self) -> Habit:
        if self.habits.habits and self.random.random() < self.habits.rate:
            return self.random.choice(self.habits.habits)
        return Habit.ANSWERS


def _action(ask: WireAsk, random: Random) -> Action:
    return any_action(ask.legal, random, passes=PASSES)


def said(ask: WireAsk, action: Action) -> Message:
    """The message of one answer."""
    return together([answer_part(ask, action)])


def answer_part(ask: WireAsk, action: Action) -> tuple[bytes, Part]:
    """One answer and what it is worth."""
    verdict = Verdict.LEGAL if action in ask.legal else Verdict.ILLEGAL
    if kind_of(action) is not ask.kind:
        verdict = Verdict.MALFORMED
    return encode_answer(ask.decision_id, action), Part(ask.decision_id, verdict, action)


def together(answers: Sequence[tuple[bytes, Part]]) -> Message:
    """A message of answers."""
    return Message(encode_answers(each for each, _ in answers), tuple(part for _, part in answers))


def kind_of(action: Action) -> AskKind:
    """The kind of decision that an action answers."""
    if isinstance(action, Play):
        return AskKind.PLAY
    return AskKind.DISCARD if isinstance(action, Exchange) else AskKind.BID


def _answers(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    return [Does(bot.latency(ask), said(ask, bot.choice(ask)))]


def _at_the_last(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    return [Does(ask.time_left_us - 1, said(ask, bot.choice(ask)))]


def _late(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    late = ask.time_left_us + bot.random.randint(1, 30_000)
    return [Does(late, said(ask, bot.choice(ask)))]


def _just_late(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    return [Does(ask.time_left_us + 1, said(ask, bot.choice(ask)))]


def _lost(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    return []


def _twice(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    first, again = answer_part(ask, bot.choice(ask)), answer_part(ask, _action(ask, bot.random))
    after_us = bot.latency(ask)
    if not (later_us := bot.random.choice((0, 1, 40, 700))):
        return [Does(after_us, together([first, again]))]
    return [Does(after_us, together([first])), Does(after_us + later_us, together([again]))]


def _stale(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    again = said(ask, _action(ask, bot.random))
    return [*_answers(bot, ask), Does(ask.time_left_us + bot.random.randint(1, 20_000), again)]


def _stray(ask: WireAsk) -> Message:
    part = Part(UNASKED, Verdict.MALFORMED, None)
    return together([(encode_answer(UNASKED, ask.legal.default()), part)])


def _stray_first(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    answers = _answers(bot, ask)
    return [Does(bot.random.randint(1, answers[0].after_us), _stray(ask)), *answers]


def _stray_only(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    return [Does(bot.latency(ask), _stray(ask))]


def _others(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    other, own = bot.other(ask), _answers(bot, ask)
    if other is None:
        return own
    foreign = answer_part(other, bot.choice(ask))
    return [Does(own[0].after_us, together([foreign, answer_part(ask, bot.choice(ask))]))]


def _illegal(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    return [Does(bot.latency(ask), said(ask, _illegal_action(ask, bot.random)))]


def _illegal_action(ask: WireAsk, random: Random) -> Action:
    """An action of the right kind that the rules do not allow."""
    if ask.kind is AskKind.PLAY:
        return Play(random.choice([*ALL_CARDS, *members(ask.view.holding)]), None)
    if ask.kind is AskKind.BID:
        return Bid(random.randint(5, 11), NO_TRUMP)
    return Exchange(thrown=0, joker_suit=None, called=None, partners=(9, 9))


def _wrong_kind(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    card = next(members(ask.view.holding), 0)
    action: Action = Play(card, None) if ask.kind is AskKind.BID else PASS
    return [Does(bot.latency(ask), said(ask, action))]


def _empty_answer(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    part = Part("", Verdict.MALFORMED, None)
    return [Does(bot.latency(ask), Message(encode_answers([b""]), (part,)))]


def _empty_message(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    return [Does(bot.latency(ask), Message(b"", ()))]


def _garbage(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    return [Does(bot.latency(ask), Message(GARBAGE, None))]


def _hangs_up(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    return [Does(bot.random.choice((0, bot.latency(ask))), hang_up=True)]


def _hangs_up_wrongly(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    return [Does(bot.latency(ask), hang_up=True, wrongly=True)]


def _crashes(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    away = bot.random.randint(0, bot.habits.down_us)
    return [Does(bot.random.choice((0, bot.latency(ask))), stays_away_us=away)]


def _answers_and_crashes(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    answers = _answers(bot, ask)
    away = bot.random.randint(0, bot.habits.down_us)
    return [*answers, Does(answers[0].after_us + bot.random.choice((0, 1)), stays_away_us=away)]


def _mute(bot: SimulatedBot, ask: WireAsk) -> list[Does]:
    bot.mute = True
    return []


_HABITS: dict[Habit, Callable[[SimulatedBot, WireAsk], list[Does]]] = {
    Habit.ANSWERS: _answers,
    Habit.AT_THE_LAST: _at_the_last,
    Habit.LATE: _late,
    Habit.JUST_LATE: _just_late,
    Habit.LOST: _lost,
    Habit.TWICE: _twice,
    Habit.STALE: _stale,
    Habit.STRAY_FIRST: _stray_first,
    Habit.STRAY_ONLY: _stray_only,
    Habit.OTHERS: _others,
    Habit.ILLEGAL: _illegal,
    Habit.WRONG_KIND: _wrong_kind,
    Habit.EMPTY_ANSWER: _empty_answer,
    Habit.EMPTY_MESSAGE: _empty_message,
    Habit.GARBAGE: _garbage,
    Habit.HANGS_UP: _hangs_up,
    Habit.HANGS_UP_WRONGLY: _hangs_up_wrongly,
    Habit.CRASHES: _crashes,
    Habit.ANSWERS_AND_CRASHES: _answers_and_crashes,
    Habit.MUTE: _mute,
}


def read_ask(decision: bot_pb2.Decision) -> WireAsk:
    """A decision as the clients' library reads it."""
    return ask_from_proto(decision)
