"""The boards of a session as files: one file a format, which holds its writing and its record.

A new one is its file and its line in `FORMATS`.
"""

from exchange.formats import dup, lin, pbn, pbn_plays
from exchange.formats.values import Format, Place, Words

__all__ = ["FORMATS", "Format", "Place", "Words", "formats", "offered"]

FORMATS: tuple[Format, ...] = (pbn.FORMAT, pbn_plays.FORMAT, dup.FORMAT, lin.FORMAT)
"""Every format, as pages offer them."""


def formats() -> dict[str, Format]:
    """Every format by its name."""
    return {each.name: each for each in FORMATS}


def offered(place: Place) -> list[tuple[Format, Words]]:
    """The formats that are offered in a place, each with the words of its button."""
    return [(each, each.offers[place]) for each in FORMATS if place in each.offers]
