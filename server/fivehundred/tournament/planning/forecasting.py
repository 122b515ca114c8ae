"""Forecasts: an event, and what is known or assumed of its boards, hands and pace, put together."""

import math
from collections.abc import Sequence
from dataclasses import replace

from fivehundred.rules.ruleset import RuleSet
from fivehundred.tournament.formats.forms import Compared, Form, LadderForm, SequentialForm
from fivehundred.tournament.formats.values import Format, Size
from fivehundred.tournament.planning.assumed import (
    BYTES_A_HAND,
    HANDS_A_GAME,
    SHARES,
    SOURCE,
    assumed,
)
from fivehundred.tournament.planning.checks import limit_doubts, time_doubts
from fivehundred.tournament.planning.costs import (
    ANSWER_S,
    OWN_S,
    Decisions,
    Pace,
    expected_decisions,
    most_decisions,
    worst_match_s,
)
from fivehundred.tournament.planning.courses import (
    Course,
    between_two,
    courses,
    longest,
    match_sizes,
)
from fivehundred.tournament.planning.design import Setting
from fivehundred.tournament.planning.evidence import DEAL_SHARE, Unit, Variances
from fivehundred.tournament.planning.resolution import Resolution, resolve
from fivehundred.tournament.planning.stopping import Stopping, cap_doubts, stopping
from fivehundred.tournament.planning.values import Amount, Event, Forecast, Known, Nonsense
from fivehundred.tournament.seatings import seatings

FEW_BOARDS = 10
"""Of fewer an interval is wider by a fifth and more for its being estimated."""
NOTHING = Known()
OPEN_MATCHES = 1_000
"""A ladder without an end is looked at so far."""
LADDER_ROUNDS = 5
"""After so many matches for each entrant a longer ladder goes on alike."""


def forecast(event: Event, known: Known = NOTHING, within_s: float | None = None) -> Forecast:
    """What an event costs and resolves; raises `Nonsense`.

    ``within_s`` is how long it may take; a warning says where it may take longer.
    """
    return _Planner(event, known, within_s).forecast()


