"""Validates JSON data against the published JSON Schema of the event file."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from server.json_reader.formats import build_list_reader, is_json_object, report_unknown_keys
from server.json_reader.problems import JsonPath
from server.json_reader.values import (
    Reader,
    build_choice_reader,
    build_number_or_text_reader,
    build_text_reader,
    build_whole_number_reader,
    read_boolean,
)

Schema = Mapping[str, Any]
SCHEMA_PATH = Path(__file__).resolve().parents[2] / "docs" / "event-file.schema.json"
NO_LIMIT = 10**9


@cache
def load_schema() -> Schema:
    """Return the JSON Schema of whist-event/1 that the documentation publishes."""
    schema: Schema = json.loads(SCHEMA_PATH.read_text(encoding="utf-8"))
    return schema


@cache
def find_subschema_reader(reference: str) -> Reader:
    """Return the function that validates JSON data against a part of the schema.

    `reference` is the `$ref` of the part; "#" is the whole schema. The function returns the
    data with None instead of each invalid value. It also sets the value of an unknown key to
    None, which makes the object invalid.
    """
    if reference == "#":  # "#" refers to a final, which is a whole event file
        return _build_object_reader(load_schema())
    return _build_reader(load_schema()["$defs"][reference.rpartition("/")[2]])


def is_complete(json_object: Any, *required_keys: str) -> bool:
    """Return whether a validated object has all given keys and no invalid part."""
    return (
        isinstance(json_object, dict)
        and all(key in json_object for key in required_keys)
        and _is_valid_json_value(json_object)
    )


def _is_valid_json_value(json_value: Any) -> bool:
    if isinstance(json_value, dict):
        return all(_is_valid_json_value(item) for item in json_value.values())
    if isinstance(json_value, list):
        return all(_is_valid_json_value(item) for item in json_value)
    return json_value is not None


def _build_reader(schema: Schema) -> Reader:
    if "$ref" in schema:  # resolved at the first read, since a schema may refer to itself
        return lambda value, json_path: find_subschema_reader(schema["$ref"])(value, json_path)
    if "enum" in schema or "const" in schema:
        return build_choice_reader(schema.get("enum") or [schema["const"]])
    if isinstance(schema["type"], list):
        return build_number_or_text_reader(
            _build_integer_reader(schema), _build_text_reader(schema)
        )
    return _READER_BUILDERS_BY_TYPE[schema["type"]](schema)


def _build_text_reader(schema: Schema) -> Reader:
    options = {"description": schema["description"]} if "description" in schema else {}
    min_length, max_length = schema.get("minLength", 0), schema.get("maxLength", NO_LIMIT)
    return build_text_reader(
        max_length, min_length, pattern=schema.get("pattern", ""), **options
    )


def _build_integer_reader(schema: Schema) -> Reader:
    return build_whole_number_reader(
        schema.get("minimum", -NO_LIMIT), schema.get("maximum", NO_LIMIT)
    )


def _build_object_reader(schema: Schema) -> Reader:
    if schema["additionalProperties"]:
        return _build_mapping_reader(schema)
    readers_by_key = {
        key: _build_reader(property_schema)
        for key, property_schema in schema["properties"].items()
    }

    def read_object(json_value: Any, json_path: JsonPath) -> Any:
        if not is_json_object(json_value, json_path):
            return None
        properties = dict.fromkeys(json_value) | {
            key: read_property(json_value[key], json_path.get_key_path(key))
            for key, read_property in readers_by_key.items()
            if key in json_value
        }
        report_unknown_keys(json_value, readers_by_key, json_path)
        for key in schema.get("required", ()):
            if key not in json_value:
                properties[key] = json_path.get_key_path(key).report(_("This is missing."))
        if key_set_error := _find_key_set_error(json_value, schema):
            properties[""] = json_path.report(key_set_error)
        return properties

    return read_object


def _build_mapping_reader(schema: Schema) -> Reader:
    read_name = _build_text_reader(schema["propertyNames"])
    read_item = _build_reader(schema["additionalProperties"])

    def read_mapping(json_value: Any, json_path: JsonPath) -> Any:
        if not is_json_object(json_value, json_path):
            return None
        return {
            key: None
            if read_name(key, json_path.get_key_path(key)) is None
            else read_item(item, json_path.get_key_path(key))
            for key, item in json_value.items()
        }

    return read_mapping


def _find_key_set_error(json_value: dict[str, Any], schema: Schema) -> str:
    """Return an error text unless an object has exactly one of several sets of keys."""
    key_sets = [alternative["required"] for alternative in schema.get("oneOf", ())]
    if (
        not key_sets
        or sum(all(key in json_value for key in key_set) for key_set in key_sets) == 1
    ):
        return ""
    alternatives_text = _(" or ").join(_(" and ").join(key_set) for key_set in key_sets)
    return _("Enter %(ways)s, but only one.") % {"ways": alternatives_text}


_READER_BUILDERS_BY_TYPE: Mapping[str, Callable[[Schema], Reader]] = {
    "object": _build_object_reader,
    "array": lambda schema: build_list_reader(
        _build_reader(schema["items"]),
        schema.get("minItems", 0),
        schema.get("maxItems"),
        build_collection=list,
    ),
    "string": _build_text_reader,
    "integer": _build_integer_reader,
    "boolean": lambda _schema: read_boolean,
}
