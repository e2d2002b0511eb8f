"""The navigation entries of the pages of movements and events."""

from server.navigation import AppNavigation

NAVIGATION = AppNavigation(
    pages_by_nav_item={
        "learn": frozenset({"movements", "movement_schedule"}),
        "tonight": frozenset({"desk"}),
        "own_club": frozenset({"put_away", "club_new"}),
    }
)
