"""Tables that fit a terminal."""

import io

import pytest
from rich.console import Console

from fivehundred.cli.output import plain_table, print_table

COLUMNS = ("rank", "bot", "boards", "points/hand", "interval of an entrant", "Elo")
ROWS = (
    ("1", "careful@1", "240", "+85.3 ±18.5", "±15.7…20.2", "1679 ±43"),
    ("1–2", "a-bot-of-a-long-name@1", "1240", "+25.9 ±14.4", "±15.7…20.2", "1595 ±34"),
)


def printed(width: int) -> list[str]:
    table = plain_table(*COLUMNS, numbers=COLUMNS[2:])
    for row in ROWS:
        table.add_row(*row)
    out = io.StringIO()
    print_table(Console(file=out, width=width), table, keys=("bot",))
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [200, 100, 80, 60, 40])
def test_no_figure_is_cut_and_no_name_broken_at_any_width(width: int) -> None:
    lines = printed(width)

    told = "\n".join(lines)
    assert [cell for row in ROWS for cell in row if cell not in told] == []
    assert [word for head in COLUMNS for word in head.split() if word not in told] == []
    assert max(map(len, lines)) <= width


def test_a_table_that_has_room_is_one_line_a_row() -> None:
    lines = [line for line in printed(200) if line.strip()]

    assert len(lines) == 4
    assert "interval of an entrant" in lines[0]


def test_heads_are_wrapped_before_a_table_is_parted() -> None:
    whole = printed(90)

    assert sum("a-bot-of-a-long-name@1" in line for line in whole) == 1
    assert not any("interval of an entrant" in line for line in whole)


def test_each_further_part_names_its_rows() -> None:
    lines = printed(40)

    names = [line for line in lines if "a-bot-of-a-long-name@1" in line]
    assert len(names) > 1
    assert sum("1–2" in line for line in lines) == 1


def test_texts_are_wrapped_between_words() -> None:
    table = plain_table("who", "where")
    table.add_row("ann", "up to 111 ms of lag a hand")
    out = io.StringIO()

    print_table(Console(file=out, width=20), table, keys=("who",))

    assert " ".join(out.getvalue().split()).startswith("who where")
    assert "111" in out.getvalue().split()
