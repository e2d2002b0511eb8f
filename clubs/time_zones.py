"""Finds time zones by the texts that people type, such as "Brussels"."""

from zoneinfo import available_timezones

MIN_CITY_LETTERS = 4
"""The least letters of a city's name that are enough if only one city begins with them."""


def list_time_zones() -> list[str]:
    """Return the names of all time zones in order."""
    return sorted(available_timezones())


def find_time_zone(text: str) -> str:
    """Return the name of the zone of a typed text, or the text if no single zone matches.

    Case and spaces do not matter. A city is enough, and so is its beginning if it is unique.
    """
    typed_name = _fold_name(text)
    names = list_time_zones()
    matches = [
        [name for name in names if _fold_name(name) == typed_name],
        [name for name in names if _get_city(name) == typed_name],
        [
            name
            for name in names
            if len(typed_name) >= MIN_CITY_LETTERS and _get_city(name).startswith(typed_name)
        ],
    ]
    return next((found[0] for found in matches if len(found) == 1), text)


def _get_city(zone_name: str) -> str:
    """Return the last part of a zone's name: "new_york" for "America/New_York"."""
    return _fold_name(zone_name).rpartition("/")[2]


def _fold_name(text: str) -> str:
    return "_".join(text.lower().split())
