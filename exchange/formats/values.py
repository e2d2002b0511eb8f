"""A format of files for the boards of a session, whole: one record says everything."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise

from scoring.sittings import SeatedSession
from tournaments.models import Event

Words = str | Promise


class Place(StrEnum):
    """Where a file is offered; the values are those that templates use."""

    HANDS = "hands"  # to everybody, beside the hands of a closed session
    DIRECTOR = "director"  # to the director after the close, for bridge programs
    MACHINE = "machine"  # to the director before play, for the dealing machine


def any_event(_event: Event) -> bool:
    """Offer a file for every event."""
    return True


@dataclass(frozen=True, kw_only=True, slots=True)
class Format:
    """Everything about one kind of file.

    `write` takes a session as it was read once and returns the file; it raises UnusableBoards
    where the format cannot hold these boards.
    """

    name: str  # as addresses and the history have it
    title: Words
    media_type: str
    extension: str
    tells_cards: bool  # secrecy then decides when it is handed out, and to whom
    offers: Mapping[Place, Words]  # where it is offered, and what its button says there
    write: Callable[[SeatedSession], bytes]
    fits: Callable[[Event], bool] = any_event  # the events whose pages offer it
