"""The score and the end of the game in English."""

from collections.abc import Iterator

from fivehundred.cli.rules_english_words import (
    contracting,
    lose_all,
    number,
    partners,
    pronoun,
    side,
)
from fivehundred.rules.bids import bid_value, ladder
from fivehundred.rules.ruleset import (
    FloorEffect,
    Growth,
    RuleSet,
    SeveralReach,
    Share,
    WinCondition,
)
from fivehundred.rules.scoring import tricks_score


def contract(rules: RuleSet) -> Iterator[str]:
    """What a contract scores."""
    who = contracting(rules)
    yield f"A numbered contract is made if {who} wins at least as many tricks as bid."
    yield "It then scores its value, which is in the table; more tricks score no more."
    yield _growth(rules)
    if rules.slam_minimum:
        least = rules.slam_minimum
        yield f"But a numbered contract made with all ten tricks scores at least {least}."
    if rules.special_bids:
        yield "A special bid scores its own value."
    yield from _failed(rules)
    yield from _share(rules)


def _growth(rules: RuleSet) -> str:
    if rules.growth is Growth.PLUS_100:
        return "With each trick more that is bid the value grows by 100."
    return (
        "With each trick more that is bid the value grows by that of a bid of six in the same suit."
    )


def _failed(rules: RuleSet) -> Iterator[str]:
    loses = "loses its value" if rules.set_back else "scores nothing"
    gain = f", and each defending {side(rules)} scores its value" if rules.defenders_collect else ""
    yield f"If a contract fails, {contracting(rules)} {loses}{gain}."


def _share(rules: RuleSet) -> Iterator[str]:
    call = rules.call
    if call is None:
        return
    both = f"the contractor and {partners(rules)}"
    lost = " or loses" if rules.set_back else ""
    if call.share is Share.FULL:
        yield f"Of {both} each gains{lost} the whole value."
        return
    rounded = ", rounded down" if _has_odd_value(rules) else ""
    yield f"Of {both} each gains{lost} half the value{rounded}; alone he has all of it."


def _has_odd_value(rules: RuleSet) -> bool:
    values = [bid_value(rules, bid) for bid in ladder(rules)]
    return any(value % 2 for value in (*values, rules.slam_minimum))


def defence(rules: RuleSet) -> Iterator[str]:
    """What tricks score."""
    points, names = rules.defender_trick_points, lose_all(rules)
    if points:
        except_in = f", but not in {names}" if names else ""
        each = f"Each defending {side(rules)} scores {number(points)}"
        won = f"every trick that {pronoun(rules)} wins"
        yield f"{each} for {won}, whether the contract is made or not{except_in}."
    else:
        yield "Defenders score nothing for their tricks."
    if rules.defender_ceiling is not None and tricks_score(rules):
        yield f"Points for tricks lift no score past {rules.defender_ceiling}."


def target(rules: RuleSet) -> Iterator[str]:
    """What wins the game."""
    who, score = side(rules), rules.target
    if rules.win_condition is WinCondition.OWN_CONTRACT:
        leaves = f"leaves {_object(rules)} at {score} or more"
        yield f"A {who} wins the game by making a contract that {leaves}."
        if tricks_score(rules) or rules.defenders_collect:
            yield "Other points that lead there are not enough: it takes one more contract."
        if rules.call is not None:
            yield f"The contractor and {partners(rules)} may win together."
        return
    yield f"A {who} with {score} or more after a hand wins the game, whatever the points are for."
    yield from _several(rules)


def _object(rules: RuleSet) -> str:
    return "it" if pronoun(rules) == "it" else "him"


def _several(rules: RuleSet) -> Iterator[str]:
    most = f"the {side(rules)} with most points wins"
    match rules.several_reach:
        case SeveralReach.HIGHEST:
            yield f"If several have, {most}."
        case SeveralReach.CONTRACTOR_THEN_HIGHEST:
            yield f"{_contractor_first(rules)}; otherwise {most}."
        case SeveralReach.CONTRACTOR_THEN_EARLIEST:
            first = f"the {side(rules)} first taken there by tricks"
            yield f"{_contractor_first(rules)}; otherwise {first} wins."
            yield f"If that is none or several, {most}."
    yield "If most points are equal, another hand is played."


def _contractor_first(rules: RuleSet) -> str:
    if rules.call is not None:
        both = f"the contractor and {partners(rules)}"
        return f"If several have and the contract is made, those win who are among {both}"
    who = contracting(rules)
    return f"If several have, {who} wins if among them and if the contract is made"


def floor(rules: RuleSet) -> Iterator[str]:
    """What loses the game."""
    who, low = side(rules), rules.floor
    if low is None:
        yield "No score, however low, ends the game."
        return
    spared = f", unless every {who} is below zero"
    if rules.floor_effect is FloorEffect.LOSES:
        spared = ""
    yield f"If nobody wins so, a {who} with {low} or less after a hand loses the game{spared}."
    if rules.sides == 2:
        yield "The other wins; if both are as low, the one with more points, or both if equal."
    else:
        yield "Of the others, or of all if all are as low, the best wins, equal ones together."
