from fivehundred.cli.progress import LineDisplay, Pace, share
from fivehundred.daemon.progress import Progress


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_pace_counts_from_the_first_new_hand_so_that_starting_bots_costs_nothing() -> None:
    clock = Clock()
    pace = Pace(clock)

    before = pace.describe(Progress(0, 400, 0, 4))
    clock.now += 60
    pace.describe(Progress(1, 400, 0, 4))
    clock.now += 10
    after = pace.describe(Progress(201, 400, 2, 4))

    assert before == "0/400 hands, 0/4 matches"
    assert after == "201/400 hands, 2/4 matches, 20.0 hands/s, 0:00:10 left"


def test_pace_leaves_out_the_hands_of_an_earlier_run() -> None:
    clock = Clock()
    pace = Pace(clock)

    pace.describe(Progress(200, 400, 2, 4))
    pace.describe(Progress(201, 400, 2, 4))
    clock.now += 1
    after = pace.describe(Progress(211, 400, 2, 4))

    assert after == "211/400 hands, 2/4 matches, 10.0 hands/s, 0:00:19 left"


def test_where_games_decide_how_many_hands_the_matches_are_the_share() -> None:
    assert share(Progress(57, 0, 1, 4)) == 0.25
    assert share(Progress(0, 0, 0, 0)) == 0.0


def test_lines_come_every_five_seconds_and_at_the_end() -> None:
    clock = Clock()
    lines: list[str] = []
    display = LineDisplay("demo", clock, lines.append)

    for hands in range(1, 8):
        display.show(Progress(hands, 7, 0, 1))
        clock.now += 1
    display.close()
    display.close()

    assert [line.split()[1] for line in lines] == ["1/7", "6/7", "7/7"]
