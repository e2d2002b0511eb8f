"""The API documentation page, rendered from the OpenAPI schema without internet access."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

Schema = dict[str, Any]
HTTP_METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class ApiField:
    """A field of a request or response body, or a parameter of a path."""

    name: str
    type_name: str
    is_required: bool
    description: str


@dataclass(frozen=True, slots=True)
class ApiOperation:
    """One operation of the API: an HTTP method of a path."""

    id: str
    method: str
    path: str
    description: str
    is_login_required: bool
    parameters: tuple[ApiField, ...]
    request_fields: tuple[ApiField, ...]
    response_fields: tuple[ApiField, ...]
    statuses_text: str


@login_not_required
@require_safe
def show_documentation(request: HttpRequest) -> HttpResponse:
    """Show every operation of the API with its request and response."""
    return render(request, "server/api.html", {"groups": group_operations(get_language())})


@lru_cache(maxsize=8)
def group_operations(_language: str | None) -> tuple[tuple[str, list[ApiOperation]], ...]:
    """Return the API operations grouped by resource; cached for each language."""
    generator: Any = SchemaGenerator
    schema: Schema = generator().get_schema(request=None, public=True)
    operations_by_resource: dict[str, list[ApiOperation]] = {}
    for path, path_item in schema["paths"].items():
        for method in HTTP_METHODS:
            if method in path_item:
                operations_by_resource.setdefault(_find_resource(path), []).append(
                    _read_operation(schema, path, method, path_item[method])
                )
    return tuple(operations_by_resource.items())


def _find_resource(path: str) -> str:
    """Return the resource of a path: the first literal segment except `events` and `sessions`.

    If the path has no other literal segment, return the last one.
    """
    segments = [
        segment for segment in path.strip("/").split("/")[1:] if not segment.startswith("{")
    ]
    resource_segments = [
        segment for segment in segments if segment not in ("events", "sessions")
    ]
    return resource_segments[0].partition(".")[0] if resource_segments else segments[-1]


def _read_operation(schema: Schema, path: str, method: str, operation: Schema) -> ApiOperation:
    success_responses_by_status = {
        status_code: response
        for status_code, response in operation["responses"].items()
        if status_code < "300"
    }
    first_response: Schema = next(iter(success_responses_by_status.values()), {})
    return ApiOperation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        description=operation.get("description", ""),
        is_login_required={} not in operation.get("security", [{}]),
        parameters=tuple(
            _read_parameter(parameter) for parameter in operation.get("parameters", ())
        ),
        request_fields=tuple(
            _iter_fields(schema, _find_body_schema(operation.get("requestBody", {})))
        ),
        response_fields=tuple(_iter_fields(schema, _find_body_schema(first_response))),
        statuses_text=", ".join(sorted(operation["responses"])),
    )


def _read_parameter(parameter: Schema) -> ApiField:
    return ApiField(
        parameter["name"],
        parameter["schema"].get("type", ""),
        bool(parameter.get("required")),
        parameter.get("description", ""),
    )


def _find_body_schema(body_or_response: Schema) -> Schema:
    """Return the schema of a request or response body; empty for a file or no body."""
    body_schema: Schema = (
        body_or_response.get("content", {}).get("application/json", {}).get("schema", {})
    )
    return body_schema


def _iter_fields(schema: Schema, body_schema: Schema) -> Iterator[ApiField]:
    """Yield the fields of a schema; for a list, the fields of its items."""
    body_schema = _resolve_reference(schema, body_schema)
    if body_schema.get("type") == "array":
        body_schema = _resolve_reference(schema, body_schema["items"])
    required_names = body_schema.get("required", ())
    for name, field_schema in body_schema.get("properties", {}).items():
        yield ApiField(
            name,
            _describe_type(schema, field_schema),
            name in required_names,
            field_schema.get("description", ""),
        )


def _describe_type(schema: Schema, field_schema: Schema) -> str:
    """Return a field's type as text, or its possible values."""
    if "allOf" in field_schema:
        field_schema = field_schema["allOf"][0]
    if "oneOf" in field_schema:
        field_schema = field_schema["oneOf"][0]
    reference_name = field_schema.get("$ref", "").rpartition("/")[2]
    resolved_schema = _resolve_reference(schema, field_schema)
    if "enum" in resolved_schema:
        return " | ".join(str(value) for value in resolved_schema["enum"])
    if resolved_schema.get("type") == "array":
        return f"[{_describe_type(schema, resolved_schema['items'])}]"
    return reference_name or str(
        resolved_schema.get("format") or resolved_schema.get("type", "")
    )


def _resolve_reference(schema: Schema, reference: Schema) -> Schema:
    name = reference.get("$ref", "").rpartition("/")[2]
    resolved_schema: Schema = schema["components"]["schemas"][name] if name else reference
    return resolved_schema
