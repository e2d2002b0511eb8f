"""The links of entries, for their printed slips."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from printing.qr import QrCode, create_qr_code
from printing.values import Heading
from scoring.errors import PaperRefused
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.headings import build_heading
from server.hall_network import find_phone_url
from tournaments.models import EntryLink


@dataclass(frozen=True, slots=True)
class EntryCard:
    """The slip of one entry: a QR code that opens its own page after play."""

    heading: Heading
    number: int
    label: str  # "3 N-S"; "" without a seat
    name: str
    address: str
    code: QrCode
    hours: int  # the time for score queries after the session


def build_entry_cards(snapshot: SessionSnapshot) -> list[EntryCard]:
    """Return a slip for every live link; raise PaperRefused if phones cannot connect."""
    home = find_phone_url()
    if not home:
        raise PaperRefused(
            _(
                "Phones can't reach this computer. Connect them on the "
                "“Wi-Fi access” page, then print the slips again."
            )
        )
    event = snapshot.session.event
    seats = {place.entry_id: snapshot.format_place_label(place) for place in snapshot.places}
    rows = EntryLink.objects.filter(entry__event=event, revoked_at__isnull=True)
    cards = [
        EntryCard(
            heading=build_heading(snapshot.session),
            number=link.entry.number,
            label=seats.get(link.entry_id, ""),
            name=link.entry.name,
            address=home + path,
            code=create_qr_code(home + path),
            hours=event.club.correction_hours,
        )
        for link in rows.select_related("entry").order_by("entry__number")
        if (path := link.path)
    ]
    if not cards:
        raise PaperRefused(_("No links yet. Create the links first."))
    return cards
