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
from drives.sheets.on_paper import PrintedDrive, build_printed_drive_from_file
from drives.table_marks import get_table_marks_hooks
from printing.pages import Size
from printing.paper import UnknownPaperSize
from printing.values import Heading

PAPER_SIZES: dict[str, Size] = {"A4": "A4", "A5": "A5", "Letter": "Letter"}
MAX_COPIES = 9


@dataclass(frozen=True, kw_only=True)
class PrintOptions:
    """The requested papers and cards; empty `paper_names` or `card_numbers` mean all."""

    paper_names: tuple[str, ...] = ()
    paper_size: str = "A4"
    copy_count: int = 1
    card_numbers: frozenset[int] = frozenset()
    round_number: int | None = None
    club_name: str = ""
    date: Date


def print_drive_file(file_text: str, options: PrintOptions) -> tuple[bytes, list[str]]:
    """Print the papers of a drive file; return the PDF and the names of the papers in it.

    Raises UnreadableDrive, UnknownPaperSize or NothingToPrint.
    """
    drive_file = parse_drive_file(file_text, get_table_marks_hooks().file_format)
    requested_paper_kinds = (
        find_paper_kinds(options.paper_names)
        if options.paper_names
        else [kind for kind in PAPER_KINDS if not kind.is_on_request]
    )
    if options.paper_size not in PAPER_SIZES:
        message = _("Paper size “%(size)s” not found. Choose A4, A5 or Letter.")
        raise UnknownPaperSize(message % {"size": options.paper_size[:20]})
    paper_size = PAPER_SIZES[options.paper_size]
    printed_drive = build_paper_data(drive_file, options)
    offered_paper_kinds = [
        kind for kind in requested_paper_kinds if kind.is_offered(printed_drive)
    ]
    pdf = print_papers(printed_drive, offered_paper_kinds, paper_size=paper_size)
    return pdf, [kind.name.replace("_", "-") for kind in offered_paper_kinds]


def build_paper_data(drive_file: DriveFile, options: PrintOptions) -> PrintedDrive:
    """Return the data for the papers of a drive file."""
    if not 1 <= options.copy_count <= MAX_COPIES:
        raise UnreadableDrive(_("--copies must be 1 to %(most)s.") % {"most": MAX_COPIES})
    known_numbers = {player.number for player in drive_file.players}
    for player_number in sorted(options.card_numbers - known_numbers):
        message = _("--cards: player %(number)s not found.")
        raise UnreadableDrive(message % {"number": player_number})
    first_word, second_word = (get_singular(word) for word in drive_file.words)
    printed_drive = build_printed_drive_from_file(
        drive_file,
        heading=Heading(options.club_name, drive_file.name, options.date),
        form_terms=select_form_terms(drive_file.terms),
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
        trumps_by_round={
            round_.number: round_.trumps
            for round_ in drive_file.all_rounds
            if round_.trumps is not None
        },
    )
    if options.round_number is not None and options.round_number not in {
        seated_round.number for seated_round in printed_drive.seated_rounds
    }:
        message = _("--round: round %(round)s has not been drawn yet.")
        raise UnreadableDrive(message % {"round": options.round_number})
    return replace(
        printed_drive,
        copy_count=options.copy_count,
        cards=options.card_numbers or None,
        seat_list_round=options.round_number,
    )
