"""Views of the organiser's desk, the page from which a drive in play is run."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import drives.services
from clubs.activities.secrecy import format_full_name
from clubs.activities.services import find_last_undoable_act
from clubs.models import DirectorCall
from clubs.views.error_messages import show_errors_as_messages
from drives import drive_access
from drives.draw.participants import MAX_ROUNDS
from drives.drive_access import DriveAccess
from drives.drive_results import (
    find_round_winners,
    list_incomplete_rounds,
    list_unfinished_tables,
)
from drives.errors import DriveActionNotAllowed
from drives.models import Drive
from drives.play_forms import SeatingTime
from drives.play_forms.ties import get_tie_rule
from drives.services.clock import get_round_minutes
from drives.services.undo import get_inverses
from drives.sheets.act_words import format_act_name
from drives.sheets.bell import can_call_next_round, describe_bell
from drives.sheets.clock import build_clock
from drives.sheets.custom_fields import build_term_fields, has_term_fields, parse_terms
from drives.sheets.desk import build_desk_page_data
from drives.sheets.standing import compute_plan_statistics
from drives.snapshot import DriveSnapshot, load_drive_snapshot
from drives.trumps import CYCLE_RULE, TRUMPS_RULE_LABELS, get_suit_cycle, parse_trumps
from server.fragments import redirect_unless_htmx
from server.numbers import parse_whole_number


@require_safe
def show_desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the desk: the round in play, tables without a score, and the clock."""
    access = drive_access.load_scorer_drive_access(request, slug)
    drive_clock = build_clock(access.drive)
    clock_context = {
        "clock": drive_clock,
        "data": asdict(drive_clock),
        "usual": get_round_minutes(access.drive),
    }
    return render(request, "drives/desk.html", build_desk_context(access) | clock_context)


