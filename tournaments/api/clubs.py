"""Clubs for programs: those that a login directs."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from server.api.frame import answers, endpoint


class ClubAnswer(serializers.Serializer[Any]):
    """A club."""

    slug = serializers.CharField()
    name = serializers.CharField()
    timezone = serializers.CharField()


@extend_schema(
    methods=["GET"], operation_id="clubs", responses=answers(ClubAnswer(many=True), 401)
)
@endpoint("GET", public=False)
def clubs(request: Request) -> Response:
    """List the clubs that the login directs."""
    return Response(ClubAnswer(access.clubs_of(request), many=True).data)
