"""Services for the links of a rubber night's tables, which allow recording without a login."""

from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.activities.services import create_table_links, revoke_table_links
from clubs.audit import Actor
from clubs.errors import NotNow
from clubs.evenings.tables import WITHOUT_CHECK_IN
from clubs.models import TableLink
from rubbers.models import RubberNight
from rubbers.services.table_acts import check_open


def query_table_links(token: str) -> QuerySet[TableLink]:
    """Query the link of a secret, with its night, if its table records rubbers."""
    links = TableLink.filter_by_token(token)
    rows = links.filter(WITHOUT_CHECK_IN, evening__rubber_night__isnull=False)
    return rows.order_by("pk").select_related(
        "evening__club", "evening__rubber_night__club", "evening__rubber_night__drive__club"
    )


def get_night(link: TableLink) -> RubberNight:
    """Return the night of a link's table; in a drive, the drive's rubbers."""
    night: RubberNight = link.evening.rubber_night
    return night


def is_over(link: TableLink) -> bool:
    """Return whether the night of a table's link, or its drive, is closed."""
    night = get_night(link)
    return night.is_closed or (night.drive is not None and night.drive.is_closed)


def create_marker_links(*, night: RubberNight, by: Actor) -> None:
    """Create a link for every table without one. A drive makes its own."""
    create_table_links(activity=night, tables=_list_tables, by=by)


def _list_tables(row: RubberNight) -> list[int]:
    _check_not_of_drive(row)
    check_open(row)
    return [table.number for table in row.tables.order_by("number")]


def revoke_marker_links(*, night: RubberNight, links: Sequence[int] = (), by: Actor) -> None:
    """Revoke the links of all tables, or those of these keys."""
    _check_not_of_drive(night)
    revoke_table_links(activity=night, links=links, by=by)


def _check_not_of_drive(night: RubberNight) -> None:
    if night.drive is not None:
        raise NotNow(_("The drive’s pages create the QR codes of its tables."))
