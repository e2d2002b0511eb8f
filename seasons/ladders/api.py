"""The API of seasons, ladders and handicaps, with public data."""

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from seasons.ladders.models import Ladder, Season
from seasons.ladders.rules.handicaps import HandicapTerms
from seasons.ladders.season_tables import load_season_terms
from seasons.ladders.sheets.handicaps import (
    HandicapRanking,
    HandicapRankingLine,
    HandicapStratum,
    PersonHandicap,
    StratumPlace,
    list_current_handicaps,
    load_handicap_ranking,
)
from seasons.ladders.sheets.ladders import LadderLine, LadderSheet, build_ladder_sheet
from server.api.dataclass_serializers import DataclassSerializer
from server.api.endpoints import describe_operation, endpoint, paginate
from server.errors import PageNotFound


class LadderRowSerializer(DataclassSerializer):
    """One ranked line of a ladder; the total is an exact fraction as text."""

    class Meta:
        dataclass = LadderLine
        fields = ("rank", "tied", "who", "evenings", "counted", "value")
        sources = {
            "tied": "is_tied",
            "who": "person_names",
            "evenings": "evening_count",
            "counted": "counted_evenings",
            "value": "total",
        }


class UnrankedLadderRowSerializer(DataclassSerializer):
    """One unranked line of a ladder, with the number of evenings needed to be ranked."""

    class Meta:
        dataclass = LadderLine
        fields = ("who", "evenings", "needs", "value")
        sources = {
            "who": "person_names",
            "evenings": "evening_count",
            "needs": "missing_evening_count",
            "value": "total",
        }


class LadderSerializer(DataclassSerializer):
    """A ladder with public names."""

    ladder = serializers.CharField(source="ladder.slug")
    rows = LadderRowSerializer(source="ranked", many=True)
    unranked = UnrankedLadderRowSerializer(many=True)

    class Meta:
        dataclass = LadderSheet
        fields = ("ladder", "rows", "unranked")


class SeasonSerializer(serializers.Serializer[object]):
    """A season with the slugs of its ladders."""

    slug = serializers.CharField()
    name = serializers.CharField()
    first_day = serializers.DateField()
    last_day = serializers.DateField()
    ladders = serializers.ListField(child=serializers.CharField())


@describe_operation("GET", "seasons", SeasonSerializer, is_paginated=True)
@endpoint("GET")
def list_seasons(request: Request, slug: str) -> Response:
    """List a club's seasons, the newest first."""
    seasons = Season.objects.filter(club__slug=slug).prefetch_related("ladders")
    seasons_data = [
        {
            "slug": season.slug,
            "name": season.name,
            "first_day": season.first_day,
            "last_day": season.last_day,
            "ladders": [ladder.slug for ladder in season.ladders.all()],
        }
        for season in seasons
    ]
    return paginate(request, seasons_data, SeasonSerializer)


@describe_operation("GET", "ladder", LadderSerializer)
@endpoint("GET")
def show_ladder(request: Request, slug: str, season: str, ladder: str) -> Response:
    """Show a ladder: first the ranked lines, then the lines below the minimum of evenings."""
    ladders = Ladder.objects.select_related("season__club").prefetch_related("handicaps")
    ladder_row = ladders.filter(
        season__club__slug=slug, season__slug=season, slug=ladder
    ).first()
    if ladder_row is None:
        raise PageNotFound(_("Ladder not found."))
    return Response(LadderSerializer(build_ladder_sheet(ladder_row)).data)


class HandicapSerializer(DataclassSerializer):
    """A person's current handicap in tricks per board or per cent, as an exact fraction."""

    class Meta:
        dataclass = PersonHandicap
        fields = ("who", "handicap", "how", "mean", "evenings")
        sources = {
            "who": "name",
            "handicap": "handicap.value",
            "how": "handicap.source_code",
            "mean": "handicap.mean",
            "evenings": "evening_count",
        }
        help_texts = {
            "how": "`found` from evenings, `graded`, `few` (too few evenings), or `by_hand`."
        }


class HandicapLineSerializer(DataclassSerializer):
    """One entry of a ranking with handicap: rank, place without handicap, and scores."""

    class Meta:
        dataclass = HandicapRankingLine
        fields = (
            *("field", "rank", "tied", "who", "place", "boards"),
            *("score", "handicap", "value"),
        )
        sources = {
            "field": "line.entry.ranked_group_code",
            "rank": "line.rank",
            "tied": "line.is_tied",
            "who": "sorted_names",
            "place": "line.entry.place",
            "boards": "line.entry.board_count",
            "score": "line.base",
            "handicap": "line.handicap",
            "value": "line.total",
        }


class HandicapStratumLineSerializer(DataclassSerializer):
    """One entry of a stratum: its rank with handicap, and its place without."""

    class Meta:
        dataclass = StratumPlace
        fields = ("rank", "tied", "who", "place", "value")
        sources = {
            "tied": "is_tied",
            "who": "names",
            "place": "rank_without_handicap",
            "value": "line.total",
        }


class HandicapStratumSerializer(DataclassSerializer):
    """A stratum, which also ranks the entries of all lower strata."""

    rows = HandicapStratumLineSerializer(many=True)

    class Meta:
        dataclass = HandicapStratum
        fields = ("stratum", "rows")
        sources = {"stratum": "name"}


class HandicapRankingSerializer(DataclassSerializer):
    """The handicap ranking of an evening; numbers are exact fractions as text."""

    figure = serializers.ChoiceField(choices=["plus", "percent"])
    rows = HandicapLineSerializer(source="lines", many=True)
    strata = HandicapStratumSerializer(many=True)

    class Meta:
        dataclass = HandicapRanking
        fields = ("evening", "figure", "rows", "strata")
        sources = {"evening": "key"}


@describe_operation("GET", "handicaps", HandicapSerializer, is_paginated=True)
@endpoint("GET")
def list_handicaps(request: Request, slug: str, season: str) -> Response:
    """List the current handicaps of people whose names are public."""
    season_row, handicap_terms = _get_season_and_terms(slug, season)
    return paginate(
        request, list_current_handicaps(season_row, handicap_terms), HandicapSerializer
    )


@describe_operation("GET", "handicap_ranking", HandicapRankingSerializer)
@endpoint("GET")
def show_handicap_ranking(request: Request, slug: str, season: str, key: str) -> Response:
    """Show the handicap ranking of an evening."""
    season_row, handicap_terms = _get_season_and_terms(slug, season)
    ranking = load_handicap_ranking(season_row, handicap_terms, key)
    if ranking is None:
        raise PageNotFound(_("No finished evening with this name in the season."))
    return Response(HandicapRankingSerializer(ranking).data)


def _get_season_and_terms(club_slug: str, season_slug: str) -> tuple[Season, HandicapTerms]:
    season_row = (
        Season.objects.select_related("club")
        .filter(club__slug=club_slug, slug=season_slug)
        .first()
    )
    handicap_terms = load_season_terms(season_row) if season_row else None
    if season_row is None or handicap_terms is None:
        raise PageNotFound(_("This season has no handicap."))
    return season_row, handicap_terms
