"""Pages on which a director sets up a Swiss evening, and draws or undoes its rounds."""

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
    list_tables_blocking_draw,
    recompute_changed_draw,
)
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.brackets import list_questions_to_director
from scoring.sheets.draws import DrawnRound, load_drawn_rounds, load_last_drawn_rounds
from scoring.sheets.victory_scale import build_scale_rows
from scoring.views.public import build_frame_context
from server.numbers import parse_number_or_zero
from tournaments.entry_words import get_entry_texts
from tournaments.event_access import EventAccess
from tournaments.models import Event, SeatingChange, Section, Session
from tournaments.services.swiss import MIN_TEAMS, SWISS_CONTESTS, count_copies_needed
from tournaments.swiss.field import DrawMethod
from tournaments.swiss.plan import PLAN_METHODS, SwissPlan, parse_separated_pairs, read_plan
from tournaments.swiss.rounds import count_different_matches

DEFAULT_ROUNDS, DEFAULT_BOARDS_PER_ROUND = 6, 4
MAX_NAMED_TABLES = 6
"""If results are missing at more tables than this, the page shows only their number."""


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
        choices=[
            (str(draw_method), method_label)
            for draw_method, method_label in PLAN_METHODS.items()
        ],
    )
    first = forms.ChoiceField(
        label=gettext_lazy("First round"),
        choices=[
            ("lot", gettext_lazy("at random")),
            ("seeds", gettext_lazy("by number: the top half plays the bottom half, in order")),
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
        method_codes = (
            "tricks" if event.contest == "teams" else "plus_minus",
            "victory_points",
        )
        suitable_methods = list_methods(event.contest, is_in_points=event.is_scored_in_points)
        labels_by_code = {method.code: method.label for method in suitable_methods}
        self.fields["scored"].choices = [  # type: ignore[attr-defined]  # a ChoiceField
            (method_code, labels_by_code[method_code])
            for method_code in method_codes
            if method_code in labels_by_code
        ]

    def to_plan(self) -> SwissPlan:
        """Return the settings as a Swiss plan; raise InvalidPlan for invalid settings."""
        cleaned_data = self.cleaned_data
        return SwissPlan(
            rounds=cleaned_data["rounds"],
            method=DrawMethod(cleaned_data["method"]),
            arrears=cleaned_data["arrears"],
            last_free=cleaned_data["last_free"],
            seeded=cleaned_data["first"] == "seeds",
            apart=parse_separated_pairs(cleaned_data["apart"]),
            clubs_until=cleaned_data["clubs_until"] or 0,
            three_way=cleaned_data.get("three_way", False),
            own_boards=cleaned_data.get("own_boards", False),
        )


@require_http_methods(["GET", "POST"])
def set_up_swiss(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form of a Swiss evening (GET), or store its plan and draw round 1 (POST).

    The page shows how many copies of each board the evening needs.
    """
    access = page_loaders.load_director_event(request, slug)
    event, session = access.event, page_loaders.load_session(access)
    entry_count = event.entries.count()
    form = SwissForm(request.POST or _build_initial_values(event, entry_count), event=event)
    problems: list[str] = []
    if request.method == "POST" and form.is_valid():
        try:
            _seat_first_round(session, form, request)
            messages.success(request, _("First round drawn. Everyone has a seat."))
            return redirect("draws", slug)
        except WhistError as error:
            problems = str(error).splitlines()
    boards_a_round = (
        parse_number_or_zero(str(form.data.get("boards_a_round", "")))
        or DEFAULT_BOARDS_PER_ROUND
    )
    context = access.context | {
        "form": form,
        "problems": problems,
        "needed": count_copies_needed(event.contest, entry_count, boards_a_round),
        "none_waiting": count_copies_needed(
            event.contest, entry_count, boards_a_round, can_tables_wait=False
        ),
        "boards": boards_a_round,
        "entries": entry_count,
        "scale": build_scale_rows(event.contest, boards_a_round),
        "locked_text": _explain_swiss_unavailable(
            session, entry_count, get_entry_texts(event).too_few_entries_text
        ),
    }
    has_errors = problems or (request.method == "POST" and form.errors)
    return render(request, "scoring/swiss.html", context, status=400 if has_errors else 200)


def _build_initial_values(event: Event, entry_count: int) -> dict[str, Any]:
    round_count = max(2, min(DEFAULT_ROUNDS, entry_count - 1 + entry_count % 2))
    return {
        "rounds": round_count,
        "boards_a_round": DEFAULT_BOARDS_PER_ROUND,
        "copies": max(
            1, count_copies_needed(event.contest, entry_count, DEFAULT_BOARDS_PER_ROUND)
        ),
        "method": str(DrawMethod.SWISS),
        "first": "lot",
        "scored": "tricks" if event.contest == "teams" else "plus_minus",
        "decides": "",
    }


def _seat_first_round(session: Session, form: SwissForm, request: HttpRequest) -> None:
    cleaned_data = form.cleaned_data
    scoring.services.seat_swiss(
        session=session,
        plan=form.to_plan(),
        boards_a_round=cleaned_data["boards_a_round"],
        copy_count=cleaned_data["copies"],
        method=cleaned_data["scored"],
        by_corrected={"": None, "total": False, "corrected": True}[cleaned_data["decides"]],
        by=request.user,
    )


def _explain_swiss_unavailable(
    session: Session, entry_count: int, too_few_entries_text: str
) -> str:
    if session.event.contest not in SWISS_CONTESTS:
        return _("Swiss rounds are for pairs and teams. Choose another movement.")
    if session.state != Session.State.PLANNED:
        return _("The session has started, so its movement can’t change.")
    return too_few_entries_text % {"least": MIN_TEAMS} if entry_count < MIN_TEAMS else ""


@require_http_methods(["GET", "POST"])
def manage_draws(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the drawn rounds with the reasons of pairings; draw a round, or undo a draw."""
    access = page_loaders.load_director_event(request, slug)
    session = page_loaders.load_session(access)
    problem = ""
    if request.method == "POST":
        try:
            _run_action(request, access, session)
            return redirect("draws", slug)
        except WhistError as error:
            problem = str(error)
    snapshot = load_session_snapshot(session)
    drawn_rounds = load_drawn_rounds(snapshot)
    sections = [section for section in snapshot.sections if read_plan(section.options)]
    context = access.context | {
        "problem": problem,
        "drawn": drawn_rounds,
        "states": [
            _build_section_state(session, drawn_rounds, section) for section in sections
        ],
        "unsettled": list_questions_to_director(access.event)
        if is_bracket_seated(access.event)
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
    """Return the template context of a section's draws.

    It contains the next round to draw, the tables whose results are missing, and the number of
    differences if the last round were drawn again from corrected results.
    """
    last_round_number, planned_round_count = section.rounds, section.planned_round_count
    change = find_draw(section, last_round_number)
    is_open = session.state == Session.State.OPEN
    recomputed_draw_record = recompute_changed_draw(change) if change and is_open else None
    has_begun = any(
        drawn_round.has_begun
        for drawn_round in drawn_rounds
        if drawn_round.section == section.letter and last_round_number in drawn_round.rounds
    )
    missing_tables = (
        list_tables_blocking_draw(section)
        if is_open and last_round_number < planned_round_count
        else []
    )
    return {
        "section": section,
        "next": last_round_number + 1 if last_round_number < planned_round_count else 0,
        "planned": planned_round_count,
        "missing": missing_tables,
        "missing_by_round": [
            (round_number, [table_number for _round, table_number in rounds_and_tables])
            for round_number, rounds_and_tables in groupby(
                missing_tables, key=lambda round_and_table: round_and_table[0]
            )
        ],
        "change": change,
        "begun": has_begun,
        "followed": change is not None and has_later_seat_changes(change),
        "other": count_different_matches(change.what["draw"], recomputed_draw_record)
        if change and recomputed_draw_record
        else None,
    }


def _run_action(request: HttpRequest, access: EventAccess, session: Session) -> None:
    action, section_letter = request.POST.get("act", ""), request.POST.get("section", "")
    sections = session.sections.select_related("session__event__club")
    section = (
        next(
            (
                listed_section
                for listed_section in sections
                if listed_section.letter == section_letter
            ),
            None,
        )
        or sections.first()
    )
    if section is None:
        return
    if action == "draw":
        round_number = parse_number_or_zero(request.POST.get("round", ""))
        scoring.services.draw_round(
            section=section,
            round_number=round_number or section.rounds + 1,
            should_ignore_missing_results="anyway" in request.POST,
            by=request.user,
        )
        message = _("Round %(round)s drawn.") % {"round": round_number or section.rounds}
        _show_success(request, access, message)
        return
    change = find_draw(section, section.rounds)
    if change is not None:
        _apply_draw_decision(request, access, change, action)


def _apply_draw_decision(
    request: HttpRequest, access: EventAccess, change: SeatingChange, action: str
) -> None:
    """Undo the last draw, or keep or redraw it after a correction."""
    if action == "undo":
        scoring.services.undo_change(change=change, by=request.user)
        message = _("Round %(round)s draw undone. It’s still in the history.")
        _show_success(request, access, message % {"round": change.what["round"]})
    elif action == "redraw":
        scoring.services.redraw_round(change=change, by=request.user)
        message = _("Round %(round)s drawn again from the current scores.")
        messages.success(request, message % {"round": change.what["round"]})
    elif action in ("keep", "tell"):
        scoring.services.keep_draw(
            change=change, should_mention_correction=action == "tell", by=request.user
        )
        messages.success(request, _("Draw kept."))


def _show_success(request: HttpRequest, access: EventAccess, message: str) -> None:
    acts = audit.list_acts(access.event).filter(
        action__in=("seating.changed", "seating.restored")
    )
    offer_undo(request, message, acts, reverse("draws", args=[access.address]))


@login_not_required
@require_safe
def show_pairings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the pairings of the last drawn round with the names of the entries (public page)."""
    access = page_loaders.load_public_event(slug)
    snapshot = load_session_snapshot(page_loaders.load_session(access))
    context = build_frame_context(access) | {
        "drawn": load_last_drawn_rounds(snapshot),
        "undrawn": [
            sentence
            for section in snapshot.sections
            if (sentence := snapshot.describe_undrawn_rounds(section.letter))
        ],
    }
    return render(request, "scoring/pairings.html", context)
