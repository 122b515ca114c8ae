"""Tournament definitions: from text to message, and from message to a checked `Plan`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from google.protobuf import json_format, text_format
from google.protobuf.duration_pb2 import Duration

from fivehundred.rules.errors import InvalidRuleSet
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import FaultPolicy, ForfeitScope, TimeControl
from fivehundred.tournament.formats.forms import Compared, Form, SequentialForm
from fivehundred.tournament.formats.values import entrants_of
from fivehundred.tournament.seatings import seatings
from fivehundred.tournament.suspension import Suspension
from fivehundred.v1 import ruleset_pb2, tournament_pb2
from fivehundred.wire.errors import SpecError, Violation
from fivehundred.wire.formats import check_format
from fivehundred.wire.mistakes import explain_json_error, explain_text_error, near
from fivehundred.wire.presets import choose_rules
from fivehundred.wire.sandbox import Sandbox, sandbox_from_proto

DEFAULT_TABLES = 16
DEFAULT_BOARDS = 4
DEFAULT_MAX_DEALS = 100
MAX_TABLES = 4096
MAX_ENTRANTS = 1000
MAX_MATCHES = 1_000_000
MAX_BOARDS = 100_000
MAX_BOARDS_IN_ALL = 1 << 32
"""Boards are numbered through a tournament, in 32 bits."""
MAX_DEALS = 10_000
MAX_DURATION_S = 3600
SEED_DIGITS = 64
WITH_COMMON_BOARDS = ("round_robin", "gauntlet", "swiss")

_NAME = re.compile(r"[a-z][a-z0-9-]{0,62}")
_NAME_RULE = 'write 1 to 63 of a-z, 0-9 and "-", starting with a letter'
_PYTHON_CLASS = re.compile(r"[\w.]+:(\w+)")


@dataclass(frozen=True, slots=True)
class EntrantSpec:
    """An entrant: exactly one of ``launch``, ``address`` and ``registered`` is not None."""

    name: str
    launch: tuple[str, ...] | None = None
    directory: str = ""
    """Where the command is started; the daemon's own directory where empty."""
    sandbox: Sandbox | None = None
    """What a launched bot is shut into; None for nothing."""
    address: str | None = None
    registered: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament that has been checked, with every default filled in."""

    name: str
    rules: RuleSet
    entrants: tuple[EntrantSpec, ...]
    form: Form
    boards_per_match: int
    common_boards: bool
    """Whether all matches of a round play the same boards."""
    games: bool
    """Whether each board is a game to the target; otherwise it is one deal."""
    max_deals: int
    """Deals after which a game is decided by its score; 1 where single hands are played."""
    time: TimeControl
    policy: FaultPolicy
    tables: int
    seed: bytes
    """32 bytes; empty where it is still to be drawn."""
    anchor: int | None
    """The entrant whose Elo is fixed; None for the mean of all."""
    suspension: Suspension | None = None
    """When a bot that keeps failing is suspended; None for never."""


def parse_spec(text: str, name: str) -> tournament_pb2.TournamentSpec:
    """The definition in a protobuf text, or in JSON where it starts with ``{``.

    ``name`` is the file's, for messages. Raises `SpecError` with the line and what was meant.
    """
    spec = tournament_pb2.TournamentSpec()
    try:
        if text.lstrip().startswith("{"):
            json_format.Parse(text, spec)
        else:
            text_format.Parse(text, spec)
    except text_format.ParseError as error:
        raise _spec_error(name, *explain_text_error(error)) from None
    except json_format.ParseError as error:
        raise _spec_error(name, *explain_json_error(error, text)) from None
    return spec


def spec_to_text(spec: tournament_pb2.TournamentSpec) -> str:
    """The protobuf text of a definition; `parse_spec` reads it back."""
    return text_format.MessageToString(spec, as_utf8=True)


def check_spec(spec: tournament_pb2.TournamentSpec, rules: RuleSet | None = None) -> Plan:
    """The plan of a definition; raises `SpecError` with every field that is wrong.

    ``rules`` take the place of what the definition chooses: a log keeps its own.
    """
    check = _Check()
    entrants = _entrants(check, spec.entrants)
    form = check_format(spec.format, [entrant.name for entrant in entrants], check.fail)
    boards, max_deals = _play(check, spec.format)
    rules = rules or _rules(check, spec.rules)
    check.name("name", spec.name)
    plan = Plan(
        name=spec.name,
        rules=rules,
        entrants=entrants,
        form=form,
        boards_per_match=boards,
        common_boards=spec.format.boards.common or spec.format.games.common,
        games=spec.format.HasField("games"),
        max_deals=max_deals,
        time=_time(check, spec.time_control),
        policy=_policy(check, spec.fault_policy),
        suspension=_suspension(check, spec.fault_policy),
        tables=check.number("tables", spec.tables, DEFAULT_TABLES, MAX_TABLES),
        seed=_seed(check, spec.seed),
        anchor=_anchor(check, spec.anchor, entrants),
    )
    if not check.violations:
        _check_size(check, plan, spec)
    if check.violations:
        raise SpecError(check.violations)
    return plan


def time_control(message: tournament_pb2.TimeControl) -> TimeControl:
    """The time control of a message, its defaults filled in; `check_spec` says what is wrong."""
    return _time(_Check(), message)


def fault_policy(message: tournament_pb2.FaultPolicy) -> tuple[FaultPolicy, Suspension | None]:
    """The fault policy of a message in the same way."""
    check = _Check()
    return _policy(check, message), _suspension(check, message)


def is_name(text: str) -> bool:
    """Whether a text may name a tournament, an entrant or a registered bot."""
    return _NAME.fullmatch(text) is not None


def is_address(text: str, least_port: int = 1) -> bool:
    """Whether a text is an address: ``host:port`` or ``unix:`` and a path.

    With a ``least_port`` of 0 it may be one to listen at, whose port is yet to be chosen.
    """
    if text.startswith("unix:"):
        return len(text) > len("unix:")
    host, _, port = text.rpartition(":")
    if not host or not port.isascii() or not port.isdecimal() or len(port) > 5:
        return False
    return least_port <= int(port) <= 65535


@dataclass(slots=True)
class _Check:
    """Collects what is wrong while the values are read."""

    violations: list[Violation] = field(default_factory=list)

    def fail(self, path: str, message: str) -> None:
        self.violations.append(Violation(path, message))

    def name(self, path: str, text: str) -> None:
        if not is_name(text):
            self.fail(path, f"{text!r} is no name: {_NAME_RULE}")

    def number(self, path: str, number: int, default: int, most: int) -> int:
        if number > most:
            self.fail(path, f"{number} is too many: at most {most}")
        return number or default


def _spec_error(name: str, line: int | None, message: str) -> SpecError:
    place = name if line is None else f"{name}:{line}"
    return SpecError([Violation("", f"{place}: {message}")])


def _rules(check: _Check, choice: ruleset_pb2.RulesChoice) -> RuleSet:
    try:
        return choose_rules(choice)
    except InvalidRuleSet as error:
        check.fail(f"rules.{error.field}", error.message)
        return RuleSet()


def _entrants(check: _Check, messages: Sequence[tournament_pb2.Entrant]) -> tuple[EntrantSpec, ...]:
    if len(messages) < 2:
        check.fail("entrants", f"{entrants_of(len(messages))}: name at least two")
    if len(messages) > MAX_ENTRANTS:
        check.fail("entrants", f"{len(messages)} entrants: at most {MAX_ENTRANTS}")
        return ()
    entrants = tuple(
        _entrant(check, f"entrants[{number}]", message) for number, message in enumerate(messages)
    )
    seen: dict[str, int] = {}
    for number, entrant in enumerate(entrants):
        first = seen.setdefault(entrant.name, number)
        if entrant.name and first != number:
            wrong = f"{entrant.name!r} is the name of entrants[{first}] too: give another"
            check.fail(f"entrants[{number}].name", wrong)
    return entrants


def _entrant(check: _Check, path: str, message: tournament_pb2.Entrant) -> EntrantSpec:
    match message.WhichOneof("bot"):
        case "launch":
            entrant = _launched(check, path, message)
        case "address":
            entrant = EntrantSpec(message.name, address=message.address)
            if not is_address(message.address):
                wrong = f"{message.address!r} is no address: write host:port or unix:/path"
                check.fail(f"{path}.address", wrong)
        case "registered":
            registered = message.registered
            entrant = EntrantSpec(message.name or registered, registered=registered)
            check.name(f"{path}.registered", registered)
        case _:
            entrant = EntrantSpec(message.name)
            check.fail(path, "no bot: give one of launch, address, registered")
    _check_entrant_name(check, path, message, entrant)
    return entrant


def _check_entrant_name(
    check: _Check, path: str, message: tournament_pb2.Entrant, entrant: EntrantSpec
) -> None:
    if message.name:
        check.name(f"{path}.name", message.name)
    elif not entrant.name:
        check.fail(f"{path}.name", "no name, and none follows from the bot: give one")


def _launched(check: _Check, path: str, message: tournament_pb2.Entrant) -> EntrantSpec:
    command = tuple(message.launch.command)
    if not command or not command[0]:
        check.fail(f"{path}.launch.command", "no program: list the program and its arguments")
    if any("\0" in word for word in (*command, message.launch.directory)):
        check.fail(f"{path}.launch", "a zero character: leave it out")
    name = message.name or _name_of_command(command)
    sandbox = None
    if message.launch.HasField("sandbox"):
        sandbox = sandbox_from_proto(message.launch.sandbox, f"{path}.launch.sandbox", check.fail)
    return EntrantSpec(name, launch=command, directory=message.launch.directory, sandbox=sandbox)


def _name_of_command(command: tuple[str, ...]) -> str:
    """The name that a command suggests: its Python class's, or a lone program's; else empty."""
    if not command:
        return ""
    found = _PYTHON_CLASS.fullmatch(command[-1])
    lone = PurePath(command[0]).stem if len(command) == 1 else ""
    name = (found[1] if found else lone).lower().replace("_", "-")
    return name if is_name(name) else ""


def _play(check: _Check, message: tournament_pb2.Format) -> tuple[int, int]:
    """Boards of a match, deals of a game at most."""
    if not message.HasField("games"):
        path, boards = "format.boards.boards_per_match", message.boards.boards_per_match
        return check.number(path, boards, DEFAULT_BOARDS, MAX_BOARDS), 1
    games = message.games
    path = "format.games.boards_per_match"
    boards = check.number(path, games.boards_per_match, 1, MAX_BOARDS)
    path = "format.games.max_deals"
    return boards, check.number(path, games.max_deals, DEFAULT_MAX_DEALS, MAX_DEALS)


def _check_size(check: _Check, plan: Plan, spec: tournament_pb2.TournamentSpec) -> None:
    """Whether the format can be played, by so few matches and boards that they can be numbered."""
    kind = spec.format.WhichOneof("format") or "round_robin"
    play = spec.format.WhichOneof("play") or "boards"
    try:
        size = plan.form.format(plan.rules, len(plan.entrants)).size
    except ValueError as error:
        check.fail(f"format.{kind}", str(error))
        return
    most = size.most or 0
    if most > MAX_MATCHES:
        wrong = f"{len(plan.entrants)} entrants make {most} matches: at most {MAX_MATCHES}"
        check.fail(f"format.{kind}", wrong)
    elif most * plan.boards_per_match > MAX_BOARDS_IN_ALL:
        boards = most * plan.boards_per_match
        wrong = f"{most} matches of {plan.boards_per_match} boards make {boards}"
        path = f"format.{play}.boards_per_match"
        check.fail(path, f"{wrong}: at most {MAX_BOARDS_IN_ALL}")
    _check_play(check, plan, kind, play)


def _check_play(check: _Check, plan: Plan, kind: str, play: str) -> None:
    """Whether what is played is what the format goes by."""
    if plan.common_boards and kind not in WITH_COMMON_BOARDS:
        wrong = "matches of this format have fresh boards: leave it out"
        check.fail(f"format.{play}.common", wrong)
    if not isinstance(plan.form, SequentialForm):
        return
    if plan.form.tested is Compared.PAIR_SCORES and plan.boards_per_match != 1:
        wrong = f"{plan.boards_per_match} boards a match: a pair score is of 1"
        check.fail(f"format.{play}.boards_per_match", wrong)
    sittings = len(seatings(plan.rules, plan.form.slots(plan.rules, len(plan.entrants))))
    if plan.form.tested is Compared.PAIR_SCORES and sittings != 2:
        wrong = f"a board of these rules has {sittings} seatings, and a pair score is of 2"
        check.fail("format.sequential.pair_scores", f"{wrong}: test margins")
    if plan.form.tested is Compared.MARGINS and plan.games:
        check.fail("format.games", "margins are of boards: play boards, or test pair_scores")


def _time(check: _Check, message: tournament_pb2.TimeControl) -> TimeControl:
    default = TimeControl()
    limits = {
        f"{name}_us": _duration(check, message, name, getattr(default, f"{name}_us"), least=least)
        for name, least in _LEAST_US.items()
    }
    time = TimeControl(**limits, soft_strikes=message.soft_strikes)
    if time.increment_us > 0 and not time.bank_us:
        path = "time_control.increment"
        check.fail(path, "an increment without a bank to grow: set bank as well")
    _check_soft(check, message, time)
    return time


def _check_soft(check: _Check, message: tournament_pb2.TimeControl, time: TimeControl) -> None:
    if not message.HasField("soft"):
        if time.soft_strikes:
            wrong = f"{time.soft_strikes} soft strikes without a soft limit: set soft as well"
            check.fail("time_control.soft_strikes", wrong)
        return
    limits = {"bid": time.bid_us, "discard": time.discard_us, "play": time.play_us}
    name, least = min(limits.items(), key=lambda limit: limit[1])
    if time.soft_us >= least > 0:
        wrong = f"{_seconds(time.soft_us)} is not less than the limit of a {name}"
        check.fail("time_control.soft", f"{wrong}: write less than {_seconds(least)}")
    if not time.soft_strikes:
        wrong = (
            "no soft strikes: write how many slow answers a seat may give in a match, at least 1"
        )
        check.fail("time_control.soft_strikes", wrong)


_LEAST_US = {
    "bid": 1,
    "discard": 1,
    "play": 1,
    "bank": 0,
    "increment": 0,
    "first_decision": 0,
    "connect": 1,
    "soft": 1,
}


def _duration(
    check: _Check,
    message: tournament_pb2.TimeControl | tournament_pb2.Suspension,
    name: str,
    default: int,
    *,
    least: int,
    within: str = "time_control",
) -> int:
    if not message.HasField(name):  # type: ignore[arg-type]  # the stubs list literals
        return default
    duration: Duration = getattr(message, name)
    microseconds = duration.seconds * 1_000_000 + duration.nanos // 1000
    path = f"{within}.{name}"
    if microseconds < least:
        bound = "more than 0" if least else "0 or more"
        check.fail(path, f"{_seconds(microseconds)}: write {bound}")
    if microseconds > MAX_DURATION_S * 1_000_000:
        check.fail(path, f"{_seconds(microseconds)}: at most {MAX_DURATION_S} s")
    return microseconds


def _seconds(microseconds: int) -> str:
    return f"{microseconds / 1e6:g} s"


def _policy(check: _Check, message: tournament_pb2.FaultPolicy) -> FaultPolicy:
    scope = _scope(check, message.forfeit)
    if not message.never_forfeit:
        return FaultPolicy(message.strikes or FaultPolicy().strikes, scope)
    if message.strikes:
        wrong = f"{message.strikes} strikes, but never_forfeit is set: leave one of them out"
        check.fail("fault_policy.strikes", wrong)
    if message.forfeit:
        wrong = f"a forfeit of the {scope.name.lower()}, but never_forfeit is set"
        check.fail("fault_policy.forfeit", f"{wrong}: leave one of them out")
    return FaultPolicy(None)


def _scope(check: _Check, number: int) -> ForfeitScope:
    if not number:
        return ForfeitScope.MATCH
    try:
        return ForfeitScope(number)
    except ValueError:
        names = ", ".join(tournament_pb2.ForfeitScope.keys()[1:])
        check.fail("fault_policy.forfeit", f"{number} is no scope: write one of {names}")
        return ForfeitScope.MATCH


def _suspension(check: _Check, message: tournament_pb2.FaultPolicy) -> Suspension | None:
    if not message.HasField("suspension"):
        return None
    given, default, path = message.suspension, Suspension(), "fault_policy.suspension"
    probe, patience = (
        _duration(check, given, name, getattr(default, f"{name}_us"), least=1, within=path)
        for name in ("probe", "patience")
    )
    if 0 < patience < probe:
        wrong = f"{_seconds(patience)} is over before the bot is greeted at all"
        check.fail(f"{path}.patience", f"{wrong}: write at least the probe's {_seconds(probe)}")
    return Suspension(given.faults or default.faults, probe, patience)


def _seed(check: _Check, text: str) -> bytes:
    if not text:
        return b""
    if re.fullmatch(rf"[0-9a-fA-F]{{{SEED_DIGITS}}}", text) is None:
        wrong = f"{len(text)} characters that are no seed: write {SEED_DIGITS} hexadecimal digits"
        check.fail("seed", f"{wrong}, or leave it out to have it drawn")
        return b""
    return bytes.fromhex(text)


def _anchor(check: _Check, name: str, entrants: tuple[EntrantSpec, ...]) -> int | None:
    names = [entrant.name for entrant in entrants]
    if not name:
        return None
    if name not in names:
        check.fail("anchor", f"no entrant {name!r}{near(name, names)}")
        return None
    return names.index(name)
