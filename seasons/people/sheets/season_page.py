"""A player's season as a page shows it: an average, a column an evening, partners, facts."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.drawing.columns import Columns, columns
from scoring.drawing.scales import Bar, bar, furthest
from seasons.people.sheets.records import Evening, Partner, PlayerRecord
from server import formatting

LAST = 5
"""So many evenings tell how it goes at present."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing worth knowing: its title, the figure, and what it is of."""

    title: str
    figure: str
    note: str


@dataclass(frozen=True, slots=True)
class PartnerRow:
    """A partner, the average an evening, and its bar beside the others'."""

    partner: Partner
    average: Fraction | None
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class EveningRow:
    """An evening and its bar beside the others'."""

    evening: Evening
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """The whole page; `average` is in tricks an evening, None where nothing can be compared."""

    average: Fraction | None
    counted: int
    drawing: Columns | None
    words: str
    facts: tuple[Fact, ...]
    partners: tuple[PartnerRow, ...]
    evenings: tuple[EveningRow, ...]


def season_page(record: PlayerRecord) -> SeasonPage:
    """Lay a player's evenings out."""
    told = [(each, each.above) for each in record.evenings if each.above is not None]
    gaps = [above for _evening, above in told]
    most = furthest(gaps)
    return SeasonPage(
        average=_average(gaps),
        counted=len(gaps),
        drawing=columns([_step(*each) for each in reversed(told)]),
        words=_words(gaps),
        facts=tuple(_facts(record, told)),
        partners=tuple(_partner_rows(record.partners)),
        evenings=tuple(
            EveningRow(each, None if each.above is None else bar(each.above, most))
            for each in record.evenings
        ),
    )


def _average(gaps: Sequence[Fraction]) -> Fraction | None:
    return sum(gaps, Fraction()) / len(gaps) if gaps else None


def _step(evening: Evening, above: Fraction) -> tuple[str, Fraction, str]:
    words = f"{date_format(evening.date, 'j M')}, {evening.name}: {formatting.signed(above)}"
    return date_format(evening.date, "M"), above, words


def _words(gaps: Sequence[Fraction]) -> str:
    """Say the picture in a sentence."""
    if not gaps:
        return ""
    return ngettext(
        "%(count)d evening: tricks over or under the averages of its boards, above in "
        "%(above)d, from %(least)s to %(most)s.",
        "%(count)d evenings: tricks over or under the averages of their boards, above in "
        "%(above)d, from %(least)s to %(most)s.",
        len(gaps),
    ) % {
        "count": len(gaps),
        "above": sum(1 for each in gaps if each > 0),
        "least": formatting.signed(min(gaps)),
        "most": formatting.signed(max(gaps)),
    }


def _facts(record: PlayerRecord, told: Sequence[tuple[Evening, Fraction]]) -> list[Fact]:
    placed = [each for each in record.evenings if each.rank is not None]
    facts = []
    if placed:
        won = sum(1 for each in placed if each.rank == 1)
        facts.append(
            Fact(_("Evenings won"), str(won), _("of %(count)d") % {"count": len(placed)})
        )
    if told:
        best, above = max(told, key=lambda each: (each[1], each[0].date))
        facts.append(
            Fact(_("Best evening"), formatting.signed(above), date_format(best.date, "j M"))
        )
    if len(told) > LAST:
        last = _average([above for _evening, above in told[:LAST]])
        facts.append(Fact(_("Last five"), formatting.signed(last), _("an evening")))
    boards = sum(side.boards for side in record.sides)
    if boards:
        facts.append(Fact(_("Boards"), str(boards), _("compared")))
    return facts


def _partner_rows(partners: Sequence[Partner]) -> list[PartnerRow]:
    averages = [None if each.above is None else each.above / each.evenings for each in partners]
    most = furthest(each for each in averages if each is not None)
    return [
        PartnerRow(each, average, None if average is None else bar(average, most))
        for each, average in zip(partners, averages, strict=True)
    ]
