"""API: whether the second play of a memory duplicate has other trump suits."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from server.api.endpoints import describe_operation, endpoint, validate_body
from tournaments import event_access, services


class SecondPlaySerializer(serializers.Serializer[Any]):
    """The suits of the second play."""

    other_suits = serializers.BooleanField(
        help_text="the second play of every board is in other suits; memory duplicate only"
    )


@describe_operation("GET", "second_play", SecondPlaySerializer)
@describe_operation(
    "PUT", "second_play_settle", SecondPlaySerializer, request=SecondPlaySerializer
)
@endpoint("GET", "PUT")
def show_or_set_second_play(request: Request, slug: str) -> Response:
    """Show whether the second play has other suits, or set it before play."""
    if request.method == "PUT":
        event = event_access.load_director_event(request, slug).event
        services.set_second_play(
            event=event, by=request.user, **validate_body(SecondPlaySerializer, request)
        )
    return Response(SecondPlaySerializer(event_access.load_public_event(slug).event).data)
