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
from scoring.papers import get_paper_kind_title
from scoring.papers.outdated_papers import list_outdated_kinds
from scoring.session_snapshot import SessionSnapshot
from scoring.standings_engine.knockouts import find_knockout
from tournaments.entry_words import MIN_ENTRIES, format_entry_count, get_entry_texts
from tournaments.event_access import EventAccess
from tournaments.models import Entry, Event, Session
from tournaments.movements.formatting import format_movement_counts, format_section_count


class StepState(StrEnum):
    """The state of a step. If play starts without an optional step, that step is skipped."""

    DONE = "done"
    CURRENT = "now"
    UPCOMING = "later"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class DeskStep:
    """One step of an event on the director's desk, with its text and link."""

    step_key: str
    title: str
    state: StepState
    text: str
    url: str
    button_label: str


@dataclass(frozen=True, slots=True)
class StepContext:
    """The event data from which the steps are computed."""

    access: EventAccess
    session: Session
    snapshot: SessionSnapshot
    has_unknown_seating_needs: bool
    """Whether some players have not said yet if they need a stationary place."""
    missing_board_count: int
    """The number of boards that the movement needs and that have no deal yet."""

    @property
    def event(self) -> Event:
        """The event whose steps are computed."""
        return self.access.event

    @property
    def is_planned(self) -> bool:
        """Whether the session has not been opened yet."""
        return self.session.state == Session.State.PLANNED

    @property
    def is_closed(self) -> bool:
        """Whether the session is closed."""
        return self.session.state == Session.State.CLOSED


@dataclass(frozen=True, slots=True)
class StepContent:
    """The content of a step before its state is computed."""

    is_done: bool
    title: str
    text: str
    url_name: str  # the URL name of the page for the step; "" without one
    button_label: str  # the label of the button


OPTIONAL_STEPS = ("papers", "phones")
"""The keys of the steps that an event can do without."""


def build_steps(step_context: StepContext) -> list[DeskStep]:
    """Return all steps in order; the current one is the first required step not yet done."""
    steps: list[DeskStep] = []
    for step_key, build_content in _STEP_BUILDERS.items():
        step_content = build_content(step_context)
        step_state = _find_step_state(step_context, step_key, step_content)
        if step_state is StepState.CURRENT and any(
            step.state is StepState.CURRENT for step in steps
        ):
            step_state = StepState.UPCOMING
        url = (
            reverse(step_content.url_name, args=[step_context.access.address])
            if step_content.url_name
            else ""
        )
        steps.append(
            DeskStep(
                step_key,
                step_content.title,
                step_state,
                step_content.text,
                url,
                step_content.button_label,
            )
        )
    return steps


def _find_step_state(
    step_context: StepContext, step_key: str, step_content: StepContent
) -> StepState:
    """Return the state of a step as if all earlier steps were done."""
    if step_content.is_done:
        return StepState.DONE
    if step_key in OPTIONAL_STEPS and not step_context.is_planned:
        return StepState.SKIPPED
    return StepState.UPCOMING if step_key == "phones" else StepState.CURRENT


def _build_entries_step(step_context: StepContext) -> StepContent:
    event = step_context.event
    entry_texts, entry_count = get_entry_texts(event), event.entries.count()
    return StepContent(
        entry_count >= MIN_ENTRIES[Event.Contest(event.contest)],
        entry_texts.plural,
        format_entry_count(event, entry_count),
        "entries",
        entry_texts.enter_title,
    )


def _build_movement_step(step_context: StepContext) -> StepContent:
    snapshot = step_context.snapshot
    if not snapshot.sections and find_knockout(step_context.event):
        text = _("bracket ready: seat the matches or enter the winners")
        return StepContent(
            bool(snapshot.tables), _("Knock-out"), text, "bracket_desk", _("Open knock-out")
        )
    return StepContent(
        bool(snapshot.tables),
        _("Movement"),
        _format_movement(step_context),
        "movement",
        _("Choose movement"),
    )


def _format_movement(step_context: StepContext) -> str:
    sections, boards_per_round = (
        step_context.snapshot.sections,
        step_context.session.boards_a_round,
    )
    if not sections:
        return _("not chosen yet")
    if len(sections) > 1:
        return format_section_count(len(sections), boards_per_round)
    [section] = sections
    return format_movement_counts(section.tables, section.planned_round_count, boards_per_round)


def _build_seats_step(step_context: StepContext) -> StepContent:
    tables = step_context.snapshot.tables
    misplaced_stationary_entries = (
        _list_misplaced_stationary_entries(step_context)
        if tables and step_context.is_planned
        else []
    )
    is_open = step_context.is_planned and (
        step_context.has_unknown_seating_needs or bool(misplaced_stationary_entries)
    )
    return StepContent(
        bool(tables) and not is_open,
        _("Seats"),
        _format_seats(step_context, misplaced_stationary_entries),
        "seats" if step_context.snapshot.sections else "",
        _("Check seats"),
    )


