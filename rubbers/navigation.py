"""The navigation of the pages of rubber nights, with their tabs."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

import drives.navigation
from drives.drive_access import DriveAccess
from rubbers.rubber_access import RubberAccess
from server.navigation import AppNavigation, Bar, Tab, build_tab_links

RUBBER_PAGES = (
    Tab(
        "rubbers",
        _("Tables"),
        "tonight",
        "rubber_desk",
        frozenset({"rubber_check_in", "rubber_check_in_start", "rubber_check_in_codes"}),
        is_for_scorers=True,
    ),
    Tab("rubber_tables", _("Phone scoring"), "bell", "rubber_tables"),
    Tab("rubber_papers", _("Papers"), "print", "rubber_papers"),
    Tab("rubber_history", _("History"), "clock", "rubber_history", is_for_scorers=True),
)
"""The tabs of a rubber night."""

NAVIGATION = AppNavigation(
    bars=(("tonight", RUBBER_PAGES),),
    pages_by_nav_item={
        "evenings": frozenset({"rubber_nights", "rubber_night"}),
        "tonight": frozenset({"rubber_new"}),
    },
    pages_without_navigation=frozenset({"rubber_table"}),
)


def find_bar(access: object, page: str) -> Bar | None:
    """Return the bar with the tabs for a page of a rubber night or a drive, else None."""
    if not isinstance(access, RubberAccess):
        return drives.navigation.find_bar(access, page)
    if access.night.drive is not None:
        return drives.navigation.find_bar(DriveAccess(access.night.drive, access.role), page)
    return Bar(
        name=access.night.name,
        url=reverse("rubber_desk", args=[access.address]),
        tabs=build_tab_links(RUBBER_PAGES, page, access.address, access.can_direct),
        is_event_in_play=not access.night.is_closed,
        counterpart_url=reverse("rubber_night", args=[access.address]),
    )
