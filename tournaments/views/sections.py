"""The page that divides a large field into sections: their number, entries and movements."""

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
from tournaments import services, visits
from tournaments.entry_words import MIN_ENTRIES, counted, words_of
from tournaments.forms import SeatForm, first_error
from tournaments.models import Entry, Event, Session
from tournaments.movements import Suggestion, Unit, UnplayableMovement, build, suggest
from tournaments.movements.advice.fields import sizes_of
from tournaments.services.sections import IN_BLOCKS, IN_TURN, LETTERS
from tournaments.sheets.advised import UNITS
from tournaments.sheets.options import title_with_rounds, unlike
from tournaments.views.limits import sections_alike
from tournaments.views.movement import KEPT_ELSEWHERE
from tournaments.visits import Visit

Contest = Event.Contest


class DivisionForm(forms.Form):
    """The division of the field."""

    sections = forms.IntegerField(
        label=gettext_lazy("Sections"), min_value=2, max_value=len(LETTERS), initial=2
    )
    how = forms.ChoiceField(
        label=gettext_lazy("Who plays in which"),
        choices=[
            (IN_BLOCKS, gettext_lazy("by number: the first in A, the next in B")),
            (IN_TURN, gettext_lazy("turn about: 1 in A, 2 in B, …")),
        ],
        initial=IN_BLOCKS,
    )
    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"), min_value=1, max_value=120, required=False
    )
    sizes = forms.RegexField(
        r"\A[0-9]{1,3}(,[0-9]{1,3}){1,9}\Z", required=False, widget=forms.HiddenInput
    )

    def clean_sizes(self) -> tuple[int, ...]:
        """Parse the sizes of the sections; empty means as equal as possible."""
        text = self.cleaned_data["sizes"]
        return tuple(int(size) for size in text.split(",")) if text else ()


@dataclass(frozen=True, slots=True)
class MovementChoice:
    """A movement for a section, as the menu offers it."""

    name: str
    options: str  # its build options as JSON
    title: str
    rounds: int


@dataclass(frozen=True, slots=True)
class SectionChoice:
    """One planned section: its entries, and the movements for it."""

    letter: str
    entries: tuple[Entry, ...]
    field: str
    options: tuple[MovementChoice, ...]
    refusal: str
    rounds: int = 0  # of the chosen option

    @property
    def chosen(self) -> MovementChoice | None:
        """The first option with the chosen number of rounds."""
        fitting = (each for each in self.options if each.rounds == self.rounds)
        return next(fitting, next(iter(self.options), None))


@dataclass(frozen=True, slots=True)
class DivisionPlan:
    """The division of a field, and the length that all sections can play; 0 rounds if none."""

    sizes: tuple[int, ...]
    wishes: dict[str, Any]
    rounds: int
    boards_a_round: int
    across: bool = False


