"""The places of the pages of drives and rubber nights, and the bar of each."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from drives.visits import DriveVisit, RubberVisit
from server.navigation import Bar, Link, RoomNavigation, Tab, link_to_tab

DRIVE = (
    Tab(
        "drive",
        _("Room"),
        "room",
        "drive_desk",
        frozenset({"drive_rubbers"}),
        is_for_scorers=True,
    ),
    Tab("drive_sheets", _("Sheets"), "scores", "drive_sheets", is_for_scorers=True),
    Tab(
        "drive_totals",
        _("Totals"),
        "results",
        "drive_totals",
        frozenset({"drive_again"}),
        is_for_scorers=True,
    ),
    Tab("drive_players", _("Players"), "people", "drive_players"),
    Tab("drive_papers", _("Papers"), "print", "drive_papers"),
    Tab("drive_tables", _("Phones"), "bell", "drive_tables"),
    Tab("drive_closing", _("Prizes"), "medal", "drive_closing"),
    Tab("drive_history", _("History"), "clock", "drive_history", is_for_scorers=True),
)
"""A drive's own pages, from its start to its prizes."""

RUBBERS = (
    Tab(
        "rubbers",
        _("Tables"),
        "tonight",
        "rubber_desk",
        is_for_scorers=True,
    ),
    Tab("rubber_phones", _("Phones"), "bell", "rubber_phones"),
    Tab("rubber_papers", _("Papers"), "print", "rubber_papers"),
    Tab("rubber_history", _("History"), "clock", "rubber_history", is_for_scorers=True),
)
"""A rubber night's own pages."""

NAVIGATION = RoomNavigation(
    bars=(("tonight", DRIVE), ("tonight", RUBBERS)),
    pages={
        "evenings": frozenset({"drives", "drive", "rubber_nights", "rubber_night"}),
        "tonight": frozenset({"drive_new", "rubber_new"}),
    },
    bare=frozenset(
        {"drive_screen", "drive_clock", "drive_card", "drive_presenter", "rubber_table"}
    ),
)


def bar_of(visit: object, page: str) -> Bar | None:
    """Make the bar of a page of a drive or rubber night; None for pages of neither."""
    if isinstance(visit, RubberVisit) and visit.night.drive is not None:
        visit = DriveVisit(visit.night.drive, visit.role)
    if isinstance(visit, DriveVisit):
        drive = visit.drive
        return Bar(
            name=drive.name,
            url=reverse("drive_desk", args=[visit.address]),
            tabs=_links(DRIVE, visit, page),
            is_live=drive.state == drive.State.OPEN,
            other_side=reverse("drive", args=[visit.address]),
        )
    if isinstance(visit, RubberVisit):
        return Bar(
            name=visit.night.name,
            url=reverse("rubber_desk", args=[visit.address]),
            tabs=_links(RUBBERS, visit, page),
            is_live=not visit.night.is_closed,
            other_side=reverse("rubber_night", args=[visit.address]),
        )
    return None


def _links(tabs: Sequence[Tab], visit: DriveVisit | RubberVisit, page: str) -> tuple[Link, ...]:
    return tuple(
        link_to_tab(tab, page, [visit.address])
        for tab in tabs
        if visit.is_directed or tab.is_for_scorers
    )
