"""The public pages of a club's seasons, ladders and handicaps."""

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from exchange.data_tables import encode_csv
from exchange.workbooks import build_workbook
from printing.identity import use_club_identity
from printing.paper import parse_paper_size
from seasons.ladders.models import Ladder, Season
from seasons.ladders.papers import draw_ladder, draw_ranking
from seasons.ladders.rules.handicaps import HandicapTerms
from seasons.ladders.rules.rule import MEASURE_PERCENT
from seasons.ladders.rules.words import describe_terms
from seasons.ladders.season_tables import load_ladder_tables, load_season_terms
from seasons.ladders.sheets.handicaps import (
    HandicapRanking,
    build_handicap_ranking_table,
    list_current_handicaps,
    list_ranked_evenings,
    load_handicap_ranking,
)
from seasons.ladders.sheets.ladders import (
    LadderSheet,
    build_ladder_sheet,
    build_ladder_table,
    find_ladder_line,
)
from server import formatting
from server.downloads import CSV_CONTENT_TYPE, PDF_CONTENT_TYPE, build_file_response
from server.errors import PageNotFound

MAX_LEADERS = 3
"""The number of leaders of each ladder on the season's page."""


@login_not_required
@require_safe
def list_seasons(request: HttpRequest, club: str) -> HttpResponse:
    """Show the list of a club's seasons, the newest first."""
    seasons = list(Season.objects.filter(club__slug=club).select_related("club"))
    if not seasons:
        raise PageNotFound(_("This club has no season yet."))
    return render(
        request, "seasons/seasons.html", {"club": seasons[0].club, "seasons": seasons}
    )


