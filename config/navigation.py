"""Where every page stands: its place in the frame, and its tab in an evening's bar.

One table for both sides of the house. A page that is not in it has no place, and a test asks
for every address that answers with a page.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Word = str | Promise


@dataclass(frozen=True, slots=True)
class Place:
    """One of the main places: a word and an icon in the line on top, and below on a phone."""

    key: str
    word: Word
    icon: str
    home: str
    """The name of its own page; of an evening the tab with this key leads there."""


@dataclass(frozen=True, slots=True)
class Tab:
    """One page of an evening, with the pages that belong to it."""

    key: str
    word: Word
    icon: str
    view: str
    pages: frozenset[str] = frozenset()
    is_for_scorers: bool = False
    """Whether somebody who only enters scores may go there."""

    @property
    def names(self) -> frozenset[str]:
        """Every page on which it is the current one."""
        return self.pages | {self.view}


PUBLIC = (
    Place("club", _("Club"), "home", "home"),
    Place("evenings", _("Evenings"), "cards", "evenings"),
    Place("players", _("Players"), "people", "people"),
    Place("learn", _("Learn"), "book", "learn"),
)
LADDER = Place("ladder", _("Ladder"), "medal", "seasons")
"""Among the places of players where the club has a ladder; it leads to the newest season."""
DIRECTOR = (
    Place("tonight", _("Tonight"), "tonight", "desk"),
    Place("prepare", _("Prepare"), "steps", "prepare"),
    Place("results", _("Results"), "results", "results"),
    Place("own_club", _("Club"), "home", "players"),
)

EVENING = (
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
"""What everybody may look up of an evening."""

TONIGHT = (
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
        _("Change"),
        "change",
        "changes",
        frozenset({"assistant", "assistant_record", "draws"}),
    ),
    Tab("clock", _("Clock"), "clock", "clock_desk", is_for_scorers=True),
    Tab("calls", _("Calls"), "bell", "calls", is_for_scorers=True),
)
"""What a director needs while play is on: one press away from every page of theirs."""

PREPARE = (
    Tab("entries", _("Pairs"), "people", "entries", frozenset({"entry_edit"})),
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
    Tab("phones", _("Phones"), "bell", "tables", frozenset({"table_code"})),
)
"""The steps before play."""

RESULTS = (
    Tab(
        "director_standings",
        _("Standings"),
        "results",
        "director_standings",
        frozenset({"director_explained"}),
        is_for_scorers=True,
    ),
    Tab("closing", _("Closing"), "lock", "closing", frozenset({"results_mail"})),
    Tab("rulings", _("Rulings"), "book", "rulings"),
    Tab("queries", _("Queries"), "warn", "challenges", frozenset({"entry_code"})),
    Tab("history", _("History"), "clock", "history", is_for_scorers=True),
)
"""What follows play."""

DRIVE = (
    Tab(
        "drive",
        _("Room"),
        "room",
        "drive_desk",
        frozenset({"drive_rubbers"}),
        is_for_scorers=True,
    ),
    Tab("drive_sheets", _("Sheets"), "scores", "drive_sheets", is_for_scorers=True),
    Tab(
        "drive_totals",
        _("Totals"),
        "results",
        "drive_totals",
        frozenset({"drive_again"}),
        is_for_scorers=True,
    ),
    Tab("drive_players", _("Players"), "people", "drive_players"),
    Tab("drive_papers", _("Papers"), "print", "drive_papers"),
    Tab("drive_tables", _("Phones"), "bell", "drive_tables"),
    Tab("drive_closing", _("Prizes"), "medal", "drive_closing"),
    Tab("drive_history", _("History"), "clock", "drive_history", is_for_scorers=True),
)
"""A drive's own pages, from its start to its prizes."""

