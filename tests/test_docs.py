"""The documentation says what is: commands, rules, deals, and the bot of the README."""

import asyncio
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer

from fivehundred.cli.app import app
from fivehundred.cli.rules_source import HEADER
from fivehundred.daemon.embedded import run_tournament
from fivehundred.daemon.results import standings_of
from fivehundred.rules.actions import Bid
from fivehundred.rules.bids import bid_value
from fivehundred.rules.cards import STRAINS, card_name, names
from fivehundred.rules.pack import deal
from fivehundred.rules.ruleset import RuleSet
from fivehundred.storage.store import read_store
from fivehundred.table.dealing import commitment, deck_order, seat_seeds
from fivehundred.table.values import FaultKind
from fivehundred.v1 import tournament_pb2
from fivehundred.wire.presets import choose_rules, load_preset, parse_rules, preset_names
from fivehundred.wire.spec import check_spec, parse_spec

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
SECRET = bytes(range(32))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#([\w-]*))?\)")


def text_of(name: str) -> str:
    """A document's text."""
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """The code blocks of a language."""
    return [body for written_in, body in BLOCK.findall(text) if written_in == language]


def rows(text: str, width: int) -> Iterator[list[str]]:
    """The cells of every table row of a width, without backticks."""
    for line in text.splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip().strip("|").split(" | ")]
        if line.startswith("| ") and len(cells) == width:
            yield cells


def commands(group: Any = None, path: str = "fivehundred") -> Iterator[tuple[str, Any]]:
    """Every command that does something, by how it is typed."""
    group = typer.main.get_command(app) if group is None else group
    inner: Mapping[str, Any] = getattr(group, "commands", {})
    if not inner:
        yield path, group
    for name, command in inner.items():
        yield from commands(command, f"{path} {name}")


COMMANDS = dict(commands())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    written = text_of("README.md") + text_of("docs/operations.md")

    assert re.search(rf"{command}\b", written)


def test_every_dependency_says_what_it_saves() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    needed = {re.split(r"[<>=]", each)[0] for each in project["dependencies"]}

    listed = {cells[0] for cells in rows(text_of("CONTRIBUTING.md"), 2)}
    assert needed <= listed


def typed_commands() -> Iterator[str]:
    """The lines of the documents' shell blocks that call the program."""
    for document in DOCUMENTS:
        for block in blocks(document.read_text(encoding="utf-8"), "sh"):
            yield from (line for line in block.splitlines() if line.startswith("fivehundred "))