def _format_seats(step_context: StepContext, misplaced_stationary_entries: list[Entry]) -> str:
    if not step_context.snapshot.tables:
        return _("not drawn yet")
    if misplaced_stationary_entries:
        entry_names = ", ".join(str(entry) for entry in misplaced_stationary_entries)
        return _("needs a stationary place: %(names)s") % {"names": entry_names}
    if step_context.has_unknown_seating_needs:
        return _("enter who needs a stationary place")
    if not step_context.is_planned:
        return _("all seated")
    return _("all seated")


def _list_misplaced_stationary_entries(step_context: StepContext) -> list[Entry]:
    """Return the entries that need a stationary place but have a moving one."""
    snapshot = step_context.snapshot
    has_stationary_entries = any(
        place.entry and place.entry.stays_seated for place in snapshot.places
    )
    sections = snapshot.sections if has_stationary_entries else []
    return [
        entry
        for section in sections
        for entry in tournaments.services.list_entries_with_unmet_needs(section)
    ]


def _build_boards_step(step_context: StepContext) -> StepContent:
    session, missing_board_count = step_context.session, step_context.missing_board_count
    are_boards_ready = session.deals != Session.DealsState.UNDECIDED and not missing_board_count
    boards_text, button_label = _format_boards(step_context), _("Set up boards")
    if missing_board_count:
        message = ngettext(
            "%(count)s more board needed",
            "%(count)s more boards needed",
            missing_board_count,
        )
        boards_text, button_label = (
            message % {"count": missing_board_count},
            _("Deal more boards"),
        )
    return StepContent(
        not step_context.is_planned or are_boards_ready,
        _("Boards"),
        boards_text,
        "deals",
        button_label,
    )


def _format_boards(step_context: StepContext) -> str:
    """Return the number of boards and how they were dealt."""
    session = step_context.session
    if session.deals == Session.DealsState.UNDECIDED and step_context.is_planned:
        return _("not decided")
    text = _("%(count)s, hand-shuffled")
    if session.deals == Session.DealsState.RECORDED and session.board_set:
        text = {
            BoardSet.Source.GENERATED: _("%(count)s, computer-dealt"),
            BoardSet.Source.TYPED: _("%(count)s, hands entered"),
            BoardSet.Source.IMPORTED: _("%(count)s, imported"),
        }[BoardSet.Source(session.board_set.source)]
    return text % {"count": len(step_context.snapshot.boards)}


def _build_papers_step(step_context: StepContext) -> StepContent:
    are_papers_ordered = Paper.objects.filter(session=step_context.session).exists()
    return StepContent(
        are_papers_ordered,
        _("Papers"),
        _format_papers(step_context, are_papers_ordered=are_papers_ordered),
        "papers",
        _("Print papers"),
    )


def _format_papers(step_context: StepContext, *, are_papers_ordered: bool) -> str:
    """Return a text about the papers; it warns if printed papers show old seats or names."""
    if step_context.is_closed:
        return _("standings, recap and hand records")
    outdated_paper_kinds = list_outdated_kinds(step_context.session)
    if not outdated_paper_kinds:
        return _("printed") if are_papers_ordered else _("not printed")
    paper_titles = ", ".join(
        get_paper_kind_title(paper_kind) for paper_kind in outdated_paper_kinds
    )
    return _("print again: %(papers)s") % {"papers": paper_titles}


def _build_phones_step(step_context: StepContext) -> StepContent:
    table_links = TableLink.objects.filter(
        evening=step_context.session.evening_id, revoked_at__isnull=True
    )
    link_count = table_links.count()
    table_count = sum(section.tables for section in step_context.snapshot.sections)
    return StepContent(
        bool(link_count),
        _("Phone scoring"),
        _format_phone_scoring(link_count, table_count),
        "tables",
        _("Set up phones"),
    )


def _format_phone_scoring(link_count: int, table_count: int) -> str:
    if not link_count:
        return _("not used")
    if link_count >= table_count:
        return _("QR codes for all tables")
    text = ngettext(
        "QR codes: %(linked)s of %(tables)s table",
        "QR codes: %(linked)s of %(tables)s tables",
        table_count,
    )
    return text % {"linked": link_count, "tables": table_count}


def _build_opening_step(step_context: StepContext) -> StepContent:
    text = _("not started")
    if not step_context.is_planned:
        text = _("finished") if step_context.is_closed else _("in play")
    return StepContent(
        not step_context.is_planned, _("Start session"), text, "", _("Start session")
    )


def _build_scores_step(step_context: StepContext) -> StepContent:
    expected_count, missing_count = (
        step_context.snapshot.expected_result_count,
        step_context.snapshot.missing_result_count,
    )
    # no text after the start, because the progress bar shows how many results are in
    text = _("after the start") if step_context.is_planned else ""
    is_done = step_context.is_closed or (bool(expected_count) and not missing_count)
    return StepContent(is_done, _("Scores"), text, "scores", _("Enter scores"))


def _build_closing_step(step_context: StepContext) -> StepContent:
    text = _("hands shown") if step_context.is_closed else _("final results, hands shown")
    return StepContent(step_context.is_closed, _("Close session"), text, "", _("Close session"))


_STEP_BUILDERS: dict[str, Callable[[StepContext], StepContent]] = {
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
