"""API: the movement adviser, as on the movement page."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from server.api.endpoints import describe_operation, endpoint
from tournaments import event_access
from tournaments.movements.advice.description import (
    build_described_suggestion_data,
    choose_alternatives,
)
from tournaments.sheets.advice import list_suggestions_for_event
from tournaments.swiss.advice import propose_swiss

MAX_LIMIT_VALUE = 1000  # a safety limit; no hall has more tables
LIMIT_DESCRIPTIONS = {
    "minutes": "time to play in",
    "boards": "most boards that each can play",
    "boards_at_hand": "most boards in all",
    "sets": "copies there are of each board",
    "stationary": "how many must keep their seats",
    "winners": "one winner or two",
    "rounds": "stop after so many rounds",
    "sections": "as many sections",
    "max_tables": "most tables in a section",
}


class AdviceQuerySerializer(serializers.Serializer[Any]):
    """The limits of the evening; all are optional."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return an integer field for each limit."""
        return {
            name: serializers.IntegerField(
                min_value=0, max_value=MAX_LIMIT_VALUE, required=False
            )
            for name in LIMIT_DESCRIPTIONS
        }


class AdviceSerializer(serializers.Serializer[Any]):
    """The adviser's suggestions."""

    suggestions = serializers.ListField(
        child=serializers.DictField(),
        help_text="the best first; `plain` says each in plain words, `good_for` what one of "
        "the three beside the first is good for",
    )
    swiss = serializers.DictField(
        allow_null=True,
        help_text="Swiss rounds, which no schedule plans: rounds, boards, minutes, copies, and "
        "in `lacking` the cure where copies are lacking; null where they do not suit",
    )
    said = serializers.ListField(
        child=serializers.CharField(),
        help_text="what would let all play more, or why nothing suits",
    )


@describe_operation(
    "GET",
    "advice",
    AdviceSerializer,
    parameters=[
        OpenApiParameter(name, OpenApiTypes.INT, description=description)
        for name, description in LIMIT_DESCRIPTIONS.items()
    ],
    error_statuses=(400, 401, 403, 404),
)
@endpoint("GET", is_public=False)
def suggest_movements(request: Request, slug: str) -> Response:
    """Suggest movements for the entries of an event, as the director's page does."""
    event = event_access.load_director_event(request, slug).event
    query_serializer = AdviceQuerySerializer(data=request.query_params)
    query_serializer.is_valid(raise_exception=True)
    entry_count = event.entries.count()
    suggestions, hints = list_suggestions_for_event(
        event, entry_count, query_serializer.validated_data
    )
    swiss = propose_swiss(event.contest, entry_count, query_serializer.validated_data)
    advantages_by_suggestion_id = {
        id(suggestion): advantage for advantage, suggestion in choose_alternatives(suggestions)
    }
    swiss_data = swiss.as_data() if swiss else None
    suggestion_rows = [
        build_described_suggestion_data(suggestion)
        | {"good_for": advantages_by_suggestion_id.get(id(suggestion), "")}
        for suggestion in suggestions
    ]
    return Response(
        AdviceSerializer(
            {"suggestions": suggestion_rows, "swiss": swiss_data, "said": hints}
        ).data
    )
