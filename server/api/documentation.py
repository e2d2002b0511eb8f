"""The API documentation page, rendered from the OpenAPI schema; it works without internet."""

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
WAYS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a body, or a parameter of a path."""

    name: str
    kind: str
    is_needed: bool
    text: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the API: a method of a path."""

    id: str
    way: str
    path: str
    text: str
    needs_login: bool
    parameters: tuple[Field, ...]
    body: tuple[Field, ...]
    answer: tuple[Field, ...]
    statuses: str


@login_not_required
@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """Show every path of the API with its request and response."""
    return render(request, "server/api.html", {"groups": groups(get_language())})


@lru_cache(maxsize=8)
def groups(_language: str | None) -> tuple[tuple[str, list[Operation]], ...]:
    """Read the operations by resource, once for each language: the schema never changes."""
    maker: Any = SchemaGenerator
    schema: Schema = maker().get_schema(request=None, public=True)
    found: dict[str, list[Operation]] = {}
    for path, ways in schema["paths"].items():
        for way in WAYS:
            if way in ways:
                found.setdefault(_kind(path), []).append(
                    _operation(schema, path, way, ways[way])
                )
    return tuple(found.items())


def _kind(path: str) -> str:
    """Return the resource of a path: the last literal segment of its first two levels."""
    words = [word for word in path.strip("/").split("/")[1:] if not word.startswith("{")]
    kept = [word for word in words if word not in ("events", "sessions")]
    return kept[0].partition(".")[0] if kept else words[-1]


def _operation(schema: Schema, path: str, way: str, told: Schema) -> Operation:
    answered = {code: each for code, each in told["responses"].items() if code < "300"}
    first: Schema = next(iter(answered.values()), {})
    return Operation(
        id=told["operationId"],
        way=way.upper(),
        path=path,
        text=told.get("description", ""),
        needs_login={} not in told.get("security", [{}]),
        parameters=tuple(_parameter(each) for each in told.get("parameters", ())),
        body=tuple(_fields(schema, _content(told.get("requestBody", {})))),
        answer=tuple(_fields(schema, _content(first))),
        statuses=", ".join(sorted(told["responses"])),
    )


def _parameter(told: Schema) -> Field:
    return Field(
        told["name"],
        told["schema"].get("type", ""),
        bool(told.get("required")),
        told.get("description", ""),
    )


def _content(told: Schema) -> Schema:
    """Return the schema of a request or response body; empty for a file or no body."""
    found: Schema = told.get("content", {}).get("application/json", {}).get("schema", {})
    return found


def _fields(schema: Schema, shape: Schema) -> Iterator[Field]:
    """List the fields of a schema; for a list those of its rows."""
    shape = _resolved(schema, shape)
    if shape.get("type") == "array":
        shape = _resolved(schema, shape["items"])
    needed = shape.get("required", ())
    for name, told in shape.get("properties", {}).items():
        yield Field(name, _type(schema, told), name in needed, told.get("description", ""))


def _type(schema: Schema, told: Schema) -> str:
    """Describe the type of a field, or the values of a choice."""
    if "allOf" in told:
        told = told["allOf"][0]
    if "oneOf" in told:
        told = told["oneOf"][0]
    name = told.get("$ref", "").rpartition("/")[2]
    found = _resolved(schema, told)
    if "enum" in found:
        return " | ".join(str(each) for each in found["enum"])
    if found.get("type") == "array":
        return f"[{_type(schema, found['items'])}]"
    return name or str(found.get("format") or found.get("type", ""))


def _resolved(schema: Schema, told: Schema) -> Schema:
    name = told.get("$ref", "").rpartition("/")[2]
    found: Schema = schema["components"]["schemas"][name] if name else told
    return found
