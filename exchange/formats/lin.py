"""The export of a session's boards as LIN for bridge programs."""

from django.utils.translation import gettext_lazy

from boards import lin
from exchange.formats.values import BoardFileFormat, DownloadPage
from scoring.session_snapshot import SessionSnapshot


def format_lin(snapshot: SessionSnapshot) -> bytes:
    """Return a session's boards as a LIN file for a bridge program."""
    return lin.format_lin(snapshot.session.load_known_deals()).encode()


FORMAT = BoardFileFormat(
    name="lin",
    title="LIN",
    media_type="text/plain; charset=utf-8",
    extension="lin",
    has_cards=True,
    labels_by_page={DownloadPage.HANDS: gettext_lazy("Save as LIN")},
    write_file=format_lin,
)
