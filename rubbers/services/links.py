"""The addresses of a rubber night's tables: whoever has one marks there without a login."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

import clubs.evenings.services
from clubs.audit import Actor, Guest
from clubs.errors import NotNow
from clubs.models import Evening, TableLink
from rubbers.models import RubberNight
from rubbers.services.held import locked, still_open

SECTION = "A"
"""A night has no sections: all its tables stand in one."""


def find_link(token: str) -> TableLink | None:
    """Find the link of a table that marks rubbers, live or not; None if it is none."""
    rows = TableLink.with_token(token).select_related(
        "evening__club",
        "evening__rubber_night__club",
        "evening__drive__club",
        "evening__drive__rubbers__club",
    )
    is_of_rubbers = Q(evening__rubber_night__isnull=False) | Q(
        evening__drive__rubbers__isnull=False
    )
    return rows.filter(is_of_rubbers).first()


def night_of(link: TableLink) -> RubberNight:
    """The night at whose table a link lies; of a drive its rubbers."""
    evening = link.evening
    night: RubberNight = (
        evening.drive.rubbers if hasattr(evening, "drive") else evening.rubber_night
    )
    return night


def is_over(link: TableLink) -> bool:
    """Whether the night of a table's link is closed, or its drive."""
    night = night_of(link)
    return night.is_closed or (night.drive is not None and night.drive.is_closed)


def guest_of_marker(link: TableLink) -> Guest:
    """The name under which a table's acts are remembered."""
    return Guest(Guest.Kind.TABLE, str(link.table))


@transaction.atomic
def make_marker_links(*, night: RubberNight, by: Actor) -> None:
    """Give every table its address; one that lives is kept. A drive makes its own."""
    row = locked(night)
    still_open(row)
    numbers = [table.number for table in row.tables.order_by("number")]
    clubs.evenings.services.make_links(
        evening=_evening(row),
        tables=[(SECTION, number) for number in numbers],
        about=row,
        by=by,
    )


@transaction.atomic
def revoke_marker_links(*, night: RubberNight, links: Sequence[int] = (), by: Actor) -> None:
    """Withdraw the links of all tables, or those of some keys."""
    row = locked(night)
    clubs.evenings.services.revoke_links(
        evening=_evening(row), links=links, action="rubbers.links_revoked", about=row, by=by
    )


def _evening(row: RubberNight) -> Evening:
    if row.evening is None:
        raise NotNow(_("The drive makes the codes of its tables."))
    return row.evening
