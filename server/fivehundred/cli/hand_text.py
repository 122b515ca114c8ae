"""A whole hand on a page, so that a player can follow it."""

from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.table import Table

from fivehundred.cli.output import harmless, plain_table
from fivehundred.cli.story import Story
from fivehundred.rules.actions import Bid, Exchange, Pass, Play
from fivehundred.rules.cards import (
    SUIT_LETTERS,
    Cards,
    card_name,
    is_joker,
    members,
    names,
    suit_of,
)
from fivehundred.rules.scoring import is_made
from fivehundred.rules.values import Contract, Outcome, Trick
from fivehundred.table.values import Decided

SUIT_SYMBOLS = ("♠", "♣", "♦", "♥")
WINNER = "*"
NOBODY = "–"


def print_hand(console: Console, number: int, story: Story) -> None:
    """Print a hand whole: who and where, deal, auction, exchange, tricks, faults, score."""
    console.print(_heading(number, story))
    console.print(deal_table(story))
    console.print(_auction_table(story))
    for line in _exchange_lines(story):
        console.print(line, soft_wrap=True)
    if story.steps[-1].tricks:
        console.print(_tricks_table(story))
    for line in (*_fault_lines(story), *_score_lines(story)):
        console.print(line, soft_wrap=True)


def seat_name(story: Story, seat: int) -> str:
    """``seat 2 careful@1``."""
    return f"seat {seat} {story.record.started.bots[seat]}".rstrip()


def suit_cells(cards: Cards) -> tuple[str, ...]:
    """The cards' ranks from high to low: jokers, spades, clubs, diamonds, hearts."""
    ordered = sorted(members(cards), reverse=True)
    jokers = " ".join(card_name(card) for card in ordered if is_joker(card))
    plain = [card for card in ordered if not is_joker(card)]
    suits = [
        " ".join(card_name(card)[:-1] for card in plain if suit_of(card) == suit)
        for suit in range(len(SUIT_LETTERS))
    ]
    return (jokers or NOBODY, *(suit or NOBODY for suit in suits))


def deal_table(story: Story) -> Table:
    """Every card as it was dealt: to the seats, to the kitties and to a dead hand."""
    table = holdings_table(story, story.deal.holdings)
    if story.deal.kitty:
        table.add_row("kitty", *suit_cells(story.deal.kitty))
    for seat, cards in enumerate(story.deal.personal):
        table.add_row(f"kitty of seat {seat}", *suit_cells(cards))
    if story.deal.dead:
        table.add_row("dead hand", *suit_cells(story.deal.dead))
    return table


def holdings_table(story: Story, holdings: tuple[Cards, ...]) -> Table:
    """The cards of every seat by suit."""
    table = plain_table("", "joker", *SUIT_SYMBOLS)
    dealer = story.record.started.dealer
    for seat, cards in enumerate(holdings):
        mark = " (dealer)" if seat == dealer else ""
        table.add_row(seat_name(story, seat) + mark, *suit_cells(cards))
    return table


def contract_line(story: Story, contract: Contract | None) -> str:
    """``8H by seat 2 careful@1, …`` with all that was settled."""
    if contract is None:
        return f"no contract{_too_low(story)}"
    if isinstance(contract.bid, Pass):
        return f"no contract{_too_low(story)}: everybody for himself"
    parts = [f"{contract.bid} by {seat_name(story, contract.contractor)}"]
    if contract.joker_suit is not None:
        parts.append(f"joker is {SUIT_SYMBOLS[contract.joker_suit]}")
    if contract.called is not None:
        parts.append(f"calls {card_name(contract.called)}")
    if contract.partners:
        parts.append(f"partner {', '.join(f'seat {seat}' for seat in contract.partners)}")
    return ", ".join(parts)


def _too_low(story: Story) -> str:
    """Why an auction that had bids came to no contract."""
    had_bids = any(isinstance(call, Bid) for _, call in story.steps[-1].auction)
    if not had_bids or _is_forfeit_in_auction(story):
        return ""
    return f", nobody bid {story.rules.min_contract} or more"


def _is_forfeit_in_auction(story: Story) -> bool:
    is_forfeit = story.record.ended.result.outcome is Outcome.FORFEITED
    return is_forfeit and story.steps[-1].contract is None


def decision_text(decided: Decided) -> str:
    """What a seat did, in words."""
    match decided.action:
        case Pass():
            return "passes"
        case Bid() as bid:
            return f"bids {bid}"
        case Exchange() as exchange:
            return _exchange_text(exchange)
        case Play() as play:
            return f"plays {play}"


def fault_text(decided: Decided) -> str:
    """The fault for which a decision was substituted; empty where the bot decided."""
    fault = decided.fault
    if fault is None:
        return ""
    reason = f": {harmless(fault.reason)}" if fault.reason else ""
    return f"{fault.kind.name}{reason}; played for it: {decision_text(decided)}"


