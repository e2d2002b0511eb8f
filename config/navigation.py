"""The navigation of the whole site, collected from all apps: places, tabs and bars.

A page in none of them has no place; a test requests every URL that returns a page.
"""

import clubs.navigation
import drives.navigation
import hall.navigation
import laws.navigation
import rubbers.navigation
import scoring.navigation
import seasons.club_pages.navigation
import tournaments.navigation
from server.navigation import RoomNavigation

DIRECTOR = (*hall.navigation.DIRECTOR_PLACES, seasons.club_pages.navigation.OWN_CLUB_PLACE)
OF_THE_SITE = RoomNavigation(pages={"own_club": frozenset({"jobs", "backups"})})
ROOMS = (
    OF_THE_SITE,
    laws.navigation.NAVIGATION,
    tournaments.navigation.NAVIGATION,
    drives.navigation.NAVIGATION,
    rubbers.navigation.NAVIGATION,
    scoring.navigation.NAVIGATION,
    seasons.club_pages.navigation.NAVIGATION,
    clubs.navigation.NAVIGATION,
    hall.navigation.NAVIGATION,
)
"""The apps' navigation, in the order of their tabs in the bar of a club."""
BARS = tuple(bar for room in ROOMS for bar in room.bars)
CLUB = tuple(tab for place, tabs in BARS if place == "own_club" for tab in tabs)
BARE = frozenset[str]().union(*(room.bare for room in ROOMS))

ANYWHERE = {
    "account",
    "again",
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
    "own_search",
}
"""Pages that belong to no place."""


def place_of(page: str, state: str = "") -> str:
    """Return the place of a page; `state` is the state of the current session."""
    if page in hall.navigation.EVENT_PAGES:
        return hall.navigation.PLACES_BY_STATE.get(state, "tonight")
    listed = [(place, pages) for room in ROOMS for place, pages in room.pages.items()]
    listed += [(place, tab.names) for place, tabs in BARS for tab in tabs]
    return next((place for place, pages in listed if page in pages), "")
