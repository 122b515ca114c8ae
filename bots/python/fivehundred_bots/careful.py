"""A careful player: bids what a holding is worth and remembers what has been played."""

from fivehundred.rules.actions import LegalPlays, Play
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.values import SeatView
from fivehundred_bots.card_play import choose_card
from fivehundred_bots.misere import play_against, play_to_lose
from fivehundred_bots.table_reading import read


def choose_play(rules: RuleSet, view: SeatView, legal: LegalPlays) -> Play:
    """The card that a careful seat plays in any contract."""
    reading = read(rules, view)
    if not reading.lose_all:
        return choose_card(reading, legal)
    if reading.declaring:
        return play_to_lose(reading, legal)
    return play_against(reading, legal)
