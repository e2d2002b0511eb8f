"""Handicaps of a season for programs: what everybody may see."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from seasons.ladders.models import Season
from seasons.ladders.rules.handicaps import HandicapTerms
from seasons.ladders.season_handicaps import terms_of_season
from seasons.ladders.sheets.handicaps import (
    HandicapRanking,
    HandicapStratum,
    PersonHandicap,
    RankedWithHandicap,
    StratumPlace,
    handicap_ranking,
    todays_handicaps,
)
from server.api.dataclass_serializers import DataclassSerializer
from server.api.frame import PAGE, answers, endpoint, page_of, paged
from server.refusals import Missing


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


@extend_schema(
    methods=["GET"],
    operation_id="handicaps",
    parameters=[PAGE],
    responses=answers(page_of(HandicapAnswer), 404),
)
@endpoint("GET")
def handicaps(request: Request, slug: str, season: str) -> Response:
    """List the handicaps of today of those who are shown by name."""
    found, terms = _with_terms(slug, season)
    return paged(request, todays_handicaps(found, terms), HandicapAnswer)


@extend_schema(
    methods=["GET"],
    operation_id="handicap_ranking",
    responses=answers(HandicapRankingAnswer, 404),
)
@endpoint("GET")
def ranking(request: Request, slug: str, season: str, key: str) -> Response:
    """Show an evening ranked with handicaps."""
    found, terms = _with_terms(slug, season)
    sheet = handicap_ranking(found, terms, key)
    if sheet is None:
        raise Missing(_("The season has no evening of this name that is over."))
    return Response(HandicapRankingAnswer(sheet).data)


def _with_terms(slug: str, season: str) -> tuple[Season, HandicapTerms]:
    found = Season.objects.select_related("club").filter(club__slug=slug, slug=season).first()
    terms = terms_of_season(found) if found else None
    if found is None or terms is None:
        raise Missing(_("This season has no handicap."))
    return found, terms
