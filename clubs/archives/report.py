"""The report of an import for users and for the database."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.archives.importer import ImportResult
from clubs.models import Club


def to_data(arrived: ImportResult) -> dict[str, Any]:
    """Return an import's result as JSON data."""
    return {
        "rows": arrived.row_count,
        "addresses": arrived.changed_slugs,
        "strangers": arrived.unmatched_logins,
        "without_password": arrived.logins_without_password,
        "links_lost": arrived.lost_link_count,
    }


def from_data(club: Club, data: Mapping[str, Any]) -> ImportResult:
    """Return the import result that `to_data` has converted to JSON data."""
    return ImportResult(
        club=club,
        row_count=data.get("rows", 0),
        changed_slugs=data.get("addresses", {}),
        unmatched_logins=data.get("strangers", []),
        logins_without_password=data.get("without_password", []),
        lost_link_count=data.get("links_lost", 0),
    )


def format_report(arrived: ImportResult) -> Iterator[str]:
    """Yield the lines of the report for the user who ran the import."""
    words = _("%(club)s is here, as it was elsewhere: %(rows)d rows.")
    yield words % {"club": arrived.club.name, "rows": arrived.row_count}
    for old, new in sorted(arrived.changed_slugs.items()):
        yield _("The address “%(old)s” is another's here: now it is “%(new)s”.") % {
            "old": old,
            "new": new,
        }
    for name in arrived.unmatched_logins:
        words = _(
            "A login %(login)s is here already, perhaps another person's: it got no rights in "
            "the club. Its owner can add it."
        )
        yield words % {"login": name}
    for name in arrived.logins_without_password:
        words = _("%(login)s has no password here until the club's owner gives one.")
        yield words % {"login": name}
    if arrived.lost_link_count:
        yield ngettext(
            "%(count)d address of a table or a pair opens as before, but cannot be printed "
            "again here.",
            "%(count)d addresses of tables and pairs open as before, but cannot be printed "
            "again here.",
            arrived.lost_link_count,
        ) % {"count": arrived.lost_link_count}
