"""The navigation entries of the law pages."""

from server.navigation import RoomNavigation

NAVIGATION = RoomNavigation(pages={"learn": frozenset({"laws", "law_book", "etiquette"})})
