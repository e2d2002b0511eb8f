"""The navigation entries of the pages of movements and events."""

from server.navigation import AppNavigation

NAVIGATION = AppNavigation(
    pages={
        "learn": frozenset({"movements", "movement_schedule"}),
        "tonight": frozenset({"desk"}),
        "own_club": frozenset({"put_away", "club_new"}),
    }
)
