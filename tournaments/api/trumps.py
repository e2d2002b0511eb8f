"""API: how trumps are determined in an event; anyone can read it, directors can set it."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from server.api.endpoints import build_choice_field, describe_operation, endpoint, validate_body
from tournaments import event_access, services
from tournaments.models import Event


class TrumpsSerializer(serializers.Serializer[Any]):
    """How trumps are determined in an event."""

    trumps = serializers.CharField(
        help_text="turned (a card is turned up), declared (at each table), or one suit for all "
        "boards: S, H, D or C"
    )


class AgreedTrumpsSerializer(serializers.Serializer[Any]):
    """The new trump rule, and whether every player agrees (Law IV §11)."""

    trumps = build_choice_field(Event.Trumps.choices)
    agreed = serializers.BooleanField(
        default=False,
        help_text="every player in the match agrees; needed unless a card is turned",
    )


@describe_operation("GET", "trumps", TrumpsSerializer)
@describe_operation("PUT", "trumps_agree", TrumpsSerializer, request=AgreedTrumpsSerializer)
@endpoint("GET", "PUT")
def show_or_set_trumps(request: Request, slug: str) -> Response:
    """Show how trumps are determined, or set what all players agreed on."""
    if request.method == "PUT":
        event = event_access.load_director_event(request, slug).event
        input_data = validate_body(AgreedTrumpsSerializer, request)
        services.set_trumps(
            event=event,
            trumps=input_data["trumps"],
            is_agreed=input_data["agreed"],
            by=request.user,
        )
    return Response(TrumpsSerializer(event_access.load_public_event(slug).event).data)