RUBBERS = (
    Tab(
        "rubbers",
        _("Tables"),
        "tonight",
        "rubber_desk",
        is_for_scorers=True,
    ),
    Tab("rubber_phones", _("Phones"), "bell", "rubber_phones"),
    Tab("rubber_papers", _("Papers"), "print", "rubber_papers"),
    Tab("rubber_history", _("History"), "clock", "rubber_history", is_for_scorers=True),
)
"""A rubber night's own pages."""

CLUB = (
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
        "own_calendar",
        _("Calendar"),
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
        "own_seasons",
        _("Seasons"),
        "results",
        "own_seasons",
        frozenset(
            {
                *("season_handicap", "season_handicap_act", "trophies"),
                *("season_ladders", "ladder_edit", "ladder_new"),
            }
        ),
    ),
    Tab("results_out", _("Results out"), "print", "results_out"),
    Tab("members", _("Helpers"), "you", "members"),
    Tab("look", _("Look"), "medal", "club_look"),
    Tab("hall", _("Phones in the hall"), "bell", "hall"),
    Tab("club_history", _("History"), "clock", "club_history"),
)
"""The club's own pages: of no evening."""

TABS = {"tonight": TONIGHT, "prepare": PREPARE, "results": RESULTS, "own_club": CLUB}

ALONE = {
    "club": {
        *("home", "club_page"),
        *("calendar", "fixture"),
        *("club_records", "honours", "mail_off"),
        *("sent_here", "sent_season", "sent_evening", "sent_drive", "sent_page"),
    },
    "ladder": {
        *("seasons", "season", "ladder", "ladder_line"),
        *("handicaps", "handicap_evening"),
    },
    "evenings": {"evenings", "drives", "drive", "rubber_nights", "rubber_night"},
    "players": {"people", "player", "player_grade", "player_grade_evening"},
    "learn": {
        "learn",
        "learn_game",
        "learn_evening",
        "learn_figures",
        "learn_words",
        "learn_first_night",
        *("laws", "law_book", "etiquette"),
        "movements",
        "movement_schedule",
        "worked_hands",
        "worked_hand",
        "old_results",
    },
    "tonight": {"desk", "tour", "drive_new", "rubber_new"},
    "prepare": {
        *("event_new", "event_edit", "event_import", "terms"),
        *("stages", "seeds", "bracket_desk", "prizes"),
    },
    "own_club": {"put_away", "club_new", "play_alone", "jobs", "backups", "club_archives"},
}
"""Pages of a place that are no tab."""

OF_THE_EVENING = {"planned": "prepare", "open": "tonight", "closed": "results"}
"""Where an evening's own page stands, by what its session is doing."""
EVENING_PAGES = {"event_desk"}

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
"""Pages of the frame itself."""

BARE = {
    "booking_own",
    "table",
    "entry_page",
    "me",
    "me_booking",
    "me_calendar",
    "me_grade",
    "me_grade_evening",
    "me_open",
    "typing",
    "typing_hand",
    "clock",
    "screen",
    "drive_screen",
    "drive_clock",
    "drive_card",
    "drive_presenter",
    "rubber_table",
}
"""Pages of a secret address or for a wall: without places, for nobody comes from there."""

OTHER_SIDE = {
    "room": "event",
    "scores": "travellers",
    "clock_desk": "clock",
    "director_standings": "event",
    "deals": "travellers",
    "history": "event",
}
"""What players see of a director's page; of any other page of an evening, its standings."""


def place_of(page: str, state: str = "") -> str:
    """Name the place of a page; `state` is what the session at hand is doing."""
    if page in EVENING_PAGES:
        return OF_THE_EVENING.get(state, "tonight")
    for key, pages in ALONE.items():
        if page in pages:
            return key
    if any(page in tab.names for tab in EVENING):
        return "evenings"
    if any(page in tab.names for tab in (*DRIVE, *RUBBERS)):
        return "tonight"
    return next(
        (key for key, tabs in TABS.items() if any(page in tab.names for tab in tabs)), ""
    )


def places() -> tuple[Place, ...]:
    """All places, of players and of directors."""
    return (*PUBLIC, *DIRECTOR)
