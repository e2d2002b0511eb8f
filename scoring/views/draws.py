"""Swiss rounds: set up the evening; draw, explain and undo each round."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

import scoring.services
from boards.whist import WhistError
from clubs import audit
from clubs.views.undo_messages import offer_undo
from scoring import page_loaders
from scoring.methods import list_methods
from scoring.services.knockouts import is_bracket_seated
from scoring.services.swiss import (
    find_draw,
    has_later_seat_changes,
    list_missing_for_next_draw,
    recompute_changed_draw,
)
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.brackets import list_questions_to_director
from scoring.sheets.draws import DrawnRound, load_drawn_rounds, load_last_drawn_rounds
from scoring.sheets.victory_scale import build_scale_rows
from scoring.views.public import build_frame_context
from server.numbers import parse_number_or_zero
from tournaments.entry_words import entry_words_for
from tournaments.models import Event, SeatingChange, Section, Session
from tournaments.services.swiss import MIN_TEAMS, SWISS_CONTESTS, count_copies_needed
from tournaments.swiss.field import DrawMethod
from tournaments.swiss.plan import PLAN_METHODS, SwissPlan, parse_couples, read_plan
from tournaments.swiss.rounds import count_differences
from tournaments.visits import Visit

USUAL_ROUNDS, USUAL_BOARDS = 6, 4
MAX_NAMED_TABLES = 6
"""At most this many tables with missing results are named; more are only counted."""


class SwissForm(forms.Form):
    """The settings that are fixed before the first round."""

    rounds = forms.IntegerField(label=gettext_lazy("Rounds"), min_value=2, max_value=20)
    boards_a_round = forms.IntegerField(
        label=gettext_lazy("Boards per round"), min_value=1, max_value=24
    )
    copies = forms.IntegerField(
        label=gettext_lazy("Copies of each board"),
        min_value=1,
        max_value=200,
        help_text=gettext_lazy("All tables play the same boards."),
    )
    own_boards = forms.BooleanField(
        label=gettext_lazy("Each match has its own boards"),
        required=False,
        help_text=gettext_lazy(
            "No copies needed. The match’s two tables share its boards, "
            "and no other match plays them. More boards are dealt."
        ),
    )
    method = forms.ChoiceField(
        label=gettext_lazy("Draw method"),
        choices=[(str(draw_method), words) for draw_method, words in PLAN_METHODS.items()],
    )
    first = forms.ChoiceField(
        label=gettext_lazy("First round"),
        choices=[
            ("lot", gettext_lazy("at random")),
            ("seeds", gettext_lazy("by number: 1 plays the first of the lower half")),
        ],
    )
    scored = forms.ChoiceField(label=gettext_lazy("Match score"), choices=())
    decides = forms.ChoiceField(
        label=gettext_lazy("Rank by"),
        choices=[
            ("", gettext_lazy("total (corrected total from 48 boards)")),
            ("total", gettext_lazy("total")),
            ("corrected", gettext_lazy("corrected total (with the opponents’ average)")),
        ],
        required=False,
    )
    arrears = forms.BooleanField(
        label=gettext_lazy("Draw one round ahead, without the latest round’s scores"),
        required=False,
    )
    last_free = forms.BooleanField(
        label=gettext_lazy("Last round by place: 1 plays 2, 3 plays 4, even if they’ve met"),
        required=False,
    )
    three_way = forms.BooleanField(
        label=gettext_lazy("With an odd number, three teams play each other (no sit-out)"),
        required=False,
        help_text=gettext_lazy(
            "Each match then becomes two rounds: 6 matches of 4 boards "
            "are 12 rounds of 2. You need half as many boards again."
        ),
    )
    clubs_until = forms.IntegerField(
        label=gettext_lazy("Keep clubs apart up to round"),
        min_value=0,
        max_value=20,
        required=False,
        help_text=gettext_lazy(
            "Uses tags from Seeds and strata: “club Riverside” for a "
            "club, “north-south” for those who prefer N-S."
        ),
    )
    apart = forms.CharField(
        label=gettext_lazy("Keep apart"),
        required=False,
        max_length=400,
        help_text=gettext_lazy("Numbers that must not meet, e.g. 3-7, 4-9."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if event.contest != "teams":
            del self.fields["three_way"], self.fields["own_boards"]
        codes = ("tricks" if event.contest == "teams" else "plus_minus", "victory_points")
        suitable_methods = list_methods(event.contest, in_points=event.is_scored_in_points)
        labels_by_code = {method.code: method.label for method in suitable_methods}
        self.fields["scored"].choices = [  # type: ignore[attr-defined]  # of a choice
            (code, labels_by_code[code]) for code in codes if code in labels_by_code
        ]

    def to_plan(self) -> SwissPlan:
        """Return the input as a plan; raise PlanRefused."""
        data = self.cleaned_data
        return SwissPlan(
            rounds=data["rounds"],
            method=DrawMethod(data["method"]),
            arrears=data["arrears"],
            last_free=data["last_free"],
            seeded=data["first"] == "seeds",
            apart=parse_couples(data["apart"]),
            clubs_until=data["clubs_until"] or 0,
            three_way=data.get("three_way", False),
            own_boards=data.get("own_boards", False),
        )


@require_http_methods(["GET", "POST"])
def set_up_swiss(request: HttpRequest, slug: str) -> HttpResponse:
    """Set up a Swiss evening: its plan, its copies, and its first round."""
    visit = page_loaders.director_event(request, slug)
    event, session = visit.event, page_loaders.load_session(visit)
    count = event.entries.count()
    form = SwissForm(request.POST or _build_initial_values(event, count), event=event)
    problems: list[str] = []
    if request.method == "POST" and form.is_valid():
        try:
            _seat_first_round(session, form, request)
            messages.success(request, _("First round drawn. Everyone has a seat."))
            return redirect("draws", slug)
        except WhistError as error:
            problems = str(error).splitlines()
    boards = parse_number_or_zero(str(form.data.get("boards_a_round", ""))) or USUAL_BOARDS
    context = visit.context | {
        "form": form,
        "problems": problems,
        "needed": count_copies_needed(event.contest, count, boards),
        "none_waiting": count_copies_needed(event.contest, count, boards, may_wait=False),
        "boards": boards,
        "entries": count,
        "scale": build_scale_rows(event.contest, boards),
        "locked_text": _explain_swiss_unavailable(
            session, count, entry_words_for(event).too_few
        ),
    }
    has_errors = problems or (request.method == "POST" and form.errors)
    return render(request, "scoring/swiss.html", context, status=400 if has_errors else 200)


def _build_initial_values(event: Event, count: int) -> dict[str, Any]:
    rounds = max(2, min(USUAL_ROUNDS, count - 1 + count % 2))
    return {
        "rounds": rounds,
        "boards_a_round": USUAL_BOARDS,
        "copies": max(1, count_copies_needed(event.contest, count, USUAL_BOARDS)),
        "method": str(DrawMethod.SWISS),
        "first": "lot",
        "scored": "tricks" if event.contest == "teams" else "plus_minus",
        "decides": "",
    }


def _seat_first_round(session: Session, form: SwissForm, request: HttpRequest) -> None:
    data = form.cleaned_data
    scoring.services.seat_swiss(
        session=session,
        plan=form.to_plan(),
        boards_a_round=data["boards_a_round"],
        copies=data["copies"],
        method=data["scored"],
        by_corrected={"": None, "total": False, "corrected": True}[data["decides"]],
        by=request.user,
    )


def _explain_swiss_unavailable(session: Session, count: int, too_few: str) -> str:
    if session.event.contest not in SWISS_CONTESTS:
        return _("Swiss rounds are for pairs and teams. Choose another movement.")
    if session.state != Session.State.PLANNED:
        return _("The session has started, so its movement can’t change.")
    return too_few % {"least": MIN_TEAMS} if count < MIN_TEAMS else ""


@require_http_methods(["GET", "POST"])
def manage_draws(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the drawn rounds with the reasons of pairings; draw a round, or undo a draw."""
    visit = page_loaders.director_event(request, slug)
    session = page_loaders.load_session(visit)
    problem = ""
    if request.method == "POST":
        try:
            _run_action(request, visit, session)
            return redirect("draws", slug)
        except WhistError as error:
            problem = str(error)
    snapshot = load_session_snapshot(session)
    drawn_rounds = load_drawn_rounds(snapshot)
    sections = [each for each in snapshot.sections if read_plan(each.options)]
    context = visit.context | {
        "problem": problem,
        "drawn": drawn_rounds,
        "states": [
            _build_section_state(session, drawn_rounds, section) for section in sections
        ],
        "unsettled": list_questions_to_director(visit.event)
        if is_bracket_seated(visit.event)
        else [],
        "is_open": session.state == Session.State.OPEN,
        "max_named": MAX_NAMED_TABLES,
        "is_planned": session.state == Session.State.PLANNED,
        "undone": session.changes.filter(what__kind="drawn", undone_at__isnull=False),
    }
    return render(request, "scoring/draws.html", context, status=400 if problem else 200)


