"""The navigation entries of the law pages."""

from server.navigation import AppNavigation

NAVIGATION = AppNavigation(
    pages_by_nav_item={"learn": frozenset({"laws", "law_book", "etiquette"})}
)
