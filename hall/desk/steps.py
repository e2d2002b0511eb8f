"""The director's steps through an event, each with its state and a short text."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import tournaments.services
from boards.models import BoardSet
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
    """The state of a step; an optional step that play went past is skipped, not done."""

    DONE = "done"
    NOW = "now"
    LATER = "later"
    SKIPPED = "skipped"


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
    snapshot: SessionSnapshot
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


OPTIONAL_STEPS = ("papers", "phones")
"""The keys of the steps that an event can do without."""


def build_steps(evening: StepContext) -> list[DeskStep]:
    """Return all steps in order; the current one is the first required step not yet done."""
    steps: list[DeskStep] = []
    for key, build in _STEP_BUILDERS.items():
        content = build(evening)
        state = _find_state(evening, key, content)
        if state is StepState.NOW and any(step.state is StepState.NOW for step in steps):
            state = StepState.LATER
        url = reverse(content.view, args=[evening.visit.address]) if content.view else ""
        steps.append(DeskStep(key, content.title, state, content.text, url, content.action))
    return steps


def _find_state(evening: StepContext, key: str, content: _StepContent) -> StepState:
    """Return the state of a step as if all earlier steps were done."""
    if content.is_done:
        return StepState.DONE
    if key in OPTIONAL_STEPS and not evening.is_planned:
        return StepState.SKIPPED
    return StepState.LATER if key == "phones" else StepState.NOW


def _build_entries_step(evening: StepContext) -> _StepContent:
    event = evening.event
    words_of_contest, entries = entry_words_for(event), event.entries.count()
    return _StepContent(
        entries >= MIN_ENTRIES[Event.Contest(event.contest)],
        words_of_contest.many,
        format_entry_count(event, entries),
        "entries",
        words_of_contest.enter,
    )


def _build_movement_step(evening: StepContext) -> _StepContent:
    snapshot = evening.snapshot
    if not snapshot.sections and find_knockout(evening.event):
        text = _("bracket ready: seat the matches or enter the winners")
        return _StepContent(
            bool(snapshot.tables), _("Knock-out"), text, "bracket_desk", _("Open knock-out")
        )
    return _StepContent(
        bool(snapshot.tables),
        _("Movement"),
        _format_movement(evening),
        "movement",
        _("Choose movement"),
    )


def _format_movement(evening: StepContext) -> str:
    sections, boards = evening.snapshot.sections, evening.session.boards_a_round
    if not sections:
        return _("not chosen yet")
    if len(sections) > 1:
        return format_section_count(len(sections), boards)
    [section] = sections
    return format_size(section.tables, section.rounds_planned, boards)


def _build_seats_step(evening: StepContext) -> _StepContent:
    tables = evening.snapshot.tables
    unmet_needs = _list_unmet_needs(evening) if tables and evening.is_planned else []
    is_open = evening.is_planned and (evening.has_unknown_needs or bool(unmet_needs))
    return _StepContent(
        bool(tables) and not is_open,
        _("Seats"),
        _format_seats(evening, unmet_needs),
        "seats" if evening.snapshot.sections else "",
        _("Check seats"),
    )


def _format_seats(evening: StepContext, unmet_needs: list[Entry]) -> str:
    if not evening.snapshot.tables:
        return _("not drawn yet")
    if unmet_needs:
        names = ", ".join(str(entry) for entry in unmet_needs)
        return _("needs a stationary place: %(names)s") % {"names": names}
    if evening.has_unknown_needs:
        return _("enter who needs a stationary place")
    if not evening.is_planned:
        return _("all seated")
    return _("all seated")


def _list_unmet_needs(evening: StepContext) -> list[Entry]:
    """Return the entries that need a stationary place but have a moving one."""
    snapshot = evening.snapshot
    has_wishes = any(place.entry and place.entry.stays_seated for place in snapshot.places)
    sections = snapshot.sections if has_wishes else []
    return [
        entry
        for section in sections
        for entry in tournaments.services.list_unmet_wishes(section)
    ]


def _build_boards_step(evening: StepContext) -> _StepContent:
    session, short = evening.session, evening.missing_board_count
    is_decided = session.deals != Session.Deals.UNDECIDED and not short
    text, action = _format_boards(evening), _("Set up boards")
    if short:
        caption = ngettext(
            "%(count)s more board needed",
            "%(count)s more boards needed",
            short,
        )
        text, action = caption % {"count": short}, _("Deal more boards")
    return _StepContent(
        not evening.is_planned or is_decided, _("Boards"), text, "deals", action
    )


def _format_boards(evening: StepContext) -> str:
    """Return the number of boards and how they were dealt."""
    session = evening.session
    if session.deals == Session.Deals.UNDECIDED and evening.is_planned:
        return _("not decided")
    text = _("%(count)s, hand-shuffled")
    if session.deals == Session.Deals.RECORDED and session.board_set:
        text = {
            BoardSet.Source.GENERATED: _("%(count)s, computer-dealt"),
            BoardSet.Source.TYPED: _("%(count)s, hands entered"),
            BoardSet.Source.IMPORTED: _("%(count)s, imported"),
        }[BoardSet.Source(session.board_set.source)]
    return text % {"count": len(evening.snapshot.boards)}


def _build_papers_step(evening: StepContext) -> _StepContent:
    is_ordered = Paper.objects.filter(session=evening.session).exists()
    return _StepContent(
        is_ordered,
        _("Papers"),
        _format_papers(evening, is_ordered=is_ordered),
        "papers",
        _("Print papers"),
    )


def _format_papers(evening: StepContext, *, is_ordered: bool) -> str:
    """Return a text about the papers; it warns if printed papers show old seats or names."""
    if evening.is_closed:
        return _("standings, recap and hand records")
    old = list_outdated_kinds(evening.session)
    if not old:
        return _("printed") if is_ordered else _("not printed")
    titles = ", ".join(get_title(kind) for kind in old)
    return _("print again: %(papers)s") % {"papers": titles}


def _build_phones_step(evening: StepContext) -> _StepContent:
    links = TableLink.objects.filter(
        evening=evening.session.evening_id, revoked_at__isnull=True
    )
    link_count = links.count()
    tables = sum(section.tables for section in evening.snapshot.sections)
    return _StepContent(
        bool(link_count),
        _("Phone scoring"),
        _format_phones(link_count, tables),
        "tables",
        _("Set up phones"),
    )


def _format_phones(linked: int, tables: int) -> str:
    if not linked:
        return _("not used")
    if linked >= tables:
        return _("QR codes for all tables")
    text = ngettext(
        "QR codes: %(linked)s of %(tables)s table",
        "QR codes: %(linked)s of %(tables)s tables",
        tables,
    )
    return text % {"linked": linked, "tables": tables}


def _build_opening_step(evening: StepContext) -> _StepContent:
    text = _("not started")
    if not evening.is_planned:
        text = _("finished") if evening.is_closed else _("in play")
    return _StepContent(
        not evening.is_planned, _("Start session"), text, "", _("Start session")
    )


def _build_scores_step(evening: StepContext) -> _StepContent:
    expected, missing = (
        evening.snapshot.expected_result_count,
        evening.snapshot.missing_result_count,
    )
    text = _("after the start") if evening.is_planned else ""  # the progress bar shows them
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
