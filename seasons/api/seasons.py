"""Seasons and ladders for programs: what everybody may see."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from seasons.models import Ladder, Season
from seasons.sheets.ladder_files import ladder_data
from seasons.sheets.ladder_sheet import ladder_sheet
from server.api.frame import PAGE, answers, endpoint, page_of, paged
from server.refusals import Missing


class LadderPlaceAnswer(serializers.Serializer[object]):
    """One ranked line of a ladder; the total is an exact fraction as text."""

    rank = serializers.IntegerField()
    tied = serializers.BooleanField()
    who = serializers.ListField(child=serializers.CharField())
    evenings = serializers.IntegerField()
    counted = serializers.IntegerField()
    value = serializers.CharField()


class LadderLackAnswer(serializers.Serializer[object]):
    """One line below the minimum, and how many evenings are lacking."""

    who = serializers.ListField(child=serializers.CharField())
    evenings = serializers.IntegerField()
    needs = serializers.IntegerField()
    value = serializers.CharField()


class LadderAnswer(serializers.Serializer[object]):
    """A ladder with the names that everybody may see."""

    ladder = serializers.CharField()
    rows = LadderPlaceAnswer(many=True)
    unranked = LadderLackAnswer(many=True)


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
    return Response(ladder_data(ladder_sheet(found)))
