"""`fivehundred rules …`: the rule sets that tournaments may name."""

from typing import Annotated

import typer

from fivehundred.cli.options import Json

app = typer.Typer(
    name="rules",
    help="Look at the rule sets.",
    epilog="Example: fivehundred rules show au-4p-43",
    no_args_is_help=True,
)


@app.command("list", epilog="Example: fivehundred rules list")
def list_rules(as_json: Json = False) -> None:
    """List the rule sets by name."""
    from fivehundred.cli.output import print_json
    from fivehundred.cli.rules_text import print_presets
    from fivehundred.wire.presets import preset_names

    if as_json:
        print_json({"rules": list(preset_names())})
    else:
        print_presets(preset_names())


@app.command(epilog="Example: fivehundred rules show au-4p-43")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The rule set's name.")],
    as_json: Json = False,
) -> None:
    """Show every parameter of a rule set and what each contract scores."""
    from fivehundred.cli.output import json_of, print_json
    from fivehundred.cli.rules_text import print_rules
    from fivehundred.wire.presets import load_preset
    from fivehundred.wire.ruleset import ruleset_to_proto

    rules = load_preset(name)
    if as_json:
        print_json(json_of(ruleset_to_proto(rules)))
    else:
        print_rules(rules)
