"""Handicaps of a season for programs: what everybody may see."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from seasons.ladders.handicaps import HandicapTerms
from seasons.models import Season
from seasons.season_handicaps import terms_of_season
from seasons.sheets.handicap_files import person_data, ranking_data
from seasons.sheets.handicap_sheet import handicap_ranking, todays_handicaps
from server.api.frame import PAGE, answers, endpoint, page_of, paged
from server.refusals import Missing


class HandicapAnswer(serializers.Serializer[object]):
    """Somebody's handicap of today: tricks a board, or per cent, as an exact fraction."""

    who = serializers.CharField()
    handicap = serializers.CharField()
    how = serializers.CharField(
        help_text="`found`, `graded`, `few` evenings to find one, or `by_hand`."
    )
    mean = serializers.CharField(allow_null=True)
    evenings = serializers.IntegerField()


class HandicapLineAnswer(serializers.Serializer[object]):
    """One entry: the rank with handicap, the place without, and the figures of both."""

    field = serializers.CharField()
    rank = serializers.IntegerField()
    tied = serializers.BooleanField()
    who = serializers.ListField(child=serializers.CharField())
    place = serializers.IntegerField(allow_null=True)
    boards = serializers.IntegerField()
    score = serializers.CharField()
    handicap = serializers.CharField()
    value = serializers.CharField()


class HandicapStratumLineAnswer(serializers.Serializer[object]):
    """One entry in a stratum: the rank with handicap, and the place there without."""

    rank = serializers.IntegerField()
    tied = serializers.BooleanField()
    who = serializers.CharField()
    place = serializers.IntegerField(allow_null=True)
    value = serializers.CharField()


class HandicapStratumAnswer(serializers.Serializer[object]):
    """A stratum with all below it."""

    stratum = serializers.CharField()
    rows = HandicapStratumLineAnswer(many=True)


class HandicapRankingAnswer(serializers.Serializer[object]):
    """An evening ranked with handicaps; figures are exact fractions as text."""

    evening = serializers.CharField()
    figure = serializers.ChoiceField(choices=["plus", "percent"])
    rows = HandicapLineAnswer(many=True)
    strata = HandicapStratumAnswer(many=True)


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
    rows = [person_data(each) for each in todays_handicaps(found, terms)]
    return paged(request, rows, HandicapAnswer)


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
    return Response(ranking_data(sheet))


def _with_terms(slug: str, season: str) -> tuple[Season, HandicapTerms]:
    found = Season.objects.select_related("club").filter(club__slug=slug, slug=season).first()
    terms = terms_of_season(found) if found else None
    if found is None or terms is None:
        raise Missing(_("This season has no handicap."))
    return found, terms