@require_http_methods(["GET", "POST"])
def sections(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer a division of the field, and seat every section by the movement chosen for it."""
    visit = visits.director_event(request, slug)
    event = visit.event
    session = visits.session_of(visit)
    problems: list[str] = []
    if request.method == "POST":
        try:
            _seat(request, session)
            return redirect("event_desk", slug)
        except WhistError as refused:
            problems = str(refused).splitlines()
    entries = list(event.entries.order_by("number"))
    asked = request.POST if request.method == "POST" else request.GET
    form = DivisionForm({"sections": "2", "how": IN_BLOCKS} | asked.dict())
    plan = _plan(request, visit, len(entries), form) if form.is_valid() else None
    choices = _choices(event, entries, form, plan) if plan else []
    context = visit.context | {
        "words": words_of(event),
        "form": form,
        "choices": choices,
        "problems": problems,
        "boards_a_round": plan.boards_a_round if plan else 2,
        "sizes": ",".join(str(len(choice.entries)) for choice in choices),
        "across": plan is not None and plan.across,
        "too_many": form.is_valid() and plan is None,
        "playable": bool(choices) and all(choice.options for choice in choices),
        "locked_text": ""
        if session.state == Session.State.PLANNED
        else _("The session has been opened, so its movement stands."),
    }
    return render(
        request, "tournaments/sections.html", context, status=400 if problems else 200
    )


def _plan(
    request: HttpRequest, visit: Visit, count: int, form: DivisionForm
) -> DivisionPlan | None:
    """Find the rounds and boards a round that all sections can play."""
    number, rounds = form.cleaned_data["sections"], form.cleaned_data["rounds"]
    unit = UNITS[Contest(visit.event.contest)]
    wishes = sections_alike(request, visit)
    if rounds:
        wishes["rounds"] = rounds
    asked = form.cleaned_data["sizes"]
    fitting = len(asked) == number and sum(asked) == count and min(asked) > 0
    sizes = asked if fitting else sizes_of(Unit(unit), count, number)
    if min(sizes) < 1:
        return None
    try:
        best = suggest(**{unit: count}, sections=number, **wishes)[0]
    except UnplayableMovement:
        return DivisionPlan(sizes, wishes, rounds or 0, 2)
    return DivisionPlan(sizes, wishes, best.rounds, best.boards_a_round, best.same_boards)


def _choices(
    event: Event, entries: Sequence[Entry], form: DivisionForm, plan: DivisionPlan
) -> list[SectionChoice]:
    how = form.cleaned_data["how"]
    groups = services.divided(entries, len(plan.sizes), how, plan.sizes)
    known = {size: _offers(event, size, plan) for size in {len(group) for group in groups}}
    return [
        SectionChoice(
            letter=letter,
            entries=tuple(group),
            field=counted(event, len(group)),
            options=known[len(group)][0],
            refusal=known[len(group)][1],
            rounds=plan.rounds,
        )
        for letter, group in zip(LETTERS, groups, strict=False)
    ]


def _offers(
    event: Event, count: int, plan: DivisionPlan
) -> tuple[tuple[MovementChoice, ...], str]:
    """Return the movements for a section, those with the common number of rounds first."""
    contest = Contest(event.contest)
    if count < MIN_ENTRIES[contest]:
        return (), _("too few for a section of their own")
    known = {UNITS[contest]: count, "sections": 1}
    found: list[Suggestion] = []
    refusal = ""
    for wishes in ({"rounds": plan.rounds} if plan.rounds else {}, {}):
        try:
            found += suggest(**known, **(plan.wishes | wishes))
        except UnplayableMovement as refused:
            refusal = str(refused)
    fitting = unlike([each for each in found if str(each.movement.contest) == event.contest])
    options = tuple(
        MovementChoice(
            name=each.name,
            options=json.dumps(each.options, sort_keys=True),
            title=title_with_rounds(each.title, each.rounds),
            rounds=each.rounds,
        )
        for each in fitting
    )
    return options, "" if options else refusal


def _seat(request: HttpRequest, session: Session) -> None:
    form = DivisionForm(request.POST)
    if not form.is_valid():
        raise UnplayableMovement(first_error(form))
    entries = list(session.event.entries.order_by("number"))
    asked = form.cleaned_data
    groups = services.divided(entries, asked["sections"], asked["how"], asked["sizes"])
    plans = []
    for letter, group in zip(LETTERS, groups, strict=False):
        chosen = _chosen(request, letter)
        plans.append(
            services.SectionPlan(
                movement=build(chosen["name"], **chosen["options"]),
                options={
                    key: value
                    for key, value in chosen["options"].items()
                    if key not in KEPT_ELSEWHERE
                },
                entries=group,
            )
        )
    services.seat_sections(
        session=session,
        plans=plans,
        boards_a_round=chosen["boards_a_round"],
        across="across" in request.POST,
        by=request.user,
    )
    messages.success(
        request, _("%(count)s sections: everybody has a seat.") % {"count": len(plans)}
    )
    if len({plan.movement.rounds for plan in plans}) > 1:
        told = ", ".join(
            _("section %(letter)s plays %(rounds)s rounds")
            % {"letter": letter, "rounds": plan.movement.rounds}
            for letter, plan in zip(LETTERS, plans, strict=False)
        )
        messages.warning(
            request, _("The sections are not equally long: %(told)s.") % {"told": told}
        )


def _chosen(request: HttpRequest, letter: str) -> dict[str, Any]:
    """Parse a section's choice: the movement's name and its build options, after a bar."""
    name, _bar, options = request.POST.get(f"movement-{letter}", "").partition("|")
    form = SeatForm(
        {
            "name": name,
            "options": options,
            "boards_a_round": request.POST.get("boards_a_round", ""),
        }
    )
    if not form.is_valid():
        raise UnplayableMovement(
            _("Section %(letter)s: %(problem)s")
            % {"letter": letter, "problem": first_error(form)}
        )
    return form.cleaned_data
