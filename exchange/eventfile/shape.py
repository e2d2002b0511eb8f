"""Hold plain data to a JSON Schema, and say in words what does not fit.

Only those keywords are known that the schema of the event file uses; `description` is what a
message calls the thing that was wanted. Source: JSON Schema, draft 2020-12.
"""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

Schema = Mapping[str, Any]
SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "event-file.schema.json"
UNPRINTABLE = {"Cc", "Cs", "Zl", "Zp"}
_TYPES: dict[str, tuple[type, str]] = {
    "object": (dict, gettext_noop("a group in braces { }")),
    "array": (list, gettext_noop("a list in brackets [ ]")),
    "string": (str, gettext_noop("text in quotes")),
    "integer": (int, gettext_noop("a whole number")),
    "boolean": (bool, gettext_noop("true or false")),
}


@cache
def published() -> Schema:
    """Return the schema of whist-event/1 as the documentation publishes it."""
    schema: Schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return schema


def checked(value: Any, schema: Schema, problems: list[str], *, where: str = "") -> Any:
    """Return the value with None for whatever does not fit, and add a problem for each.

    An unknown key stays as None too, so that a group with a slip in it can be told from one
    that is whole.
    """
    schema = _resolved(schema)
    wrong = _wrong_type(value, schema) or _wrong_value(value, schema)
    if wrong:
        problems.append(said(where, wrong))
        return None
    if isinstance(value, dict):
        return _checked_group(value, schema, problems, where)
    if isinstance(value, list):
        return _checked_list(value, schema, problems, where)
    return value


def said(where: str, text: str, **figures: object) -> str:
    """Write a problem with the path of the place where it stands; figures fill its gaps."""
    return f"{where or _('the file')}: {text % figures if figures else text}"


def is_whole(group: Any, *keys: str) -> bool:
    """Whether a checked group has these keys and nothing in it was faulty."""
    return isinstance(group, dict) and all(key in group for key in keys) and _is_sound(group)


def _is_sound(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_sound(inner) for inner in value.values())
    if isinstance(value, list):
        return all(_is_sound(inner) for inner in value)
    return value is not None


def shown(value: Any) -> str:
    """Write a value as it stands in the file, shortened."""
    if isinstance(value, str):
        printable = "".join(c if c.isprintable() else "?" for c in value[:40])
        return f"“{printable}{'…' if value[40:] else ''}”"
    text = json.dumps(value)
    return f"{text[:40]}{'…' if text[40:] else ''}"


def _resolved(schema: Schema) -> Schema:
    reference = schema.get("$ref")
    if reference is None:
        return schema
    if reference == "#":  # a final is an event of its own, in a file of its own
        return published()
    found: Schema = published()["$defs"][reference.rpartition("/")[2]]
    return found


def _wrong_type(value: Any, schema: Schema) -> str:
    wanted = schema.get("type")
    if wanted is None:
        return ""
    names = [wanted] if isinstance(wanted, str) else wanted
    if any(_is(value, name) for name in names):
        return ""
    if "integer" in names and isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value):
        text = _("%(shown)s is text; write the number without quotes: %(value)s.")
        return text % {"shown": shown(value), "value": value}
    if names == ["string"] and isinstance(value, int) and not isinstance(value, bool):
        return _('%(value)s is a number; write it as text in quotes: "%(value)s".') % {
            "value": value
        }
    return _("%(shown)s is not %(wanted)s.") % {
        "shown": shown(value),
        "wanted": _words(schema, names),
    }


def _is(value: Any, name: str) -> bool:
    kind = _TYPES[name][0]
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _words(schema: Schema, names: Sequence[str]) -> str:
    kinds = _(" or ").join(_(_TYPES[name][1]) for name in names)
    return str(schema.get("description") or kinds)


def _wrong_value(value: Any, schema: Schema) -> str:
    if "const" in schema or "enum" in schema:
        return _wrong_choice(value, schema)
    if isinstance(value, str):
        return _wrong_text(value, schema)
    if isinstance(value, int) and not isinstance(value, bool):
        return _wrong_number(value, schema)
    if isinstance(value, list) and len(value) < schema.get("minItems", 0):
        return _("The list is empty; it needs at least one.")
    return ""


