"""The rules in plain English, made from the parameters of a rule set."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fivehundred.cli.rules_english_auction import bids, rounds, special
from fivehundred.cli.rules_english_deal import brief, deal, pack, sides
from fivehundred.cli.rules_english_exchange import kitty, nomination, partner
from fivehundred.cli.rules_english_play import free_joker, ranks, tricks
from fivehundred.cli.rules_english_score import contract, defence, floor, target
from fivehundred.rules.ruleset import RuleSet
from fivehundred.rules.validate import canonical


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences of one chapter, about one special bid where ``bid`` names it."""

    chapter: str
    sentences: tuple[str, ...]
    bid: str = ""

    def __str__(self) -> str:
        return " ".join(self.sentences)


_CHAPTERS = (
    ("The game", (brief,)),
    ("The pack", (pack,)),
    ("The deal", (deal,)),
    ("The sides", (sides,)),
    ("The auction", (bids, rounds)),
    ("Special bids", ()),
    ("The exchange", (kitty, nomination, partner)),
    ("The play", (ranks, tricks, free_joker)),
    ("The score", (contract, defence)),
    ("The end of the game", (target, floor)),
)


def describe(rules: RuleSet) -> tuple[Paragraph, ...]:
    """The rules from the pack to the end of the game, without what has no effect."""
    return tuple(paragraph for paragraph in _paragraphs(canonical(rules)) if paragraph.sentences)


def _paragraphs(rules: RuleSet) -> Iterator[Paragraph]:
    for chapter, writers in _CHAPTERS:
        for write in writers:
            yield Paragraph(chapter, tuple(write(rules)))
        if not writers:
            yield from _special_bids(rules, chapter)


def _special_bids(rules: RuleSet, chapter: str) -> Iterator[Paragraph]:
    for bid in rules.special_bids:
        yield Paragraph(chapter, tuple(special(rules, bid)), bid.name)


def missing(paragraphs: Iterable[Paragraph], other: Iterable[Paragraph]) -> tuple[Paragraph, ...]:
    """The sentences that another text does not have, in their paragraphs."""
    said = {(each.bid, sentence) for each in other for sentence in each.sentences}
    return tuple(
        Paragraph(each.chapter, news, each.bid)
        for each in paragraphs
        if (news := tuple(words for words in each.sentences if (each.bid, words) not in said))
    )
