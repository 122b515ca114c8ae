import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from fivehundred.cli import bias_text
from fivehundred.cli.bias import Checked
from fivehundred.cli.bias_text import estimate_text, print_checked
from fivehundred.ratings.values import Estimate
from fivehundred.rules.actions import Play
from fivehundred.tournament.bias import bias
from fivehundred.tournament.honesty.facts import HandFacts
from fivehundred.tournament.parts import parts
from fivehundred_client import Bot, PlayTurn
from made_facts import FOUR, made_facts

BASIC = "fivehundred_bots.basic:Basic"


def test_a_tournament_is_checked_in_plain_words(cli: Callable[..., Any], played: Any) -> None:
    outcome = cli("bias", str(played.database), "small", "--datum", BASIC)

    assert (outcome.exit_code, outcome.err) == (0, "")
    said = [" ".join(line.split()) for line in outcome.out.splitlines()]
    assert said[0] == "small: 4 hands of 2 boards"
    assert any(line.startswith("seat seats 0, 2 4 ") for line in said)
    assert "schedule: only one level" in said
    assert any(line.startswith("determinism: no bot has played itself") for line in said)
    assert any("basic@1 on 2 deals, whole boards, 4 hands" in line for line in said)
    assert any("cancels exactly" in line for line in said)
    assert any(line.startswith("residuals by stretch") for line in said)
    assert not any(line.startswith("note: ") for line in said)


def test_all_is_given_as_json(cli: Callable[..., Any], played: Any) -> None:
    outcome = cli("bias", str(played.database), "--json", "--datum", BASIC, "--coefficient", "0.5")

    assert outcome.exit_code == 0
    (told,) = outcome.json["tournaments"]
    assert told["tournament"] == "small"
    assert [test["name"] for test in told["bias"]["tests"]] == [
        "seat",
        "dealer",
        "table order",
        "schedule",
    ]
    assert told["datum"]["coefficient"] == 0.5
    assert told["datum"]["rows"][0]["raw"] == told["datum"]["rows"][0]["adjusted"]
    assert told["datum_of_one_seating"]["hands"] == 2
    assert {each["entrant"] for each in told["parts"]["entrants"]} == {"basic", "random"}


def test_without_a_datum_bot_there_is_no_datum(cli: Callable[..., Any], played: Any) -> None:
    outcome = cli("bias", str(played.database), "--json")

    assert outcome.json["tournaments"][0]["datum"] is None


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (["smal"], "there is no tournament 'smal'; did you mean `small`?"),
        (["--coefficient", "0.5"], "give --datum too"),
        (["--datum", "fivehundred_bots.basic"], "names no class: write MODULE:CLASS"),
        (["--datum", "fivehundred_bots.basic:Bass"], "has no class 'Bass'"),
    ],
)
def test_what_is_wrong_is_said_with_exit_code_2(
    cli: Callable[..., Any], played: Any, arguments: list[str], wrong: str
) -> None:
    outcome = cli("bias", str(played.database), *arguments)

    assert outcome.exit_code == 2
    assert wrong in outcome.err
    assert outcome.err.startswith("error: ")


def test_a_database_that_is_not_there_is_a_mistake(cli: Callable[..., Any], tmp_path: Path) -> None:
    assert cli("bias", str(tmp_path / "nix.db")).exit_code == 2


class Fickle(Bot):
    """Plays the lowest card at one time and the highest at another."""

    name = "fickle"

    def __init__(self) -> None:
        self._asked = 0

    def play(self, turn: PlayTurn) -> Play:
        self._asked += 1
        return turn.legal[0] if self._asked % 7 else turn.legal[len(turn.legal) - 1]


class Mute(Bot):
    """Gives no answer."""

    name = "mute"

    def bid(self, turn: object) -> Any:
        return None


def test_a_datum_that_gives_no_answer_is_none(cli: Callable[..., Any], played: Any) -> None:
    from fivehundred.cli.datum_table import play_deals
    from fivehundred.cli.failures import CliError
    from fivehundred.rules.pack import deck
    from fivehundred.tournament.datum import Deal, DealKey

    deal = Deal(DealKey(0, 0, 0, 0), deck(FOUR))

    with pytest.raises(CliError, match="the datum bot mute is no datum: bid gave None"):
        play_deals(Mute(), FOUR, [deal])


