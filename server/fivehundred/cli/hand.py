"""`fivehundred hand …`: the hands that have been played, one by one."""

import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fivehundred.cli.failures import ConfigError
from fivehundred.cli.options import DEFAULT_DATABASE, Database, Json
from fivehundred.cli.verify import require_database

if TYPE_CHECKING:
    from fivehundred.cli.story import Story
    from fivehundred.storage.store import Store
    from fivehundred.storage.values import StoredTournament
    from fivehundred.v1.hands_pb2 import HandSummary

HandId = Annotated[
    int | None,
    typer.Argument(metavar="ID", help="The hand's number in the database, or in the file from 1."),
]
HandFile = Annotated[
    Path | None,
    typer.Option(
        "--file", metavar="FILE", help="Read a file of hands, not a database; - is stdin."
    ),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rules",
        metavar="NAME",
        help="The rules of JSON hands that no preset has: a tournament's file. May be repeated.",
    ),
]

app = typer.Typer(
    name="hand",
    help="Look at the hands that have been played.",
    epilog="Example: fivehundred hand show 17 --database demo.db",
    no_args_is_help=True,
)


@app.command("list", epilog="Example: fivehundred hand list --tournament demo")
def list_hands(
    tournament: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this tournament's hands.")
    ] = None,
    database: Database = DEFAULT_DATABASE,
    daemon: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Ask this daemon instead of reading a database."),
    ] = None,
    faults: Annotated[bool, typer.Option("--faults", help="Only hands with a fault.")] = False,
    voids: Annotated[
        bool,
        typer.Option(
            "--voids", help="Only hands with a decision late by the daemon's lag; both add up."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """List hands in order, with contract, tricks by seat and change of score by side."""
    from fivehundred.cli.hand_list import print_hands
    from fivehundred.cli.output import json_of, print_json

    wanted = {name for name, is_wanted in (("faults", faults), ("voids", voids)) if is_wanted}
    if daemon is None:
        found = _stored_hands(database, tournament, wanted, as_recorded=as_json)
    elif wanted:
        raise ConfigError("--faults and --voids read a database: give --database, not --daemon")
    else:
        found = _asked(daemon, tournament)
    if not as_json:
        print_hands(found)
        return
    for hand in found:
        print_json(json_of(hand))


@app.command(epilog="Example: fivehundred hand show 17 --database demo.db")
def show(
    number: HandId = None,
    database: Database = DEFAULT_DATABASE,
    file: HandFile = None,
    rules: Rules = None,
    as_json: Json = False,
) -> None:
    """Show a hand: deal, auction, exchange, tricks, faults and score."""
    from fivehundred.cli.hand_text import print_hand
    from fivehundred.cli.output import console, json_of, print_json
    from fivehundred.wire.record import record_to_proto

    number, story = _story(number, database, file, rules or ())
    if as_json:
        print_json(json_of(record_to_proto(story.record)))
    else:
        print_hand(console(), number, story)


@app.command(epilog="Example: fivehundred hand replay 17 --database demo.db --step 12")
def replay(
    number: HandId = None,
    step: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Only how it stood after N decisions.")
    ] = None,
    database: Database = DEFAULT_DATABASE,
    file: HandFile = None,
    rules: Rules = None,
    as_json: Json = False,
) -> None:
    """Step through a hand, decision by decision: with Enter on a terminal, otherwise at once."""
    from fivehundred.cli.hand_steps import print_step, step_json
    from fivehundred.cli.output import console, print_json

    _, story = _story(number, database, file, rules or ())
    steps = story.steps if step is None else [story.step(step)]
    waits = step is None and not as_json and sys.stdin.isatty() and sys.stdout.isatty()
    for each in steps:
        if as_json:
            print_json(step_json(story, each))
            continue
        print_step(console(), story, each)
        if waits and each is not story.steps[-1] and not _goes_on():
            return


@app.command(epilog="Example: fivehundred hand export demo --database demo.db --output demo.hands")
def export(
    tournament: Annotated[
        str | None, typer.Argument(metavar="TOURNAMENT", help="The tournament's name.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every tournament of the database.")
    ] = False,
    database: Database = DEFAULT_DATABASE,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write to this file, not to standard output."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write hands as text that people read and type, or as JSON: one record a line."""
    from fivehundred.cli.hand_export import export_hands
    from fivehundred.storage.store import read_store

    if everything == (tournament is not None):
        raise ConfigError("name a tournament, or give --all for every one")
    require_database(database)
    with read_store(database) as store:
        names = [stored.name for stored in _chosen(store, tournament)]
        export_hands(store, names, output, as_json=as_json)


@app.command("import", epilog="Example: fivehundred hand import demo.hands --json")
def import_hands(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Hands as text or JSON lines; - is stdin.")
    ],
    rules: Rules = None,
    as_json: Json = False,
) -> None:
    """Check hands by playing and scoring them again, and print them in their canonical form.

    Nothing is stored: a log holds only what a daemon has dealt. The first thing wrong is named with
    its hand and line, and the exit code is 1.
    """
    from fivehundred.cli.hand_export import print_written
    from fivehundred.cli.hand_files import read_hands

    print_written(read_hands(file, rules or ()), as_json=as_json)


def _goes_on() -> bool:
    """Wait for Enter; False where the player wants to stop."""
    try:
        return not input("Enter for the next step, q to stop: ").strip().lower().startswith("q")
    except EOFError:
        return False


def _story(
    number: int | None, database: Path, file: Path | None, rules: Sequence[str]
) -> tuple[int, "Story"]:
    """A hand of a file or of a database, with its number there."""
    if file is not None:
        return _story_in_file(file, rules, number)
    if number is None:
        raise ConfigError("give the hand's ID in the database, or --file FILE")
    return number, _stored_story(database, number)


def _story_in_file(file: Path, rules: Sequence[str], number: int | None) -> tuple[int, "Story"]:
    from fivehundred.cli.hand_files import read_hands
    from fivehundred.cli.story import tell

    place, hands = 1 if number is None else number, read_hands(file, rules)
    if not 1 <= place <= len(hands):
        raise ConfigError(f"{file} has no hand {place}: it has hands 1 to {len(hands)}")
    written = hands[place - 1]
    started = written.record.started
    games = started.key.hand > 0 or any(started.scores_before)
    return place, tell(written.record, written.rules, games=games)


def _stored_story(database: Path, number: int) -> "Story":
    from fivehundred.cli.story import tell
    from fivehundred.storage.store import read_store
    from fivehundred.v1.tournament_pb2 import TournamentSpec

    require_database(database)
    with read_store(database) as store:
        hand = store.hand(number)
        played_in = store.tournament(hand.key.tournament)
    spec = TournamentSpec.FromString(played_in.spec)
    games = spec.format.WhichOneof("play") == "games"
    return tell(hand.record, played_in.rules, games=games)


def _stored_hands(
    database: Path, tournament: str | None, wanted: Collection[str], *, as_recorded: bool
) -> Iterable["HandSummary"]:
    from fivehundred.cli.hand_list import picked, summary_of, summary_played
    from fivehundred.storage.store import read_store

    require_database(database)
    with read_store(database) as store:
        for stored in _chosen(store, tournament):
            for hand in picked(stored, store.hands(stored.name), wanted):
                yield summary_of(hand) if as_recorded else summary_played(hand, stored.rules)


def _chosen(store: "Store", tournament: str | None) -> "list[StoredTournament]":
    """The tournament of a name, or all."""
    return list(store.all_tournaments()) if tournament is None else [store.tournament(tournament)]


def _asked(daemon: str, tournament: str | None) -> Iterable["HandSummary"]:
    from fivehundred.cli import remote

    names = [each.spec.name for each in remote.tournaments(daemon)]
    for name in names if tournament is None else [tournament]:
        yield from remote.hands(daemon, name)
