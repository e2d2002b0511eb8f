"""Loads the stored standings of an event as a `RankTable`."""

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
from scoring.sheets.values import RankedGroup, RankRow, RankTable
from scoring.standings_engine.scores import find_scoring_method
from server import formatting
from tournaments.models import Event, Session
from tournaments.movements.formatting import format_place_for_players


def load_ranking_version(event: Event, *, should_include_hidden_results: bool = False) -> int:
    """Return the version of an event's standings; fast, because open pages poll it.

    The version increases when the visible standings change, and when a name in them is
    corrected. With `should_include_hidden_results`, it increases with every computation.
    """
    visible_version_expression = F(
        "version" if should_include_hidden_results else "public_version"
    ) + F("event__renamings")
    return (
        Ranking.objects.filter(event=event)
        .values_list(visible_version_expression, flat=True)
        .first()
        or 0
    )


def load_rank_table(event: Event, *, should_include_hidden_results: bool = False) -> RankTable:
    """Load the stored standings of an event; empty before the first computation.

    By default only the public standings are loaded.
    """
    # The version is read before the rows, so that it is never newer than the rows.
    version = load_ranking_version(
        event, should_include_hidden_results=should_include_hidden_results
    )
    ranking = Ranking.objects.filter(event=event).first() or Ranking(event=event)
    sessions = list(event.sessions.all())
    open_sessions = [session for session in sessions if session.state == Session.State.OPEN]
    public_standings = (
        None if should_include_hidden_results or not open_sessions else ranking.public
    )
    hidden_session_numbers = tuple(
        session.number
        for session in open_sessions
        if public_standings is not None and are_totals_hidden(event, session)
    )
    standings = (
        _read_all_standings(ranking)
        if public_standings is None
        else _read_public_standings(event, ranking, public_standings["rows"])
    )
    section_count = len({standing.section for standing in standings})
    titles_by_tie_break = map_tie_break_titles(is_in_points=event.is_scored_in_points)
    ranked_groups = tuple(
        _build_ranked_group(
            section_letter,
            field_side,
            list(field_standings),
            titles_by_tie_break,
            is_ranked_by_corrected_total=event.terms.by_corrected,
        )
        for (section_letter, field_side), field_standings in groupby(
            standings, key=lambda standing: (standing.section, standing.field)
        )
    )
    return RankTable(
        heading=build_heading(
            find_current_session(sessions),
            standings[0].section if standings else "",
            section_count,
        ),
        method=find_scoring_method(event).name,
        fields=ranked_groups,
        overall_winners=tuple(
            rank_row.entry
            for ranked_group in ranked_groups
            for rank_row in ranked_group.rows
            if rank_row.wins_overall
        ),
        version=version,
        is_closed=all(session.state == Session.State.CLOSED for session in sessions),
        is_live=bool(open_sessions),
        is_counted_by_rounds=public_standings is not None
        and len(hidden_session_numbers) < len(open_sessions),
        waiting_session_numbers=hidden_session_numbers,
        has_partial_carry_over=len(sessions) > 1 and event.terms.carry_over != "1",
        has_upcoming_session=len(
            {session.state == Session.State.PLANNED for session in sessions}
        )
        == 2,
        **_build_completeness_fields(ranking, public_standings),
    )


def _read_all_standings(ranking: Ranking) -> list[Standing]:
    return list(ranking.standings.select_related("entry")) if ranking.pk else []


def _read_public_standings(
    event: Event, ranking: Ranking, public_rows: Iterable[Mapping[str, Any]]
) -> list[Standing]:
    """Load the public rows, with the current names of entries."""
    entry_by_number = {entry.number: entry for entry in event.entries.all()}
    return [
        Standing(
            ranking=ranking, **{**public_row, "entry": entry_by_number[public_row["entry"]]}
        )
        for public_row in public_rows
        if public_row["entry"] in entry_by_number
    ]


def _build_completeness_fields(
    ranking: Ranking, public_standings: Mapping[str, Any] | None
) -> dict[str, Any]:
    field_names = ("missing", "provisional", "complete")
    return {
        field_name: public_standings[field_name]
        if public_standings
        else getattr(ranking, field_name)
        for field_name in field_names
    }


def index_rank_rows(rank_table: RankTable) -> dict[int, RankRow]:
    """Return each entry's row, by its number."""
    return {row.entry: row for ranked_group in rank_table.fields for row in ranked_group.rows}


def _build_ranked_group(
    section_letter: str,
    field_side: str,
    standings: Sequence[Standing],
    titles_by_tie_break: Mapping[str, str],
    *,
    is_ranked_by_corrected_total: bool,
) -> RankedGroup:
    rank_rows = [
        _build_row(standing, titles_by_tie_break, is_ranked_by_corrected_total)
        for standing in standings
    ]
    if len({rank_row.boards for rank_row in rank_rows}) < 2:
        rank_rows = [
            replace(rank_row, a_board=None, each=rank_row.a_board) for rank_row in rank_rows
        ]
    else:
        rank_rows = [
            replace(rank_row, notes=(*rank_row.notes, *_iter_boards_note(rank_row)))
            for rank_row in rank_rows
        ]
    averages = [standing.average for standing in standings if standing.average]
    return RankedGroup(
        section=section_letter,
        field=field_side,
        average=Fraction(averages[0]) if averages else None,
        rows=tuple(rank_rows),
    )


def _build_row(
    standing: Standing,
    titles_by_tie_break: Mapping[str, str],
    is_ranked_by_corrected_total: bool,
) -> RankRow:
    return RankRow(
        rank=standing.rank,
        tied=standing.tied,
        entry=standing.entry.number,
        label=format_place_for_players(standing.label),
        name=standing.entry.name,
        score=Fraction(standing.score),
        percent=Fraction(standing.percent) if standing.percent else None,
        tricks=Fraction(standing.tricks),
        boards=standing.boards,
        wins_overall=standing.wins_overall,
        notes=tuple(_iter_notes(standing, titles_by_tie_break)),
        a_board=Fraction(standing.a_board) if standing.a_board else None,
        corrected=Fraction(standing.corrected) if standing.corrected else None,
        by_corrected=is_ranked_by_corrected_total and standing.corrected != "",
    )


def _iter_boards_note(row: RankRow) -> Iterable[str]:
    """Yield "30 of 36 boards count" if boards of earlier sessions count only in part."""
    if row.counted_boards != row.boards:
        template = _("%(counted)s of %(boards)s boards count")
        counted_text = formatting.format_plain(row.counted_boards)
        yield template % {"counted": counted_text, "boards": row.boards}


def _iter_notes(standing: Standing, titles_by_tie_break: Mapping[str, str]) -> Iterable[str]:
    """Yield notes on penalties, carry-over and tie-breaks."""
    if standing.penalty:
        penalty_text = formatting.format_plain(Fraction(standing.penalty))
        yield _("penalty %(loss)s") % {"loss": penalty_text}
    if standing.carried:
        carried_text = formatting.format_signed(Fraction(standing.carried))
        yield _("%(carried)s carried forward") % {"carried": carried_text}
    if standing.broken_by in titles_by_tie_break:
        yield _("tie broken by: %(break)s") % {"break": titles_by_tie_break[standing.broken_by]}
