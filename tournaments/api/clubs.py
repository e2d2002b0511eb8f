"""API: the clubs that a login directs."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import permissions
from server.api.endpoints import describe_operation, endpoint


class ClubSerializer(serializers.Serializer[Any]):
    """A club."""

    slug = serializers.CharField()
    name = serializers.CharField()
    timezone = serializers.CharField()


@describe_operation("GET", "clubs", ClubSerializer(many=True), error_statuses=(401,))
@endpoint("GET", is_public=False)
def list_clubs(request: Request) -> Response:
    """List the clubs that the login directs."""
    return Response(ClubSerializer(permissions.list_directed_clubs(request), many=True).data)
