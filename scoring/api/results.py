"""The API that records one result; idempotent, with a conflict check of `seen`."""

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
from clubs.errors import EntryConflict
from scoring import page_loaders
from scoring.api.serializers import ResultSerializer, build_result_data, build_result_value
from scoring.doubts.open_doubts import DoubtfulResult
from scoring.models import Outcome, ResultVersion, WrittenScore
from scoring.sheets.doubts import build_queried_result
from server.api.endpoints import (
    EmptySerializer,
    build_choice_field,
    describe_operation,
    describe_responses,
    endpoint,
    validate_body,
)
from tournaments.models import MAX_POINTS_PER_BOARD, Sitting

POINTS_PATTERN = re.compile(r"[0-9]{1,4}-[0-9]{1,4}")
EXPECTED_VALUE_SCHEMA = {
    "oneOf": [
        {"type": "integer", "minimum": 0, "maximum": 13},
        {"type": "string", "enum": [Outcome.NOT_PLAYED.value]},
        {"type": "string", "pattern": "^[0-9]{1,4}-[0-9]{1,4}$"},
    ],
    "nullable": True,
    "description": "the value that the client showed before (points as 120-40, those of N-S "
    "first); without it there is no conflict check",
}


@extend_schema_field(EXPECTED_VALUE_SCHEMA)
class ExpectedValueField(serializers.Field[str, Any, Any, Any]):
    """The value that the client showed before, as in the score grid: "8", "120-40", "-", ""."""

    def to_internal_value(self, data: object) -> str:
        """Return the mark for a number of tricks, points, or "not_played"."""
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
        max_value=MAX_POINTS_PER_BOARD,
        required=False,
        allow_null=True,
        help_text=help_text,
    )


