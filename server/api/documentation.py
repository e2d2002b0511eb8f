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
    needs_login: bool
    parameters: tuple[ApiField, ...]
    request_fields: tuple[ApiField, ...]
    response_fields: tuple[ApiField, ...]
    statuses: str


@login_not_required
@require_safe
def show_documentation(request: HttpRequest) -> HttpResponse:
    """Show every operation of the API with its request and response."""
    return render(request, "server/api.html", {"groups": group_operations(get_language())})


@lru_cache(maxsize=8)
def group_operations(_language: str | None) -> tuple[tuple[str, list[ApiOperation]], ...]:
    """Return the API operations grouped by resource; cached for each language."""
    maker: Any = SchemaGenerator
    schema: Schema = maker().get_schema(request=None, public=True)
    found: dict[str, list[ApiOperation]] = {}
    for path, ways in schema["paths"].items():
        for way in HTTP_METHODS:
            if way in ways:
                found.setdefault(_find_resource(path), []).append(
                    _read_operation(schema, path, way, ways[way])
                )
    return tuple(found.items())


def _find_resource(path: str) -> str:
    """Return a path's resource: the first literal segment other than `events` and `sessions`,
    else the last one.
    """
    words = [word for word in path.strip("/").split("/")[1:] if not word.startswith("{")]
    kept = [word for word in words if word not in ("events", "sessions")]
    return kept[0].partition(".")[0] if kept else words[-1]


def _read_operation(schema: Schema, path: str, way: str, described: Schema) -> ApiOperation:
    answered = {code: each for code, each in described["responses"].items() if code < "300"}
    first: Schema = next(iter(answered.values()), {})
    return ApiOperation(
        id=described["operationId"],
        method=way.upper(),
        path=path,
        description=described.get("description", ""),
        needs_login={} not in described.get("security", [{}]),
        parameters=tuple(_read_parameter(each) for each in described.get("parameters", ())),
        request_fields=tuple(
            _iter_fields(schema, _find_body_schema(described.get("requestBody", {})))
        ),
        response_fields=tuple(_iter_fields(schema, _find_body_schema(first))),
        statuses=", ".join(sorted(described["responses"])),
    )


def _read_parameter(described: Schema) -> ApiField:
    return ApiField(
        described["name"],
        described["schema"].get("type", ""),
        bool(described.get("required")),
        described.get("description", ""),
    )


def _find_body_schema(described: Schema) -> Schema:
    """Return the schema of a request or response body; empty for a file or no body."""
    found: Schema = described.get("content", {}).get("application/json", {}).get("schema", {})
    return found


def _iter_fields(schema: Schema, body: Schema) -> Iterator[ApiField]:
    """Yield the fields of a schema; for a list, the fields of its items."""
    body = _resolve_reference(schema, body)
    if body.get("type") == "array":
        body = _resolve_reference(schema, body["items"])
    needed = body.get("required", ())
    for name, described in body.get("properties", {}).items():
        yield ApiField(
            name,
            _describe_type(schema, described),
            name in needed,
            described.get("description", ""),
        )


def _describe_type(schema: Schema, described: Schema) -> str:
    """Return a field's type as text, or its possible values."""
    if "allOf" in described:
        described = described["allOf"][0]
    if "oneOf" in described:
        described = described["oneOf"][0]
    name = described.get("$ref", "").rpartition("/")[2]
    found = _resolve_reference(schema, described)
    if "enum" in found:
        return " | ".join(str(each) for each in found["enum"])
    if found.get("type") == "array":
        return f"[{_describe_type(schema, found['items'])}]"
    return name or str(found.get("format") or found.get("type", ""))


def _resolve_reference(schema: Schema, described: Schema) -> Schema:
    name = described.get("$ref", "").rpartition("/")[2]
    found: Schema = schema["components"]["schemas"][name] if name else described
    return found
