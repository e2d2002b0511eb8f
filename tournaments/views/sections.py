"""A large field divided into sections: how many, who is in which, what each plays."""

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
from tournaments.entry_words import LEAST, counted, words_of
from tournaments.forms import SeatForm, first_error
from tournaments.models import Entry, Event, Session
from tournaments.movements import UnplayableMovement, build, suggest
from tournaments.services.sections import IN_BLOCKS, IN_TURN, LETTERS
from tournaments.sheets.options import Option, option_of, unlike
from tournaments.views.movement import KEPT_ELSEWHERE, UNITS


class DivisionForm(forms.Form):
    """How the field is divided."""

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


@dataclass(frozen=True, slots=True)
class SectionChoice:
    """One section to be: who is in it, and what it can play."""

    letter: str
    entries: tuple[Entry, ...]
    field: str
    options: tuple[Option, ...]
    refusal: str
    rounds: int = 0  # of the option that stands chosen

    @property
    def chosen(self) -> Option | None:
        """The first option of that length."""
        fitting = (each for each in self.options if each.rounds == self.rounds)
        return next(fitting, next(iter(self.options), None))


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
    choices = _choices(event, entries, form) if form.is_valid() else []
    offered = [choice.chosen for choice in choices if choice.chosen]
    context = {
        "visit": visit,
        "event": event,
        "words": words_of(event),
        "form": form,
        "choices": choices,
        "problems": problems,
        "boards_a_round": min((each.boards_a_round for each in offered), default=2),
        "playable": bool(choices) and all(choice.options for choice in choices),
        "locked_text": ""
        if session.state == Session.State.PLANNED
        else _("The session has been opened, so its movement stands."),
    }
    return render(
        request, "tournaments/sections.html", context, status=400 if problems else 200
    )


def _choices(event: Event, entries: Sequence[Entry], form: DivisionForm) -> list[SectionChoice]:
    groups = services.divided(entries, form.cleaned_data["sections"], form.cleaned_data["how"])
    known = {size: _offers(event, size) for size in {len(group) for group in groups}}
    rounds = _common_length([options for options, _refusal in known.values()])
    return [
        SectionChoice(
            letter=letter,
            entries=tuple(group),
            field=counted(event, len(group)),
            options=known[len(group)][0],
            refusal=known[len(group)][1],
            rounds=rounds,
        )
        for letter, group in zip(LETTERS, groups, strict=False)
    ]


def _common_length(offers: Sequence[Sequence[Option]]) -> int:
    """The number of rounds that all can play with the best of their movements, or 0."""
    lengths = [[option.rounds for option in options] for options in offers]
    common = set.intersection(*map(set, lengths)) if lengths else set()
    return min(common, key=lambda each: sum(of.index(each) for of in lengths), default=0)


def _offers(event: Event, count: int) -> tuple[tuple[Option, ...], str]:
    contest = Event.Contest(event.contest)
    if count < LEAST[contest]:
        return (), _("too few for a section of their own")
    try:
        found = suggest(**{UNITS[contest]: count})
    except UnplayableMovement as refused:
        return (), str(refused)
    fitting = unlike([each for each in found if str(each.movement.contest) == event.contest])
    return tuple(option_of(each, best=number == 0) for number, each in enumerate(fitting)), ""


def _seat(request: HttpRequest, session: Session) -> None:
    form = DivisionForm(request.POST)
    if not form.is_valid():
        raise UnplayableMovement(first_error(form))
    entries = list(session.event.entries.order_by("number"))
    groups = services.divided(entries, form.cleaned_data["sections"], form.cleaned_data["how"])
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
    """Read a section's choice: the movement's name and what it is built with, after a bar."""
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
