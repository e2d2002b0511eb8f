"""The data of a rubber night for its papers, which do not use the database."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from clubs.activities.secrecy import format_full_name
from printing.qr import QrCode
from printing.values import Heading
from rubbers.sheets.marker import MarkerHand, build_marker_page_data
from rubbers.sheets.night import NightStandingLine, build_night_sheet
from rubbers.sheets.terms import describe_term_changes
from rubbers.snapshot import DUMMY_NUMBER, NightSnapshot


class PrintedSpell(NamedTuple):
    """The four players of a spell, and its hands, oldest first."""

    side_names: tuple[str, str]
    """The players' names, a text for each side."""
    hands: tuple[MarkerHand, ...]


class PrintedTable(NamedTuple):
    """A table: its title, the names of its members, and its spells."""

    title: str
    number: int
    member_names: tuple[str, ...]
    spells: tuple[PrintedSpell, ...]
    qr_code: QrCode | None = None
    """The QR code of the table's page; None if phones cannot reach this computer."""


@dataclass(frozen=True, kw_only=True)
class PrintedNight:
    """A night for its papers: its code, its tables and its standings."""

    heading: Heading
    law_code_title: str
    changed_terms: tuple[str, ...]
    """A text for each term that the club has changed from the code."""
    rules_text: str
    """A text with the points of a game and of a trick, for the foot of a page."""
    has_honours: bool
    has_rubbers: bool
    tables: tuple[PrintedTable, ...]
    standing_lines: tuple[NightStandingLine, ...]


def build_printed_night(
    snapshot: NightSnapshot, qr_code_by_table: Mapping[int, QrCode] | None = None
) -> PrintedNight:
    """Return the present data of a night for its papers, with the QR codes of the tables."""
    terms = snapshot.terms
    message = _("A game is %(game)s points. Each trick over six counts %(trick)s.")
    return PrintedNight(
        heading=Heading(snapshot.row.club.name, snapshot.row.name, snapshot.row.date),
        law_code_title=str(snapshot.code.title),
        changed_terms=tuple(describe_term_changes(snapshot.code, snapshot.row.terms)),
        rules_text=message % {"game": terms.points_per_game, "trick": terms.points_per_trick},
        has_honours=bool(terms.four_honours or terms.three_honours),
        has_rubbers=terms.best_of is not None,
        tables=_build_tables(snapshot, qr_code_by_table or {}),
        standing_lines=build_night_sheet(snapshot, format_full_name).standing_lines,
    )


def _build_tables(
    snapshot: NightSnapshot, qr_code_by_table: Mapping[int, QrCode]
) -> tuple[PrintedTable, ...]:
    printed_tables = []
    for table in snapshot.tables.values():
        page_data = build_marker_page_data(snapshot, table, format_full_name)
        hands = [*reversed(page_data.earlier_hands), *reversed(page_data.hands)]
        printed_tables.append(
            PrintedTable(
                title=page_data.title,
                number=page_data.table,
                member_names=tuple(member.name for member in page_data.members),
                spells=tuple(
                    PrintedSpell(
                        side_names=(
                            _format_names(snapshot, spell.seats[:2]),
                            _format_names(snapshot, spell.seats[2:]),
                        ),
                        hands=tuple(hand for hand in hands if hand.spell == spell.number),
                    )
                    for spell in table.spells
                ),
                qr_code=qr_code_by_table.get(page_data.table),
            )
        )
    return tuple(printed_tables)


def _format_names(snapshot: NightSnapshot, player_numbers: list[int]) -> str:
    return " + ".join(
        _("Dummy")
        if player_number == DUMMY_NUMBER
        else format_full_name(snapshot.players[player_number])
        for player_number in player_numbers
    )
