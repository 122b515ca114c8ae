import io
import sys

import pytest

from fivehundred.cli.counting import show_count


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_counts_take_one_line_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    show_count(1, 2, "hands")
    show_count(2, 2, "hands", of="cup")

    assert terminal.getvalue() == "\r1/2 hands\rcup: 2/2 hands\n"


def test_nothing_is_counted_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    show_count(1, 2, "hands")

    assert capsys.readouterr().err == ""
