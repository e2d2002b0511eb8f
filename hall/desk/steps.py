"""The director's steps through an event: each is done, current or later, and has a text."""

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


class StepState(StrEnum):
    """The state of a step: done, current or later."""

    DONE = "done"
    NOW = "now"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class DeskStep:
    """One step of an event on the director's desk, with its text and link."""

    key: str
    title: str
    state: StepState
    text: str
    url: str
    action: str


@dataclass(frozen=True, slots=True)
class StepContext:
    """The event data from which the steps are computed."""

    visit: Visit
    session: Session
    seated: SessionSnapshot
    has_unknown_needs: bool
    """Whether some players have not said yet if they need a stationary place."""
    missing_board_count: int
    """The number of boards that the movement needs and that have no deal yet."""

    @property
    def event(self) -> Event:
        """The event whose steps are computed."""
        return self.visit.event

    @property
    def is_planned(self) -> bool:
        """Whether the session has not been opened yet."""
        return self.session.state == Session.State.PLANNED

    @property
    def is_closed(self) -> bool:
        """Whether the session is closed."""
        return self.session.state == Session.State.CLOSED


@dataclass(frozen=True, slots=True)
class _StepContent:
    """The content of a step: whether it is done, its text, its page and its button."""

    is_done: bool
    title: str
    text: str
    view: str
    action: str


OPTIONAL_STEPS = ("phones",)
"""The keys of the steps that an event can do without."""


def build_steps(evening: StepContext) -> list[DeskStep]:
    """Return all steps in order; the current one is the first required step not yet done."""
    steps: list[DeskStep] = []
    is_found = False
    for key, tell in _STEP_BUILDERS.items():
        told = tell(evening)
        state = StepState.DONE if told.is_done else StepState.LATER
        if state is StepState.LATER and not is_found and key not in OPTIONAL_STEPS:
            state, is_found = StepState.NOW, True
        url = reverse(told.view, args=[evening.visit.address]) if told.view else ""
        steps.append(DeskStep(key, told.title, state, told.text, url, told.action))
    return steps


def _build_entries_step(evening: StepContext) -> _StepContent:
    event = evening.event
    words, entries = entry_words_for(event), event.entries.count()
    return _StepContent(
        entries >= MIN_ENTRIES[Event.Contest(event.contest)],
        words.many,
        format_entry_count(event, entries),
        "entries",
        words.enter,
    )


def _build_movement_step(evening: StepContext) -> _StepContent:
    seated = evening.seated
    if not seated.sections and find_knockout(evening.event):
        text = _("bracket ready: seat the matches or enter the winners")
        return _StepContent(
            bool(seated.tables), _("Knock-out"), text, "bracket_desk", _("Open knock-out")
        )
    return _StepContent(
        bool(seated.tables),
        _("Movement"),
        _format_movement(evening),
        "movement",
        _("Choose movement"),
    )


def _format_movement(evening: StepContext) -> str:
    sections, boards = evening.seated.sections, evening.session.boards_a_round
    if not sections:
        return _("not chosen yet")
    if len(sections) > 1:
        return format_section_count(len(sections), boards)
    [section] = sections
    return format_size(section.tables, section.rounds_planned, boards)


def _build_seats_step(evening: StepContext) -> _StepContent:
    tables = evening.seated.tables
    unmet = _list_unmet_needs(evening) if tables and evening.is_planned else []
    is_open = evening.is_planned and (evening.has_unknown_needs or bool(unmet))
    return _StepContent(
        bool(tables) and not is_open,
        _("Seats"),
        _format_seats(evening, unmet),
        "seats" if evening.seated.sections else "",
        _("Check seats"),
    )


def _format_seats(evening: StepContext, unmet: list[Entry]) -> str:
    if not evening.seated.tables:
        return _("not drawn yet")
    if unmet:
        names = ", ".join(str(entry) for entry in unmet)
        return _("needs a stationary place: %(names)s") % {"names": names}
    if evening.has_unknown_needs:
        return _("enter who needs a stationary place")
    if not evening.is_planned:
        return _("all seated")
    return _("all seated")