@pytest.mark.parametrize("line", sorted(set(typed_commands())))
def test_a_command_that_is_written_down_exists_with_its_options(line: str) -> None:
    typed = next(name for name in COMMANDS if f"{line} ".startswith(f"{name} "))

    known = {option for parameter in COMMANDS[typed].params for option in parameter.opts}
    assert set(re.findall(r"--[\w-]+", line)) <= known


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target, anchor in LINK.findall(document.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        path = document.parent / target
        assert path.exists(), target
        assert not anchor or anchor in anchors(path), f"{target}#{anchor}"


def anchors(document: Path) -> set[str]:
    """What the headings of a document can be linked by."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_tournaments_in_the_documents_are_in_order() -> None:
    for document in DOCUMENTS:
        for block in blocks(document.read_text(encoding="utf-8"), "textproto"):
            if not block.startswith(HEADER):
                spec = parse_spec(block, document.name)
                choose_rules(spec.rules)
                if spec.name:
                    check_spec(spec)


def test_the_rule_set_in_the_document_of_the_rules_is_in_order() -> None:
    (block,) = (
        each for each in blocks(text_of("docs/rules.md"), "textproto") if each.startswith(HEADER)
    )

    rules = parse_rules(block)

    assert (rules.players, rules.target, rules.special_bids) == (3, 1000, ())


def test_the_parameters_are_listed_in_order() -> None:
    listed = [(cells[0], cells[1]) for cells in rows(text_of("docs/rules.md"), 5)]

    expected = [(str(at), each.name) for at, each in enumerate(fields(RuleSet), start=1)]
    assert [pair for pair in listed if pair[0].isdecimal()] == expected


def test_every_variant_is_listed() -> None:
    listed = [cells[0] for cells in rows(text_of("docs/rules.md"), 3)]

    assert set(preset_names()) <= set(listed)


@pytest.mark.parametrize("number", range(1, 14))
def test_every_decision_is_told(number: int) -> None:
    assert [cells for cells in rows(text_of("docs/rules.md"), 2) if cells[0] == f"D{number}"]


def test_the_scoring_tables_are_what_the_rules_score() -> None:
    tables = [cells for cells in rows(text_of("docs/rules.md"), 6) if cells[0].isdecimal()]

    expected = [
        [str(level), *(str(bid_value(rules, Bid(level, strain))) for strain in STRAINS)]
        for rules in (load_preset("au-4p-43"), load_preset("hist-4p-44"))
        for level in range(6, 11)
    ]
    assert tables == expected


@pytest.mark.parametrize("kind", FaultKind)
def test_every_fault_is_told(kind: FaultKind) -> None:
    assert [cells for cells in rows(text_of("docs/protocol.md"), 2) if cells[0] == kind.name]


def test_the_published_decks_and_seeds_are_what_the_secret_gives() -> None:
    text = text_of("docs/architecture.md")
    vectors = [cells for cells in rows(text, 5) if cells[0] in preset_names()]

    for preset, board, hand, attempt, published in vectors:
        rules, place = load_preset(preset), (int(board), int(hand), int(attempt))
        deck = " ".join(card_name(card) for card in deck_order(SECRET, *place, rules))
        seeds = " ".join(f"{seed:016x}" for seed in seat_seeds(SECRET, *place, rules))
        assert published in (deck, seeds)
    assert len(vectors) >= 8
    assert SECRET.hex() in text and commitment(SECRET).hex() in text


def test_the_published_holdings_are_what_the_deck_gives() -> None:
    published = {cells[0]: cells[1] for cells in rows(text_of("docs/architecture.md"), 2)}

    dealt = deal(RuleSet(), deck_order(SECRET, 0, 0, 0, RuleSet()), 0)
    assert published["kitty"] == names(dealt.kitty)
    for seat, holding in enumerate(dealt.holdings):
        assert published[f"seat {seat}"] == names(holding)


def test_the_bot_of_the_readme_has_at_most_ten_lines() -> None:
    assert len([line for line in readme_bot().splitlines() if line.strip()]) <= 10


def test_the_bot_of_the_readme_plays_without_a_fault(tmp_path: Path) -> None:
    program = tmp_path / "my_bot.py"
    program.write_text(readme_bot(), encoding="utf-8")
    address = f"unix:{tmp_path / 'bot.sock'}"
    command = [sys.executable, str(program), "--listen", address]

    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as bot:
        try:
            assert bot.stderr is not None
            assert bot.stderr.readline().split() == ["listening", "at", address]
            database = tmp_path / "readme.db"
            played = asyncio.run(run_tournament(duel(address), database, lambda _: None))
        finally:
            bot.terminate()

    assert played.state == tournament_pb2.TOURNAMENT_STATE_FINISHED
    assert list(played.bots) == ["high-card@1", "high-card@1"]
    with read_store(database) as store:
        for row in standings_of(store, "readme").rows:
            assert row.faults == tournament_pb2.FaultCounts()
            assert row.hands == 8


def readme_bot() -> str:
    """The first program of the README."""
    return blocks(text_of("README.md"), "python")[0]


def duel(address: str) -> tournament_pb2.TournamentSpec:
    """A small tournament of a bot against itself."""
    spec = tournament_pb2.TournamentSpec(name="readme", seed=SECRET.hex())
    for name in ("one", "other"):
        spec.entrants.add(name=name, address=address)
    spec.format.boards.boards_per_match = 4
    return spec
