"""The navigation of the site, joined from the `navigation` modules of all apps.

A "main place" is an entry of the main navigation, e.g. "Tonight". Every page belongs to one
place, except those in `PAGES_WITHOUT_PLACE`; a test checks this for the URL of every page.
"""

import clubs.navigation
import drives.navigation
import hall.navigation
import laws.navigation
import rubbers.navigation
import scoring.navigation
import seasons.club_pages.navigation
import tournaments.navigation
from server.navigation import AppNavigation

DIRECTOR_PLACES = (
    *hall.navigation.DIRECTOR_PLACES,
    seasons.club_pages.navigation.OWN_CLUB_PLACE,
)
SITE_NAVIGATION = AppNavigation(pages={"own_club": frozenset({"jobs"})})
APP_NAVIGATIONS = (
    SITE_NAVIGATION,
    laws.navigation.NAVIGATION,
    tournaments.navigation.NAVIGATION,
    drives.navigation.NAVIGATION,
    rubbers.navigation.NAVIGATION,
    scoring.navigation.NAVIGATION,
    seasons.club_pages.navigation.NAVIGATION,
    clubs.navigation.NAVIGATION,
    hall.navigation.NAVIGATION,
)
"""The navigation of each app, in the order of their tabs in a club's bar."""
TAB_BARS = tuple(bar for app_navigation in APP_NAVIGATIONS for bar in app_navigation.bars)
CLUB_TABS = tuple(tab for place, tabs in TAB_BARS if place == "own_club" for tab in tabs)
BARE_PAGES = frozenset[str]().union(
    *(app_navigation.bare_pages for app_navigation in APP_NAVIGATIONS)
)
"""The names of the pages without navigation."""

PAGES_WITHOUT_PLACE = {
    "account",
    "again",
    "better_words",
    "better_words_file",
    "devices",
    "forgotten",
    "login_log",
    "mail",
    "mfa_activate_totp",
    "mfa_add_webauthn",
    "mfa_authenticate",
    "mfa_deactivate_totp",
    "mfa_generate_recovery_codes",
    "mfa_index",
    "mfa_login_webauthn",
    "mfa_reauthenticate_webauthn",
    "mfa_remove_webauthn",
    "mfa_view_recovery_codes",
    "reset",
    "tokens",
    "password_change",
    "password_change_done",
    "login",
    "search",
    "stop",
    "own_search",
}
"""Pages that belong to no main place."""


def find_place(page_name: str, state: str = "") -> str:
    """Return the key of the main place to which a page belongs; "" if it belongs to none.

    The place of an event's page depends on `state`, the state of the event's session.
    """
    if page_name in hall.navigation.EVENT_PAGES:
        return hall.navigation.PLACES_BY_STATE.get(state, "tonight")
    place_pages = [
        (place, pages)
        for navigation in APP_NAVIGATIONS
        for place, pages in navigation.pages.items()
    ]
    place_pages += [(place, tab.page_names) for place, tabs in TAB_BARS for tab in tabs]
    return next((place for place, pages in place_pages if page_name in pages), "")
