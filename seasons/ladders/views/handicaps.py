"""Handicaps of a season for everybody: each person's own, and an evening's second ranking."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from exchange.sheets import csv_of
from printing.identity import papers_of
from seasons.ladders.models import Season
from seasons.ladders.papers.handicap import draw_ranking
from seasons.ladders.rules.handicap_words import terms_in_words
from seasons.ladders.rules.handicaps import HandicapTerms
from seasons.ladders.rules.rule import PERCENT
from seasons.ladders.season_handicaps import terms_of_season
from seasons.ladders.sheets.handicap_files import ranking_table
from seasons.ladders.sheets.handicaps import (
    HandicapRanking,
    handicap_ranking,
    ranked_evenings,
    todays_handicaps,
)
from seasons.ladders.views.ladders import file_answer, season_shown
from server import formatting
from server.refusals import Missing


@login_not_required
@require_safe
def handicaps(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show everybody's handicap of today, each opened, and the evenings ranked with them."""
    found, terms = with_terms(season_shown(club, season))
    context = {
        "club": found.club,
        "season": found,
        "rule": terms_in_words(terms),
        "people": todays_handicaps(found, terms),
        "evenings": ranked_evenings(found),
        "in_percent": terms.figure == PERCENT,
    }
    return render(request, "seasons/handicaps.html", context)


@login_not_required
@require_safe
def handicap_evening(request: HttpRequest, club: str, season: str, key: str) -> HttpResponse:
    """Show an evening ranked with handicaps, beside its places without."""
    found, terms = with_terms(season_shown(club, season))
    sheet = _sheet(found, terms, key)
    lines = sheet.lines
    is_signed = terms.figure != PERCENT
    context = {
        "club": found.club,
        "season": found,
        "sheet": sheet,
        "in_percent": terms.figure == PERCENT,
        "bases": formatting.column((each.line.base for each in lines), sign=is_signed),
        "totals": formatting.column((each.line.total for each in lines), sign=is_signed),
        "given": formatting.ColumnFormat(decimal=True, sign=True),
    }
    return render(request, "seasons/handicap_evening.html", context)


@login_not_required
@require_safe
def handicap_csv(request: HttpRequest, club: str, season: str, key: str) -> HttpResponse:
    """Give an evening's ranking with handicaps as CSV."""
    sheet = _sheet(*with_terms(season_shown(club, season)), key)
    content = csv_of(ranking_table(sheet))
    return file_answer(content, "text/csv; charset=utf-8", f"{key}-handicap.csv")


@login_not_required
@require_safe
def handicap_pdf(request: HttpRequest, club: str, season: str, key: str) -> HttpResponse:
    """Give an evening's ranking with handicaps as a sheet for the wall."""
    known = season_shown(club, season)
    sheet = _sheet(*with_terms(known), key)
    size = request.GET.get("size")
    with papers_of(*known.club.on_papers):
        content = draw_ranking(sheet, size="Letter" if size == "Letter" else "A4")
    return file_answer(content, "application/pdf", f"{key}-handicap.pdf")


def with_terms(season: Season) -> tuple[Season, HandicapTerms]:
    """A season and the terms of its handicap, or nothing."""
    terms = terms_of_season(season)
    if terms is None:
        raise Missing(_("This season has no handicap."))
    return season, terms


def _sheet(season: Season, terms: HandicapTerms, key: str) -> HandicapRanking:
    sheet = handicap_ranking(season, terms, key)
    if sheet is None:
        raise Missing(_("The season has no evening of this name that is over."))
    return sheet
