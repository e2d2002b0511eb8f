"""The report of an import: its text for users, and its JSON form in the database."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.archives.importer import ImportResult
from clubs.models import Club


def serialize_import_result(import_result: ImportResult) -> dict[str, Any]:
    """Return an import's result as JSON data."""
    return {
        "rows": import_result.row_count,
        "addresses": import_result.new_slugs_by_old_slug,
        "strangers": import_result.unmatched_logins,
        "without_password": import_result.logins_without_password,
        "links_lost": import_result.unprintable_link_count,
    }


def parse_import_result(club: Club, report_data: Mapping[str, Any]) -> ImportResult:
    """Return the import result that `serialize_import_result` has converted to JSON data."""
    return ImportResult(
        club=club,
        row_count=report_data.get("rows", 0),
        new_slugs_by_old_slug=report_data.get("addresses", {}),
        unmatched_logins=report_data.get("strangers", []),
        logins_without_password=report_data.get("without_password", []),
        unprintable_link_count=report_data.get("links_lost", 0),
    )


def format_report(import_result: ImportResult) -> Iterator[str]:
    """Yield the lines of the report for the user who ran the import."""
    message = _("%(club)s imported: %(rows)d rows.")
    yield message % {"club": import_result.club.name, "rows": import_result.row_count}
    for old_slug, new_slug in sorted(import_result.new_slugs_by_old_slug.items()):
        yield _("The address “%(old)s” was taken. It is now “%(new)s”.") % {
            "old": old_slug,
            "new": new_slug,
        }
    for name in import_result.unmatched_logins:
        message = _(
            "Login %(login)s already exists here and has no role in this club. An owner "
            "can give it one."
        )
        yield message % {"login": name}
    for name in import_result.logins_without_password:
        message = _("%(login)s can’t sign in here until the owner sets a password.")
        yield message % {"login": name}
    if import_result.unprintable_link_count:
        yield ngettext(
            "%(count)d table or pair link still works but can’t be reprinted.",
            "%(count)d table and pair links still work but can’t be reprinted.",
            import_result.unprintable_link_count,
        ) % {"count": import_result.unprintable_link_count}
