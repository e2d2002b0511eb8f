"""The API of an event's history: its changes, and undo of a single act or result."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

import hall.history.undo
import scoring.services
from clubs import audit
from hall.history.sheets import ChangeKey, HistoryRow, list_change_keys, list_changes
from scoring import page_loaders
from scoring.models import ResultVersion
from server.api.endpoints import EmptySerializer, describe_operation, endpoint, validate_body


class HistoryChangeSerializer(serializers.Serializer[Any]):
    """One change in an event's history."""

    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="act, or entry for an entered result")
    at = serializers.DateTimeField()
    by = serializers.CharField()
    text = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)
    can_undo = serializers.BooleanField(help_text="whether it can be undone now")
    stands = serializers.CharField(
        allow_blank=True, help_text="the reason why it cannot be undone"
    )


class SeenVersionSerializer(serializers.Serializer[Any]):
    """The newest version of the result that the client knows; by default the given one."""

    last = serializers.IntegerField(min_value=1, required=False)


@describe_operation(
    "GET", "history", HistoryChangeSerializer, is_paginated=True, error_statuses=(401, 403, 404)
)
@endpoint("GET", is_public=False)
def list_history(request: Request, slug: str) -> Response:
    """List all changes of an event, newest first; only for users who may enter its scores."""
    access = page_loaders.load_scorer_event(request, slug)
    paginator = PageNumberPagination()
    page_change_keys = paginator.paginate_queryset(list_change_keys(access.event), request)
    changes = list_changes(access, page_change_keys)
    change_data = [
        _build_row(change_key, change)
        for change_key, change in zip(page_change_keys or [], changes, strict=True)
    ]
    return paginator.get_paginated_response(
        HistoryChangeSerializer(change_data, many=True).data
    )


@describe_operation("POST", "act_undo", request=None)
@endpoint("POST")
def undo_act(request: Request, slug: str, pk: int) -> Response:
    """Undo one act; an error if a newer act depends on it."""
    event = page_loaders.load_director_event(request, slug).event
    act = get_object_or_404(audit.list_acts(event), pk=pk)
    validate_body(EmptySerializer, request)
    hall.history.undo.undo_event_act(event=event, act=act, by=request.user)
    return Response(status=204)


@describe_operation("POST", "entry_undo", request=SeenVersionSerializer)
@endpoint("POST", required_scope="score")
def undo_entered_result(request: Request, slug: str, pk: int) -> Response:
    """Undo one version of a result, which restores the version before it."""
    event = page_loaders.load_scorer_event(request, slug).event
    versions = ResultVersion.objects.select_related("result__sitting")
    version = get_object_or_404(versions, result__sitting__section__session__event=event, pk=pk)
    input_data = validate_body(SeenVersionSerializer, request)
    scoring.services.undo_result(
        version=version, last_seen_version_id=input_data.get("last"), by=request.user
    )
    return Response(status=204)


def _build_row(change_key: ChangeKey, change: HistoryRow) -> dict[str, Any]:
    _at, change_kind, pk = change_key
    texts_by_key = {
        name: getattr(change, name) for name in ("at", "by", "text", "before", "after")
    }
    undo_state = {"can_undo": change.undo is not None, "stands": change.no_undo_reason}
    return {"id": pk, "kind": change_kind} | texts_by_key | undo_state
