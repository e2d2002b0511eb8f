"""The links of tables, for the director's page and for the cards on the tables."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from clubs.models import TableLink
from printing.qr import QrCode, create_qr_code
from printing.values import Heading
from scoring.errors import PaperRefused
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.headings import build_heading
from server.hall_network import find_phone_url
from tournaments.models import Session, Sitting
from tournaments.movements.formatting import format_table
from tournaments.place_labels import load_section_letters


@dataclass(frozen=True, slots=True)
class TableCard:
    """The card on a table with a QR code that opens the table's page on a phone."""

    heading: Heading
    table_number: int
    table_label: str  # the displayed table: "13", with several sections "A13"
    url: str
    qr_code: QrCode


@dataclass(frozen=True, slots=True)
class TableLinkRow:
    """One table on the director's page, with its link if it has one."""

    section_id: int
    section_letter: str
    table_number: int
    table_label: str  # the displayed table: "13", with several sections "A13"
    link_id: int | None
    path: str  # "" without a link, or if its token is no longer readable
    last_seen_at: datetime | None


def build_table_cards(snapshot: SessionSnapshot) -> list[TableCard]:
    """Return a card for each valid link; raise PaperRefused if phones cannot connect."""
    base_url = find_phone_url()
    if not base_url:
        raise PaperRefused(
            _(
                "Phones can’t reach this computer. Connect them on the “Wi-Fi access” "
                "page, then print the cards again."
            )
        )
    links_with_paths = [(link, link.path) for link in _load_live_links(snapshot.session)]
    cards = [
        TableCard(
            heading=build_heading(snapshot.session, link.section, len(snapshot.sections)),
            table_number=link.table,
            table_label=snapshot.format_table_label(link.section, link.table),
            url=base_url + path,
            qr_code=create_qr_code(base_url + path),
        )
        for link, path in links_with_paths
        if path
    ]
    if not cards:
        raise PaperRefused(_("No links yet. Create the links first."))
    return cards


def list_table_rows(session: Session) -> list[TableLinkRow]:
    """List the tables of a session, each with its link if it has one."""
    links_by_table = {(link.section, link.table): link for link in _load_live_links(session)}
    tables = Sitting.objects.filter(section__session=session)
    table_keys = sorted(set(tables.values_list("section__letter", "table", "section")))
    letter_by_section = load_section_letters(session.event)
    rows = []
    for section_letter, table_number, section_id in table_keys:
        link = links_by_table.get((section_letter, table_number))
        rows.append(
            TableLinkRow(
                section_id=section_id,
                section_letter=section_letter,
                table_number=table_number,
                table_label=format_table(table_number, letter_by_section[section_id]),
                link_id=link.pk if link else None,
                path=link.path if link else "",
                last_seen_at=link.seen_at if link else None,
            )
        )
    return rows


def _load_live_links(session: Session) -> list[TableLink]:
    return list(TableLink.objects.filter(evening=session.evening_id, revoked_at__isnull=True))
