"""Page on which a director changes the seating during play, or undoes such a change."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

import scoring.services
from boards.whist import WhistError
from clubs.audit import describe_author
from clubs.views.error_messages import show_errors_as_messages
from scoring import page_loaders
from scoring.papers import get_paper_kind_title
from scoring.papers.outdated_papers import list_papers_with_old_seats
from scoring.sheets.change_notice import build_change_announcement
from scoring.views.change_forms import (
    CHANGE_FORMS_BY_KIND,
    SeatingChangeForm,
    SectionChoices,
    load_section_choices,
)
from tournaments.event_access import EventAccess
from tournaments.models import SeatingChange, Section, Session
from tournaments.movements import Contest, Movement
from tournaments.movements.changes import find_seat_change_obstacle, list_continuations
from tournaments.seating_snapshot import load_movement_with_withdrawals
from tournaments.sheets.continuations.incident_words import describe_incident
from tournaments.sheets.continuations.titles import format_continuation_title
from tournaments.sheets.continuations.ways import ContinuationSheet, build_continuation_sheet

LATE_KIND = "late"
FIRST_LISTED_KINDS = (LATE_KIND, "left")  # the most frequent incidents are listed first


@require_http_methods(["GET", "POST"])
def change_seating(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the forms for incidents, and the ways to continue after the submitted incident.

    A POST with a chosen way changes the seating.
    """
    access = page_loaders.load_director_event(request, slug)
    session = page_loaders.load_session(access)
    section = _find_section(session, request)
    if section is None or _explain_change_lock(session, section):
        return _render_page(request, access, section, {})
    section_choices = load_section_choices(section)
    form = _bind_form(request, section_choices)
    problems: list[str] = []
    continuations: list[ContinuationSheet] = []
    try:
        if form is not None and form.is_valid():
            if request.method == "POST" and "way" in request.POST:
                _apply_continuation(request, section, form)
                return redirect("changes", slug)
            continuations = list_continuation_sheets(
                section, form, load_movement_with_withdrawals(section)
            )
    except WhistError as error:
        problems = str(error).splitlines()
    continuations_context = (
        _build_continuations_context(section, form, continuations)
        if form is not None and continuations
        else {}
    )
    continuations_context["forms"] = _list_forms(section, section_choices, form)
    has_errors = bool(problems) or (form is not None and not form.is_valid())
    return _render_page(
        request,
        access,
        section,
        continuations_context,
        problems=problems,
        has_errors=has_errors,
    )


