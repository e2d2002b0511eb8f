"""The standings of an event as one value."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.db.models import F
from django.utils.translation import gettext as _

from scoring.methods.tie_breaks import map_tie_break_titles
from scoring.models import Ranking, Standing
from scoring.secrecy import are_totals_hidden
from scoring.sheets.headings import build_heading, find_current_session
from scoring.sheets.values import RankField, RankRow, RankTable
from scoring.standings_engine.scores import find_method
from server import formatting
from tournaments.models import Event, Session
from tournaments.movements.formatting import format_place_for_players


def load_rank_version(event: Event, *, all_results: bool = False) -> int:
    """Return the version of an event's standings; one indexed query, run by every open page.

    It increases when the visible standings change, and when a name in them is corrected. With
    `all_results`, for the director, it increases with every computation.
    """
    visible_version = F("version" if all_results else "public_version") + F("event__renamings")
    return (
        Ranking.objects.filter(event=event).values_list(visible_version, flat=True).first() or 0
    )


def load_rank_table(event: Event, *, all_results: bool = False) -> RankTable:
    """Load the stored standings of an event; empty before the first computation.

    Only the public part is loaded, or with `all_results` everything, for the director.
    """
    version = load_rank_version(
        event, all_results=all_results
    )  # first: never newer than the rows
    ranking = Ranking.objects.filter(event=event).first() or Ranking(event=event)
    sessions = list(event.sessions.all())
    open_sessions = [session for session in sessions if session.state == Session.State.OPEN]
    public = None if all_results or not open_sessions else ranking.public
    hidden_sessions = tuple(
        session.number
        for session in open_sessions
        if public is not None and are_totals_hidden(event, session)
    )
    rows = (
        _read_all_standings(ranking)
        if public is None
        else _read_public_standings(event, ranking, public["rows"])
    )
    sections = len({row.section for row in rows})
    names = map_tie_break_titles(in_points=event.is_scored_in_points)
    fields = tuple(
        _build_field(section, field, list(group), names, by_corrected=event.terms.by_corrected)
        for (section, field), group in groupby(rows, key=lambda row: (row.section, row.field))
    )
    return RankTable(
        heading=build_heading(
            find_current_session(sessions), rows[0].section if rows else "", sections
        ),
        method=find_method(event).name,
        fields=fields,
        overall=tuple(row.entry for field in fields for row in field.rows if row.wins_overall),
        version=version,
        closed=all(session.state == Session.State.CLOSED for session in sessions),
        is_live=bool(open_sessions),
        by_rounds=public is not None and len(hidden_sessions) < len(open_sessions),
        waits=hidden_sessions,
        counts_in_part=len(sessions) > 1 and event.terms.carry_over != "1",
        awaits_session=len({session.state == Session.State.PLANNED for session in sessions})
        == 2,
        **_build_progress(ranking, public),
    )


def _read_all_standings(ranking: Ranking) -> list[Standing]:
    return list(ranking.standings.select_related("entry")) if ranking.pk else []


def _read_public_standings(
    event: Event, ranking: Ranking, rows: Iterable[Mapping[str, Any]]
) -> list[Standing]:
    """Load the public rows, with the current names of entries."""
    entries = {entry.number: entry for entry in event.entries.all()}
    return [
        Standing(ranking=ranking, **{**row, "entry": entries[row["entry"]]})
        for row in rows
        if row["entry"] in entries
    ]


def _build_progress(ranking: Ranking, public: Mapping[str, Any] | None) -> dict[str, Any]:
    names = ("missing", "provisional", "complete")
    return {name: public[name] if public else getattr(ranking, name) for name in names}


def index_rank_rows(table: RankTable) -> dict[int, RankRow]:
    """Return each entry's row, by its number."""
    return {row.entry: row for field in table.fields for row in field.rows}


def _build_field(
    section: str,
    field: str,
    standings: Sequence[Standing],
    names: Mapping[str, str],
    *,
    by_corrected: bool,
) -> RankField:
    rows = [_build_row(standing_row, names, by_corrected) for standing_row in standings]
    if len({row.boards for row in rows}) < 2:
        rows = [replace(row, a_board=None, each=row.a_board) for row in rows]
    else:
        rows = [replace(row, notes=(*row.notes, *_iter_boards_note(row))) for row in rows]
    averages = [standing_row.average for standing_row in standings if standing_row.average]
    return RankField(
        section=section,
        field=field,
        average=Fraction(averages[0]) if averages else None,
        rows=tuple(rows),
    )


def _build_row(standing_row: Standing, names: Mapping[str, str], by_corrected: bool) -> RankRow:
    return RankRow(
        rank=standing_row.rank,
        tied=standing_row.tied,
        entry=standing_row.entry.number,
        label=format_place_for_players(standing_row.label),
        name=standing_row.entry.name,
        score=Fraction(standing_row.score),
        percent=Fraction(standing_row.percent) if standing_row.percent else None,
        tricks=Fraction(standing_row.tricks),
        boards=standing_row.boards,
        wins_overall=standing_row.wins_overall,
        notes=tuple(_iter_notes(standing_row, names)),
        a_board=Fraction(standing_row.a_board) if standing_row.a_board else None,
        corrected=Fraction(standing_row.corrected) if standing_row.corrected else None,
        by_corrected=by_corrected and standing_row.corrected != "",
    )


def _iter_boards_note(row: RankRow) -> Iterable[str]:
    """Yield a note with the divisor of the score, if carried-over boards count in part."""
    if row.counted_boards != row.boards:
        text = _("%(counted)s of %(boards)s boards count")
        counted_text = formatting.format_plain(row.counted_boards)
        yield text % {"counted": counted_text, "boards": row.boards}


def _iter_notes(standing_row: Standing, names: Mapping[str, str]) -> Iterable[str]:
    """Yield notes on penalties, carry-over and tie-breaks; `names` has the names of the tie-
    breaks.
    """
    if standing_row.penalty:
        loss = formatting.format_plain(Fraction(standing_row.penalty))
        yield _("penalty %(loss)s") % {"loss": loss}
    if standing_row.carried:
        carried_text = formatting.format_signed(Fraction(standing_row.carried))
        yield _("%(carried)s carried forward") % {"carried": carried_text}
    if standing_row.broken_by in names:
        yield _("tie broken by: %(break)s") % {"break": names[standing_row.broken_by]}
