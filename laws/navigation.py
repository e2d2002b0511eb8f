"""The navigation entries of the law pages."""

from server.navigation import AppNavigation

NAVIGATION = AppNavigation(pages={"learn": frozenset({"laws", "law_book", "etiquette"})})