@require_POST
def undo_seating_change(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Undo a change."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    change = get_object_or_404(SeatingChange, pk=pk, session__event=event)
    with show_errors_as_messages(request):
        scoring.services.undo_change(change=change, by=request.user)
        placeholders = {"what": describe_incident(change.what)}
        messages.success(request, _("Undone: %(what)s") % placeholders)
    return redirect("changes", slug)


def _find_section(session: Session, request: HttpRequest) -> Section | None:
    section_letter = request.POST.get("section") or request.GET.get("section") or ""
    sections = list(session.sections.select_related("session__event__club"))
    if not section_letter and request.GET.get("kind") == LATE_KIND and len(sections) > 1:
        section_letter = _find_section_for_late_entry(sections)
    return next(
        (section for section in sections if section.letter == section_letter), None
    ) or next(iter(sections), None)


def _find_section_for_late_entry(sections: Sequence[Section]) -> str:
    """Return the letter of the section for a late entry: one with a half table, else the first.

    In a section with a half table, the late entry fills the empty place.
    """
    letters_with_empty_place = _list_letters_with_empty_place(sections)
    return letters_with_empty_place[0] if letters_with_empty_place else sections[0].letter


def _list_letters_with_empty_place(sections: Sequence[Section]) -> list[str]:
    """Return the letters of sections with an empty place."""
    sections_with_empty_place = Section.objects.filter(
        pk__in=[section.pk for section in sections], places__entry=None
    )
    return list(
        sections_with_empty_place.order_by("letter").values_list("letter", flat=True).distinct()
    )


def _bind_form(
    request: HttpRequest, section_choices: SectionChoices
) -> SeatingChangeForm | None:
    """Return the submitted form, from the query string or from the body of a POST."""
    form_data = request.POST if request.method == "POST" else request.GET
    change_kind = form_data.get("kind", "")
    return (
        CHANGE_FORMS_BY_KIND[change_kind](
            form_data, section_choices=section_choices, auto_id=f"{change_kind}_%s"
        )
        if change_kind in CHANGE_FORMS_BY_KIND
        else None
    )


def find_last_played_round(section: Section, form: SeatingChangeForm) -> int:
    """Return the last round played: the one in the form, or a later one with scores."""
    return max(form.get_rounds_played(), scoring.services.find_last_scored_round(section))


def list_continuation_sheets(
    section: Section, form: SeatingChangeForm, previous_movement: Movement
) -> list[ContinuationSheet]:
    """Return the ways to continue after the incident in the form.

    `previous_movement` is the movement before the incident.
    """
    last_played_round = find_last_played_round(section, form)
    session = section.session
    return [
        build_continuation_sheet(
            continuation,
            previous_movement,
            last_played_round,
            boards_a_round=session.boards_a_round,
            board_set=session.board_set,
            entry_names_by_place=form.section_choices.entry_names_by_place,
            section_letter=form.section_choices.section_letter,
        )
        for continuation in list_continuations(
            previous_movement, last_played_round, form.build_change()
        )
    ]


def _apply_continuation(
    request: HttpRequest, section: Section, form: SeatingChangeForm
) -> None:
    scoring.services.apply_seating_change(
        section=section,
        rounds_played=find_last_played_round(section, form),
        incident=form.build_change(),
        continuation_key=request.POST["way"],
        incident_data=form.build_stored_incident_data(),
        names=form.get_player_names(),
        by=request.user,
    )
    messages.success(request, _("Changed: %(what)s") % {"what": form.format_incident()})


def _build_continuations_context(
    section: Section, form: SeatingChangeForm, continuations: list[ContinuationSheet]
) -> dict[str, object]:
    """Return the template context of the ways to continue, and the form values to resubmit."""
    return {
        "ways": continuations,
        "what": form.format_incident(),
        "played": find_last_played_round(section, form),
        "sent": [(name, str(form.data.get(name, ""))) for name in ("kind", *form.fields)],
    }


def _render_page(
    request: HttpRequest,
    access: EventAccess,
    section: Section | None,
    continuations_context: dict[str, object],
    *,
    problems: Sequence[str] = (),
    has_errors: bool = False,
) -> HttpResponse:
    session = page_loaders.load_session(access)
    changes = list(session.changes.all()[:40])
    is_open = section is not None and session.state == Session.State.OPEN
    pks_of_changes_in_force = [
        seating_change.pk for seating_change in changes if seating_change.undone_at is None
    ]
    sections = list(session.sections.select_related("session__event__club"))
    is_section_choice_shown = len(sections) > 1 and "forms" in continuations_context
    context = access.context | {
        "section": section,
        "sections": sections,
        "late": LATE_KIND,
        "late_to": _find_section_for_late_entry(sections) if is_section_choice_shown else "",
        "with_room": _list_letters_with_empty_place(sections)
        if is_section_choice_shown
        else [],
        "problems": problems,
        "locked_text": _explain_change_lock(session, section),
        "changes": [
            (seating_change, *_describe_change(seating_change)) for seating_change in changes
        ],
        "undoable": pks_of_changes_in_force[0] if pks_of_changes_in_force and is_open else None,
        **(
            _build_announcement_context(changes)
            if is_open and "ways" not in continuations_context
            else {}
        ),
        **continuations_context,
    }
    return render(request, "scoring/changes.html", context, status=400 if has_errors else 200)


def _explain_change_lock(session: Session, section: Section | None) -> str:
    """Return why the seating cannot be changed here now, and which page to use; "" if it can
    be changed.
    """
    if section is not None and session.state == Session.State.OPEN:
        return find_seat_change_obstacle(Contest(session.event.contest), section.movement)
    if session.state == Session.State.CLOSED:
        return _("The session is closed. To change it, reopen it under Results, Close session.")
    return _(
        "You can fix problems only while the session is in play. "
        "Before play, choose the movement again."
    )


def _describe_change(change: SeatingChange) -> tuple[str, str, str]:
    """Return the incident, the chosen way to continue, and the author, each as text."""
    return (
        describe_incident(change.what),
        format_continuation_title(change.way),
        describe_author(change.by),
    )


def _build_announcement_context(changes: Sequence[SeatingChange]) -> dict[str, object]:
    """Return the template context that announces the last change that was not undone.

    It also lists the papers that must be printed again after this change.
    """
    change = next(
        (seating_change for seating_change in changes if seating_change.undone_at is None), None
    )
    if change is None:
        return {}
    section = change.session.sections.select_related("session__event").get(
        letter=change.after["letter"]
    )
    announcement = build_change_announcement(
        change, section, scoring.services.find_last_scored_round(section)
    )
    papers = [
        (paper.kind, get_paper_kind_title(paper.kind), paper.size)
        for paper in list_papers_with_old_seats(change)
    ]
    incident_text = describe_incident(change.what)
    return {
        "shout": announcement,
        "shout_about": incident_text,
        "old_papers": papers if announcement else [],
    }


def _list_forms(
    section: Section, section_choices: SectionChoices, bound_form: SeatingChangeForm | None
) -> list[tuple[str, SeatingChangeForm]]:
    """Return (kind, form) for each kind of change; late arrivals and departures come first.

    The submitted form replaces the empty form of its kind.
    """
    last_scored_round = max(scoring.services.find_last_scored_round(section), 1)
    initial_values = {
        "first": last_scored_round,
        "last": last_scored_round,
        "round": last_scored_round,
        "from_round": min(last_scored_round + 1, section.planned_round_count),
    }
    return [
        (change_kind, bound_form)
        if bound_form is not None and type(bound_form) is form_class
        else (
            change_kind,
            form_class(
                section_choices=section_choices,
                initial=initial_values,
                auto_id=f"{change_kind}_%s",
            ),
        )
        for change_kind, form_class in sorted(
            CHANGE_FORMS_BY_KIND.items(),
            key=lambda kind_and_form_class: kind_and_form_class[0] not in FIRST_LISTED_KINDS,
        )
    ]