def _build_section_state(
    session: Session, drawn_rounds: Sequence[DrawnRound], section: Section
) -> dict[str, Any]:
    """Return a section's next round, missing results, and corrections since the draw."""
    last, planned = section.rounds, section.rounds_planned
    change = find_draw(section, last)
    is_open = session.state == Session.State.OPEN
    other = recompute_changed_draw(change) if change and is_open else None
    is_begun = any(
        drawn_round.is_begun
        for drawn_round in drawn_rounds
        if drawn_round.section == section.letter and last in drawn_round.rounds
    )
    missing = list_missing_for_next_draw(section) if is_open and last < planned else []
    return {
        "section": section,
        "next": last + 1 if last < planned else 0,
        "planned": planned,
        "missing": missing,
        "missing_by_round": [
            (round_, [table for _round, table in tables])
            for round_, tables in groupby(missing, key=lambda seat: seat[0])
        ],
        "change": change,
        "begun": is_begun,
        "followed": change is not None and has_later_seat_changes(change),
        "other": count_differences(change.what["draw"], other) if change and other else None,
        "all_missing": section.rounds < planned,
    }


def _run_action(request: HttpRequest, visit: Visit, session: Session) -> None:
    action, letter = request.POST.get("act", ""), request.POST.get("section", "")
    rows = session.sections.select_related("session__event__club")
    section = next((each for each in rows if each.letter == letter), None) or rows.first()
    if section is None:
        return
    if action == "draw":
        round_ = parse_number_or_zero(request.POST.get("round", ""))
        scoring.services.draw_round(
            section=section,
            round_=round_ or section.rounds + 1,
            anyway="anyway" in request.POST,
            by=request.user,
        )
        message = _("Round %(round)s drawn.") % {"round": round_ or section.rounds}
        _show_success(request, visit, message)
        return
    change = find_draw(section, section.rounds)
    if change is not None:
        _apply_draw_decision(request, visit, change, action)


