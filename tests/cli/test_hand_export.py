import json
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from fivehundred.storage.store import read_store
from fivehundred.wire.hand_text import loads
from fivehundred.wire.hand_text.naming import name_of

OF_ANOTHER_FAMILY = (
    "auction_rounds: AUCTION_ROUNDS_UNTIL_PASSED several_reach: SEVERAL_REACH_HIGHEST"
)
TYPED = '[Rules "ko-3p-33"]\n[Dealer "0"]\n[Deck "{deck}"]\nAuction\nP P P\n'
ORDER = "JKR " + " ".join(f"{rank}{suit}" for suit in "SCDH" for rank in (*range(7, 11), *"JQKA"))


@pytest.fixture
def text(cli: Callable[..., Any], played: Any) -> str:
    """The small tournament's hands as text."""
    return str(cli("hand", "export", "small", "--database", str(played.database)).out)


@pytest.fixture
def lines(cli: Callable[..., Any], played: Any) -> str:
    """The small tournament's hands as JSON lines."""
    return str(cli("hand", "export", "--all", "--json", "--database", str(played.database)).out)


def test_export_has_every_hand_of_the_log(text: str, played: Any) -> None:
    with read_store(played.database) as store:
        stored = [hand.record for hand in store.hands("small")]

    assert [hand.record for hand in loads(text)] == stored
    assert len(stored) == 4


def test_export_as_json_has_a_record_a_line(lines: str) -> None:
    records = [json.loads(line) for line in lines.splitlines()]

    assert [record["facts"]["key"]["seating"] for record in records] == [0, 1, 0, 1]


def test_export_writes_a_file(
    cli: Callable[..., Any], played: Any, text: str, tmp_path: Path
) -> None:
    output = tmp_path / "small.hands"

    outcome = cli(
        "hand", "export", "small", "--database", str(played.database), "--output", str(output)
    )

    assert (outcome.exit_code, outcome.out, outcome.err) == (0, "", "")
    assert output.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("chosen", [(), ("small", "--all")])
def test_export_wants_one_tournament_or_all(
    cli: Callable[..., Any], played: Any, chosen: tuple[str, ...]
) -> None:
    outcome = cli("hand", "export", *chosen, "--database", str(played.database))

    assert outcome.exit_code == 2
    assert outcome.err == "error: name a tournament, or give --all for every one\n"


def test_export_of_an_unknown_tournament_fails(cli: Callable[..., Any], played: Any) -> None:
    outcome = cli("hand", "export", "nix", "--database", str(played.database))

    assert (outcome.exit_code, outcome.out) == (1, "")
    assert outcome.err == "error: there is no tournament 'nix'\n"


def test_import_gives_either_form_back_in_either_form(
    cli: Callable[..., Any], text: str, lines: str, tmp_path: Path
) -> None:
    for form in (text, lines):
        file = tmp_path / "hands"
        file.write_text(form, encoding="utf-8")

        assert cli("hand", "import", str(file)).out == text
        assert cli("hand", "import", str(file), "--json").out == lines


