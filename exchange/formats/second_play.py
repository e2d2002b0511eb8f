"""The export of the second play of memory duplicate, in which the suits are exchanged."""

from collections.abc import Mapping
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards import dup, pbn
from boards.whist import Deal, UnusableBoards
from boards.whist.second_suits import build_second_play_deal
from exchange.formats.dup import FORMAT as DUP
from exchange.formats.pbn import FORMAT as PBN
from exchange.formats.values import DownloadPage
from scoring.session_snapshot import SessionSnapshot
from tournaments.models import Event


def format_pbn(snapshot: SessionSnapshot) -> bytes:
    """Return the boards of the second play as a PBN file without results."""
    session = snapshot.session
    return pbn.format_pbn(
        _load_second_play_deals(snapshot),
        event_name=session.event.name,
        site=session.event.club.name,
        date=session.day.strftime("%Y.%m.%d"),
    ).encode()


def format_dup(snapshot: SessionSnapshot) -> bytes:
    """Return the boards of the second play as a DUP file for a dealing machine."""
    return dup.format_dup(_load_second_play_deals(snapshot))


def has_second_play(event: Event) -> bool:
    """Return whether an event has a second play with exchanged suits."""
    return event.other_suits


def _load_second_play_deals(snapshot: SessionSnapshot) -> Mapping[int, Deal]:
    if not snapshot.session.event.other_suits:
        raise UnusableBoards([_("This event has no second play in other suits.")])
    return {
        board_number: build_second_play_deal(deal)
        for board_number, deal in snapshot.session.load_known_deals().items()
    }


SECOND_PLAY_PBN_FORMAT = replace(
    PBN,
    name="pbn-second-play",
    title=gettext_lazy("PBN, second play"),
    labels_by_page={DownloadPage.DEALING_MACHINE: gettext_lazy("PBN, second play")},
    write_file=format_pbn,
    is_offered_for=has_second_play,
)
SECOND_PLAY_DUP_FORMAT = replace(
    DUP,
    name="dup-second-play",
    title=gettext_lazy("DUP, second play"),
    labels_by_page={DownloadPage.DEALING_MACHINE: gettext_lazy("DUP, second play")},
    write_file=format_dup,
    is_offered_for=has_second_play,
)
