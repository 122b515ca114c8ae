"""Pages of lists: their sizes and the tokens that ask for the next."""

from fivehundred.wire.errors import InvalidArgument, Violation

MOST_NUMBER = (1 << 63) - 1
"""The highest number that a database knows."""

TOKEN_DIGITS = 18


def page_size(wanted: int, *, default: int, most: int) -> int:
    """The size of a page: what is wanted within bounds."""
    return min(wanted or default, most)


def number_of(token: str) -> int:
    """The number that a page's token holds; raises `InvalidArgument` for any other text."""
    if not (token.isascii() and token.isdecimal() and len(token) <= TOKEN_DIGITS):
        raise InvalidArgument([Violation("page_token", "write the next_page_token of a page")])
    return int(token)
