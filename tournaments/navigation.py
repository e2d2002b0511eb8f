"""The places of the pages of movements, and of those that lead to events."""

from server.navigation import RoomNavigation

NAVIGATION = RoomNavigation(
    pages={
        "learn": frozenset({"movements", "movement_schedule"}),
        "tonight": frozenset({"desk"}),
        "own_club": frozenset({"put_away", "club_new"}),
    }
)
