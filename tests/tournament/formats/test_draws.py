from fivehundred.tournament.formats.draws import Draws


def test_a_seed_gives_the_same_numbers_everywhere() -> None:
    draws = Draws()

    assert [draws.below(2**64) for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_numbers_are_below_their_limit_and_all_come() -> None:
    draws = Draws(1, 2)

    assert {draws.below(5) for _ in range(200)} == {0, 1, 2, 3, 4}


def test_a_sample_has_nobody_twice() -> None:
    draws = Draws(3)

    assert all(len(set(draws.sample(range(6), 4))) == 4 for _ in range(50))
    assert sorted(draws.sample(range(6), 6)) == [0, 1, 2, 3, 4, 5]


def test_another_seed_gives_other_numbers() -> None:
    assert Draws(1, 2).below(2**60) != Draws(2, 1).below(2**60)
