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
from hall.history.sheets import Change, ChangeMoment, list_changes, list_moments
from scoring import page_loaders
from scoring.models import ResultVersion
from server.api.endpoints import Nothing, describe_operation, endpoint, validate_body


class ChangeAnswer(serializers.Serializer[Any]):
    """One line of an event's history."""

    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="act, or entry of a result")
    at = serializers.DateTimeField()
    by = serializers.CharField()
    text = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)
    can_undo = serializers.BooleanField(help_text="whether it can be taken back now")
    stands = serializers.CharField(allow_blank=True, help_text="why it cannot")


class Seen(serializers.Serializer[Any]):
    """The newest entry of this result that was seen; without it this one must be that."""

    last = serializers.IntegerField(min_value=1, required=False)


@describe_operation("GET", "history", ChangeAnswer, paged=True, refused=(401, 403, 404))
@endpoint("GET", public=False)
def history(request: Request, slug: str) -> Response:
    """List everything that was done to an event, newest first, for who may score there."""
    visit = page_loaders.scorer_event(request, slug)
    pages = PageNumberPagination()
    page_moments = pages.paginate_queryset(list_moments(visit.event), request)
    changes = list_changes(visit, page_moments)
    rows = [
        _build_row(moment, change)
        for moment, change in zip(page_moments or [], changes, strict=True)
    ]
    return pages.get_paginated_response(ChangeAnswer(rows, many=True).data)


@describe_operation("POST", "act_undo", request=None)
@endpoint("POST")
def act_undo(request: Request, slug: str, pk: int) -> Response:
    """Take one act back; refused where something newer stands on it."""
    event = page_loaders.director_event(request, slug).event
    act = get_object_or_404(audit.list_acts(event), pk=pk)
    validate_body(Nothing, request)
    hall.history.undo.undo_event_act(event=event, act=act, by=request.user)
    return Response(status=204)


@describe_operation("POST", "entry_undo", request=Seen)
@endpoint("POST", needs="score")
def entry_undo(request: Request, slug: str, pk: int) -> Response:
    """Take one entry of a result back: what stood before it stands again."""
    event = page_loaders.scorer_event(request, slug).event
    rows = ResultVersion.objects.select_related("result__sitting")
    version = get_object_or_404(rows, result__sitting__section__session__event=event, pk=pk)
    input_data = validate_body(Seen, request)
    scoring.services.undo_result(version=version, last=input_data.get("last"), by=request.user)
    return Response(status=204)


def _build_row(moment: ChangeMoment, change: Change) -> dict[str, Any]:
    _at, kind, pk = moment
    texts_by_key = {
        name: getattr(change, name) for name in ("at", "by", "text", "before", "after")
    }
    can = {"can_undo": change.undo is not None, "stands": change.no_undo_reason}
    return {"id": pk, "kind": kind} | texts_by_key | can
