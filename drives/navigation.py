"""The navigation of the pages of drives, with their tabs."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from drives.drive_access import DriveAccess
from server.navigation import AppNavigation, Bar, Tab, build_tab_links

DRIVE_PAGES = (
    Tab(
        "drive",
        _("Room"),
        "room",
        "drive_desk",
        frozenset({"drive_rubbers", "drive_next"}),
        is_for_scorers=True,
    ),
    Tab(
        "drive_sheets",
        _("Table scores"),
        "scores",
        "drive_sheets",
        frozenset({"drive_hands", "drive_points"}),
        is_for_scorers=True,
    ),
    Tab(
        "drive_totals",
        _("Card totals"),
        "results",
        "drive_totals",
        frozenset({"drive_again"}),
        is_for_scorers=True,
    ),
    Tab(
        "drive_standings",
        _("Standings"),
        "results",
        "drive_standings",
        frozenset({"drive_explained"}),
        is_for_scorers=True,
    ),
    Tab(
        "drive_players",
        _("Players"),
        "people",
        "drive_players",
        frozenset({"drive_check_in", "drive_check_in_start", "drive_check_in_codes"}),
    ),
    Tab("drive_papers", _("Papers"), "print", "drive_papers"),
    Tab("drive_tables", _("Phone scoring"), "bell", "drive_tables"),
    Tab("drive_closing", _("Prizes"), "medal", "drive_closing"),
    Tab("drive_history", _("History"), "clock", "drive_history", is_for_scorers=True),
)
"""The tabs of a drive, in the order in which an evening needs them."""

NAVIGATION = AppNavigation(
    bars=(("tonight", DRIVE_PAGES),),
    pages_by_nav_item={
        "evenings": frozenset({"drives", "drive", "drive_player"}),
        "tonight": frozenset({"drive_new"}),
        "own_club": frozenset({"drive_house_tables", "drive_house_table"}),
    },
    pages_without_navigation=frozenset(
        {"drive_screen", "drive_clock", "drive_card", "drive_presenter"}
    ),
)


def find_bar(access: object, page: str) -> Bar | None:
    """Return the bar with the tabs for a page of a drive; None for any other page."""
    if not isinstance(access, DriveAccess):
        return None
    drive = access.drive
    return Bar(
        name=drive.name,
        url=reverse("drive_desk", args=[access.address]),
        tabs=build_tab_links(DRIVE_PAGES, page, access.address, access.can_direct),
        is_event_in_play=drive.state == drive.State.OPEN,
        counterpart_url=reverse("drive", args=[access.address]),
    )
