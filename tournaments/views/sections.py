"""The page that divides a large field into sections, and chooses their movements."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from boards.whist import WhistError
from tournaments import event_access, services
from tournaments.entry_words import MIN_ENTRIES, format_entry_count, get_entry_texts
from tournaments.event_access import EventAccess
from tournaments.forms import MovementForm, find_first_error
from tournaments.models import Entry, Event, Session
from tournaments.movements import (
    SizeUnit,
    Suggestion,
    UnplayableMovement,
    build_named_movement,
    list_suggestions_for_limits,
)
from tournaments.movements.advice.proposals import divide_into_section_sizes
from tournaments.services.sections import DIVIDE_IN_BLOCKS, DIVIDE_IN_TURN, SECTION_LETTERS
from tournaments.sheets.advice import UNIT_BY_CONTEST
from tournaments.sheets.options import drop_duplicate_suggestions, format_title_with_rounds
from tournaments.views.limits import load_section_limits
from tournaments.views.movement import SEPARATELY_STORED_OPTIONS

Contest = Event.Contest


class DivisionForm(forms.Form):
    """The form for the number, sizes and rounds of the sections."""

    sections = forms.IntegerField(
        label=gettext_lazy("Sections"), min_value=2, max_value=len(SECTION_LETTERS), initial=2
    )
    how = forms.ChoiceField(
        label=gettext_lazy("Fill sections"),
        choices=[
            (DIVIDE_IN_BLOCKS, gettext_lazy("in order: first in A, next in B")),
            (DIVIDE_IN_TURN, gettext_lazy("alternately: 1 in A, 2 in B, …")),
        ],
        initial=DIVIDE_IN_BLOCKS,
    )
    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"), min_value=1, max_value=120, required=False
    )
    sizes = forms.RegexField(
        r"\A[0-9]{1,3}(,[0-9]{1,3}){1,9}\Z", required=False, widget=forms.HiddenInput
    )

    def clean_sizes(self) -> tuple[int, ...]:
        """Return the sizes of the sections; an empty field means nearly equal sizes."""
        sizes_text = self.cleaned_data["sizes"]
        return (
            tuple(int(size_text) for size_text in sizes_text.split(",")) if sizes_text else ()
        )


@dataclass(frozen=True, slots=True)
class MovementChoice:
    """A movement that the page offers for a section."""

    name: str
    options: str  # the movement's build options as JSON
    title: str
    rounds: int


@dataclass(frozen=True, slots=True)
class SectionChoice:
    """One planned section with its entries and the movements offered for it."""

    section_letter: str
    entries: tuple[Entry, ...]
    entry_count_text: str
    options: tuple[MovementChoice, ...]
    refusal: str
    rounds: int = 0  # the number of rounds of the chosen option

    @property
    def chosen_option(self) -> MovementChoice | None:
        """The first option with the chosen number of rounds.

        If there is none, the first option.
        """
        fitting_options = (
            movement_choice
            for movement_choice in self.options
            if movement_choice.rounds == self.rounds
        )
        return next(fitting_options, next(iter(self.options), None))


@dataclass(frozen=True, slots=True)
class DivisionPlan:
    """A division of a field into sections that all play the same number of rounds and boards.

    `round_count` is 0 if there is no number of rounds that all sections can play.
    """

    section_sizes: tuple[int, ...]
    limits: dict[str, Any]
    round_count: int
    boards_a_round: int
    is_ranked_across_sections: bool = False


@require_http_methods(["GET", "POST"])
def show_or_seat_sections(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer a division of the field (GET), or seat every section by its movement (POST)."""
    access = event_access.load_director_event(request, slug)
    event = access.event
    session = event_access.load_session(access)
    problems: list[str] = []
    if request.method == "POST":
        try:
            _seat_sections(request, session)
            return redirect("event_desk", slug)
        except WhistError as error:
            problems = str(error).splitlines()
    entries = list(event.entries.order_by("number"))
    form_data = request.POST if request.method == "POST" else request.GET
    form = DivisionForm({"sections": "2", "how": DIVIDE_IN_BLOCKS} | form_data.dict())
    plan = _find_division_plan(request, access, len(entries), form) if form.is_valid() else None
    choices = _build_section_choices(event, entries, form, plan) if plan else []
    context = access.context | {
        "words": get_entry_texts(event),
        "form": form,
        "choices": choices,
        "problems": problems,
        "boards_a_round": plan.boards_a_round if plan else 2,
        "sizes": ",".join(str(len(choice.entries)) for choice in choices),
        "across": plan is not None and plan.is_ranked_across_sections,
        "too_many": form.is_valid() and plan is None,
        "playable": bool(choices) and all(choice.options for choice in choices),
        "locked_text": ""
        if session.state == Session.State.PLANNED
        else _("The session has started, so the movement can’t change."),
    }
    return render(
        request, "tournaments/sections.html", context, status=400 if problems else 200
    )


