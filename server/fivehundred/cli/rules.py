"""`fivehundred rules …`: the rule sets that tournaments may name."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from fivehundred.cli.options import Json

if TYPE_CHECKING:
    from fivehundred.cli.rules_diff import Comparison
    from fivehundred.cli.rules_english import Paragraph
    from fivehundred.cli.rules_source import NamedRules

app = typer.Typer(
    name="rules",
    help="Look at the rule sets.",
    epilog="Example: fivehundred rules show au-4p-43",
    no_args_is_help=True,
)

WHICH = "A rule set's name, or a file: a tournament, or a rule set as .textproto."


@app.command("list", epilog="Example: fivehundred rules list --players 4")
def list_rules(
    players: Annotated[
        int | None, typer.Option(min=2, max=6, help="Only those for so many players.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the rule sets by name, with what tells them apart."""
    from fivehundred.cli.output import print_json
    from fivehundred.cli.rules_text import print_presets, summary
    from fivehundred.wire.presets import load_preset, preset_names

    rows = [summary(name, load_preset(name)) for name in preset_names()]
    chosen = [row for row in rows if players in (None, row["players"])]
    if as_json:
        print_json({"rules": chosen})
    else:
        print_presets(chosen)


@app.command(epilog="Example: fivehundred rules show au-4p-43")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help=WHICH)],
    parameters: Annotated[
        bool, typer.Option("--parameters", help="Show the parameters instead of the text.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the rules in plain English and what each contract scores."""
    from fivehundred.cli.output import print_json
    from fivehundred.cli.rules_source import find_rules
    from fivehundred.cli.rules_text import print_parameters, print_text

    named = find_rules(name)
    if as_json:
        print_json(_shown(named))
    elif parameters:
        print_parameters(named.rules)
    else:
        print_text(named)


@app.command(epilog="Example: fivehundred rules diff au-4p-43 uspc-4p-43")
def diff(
    a: Annotated[str, typer.Argument(metavar="A", help=WHICH)],
    b: Annotated[str, typer.Argument(metavar="B", help=WHICH)],
    as_json: Json = False,
) -> None:
    """Show what differs between two rule sets: parameters, and what they mean."""
    from fivehundred.cli.output import print_json
    from fivehundred.cli.rules_diff import compare
    from fivehundred.cli.rules_source import find_rules
    from fivehundred.cli.rules_text import print_comparison

    one, other = find_rules(a), find_rules(b)
    found = compare(one.rules, other.rules)
    if as_json:
        print_json(_compared(one, other, found))
    else:
        print_comparison(one, other, found)


def _shown(named: "NamedRules") -> dict[str, Any]:
    from fivehundred.cli.output import json_of
    from fivehundred.cli.rules_english import describe
    from fivehundred.wire.ruleset import ruleset_to_proto

    return {
        "name": named.name,
        "hash": named.hash,
        "parameters": json_of(ruleset_to_proto(named.rules)),
        "text": [str(paragraph) for paragraph in describe(named.rules)],
    }


def _compared(a: "NamedRules", b: "NamedRules", found: "Comparison") -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "a": {"name": a.name, "hash": a.hash, "only": _sentences(found.only_a)},
        "b": {"name": b.name, "hash": b.hash, "only": _sentences(found.only_b)},
        "play_alike": found.play_alike,
        "differences": [asdict(each) for each in found.differences],
    }


def _sentences(paragraphs: "tuple[Paragraph, ...]") -> list[dict[str, Any]]:
    from dataclasses import asdict

    return [asdict(paragraph) for paragraph in paragraphs]
