"""The navigation of the site, joined from the `navigation` modules of all apps.

Every page belongs to one item of the main navigation, e.g. "Tonight", except those in
`PAGES_WITHOUT_NAV_ITEM`; a test checks this for the URL of every page.
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

DIRECTOR_NAV_ITEMS = (
    *hall.navigation.DIRECTOR_NAV_ITEMS,
    seasons.club_pages.navigation.OWN_CLUB_NAV_ITEM,
)
SITE_NAVIGATION = AppNavigation(pages_by_nav_item={"own_club": frozenset({"jobs"})})
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
TAB_BARS = tuple(
    nav_key_and_tabs
    for app_navigation in APP_NAVIGATIONS
    for nav_key_and_tabs in app_navigation.bars
)
CLUB_TABS = tuple(tab for nav_key, tabs in TAB_BARS if nav_key == "own_club" for tab in tabs)
PAGES_WITHOUT_NAVIGATION = frozenset[str]().union(
    *(app_navigation.pages_without_navigation for app_navigation in APP_NAVIGATIONS)
)
"""The names of the pages without navigation."""

PAGES_WITHOUT_NAV_ITEM = {
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
"""Pages that belong to no item of the main navigation."""


def find_main_nav_key(page_name: str, session_state: str = "") -> str:
    """Return the key of the navigation item to which a page belongs; "" if to none.

    The item of an event's page depends on `session_state`, the state of the event's session.
    """
    if page_name in hall.navigation.EVENT_PAGES:
        return hall.navigation.NAV_KEYS_BY_SESSION_STATE.get(session_state, "tonight")
    nav_keys_and_pages = [
        (nav_key, pages)
        for navigation in APP_NAVIGATIONS
        for nav_key, pages in navigation.pages_by_nav_item.items()
    ]
    nav_keys_and_pages += [
        (nav_key, tab.page_names) for nav_key, tabs in TAB_BARS for tab in tabs
    ]
    return next((nav_key for nav_key, pages in nav_keys_and_pages if page_name in pages), "")