def test_import_names_hand_and_line(cli: Callable[..., Any], text: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.hands"
    wrong = text.rfind("next dealer: ")
    file.write_text(text[:wrong] + "next dealer: 7" + text[wrong + 14 :], encoding="utf-8")

    outcome = cli("hand", "import", str(file))

    line = text[:wrong].count("\n") + 1
    assert (outcome.exit_code, outcome.out) == (1, "")
    assert outcome.err.startswith(f"error: hand 4, line {line}: next dealer '7': ")


def test_import_checks_json_lines(cli: Callable[..., Any], lines: str, tmp_path: Path) -> None:
    records = [json.loads(line) for line in lines.splitlines()]
    records[2]["facts"]["dealer"] ^= 1
    changed = "\n\n".join(map(json.dumps, records))
    unsigned = "\n".join(json.dumps({**record, "digest": ""}) for record in records)
    for form, said in (
        (changed, "hand 3, line 5: digest "),
        (unsigned, "hand 1, line 1: digest none: the facts have "),
        (lines + "{}", "hand 5, line 5: schema version 0"),
        (lines + "{", "hand 5, line 5: no HandRecord in JSON"),
    ):
        file = tmp_path / "wrong.jsonl"
        file.write_text(form, encoding="utf-8")

        outcome = cli("hand", "import", str(file))

        assert outcome.exit_code == 1
        assert outcome.err.startswith(f"error: {said}")


def test_json_hands_of_a_house_s_rules_need_them_named(
    cli: Callable[..., Any], tmp_path: Path
) -> None:
    file, spec = tmp_path / "house.jsonl", tmp_path / "house.textproto"
    house = TYPED.format(deck=ORDER).replace("[Dealer", '[Override "target: 1000"]\n[Dealer')
    file.write_text(house, encoding="utf-8")
    file.write_text(cli("hand", "import", str(file), "--json").out, encoding="utf-8")
    spec.write_text('rules { preset: "ko-3p-33" override { target: 1000 } }', encoding="utf-8")

    unnamed = cli("hand", "import", str(file))
    named = cli("hand", "import", str(file), "--rules", str(spec))

    assert "hand 1, line 1: no preset has the rules hash" in unnamed.err
    assert (named.exit_code, named.err) == (0, "")
    assert loads(named.out)[0].rules.target == 1000


def test_json_hands_of_several_houses_need_each_named(
    cli: Callable[..., Any], tmp_path: Path
) -> None:
    hands, specs = "", []
    for target in (1000, 2000):
        house = f'[Override "target: {target}"]\n[Dealer'
        file, spec = tmp_path / "one.hands", tmp_path / f"{target}.textproto"
        file.write_text(TYPED.format(deck=ORDER).replace("[Dealer", house), encoding="utf-8")
        hands += cli("hand", "import", str(file), "--json").out
        rules = f'rules {{ preset: "ko-3p-33" override {{ target: {target} }} }}'
        spec.write_text(rules, encoding="utf-8")
        specs += ["--rules", str(spec)]
    both = tmp_path / "both.jsonl"
    both.write_text("\ufeff" + hands, encoding="utf-8")

    half = cli("hand", "import", str(both), *specs[:2])
    whole = cli("hand", "import", str(both), *specs)

    assert "hand 2, line 2: no preset has the rules hash" in half.err
    assert [hand.rules.target for hand in loads(whole.out)] == [1000, 2000]


def test_export_names_the_rules_after_the_tournament_s_preset(
    program: Callable[..., Any], spec_file: Path, tmp_path: Path
) -> None:
    spec, database = tmp_path / "house.textproto", str(tmp_path / "house.db")
    house = 'preset: "uspc-4p-43" override { ' + OF_ANOTHER_FAMILY + " target: 900 }"
    spec.write_text(spec_file.read_text().replace('preset: "au-4p-43"', house), encoding="utf-8")
    program("run", str(spec), "--database", database)

    text = program("hand", "export", "small", "--database", database).out

    assert name_of(loads(text)[0].rules).preset == "ko-4p-43"
    assert text.count('[Rules "uspc-4p-43"]') == 4


def test_import_reads_standard_input(
    cli: Callable[..., Any], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text.encode())))

    assert cli("hand", "import", "-").out == text


def test_a_file_that_cannot_be_read_is_a_mistake(cli: Callable[..., Any], tmp_path: Path) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")

    empty = tmp_path / "empty"
    empty.write_text("; no hand", encoding="utf-8")

    assert cli("hand", "import", str(empty)).err == f"error: {empty} has no hand\n"
    assert cli("hand", "import", str(binary)).exit_code == 2
    assert "cannot be read" in cli("hand", "import", str(tmp_path / "nix")).err


def test_show_and_replay_read_a_file(
    cli: Callable[..., Any], played: Any, text: str, tmp_path: Path
) -> None:
    file = tmp_path / "small.hands"
    file.write_text(text, encoding="utf-8")
    stored = cli("hand", "show", "3", "--database", str(played.database))

    assert cli("hand", "show", "3", "--file", str(file)).out == stored.out
    assert "Hand 1 of small" in cli("hand", "show", "--file", str(file)).out
    assert cli("hand", "replay", "2", "--file", str(file), "--step", "0").out.startswith("Step 0/")
    assert "has no hand 5: it has hands 1 to 4" in cli("hand", "show", "5", "--file", str(file)).err
    assert "give the hand's ID" in cli("hand", "show").err