def _apply_draw_decision(
    request: HttpRequest, visit: Visit, change: SeatingChange, act: str
) -> None:
    """Undo the last draw, or keep or redraw it after a correction."""
    if act == "undo":
        scoring.services.undo_change(change=change, by=request.user)
        message = _("Draw of round %(round)s undone. The history keeps it.")
        _show_success(request, visit, message % {"round": change.what["round"]})
    elif act == "redraw":
        scoring.services.redraw_round(change=change, by=request.user)
        message = _("Round %(round)s drawn again from the current scores.")
        messages.success(request, message % {"round": change.what["round"]})
    elif act in ("keep", "tell"):
        scoring.services.keep_draw(change=change, tell=act == "tell", by=request.user)
        messages.success(request, _("Draw kept."))


def _show_success(request: HttpRequest, visit: Visit, message: str) -> None:
    acts = audit.list_acts(visit.event).filter(
        action__in=("seating.changed", "seating.restored")
    )
    offer_undo(request, message, acts, reverse("draws", args=[visit.address]))


@login_not_required
@require_safe
def show_pairings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show everyone the last drawn round, by name."""
    visit = page_loaders.public_event(slug)
    snapshot = load_session_snapshot(page_loaders.load_session(visit))
    context = build_frame_context(visit) | {
        "drawn": load_last_drawn_rounds(snapshot),
        "undrawn": [
            sentence
            for section in snapshot.sections
            if (sentence := snapshot.describe_undrawn_rounds(section.letter))
        ],
    }
    return render(request, "scoring/pairings.html", context)
