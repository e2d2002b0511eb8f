"""The frame of every API view: permissions, parsers and pagination."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import exceptions, serializers
from rest_framework.decorators import api_view, parser_classes, permission_classes
from rest_framework.fields import empty
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import BaseParser
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from server.api.bodies import Body
from server.api.tokens import scoped
from server.request_source import request_source

Shape = type[serializers.Serializer[Any]]
View = Callable[..., HttpResponseBase]
Decorator = Callable[[View], View]

MOST_NAMED = 20  # unknown fields named in an error; more would not help

Refusal = inline_serializer(
    "Refusal",
    {
        "code": serializers.CharField(help_text="What was wrong, for machines."),
        "detail": serializers.CharField(help_text="The same as a sentence to show."),
        "fields": serializers.DictField(required=False, help_text="The fields at fault."),
    },
)
PAGE = OpenApiParameter("page", int, description="Which page of the list, from 1.")


class Nothing(serializers.Serializer[Any]):
    """A request without a body; the path has everything."""


def endpoint(
    *methods: str,
    public: bool = True,
    needs: str = "direct",
    reads: type[BaseParser] = Body,
) -> Decorator:
    """Make an API view from a function: reading is public, writing needs a login.

    A token may write only with the scope `needs`. Bodies are JSON unless `reads` names another
    parser. The function itself checks rights on the object. Acts are recorded as made by the
    API.
    """

    def made(view: View) -> View:
        @wraps(view)
        def answer(request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
            with request_source("api"):
                response = view(request, *args, **kwargs)
            patch_vary_headers(response, ["Authorization"])
            return response

        who = IsAuthenticatedOrReadOnly if public else IsAuthenticated
        return api_view(methods)(
            permission_classes([who, scoped(needs)])(parser_classes([reads])(answer))
        )

    return made


def operation(
    method: str,
    id_: str,
    answer: Any = None,
    *,
    request: Any = empty,
    parameters: Sequence[OpenApiParameter] = (),
    created: bool = False,
    paged: bool = False,
    refused: Sequence[int] | None = None,
) -> Decorator:
    """Describe one method of an endpoint for the schema of the API.

    `answer` is a serializer, or None for an empty response (204). With `created` the status 201
    is possible too, and `paged` describes one page of a list. `refused` are the statuses of
    refusals: by default 404 for GET, and 400, 401, 403 and 404 for the other methods.
    """
    statuses = refused
    if statuses is None:
        statuses = (404,) if method == "GET" else (400, 401, 403, 404)
    responses = described_responses(page_of(answer) if paged else answer, *statuses)
    if answer is None:
        responses = empty_response(*statuses)
    elif created:
        responses = {201: answer} | responses
    return extend_schema(
        methods=[method],
        operation_id=id_,
        request=request,
        parameters=[PAGE] if paged else [*parameters],
        responses=responses,
    )


def validated(shape: Shape, request: Request) -> dict[str, Any]:
    """Validate a request's body with its serializer; unknown fields are refused."""
    data = request.data
    if not isinstance(data, Mapping):
        raise exceptions.ParseError(_("Send one JSON object, such as {}."))
    form = shape(data=data)
    strange = sorted(set(data) - set(form.fields))[:MOST_NAMED]
    if strange:
        raise exceptions.ValidationError(
            {name[:40]: [_("There is no field of this name here.")] for name in strange}
        )
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)


def paginated(request: Request, rows: QuerySet[Any] | Sequence[Any], shape: Shape) -> Response:
    """Return a response with one page of a list."""
    pages = PageNumberPagination()
    page = pages.paginate_queryset(rows, request)
    return pages.get_paginated_response(shape(page, many=True).data)


def page_of(shape: Shape) -> serializers.Serializer[Any]:
    """Describe one page of a list for the schema."""
    return inline_serializer(
        f"{shape.__name__}Page",
        {
            "count": serializers.IntegerField(help_text="How many there are on all pages."),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": shape(many=True),
        },
    )


def described_responses(shape: Any, *statuses: int) -> dict[int, Any]:
    """Describe the responses of an operation: a schema, or one of these refusals."""
    return {200: shape} | dict.fromkeys(statuses, Refusal)


def empty_response(*statuses: int) -> dict[int, Any]:
    """Describe the responses of an operation without a body: 204, or a refusal."""
    return {204: None} | dict.fromkeys(statuses, Refusal)


def file_response(media_type: str, *statuses: int) -> dict[Any, Any]:
    """Describe the responses of an operation that returns a file."""
    refused: dict[Any, Any] = dict.fromkeys(statuses, Refusal)
    return {(200, media_type): OpenApiTypes.BINARY} | refused


def choice_field(choices: Sequence[tuple[str, Any]], **options: Any) -> serializers.ChoiceField:
    """Make a choice field whose error names the possible values."""
    return serializers.ChoiceField(choices, error_messages=choice_error(choices), **options)


def choice_error(choices: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the error message of a choice field, with the possible values."""
    words = ", ".join(value for value, _label in choices)
    message = gettext_lazy("Choose one of these: %(words)s.") % {"words": words}
    return {"invalid_choice": message}