def _list_unmet_needs(evening: StepContext) -> list[Entry]:
    """Return the entries that need a stationary place but have a moving one."""
    seated = evening.seated
    wishing = any(place.entry and place.entry.stays_seated for place in seated.places)
    sections = seated.sections if wishing else []
    return [
        entry for each in sections for entry in tournaments.services.list_unmet_wishes(each)
    ]


def _build_boards_step(evening: StepContext) -> _StepContent:
    session, short = evening.session, evening.missing_board_count
    is_decided = session.deals != Session.Deals.UNDECIDED and not short
    text, action = str(session.get_deals_display()), _("Set up boards")
    if short:
        words = ngettext(
            "%(count)s more board needed",
            "%(count)s more boards needed",
            short,
        )
        text, action = words % {"count": short}, _("Deal more boards")
    return _StepContent(
        not evening.is_planned or is_decided, _("Boards"), text, "deals", action
    )


def _build_papers_step(evening: StepContext) -> _StepContent:
    is_ordered = Paper.objects.filter(session=evening.session).exists()
    return _StepContent(
        is_ordered or not evening.is_planned,
        _("Papers"),
        _format_papers(evening),
        "papers",
        _("Print papers"),
    )


def _format_papers(evening: StepContext) -> str:
    """Return a text about the papers; it warns if printed papers show old seats or names."""
    if evening.is_closed:
        return _("standings, recap and hand records")
    old = list_outdated_kinds(evening.session)
    if not old:
        return _("not printed")
    titles = ", ".join(get_title(kind) for kind in old)
    return _("print again: %(papers)s") % {"papers": titles}


def _build_phones_step(evening: StepContext) -> _StepContent:
    links = TableLink.objects.filter(
        evening=evening.session.evening_id, revoked_at__isnull=True
    )
    linked = links.count()
    tables = sum(each.tables for each in evening.seated.sections)
    return _StepContent(
        bool(linked) or not evening.is_planned,
        _("Phone scoring"),
        _format_phones(linked, tables),
        "tables",
        _("Set up phones"),
    )


def _format_phones(linked: int, tables: int) -> str:
    if not linked:
        return _("not used")
    if linked >= tables:
        return _("QR codes for all tables")
    told = ngettext(
        "QR codes: %(linked)s of %(tables)s table",
        "QR codes: %(linked)s of %(tables)s tables",
        tables,
    )
    return told % {"linked": linked, "tables": tables}


def _build_opening_step(evening: StepContext) -> _StepContent:
    text = _("not started")
    if not evening.is_planned:
        text = _("finished") if evening.is_closed else _("in play")
    return _StepContent(
        not evening.is_planned, _("Start session"), text, "", _("Start session")
    )


def _build_scores_step(evening: StepContext) -> _StepContent:
    expected, missing = evening.seated.expected_results, evening.seated.missing_results
    text = _("after the start")
    if not evening.is_planned:
        words = _("%(entered)s / %(expected)s in")
        text = words % {"entered": expected - missing, "expected": expected}
    is_done = evening.is_closed or (bool(expected) and not missing)
    return _StepContent(is_done, _("Scores"), text, "scores", _("Enter scores"))


def _build_closing_step(evening: StepContext) -> _StepContent:
    text = _("hands shown") if evening.is_closed else _("final results, hands shown")
    return _StepContent(evening.is_closed, _("Close session"), text, "", _("Close session"))


_STEP_BUILDERS: dict[str, Callable[[StepContext], _StepContent]] = {
    "entries": _build_entries_step,
    "movement": _build_movement_step,
    "seats": _build_seats_step,
    "deals": _build_boards_step,
    "papers": _build_papers_step,
    "phones": _build_phones_step,
    "open": _build_opening_step,
    "scores": _build_scores_step,
    "close": _build_closing_step,
}
