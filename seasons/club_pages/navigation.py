"""The menus of a club's public pages, and of the director's pages for players and seasons."""

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from seasons.ladders.models import Season
from server.navigation import AppNavigation, Link, MainNavItem, Tab, build_main_links

PUBLIC_NAV_ITEMS = (
    MainNavItem("club", _("Club"), "home", "home"),
    MainNavItem("evenings", _("Evenings"), "cards", "evenings"),
    MainNavItem("players", _("Players"), "people", "people"),
    MainNavItem("learn", _("Learn"), "book", "learn"),
)
LADDER_NAV_ITEM = MainNavItem("ladder", _("Ladder"), "medal", "seasons")
"""The public menu item "Ladder", which links to the newest season with ladders.

The item is shown only for clubs with a ladder.
"""
OWN_CLUB_NAV_ITEM = MainNavItem("own_club", _("Club"), "home", "players")
"""The director's main menu item for the club."""

CLUB_TABS = (
    Tab(
        "own_calendar",
        _("Evenings"),
        "clock",
        "own_calendar",
        frozenset(
            {
                "fixture_desk",
                "fixture_edit",
                "fixture_money",
                "fixture_new",
                "series_edit",
                "series_new",
            }
        ),
    ),
    Tab(
        "players",
        _("Players"),
        "people",
        "players",
        frozenset(
            {
                "club_grades",
                "player_edit",
                "player_forget",
                "player_merge",
                "people_list",
                "person_link",
                "person_links",
                "doubles",
            }
        ),
    ),
    Tab(
        "own_seasons",
        _("Season"),
        "results",
        "own_seasons",
        frozenset(
            {
                *("season_handicap", "season_handicap_act", "trophies"),
                *("season_ladders", "ladder_edit", "ladder_new"),
            }
        ),
    ),
    Tab("results_out", _("Publish"), "print", "results_out"),
)
"""The director's menu items for the club's players, calendar and seasons."""

NAVIGATION = AppNavigation(
    bars=((OWN_CLUB_NAV_ITEM.key, CLUB_TABS),),
    pages_by_nav_item={
        "club": frozenset(
            {
                *("home", "club_page"),
                *("calendar", "fixture"),
                *("club_records", "honours", "mail_off"),
                *("sent_here", "sent_season", "sent_evening", "sent_drive", "sent_page"),
            }
        ),
        "ladder": frozenset(
            {
                *("seasons", "season", "ladder", "ladder_line"),
                *("handicaps", "handicap_evening"),
            }
        ),
        "evenings": frozenset({"evenings"}),
        "players": frozenset({"people", "player", "player_grade", "player_grade_evening"}),
        "learn": frozenset(
            {
                *("learn", "learn_game", "learn_evening", "learn_figures", "learn_words"),
                "learn_first_night",
            }
        ),
    },
    pages_without_navigation=frozenset(
        {
            *("booking_own", "me", "me_booking", "me_calendar", "me_grade"),
            *("me_grade_evening", "me_open"),
        }
    ),
)


def build_public_links(
    request: HttpRequest, nav_key: str, page: str, club: Club | None
) -> tuple[Link, ...]:
    """Return the links of the public menu.

    If the club has a ladder, "Ladder" is the third link. Otherwise, the link to the club is
    marked as current on pages of seasons.
    """
    season = Season.objects.filter(club=club, ladders__isnull=False).first() if club else None
    if season is None or club is None:
        return build_main_links(
            PUBLIC_NAV_ITEMS, "club" if nav_key == LADDER_NAV_ITEM.key else nav_key, page
        )
    main_links = build_main_links(PUBLIC_NAV_ITEMS, nav_key, page)
    url = reverse("season", args=[club.slug, season.slug])
    aria_current = "page" if request.path == url else "true"
    ladder_link = Link(
        LADDER_NAV_ITEM.word,
        LADDER_NAV_ITEM.icon,
        url,
        aria_current if nav_key == LADDER_NAV_ITEM.key else "",
    )
    return (*main_links[:2], ladder_link, *main_links[2:])
