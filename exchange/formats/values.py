"""The description of a file format for the boards of a session."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise

from scoring.session_snapshot import SessionSnapshot
from tournaments.models import Event

Label = str | Promise


class DownloadPage(StrEnum):
    """The pages that offer files; templates use these values."""

    HANDS = "hands"  # the public page of hands, after the session is closed
    # the director's page after the session is closed, for bridge programs
    DIRECTOR = "director"
    DEALING_MACHINE = "machine"  # the director's page before play, for dealing machines


def is_offered_for_any_event(_event: Event) -> bool:
    """Return True: the default test of whether an event offers a format."""
    return True


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardFileFormat:
    """One file format for the boards of a session.

    `write_file` takes a session snapshot and returns the file. It raises UnusableBoards if the
    format cannot represent the boards.
    """

    name: str  # used in URLs and in the history
    title: Label
    media_type: str
    extension: str
    has_cards: bool  # whether the file has cards, which must stay secret
    # the label of the download button, by page that offers the format
    labels_by_page: Mapping[DownloadPage, Label]
    write_file: Callable[[SessionSnapshot], bytes]
    is_offered_for: Callable[[Event], bool] = (
        is_offered_for_any_event  # whether an event offers it
    )
