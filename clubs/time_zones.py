"""Finds time zones by the texts that people type, such as "Brussels"."""

from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

MIN_CITY_PREFIX_LENGTH = 4
"""The least letters of a city's name that are enough if only one city begins with them."""
MAX_LISTED_ZONES = 5
"""The most names in the message about a text that matches several zones."""
_PREFIXES_WITHOUT_CITIES = (
    *("Brazil/", "Canada/", "Chile/", "Etc/", "Mexico/", "US/"),
    *("Australia/North", "Australia/South", "Australia/West"),
)
"""Beginnings of names that end in a region or an offset, which people don't type as a city."""


def list_time_zones() -> list[str]:
    """Return the names of all time zones in order."""
    return sorted(available_timezones())


def find_time_zone(typed_text: str) -> str:
    """Return the name of the zone of a typed text, or the text if no zone matches.

    Case and spaces do not matter. A city is enough, and so is its beginning if it is unique.
    Raises ValidationError with the possible names if several cities match.
    """
    typed_name = _fold_name(typed_text)
    zone_names = list_time_zones()
    for name in zone_names:
        if _fold_name(name) == typed_name:
            return name
    matches = [name for name in zone_names if _get_city(name) == typed_name]
    if not matches and len(typed_name) >= MIN_CITY_PREFIX_LENGTH:
        matches = [name for name in zone_names if _get_city(name).startswith(typed_name)]
    matches = [name for name in matches if not name.startswith(_PREFIXES_WITHOUT_CITIES)]
    if len(set(map(_get_city, matches))) > 1:
        message = _("“%(typed)s” matches several time zones. Enter one, e.g. %(names)s.")
        names_text = ", ".join(matches[:MAX_LISTED_ZONES])
        raise ValidationError(message % {"typed": typed_text, "names": names_text})
    return min(matches, key=_rank_zone_name, default=typed_text)


def _rank_zone_name(name: str) -> tuple[bool, int]:
    """Return a sort key for names of one zone, such as Europe/Istanbul and Asia/Istanbul."""
    return not name.startswith(("Europe/", "America/")), name.count("/")


def _get_city(zone_name: str) -> str:
    """Return the last part of a zone's name: "new_york" for "America/New_York"."""
    return _fold_name(zone_name).rpartition("/")[2]


def _fold_name(text: str) -> str:
    return "_".join(text.lower().split())