def _wrong_choice(value: Any, schema: Schema) -> str:
    choices = schema.get("enum") or [schema["const"]]
    if isinstance(value, str) and value in choices:
        return ""
    text = _("%(shown)s is not known; write %(choices)s.")
    return text % {"shown": shown(value), "choices": _(" or ").join(choices)}


def _wrong_text(value: str, schema: Schema) -> str:
    if any(unicodedata.category(letter) in UNPRINTABLE for letter in value):
        text = _("%(shown)s has a character in it that cannot be printed.")
        return text % {"shown": shown(value)}
    if not value.strip() and "minLength" in schema:
        return _("The text is empty.")
    longest = schema.get("maxLength", len(value))
    if len(value) > longest:
        text = _("%(shown)s is longer than %(longest)s letters; shorten it.")
        return text % {"shown": shown(value), "longest": longest}
    if len(value) < schema.get("minLength", 0):
        return _("%(shown)s is too short.") % {"shown": shown(value)}
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return _("%(shown)s is not %(wanted)s.") % {
            "shown": shown(value),
            "wanted": schema["description"],
        }
    return ""


def _wrong_number(value: int, schema: Schema) -> str:
    least, most = schema.get("minimum", value), schema.get("maximum", value)
    if least <= value <= most:
        return ""
    text = _("%(value)s is not possible here; write a whole number from %(least)s to %(most)s.")
    return text % {"value": value, "least": least, "most": most}


def _checked_group(
    value: dict[str, Any], schema: Schema, problems: list[str], where: str
) -> dict[str, Any]:
    known = schema.get("properties", {})
    others = schema.get("additionalProperties")
    found: dict[str, Any] = {}
    for key, inner in value.items():
        path = _path(where, key)
        wanted = known.get(key) or (others if _fits(key, schema, problems, path) else None)
        found[key] = None
        if wanted:
            found[key] = checked(inner, wanted, problems, where=path)
        elif others is False:
            problems.append(said(path, _unknown(key, known)))
    missing = [key for key in schema.get("required", ()) if key not in value]
    problems += [said(_path(where, key), _("This is missing.")) for key in missing]
    found |= dict.fromkeys(missing)
    wrong = _wrong_alternative(value, schema)
    if wrong:
        problems.append(said(where, wrong))
        found[""] = None
    return found


def _path(where: str, key: str) -> str:
    key = key if key.isprintable() and len(key) <= 40 else shown(key)
    return f"{where}.{key}" if where else key


def _fits(key: str, schema: Schema, problems: list[str], where: str) -> bool:
    """Whether a key that is not one of a few known ones is written as the schema wants."""
    names = schema.get("propertyNames")
    wrong = _wrong_text(key, names) if names else ""
    if wrong:
        problems.append(said(where, wrong))
    return not wrong


def _unknown(key: str, known: Mapping[str, Any]) -> str:
    near = get_close_matches(key.lower(), known, n=1)
    if near:
        return _("There is no such key here; did you mean %(key)s?") % {"key": near[0]}
    text = _("There is no such key here; there are %(keys)s.")
    return text % {"keys": ", ".join(known)}


def _wrong_alternative(value: dict[str, Any], schema: Schema) -> str:
    """Say what is wrong where exactly one of several sets of keys has to be there."""
    ways = [each["required"] for each in schema.get("oneOf", ())]
    if not ways or sum(all(key in value for key in way) for way in ways) == 1:
        return ""
    either = _(" or ").join(_(" and ").join(way) for way in ways)
    return _("Give either %(ways)s, and only one.") % {"ways": either}


def _checked_list(
    value: list[Any], schema: Schema, problems: list[str], where: str
) -> list[Any]:
    inner = _resolved(schema["items"])
    return [
        checked(each, inner, problems, where=f"{where}[{place}]")
        for place, each in enumerate(value)
    ]