class NewResultSerializer(serializers.Serializer[Any]):
    """The result of a board at a table."""

    outcome = build_choice_field(Outcome.choices, default=Outcome.PLAYED.value)
    ns_tricks = serializers.IntegerField(
        min_value=0,
        max_value=13,
        allow_null=True,
        default=None,
        help_text="the tricks N-S took; null unless the board was played",
    )
    ns_points = _create_points_field("the points that N-S won, if the event counts points")
    ew_points = _create_points_field("the points that E-W won, if the event counts points")
    trump = serializers.ChoiceField(
        choices=[declaration.code for declaration in ALL_DECLARATIONS],
        required=False,
        allow_null=True,
        help_text="the table's declaration, if the event records it: S, H, D or C; in points "
        "also N for no trump, with X if doubled and XX if redoubled. Omitted, the stored one "
        "is kept; null removes it",
    )
    # the result that the client showed before this entry; another stored result is a conflict
    seen = ExpectedValueField(required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require tricks or points for a board that was played, and for no other."""
        is_played, tricks = attrs["outcome"] == Outcome.PLAYED, attrs["ns_tricks"]
        points = [attrs.get("ns_points"), attrs.get("ew_points")]
        if is_played and tricks is None and None not in points:
            return attrs
        if points != [None, None]:
            raise serializers.ValidationError(
                {"ns_points": _("Send both sides’ points, without tricks.")}
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


class ResultQuerySerializer(serializers.Serializer[Any]):
    """The automatic query about a stored result that differs much from the results of other
    tables.
    """

    text = serializers.CharField(help_text="the query as a sentence to show")
    swap = serializers.IntegerField(
        allow_null=True, help_text="the N-S tricks if the two sides were mixed up"
    )


class EnteredResultSerializer(ResultSerializer):
    """The current result, and the query about it if there is one."""

    query = ResultQuerySerializer(allow_null=True)


class PlayedBoardSerializer(serializers.Serializer[Any]):
    """The number of the board that was really played."""

    really = serializers.IntegerField(min_value=1, max_value=10_000)


class SittingBoardsSerializer(serializers.Serializer[Any]):
    """The current boards of a table in a round."""

    sitting = serializers.IntegerField()
    boards = serializers.ListField(child=serializers.IntegerField())


ConflictSerializer = inline_serializer(
    "EnteredMeanwhile",
    {
        "code": serializers.CharField(help_text="entered_meanwhile"),
        "detail": serializers.CharField(help_text="the conflict as a sentence to show"),
        "seen": serializers.JSONField(
            help_text="the current value: 0 to 13, points as 120-40, not_played or null"
        ),
        "by": serializers.CharField(help_text="the author of the current value"),
    },
)


@extend_schema(
    operation_id="result_put",
    request=NewResultSerializer,
    responses=describe_responses(EnteredResultSerializer, 400, 401, 403, 404)
    | {409: ConflictSerializer},
)
@endpoint("PUT", required_scope="score")
def result_detail(request: Request, pk: int, board: int) -> Response:
    """Record a result, mark the board as not played, or clear the result.

    An implausible result is stored and queried; record the right one, or accept it.
    """
    sitting = _find_sitting(request, pk)
    input_data = validate_body(NewResultSerializer, request)
    try:
        entered_result = scoring.services.record_result(
            sitting=sitting,
            board_number=board,
            mark=WrittenScore(
                input_data["outcome"],
                input_data["ns_tricks"],
                input_data.get("ns_points"),
                input_data.get("ew_points"),
            ).mark,
            seen_score=(input_data["seen"] or "") if "seen" in input_data else None,
            trump=(input_data["trump"] or "") if "trump" in input_data else None,
            by=request.user,
            channel=ResultVersion.InputChannel.API,
        )
    except EntryConflict as conflict:
        return Response(
            {
                "code": conflict.code,
                "detail": str(conflict),
                "seen": build_result_value(conflict.current_value),
                "by": conflict.by,
            },
            status=409,
        )
    return Response(
        build_result_data(entered_result.result)
        | {"query": _build_queried_result_data(entered_result.doubtful_result)}
    )


@describe_operation("POST", "result_keep", ResultSerializer, request=None)
@endpoint("POST", required_scope="score")
def accept_result(request: Request, pk: int, board: int) -> Response:
    """Accept a queried result; idempotent."""
    sitting = _find_sitting(request, pk)
    validate_body(EmptySerializer, request)
    accepted_result = scoring.services.accept_result(
        sitting=sitting, board_number=board, by=request.user
    )
    if accepted_result is None:
        raise exceptions.NotFound(_("This board has no result at this table."))
    return Response(build_result_data(accepted_result))


@describe_operation(
    "PUT", "board_put_right", SittingBoardsSerializer, request=PlayedBoardSerializer
)
@endpoint("PUT")
def record_actual_board(request: Request, pk: int, board: int) -> Response:
    """Record that a table really played a single board of another set instead of this one."""
    sitting = _find_sitting(request, pk)
    page_loaders.load_director_event(request, sitting.section.session.event.slug)
    input_data = validate_body(PlayedBoardSerializer, request)
    changed_sitting = scoring.services.record_actual_board(
        sitting=sitting, board=board, really=input_data["really"], by=request.user
    )
    return Response(
        SittingBoardsSerializer(
            {"sitting": changed_sitting.pk, "boards": list(changed_sitting.boards)}
        ).data
    )


def _find_sitting(request: Request, pk: int) -> Sitting:
    """Return a sitting; raise PermissionDenied unless the login may enter its scores."""
    sittings = Sitting.objects.select_related("section__session__event")
    sitting = get_object_or_404(sittings, pk=pk)
    page_loaders.load_scorer_event(request, sitting.section.session.event.slug)
    return sitting


def _build_queried_result_data(doubtful_result: DoubtfulResult | None) -> dict[str, Any] | None:
    if doubtful_result is None:
        return None
    queried_result = build_queried_result(doubtful_result)
    return {
        "text": queried_result.text,
        "swap": int(queried_result.swapped_tricks) if queried_result.swapped_tricks else None,
    }
