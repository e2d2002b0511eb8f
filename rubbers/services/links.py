"""Services for the links of a night's tables; with a link, hands are recorded without login."""

from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.activities.services import create_table_links, revoke_table_links
from clubs.audit import Actor
from clubs.errors import ActionUnavailable
from clubs.evenings.tables import HAS_NO_OPEN_CHECK_IN
from clubs.models import TableLink
from rubbers.models import RubberNight
from rubbers.services.table_acts import check_is_open


def query_table_links(token: str) -> QuerySet[TableLink]:
    """Return a queryset with the link of this token, if it is a link to a table with rubbers.

    The night is loaded in the same query.
    """
    links = TableLink.filter_by_token(token)
    rubber_links = links.filter(HAS_NO_OPEN_CHECK_IN, evening__rubber_night__isnull=False)
    return rubber_links.order_by("pk").select_related(
        "evening__club", "evening__rubber_night__club", "evening__rubber_night__drive__club"
    )


def get_rubber_night(link: TableLink) -> RubberNight:
    """Return the night of a link's table, which may contain the rubbers of a drive."""
    night: RubberNight = link.evening.rubber_night
    return night


def is_night_over(link: TableLink) -> bool:
    """Return whether the night of a table's link, or its drive, is closed."""
    night = get_rubber_night(link)
    return night.is_closed or (night.drive is not None and night.drive.is_closed)


def create_marker_links(*, night: RubberNight, by: Actor) -> None:
    """Create a link for every table that has no link.

    Raises ActionUnavailable for the rubbers of a drive, because the drive has the links of its
    tables.
    """
    create_table_links(activity=night, list_table_numbers=_list_table_numbers, by=by)


def _list_table_numbers(night: RubberNight) -> list[int]:
    _check_has_no_drive(night)
    check_is_open(night)
    return [table.number for table in night.tables.order_by("number")]


def revoke_marker_links(*, night: RubberNight, links: Sequence[int] = (), by: Actor) -> None:
    """Revoke the links with these primary keys, or the links of all tables."""
    _check_has_no_drive(night)
    revoke_table_links(activity=night, links=links, by=by)


def _check_has_no_drive(night: RubberNight) -> None:
    if night.drive is not None:
        raise ActionUnavailable(_("The drive’s pages create the QR codes of its tables."))
