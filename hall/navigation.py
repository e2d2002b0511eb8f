"""The navigation of an event's pages in all apps: the main links, and the tabs under each."""

from django.utils.translation import gettext_lazy as _

from server.navigation import AppNavigation, MainNavItem, Tab

DIRECTOR_NAV_ITEMS = (
    MainNavItem("tonight", _("Tonight"), "tonight", "desk"),
    MainNavItem("prepare", _("Prepare"), "steps", "prepare"),
    MainNavItem("results", _("Results"), "results", "results"),
)

PUBLIC_EVENT_TABS = (
    Tab(
        "standings",
        _("Standings"),
        "results",
        "event",
        frozenset(
            {
                "scorecard",
                "explained",
                "standings_version",
                "event_deals",
                "deals_verify",
                "pairings",
                "bracket",
                "awards",
            }
        ),
    ),
    Tab("boards", _("Boards"), "cards", "travellers", frozenset({"traveller", "play"})),
    Tab("recap", _("Recap"), "steps", "recap"),
    Tab("hands", _("Hands"), "spades", "hands"),
)
"""The tabs of an event's public pages."""

TONIGHT_TABS = (
    Tab(
        "room",
        _("Room"),
        "room",
        "room",
        frozenset({"room_table", "room_plan", "rehearsal"}),
        is_for_scorers=True,
    ),
    Tab(
        "scores",
        _("Scores"),
        "scores",
        "scores",
        frozenset({"tray", "ruling_panel"}),
        is_for_scorers=True,
    ),
    Tab(
        "change",
        _("Fix a problem"),
        "change",
        "changes",
        frozenset({"assistant", "assistant_record", "draws"}),
    ),
    Tab("clock", _("Clock"), "clock", "clock_desk", is_for_scorers=True),
    Tab("calls", _("Calls"), "bell", "calls", is_for_scorers=True),
)
"""The tabs of the director's pages during play, which every director's page links to."""

PREPARE_TABS = (
    Tab(
        "entries",
        _("Pairs"),
        "people",
        "entries",
        frozenset({"entry_edit", "check_in", "check_in_start", "check_in_codes"}),
    ),
    Tab(
        "movement",
        _("Movement"),
        "change",
        "movement",
        frozenset({"sections", "custom", "swiss"}),
    ),
    Tab("seats", _("Seats"), "room", "seats"),
    Tab(
        "deals",
        _("Boards"),
        "cards",
        "deals",
        frozenset({"helpers", "deal_entry", "play_of_board"}),
    ),
    Tab("papers", _("Papers"), "print", "papers"),
    Tab("phones", _("Phone scoring"), "bell", "tables", frozenset({"table_code"})),
)
"""The tabs of the director's pages before play."""

RESULTS_TABS = (
    Tab(
        "director_standings",
        _("Standings"),
        "results",
        "director_standings",
        frozenset({"director_explained"}),
        is_for_scorers=True,
    ),
    Tab("closing", _("Close session"), "lock", "closing", frozenset({"results_mail"})),
    Tab("rulings", _("Rulings"), "book", "rulings"),
    Tab("queries", _("Queries"), "warn", "challenges", frozenset({"entry_code"})),
    Tab("history", _("History"), "clock", "history", is_for_scorers=True),
)
"""The tabs of the director's pages after play."""

TABS_BY_NAV_KEY = {"tonight": TONIGHT_TABS, "prepare": PREPARE_TABS, "results": RESULTS_TABS}
CLUB_TABS = (
    Tab("hall", _("Wi-Fi access"), "bell", "hall", frozenset({"no_wifi"})),
    Tab("club_history", _("History"), "clock", "club_history"),
)

EVENT_PAGES = frozenset({"event_desk"})
"""The pages whose navigation item depends on the state of the event's session."""
NAV_KEYS_BY_SESSION_STATE = {"planned": "prepare", "open": "tonight", "closed": "results"}
"""The key of the navigation item for each state of an event's session."""

PLAYER_PAGES_BY_DIRECTOR_PAGE = {
    "room": "event",
    "scores": "travellers",
    "clock_desk": "clock",
    "director_standings": "event",
    "deals": "travellers",
    "history": "event",
}
"""The public page that corresponds to each director's page; the default is the standings."""

NAVIGATION = AppNavigation(
    bars=(*TABS_BY_NAV_KEY.items(), ("evenings", PUBLIC_EVENT_TABS), ("own_club", CLUB_TABS)),
    pages_by_nav_item={
        "tonight": frozenset({"demo_remove", "new", "tour"}),
        "prepare": frozenset(
            {
                *("event_new", "event_edit", "event_import", "terms"),
                *("stages", "seeds", "bracket_desk", "prizes"),
            }
        ),
    },
    pages_without_navigation=frozenset(
        {"table", "table_check_in", "entry_page", "typing", "typing_hand", "clock", "screen"}
    ),
)
