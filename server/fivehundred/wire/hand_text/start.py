"""From the tags of a hand: its rules, and how it starts."""

from collections.abc import Sequence

from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import HandKey, HandStarted
from fivehundred.wire.hand_text.deal import read_deck
from fivehundred.wire.hand_text.lines import Block, at, whole, wholes
from fivehundred.wire.hand_text.naming import RulesName, hash_of, rules_of
from fivehundred.wire.hand_text.tags import PLACE, Tags
from fivehundred.wire.hand_text.values import HandTextError
from fivehundred.wire.presets import load_preset

MOST = (1 << 32) - 1
MOST_ENTRANTS = (1 << 31) - 1
MOST_POINTS = 1 << 62


def read_rules(tags: Tags) -> RuleSet:
    """The rule set that a hand names; raises `HandTextError`."""
    tag = tags.need("Rules")
    clear, override = tags.all("Clear"), tags.all("Override")
    with at(tag.line):
        load_preset(tag.value)
    name = RulesName(
        tag.value, tuple(each.value for each in clear), tuple(each.value for each in override)
    )
    with at(min((each.line for each in (*clear, *override)), default=tag.line)):
        rules = rules_of(name)
    stated = tags.find("RulesHash")
    if stated is not None and stated.value.lower() != hash_of(rules).hex():
        wrong = f"the rules above have the hash {hash_of(rules).hex()}: mend them, or this"
        raise HandTextError(stated.line, wrong)
    return rules


def read_start(tags: Tags, rules: RuleSet, block: Block) -> HandStarted:
    """How a hand starts; raises `HandTextError`."""
    tag = tags.need("Dealer")
    with at(tag.line):
        dealer = whole(tag.value, "dealer", 0, rules.players - 1)
    sides = [rules.side_of(seat) for seat in range(rules.players)]
    return HandStarted(
        key=_key(tags),
        bots=_bots(tags, rules),
        entrants=_numbers(tags, "Entrants", sides, 0, MOST_ENTRANTS),
        dealer=dealer,
        deck=read_deck(rules, dealer, tags.find("Deck"), block.rows("Deal"), block.line),
        scores_before=_numbers(tags, "ScoresBefore", [0] * rules.sides, -MOST_POINTS, MOST_POINTS),
    )


def _key(tags: Tags) -> HandKey:
    tournament = tags.find("Tournament")
    numbers = [_number(tags, name) for name in PLACE[1:]]
    return HandKey("" if tournament is None else tournament.value, *numbers)


def _number(tags: Tags, name: str) -> int:
    tag = tags.find(name)
    if tag is None:
        return 0
    with at(tag.line):
        return whole(tag.value, name, 0, MOST)


def _bots(tags: Tags, rules: RuleSet) -> tuple[str, ...]:
    bots = [""] * rules.players
    for seat, tag in tags.seats():
        if seat >= rules.players:
            raise HandTextError(tag.line, f"{tag.name}: the seats are 0 to {rules.players - 1}")
        bots[seat] = tag.value
    return tuple(bots)


def _numbers(tags: Tags, name: str, default: Sequence[int], low: int, high: int) -> tuple[int, ...]:
    tag = tags.find(name)
    if tag is None:
        return tuple(default)
    with at(tag.line):
        numbers = wholes(tag.value, name, low, high)
    if len(numbers) != len(default):
        raise HandTextError(tag.line, f"{len(numbers)} numbers: {name} has {len(default)}")
    return numbers
