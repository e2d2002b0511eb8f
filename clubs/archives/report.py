"""The report of an import: its size, and the differences from the archive."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.archives.arriving import Arrived
from clubs.models import Club


def as_data(arrived: Arrived) -> dict[str, Any]:
    """Return the report as JSON data."""
    return {
        "rows": arrived.rows,
        "addresses": arrived.addresses,
        "strangers": arrived.strangers,
        "without_password": arrived.without_password,
        "links_lost": arrived.links_lost,
    }


def from_data(club: Club, data: Mapping[str, Any]) -> Arrived:
    """Return the report from JSON data."""
    return Arrived(club=club, **data)


def told(arrived: Arrived) -> Iterator[str]:
    """Return the report as lines for the user who ran the import."""
    words = _("%(club)s is here, as it was elsewhere: %(rows)d rows.")
    yield words % {"club": arrived.club.name, "rows": arrived.rows}
    for old, new in sorted(arrived.addresses.items()):
        yield _("The address “%(old)s” is another's here: now it is “%(new)s”.") % {
            "old": old,
            "new": new,
        }
    for name in arrived.strangers:
        words = _(
            "A login %(login)s is here already, perhaps another person's: it got no rights in "
            "the club. Its owner can add it."
        )
        yield words % {"login": name}
    for name in arrived.without_password:
        words = _("%(login)s has no password here until the club's owner gives one.")
        yield words % {"login": name}
    if arrived.links_lost:
        yield ngettext(
            "%(count)d address of a table or a pair opens as before, but cannot be printed "
            "again here.",
            "%(count)d addresses of tables and pairs open as before, but cannot be printed "
            "again here.",
            arrived.links_lost,
        ) % {"count": arrived.links_lost}