@login_not_required
@require_safe
def show_season(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show the page of a season, with the leaders of each ladder."""
    season_row = load_season_in_club_time_zone(club, season)
    tables = load_ladder_tables(season_row)
    ladder_sheets = [
        build_ladder_sheet(stored_ladder, table) for stored_ladder, table in tables
    ]
    context = {
        "club": season_row.club,
        "season": season_row,
        "ladders": [
            (
                ladder_sheet,
                ladder_sheet.ranked[:MAX_LEADERS],
                _choose_total_format(ladder_sheet),
            )
            for ladder_sheet in ladder_sheets
        ],
        "version": season_row.versions.last(),
        "has_handicap": load_season_terms(season_row) is not None,
    }
    return render(request, "seasons/season.html", context)


@login_not_required
@require_safe
def show_ladder(request: HttpRequest, club: str, season: str, ladder: str) -> HttpResponse:
    """Show the page of a ladder with all its lines."""
    ladder_row = _get_ladder(club, season, ladder)
    ladder_sheet = build_ladder_sheet(ladder_row)
    search_text = request.GET.get("find", "").strip()[:60]
    search_context = {
        "sought": search_text,
        "matching_lines": ladder_sheet.find_lines(search_text),
    }
    return render(
        request,
        "seasons/ladder.html",
        _build_ladder_context(ladder_row, ladder_sheet) | search_context,
    )


@login_not_required
@require_safe
def show_ladder_line(request: HttpRequest, club: str, season: str, ladder: str) -> HttpResponse:
    """Show the computation of a line's total: each evening's value, and whether it counts."""
    ladder_row = _get_ladder(club, season, ladder)
    line_and_explanations = find_ladder_line(ladder_row, request.GET.get("who", "")[:200])
    if (
        line_and_explanations is None
    ):  # the response must not reveal whether a hidden person exists
        raise PageNotFound(_("Player not found in this ladder."))
    ladder_line, ladder_values, total_explanation = line_and_explanations
    context = {
        "club": ladder_row.season.club,
        "season": ladder_row.season,
        "ladder": ladder_row,
        "line": ladder_line,
        "values": ladder_values,
        "total": total_explanation,
    }
    return render(request, "seasons/ladder_line.html", context)


@login_not_required
@require_safe
def download_ladder_csv(
    request: HttpRequest, club: str, season: str, ladder: str
) -> HttpResponse:
    """Return a ladder as CSV."""
    ladder_sheet = build_ladder_sheet(_get_ladder(club, season, ladder))
    csv_bytes = encode_csv(build_ladder_table(ladder_sheet))
    return build_file_response(csv_bytes, CSV_CONTENT_TYPE, f"{season}-{ladder}.csv")


@login_not_required
@require_safe
def download_ladder_xlsx(
    request: HttpRequest, club: str, season: str, ladder: str
) -> HttpResponse:
    """Return a ladder as an Excel workbook."""
    ladder_sheet = build_ladder_sheet(_get_ladder(club, season, ladder))
    content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return build_file_response(
        build_workbook([build_ladder_table(ladder_sheet)]),
        content_type,
        f"{season}-{ladder}.xlsx",
    )


@login_not_required
@require_safe
def download_ladder_pdf(
    request: HttpRequest, club: str, season: str, ladder: str
) -> HttpResponse:
    """Return a ladder as a PDF for the noticeboard."""
    ladder_row = _get_ladder(club, season, ladder)
    ladder_sheet = build_ladder_sheet(ladder_row)
    with use_club_identity(*ladder_row.season.club.paper_branding):
        pdf_bytes = draw_ladder(ladder_sheet, paper_size=parse_paper_size(request))
    return build_file_response(pdf_bytes, PDF_CONTENT_TYPE, f"{season}-{ladder}.pdf")


def _build_ladder_context(ladder: Ladder, ladder_sheet: LadderSheet) -> dict[str, Any]:
    return {
        "club": ladder.season.club,
        "season": ladder.season,
        "ladder": ladder,
        "sheet": ladder_sheet,
        "column": _choose_total_format(ladder_sheet),
    }


def _choose_total_format(ladder_sheet: LadderSheet) -> formatting.ColumnFormat:
    return formatting.choose_column_format(
        (ladder_line.total for ladder_line in ladder_sheet.lines),
        has_sign=ladder_sheet.has_signed_totals,
    )


def load_season_in_club_time_zone(club_slug: str, season_slug: str) -> Season:
    """Return a season of a club, and activate the club's time zone.

    Raises PageNotFound if the club has no season with this slug.
    """
    seasons = Season.objects.select_related("club")
    season = seasons.filter(club__slug=club_slug, slug=season_slug).first()
    if season is None:
        raise PageNotFound(_("Season not found."))
    timezone.activate(season.club.zone)
    return season


def _get_ladder(club_slug: str, season_slug: str, ladder_slug: str) -> Ladder:
    ladders = Ladder.objects.select_related("season__club").prefetch_related("handicaps")
    ladder = ladders.filter(
        season__club__slug=club_slug, season__slug=season_slug, slug=ladder_slug
    ).first()
    if ladder is None:
        raise PageNotFound(_("Ladder not found."))
    timezone.activate(ladder.season.club.zone)
    return ladder


@login_not_required
@require_safe
def show_handicaps(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show the current handicaps with explanations, and the list of handicap rankings."""
    season_row, handicap_terms = get_season_with_terms(
        load_season_in_club_time_zone(club, season)
    )
    context = {
        "club": season_row.club,
        "season": season_row,
        "rule": describe_terms(handicap_terms),
        "people": list_current_handicaps(season_row, handicap_terms),
        "evenings": list_ranked_evenings(season_row),
        "in_percent": handicap_terms.figure == MEASURE_PERCENT,
    }
    return render(request, "seasons/handicaps.html", context)


@login_not_required
@require_safe
def show_handicap_evening(
    request: HttpRequest, club: str, season: str, key: str
) -> HttpResponse:
    """Show the handicap ranking of an evening, with the places without handicap."""
    season_row, handicap_terms = get_season_with_terms(
        load_season_in_club_time_zone(club, season)
    )
    ranking = _load_ranking(season_row, handicap_terms, key)
    ranking_lines = ranking.lines
    is_signed = handicap_terms.figure != MEASURE_PERCENT
    context = {
        "club": season_row.club,
        "season": season_row,
        "sheet": ranking,
        "in_percent": handicap_terms.figure == MEASURE_PERCENT,
        "bases": formatting.choose_column_format(
            (handicap_row.line.base for handicap_row in ranking_lines), has_sign=is_signed
        ),
        "totals": formatting.choose_column_format(
            (handicap_row.line.total for handicap_row in ranking_lines), has_sign=is_signed
        ),
        "given": formatting.ColumnFormat(has_decimals=True, has_sign=True),
    }
    return render(request, "seasons/handicap_evening.html", context)


@login_not_required
@require_safe
def download_handicap_csv(
    request: HttpRequest, club: str, season: str, key: str
) -> HttpResponse:
    """Return an evening's handicap ranking as CSV."""
    ranking = _load_ranking(
        *get_season_with_terms(load_season_in_club_time_zone(club, season)), key
    )
    csv_bytes = encode_csv(build_handicap_ranking_table(ranking))
    return build_file_response(csv_bytes, CSV_CONTENT_TYPE, f"{key}-handicap.csv")


@login_not_required
@require_safe
def download_handicap_pdf(
    request: HttpRequest, club: str, season: str, key: str
) -> HttpResponse:
    """Return an evening's handicap ranking as a PDF for the noticeboard."""
    season_row = load_season_in_club_time_zone(club, season)
    ranking = _load_ranking(*get_season_with_terms(season_row), key)
    with use_club_identity(*season_row.club.paper_branding):
        pdf_bytes = draw_ranking(ranking, paper_size=parse_paper_size(request))
    return build_file_response(pdf_bytes, PDF_CONTENT_TYPE, f"{key}-handicap.pdf")


def get_season_with_terms(season: Season) -> tuple[Season, HandicapTerms]:
    """Return a season with its handicap terms; raise PageNotFound if it has no handicap."""
    handicap_terms = load_season_terms(season)
    if handicap_terms is None:
        raise PageNotFound(_("This season has no handicap."))
    return season, handicap_terms


def _load_ranking(
    season: Season, handicap_terms: HandicapTerms, evening_key: str
) -> HandicapRanking:
    ranking = load_handicap_ranking(season, handicap_terms, evening_key)
    if ranking is None:
        raise PageNotFound(_("No finished evening with this name in the season."))
    return ranking
