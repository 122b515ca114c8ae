"""What is hidden while a tournament is open is told to nobody: no seed, no card, no token."""

import base64
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import message_factory
from google.protobuf.message import Message

from contract_calls import METHODS, Metadata, answers_of, request_of
from fivehundred.daemon.attach_tokens import token_hash
from fivehundred.rules.cards import names
from fivehundred.rules.pack import deal
from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.access import AccessToken, AccessTokens, Role, now_us
from fivehundred.storage.store import open_store, read_store
from fivehundred.table.dealing import deck_order
from fivehundred.table.values import HandStarted
from fivehundred.v1 import registry_pb2, tournament_pb2
from fivehundred.wire.cards import card_numbers

PROGRAM = str(Path(sys.executable).parent / "fivehundred")
ROLES = [role.name.lower() for role in Role]
CALLERS = ["nobody", *ROLES]
SEED = bytes(range(60, 92))
TOURNAMENTS, REGISTRY = "fivehundred.v1.TournamentService", "fivehundred.v1.BotRegistryService"
WATCH = f"{TOURNAMENTS}/WatchTournament"
EVENTS = 30
"""How many events are watched, so that hands have been stored and others are under way."""
ENDING = {f"{TOURNAMENTS}/{name}Tournament" for name in ("Abort", "Pause", "Drain", "Start")}
"""What would change the state of the tournament that is looked at."""
CARD_NAME = re.compile(r"(?<![\w-])(?:[2-9]|1[0-3]|[JQKA])[SCDH♠♣♦♥](?![\w-])|\bJKR\b")
NAMED: dict[str, Any] = {"name": "live", "tournament": "live", "entrant": "ours", "id": 1}


@dataclass
class Told:
    """All that a daemon has told anybody."""

    messages: list[Message] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    words: list[str] = field(default_factory=list)


class Daemon:
    """A daemon in whose only tournament a bot that has dialled in plays itself."""

    def __init__(self, stack: ExitStack, directory: Path) -> None:
        self.database = directory / "daemon.db"
        self.log = directory / "log"
        self.tokens = {role: f"{role}-{os.urandom(16).hex()}" for role in ROLES}
        self._keep_tokens()
        self._stack = stack
        self.channel = self._serve()
        self.bot_token = self._start_bot()

    def _keep_tokens(self) -> None:
        with open_store(self.database) as store:
            kept = AccessTokens(store.engine)
            for role in Role:
                bots = ("far",) if role is Role.OWNER else ()
                name = role.name.lower()
                hashed = token_hash(self.tokens[name])
                kept.create(AccessToken(name, role, bots, now_us(), None, hashed))

    def _serve(self) -> grpc.Channel:
        command = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--log-json"]
        command += ["--database", str(self.database)]
        with self.log.open("w") as log:
            popen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        self._stack.enter_context(popen)
        self._stack.callback(popen.kill)
        assert popen.stdout is not None
        self.address = popen.stdout.readline().split()[-1]
        return self._stack.enter_context(grpc.insecure_channel(self.address))

    def _start_bot(self) -> str:
        request = registry_pb2.RegisterBotRequest(name="far", dials_in=True)
        (answer,) = self.answers(f"{REGISTRY}/RegisterBot", "admin", request)
        command = [PROGRAM, "bot", "serve", "fivehundred_bots.random_bot:Random"]
        command += ["--attach", self.address, "--name", "far"]
        token = str(answer.token)  # type: ignore[attr-defined]
        environment = {**os.environ, "FIVEHUNDRED_TOKEN": token}
        popen = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        self._stack.enter_context(popen)
        self._stack.callback(popen.kill)
        assert popen.stderr is not None
        assert popen.stderr.readline().startswith("attached to ")
        return token

    def metadata(self, who: str) -> Metadata:
        """What a caller sends."""
        return (("authorization", f"Bearer {self.tokens[who]}"),) if who in self.tokens else ()

    def answers(self, method: str, who: str, request: Message, most: int = 1) -> list[Message]:
        """What a method answers."""
        sent = request.SerializeToString()
        return [
            message_of(method, answer)
            for answer in answers_of(self.channel, method, sent, self.metadata(who), most)
        ]

    def ask(self, told: Told, method: str, who: str, request: bytes, most: int = 1) -> None:
        """Add what a method tells a caller, be it an answer or an error with all its details."""
        try:
            answers = answers_of(self.channel, method, request, self.metadata(who), most)
        except grpc.RpcError as error:
            assert isinstance(error, grpc.Call)
            told.words.append(str(error.details()))
            told.raw += [_bytes(value) for _, value in error.trailing_metadata() or ()]
            return
        told.raw += answers
        told.messages += [message_of(method, answer) for answer in answers]


def message_of(method: str, answer: bytes) -> Message:
    """An answer as a message."""
    return message_factory.GetMessageClass(METHODS[method].output_type).FromString(answer)


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode()


def live_tournament() -> tournament_pb2.CreateTournamentRequest:
    """A tournament that goes on for much longer than anybody looks at it."""
    spec = tournament_pb2.TournamentSpec(name="live", seed=SEED.hex())
    for name in ("ours", "theirs"):
        spec.entrants.add(name=name, registered="far")
    spec.format.round_robin.rounds = 500
    spec.format.boards.boards_per_match = 100
    return tournament_pb2.CreateTournamentRequest(spec=spec, request_id="live", start=True)


