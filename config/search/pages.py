"""Pages that the search finds by their title and by synonyms."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TranslatedText = str | Promise


@dataclass(frozen=True, slots=True)
class SearchablePage:
    """A page, its title, and further words by which users may search for it."""

    title: TranslatedText
    synonyms: TranslatedText
    url_name: str
    anchor: str = ""  # anchor within the page
    requires_congress_features: bool = (
        False  # only found if congress features are enabled or in use
    )


PUBLIC_PAGES = (
    SearchablePage(
        _("Duplicate whist in five minutes"), _("rules how to play beginner"), "learn_game"
    ),
    SearchablePage(
        _("Your first evening"), _("player beginner table move tray"), "learn_evening"
    ),
    SearchablePage(
        _("If a score is wrong"),
        _("query mistake error incorrect correct correction deadline"),
        "learn_evening",
        "wrong-score",
    ),
    SearchablePage(
        _("How scores are worked out"),
        _("plus minus average score arithmetic percent"),
        "learn_figures",
    ),
    SearchablePage(
        _("Whist terms"),
        _("glossary arrow switch half table sit-out mitchell howell bridge words"),
        "learn_words",
    ),
    SearchablePage(
        _("Direct your first event"), _("director help tour begin"), "learn_first_night"
    ),
    SearchablePage(_("The laws"), _("law book"), "laws"),
    SearchablePage(
        _("Etiquette"), _("manners customs behaviour bystanders courtesy"), "etiquette"
    ),
    SearchablePage(
        _("Words with an exact meaning"), _("terms glossary dictionary"), "laws", "words"
    ),
    SearchablePage(_("Worked hands"), _("example play card by card"), "worked_hands"),
    SearchablePage(_("Old results"), _("printed books foster history"), "old_results"),
    SearchablePage(_("Movements"), _("mitchell howell compass rotation"), "movements"),
)
"""Public pages, such as help."""

CLUB_PAGES = (
    SearchablePage(_("Tonight"), _("live now today club clubs"), "desk"),
    SearchablePage(_("Prepare"), _("events upcoming before play"), "prepare"),
    SearchablePage(_("Results"), _("events finished past after play"), "results"),
    SearchablePage(_("Practice tour"), _("help demo learn first night"), "tour"),
    SearchablePage(_("New event"), _("create make duplicate drive rubber evening"), "new"),
    SearchablePage(_("Import an event file"), _("open load"), "event_import"),
    SearchablePage(_("Wi-Fi access"), _("phones hall network connect address wifi"), "hall"),
    SearchablePage(
        _("No Wi-Fi here?"), _("hotspot router hall box internet network"), "no_wifi"
    ),
    SearchablePage(
        _("Users and roles"),
        _("helpers logins members rights who may do what new user role add director scorer"),
        "members",
    ),
    SearchablePage(_("Players"), _("names merge hide club members people add"), "players"),
    SearchablePage(
        _("Evenings"),
        _("calendar diary dates fixtures bookings sign up series"),
        "own_calendar",
    ),
    SearchablePage(
        _("Season"),
        _("seasons new ladder ladders league leagues championship trophies handicap"),
        "own_seasons",
    ),
    SearchablePage(
        _("Publish"), _("publishing upload send results website e-mail files"), "results_out"
    ),
    SearchablePage(_("Club history"), _("log undo"), "club_history"),
    SearchablePage(_("Archived events"), _("archived hidden"), "put_away"),
    SearchablePage(
        _("Appearance"), _("logo colour accent short name crest look language"), "club_look"
    ),
    SearchablePage(
        _("Points tables"),
        _("contracts wiezen kleurenwiezen rikken solo Danish whist misère own scoring"),
        "drive_house_tables",
    ),
    SearchablePage(_("Background tasks"), _("jobs work queue failed waiting"), "jobs"),
    SearchablePage(
        _("Backups"),
        _("backup back up save restore copy usb memory stick download safe"),
        "backups",
    ),
    SearchablePage(
        _("Backup and move"),
        _("club transfer import export save another new other computer laptop usb stick"),
        "club_archives",
    ),
    SearchablePage(_("Account"), _("password sign out"), "account"),
    SearchablePage(
        _("Grades"), _("strength rating"), "club_grades", requires_congress_features=True
    ),
    SearchablePage(_("API tokens"), _("programs"), "tokens", requires_congress_features=True),
)
"""A director's pages outside an event."""

EVENT_PAGES = (
    SearchablePage(
        _("Fix a problem"),
        _("late pair change wrong board leave leaving missing seat arrow"),
        "changes",
    ),
    SearchablePage(
        _("Revoke or other irregularity"),
        _("laws ruling penalty lead out of turn exposed wrong board"),
        "assistant",
    ),
    SearchablePage(_("Rulings and penalties"), _("adjusted score revoke"), "rulings"),
    SearchablePage(_("Scores"), _("enter type results grid"), "scores"),
    SearchablePage(_("Room"), _("tables glance plan"), "room"),
    SearchablePage(_("Clock"), _("timer minutes round pause"), "clock_desk"),
    SearchablePage(_("Calls"), _("bell director wanted"), "calls"),
    SearchablePage(_("Pairs"), _("entries names players teams"), "entries"),
    SearchablePage(_("Check-in"), _("seat names phone arrive sit"), "check_in"),
    SearchablePage(_("Movement"), _("mitchell howell rounds sections"), "movement"),
    SearchablePage(_("Seats"), _("draw who sits where"), "seats"),
    SearchablePage(_("Boards and deals"), _("hands cards shuffle trays"), "deals"),
    SearchablePage(_("Papers"), _("print travellers slips pdf"), "papers"),
    SearchablePage(_("Phone scoring"), _("phones at the tables links codes qr"), "tables"),
    SearchablePage(
        _("Standings"), _("results place ranking score winners"), "director_standings"
    ),
    SearchablePage(
        _("Score queries"),
        _("query mistake wrong asked challenge players’ links"),
        "challenges",
    ),
    SearchablePage(_("Scoring and tie-breaks"), _("method carry over"), "terms"),
    SearchablePage(
        _("Close session"), _("closing finish publish corrections reopen"), "closing"
    ),
    SearchablePage(_("Event history"), _("log undo who changed"), "history"),
    SearchablePage(_("Event settings"), _("edit archive name date limits"), "event_edit"),
    SearchablePage(_("Standings for the big screen"), _("wall projector"), "screen"),
    SearchablePage(_("Clock for the big screen"), _("wall projector"), "clock"),
    SearchablePage(_("Export event"), _("save file backup"), "event_export"),
    SearchablePage(
        _("Swiss rounds"),
        _("draw opponents pairings barometer"),
        "swiss",
        requires_congress_features=True,
    ),
    SearchablePage(
        _("Several sections"), _("divide field"), "sections", requires_congress_features=True
    ),
    SearchablePage(
        _("Custom movement"), _("own schedule"), "custom", requires_congress_features=True
    ),
    SearchablePage(
        _("Finals and flights"),
        _("stages qualifying"),
        "stages",
        requires_congress_features=True,
    ),
    SearchablePage(
        _("Knock-out"),
        _("bracket matches bye"),
        "bracket_desk",
        requires_congress_features=True,
    ),
    SearchablePage(
        _("Seeds and strata"), _("rating tags"), "seeds", requires_congress_features=True
    ),
    SearchablePage(
        _("Prizes"), _("awards money honour"), "prizes", requires_congress_features=True
    ),
)
"""A director's pages of the current event."""

CONGRESS_MOVEMENTS = frozenset({"barometer", "memory"})
"""Systems that are only found if congress features are enabled or in use."""
