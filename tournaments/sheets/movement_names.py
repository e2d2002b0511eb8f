"""What the movement of a section was called, from the data that a history keeps."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from boards.whist import WhistError
from tournaments.movements import CATALOGUE, build


def movement_title(kept: Mapping[str, Any]) -> str:
    """Name a movement as it named itself: "Compass, 7 tables, 3 E-W missing".

    `kept` is what `services.seating.seated_as` has written down of one section. One that
    cannot be built any more is called by its system.
    """
    return _title(json.dumps(kept, sort_keys=True), get_language())


def movement_size(kept: Mapping[str, Any]) -> str:
    """Name a movement's system with its size, as it stood in a section."""
    words = _("%(movement)s, %(tables)s tables, %(rounds)s rounds")
    sizes = {"tables": kept.get("tables", ""), "rounds": kept.get("rounds", "")}
    return words % {"movement": _system(kept), **sizes}


@lru_cache(maxsize=256)
def _title(kept_text: str, _language: str | None) -> str:
    """Build it anew: a movement is the only one that knows its name. A history asks often."""
    kept = json.loads(kept_text)
    options = dict(kept.get("options", {}))
    if kept["movement"] != "custom":
        options |= {"tables": kept["tables"], "rounds": kept["rounds"]}
    try:
        return build(kept["movement"], absent=kept.get("absent", ()), **options).title
    except (WhistError, TypeError):  # options that the catalogue no longer knows
        return _system(kept)


def _system(kept: Mapping[str, Any]) -> str:
    name = str(kept.get("movement", ""))
    if name in CATALOGUE:
        return str(CATALOGUE[name].title)
    title = kept.get("options", {}).get("title")
    return str(title or _("Custom movement")) if name == "custom" else name
