"""The API with which directors order, list and download papers."""

from typing import Any

from django.http import FileResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

import scoring.services
from scoring import page_loaders
from scoring.models import Paper
from scoring.papers import get_paper_kind_title
from scoring.views.papers import create_paper_response
from server.api.endpoints import (
    describe_file_response,
    describe_operation,
    endpoint,
    paginate,
    validate_body,
)


class PaperSerializer(serializers.Serializer[Any]):
    """A paper and the state of its printing job."""

    id = serializers.IntegerField()
    kind = serializers.CharField()
    title = serializers.SerializerMethodField()
    size = serializers.CharField()
    state = serializers.CharField(help_text="ready if it can be downloaded; else its progress")
    error = serializers.CharField(allow_blank=True)
    made_at = serializers.DateTimeField(allow_null=True)

    def get_title(self, paper: Paper) -> str:
        """Return the title of the paper, as on the page of papers."""
        return str(get_paper_kind_title(paper.kind))


class NewPaperSerializer(serializers.Serializer[Any]):
    """An order for a paper; the default size is the event's paper size."""

    kind = serializers.CharField(max_length=40, help_text="such as travellers or ranking")
    size = serializers.CharField(max_length=10, required=False, help_text="A4 or Letter")


@describe_operation(
    "GET", "papers", PaperSerializer, is_paginated=True, error_statuses=(401, 403, 404)
)
@describe_operation(
    "POST",
    "paper_order",
    PaperSerializer,
    request=NewPaperSerializer,
    error_statuses=(400, 401, 403, 404, 429),
)
@endpoint("GET", "POST", is_public=False)
def paper_list(request: Request, slug: str, number: int) -> Response:
    """List a session's papers, newest first, or order one, which a background job prints.

    The status is 429 if the club has used its daily quota or its storage.
    """
    session = page_loaders.load_session(
        page_loaders.load_director_event(request, slug).with_session(number)
    )
    if request.method == "GET":
        return paginate(request, Paper.objects.filter(session=session), PaperSerializer)
    input_data = {"size": session.event.paper_size} | validate_body(NewPaperSerializer, request)
    new_paper = scoring.services.order_paper(session=session, **input_data, by=request.user)
    return Response(PaperSerializer(Paper.objects.get(pk=new_paper.pk)).data)


@extend_schema(
    operation_id="paper_fetch",
    responses=describe_file_response("application/pdf", 401, 403, 404),
)
@endpoint("GET", is_public=False)
def paper_detail(request: Request, slug: str, number: int, pk: int) -> FileResponse:
    """Return a paper as PDF, once it is ready and may be seen."""
    session = page_loaders.load_session(
        page_loaders.load_director_event(request, slug).with_session(number)
    )
    papers = Paper.objects.select_related("session__event__club")
    return create_paper_response(get_object_or_404(papers, pk=pk, session=session))
