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
    table: int
    place: str  # the displayed table: "13", with several sections "A13"
    address: str
    code: QrCode


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table on the director's page, with its link if it has one."""

    section: int
    letter: str
    table: int
    place: str  # the displayed table: "13", with several sections "A13"
    link: int | None
    path: str  # "" without a link, or if its token is no longer readable
    seen_at: datetime | None


def build_table_cards(snapshot: SessionSnapshot) -> list[TableCard]:
    """Return a card for every live link; raise PaperRefused if phones cannot connect."""
    home = find_phone_url()
    if not home:
        raise PaperRefused(
            _(
                "Phones can't reach this computer. Connect them on the "
                "“Wi-Fi access” page, then print the cards again."
            )
        )
    rows = [(link, link.path) for link in _load_live_links(snapshot.session)]
    cards = [
        TableCard(
            heading=build_heading(snapshot.session, link.section, len(snapshot.sections)),
            table=link.table,
            place=snapshot.format_table_label(link.section, link.table),
            address=home + path,
            code=create_qr_code(home + path),
        )
        for link, path in rows
        if path
    ]
    if not cards:
        raise PaperRefused(_("No links yet. Create the links first."))
    return cards


def list_table_rows(session: Session) -> list[TableRow]:
    """List the tables of a session, each with its link if it has one."""
    links_by_table = {(link.section, link.table): link for link in _load_live_links(session)}
    tables = Sitting.objects.filter(section__session=session)
    places = sorted(set(tables.values_list("section__letter", "table", "section")))
    letters = load_section_letters(session.event)
    rows = []
    for letter, table, section in places:
        link = links_by_table.get((letter, table))
        rows.append(
            TableRow(
                section=section,
                letter=letter,
                table=table,
                place=format_table(table, letters[section]),
                link=link.pk if link else None,
                path=link.path if link else "",
                seen_at=link.seen_at if link else None,
            )
        )
    return rows


def _load_live_links(session: Session) -> list[TableLink]:
    return list(TableLink.objects.filter(evening=session.evening_id, revoked_at__isnull=True))
