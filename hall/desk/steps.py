"""The steps of an evening: done, current or ahead, each with its text."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import tournaments.services
from clubs.models import TableLink
from scoring.models import Paper
from scoring.papers import get_title
from scoring.papers.outdated_papers import list_outdated_kinds
from scoring.session_snapshot import SessionSnapshot
from scoring.standings_engine.knockouts import find_knockout
from tournaments.entry_words import MIN_ENTRIES, entry_words_for, format_entry_count
from tournaments.models import Entry, Event, Session
from tournaments.movements.formatting import format_section_count, format_size
from tournaments.visits import Visit


class Progress(StrEnum):
    """The state of a step: done, current or ahead."""

    DONE = "done"
    NOW = "now"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class DeskStep:
    """One step of the evening."""

    key: str
    title: str
    state: Progress
    text: str
    url: str
    action: str


@dataclass(frozen=True, slots=True)
class StepContext:
    """The data from which the steps are computed."""

    visit: Visit
    session: Session
    seated: SessionSnapshot
    unsaid: bool
    """Whether the need of a stationary place is still unknown for some players."""
    boards_short: int
    """The number of boards that the movement needs and that are not dealt."""

    @property
    def event(self) -> Event:
        """The event of the evening."""
        return self.visit.event

    @property
    def is_planned(self) -> bool:
        """Whether play has not been opened yet."""
        return self.session.state == Session.State.PLANNED

    @property
    def is_closed(self) -> bool:
        """Whether the session is closed."""
        return self.session.state == Session.State.CLOSED


@dataclass(frozen=True, slots=True)
class _Told:
    """The content of a step: whether it is done, its text, its page and its button."""

    is_done: bool
    title: str
    text: str
    view: str
    action: str


OPTIONAL = ("phones",)
"""The steps that an evening does not need."""


def steps_of(evening: StepContext) -> list[DeskStep]:
    """Return all steps in order; the current one is the first required step not yet done."""
    steps: list[DeskStep] = []
    is_found = False
    for key, tell in _STEPS.items():
        told = tell(evening)
        state = Progress.DONE if told.is_done else Progress.LATER
        if state is Progress.LATER and not is_found and key not in OPTIONAL:
            state, is_found = Progress.NOW, True
        url = reverse(told.view, args=[evening.visit.address]) if told.view else ""
        steps.append(DeskStep(key, told.title, state, told.text, url, told.action))
    return steps


def _entries(evening: StepContext) -> _Told:
    event = evening.event
    words, entries = entry_words_for(event), event.entries.count()
    return _Told(
        entries >= MIN_ENTRIES[Event.Contest(event.contest)],
        words.many,
        _("%(who)s entered") % {"who": format_entry_count(event, entries)},
        "entries",
        words.enter,
    )


def _movement(evening: StepContext) -> _Told:
    seated = evening.seated
    if not seated.sections and find_knockout(evening.event):
        text = _("the bracket is laid: seat its matches, or write down who won elsewhere")
        return _Told(
            bool(seated.tables), _("Knock-out"), text, "bracket_desk", _("Go to the knock-out")
        )
    return _Told(
        bool(seated.tables),
        _("Movement"),
        _movement_text(evening),
        "movement",
        _("Choose the movement"),
    )


def _movement_text(evening: StepContext) -> str:
    sections, boards = evening.seated.sections, evening.session.boards_a_round
    if not sections:
        return _("not chosen yet")
    if len(sections) > 1:
        return format_section_count(len(sections), boards)
    [section] = sections
    return format_size(section.tables, section.rounds_planned, boards)


def _seats(evening: StepContext) -> _Told:
    tables = evening.seated.tables
    unmet = _unmet(evening) if tables and evening.is_planned else []
    is_open = evening.is_planned and (evening.unsaid or bool(unmet))
    return _Told(
        bool(tables) and not is_open,
        _("Seats"),
        _seats_text(evening, unmet),
        "seats" if evening.seated.sections else "",
        _("See who sits where"),
    )


def _seats_text(evening: StepContext, unmet: list[Entry]) -> str:
    if not evening.seated.tables:
        return _("drawn, by list or by hand")
    if unmet:
        names = ", ".join(str(entry) for entry in unmet)
        return _("must stay seated, and moves: %(names)s") % {"names": names}
    if evening.unsaid:
        return _("say who must stay seated")
    if not evening.is_planned:
        return _("everybody has a seat")
    return _("everybody has a seat; draw again or change them here")


def _unmet(evening: StepContext) -> list[Entry]:
    """Return the entries that need a stationary place and have one that moves."""
    seated = evening.seated
    wishing = any(place.entry and place.entry.stays_seated for place in seated.places)
    sections = seated.sections if wishing else []
    return [
        entry for each in sections for entry in tournaments.services.list_unmet_wishes(each)
    ]


def _boards(evening: StepContext) -> _Told:
    session, short = evening.session, evening.boards_short
    is_decided = session.deals != Session.Deals.UNDECIDED and not short
    text, action = str(session.get_deals_display()), _("Decide about the boards")
    if short:
        words = ngettext(
            "the movement needs %(count)s board more than is dealt",
            "the movement needs %(count)s boards more than are dealt",
            short,
        )
        text, action = words % {"count": short}, _("Deal the boards again")
    return _Told(not evening.is_planned or is_decided, _("Boards"), text, "deals", action)


def _papers(evening: StepContext) -> _Told:
    is_ordered = Paper.objects.filter(session=evening.session).exists()
    return _Told(
        is_ordered or not evening.is_planned,
        _("Papers"),
        _papers_text(evening),
        "papers",
        _("Print papers"),
    )


def _papers_text(evening: StepContext) -> str:
    """Describe the papers, or the printed ones that show old seats or names."""
    if evening.is_closed:
        return _("ranking, recap and hand records to print")
    old = list_outdated_kinds(evening.session)
    if not old:
        return _("slips, cards and lists to print")
    titles = ", ".join(get_title(kind) for kind in old)
    return _("out of date, print again: %(papers)s") % {"papers": titles}


def _phones(evening: StepContext) -> _Told:
    links = TableLink.objects.filter(
        evening=evening.session.evening_id, revoked_at__isnull=True
    )
    linked = links.count()
    tables = sum(each.tables for each in evening.seated.sections)
    return _Told(
        bool(linked) or not evening.is_planned,
        _("Phones"),
        _phones_text(linked, tables),
        "tables",
        _("Connect the phones"),
    )


def _phones_text(linked: int, tables: int) -> str:
    if not linked:
        return _("if you like: the tables enter their own scores")
    if linked >= tables:
        return _("every table has its code")
    told = ngettext(
        "%(linked)s of %(tables)s table has its code",
        "%(linked)s of %(tables)s tables have their codes",
        tables,
    )
    return told % {"linked": linked, "tables": tables}


def _opening(evening: StepContext) -> _Told:
    text = _("so that scores can be entered")
    if not evening.is_planned:
        text = _("play is over") if evening.is_closed else _("scores can be entered")
    return _Told(not evening.is_planned, _("Open play"), text, "", _("Open the session"))


def _scores(evening: StepContext) -> _Told:
    expected, missing = evening.seated.expected_results, evening.seated.missing_results
    text = _("once play is open")
    if not evening.is_planned:
        words = _("%(entered)s of %(expected)s results are in")
        text = words % {"entered": expected - missing, "expected": expected}
    is_done = evening.is_closed or (bool(expected) and not missing)
    return _Told(is_done, _("Scores"), text, "scores", _("Enter scores"))


def _closing(evening: StepContext) -> _Told:
    text = _("the hands are shown") if evening.is_closed else _("so that the hands are shown")
    return _Told(evening.is_closed, _("Close"), text, "", _("Close the session"))


_STEPS: dict[str, Callable[[StepContext], _Told]] = {
    "entries": _entries,
    "movement": _movement,
    "seats": _seats,
    "deals": _boards,
    "papers": _papers,
    "phones": _phones,
    "open": _opening,
    "scores": _scores,
    "close": _closing,
}
