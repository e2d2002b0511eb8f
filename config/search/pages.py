"""Pages that the search finds by common words for them."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Word = str | Promise


@dataclass(frozen=True, slots=True)
class Page:
    """A page, its title, and further words that users may search for."""

    title: Word
    also: Word
    view: str
    part: str = ""  # anchor within the page


HELP = (
    Page(_("Duplicate whist in five minutes"), _("rules how to play beginner"), "learn_game"),
    Page(_("Your first evening"), _("player beginner table move tray"), "learn_evening"),
    Page(
        _("How the figures are made"),
        _("plus minus average score arithmetic percent"),
        "learn_figures",
    ),
    Page(
        _("Words of an evening"),
        _("glossary arrow switch half table sit-out mitchell howell bridge"),
        "learn_words",
    ),
    Page(_("Direct your first night"), _("director help tour begin"), "learn_first_night"),
    Page(_("The laws"), _("law book"), "laws"),
    Page(_("Etiquette"), _("manners customs behaviour bystanders courtesy"), "etiquette"),
    Page(_("Words with an exact meaning"), _("terms glossary dictionary"), "laws", "words"),
    Page(_("Worked hands"), _("example play card by card"), "worked_hands"),
    Page(_("Old results"), _("printed books foster history"), "old_results"),
    Page(_("Movements"), _("mitchell howell compass rotation"), "movements"),
)
"""Public pages."""

OF_THE_CLUB = (
    Page(_("A tour of an evening"), _("help demo learn first night"), "tour"),
    Page(_("New event"), _("make evening create"), "event_new"),
    Page(_("Import an event file"), _("open load"), "event_import"),
    Page(_("Phones in the hall"), _("wi-fi network connect address"), "hall"),
    Page(_("Who may do what"), _("helpers logins members rights"), "members"),
    Page(_("Players of the club"), _("names merge hide"), "players"),
    Page(_("History of the club"), _("log undo"), "club_history"),
    Page(_("Archived events"), _("archived hidden"), "put_away"),
    Page(_("Look of the club"), _("logo colour accent short name crest"), "club_look"),
    Page(_("Work in the background"), _("jobs queue failed waiting"), "jobs"),
    Page(_("Backups"), _("save restore copy stick download"), "backups"),
    Page(_("Account"), _("password sign out token"), "account"),
)
"""A director's pages outside an evening."""

OF_AN_EVENING = (
    Page(
        _("Late, leaving, or wrong seats"),
        _("late pair change wrong board leave missing seat arrow"),
        "changes",
    ),
    Page(
        _("A revoke or another irregularity"),
        _("laws ruling penalty lead out of turn exposed wrong board"),
        "assistant",
    ),
    Page(_("Rulings and penalties"), _("adjusted score revoke"), "rulings"),
    Page(_("Scores"), _("enter type results grid"), "scores"),
    Page(_("The room"), _("tables glance plan"), "room"),
    Page(_("Clock"), _("timer minutes round pause"), "clock_desk"),
    Page(_("Calls"), _("bell director wanted"), "calls"),
    Page(_("Pairs"), _("entries names players teams"), "entries"),
    Page(_("Movement"), _("mitchell howell rounds sections"), "movement"),
    Page(_("Seats"), _("draw who sits where"), "seats"),
    Page(_("Boards and deals"), _("hands cards shuffle trays"), "deals"),
    Page(_("Papers"), _("print travellers slips pdf"), "papers"),
    Page(_("Phones at the tables"), _("links codes qr"), "tables"),
    Page(_("Score queries"), _("asked challenge players' links"), "challenges"),
    Page(_("Scoring and tie-breaks"), _("method carry over"), "terms"),
    Page(_("Closing"), _("finish publish corrections open again"), "closing"),
    Page(_("History of the evening"), _("log undo who changed"), "history"),
    Page(_("Name, date and limits"), _("edit event archive"), "event_edit"),
    Page(_("Standings for the big screen"), _("wall projector"), "screen"),
    Page(_("Clock for the big screen"), _("wall projector"), "clock"),
    Page(_("Save the event as a file"), _("export backup"), "event_export"),
)
"""A director's pages of the current evening."""
