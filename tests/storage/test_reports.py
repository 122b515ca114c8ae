"""What a report takes from a log, and what it leaves there."""

from fivehundred.storage.reports import numbered


def test_machines_are_told_apart_but_not_named() -> None:
    players = ["tower/1", "attic", "tower/0", "tower"]

    assert numbered(players) == ["machine 2/1", "machine 1", "machine 2/0", "machine 2"]
