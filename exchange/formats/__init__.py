"""The file formats for a session's boards, each in its own module."""

from exchange.formats import dup, lin, pbn, pbn_plays, second_play
from exchange.formats.values import BoardFileFormat, DownloadPage, Label
from tournaments.models import Event

FORMATS: tuple[BoardFileFormat, ...] = (
    pbn.FORMAT,
    pbn_plays.FORMAT,
    dup.FORMAT,
    lin.FORMAT,
    second_play.SECOND_PLAY_PBN_FORMAT,
    second_play.SECOND_PLAY_DUP_FORMAT,
)
"""All formats, in the order of display."""


def map_formats_by_name() -> dict[str, BoardFileFormat]:
    """Return all formats by name."""
    return {file_format.name: file_format for file_format in FORMATS}


def list_offered_formats(
    page: DownloadPage, event: Event
) -> list[tuple[BoardFileFormat, Label]]:
    """Return the formats that a page of an event offers, each with its button label."""
    return [
        (file_format, file_format.labels_by_page[page])
        for file_format in FORMATS
        if page in file_format.labels_by_page and file_format.is_offered_for(event)
    ]
