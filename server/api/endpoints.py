"""Decorators and helpers of all API views: permissions, parsers, pagination and schema."""

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

from server.api.bodies import StorableJSONParser
from server.api.tokens import require_scope
from server.request_source import set_request_source

SerializerClass = type[serializers.Serializer[Any]]
ViewFunction = Callable[..., HttpResponseBase]
Decorator = Callable[[ViewFunction], ViewFunction]

MAX_LISTED_FIELDS = 20  # maximum number of unknown fields listed in an error message

ErrorResponseSerializer = inline_serializer(
    "Refusal",
    {
        "code": serializers.CharField(help_text="What was wrong, for machines."),
        "detail": serializers.CharField(help_text="The same as a sentence to show."),
        "fields": serializers.DictField(required=False, help_text="The fields at fault."),
    },
)
PAGE_PARAMETER = OpenApiParameter("page", int, description="Which page of the list, from 1.")


class EmptySerializer(serializers.Serializer[Any]):
    """An empty request body."""


def endpoint(
    *methods: str,
    is_public: bool = True,
    required_scope: str = "direct",
    parser_class: type[BaseParser] = StorableJSONParser,
) -> Decorator:
    """Return a decorator that turns a function into an API view for these HTTP methods.

    Reading is public by default, and writing requires a login. Writing with a token requires
    the scope `required_scope`. The function itself checks permissions on objects. The history
    shows "api" as the source of changes.
    """

    def decorate(view: ViewFunction) -> ViewFunction:
        @wraps(view)
        def wrapper(request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
            with set_request_source("api"):
                response = view(request, *args, **kwargs)
            patch_vary_headers(response, ["Authorization"])
            return response

        login_permission = IsAuthenticatedOrReadOnly if is_public else IsAuthenticated
        return api_view(methods)(
            permission_classes([login_permission, require_scope(required_scope)])(
                parser_classes([parser_class])(wrapper)
            )
        )

    return decorate


def describe_operation(
    method: str,
    operation_id: str,
    response_serializer: Any = None,
    *,
    request: Any = empty,
    parameters: Sequence[OpenApiParameter] = (),
    is_created: bool = False,
    is_paginated: bool = False,
    error_statuses: Sequence[int] | None = None,
) -> Decorator:
    """Describe one method of an endpoint for the OpenAPI schema.

    `response_serializer` is the response serializer, or None for an empty response (204).
    `is_created` adds the status 201, and `is_paginated` describes one page of a list.
    `error_statuses` lists the error statuses: by default 404 for GET, and 400, 401, 403 and 404
    for the other methods.
    """
    statuses = error_statuses
    if statuses is None:
        statuses = (404,) if method == "GET" else (400, 401, 403, 404)
    responses_by_status = describe_responses(
        build_page_serializer(response_serializer) if is_paginated else response_serializer,
        *statuses,
    )
    if response_serializer is None:
        responses_by_status = describe_empty_response(*statuses)
    elif is_created:
        responses_by_status = {201: response_serializer} | responses_by_status
    return extend_schema(
        methods=[method],
        operation_id=operation_id,
        request=request,
        parameters=[PAGE_PARAMETER] if is_paginated else [*parameters],
        responses=responses_by_status,
    )


def validate_body(serializer_class: SerializerClass, request: Request) -> dict[str, Any]:
    """Validate a request body with a serializer and return its data; refuse unknown fields."""
    request_data = request.data
    if not isinstance(request_data, Mapping):
        raise exceptions.ParseError(_("Send one JSON object, such as {}."))
    serializer = serializer_class(data=request_data)
    unknown_fields = sorted(set(request_data) - set(serializer.fields))[:MAX_LISTED_FIELDS]
    if unknown_fields:
        raise exceptions.ValidationError(
            {field_name[:40]: [_("Unknown field.")] for field_name in unknown_fields}
        )
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def paginate(
    request: Request, rows: QuerySet[Any] | Sequence[Any], serializer_class: SerializerClass
) -> Response:
    """Return a response with the requested page of a list."""
    paginator = PageNumberPagination()
    page = paginator.paginate_queryset(rows, request)
    return paginator.get_paginated_response(serializer_class(page, many=True).data)


def build_page_serializer(serializer_class: SerializerClass) -> serializers.Serializer[Any]:
    """Return the serializer that describes one page of a list in the OpenAPI schema."""
    return inline_serializer(
        f"{serializer_class.__name__.removesuffix('Serializer')}Page",
        {
            "count": serializers.IntegerField(help_text="How many there are on all pages."),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": serializer_class(many=True),
        },
    )


def describe_responses(serializer: Any, *statuses: int) -> dict[int, Any]:
    """Describe for the OpenAPI schema the 200 response in JSON and these error statuses."""
    return {200: serializer} | dict.fromkeys(statuses, ErrorResponseSerializer)


def describe_empty_response(*statuses: int) -> dict[int, Any]:
    """Describe for the OpenAPI schema an empty 204 response and these error statuses."""
    return {204: None} | dict.fromkeys(statuses, ErrorResponseSerializer)


def describe_file_response(media_type: str, *statuses: int) -> dict[Any, Any]:
    """Describe for the OpenAPI schema the 200 response with a file and these error statuses."""
    error_responses_by_status: dict[Any, Any] = dict.fromkeys(statuses, ErrorResponseSerializer)
    return {(200, media_type): OpenApiTypes.BINARY} | error_responses_by_status


def build_choice_field(
    choices: Sequence[tuple[str, Any]], **options: Any
) -> serializers.ChoiceField:
    """Build a choice field whose error message lists the possible values."""
    return serializers.ChoiceField(
        choices, error_messages=build_choice_errors(choices), **options
    )


def build_choice_errors(choices: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the error messages of a choice field, with the possible values."""
    allowed_values = ", ".join(value for value, _label in choices)
    message = gettext_lazy("Choose one of these: %(words)s.") % {"words": allowed_values}
    return {"invalid_choice": message}
