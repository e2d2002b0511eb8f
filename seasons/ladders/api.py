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
    HandicapStratum,
    PersonHandicap,
    RankedWithHandicap,
    StratumPlace,
    list_current_handicaps,
    load_handicap_ranking,
)
from seasons.ladders.sheets.ladders import LadderLine, LadderSheet, build_ladder_sheet
from server.api.dataclass_serializers import DataclassSerializer
from server.api.endpoints import describe_operation, endpoint, paginate
from server.errors import PageNotFound


class LadderPlaceAnswer(DataclassSerializer):
    """One ranked line of a ladder; the total is an exact fraction as text."""

    class Meta:
        dataclass = LadderLine
        fields = ("rank", "tied", "who", "evenings", "counted", "value")
        sources = {"value": "total"}


class LadderLackAnswer(DataclassSerializer):
    """One line below the minimum, and how many evenings are lacking."""

    class Meta:
        dataclass = LadderLine
        fields = ("who", "evenings", "needs", "value")
        sources = {"value": "total"}


class LadderAnswer(DataclassSerializer):
    """A ladder with the names that everybody may see."""

    ladder = serializers.CharField(source="row.slug")
    rows = LadderPlaceAnswer(source="ranked", many=True)
    unranked = LadderLackAnswer(many=True)

    class Meta:
        dataclass = LadderSheet
        fields = ("ladder", "rows", "unranked")


class SeasonAnswer(serializers.Serializer[object]):
    """A season and its ladders by their slugs."""

    slug = serializers.CharField()
    name = serializers.CharField()
    first_day = serializers.DateField()
    last_day = serializers.DateField()
    ladders = serializers.ListField(child=serializers.CharField())


@describe_operation("GET", "seasons", SeasonAnswer, paged=True, refused=())
@endpoint("GET")
def list_seasons(request: Request, slug: str) -> Response:
    """List a club's seasons, the newest first."""
    found = Season.objects.filter(club__slug=slug).prefetch_related("ladders")
    rows = [
        {
            "slug": each.slug,
            "name": each.name,
            "first_day": each.first_day,
            "last_day": each.last_day,
            "ladders": [row.slug for row in each.ladders.all()],
        }
        for each in found
    ]
    return paginate(request, rows, SeasonAnswer)


@describe_operation("GET", "ladder", LadderAnswer)
@endpoint("GET")
def show_ladder(request: Request, slug: str, season: str, ladder: str) -> Response:
    """Show a ladder: the ranked by rank, then who lacks evenings."""
    rows = Ladder.objects.select_related("season__club").prefetch_related("handicaps")
    found = rows.filter(season__club__slug=slug, season__slug=season, slug=ladder).first()
    if found is None:
        raise PageNotFound(_("Ladder not found."))
    return Response(LadderAnswer(build_ladder_sheet(found)).data)


class HandicapAnswer(DataclassSerializer):
    """Somebody's handicap of today: tricks a board, or per cent, as an exact fraction."""

    class Meta:
        dataclass = PersonHandicap
        fields = ("who", "handicap", "how", "mean", "evenings")
        sources = {
            "who": "name",
            "handicap": "own.value",
            "how": "own.how",
            "mean": "own.mean",
        }
        help_texts = {"how": "`found`, `graded`, `few` evenings to find one, or `by_hand`."}


class HandicapLineAnswer(DataclassSerializer):
    """One entry: the rank with handicap, the place without, and the figures of both."""

    class Meta:
        dataclass = RankedWithHandicap
        fields = (
            *("field", "rank", "tied", "who", "place", "boards"),
            *("score", "handicap", "value"),
        )
        sources = {
            "field": "line.entry.field",
            "rank": "line.rank",
            "tied": "line.tied",
            "who": "sorted_names",
            "place": "line.entry.place",
            "boards": "line.entry.boards",
            "score": "line.base",
            "handicap": "line.handicap",
            "value": "line.total",
        }


class HandicapStratumLineAnswer(DataclassSerializer):
    """One entry in a stratum: the rank with handicap, and the place there without."""

    class Meta:
        dataclass = StratumPlace
        fields = ("rank", "tied", "who", "place", "value")
        sources = {"who": "names", "place": "scratch", "value": "line.total"}


class HandicapStratumAnswer(DataclassSerializer):
    """A stratum with all below it."""

    rows = HandicapStratumLineAnswer(many=True)

    class Meta:
        dataclass = HandicapStratum
        fields = ("stratum", "rows")
        sources = {"stratum": "name"}


class HandicapRankingAnswer(DataclassSerializer):
    """An evening ranked with handicaps; figures are exact fractions as text."""

    figure = serializers.ChoiceField(choices=["plus", "percent"])
    rows = HandicapLineAnswer(source="lines", many=True)
    strata = HandicapStratumAnswer(many=True)

    class Meta:
        dataclass = HandicapRanking
        fields = ("evening", "figure", "rows", "strata")
        sources = {"evening": "key"}


@describe_operation("GET", "handicaps", HandicapAnswer, paged=True)
@endpoint("GET")
def list_handicaps(request: Request, slug: str, season: str) -> Response:
    """List the handicaps of today of those who are shown by name."""
    season_row, terms = _get_season_and_terms(slug, season)
    return paginate(request, list_current_handicaps(season_row, terms), HandicapAnswer)


@describe_operation("GET", "handicap_ranking", HandicapRankingAnswer)
@endpoint("GET")
def show_handicap_ranking(request: Request, slug: str, season: str, key: str) -> Response:
    """Show an evening ranked with handicaps."""
    season_row, terms = _get_season_and_terms(slug, season)
    sheet = load_handicap_ranking(season_row, terms, key)
    if sheet is None:
        raise PageNotFound(_("No finished evening of this name in the season."))
    return Response(HandicapRankingAnswer(sheet).data)


def _get_season_and_terms(slug: str, season: str) -> tuple[Season, HandicapTerms]:
    found = Season.objects.select_related("club").filter(club__slug=slug, slug=season).first()
    terms = load_season_terms(found) if found else None
    if found is None or terms is None:
        raise PageNotFound(_("This season has no handicap."))
    return found, terms
