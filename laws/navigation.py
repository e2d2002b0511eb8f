"""The places of the pages of the laws."""

from server.navigation import RoomNavigation

NAVIGATION = RoomNavigation(pages={"learn": frozenset({"laws", "law_book", "etiquette"})})