def requests_of(method: str) -> Iterator[bytes]:
    """Requests about the tournament, about nothing, and none at all."""
    if method not in ENDING:
        yield request_of(method, NAMED).SerializeToString()
    yield b""
    yield b"\xff\xff\xff"


def all_that_is_told(daemon: Daemon) -> Told:
    """What every method tells every caller."""
    told = Told()
    unseeded = live_tournament()
    unseeded.spec.ClearField("seed")
    for who in CALLERS:
        for method in METHODS:
            if "Health/Watch" not in method:
                for request in requests_of(method):
                    daemon.ask(told, method, who, request)
        create = live_tournament().SerializeToString()
        daemon.ask(told, f"{TOURNAMENTS}/CreateTournament", who, create)
        validate = tournament_pb2.ValidateTournamentRequest(spec=unseeded.spec)
        daemon.ask(told, f"{TOURNAMENTS}/ValidateTournament", who, validate.SerializeToString())
    return told


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with ExitStack() as stack:
        yield Daemon(stack, tmp_path_factory.mktemp("hidden"))


@dataclass(frozen=True)
class Hidden:
    """What nobody may be told."""

    raw: dict[str, bytes]
    words: dict[str, str]


def hidden_in(daemon: Daemon) -> Hidden:
    """The seed, the tokens, and the cards of every hand that is stored or under way."""
    raw: dict[str, bytes] = {}
    words: dict[str, str] = {}
    with read_store(daemon.database) as store:
        started = [hand.record.started for hand in store.hands("live")]
        under_way = [events[0] for events in store.decisions_under_way("live").values()]
        rules = store.tournament("live").rules
    started += [event for event in under_way if isinstance(event, HandStarted)]
    assert len(started) > 10
    assert under_way
    for hand in started:
        raw[f"deck {hand.key}"] = bytes(card + 1 for card in hand.deck)
        dealt = deal(rules, hand.deck, hand.dealer)
        for seat, held in enumerate(dealt.holdings):
            raw[f"holding {hand.key} {seat}"] = bytes(card_numbers(held))
            words[f"holding {hand.key} {seat}"] = names(held)
    for name, secret in {**daemon.tokens, "far": daemon.bot_token}.items():
        raw |= {f"token {name}": secret.encode(), f"hash {name}": token_hash(secret)}
    raw |= {"seed": SEED, "seed, encoded": base64.b64encode(SEED)[:40]}
    words["seed"] = SEED.hex()
    return Hidden(raw, words)


def card_fields(message: Message) -> list[str]:
    """The fields of a message that hold cards."""
    found = []
    for each, value in message.ListFields():
        if each.enum_type is not None and each.enum_type.name == "Card":
            found.append(each.full_name)
        elif each.message_type is not None:
            inner = _messages(value)
            found += [name for one in inner for name in card_fields(one)]
    return found


def _messages(value: Any) -> list[Message]:
    if isinstance(value, Message):
        return [value]
    values = value.values() if hasattr(value, "values") else value
    return [each for each in values if isinstance(each, Message)]


def assert_tells_nothing(told: Told, log: str, hidden: Hidden) -> None:
    """Look for everything hidden in everything told."""
    texts = [*told.words, log]
    everything = b"\0".join([*told.raw, *(text.encode() for text in texts)])
    for what, secret in hidden.raw.items():
        assert secret not in everything, what
    for what, words in hidden.words.items():
        assert words.encode() not in everything, what
    for message in told.messages:
        assert card_fields(message) == []
    for text in texts:
        assert CARD_NAME.findall(text) == []


def test_nobody_is_told_what_is_hidden(daemon: Daemon) -> None:
    create, pause = live_tournament(), tournament_pb2.PauseTournamentRequest(name="live")
    daemon.answers(f"{TOURNAMENTS}/CreateTournament", "organiser", create)
    watched = Told()
    watch = tournament_pb2.WatchTournamentRequest(name="live").SerializeToString()

    for who in CALLERS:
        daemon.ask(watched, WATCH, who, watch, most=EVENTS)
    running = all_that_is_told(daemon)
    daemon.answers(f"{TOURNAMENTS}/PauseTournament", "organiser", pause)
    paused = all_that_is_told(daemon)

    hidden, log = hidden_in(daemon), daemon.log.read_text()
    states = [message for message in watched.messages if message.HasField("hand")]
    assert len(states) > EVENTS
    for told in (watched, running, paused):
        assert_tells_nothing(told, log, hidden)

    abort = tournament_pb2.AbortTournamentRequest(name="live")
    daemon.answers(f"{TOURNAMENTS}/AbortTournament", "organiser", abort)
    ended = all_that_is_told(daemon)
    everything = b"\0".join(ended.raw)
    found = [what for what, secret in hidden.raw.items() if secret in everything]
    assert any(what.startswith("deck ") for what in found)
    assert SEED.hex().encode() in everything
    assert any(card_fields(message) for message in ended.messages)
    assert not any(what.startswith(("token ", "hash ")) for what in found)


def test_cards_are_found_in_words() -> None:
    dealt = deal(RuleSet(), deck_order(SEED, 0, 0, 0, RuleSet()), 0)

    assert len(CARD_NAME.findall(names(dealt.holdings[0]))) == 10
    assert CARD_NAME.findall('{"peer": "ipv4:127.0.0.1:5000", "event": "7f3AS-2C"}') == []
