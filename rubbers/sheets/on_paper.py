"""The values of a rubber night for its papers: immutable, and independent of the database."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from clubs.activities.secrecy import full
from printing.qr import QrCode
from printing.values import Heading
from rubbers.held import NOBODY, HeldNight
from rubbers.sheets.marker import HandOnMarker, marker
from rubbers.sheets.night import LineOfStanding, night_sheet
from rubbers.sheets.terms import changed_words


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
    lines: tuple[LineOfStanding, ...]


def night_on_paper(held: HeldNight, codes: Mapping[int, QrCode] | None = None) -> NightOnPaper:
    """Return a night's present state for its papers; `codes` are the QR codes of its tables."""
    terms = held.terms
    words = _("A game is %(game)s points; a trick over six counts %(trick)s.")
    return NightOnPaper(
        heading=Heading(held.row.club.name, held.row.name, held.row.date),
        code=str(held.code.title),
        terms=tuple(changed_words(held.code, held.row.terms)),
        rules=words % {"game": terms.game, "trick": terms.trick},
        has_honours=bool(terms.four_honours or terms.three_honours),
        has_rubbers=terms.best_of is not None,
        tables=_tables(held, codes or {}),
        lines=night_sheet(held, full).lines,
    )


def _tables(held: HeldNight, codes: Mapping[int, QrCode]) -> tuple[TableOnPaper, ...]:
    found = []
    for table in held.tables.values():
        sheet = marker(held, table, full)
        lines = [*reversed(sheet.earlier), *reversed(sheet.hands)]
        found.append(
            TableOnPaper(
                title=sheet.title,
                number=sheet.table,
                members=tuple(each.name for each in sheet.members),
                spells=tuple(
                    SpellOnPaper(
                        sides=(_names(held, spell.seats[:2]), _names(held, spell.seats[2:])),
                        hands=tuple(each for each in lines if each.spell == spell.number),
                    )
                    for spell in table.spells
                ),
                code=codes.get(sheet.table),
            )
        )
    return tuple(found)


def _names(held: HeldNight, seats: list[int]) -> str:
    return " + ".join(
        _("Dummy") if number == NOBODY else full(held.people[number]) for number in seats
    )
