"""The datum table: a Python bot in all the seats of the deals of a log, in this process."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from fivehundred.cli.failures import CliError, ConfigError
from fivehundred.cli.loading import load_bot
from fivehundred.rules.actions import Legal, LegalCalls, LegalExchange
from fivehundred.rules.cards import Card
from fivehundred.rules.hand import Hand
from fivehundred.rules.pack import deal
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import AskKind
from fivehundred.wire.asked import Asked
from fivehundred_client.bot import Bot, NoAnswer, decide

if TYPE_CHECKING:
    from fivehundred.tournament.datum import Deal, DealKey

PLENTY_US = 3_600_000_000
CHECKED = 20
"""Deals that are played twice, to see that the bot is deterministic."""


def load_datum_bot(where: str) -> Bot:
    """The bot of ``module:Class``; raises `ConfigError` for one that is not asked one by one."""
    bot = load_bot(where)
    if not isinstance(bot, Bot):
        raise ConfigError(f"{where} answers in bytes: a datum bot is a fivehundred_client.Bot")
    return bot


def play_out(bot: Bot, rules: RuleSet, deck: Sequence[Card], dealer: int) -> tuple[int, ...]:
    """The points of each side, from scores of nothing, when the bot has all the seats.

    The seed of a seat is its number, so that a bot that draws on nothing else repeats itself.
    """
    hand = Hand(rules, deal(rules, deck, dealer), dealer, (0,) * rules.sides)
    while hand.turn is not None:
        legal, view = hand.legal(), hand.view(hand.turn)
        asked = Asked("datum", _kind(legal), view, legal, hand.turn, PLENTY_US, 0, None, b"")
        action, _ = decide(bot, asked, rules)
        if action not in legal:
            raise CliError(f"the datum bot {bot.name} is no datum: {action} is not legal")
        hand.apply(action)
    assert hand.result is not None
    return hand.result.change


def play_deals(
    bot: Bot, rules: RuleSet, deals: Iterable["Deal"]
) -> "dict[DealKey, tuple[int, ...]]":
    """The points on each deal; raises `CliError` where the bot fails or does not repeat itself."""
    every = iter(deals)
    try:
        first = list(islice(every, CHECKED))
        points = {each.key: play_out(bot, rules, each.deck, each.key.dealer) for each in first}
        for each in first:
            if play_out(bot, rules, each.deck, each.key.dealer) != points[each.key]:
                raise CliError(
                    f"the datum bot {bot.name} plays the same deal in two ways: "
                    "take one that is deterministic, such as fivehundred_bots.basic:Basic"
                )
        for each in every:
            points[each.key] = play_out(bot, rules, each.deck, each.key.dealer)
    except NoAnswer as error:
        raise CliError(f"the datum bot {bot.name} is no datum: {error}") from None
    return points


def _kind(legal: Legal) -> AskKind:
    if isinstance(legal, LegalCalls):
        return AskKind.BID
    return AskKind.DISCARD if isinstance(legal, LegalExchange) else AskKind.PLAY
