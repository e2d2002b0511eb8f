"""API: one result: idempotent, and a stale `seen` is refused."""

import re
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field, inline_serializer
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

import scoring.services
from boards.whist import ALL_DECLARATIONS
from clubs.errors import EnteredMeanwhile
from scoring import page_loaders
from scoring.api.serializers import ResultAnswer, build_result_data, build_seen_data
from scoring.doubts.open_queries import DoubtfulResult
from scoring.models import Outcome, ResultVersion, WrittenScore
from scoring.sheets.doubts import build_queried_result
from server.api.endpoints import (
    Nothing,
    build_choice_field,
    describe_operation,
    describe_responses,
    endpoint,
    validate_body,
)
from tournaments.models import MAX_POINTS_LIMIT, Sitting

POINTS_PATTERN = re.compile(r"[0-9]{1,4}-[0-9]{1,4}")
SEEN_SCHEMA = {
    "oneOf": [
        {"type": "integer", "minimum": 0, "maximum": 13},
        {"type": "string", "enum": [Outcome.NOT_PLAYED.value]},
        {"type": "string", "pattern": "^[0-9]{1,4}-[0-9]{1,4}$"},
    ],
    "nullable": True,
    "description": "what the client showed before (points as 120-40, those of N-S first); left "
    "out, nothing is asked",
}


@extend_schema_field(SEEN_SCHEMA)
class SeenField(serializers.Field[str, Any, Any, Any]):
    """The value that the client showed before, as in the score grid: "8", "120-40", "-", ""."""

    def to_internal_value(self, data: object) -> str:
        """Accept a number of tricks, or the word for a board that was not played."""
        if data == Outcome.NOT_PLAYED.value:
            return "-"
        if isinstance(data, int) and not isinstance(data, bool) and 0 <= data <= 13:
            return str(data)
        if isinstance(data, str) and POINTS_PATTERN.fullmatch(data):
            return data
        raise serializers.ValidationError(
            _("Send 0 to 13, not_played, or null for nothing. Send points as 120-40.")
        )


def _create_points_field(help_text: str) -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=0,
        max_value=MAX_POINTS_LIMIT,
        required=False,
        allow_null=True,
        help_text=help_text,
    )


