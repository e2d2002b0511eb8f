"""Prints the papers of a drive file, for the command `drive papers`."""

from dataclasses import dataclass, replace
from datetime import date as Date

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.files.drive_file import DriveFile, parse_drive_file
from drives.models.drives import TRUMPS_DECLARED, TRUMPS_TURNED_UP
from drives.papers import PAPER_KINDS, find_paper_kinds
from drives.papers.pack import print_papers
from drives.play_forms.rounds import select_form_terms
from drives.sheets.desk import format_drive_rules, get_singular
from drives.sheets.on_paper import DriveOnPaper, build_paper_drive_from_file
from drives.table_marks import get_table_marks
from printing.pages import Size
from printing.paper import UnknownPaperSize
from printing.values import Heading

PAPER_SIZES: dict[str, Size] = {"A4": "A4", "A5": "A5", "Letter": "Letter"}
MAX_COPIES = 9


@dataclass(frozen=True, kw_only=True)
class PrintOptions:
    """The requested papers and cards; empty `paper_names` or `cards` mean all of them."""

    paper_names: tuple[str, ...] = ()
    size: str = "A4"
    copies: int = 1
    cards: frozenset[int] = frozenset()
    round_number: int | None = None
    club: str = ""
    date: Date


def print_file(file_text: str, options: PrintOptions) -> tuple[bytes, list[str]]:
    """Print the papers of a drive file; return the PDF and the names of the papers in it.

    Raises UnreadableDrive, UnknownPaperSize or NothingToPrint.
    """
    drive_file = parse_drive_file(file_text, get_table_marks().file_format)
    sheet_kinds = (
        find_paper_kinds(options.paper_names)
        if options.paper_names
        else [kind for kind in PAPER_KINDS if not kind.is_on_request]
    )
    if options.size not in PAPER_SIZES:
        message = _("Paper size “%(size)s” not found. Choose A4, A5 or Letter.")
        raise UnknownPaperSize(message % {"size": options.size[:20]})
    size = PAPER_SIZES[options.size]
    sheet = build_paper_data(drive_file, options)
    kinds = [kind for kind in sheet_kinds if kind.is_offered(sheet)]
    pdf = print_papers(sheet, kinds, size=size)
    return pdf, [kind.name.replace("_", "-") for kind in kinds]


def build_paper_data(drive_file: DriveFile, options: PrintOptions) -> DriveOnPaper:
    """Return the data for the papers of a drive file."""
    if not 1 <= options.copies <= MAX_COPIES:
        raise UnreadableDrive(_("--copies must be 1 to %(most)s.") % {"most": MAX_COPIES})
    known_numbers = {player.number for player in drive_file.players}
    for number in sorted(options.cards - known_numbers):
        message = _("--cards: player %(number)s not found.")
        raise UnreadableDrive(message % {"number": number})
    first_word, second_word = (get_singular(word) for word in drive_file.words)
    sheet = build_paper_drive_from_file(
        drive_file,
        heading=Heading(options.club, drive_file.name, options.date),
        terms=select_form_terms(drive_file.terms),
        moves_text=format_drive_rules(
            drive_file.form,
            drive_file.terms,
            drive_file.words,
            has_contracts=drive_file.points_table is not None,
        ),
        cycle=""
        if drive_file.trumps in (TRUMPS_TURNED_UP, TRUMPS_DECLARED)
        else drive_file.trumps,
        roles=(first_word or _("1st"), second_word or _("2nd")),
        later_rounds=[
            round_
            for round_ in drive_file.all_rounds
            if round_.number > drive_file.last_round_number
        ],
        trumps={
            round_.number: round_.trumps
            for round_ in drive_file.all_rounds
            if round_.trumps is not None
        },
    )
    if options.round_number is not None and options.round_number not in {
        seated_round.number for seated_round in sheet.seated_rounds
    }:
        message = _("--round: round %(round)s has not been drawn yet.")
        raise UnreadableDrive(message % {"round": options.round_number})
    return replace(
        sheet,
        copies=options.copies,
        cards=options.cards or None,
        seat_list_round=options.round_number,
    )
