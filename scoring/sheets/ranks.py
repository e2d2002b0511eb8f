"""The standings as one sheet."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby

from django.db.models import F
from django.utils.translation import gettext as _

from boards.whist import figures
from scoring.methods.ties import TIE_BREAKS
from scoring.models import Ranking, Standing
from scoring.reckoning.scores import method_of
from scoring.sheets.headings import heading
from scoring.sheets.values import RankField, RankRow, RankTable
from tournaments.models import Event, Session
from tournaments.movements.words import spoken


def rank_version(event: Event) -> int:
    """The version of an event's standings: one indexed query, asked by every open page.

    It grows when they are computed anew, and when a name in them is put right.
    """
    grown = F("version") + F("event__renamings")
    return Ranking.objects.filter(event=event).values_list(grown, flat=True).first() or 0


def rank_table(event: Event) -> RankTable:
    """The standings as last computed; empty where nothing has been computed yet."""
    version = rank_version(event)  # read first, so that it is never newer than the rows
    ranking = Ranking.objects.filter(event=event).first() or Ranking(event=event)
    rows = list(ranking.standings.select_related("entry")) if ranking.pk else []
    sections = len({row.section for row in rows})
    fields = tuple(
        _field(section, field, list(group))
        for (section, field), group in groupby(rows, key=lambda row: (row.section, row.field))
    )
    sessions = list(event.sessions.all())
    return RankTable(
        heading=heading(sessions[-1], rows[0].section if rows else "", sections),
        method=method_of(event).name,
        fields=fields,
        overall=tuple(row.entry for field in fields for row in field.rows if row.wins_overall),
        complete=ranking.complete,
        missing=ranking.missing,
        version=version,
        provisional=ranking.provisional,
        closed=all(session.state == Session.State.CLOSED for session in sessions),
    )


def rank_rows(table: RankTable) -> dict[int, RankRow]:
    """Each entry's row, by its number."""
    return {row.entry: row for field in table.fields for row in field.rows}


def _field(section: str, field: str, standings: Iterable[Standing]) -> RankField:
    rows = tuple(_row(standing) for standing in standings)
    averages = [standing.average for standing in standings if standing.average]
    # A total of other boards, or of the other hands of them, has no average to compare with.
    is_telling = field != "" and len({row.boards for row in rows}) == 1
    return RankField(
        section=section,
        field=field,
        average=Fraction(averages[0]) if averages and is_telling else None,
        rows=rows,
    )


def _row(standing: Standing) -> RankRow:
    return RankRow(
        rank=standing.rank,
        tied=standing.tied,
        entry=standing.entry.number,
        label=spoken(standing.label),
        name=standing.entry.name,
        score=Fraction(standing.score),
        percent=Fraction(standing.percent) if standing.percent else None,
        tricks=Fraction(standing.tricks),
        boards=standing.boards,
        wins_overall=standing.wins_overall,
        notes=tuple(_notes(standing)),
    )


def _notes(standing: Standing) -> Iterable[str]:
    """Say what else made a score or a rank than the boards."""
    if standing.penalty:
        loss = figures.plain(Fraction(standing.penalty))
        yield _("penalty %(loss)s") % {"loss": loss}
    if standing.carried:
        carried = figures.signed(Fraction(standing.carried))
        yield _("%(carried)s carried over") % {"carried": carried}
    if standing.broken_by in TIE_BREAKS:
        title = TIE_BREAKS[standing.broken_by].title
        yield _("tie broken by: %(break)s") % {"break": title}
