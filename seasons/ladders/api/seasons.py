"""Seasons and ladders for programs: what everybody may see."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from seasons.ladders.models import Ladder, Season
from seasons.ladders.sheets.ladders import LadderLine, LadderSheet, ladder_sheet
from server.api.dataclass_serializers import DataclassSerializer
from server.api.frame import PAGE, answers, endpoint, page_of, paged
from server.refusals import Missing


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

    rows = LadderPlaceAnswer(source="ranked", many=True)
    unranked = LadderLackAnswer(many=True)

    class Meta:
        dataclass = LadderSheet
        fields = ("ladder", "rows", "unranked")
        sources = {"ladder": "slug"}


class SeasonAnswer(serializers.Serializer[object]):
    """A season and its ladders by their slugs."""

    slug = serializers.CharField()
    name = serializers.CharField()
    first_day = serializers.DateField()
    last_day = serializers.DateField()
    ladders = serializers.ListField(child=serializers.CharField())


@extend_schema(
    methods=["GET"],
    operation_id="seasons",
    parameters=[PAGE],
    responses={200: page_of(SeasonAnswer)},
)
@endpoint("GET")
def seasons(request: Request, slug: str) -> Response:
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
    return paged(request, rows, SeasonAnswer)


@extend_schema(methods=["GET"], operation_id="ladder", responses=answers(LadderAnswer, 404))
@endpoint("GET")
def ladder(request: Request, slug: str, season: str, ladder: str) -> Response:
    """Show a ladder: the ranked by rank, then who lacks evenings."""
    rows = Ladder.objects.select_related("season__club").prefetch_related("handicaps")
    found = rows.filter(season__club__slug=slug, season__slug=season, slug=ladder).first()
    if found is None:
        raise Missing(_("There is no such ladder here."))
    return Response(LadderAnswer(ladder_sheet(found)).data)
