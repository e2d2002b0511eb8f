"""The boards of a session as DUP, for dealing machines: cards, dealers and turn-ups."""

from django.utils.translation import gettext_lazy

from boards import dup
from exchange.formats.values import Format, Place
from scoring.sittings import SeatedSession


def write(room: SeatedSession) -> bytes:
    """Return the boards of a session as DUP, for a dealing machine."""
    return dup.write(room.session.deals_known())


FORMAT = Format(
    name="dup",
    title="DUP",
    media_type="application/octet-stream",
    extension="dup",
    tells_cards=True,
    offers={Place.MACHINE: gettext_lazy("DUP")},
    write=write,
)