def _find_division_plan(
    request: HttpRequest, access: EventAccess, entry_count: int, form: DivisionForm
) -> DivisionPlan | None:
    """Return a plan with rounds and boards a round that all sections can play."""
    section_count, round_count = form.cleaned_data["sections"], form.cleaned_data["rounds"]
    size_unit = UNIT_BY_CONTEST[Contest(access.event.contest)]
    limits = load_section_limits(request, access)
    if round_count:
        limits["rounds"] = round_count
    requested_sizes = form.cleaned_data["sizes"]
    has_fitting_sizes = (
        len(requested_sizes) == section_count
        and sum(requested_sizes) == entry_count
        and min(requested_sizes) > 0
    )
    section_sizes = (
        requested_sizes
        if has_fitting_sizes
        else divide_into_section_sizes(SizeUnit(size_unit), entry_count, section_count)
    )
    if min(section_sizes) < 1:
        return None
    try:
        best_suggestion = list_suggestions_for_limits(
            **{size_unit: entry_count}, sections=section_count, **limits
        )[0]
    except UnplayableMovement:
        return DivisionPlan(section_sizes, limits, round_count or 0, 2)
    return DivisionPlan(
        section_sizes,
        limits,
        best_suggestion.round_count,
        best_suggestion.boards_a_round,
        best_suggestion.has_same_boards,
    )


def _build_section_choices(
    event: Event, entries: Sequence[Entry], form: DivisionForm, plan: DivisionPlan
) -> list[SectionChoice]:
    method = form.cleaned_data["how"]
    entries_by_section = services.divide_entries(
        entries, len(plan.section_sizes), method, plan.section_sizes
    )
    choices_by_size = {
        entry_count: _list_movement_choices(event, entry_count, plan)
        for entry_count in {len(section_entries) for section_entries in entries_by_section}
    }
    return [
        SectionChoice(
            section_letter=section_letter,
            entries=tuple(section_entries),
            entry_count_text=format_entry_count(event, len(section_entries)),
            options=choices_by_size[len(section_entries)][0],
            refusal=choices_by_size[len(section_entries)][1],
            rounds=plan.round_count,
        )
        for section_letter, section_entries in zip(
            SECTION_LETTERS, entries_by_section, strict=False
        )
    ]


def _list_movement_choices(
    event: Event, entry_count: int, plan: DivisionPlan
) -> tuple[tuple[MovementChoice, ...], str]:
    """Return the movements for a section, first those with the plan's number of rounds."""
    contest = Contest(event.contest)
    if entry_count < MIN_ENTRIES[contest]:
        return (), _("too few for their own section")
    turnout_options = {UNIT_BY_CONTEST[contest]: entry_count, "sections": 1}
    suggestions: list[Suggestion] = []
    error_message = ""
    for round_options in ({"rounds": plan.round_count} if plan.round_count else {}, {}):
        try:
            suggestions += list_suggestions_for_limits(
                **turnout_options, **(plan.limits | round_options)
            )
        except UnplayableMovement as error:
            error_message = str(error)
    fitting_suggestions = drop_duplicate_suggestions(
        [
            suggestion
            for suggestion in suggestions
            if str(suggestion.movement.contest) == event.contest
        ]
    )
    options = tuple(
        MovementChoice(
            name=suggestion.name,
            options=json.dumps(suggestion.options, sort_keys=True),
            title=format_title_with_rounds(suggestion.title, suggestion.round_count),
            rounds=suggestion.round_count,
        )
        for suggestion in fitting_suggestions
    )
    return options, "" if options else error_message


def _seat_sections(request: HttpRequest, session: Session) -> None:
    form = DivisionForm(request.POST)
    if not form.is_valid():
        raise UnplayableMovement(find_first_error(form))
    entries = list(session.event.entries.order_by("number"))
    cleaned_data = form.cleaned_data
    entries_by_section = services.divide_entries(
        entries, cleaned_data["sections"], cleaned_data["how"], cleaned_data["sizes"]
    )
    planned_sections = []
    for section_letter, section_entries in zip(
        SECTION_LETTERS, entries_by_section, strict=False
    ):
        chosen_options = _parse_choice(request, section_letter)
        planned_sections.append(
            services.PlannedSection(
                movement=build_named_movement(
                    chosen_options["name"], **chosen_options["options"]
                ),
                options={
                    option_name: option_value
                    for option_name, option_value in chosen_options["options"].items()
                    if option_name not in SEPARATELY_STORED_OPTIONS
                },
                entries=section_entries,
            )
        )
    services.seat_sections(
        session=session,
        planned_sections=planned_sections,
        boards_a_round=chosen_options["boards_a_round"],
        is_ranked_across_sections="across" in request.POST,
        by=request.user,
    )
    messages.success(
        request,
        _("%(count)s sections created. Everyone has a seat.")
        % {"count": len(planned_sections)},
    )
    if len({plan.movement.round_count for plan in planned_sections}) > 1:
        section_lengths_text = ", ".join(
            _("section %(letter)s plays %(rounds)s rounds")
            % {"letter": section_letter, "rounds": plan.movement.round_count}
            for section_letter, plan in zip(SECTION_LETTERS, planned_sections, strict=False)
        )
        messages.warning(
            request,
            _("The sections differ in length: %(told)s.") % {"told": section_lengths_text},
        )


def _parse_choice(request: HttpRequest, section_letter: str) -> dict[str, Any]:
    """Parse a section's posted choice: the movement's name, "|", and its build options."""
    system_name, _bar, options_json = request.POST.get(
        f"movement-{section_letter}", ""
    ).partition("|")
    form = MovementForm(
        {
            "name": system_name,
            "options": options_json,
            "boards_a_round": request.POST.get("boards_a_round", ""),
        }
    )
    if not form.is_valid():
        raise UnplayableMovement(
            _("Section %(letter)s: %(problem)s")
            % {"letter": section_letter, "problem": find_first_error(form)}
        )
    return form.cleaned_data