@require_safe
@redirect_unless_htmx("drive_desk")
def show_desk_fragment(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the fragment of the desk that is refreshed as tables send scores."""
    access = drive_access.load_scorer_drive_access(request, slug)
    return render(request, "drives/_now.html", build_desk_context(access))


def build_desk_context(access: DriveAccess) -> dict[str, Any]:
    """Return the context of the desk and of its fragment."""
    snapshot = load_drive_snapshot(access.drive)
    desk = build_desk_page_data(snapshot, format_full_name)
    undoable_act = (
        find_last_undoable_act(access.drive, get_inverses()) if access.can_direct else None
    )
    return access.context | {
        "desk": desk,
        "form": snapshot.play_form,
        "undoable_act": undoable_act,
        "undoable_name": format_act_name(access.drive, undoable_act) if undoable_act else "",
        "figures": _build_plan_statistics(snapshot),
        "to_say": _list_undecided_tables(snapshot),
        "handed": len(
            {total.player_id for total in snapshot.card_totals if total.total is not None}
        ),
        "cards": len(snapshot.ranked_players),
        "calls": DirectorCall.objects.filter(
            evening=access.drive.evening_id, answered_at__isnull=True
        ),
        "behind": list_incomplete_rounds(snapshot),
        "bell": (bell_reason := describe_bell(snapshot)),
        "may_ring": bool(bell_reason) and can_call_next_round(snapshot),
        "is_moved": snapshot.play_form.seating_time is SeatingTime.AFTER_RESULT,
        "own_terms": build_term_fields(access.drive.terms, snapshot.play_form),
        "trumps_rules": TRUMPS_RULE_LABELS,
        "trumps_rule": CYCLE_RULE
        if (suit_cycle := get_suit_cycle(access.drive.trumps))
        else access.drive.trumps,
        "suit_cycle": suit_cycle,
        "shown": Drive.StandingsVisibility.choices,
        "sizes": Drive.PaperSize.choices,
    }


def _build_plan_statistics(snapshot: DriveSnapshot) -> dict[str, Any] | None:
    """Return statistics of repeated meetings, or None if no draw decides who meets."""
    if (
        snapshot.play_form.seating_time is SeatingTime.AFTER_RESULT
        or snapshot.play_form.has_fixed_partners
        or len(snapshot.round_by_number) < 2
    ):
        return None
    statistics = compute_plan_statistics(snapshot)
    return {
        "partners": statistics.partner_statistics,
        "opponents": statistics.opponent_statistics,
        "rounds": len(snapshot.round_by_number),
    }


def _list_undecided_tables(snapshot: DriveSnapshot) -> list[dict[str, Any]]:
    """Return the tables of the round in play whose winner the organiser may enter."""
    if (
        snapshot.play_form.seating_time is not SeatingTime.AFTER_RESULT
        or snapshot.current_round is None
    ):
        return []
    _winner_by_table, tied_tables, unscored_tables = find_round_winners(
        snapshot, snapshot.current_round.number
    )
    winner_input_label = get_tie_rule(snapshot.drive.terms).input_label
    name_by_player: dict[int | str, str] = {
        player_number: format_full_name(player)
        for player_number, player in snapshot.player_by_number.items()
    }
    return [
        {
            "table": table_number,
            "tie_question": winner_input_label if table_number in tied_tables else "",
            "sides": [
                ("A", name_by_player[seats[0]], name_by_player[seats[2]]),
                ("B", name_by_player[seats[1]], name_by_player[seats[3]]),
            ],
        }
        for table_number, seats in snapshot.current_round.seats_by_table.items()
        if table_number in tied_tables or table_number in unscored_tables
    ]


@require_POST
def call_next_round(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin the next round; if tables have unfinished hands, show a page to confirm first.

    A double click begins only one round, because the form contains the round in play.
    """
    access = drive_access.load_scorer_drive_access(request, slug)
    shown_round_number = parse_whole_number(request.POST.get("at", ""))
    if "anyway" not in request.POST and shown_round_number in (None, access.drive.at_round):
        snapshot = load_drive_snapshot(access.drive)
        unfinished_tables = [] if describe_bell(snapshot) else list_unfinished_tables(snapshot)
        if unfinished_tables:
            return _render_unfinished_tables(request, access, unfinished_tables)
    with show_errors_as_messages(request):
        drive = drives.services.begin_next_round(
            drive=access.drive,
            shown_round_number=shown_round_number,
            winners_by_table=_parse_winners(request.POST),
            by=request.user,
        )
        message = _("Round %(round)s started.") % {"round": drive.at_round}
        messages.success(request, message)
    return redirect("drive_desk", slug)


def _render_unfinished_tables(
    request: HttpRequest, access: DriveAccess, unfinished_tables: list[tuple[int, int]]
) -> HttpResponse:
    """Show the tables with unfinished hands, and a form that begins the next round anyway."""
    context = access.context | {
        "tables": unfinished_tables,
        "next_round": access.drive.at_round + 1,
        "winners": _parse_winners(request.POST),
    }
    return render(request, "drives/next_round.html", context)


def _parse_winners(form_data: Mapping[str, str]) -> dict[int, str]:
    """Return the sides in form fields such as "won-3", by table."""
    winner_by_table = {}
    for name, winning_side in form_data.items():
        table_number = parse_whole_number(name.removeprefix("won-"), maximum=1000)
        if name.startswith("won-") and table_number and winning_side in ("A", "B"):
            winner_by_table[table_number] = winning_side
    return winner_by_table


@require_POST
def save_round_count(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the number of rounds."""
    access = drive_access.load_director_drive_access(request, slug)
    rounds_text = request.POST.get("rounds", "").strip()
    with show_errors_as_messages(request):
        round_count = _parse_round_count(rounds_text)
        drives.services.set_round_count(
            drive=access.drive, round_count=round_count, by=request.user
        )
        message = _("Rounds: %(rounds)s.") if rounds_text else _("Rounds: no fixed number.")
        messages.success(request, message % {"rounds": round_count})
    return redirect("drive_desk", slug)


def _parse_round_count(rounds_text: str) -> int | None:
    """Read the number of rounds; return None for an empty field (no fixed number)."""
    round_count = parse_whole_number(rounds_text, maximum=1000)
    if rounds_text and round_count is None:
        message = _("“%(typed)s” isn’t a number of rounds. Enter 1–%(most)s or leave it empty.")
        raise DriveActionNotAllowed(message % {"typed": rounds_text[:20], "most": MAX_ROUNDS})
    return round_count


TERM_FIELD_NAMES = (
    "name",
    "standings_shown",
    "trumps",
    "first_word",
    "second_word",
    "paper_size",
)


@require_POST
def save_terms(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the drive's name, visibility of standings, trumps, role words and paper size."""
    access = drive_access.load_director_drive_access(request, slug)
    changed_terms: dict[str, Any] = {
        name: request.POST[name].strip() for name in TERM_FIELD_NAMES if name in request.POST
    }
    if has_term_fields(request.POST):
        changed_terms["terms"] = parse_terms(request.POST)
    with show_errors_as_messages(request):
        if "trumps_rule" in request.POST:
            changed_terms["trumps"] = parse_trumps(
                request.POST["trumps_rule"], request.POST.get("trumps", ""), access.drive.trumps
            )
        drives.services.change_terms(drive=access.drive, by=request.user, **changed_terms)
        messages.success(request, _("Settings saved."))
    return redirect("drive_desk", slug)


@require_POST
def save_house_terms(request: HttpRequest, slug: str) -> HttpResponse:
    """Make this drive's settings the club's defaults; save its way to score under a name."""
    access = drive_access.load_director_drive_access(request, slug)
    scoring_name = request.POST.get("score_name", "").replace("\0", "")[:200]
    with show_errors_as_messages(request):
        drives.services.save_as_club_defaults(
            drive=access.drive, scoring_name=scoring_name, by=request.user
        )
        messages.success(request, _("Default for new drives saved."))
    return redirect("drive_desk", slug)
