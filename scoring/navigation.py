"""Navigation of the pages of worked hands, old results, and plays without an event."""

from server.navigation import AppNavigation

NAVIGATION = AppNavigation(
    pages_by_nav_item={
        "learn": frozenset({"worked_hands", "worked_hand", "old_results"}),
        "own_club": frozenset({"play_alone"}),
    }
)