class Tricks(serializers.Serializer[Any]):
    """What happened to a board at a table."""

    outcome = build_choice_field(Outcome.choices, default=Outcome.PLAYED.value)
    ns_tricks = serializers.IntegerField(
        min_value=0,
        max_value=13,
        allow_null=True,
        default=None,
        help_text="the tricks N-S took; null unless the board was played",
    )
    ns_points = _create_points_field("the points that N-S won, where the event counts points")
    ew_points = _create_points_field("the points that E-W won, where the event counts points")
    trump = serializers.ChoiceField(
        choices=[each.code for each in ALL_DECLARATIONS],
        required=False,
        allow_null=True,
        help_text="what the table declared, where the event notes it: S, H, D or C; in points "
        "also N for no trump, with X if doubled and XX if redoubled. If it is left out, the "
        "stored one stays; null removes it",
    )
    seen = SeenField(required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require tricks or points for a board that was played, and for no other."""
        is_played, tricks = attrs["outcome"] == Outcome.PLAYED, attrs["ns_tricks"]
        points = [attrs.get("ns_points"), attrs.get("ew_points")]
        if is_played and tricks is None and None not in points:
            return attrs
        if points != [None, None]:
            raise serializers.ValidationError(
                {"ns_points": _("Send the points of both sides, and no tricks.")}
            )
        if is_played and tricks is None:
            raise serializers.ValidationError(
                {"ns_tricks": _("Send 0 to 13, or an outcome: not_played or cleared.")}
            )
        if not is_played and tricks is not None:
            raise serializers.ValidationError(
                {"ns_tricks": _("Only a board that was played has tricks. Send null.")}
            )
        return attrs


class QueryAnswer(serializers.Serializer[Any]):
    """A question about a result far from the other tables; it is stored all the same."""

    text = serializers.CharField(help_text="the question as a sentence to show")
    swap = serializers.IntegerField(
        allow_null=True, help_text="what N-S took if the two sides were mixed up"
    )


class EnteredAnswer(ResultAnswer):
    """A result as it now stands, and whether it is asked about."""

    query = QueryAnswer(allow_null=True)


class Really(serializers.Serializer[Any]):
    """Which board it was."""

    really = serializers.IntegerField(min_value=1, max_value=10_000)


class BoardsAnswer(serializers.Serializer[Any]):
    """The boards that a table plays in a round, as they now stand."""

    sitting = serializers.IntegerField()
    boards = serializers.ListField(child=serializers.IntegerField())


Conflict = inline_serializer(
    "EnteredMeanwhile",
    {
        "code": serializers.CharField(help_text="entered_meanwhile"),
        "detail": serializers.CharField(help_text="who entered what, as a sentence to show"),
        "seen": serializers.JSONField(
            help_text="what stands now: 0 to 13, points as 120-40, not_played or null"
        ),
        "by": serializers.CharField(help_text="who entered it"),
    },
)


@extend_schema(
    operation_id="result_put",
    request=Tricks,
    responses=describe_responses(EnteredAnswer, 400, 401, 403, 404) | {409: Conflict},
)
@endpoint("PUT", needs="score")
def result(request: Request, pk: int, board: int) -> Response:
    """Write down a result, mark the board as not played, or clear it.

    A result far from the other tables is stored and queried: put the right one, or keep it.
    """
    sitting = _find_sitting(request, pk)
    input_data = validate_body(Tricks, request)
    try:
        entered_result = scoring.services.record_result(
            sitting=sitting,
            board=board,
            mark=WrittenScore(
                input_data["outcome"],
                input_data["ns_tricks"],
                input_data.get("ns_points"),
                input_data.get("ew_points"),
            ).mark,
            seen=(input_data["seen"] or "") if "seen" in input_data else None,
            trump=(input_data["trump"] or "") if "trump" in input_data else None,
            by=request.user,
            via=ResultVersion.Via.API,
        )
    except EnteredMeanwhile as stale:
        return Response(
            {
                "code": stale.code,
                "detail": str(stale),
                "seen": build_seen_data(stale.seen),
                "by": stale.by,
            },
            status=409,
        )
    return Response(
        build_result_data(entered_result.result) | {"query": _build_query(entered_result.query)}
    )


@describe_operation("POST", "result_keep", ResultAnswer, request=None)
@endpoint("POST", needs="score")
def keep(request: Request, pk: int, board: int) -> Response:
    """Let a queried result stand; twice is as good as once."""
    sitting = _find_sitting(request, pk)
    validate_body(Nothing, request)
    accepted_result = scoring.services.accept_result(
        sitting=sitting, board=board, by=request.user
    )
    if accepted_result is None:
        raise exceptions.NotFound(_("This board has no result at this table."))
    return Response(build_result_data(accepted_result))


@describe_operation("PUT", "board_put_right", BoardsAnswer, request=Really)
@endpoint("PUT")
def board(request: Request, pk: int, board: int) -> Response:
    """Say that a table really played a single board of another set in place of this one."""
    sitting = _find_sitting(request, pk)
    page_loaders.director_event(request, sitting.section.session.event.slug)
    input_data = validate_body(Really, request)
    moved_count = scoring.services.record_board_really_played(
        sitting=sitting, board=board, really=input_data["really"], by=request.user
    )
    return Response(
        BoardsAnswer({"sitting": moved_count.pk, "boards": list(moved_count.boards)}).data
    )


def _find_sitting(request: Request, pk: int) -> Sitting:
    """Return a sitting for a caller who may enter its scores."""
    sittings = Sitting.objects.select_related("section__session__event")
    sitting = get_object_or_404(sittings, pk=pk)
    page_loaders.scorer_event(request, sitting.section.session.event.slug)
    return sitting


def _build_query(doubt: DoubtfulResult | None) -> dict[str, Any] | None:
    if doubt is None:
        return None
    query = build_queried_result(doubt)
    return {"text": query.text, "swap": int(query.swap) if query.swap else None}
