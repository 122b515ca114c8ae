"""`fivehundred hand …`: the hands that have been played, one by one."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fivehundred.cli.options import DEFAULT_DATABASE, Database, Json
from fivehundred.cli.verify import require_database

if TYPE_CHECKING:
    from fivehundred.cli.story import Story
    from fivehundred.storage.store import Store
    from fivehundred.v1.hands_pb2 import HandSummary

HandId = Annotated[int, typer.Argument(metavar="ID", help="The hand's number in the database.")]

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
    as_json: Json = False,
) -> None:
    """List hands in order, with contract, tricks by seat and change of score by side."""
    from fivehundred.cli.hand_list import print_hands
    from fivehundred.cli.output import json_of, print_json

    if daemon is None:
        found = _stored_hands(database, tournament, as_recorded=as_json)
    else:
        found = _asked(daemon, tournament)
    if not as_json:
        print_hands(found)
        return
    for hand in found:
        print_json(json_of(hand))


@app.command(epilog="Example: fivehundred hand show 17 --database demo.db")
def show(number: HandId, database: Database = DEFAULT_DATABASE, as_json: Json = False) -> None:
    """Show a hand: deal, auction, exchange, tricks, faults and score."""
    from fivehundred.cli.hand_text import print_hand
    from fivehundred.cli.output import console, json_of, print_json
    from fivehundred.wire.record import record_to_proto

    story = _story(database, number)
    if as_json:
        print_json(json_of(record_to_proto(story.record)))
    else:
        print_hand(console(), number, story)


@app.command(epilog="Example: fivehundred hand replay 17 --database demo.db --step 12")
def replay(
    number: HandId,
    step: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Only how it stood after N decisions.")
    ] = None,
    database: Database = DEFAULT_DATABASE,
    as_json: Json = False,
) -> None:
    """Step through a hand, decision by decision: with Enter on a terminal, otherwise at once."""
    from fivehundred.cli.hand_steps import print_step, step_json
    from fivehundred.cli.output import console, print_json

    story = _story(database, number)
    steps = story.steps if step is None else [story.step(step)]
    waits = step is None and not as_json and sys.stdin.isatty() and sys.stdout.isatty()
    for each in steps:
        if as_json:
            print_json(step_json(story, each))
            continue
        print_step(console(), story, each)
        if waits and each is not story.steps[-1] and not _goes_on():
            return


def _goes_on() -> bool:
    """Wait for Enter; False where the player wants to stop."""
    try:
        return not input("Enter for the next step, q to stop: ").strip().lower().startswith("q")
    except EOFError:
        return False


def _story(database: Path, number: int) -> "Story":
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
    database: Path, tournament: str | None, *, as_recorded: bool
) -> Iterable["HandSummary"]:
    from fivehundred.cli.hand_list import summary_of, summary_played
    from fivehundred.storage.store import read_store

    require_database(database)
    with read_store(database) as store:
        names = _names(store) if tournament is None else [store.tournament(tournament).name]
        for name in names:
            rules = store.tournament(name).rules
            for hand in store.hands(name):
                yield summary_of(hand) if as_recorded else summary_played(hand, rules)


def _names(store: "Store") -> list[str]:
    page = store.tournaments()
    names: list[str] = []
    while page:
        names += [each.name for each in page]
        page = store.tournaments(after=names[-1])
    return names


def _asked(daemon: str, tournament: str | None) -> Iterable["HandSummary"]:
    from fivehundred.cli import remote

    names = [each.spec.name for each in remote.tournaments(daemon)]
    for name in names if tournament is None else [tournament]:
        yield from remote.hands(daemon, name)
