"""The papers of a drive's file, for the command."""

from dataclasses import dataclass, replace
from datetime import date as Date

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.files.drive_file import DriveFile, parse_drive_file
from drives.models.drives import DECLARED, TURNED
from drives.papers import PAPERS, find_kinds
from drives.papers.pack import print_together
from drives.play_forms.rounds import select_form_terms
from drives.sheets.desk import format_form_custom, get_singular
from drives.sheets.on_paper import DriveOnPaper, build_from_file
from drives.table_marks import get_table_marks
from printing.pages import Size
from printing.paper import UnknownPaperSize
from printing.values import Heading

SIZES: dict[str, Size] = {"A4": "A4", "A5": "A5", "Letter": "Letter"}
MAX_COPIES = 9


@dataclass(frozen=True, kw_only=True)
class PrintOptions:
    """The requested papers and cards; no names mean all papers, no cards mean all cards."""

    paper_names: tuple[str, ...] = ()
    size: str = "A4"
    copies: int = 1
    cards: frozenset[int] = frozenset()
    round_number: int | None = None
    club: str = ""
    date: Date


def print_file(text: str, wanted: PrintOptions) -> tuple[bytes, list[str]]:
    """Print the papers of a drive's file; return the PDF and the names of the papers in it.

    Raises UnreadableDrive, UnknownPaperSize or NothingToPrint, each with the remedy.
    """
    drive = parse_drive_file(text, get_table_marks().file_format)
    chosen = (
        find_kinds(wanted.paper_names)
        if wanted.paper_names
        else [k for k in PAPERS if not k.on_request]
    )
    if wanted.size not in SIZES:
        words = _("Paper size “%(size)s” not found. Choose A4, A5 or Letter.")
        raise UnknownPaperSize(words % {"size": wanted.size[:20]})
    size = SIZES[wanted.size]
    sheet = build_from_text(drive, wanted)
    kinds = [kind for kind in chosen if kind.is_offered(sheet)]
    pdf = print_together(sheet, kinds, size=size)
    return pdf, [kind.name.replace("_", "-") for kind in kinds]


def build_from_text(drive: DriveFile, wanted: PrintOptions) -> DriveOnPaper:
    """Return a drive's file as a value for papers, with its trumps, custom and words."""
    if not 1 <= wanted.copies <= MAX_COPIES:
        raise UnreadableDrive(_("--copies must be 1 to %(most)s.") % {"most": MAX_COPIES})
    known = {player.number for player in drive.players}
    for number in sorted(wanted.cards - known):
        words = _("--cards: player %(number)s not found.")
        raise UnreadableDrive(words % {"number": number})
    first, second = (get_singular(word) for word in drive.words)
    sheet = build_from_file(
        drive,
        heading=Heading(wanted.club, drive.name, wanted.date),
        terms=select_form_terms(drive.terms),
        custom=format_form_custom(drive.form, drive.terms, drive.words),
        cycle="" if drive.trumps in (TURNED, DECLARED) else drive.trumps,
        roles=(first or _("1st"), second or _("2nd")),
        later=[each for each in drive.all_rounds if each.number > drive.at_round],
        trumps={e.number: e.trumps for e in drive.all_rounds if e.trumps is not None},
    )
    if wanted.round_number is not None and wanted.round_number not in {
        each.number for each in sheet.seated_rounds
    }:
        words = _("--round: round %(round)s is not drawn yet.")
        raise UnreadableDrive(words % {"round": wanted.round_number})
    return replace(
        sheet, copies=wanted.copies, cards=wanted.cards or None, at=wanted.round_number
    )
