"""The name of a section's movement, built from the data in the history."""

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from boards.whist import WhistError
from tournaments.movements import SYSTEMS_BY_NAME, rebuild_movement
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME, is_knockout
from tournaments.movements.formatting import format_round_count, format_table_count
from tournaments.movements.systems.system import SizeUnit


def format_movement_title(section_data: Mapping[str, Any]) -> str:
    """Return the title of a movement, such as "Mitchell, 7 tables".

    `section_data` is the data of one section from `services.seating.describe_sections`. If the
    movement cannot be built any more, the title is the name of its system.
    """
    return _build_title(json.dumps(section_data, sort_keys=True), get_language())


def format_movement_size(section_data: Mapping[str, Any]) -> str:
    """Return the name of a movement's system, with its numbers of tables and rounds."""
    table_count, round_count = (int(section_data.get(key) or 0) for key in ("tables", "rounds"))
    size_texts = {
        "tables": format_table_count(table_count),
        "rounds": format_round_count(round_count),
    }
    return _("%(movement)s, %(tables)s, %(rounds)s") % {
        "movement": _find_system_title(section_data),
        **size_texts,
    }


@lru_cache(maxsize=256)
def _build_title(section_json: str, _language: str | None) -> str:
    """Build the movement and return its title; cached, because a history has many titles."""
    section_data = json.loads(section_json)
    with suppress(WhistError, LookupError, TypeError):  # the catalogue may have lost an option
        for size_options in _list_sizes(section_data):
            movement = rebuild_movement(
                section_data["movement"],
                absent=section_data["absent"],
                **section_data["options"] | size_options,
            )
            absent_labels = {movement.labels[place - 1] for place in movement.absent_places}
            if (movement.place_count, absent_labels) == (
                section_data["places"],
                set(section_data["absent"]),
            ):
                return movement.title
    return _find_system_title(section_data)


def _list_sizes(section_data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return possible size arguments of `build_named_movement`, in the unit of the system.

    The size without absent places is first. For example, the movement for seven players differs
    from the movement for eight players with one absent.
    """
    if section_data["movement"] == "custom":
        return [{}]
    unit, place_count, absent_place_count = (
        SYSTEMS_BY_NAME[section_data["movement"]].unit,
        section_data["places"],
        len(section_data["absent"]),
    )
    sizes_by_unit = {
        SizeUnit.TABLES: (section_data["tables"],),
        SizeUnit.PAIRS: (place_count,),
        SizeUnit.PLAYERS: (place_count - absent_place_count, place_count),
        SizeUnit.TEAMS: (place_count // 2,),
    }
    empty_size_by_unit = {str(unit): None for unit in SizeUnit}
    return [
        empty_size_by_unit | {str(unit): size, "rounds": section_data["rounds"]}
        for size in sizes_by_unit[unit]
    ]


def _find_system_title(section_data: Mapping[str, Any]) -> str:
    movement_name = str(section_data.get("movement", ""))
    if movement_name in SYSTEMS_BY_NAME:
        return str(SYSTEMS_BY_NAME[movement_name].title)
    if movement_name == DRAWN_MOVEMENT_NAME:
        return _("Knock-out") if is_knockout(section_data.get("options", {})) else _("Swiss")
    title = section_data.get("options", {}).get("title")
    return str(title or _("Custom movement")) if movement_name == "custom" else movement_name
