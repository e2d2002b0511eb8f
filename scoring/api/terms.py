"""The API of an event's scoring, which anyone can read and directors can set."""

from typing import Any

from django.utils.functional import lazy
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

import scoring.services
from scoring import page_loaders
from scoring.api.method_field import POINTS_HELP, MethodField
from scoring.methods.tie_breaks import TIE_BREAKS_BY_NAME
from scoring.models import Terms
from scoring.standings_engine.scores import find_scoring_method
from server.api.endpoints import build_choice_field, describe_operation, endpoint, validate_body
from tournaments.models import MAX_POINTS_PER_BOARD, Event


def _get_tie_break_title(tie_break_name: str) -> str:
    return TIE_BREAKS_BY_NAME[tie_break_name].title


TIE_BREAK_CHOICES = [
    (name, lazy(_get_tie_break_title, str)(name)) for name in TIE_BREAKS_BY_NAME
]


class ScoringSerializer(serializers.Serializer[Any]):
    """The terms on which an event is scored, with the description of the method."""

    method = serializers.CharField()
    tie_breaks = serializers.ListField(child=serializers.CharField())
    carry_over = serializers.CharField(
        help_text="the share of earlier sessions that is carried over"
    )
    revokes_read = serializers.CharField()
    whole_averages = serializers.BooleanField(
        help_text="whether averages are rounded to whole tricks"
    )
    unequal_boards = serializers.CharField(
        help_text="the score that ranks entries with unequal numbers of boards"
    )
    totals_grow = serializers.CharField(
        help_text="when results count in the public totals during play"
    )
    most_points = serializers.IntegerField(
        allow_null=True, help_text=f"{POINTS_HELP}; null if results are tricks"
    )
    by_corrected = serializers.BooleanField(
        help_text="whether the total corrected by the opponents' totals decides"
    )
    across = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="the sessions whose sections are compared as one",
    )
    title = serializers.CharField()
    unit = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field may be called so
    guarantee = serializers.CharField()


class ScoringChangesSerializer(serializers.Serializer[Any]):
    """Changes of an event's terms; omitted fields are not changed."""

    method = MethodField(required=False)
    tie_breaks = serializers.ListField(
        child=build_choice_field(TIE_BREAK_CHOICES),
        max_length=len(TIE_BREAK_CHOICES),
        required=False,
    )
    carry_over = serializers.CharField(
        max_length=20, required=False, help_text="an exact share from 0 to 1, such as 1/2"
    )
    revokes_read = build_choice_field(Terms.RevokeReading.choices, required=False)
    whole_averages = serializers.BooleanField(required=False)
    unequal_boards = build_choice_field(Terms.UnequalBoardsScore.choices, required=False)
    totals_grow = build_choice_field(Terms.TotalsUpdateTime.choices, required=False)
    by_corrected = serializers.BooleanField(required=False)
    most_points = serializers.IntegerField(
        min_value=1,
        max_value=MAX_POINTS_PER_BOARD,
        required=False,
        allow_null=True,
        help_text=f"{POINTS_HELP}; null for tricks; fixed once a result is entered",
    )
    across = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=99), max_length=99, required=False
    )


@describe_operation("GET", "scoring", ScoringSerializer)
@describe_operation(
    "PATCH", "scoring_settle", ScoringSerializer, request=ScoringChangesSerializer
)
@endpoint("GET", "PATCH")
def scoring_detail(request: Request, slug: str) -> Response:
    """Return or set the scoring of an event; the standings are recomputed."""
    if request.method == "PATCH":
        event = page_loaders.load_director_event(request, slug).event
        input_data = validate_body(ScoringChangesSerializer, request)
        scoring.services.set_scoring_terms(
            event=event, by=request.user, **(_build_scoring_data(event) | input_data)
        )
    event = page_loaders.load_public_event(slug).event
    method = find_scoring_method(event)
    scoring_method_texts = {
        name: getattr(method, name) for name in ("title", "unit", "source", "guarantee")
    }
    return Response(ScoringSerializer(_build_scoring_data(event) | scoring_method_texts).data)


def _build_scoring_data(event: Event) -> dict[str, Any]:
    scoring_terms = event.terms
    return {
        "method": scoring_terms.method,
        "tie_breaks": list(scoring_terms.tie_breaks),
        "carry_over": scoring_terms.carry_over,
        "revokes_read": scoring_terms.revokes_read,
        "whole_averages": scoring_terms.whole_averages,
        "unequal_boards": scoring_terms.unequal_boards,
        "totals_grow": scoring_terms.totals_grow,
        "by_corrected": scoring_terms.by_corrected,
        "most_points": event.most_points,
        "across": [
            session.number for session in event.sessions.all() if session.across_sections
        ],
    }
