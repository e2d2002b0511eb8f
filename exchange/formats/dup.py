"""The export of a session's boards as DUP for dealing machines, with dealers and turn-ups."""

from django.utils.translation import gettext_lazy

from boards import dup
from exchange.formats.values import BoardFileFormat, OfferingPage
from scoring.session_snapshot import SessionSnapshot


def write_dup(snapshot: SessionSnapshot) -> bytes:
    """Return a session's boards as a DUP file for a dealing machine."""
    return dup.write_dup(snapshot.session.load_known_deals())


FORMAT = BoardFileFormat(
    name="dup",
    title="DUP",
    media_type="application/octet-stream",
    extension="dup",
    reveals_cards=True,
    button_labels={OfferingPage.DEALING_MACHINE: gettext_lazy("DUP")},
    write_file=write_dup,
)