def _tricks_table(story: Story) -> Table:
    """One trick a row, one seat a column; the winner's card is marked."""
    seats = [f"seat {seat}" for seat in range(story.rules.players)]
    table = plain_table("trick", "led by", *seats, "won by")
    pairs = zip(story.steps[-1].tricks, story.winners(), strict=True)
    for number, (trick, winner) in enumerate(pairs, start=1):
        if trick.seats:
            led_by = f"seat {trick.seats[0]}"
            table.add_row(str(number), led_by, *_trick_cells(story, trick, winner))
    return table


def _trick_cells(story: Story, trick: Trick, winner: int | None) -> Iterator[str]:
    played: Mapping[int, int] = dict(zip(trick.seats, trick.cards, strict=True))
    for seat in range(story.rules.players):
        card = played.get(seat)
        cell = NOBODY if card is None else card_name(card)
        if trick.named is not None and seat == trick.seats[0]:
            cell += f" names {SUIT_SYMBOLS[trick.named]}"
        yield f"{cell} {WINNER}" if seat == winner and card is not None else cell
    yield NOBODY if winner is None else f"seat {winner}"


def _heading(number: int, story: Story) -> str:
    key = story.record.started.key
    if not key.tournament:
        return f"Hand {number}"
    place = f"match {key.match}, board {key.board}, seating {key.seating}, hand {key.hand}"
    attempt = f", attempt {key.attempt}" if key.attempt else ""
    return f"Hand {number} of {key.tournament}: {place}{attempt}"


def _auction_table(story: Story) -> Table:
    """One round a row, one seat a column, from the first to speak."""
    players, dealer = story.rules.players, story.record.started.dealer
    order = [(dealer + 1 + place) % players for place in range(players)]
    table = plain_table("auction", *(f"seat {seat}" for seat in order))
    rounds: list[dict[int, str]] = []
    place = players
    for seat, call in story.steps[-1].auction:
        position = order.index(seat)
        if position <= place:
            rounds.append({})
        rounds[-1][seat] = "pass" if isinstance(call, Pass) else str(call)
        place = position
    for number, calls in enumerate(rounds, start=1):
        table.add_row(f"round {number}", *(calls.get(seat, "") for seat in order))
    return table


def _exchange_lines(story: Story) -> Iterator[str]:
    yield f"Contract: {contract_line(story, story.steps[-1].contract)}"
    for decided in story.record.decisions:
        if isinstance(decided.action, Exchange):
            yield f"{seat_name(story, decided.seat)} {decision_text(decided)}"


def _exchange_text(exchange: Exchange) -> str:
    text = f"throws {names(exchange.thrown) or 'nothing'}"
    if exchange.joker_suit is not None:
        text += f", makes the joker a {SUIT_SYMBOLS[exchange.joker_suit]}"
    if exchange.called is not None:
        text += f", calls {card_name(exchange.called)}"
    if exchange.partners:
        text += f", chooses {', '.join(f'seat {seat}' for seat in exchange.partners)}"
    return text


def _fault_lines(story: Story) -> Iterator[str]:
    for number, decided in enumerate(story.record.decisions, start=1):
        if decided.fault is not None:
            who = seat_name(story, decided.seat)
            yield f"Fault at step {number}, {who}: {fault_text(decided)}"


def _score_lines(story: Story) -> Iterator[str]:
    started, ended = story.record.started, story.record.ended
    result, rules = ended.result, story.rules
    yield f"Result: {_outcome_text(story)}"
    for side in range(rules.sides):
        seats = [seat for seat in range(rules.players) if rules.side_of(seat) == side]
        tricks = sum(story.steps[-1].tricks_won[seat] for seat in seats)
        before, change = started.scores_before[side], result.change[side]
        named = ", ".join(f"seat {seat}" for seat in seats)
        yield f"  {named}: {tricks} tricks, {before} {change:+d} = {before + change}"
    if result.game_over and story.games:
        yield f"The game is over; won by {_winners_text(story)}"


def _winners_text(story: Story) -> str:
    rules, winners = story.rules, story.record.ended.result.winners
    seats = [seat for seat in range(rules.players) if rules.side_of(seat) in winners]
    return ", ".join(seat_name(story, seat) for seat in seats) or "nobody"


def _forfeit_text(story: Story) -> str:
    started, blamed = story.record.started, story.record.ended.forfeited_by
    seats = [seat for seat, entrant in enumerate(started.entrants) if entrant == blamed]
    who = ", ".join(seat_name(story, seat) for seat in seats)
    return f"forfeited by {who}; the points are the fault policy's forfeit, not the hand's"


def _outcome_text(story: Story) -> str:
    ended = story.record.ended
    contract = ended.result.contract
    match ended.result.outcome:
        case Outcome.PASSED_OUT:
            return f"passed out{_too_low(story)}"
        case Outcome.FORFEITED:
            return _forfeit_text(story)
        case Outcome.PLAYED if contract is None or isinstance(contract.bid, Pass):
            return "played out without a contract"
        case Outcome.PLAYED:
            kept = is_made(story.rules, contract, ended.result.tricks_won)
            return f"{contract.bid} {'made' if kept else 'failed'}"
