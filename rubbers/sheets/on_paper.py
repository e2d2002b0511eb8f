"""The data of a rubber night for its papers, without database access."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from clubs.activities.secrecy import format_full_name
from printing.qr import QrCode
from printing.values import Heading
from rubbers.sheets.marker import HandOnMarker, build_marker
from rubbers.sheets.night import NightStandingLine, build_night_sheet
from rubbers.sheets.terms import describe_changes
from rubbers.snapshot import DUMMY_NUMBER, NightSnapshot


class SpellOnPaper(NamedTuple):
    """Four who played together, and their hands in order."""

    sides: tuple[str, str]
    hands: tuple[HandOnMarker, ...]


class TableOnPaper(NamedTuple):
    """A table: its name, its members and its spells."""

    title: str
    number: int
    members: tuple[str, ...]
    spells: tuple[SpellOnPaper, ...]
    code: QrCode | None = None
    """The QR code of the table's own page; none where phones cannot reach this computer."""


@dataclass(frozen=True, kw_only=True)
class NightOnPaper:
    """A night: its code, its tables and its standings."""

    heading: Heading
    code: str
    terms: tuple[str, ...]
    rules: str
    """The rules of a game and a rubber, in one line for the foot of the page."""
    has_honours: bool
    has_rubbers: bool
    tables: tuple[TableOnPaper, ...]
    lines: tuple[NightStandingLine, ...]


def build_night_on_paper(
    snapshot: NightSnapshot, codes: Mapping[int, QrCode] | None = None
) -> NightOnPaper:
    """Return a night's present state for its papers; `codes` are the QR codes of its tables."""
    terms = snapshot.terms
    message = _("A game is %(game)s points. Each trick over six counts %(trick)s.")
    return NightOnPaper(
        heading=Heading(snapshot.row.club.name, snapshot.row.name, snapshot.row.date),
        code=str(snapshot.code.title),
        terms=tuple(describe_changes(snapshot.code, snapshot.row.terms)),
        rules=message % {"game": terms.game, "trick": terms.trick},
        has_honours=bool(terms.four_honours or terms.three_honours),
        has_rubbers=terms.best_of is not None,
        tables=_build_tables(snapshot, codes or {}),
        lines=build_night_sheet(snapshot, format_full_name).lines,
    )


def _build_tables(
    snapshot: NightSnapshot, codes: Mapping[int, QrCode]
) -> tuple[TableOnPaper, ...]:
    paper_tables = []
    for table in snapshot.tables.values():
        sheet = build_marker(snapshot, table, format_full_name)
        lines = [*reversed(sheet.earlier), *reversed(sheet.hands)]
        paper_tables.append(
            TableOnPaper(
                title=sheet.title,
                number=sheet.table,
                members=tuple(member.name for member in sheet.members),
                spells=tuple(
                    SpellOnPaper(
                        sides=(
                            _format_names(snapshot, spell.seats[:2]),
                            _format_names(snapshot, spell.seats[2:]),
                        ),
                        hands=tuple(line for line in lines if line.spell == spell.number),
                    )
                    for spell in table.spells
                ),
                code=codes.get(sheet.table),
            )
        )
    return tuple(paper_tables)


def _format_names(snapshot: NightSnapshot, seats: list[int]) -> str:
    return " + ".join(
        _("Dummy") if number == DUMMY_NUMBER else format_full_name(snapshot.players[number])
        for number in seats
    )
