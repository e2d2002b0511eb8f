"""The papers of a drive's file, for the command."""

from dataclasses import dataclass, replace
from datetime import date as Date

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.files.drive_file import DriveFile, read_drive
from drives.forms.rounds import custom_of
from drives.models.drives import DECLARED, TURNED
from drives.papers import PAPERS, kinds_named
from drives.papers.pack import together
from drives.sheets.desk import custom_said, singular_of
from drives.sheets.on_paper import DriveOnPaper, of_file
from drives.table_marks import table_marks
from printing.pages import Size
from printing.paper import UnknownPaperSize
from printing.values import Heading

SIZES: dict[str, Size] = {"A4": "A4", "A5": "A5", "Letter": "Letter"}
MOST_COPIES = 9


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """The requested papers and cards; no names mean all papers, no cards mean all cards."""

    only: tuple[str, ...] = ()
    size: str = "A4"
    copies: int = 1
    cards: frozenset[int] = frozenset()
    at: int | None = None
    club: str = ""
    date: Date


def print_file(text: str, wanted: Wanted) -> tuple[bytes, list[str]]:
    """Print the papers of a drive's file; return the PDF and the names of the papers in it.

    Raises UnreadableDrive, UnknownPaperSize or NothingToPrint, each with the remedy.
    """
    drive = read_drive(text, table_marks().file)
    chosen = (
        kinds_named(wanted.only) if wanted.only else [k for k in PAPERS if not k.on_request]
    )
    if wanted.size not in SIZES:
        words = _("There is no paper size “%(size)s” here. Choose A4, A5 or Letter.")
        raise UnknownPaperSize(words % {"size": wanted.size[:20]})
    size = SIZES[wanted.size]
    sheet = file_on_paper(drive, wanted)
    kinds = [kind for kind in chosen if kind.is_offered(sheet)]
    pdf = together(sheet, kinds, size=size)
    return pdf, [kind.name.replace("_", "-") for kind in kinds]


def file_on_paper(drive: DriveFile, wanted: Wanted) -> DriveOnPaper:
    """Return a drive's file as a value for papers, with its trumps, custom and words."""
    if not 1 <= wanted.copies <= MOST_COPIES:
        raise UnreadableDrive(_("--copies is 1 to %(most)s.") % {"most": MOST_COPIES})
    known = {player.number for player in drive.players}
    for number in sorted(wanted.cards - known):
        words = _("--cards: nobody has the number %(number)s.")
        raise UnreadableDrive(words % {"number": number})
    first, second = (singular_of(word) for word in drive.words)
    sheet = of_file(
        drive,
        heading=Heading(wanted.club, drive.name, wanted.date),
        terms=custom_of(drive.terms),
        custom=custom_said(drive.form, drive.terms, drive.words),
        cycle="" if drive.trumps in (TURNED, DECLARED) else drive.trumps,
        roles=(first or _("first"), second or _("second")),
        later=[each for each in drive.all_rounds if each.number > drive.at_round],
        trumps={e.number: e.trumps for e in drive.all_rounds if e.trumps is not None},
    )
    if wanted.at is not None and wanted.at not in {each.number for each in sheet.seated}:
        words = _("--round: nobody knows yet who sits where in round %(round)s.")
        raise UnreadableDrive(words % {"round": wanted.at})
    return replace(sheet, copies=wanted.copies, cards=wanted.cards or None, at=wanted.at)
