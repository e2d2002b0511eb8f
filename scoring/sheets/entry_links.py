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
class EntryLinkSlip:
    """The slip of one entry: a QR code that opens the entry's page after play."""

    heading: Heading
    entry_number: int
    label: str  # "3 N-S"; "" without a seat
    name: str
    url: str
    qr_code: QrCode
    score_query_hours: int  # hours after play in which a score can be queried; 0: never


def build_entry_link_slips(snapshot: SessionSnapshot) -> list[EntryLinkSlip]:
    """Return a slip for each valid link; raise PaperRefused if phones cannot connect."""
    base_url = find_phone_url()
    if not base_url:
        raise PaperRefused(
            _(
                "Phones can’t reach this computer. Connect them on the “Wi-Fi access” "
                "page, then print the slips again."
            )
        )
    event = snapshot.session.event
    place_label_by_entry_pk = {
        place.entry_id: snapshot.format_place_label(place) for place in snapshot.places
    }
    links = EntryLink.objects.filter(entry__event=event, revoked_at__isnull=True)
    link_slips = [
        EntryLinkSlip(
            heading=build_heading(snapshot.session),
            entry_number=link.entry.number,
            label=place_label_by_entry_pk.get(link.entry_id, ""),
            name=link.entry.name,
            url=base_url + path,
            qr_code=create_qr_code(base_url + path),
            score_query_hours=event.club.correction_hours,
        )
        for link in links.select_related("entry").order_by("entry__number")
        if (path := link.path)
    ]
    if not link_slips:
        raise PaperRefused(_("No links yet. Create the links first."))
    return link_slips
