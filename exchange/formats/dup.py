"""The export of a session's boards as DUP for dealing machines, with dealers and turn-ups."""

from django.utils.translation import gettext_lazy

from boards import dup
from exchange.formats.values import BoardFileFormat, DownloadPage
from scoring.session_snapshot import SessionSnapshot


def format_dup(snapshot: SessionSnapshot) -> bytes:
    """Return a session's boards as a DUP file for a dealing machine."""
    return dup.format_dup(snapshot.session.load_known_deals())


FORMAT = BoardFileFormat(
    name="dup",
    title="DUP",
    media_type="application/octet-stream",
    extension="dup",
    has_cards=True,
    labels_by_page={DownloadPage.DEALING_MACHINE: gettext_lazy("DUP")},
    write_file=format_dup,
)