class _Planner:
    """Works a forecast out."""

    def __init__(self, event: Event, known: Known, within_s: float | None) -> None:
        self._event = event
        self._known = known
        self._within_s = within_s
        self._assumptions: list[str] = []
        self._warnings: list[str] = []

    def forecast(self) -> Forecast:
        """The forecast."""
        event = self._event
        self._warnings += limit_doubts(event.limits, is_launched=event.is_launched)
        size = self._size()
        if size.most is not None and size.most * event.boards_per_match < 2:
            raise Nonsense("one board in all has no error: play 2 boards or more, better hundreds")
        stoppings = self._stoppings()
        ways = self._courses(stoppings)
        matches = self._matches(size, ways, stoppings)
        boards = matches.times(event.boards_per_match)
        hands = self._hands(matches, ways)
        resolutions = self._resolutions(ways)
        of_hand = self._decisions()
        expected_s = self._expected_s(hands.expected, of_hand.total, ways)
        worst_s = self._worst_s(ways)
        self._warnings += time_doubts(expected_s, worst_s, self._within_s)
        return Forecast(
            matches=matches,
            boards=boards,
            hands=hands,
            decisions=of_hand.times(hands.expected),
            most_decisions_a_hand=most_decisions(event.rules),
            expected_s=expected_s,
            worst_s=worst_s,
            bytes=hands.expected * self._bytes_a_hand(),
            resolutions=resolutions,
            other_resolutions=self._other_resolutions(ways),
            stoppings=stoppings,
            assumptions=tuple(self._assumptions),
            warnings=tuple(self._warnings),
        )

    def _make(self) -> Format:
        return self._form.format(self._event.rules, len(self._event.names))

    @property
    def _form(self) -> Form:
        """The event's, a ladder being cut where it only goes on alike."""
        form = self._event.form
        if isinstance(form, LadderForm):
            return replace(form, matches=min(form.matches or OPEN_MATCHES, self._alike_after))
        return form

    @property
    def _alike_after(self) -> int:
        return max(OPEN_MATCHES, LADDER_ROUNDS * len(self._event.names))

    def _size(self) -> Size:
        event = self._event
        if len(event.names) < 2:
            raise Nonsense(f"{len(event.names)} entrants have no opponents: name 2 or more")
        try:
            size = event.form.format(event.rules, len(event.names)).size
        except ValueError as error:
            raise Nonsense(str(error)) from None
        if size.most is None:
            self._assumptions.append(
                f"the ladder has no end: figures are of its first {OPEN_MATCHES:,} matches"
            )
        return size

    def _courses(self, stoppings: Sequence[Stopping]) -> tuple[Course, ...]:
        event, form = self._event, self._event.form
        if isinstance(form, SequentialForm):
            at_once = min(event.tables, form.ahead)
            judged = stoppings[len(stoppings) // 2].of("midway").matches
            played = min(form.most, round(judged) + form.ahead - 1)
            return (between_two(played, at_once),)
        teams = event.rules.sides
        ways = courses(
            self._make, len(event.names), event.tables, by_round=event.common, teams=teams
        )
        if isinstance(form, LadderForm) and form.matches and ways[0].matches:
            ways = tuple(way.times(form.matches / way.matches) for way in ways)
        return ways

    def _matches(self, size: Size, ways: Sequence[Course], stoppings: Sequence[Stopping]) -> Amount:
        expected = sum(course.matches for course in ways) / len(ways)
        if stoppings or size.expected is None or not ways:
            return Amount(size.least, expected, size.most)
        return Amount(size.least, size.expected, size.most)

    def _hands(self, matches: Amount, ways: Sequence[Course]) -> Amount:
        """In the matches of so many; those of stages may differ in their seatings."""
        event = self._event
        sittings = event.boards_per_match * _mean_seatings(event.rules, ways)
        if not event.games:
            return matches.times(sittings)
        hands = self._hands_a_game()
        amount = matches.times(sittings * hands, sittings * event.max_deals)
        return Amount(matches.least * sittings, amount.expected, amount.most)

    def _hands_a_game(self) -> float:
        if self._known.hands_a_game is not None:
            return self._known.hands_a_game
        hands = min(HANDS_A_GAME, self._event.max_deals)
        self._assume(f"{hands:g} hands a game")
        return hands

    def _decisions(self) -> Decisions:
        if self._known.decisions is not None:
            return self._known.decisions
        found = expected_decisions(self._event.rules)
        self._assume(
            f"{found.total:g} decisions a hand ({found.bids:g} bids, {found.discards:g}"
            f" discards, {found.plays:g} plays), from the rules"
        )
        return found

    def _bytes_a_hand(self) -> float:
        if self._known.bytes_a_hand is not None:
            return self._known.bytes_a_hand
        found = BYTES_A_HAND * self._event.rules.players / 4
        self._assume(f"{found:,.0f} bytes a hand")
        return found

    def _expected_s(self, hands: float, decisions: float, ways: Sequence[Course]) -> float:
        """Of so many hands, with so many decisions each."""
        pace = self._known.pace
        if pace is None:
            pace = Pace(ANSWER_S * decisions)
            self._assume(f"bots that answer in {ANSWER_S * 1000:g} ms, on a quiet machine")
        self._assume(f"{OWN_S * 1000:g} ms of the daemon's own for a decision")
        waves = sum(course.waves for course in ways)
        at_once = sum(course.matches for course in ways) / max(1, waves)
        return hands * pace.hand_s(at_once, decisions)

    def _worst_s(self, ways: Sequence[Course]) -> float | None:
        event, form = self._event, self._event.form
        most = form.format(event.rules, len(event.names)).size.most
        if most is None:
            return None
        slots = max(match_sizes(ways))
        hands = event.boards_per_match * len(seatings(event.rules, slots)) * event.max_deals
        match_s = worst_match_s(event.rules, event.limits, hands, slots)
        if isinstance(form, SequentialForm):
            waves = -(-form.most // min(event.tables, form.ahead))
        else:
            waves = longest(self._make, event.tables, ways)
        return event.limits.connect + waves * match_s

    def _resolutions(self, ways: Sequence[Course]) -> tuple[Resolution, ...]:
        unit = self._event.unit
        setting = self._setting(unit)
        found = tuple(resolve(setting, ways, each) for each in self._variances(unit, ways))
        if all(each.half_width is None for each in found):
            raise Nonsense(
                f"{self._event.boards_per_match} boards a match leave no entrant an interval:"
                " play so many that each has 2 boards, and all together more than there are"
                " entrants"
            )
        self._check_boards(ways, found)
        if self._event.common:
            self._assume(
                f"a correlation of {DEAL_SHARE:g} between a bot's results on one deal against two"
                " opponents"
            )
        return found

    def _check_boards(self, ways: Sequence[Course], found: Sequence[Resolution]) -> None:
        without = max(each.without for each in found)
        if without > 0:
            self._warnings.append(
                f"{without:.0%} of the entrants have too few boards for an interval: play more"
                " boards a match"
            )
        fewest = min(_fewest_boards(course, self._event) for course in ways)
        if fewest < FEW_BOARDS and without == 0:
            self._warnings.append(
                f"an entrant may have no more than {fewest} boards: its interval is wide and"
                " rough, or one-sided"
            )

    def _other_resolutions(self, ways: Sequence[Course]) -> tuple[Resolution, ...]:
        event, unit = self._event, self._event.other_unit
        found = self._known.variances(unit)
        if found is not None and self._covers(found, ways):
            return (resolve(self._setting(unit), ways, found),)
        if unit is not event.ranked_unit:
            return ()
        setting = self._setting(unit)
        return tuple(resolve(setting, ways, each) for each in self._variances(unit, ways))

    def _setting(self, unit: Unit) -> Setting:
        event = self._event
        anchor = event.anchor if unit is Unit.ELO else None
        sides = event.rules.sides
        return Setting(event.names, event.boards_per_match, sides, event.common, anchor)

    def _variances(self, unit: Unit, ways: Sequence[Course]) -> tuple[Variances, ...]:
        found = self._known.variances(unit)
        if found is not None and self._covers(found, ways):
            return (found,)
        self._assume(
            f"how much luck is left on a board, by how alike the bots are ({unit.value}): {SOURCE}"
        )
        return assumed(self._event.rules, unit, match_sizes(ways))

    def _covers(self, found: Variances, ways: Sequence[Course]) -> bool:
        return all(found.knows(min(slots, self._event.rules.sides)) for slots in match_sizes(ways))

    def _stoppings(self) -> tuple[Stopping, ...]:
        form = self._event.form
        if not isinstance(form, SequentialForm):
            return ()
        spreads = self._test_spreads(form)
        found = tuple(stopping(form, kind, spread) for kind, spread in spreads)
        self._warnings += cap_doubts(form, found[len(found) // 2])
        return found

    def _test_spreads(self, form: SequentialForm) -> list[tuple[str, float]]:
        """How much what is tested varies from match to match, by how that is known."""
        event = self._event
        boards = math.sqrt(event.boards_per_match)
        way = (between_two(2, 1),)
        if form.tested is Compared.MARGINS:
            known = self._variances(Unit.POINTS, way)
            table = tuple(sorted((name,) for name in event.names))
            return [(each.kind, each.of(table).deviation / boards) for each in known]
        measured = self._measured_share()
        if measured > 0:
            self._assume("that near an even result a share varies as measured, to scale")
            return [("measured", measured / boards)]
        self._assume("how much a share of a board's hands or games varies")
        kinds = [each.kind for each in assumed(event.rules, Unit.POINTS, [2])]
        return [(kind, share / boards) for kind, share in zip(kinds, SHARES, strict=True)]

    def _measured_share(self) -> float:
        """The standard deviation of an even share of a board; 0 where it is not known.

        Shares vary by ``p (1 - p)`` as well, which the information has as a factor.
        """
        event, known = self._event, self._known.elo
        if known is None or not known.knows(2):
            return 0.0
        found = known.of(tuple(sorted((name,) for name in event.names)))
        excess = float(found.pull[0, 0]) / float(found.information[0, 0])
        return math.sqrt(excess / 4 / len(seatings(event.rules, 2)))

    def _assume(self, text: str) -> None:
        if text not in self._assumptions:
            self._assumptions.append(text)


def _mean_seatings(rules: RuleSet, ways: Sequence[Course]) -> float:
    slots = match_sizes(ways)
    hands = sum(matches * len(seatings(rules, size)) for size, matches in slots.items())
    return hands / slots.total()


def _fewest_boards(course: Course, event: Event) -> int:
    boards = [0] * len(event.names)
    for (_, table), matches in course.tables.items():
        for entrant in table:
            boards[entrant] += matches * event.boards_per_match
    return min(boards)
