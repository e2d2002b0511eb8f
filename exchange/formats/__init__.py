"""The boards of a session as files: one file a format, which holds its writing and its record.

A new one is its file and its line in `FORMATS`.
"""

from exchange.formats import dup, lin, pbn, pbn_plays, second_play
from exchange.formats.values import Format, Place, Words
from tournaments.models import Event

FORMATS: tuple[Format, ...] = (
    pbn.FORMAT,
    pbn_plays.FORMAT,
    dup.FORMAT,
    lin.FORMAT,
    second_play.SECOND_PBN,
    second_play.SECOND_DUP,
)
"""Every format, as pages offer them."""


def formats() -> dict[str, Format]:
    """Every format by its name."""
    return {each.name: each for each in FORMATS}


def offered(place: Place, event: Event) -> list[tuple[Format, Words]]:
    """The formats that an event's page offers, each with the words of its button."""
    return [
        (each, each.offers[place])
        for each in FORMATS
        if place in each.offers and each.fits(event)
    ]