def said_of(checked: Checked, monkeypatch: pytest.MonkeyPatch) -> str:
    out = io.StringIO()
    monkeypatch.setattr(bias_text, "console", lambda: Console(file=out, width=300))
    print_checked(checked)
    return out.getvalue()


def checked_of(seed: int, change: Callable[[HandFacts], HandFacts]) -> Checked:
    facts = made_facts(seed, FOUR, (0, 20), rounds=2, boards=30, change=change)
    counted = facts.counted(games=False)
    names = ["ann", "bob"]
    return Checked(
        tournament="cup",
        bias=bias(facts, names, games=False),
        parts=parts(counted, names, facts.bids),
        datum=None,
        datum_of_one_seating=None,
    )


def test_what_is_beyond_chance_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def crooked(hand: HandFacts) -> HandFacts:
        first, second = hand.line.change
        slow = 9 if hand.number > 105 else 1
        return replace(
            hand,
            bots=("b@1",) * 4,
            line=replace(hand.line, change=(first + 150, second)),
            charged_us=tuple(slow * time for time in hand.charged_us),
        )

    said = said_of(checked_of(1, crooked), monkeypatch)

    assert "BIAS: the results depend on seat" in said
    assert "the whole table" in said
    assert "stretch 8 of 8" in said
    assert "DIVERGENT: match 0 board 0: b@1 plays seating 1 otherwise" in said
    assert "and 40 more: see --json" in said


def test_hours_and_machines_are_shown_where_there_are_several(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def slow(hand: HandFacts) -> HandFacts:
        is_slow = hand.line.board % 2 == 1
        return replace(
            hand,
            charged_us=tuple((9 if is_slow else 1) * time for time in hand.charged_us),
            stored_time_us=1_777_593_600_000_000 + hand.number // 60 * 3_600_000_000,
            player=f"here/{int(is_slow)}",
        )

    said = said_of(checked_of(1, slow), monkeypatch)

    assert "residuals by stretch, lag, hour, process: " in said
    assert "process here/1" in said
    assert "note: " not in said


def test_flags_of_points_come_before_those_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def odd(hand: HandFacts) -> HandFacts:
        first, second = hand.line.change
        is_late, is_slow = hand.number > 105, hand.line.board % 2 == 1
        change = (first + 400 * is_late, second + 400 * is_late)
        faults = ((0, "timeout"), (1, "timeout")) if is_late else ()
        return replace(
            hand,
            line=replace(hand.line, change=change, faults=faults),
            charged_us=tuple((9 if is_slow else 1) * time for time in hand.charged_us),
            player=f"here/{int(is_slow)}",
        )

    said = [
        " ".join(line.split()) for line in said_of(checked_of(1, odd), monkeypatch).splitlines()
    ]

    measures = ["points per hand", "faults per hand", "ms per decision"]
    found = [each for line in said for each in measures if f" {each} " in line and "±" in line]
    assert found == sorted(found, key=measures.index)
    assert set(found) == set(measures)
    assert "none of these is beyond the bound" in said


def test_an_older_log_is_said_to_keep_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    said = said_of(checked_of(1, lambda hand: hand), monkeypatch)

    assert "residuals by stretch, lag: " in said
    assert "note: the log keeps no time of day: the order" in said
    assert "note: the log keeps no machine or process: " in said


def test_a_tournament_without_boards_says_so(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    checked = checked_of(1, lambda hand: replace(hand, line=replace(hand.line, seating=0)))

    said_of(checked, monkeypatch)

    assert "no whole board has been played" in capsys.readouterr().out


def test_estimates_are_told_with_what_is_known_of_them() -> None:
    assert estimate_text(Estimate(12.34, 1.0, 10.0, 14.68)) == "+12.3 ±2.3"
    assert estimate_text(Estimate(1.0)) == "+1.0 (no interval)"
    assert estimate_text(Estimate()) == "–"


def test_numbers_are_all_finite(cli: Callable[..., Any], played: Any) -> None:
    outcome = cli("bias", str(played.database), "--json")

    def refuse(word: str) -> float:
        raise AssertionError(word)

    json.loads(outcome.out, parse_constant=refuse)
