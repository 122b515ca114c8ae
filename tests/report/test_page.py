"""The page as a browser reads it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

import pytest

from fivehundred.ratings.values import Estimate
from fivehundred.report.page import page
from fivehundred.report.values import Report

ReportOf = Callable[[str], Report]

TOURNAMENTS = (
    *("cup", "empty", "lone", "games", "open", "solo", "swiss", "test", "knockout", "stages"),
)
VOID = {"meta", "br", "hr", "img", "input", "link", "line", "circle", "rect", "path"}


@dataclass
class Parsed(HTMLParser):
    """The elements of a page, checked for being closed in order."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    is_open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "data":
            self.numbers.append(float(dict(attrs)["value"] or "nan"))
        if tag not in VOID:
            self.is_open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.is_open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def all(self, *names: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of some names."""
        return [attributes for tag, attributes in self.tags if tag in names]


def parsed(text: str) -> Parsed:
    """A page, read whole."""
    reader = Parsed()
    reader.feed(text)
    reader.close()
    assert reader.is_open == []
    return reader


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_every_element_is_closed_and_every_id_is_one(report_of: ReportOf, name: str) -> None:
    read = parsed(page(report_of(name)))

    ids = [attributes["id"] for _, attributes in read.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    links = {str(each["href"]) for each in read.all("a")}
    assert links <= {f"#{each}" for each in ids}


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_nothing_is_fetched_and_nothing_is_run(report_of: ReportOf, name: str) -> None:
    text = page(report_of(name))
    read = parsed(text)

    styles = "".join(re.findall(r"<style>(.*?)</style>", text, re.DOTALL))
    assert styles
    assert not re.search(r"url\(|@import|//", styles)
    assert not read.all("script", "link", "iframe", "object", "embed", "img", "image", "use")
    attributes = [name for _, found in read.tags for name in found]
    assert not [name for name in attributes if name.startswith("on") or name in ("src", "style")]
    assert "default-src 'none'" in str(read.all("meta"))


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_every_drawing_and_every_table_has_its_words(report_of: ReportOf, name: str) -> None:
    text = page(report_of(name))
    read = parsed(text)

    ids = {str(each.get("id")) for each in read.all("title", "desc")}
    for drawing in read.all("svg"):
        if "role" in drawing:
            assert set(str(drawing["aria-labelledby"]).split()) <= ids
    assert len(read.all("table")) == len(read.all("caption")) > 0
    headings = [tag for tag, _ in read.tags if tag in ("h1", "h2", "h3")]
    assert headings[0] == "h1"
    assert headings.count("h1") == 1


def estimates(report: Report) -> list[Estimate]:
    """Every estimate of the standings."""
    rows = report.standings.rows
    return [each for row in rows for each in (row.points_per_hand, row.elo)]


@pytest.mark.parametrize("name", ["cup", "lone", "games", "open", "solo"])
def test_its_numbers_are_those_of_the_standings_to_the_last_digit(
    report_of: ReportOf, name: str
) -> None:
    report = report_of(name)

    numbers = parsed(page(report)).numbers

    known = [each.value for each in estimates(report) if each.value is not None]
    known += (
        [met.margin.value or 0.0 for met in report.crosstable.values()] if name == "cup" else []
    )
    assert known
    assert [number for number in known if number not in numbers] == []


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_the_same_report_is_the_same_bytes(report_of: ReportOf, name: str) -> None:
    assert page(report_of(name)) == page(report_of(name))


@pytest.mark.parametrize("name", ["games", "open"])
def test_the_names_of_bots_stay_text(report_of: ReportOf, name: str) -> None:
    text = page(report_of(name))
    read = parsed(text)

    shown = "".join(read.texts)
    assert "<script>alert(1)</script>@1" in shown
    assert "\\x1b[31m\\u202egnp@</style>" in shown
    assert "{{ facts }} &amp; ]]>\\r\\n\\x00@2" in shown
    assert not read.all("script")
    assert len(read.all("style")) == 1
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", text)


def test_whatever_stands_in_words_stays_text(report_of: ReportOf) -> None:
    report = report_of("open")
    evil = "<img src=x onerror=alert(1)>\x1b"
    facts = replace(
        report.facts,
        reason=evil,
        rules=evil,
        definition=f"{evil}\n</pre>{evil}",
        parameters=((evil, evil),),
        rule_parameters=((evil, evil),),
    )

    read = parsed(page(replace(report, facts=facts)))

    assert not read.all("img")
    assert "".join(read.texts).count("<img src=x onerror=alert(1)>\\x1b") >= 8


def test_a_tournament_that_is_not_finished_says_so_and_keeps_its_seed(report_of: ReportOf) -> None:
    report = report_of("open")
    text = page(report)

    assert "Not finished: running." in "".join(parsed(text).texts)
    assert report.facts.seed == ""
    assert bytes(range(32)).hex() not in text
    assert report.facts.seed_commitment in text


def test_a_finished_tournament_shows_what_proves_it(report_of: ReportOf) -> None:
    facts = report_of("cup").facts
    text = page(report_of("cup"))

    assert "Not finished" not in text
    assert facts.seed == bytes(range(32)).hex()
    for proof in (facts.seed, facts.seed_commitment, facts.rules_hash, facts.log_digest, "1.2.3"):
        assert proof in text
    assert "fivehundred verify DATABASE --tournament cup" in text


def test_a_tournament_without_hands_has_a_page_without_numbers(report_of: ReportOf) -> None:
    read = parsed(page(report_of("empty")))

    text = "".join(read.texts)
    assert read.numbers == []
    assert "No two entrants have played a whole board" in text
    assert "nan" not in text.split()


def test_what_ranks_is_named_with_its_reason(report_of: ReportOf) -> None:
    boards, games = page(report_of("cup")), page(report_of("games"))

    assert "Ranked by points per hand, because" in boards
    assert "Ranked by Elo, from games won, because" in games
