"""The record of a file format for the boards of a session."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise

from scoring.session_snapshot import SessionSnapshot
from tournaments.models import Event

Words = str | Promise


class OfferingPage(StrEnum):
    """The page that offers a file; templates use the values."""

    HANDS = "hands"  # public, next to the hands of a closed session
    DIRECTOR = "director"  # for the director after the close, for bridge programs
    MACHINE = "machine"  # for the director before play, for the dealing machine


def is_any_event(_event: Event) -> bool:
    """Return True, for a format that is offered for every event."""
    return True


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardFileFormat:
    """One file format for the boards of a session.

    `write` takes a session that was read once and returns the file. It raises UnusableBoards if
    the format cannot represent these boards.
    """

    name: str  # used in URLs and in the history
    title: Words
    media_type: str
    extension: str
    reveals_cards: bool  # it shows cards, so secrecy rules apply
    button_labels: Mapping[
        OfferingPage, Words
    ]  # the pages that offer it, with the label of the button
    write: Callable[[SessionSnapshot], bytes]
    is_offered_for: Callable[[Event], bool] = is_any_event  # the events whose pages offer it
