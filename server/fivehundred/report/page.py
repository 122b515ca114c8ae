"""The report as one page of HTML: everything is in it, and nothing is fetched."""

from functools import lru_cache
from importlib.resources import files

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup, escape

from fivehundred.ratings.values import Estimate
from fivehundred.report.text import (
    count_text,
    harmless,
    interval_text,
    number_text,
    time_text,
)
from fivehundred.report.values import Report
from fivehundred.report.view import view

TEMPLATES = ("report.html.j2", "charts.html.j2")


def page(report: Report) -> str:
    """The page; names of strangers stay text whatever is in them."""
    template = _environment().get_template("report.html.j2")
    return template.render(facts=report.facts, page=view(report)).lstrip() + "\n"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    made = Environment(
        loader=DictLoader({name: _text(name) for name in TEMPLATES}),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_harmless,
        trim_blocks=True,
    )
    made.globals["css"] = Markup(_text("report.css"))
    made.filters |= {
        "block": _block,
        "count": count_text,
        "time": time_text,
        "number": number_text,
        "signed": lambda number: number_text(number, "+.1f"),
        "plain": lambda number: number_text(number, ".0f"),
        "halves": lambda number: number_text(number, "g"),
        "interval": interval_text,
        "signed_interval": lambda estimate: _ends(estimate, "+.1f"),
        "plain_interval": lambda estimate: _ends(estimate, ".0f"),
    }
    return made


def _text(name: str) -> str:
    return files("fivehundred.report").joinpath("templates", name).read_text(encoding="utf-8")


def _harmless(value: object) -> object:
    """What a template puts out; markup of its own stays as it is."""
    return harmless(value) if type(value) is str else value


def _block(text: str) -> Markup:
    """Lines of a stranger's text."""
    return Markup("\n").join(escape(harmless(line)) for line in text.split("\n"))


def _ends(estimate: Estimate, form: str) -> str:
    return interval_text(estimate, form)
