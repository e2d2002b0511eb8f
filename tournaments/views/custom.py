"""The page of a custom movement, which is pasted, read from a file, or entered in a grid."""

from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from boards.whist import WhistError
from server.numbers import parse_number_or_zero
from tournaments import event_access, services
from tournaments.event_access import EventAccess
from tournaments.models import Event, SavedMovement
from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Contest,
    SizeUnit,
    UnplayableMovement,
    build_named_movement,
)
from tournaments.movements.systems.custom import build_custom_movement, build_rows
from tournaments.movements.systems.custom_text import parse_schedule_rows
from tournaments.sheets.grids import build_input_grid, format_schedule_lines, parse_grid
from tournaments.sheets.schedule import ScheduleSheet, build_schedule

MAX_FILE_BYTES = 1_000_000


@dataclass
class Draft:
    """The state of the page: the rows, their problems, and the schedule if it is valid."""

    name: str = ""
    rows: list[dict[str, Any]] = field(default_factory=list)
    text: str = ""
    allows_sharing: bool = False
    table_count: int = 0
    round_count: int = 0
    problems: list[str] = field(default_factory=list)
    sheet: ScheduleSheet | None = None


@require_http_methods(["GET", "POST"])
def edit_custom_movement(request: HttpRequest, slug: str) -> HttpResponse:
    """Edit a custom movement, show all its problems, and save it for the club."""
    access = event_access.load_director_event(request, slug)
    event = access.event
    draft = (
        _read_draft(request)
        if request.method == "POST"
        else _build_initial_draft(request, event)
    )
    action = request.POST.get("action", "")
    try:
        if action == "drop":
            _delete_saved_movement(request, event)
            return redirect("custom", slug)
        if action in ("read", "check", "save"):
            _validate_draft(request, event, draft)
        if action == "save":
            saved_movement = services.save_movement(
                club=event.club,
                name=draft.name,
                contest=event.contest,
                rows=draft.rows,
                sharing=draft.allows_sharing,
                by=request.user,
            )
            messages.success(request, _("%(name)s saved.") % {"name": saved_movement.name})
            return redirect("movement", slug)
    except WhistError as error:
        draft.problems = str(error).splitlines()
    return _render_page(request, access, draft)


def _build_initial_draft(request: HttpRequest, event: Event) -> Draft:
    """Return the first draft: an empty or saved movement, or one from the catalogue."""
    saved_movement = event.club.movements.filter(
        pk=parse_number_or_zero(request.GET.get("saved", ""))
    ).first()
    if saved_movement is not None:
        return Draft(
            saved_movement.name,
            list(saved_movement.rows),
            format_schedule_lines(saved_movement.rows),
            saved_movement.sharing,
        )
    system_name, movement_size = (
        request.GET.get("from", ""),
        parse_number_or_zero(request.GET.get("size", "")),
    )
    if system_name in SYSTEMS_BY_NAME and movement_size:
        try:
            size_options: dict[str, Any] = {
                str(SYSTEMS_BY_NAME[system_name].unit): min(movement_size, 120)
            }
            movement = build_named_movement(system_name, **size_options)
        except UnplayableMovement as error:
            return Draft(problems=[str(error)])
        rows = build_rows(movement)
        return Draft("", rows, format_schedule_lines(rows), movement.allows_sharing)
    table_count, round_count = (
        parse_number_or_zero(request.GET.get("tables", "")),
        parse_number_or_zero(request.GET.get("rounds", "")),
    )
    return Draft(table_count=table_count or 3, round_count=round_count or 3)


def _read_draft(request: HttpRequest) -> Draft:
    rows = parse_grid(request.POST)
    return Draft(
        name=request.POST.get("name", ""),
        rows=rows,
        text=request.POST.get("text", "")[:MAX_FILE_BYTES],
        allows_sharing="sharing" in request.POST,
        table_count=parse_number_or_zero(request.POST.get("tables", "")),
        round_count=parse_number_or_zero(request.POST.get("rounds", "")),
    )


def _validate_draft(request: HttpRequest, event: Event, draft: Draft) -> None:
    """Parse the posted lines, and collect every problem of the schedule."""
    if request.POST.get("action") == "read" or not draft.rows:
        upload = request.FILES.get("file")
        if upload is not None:
            draft.text = upload.read(MAX_FILE_BYTES).decode("utf-8-sig", errors="replace")
        draft.rows = parse_schedule_rows(draft.text)
    draft.text = format_schedule_lines(draft.rows)
    contest = Contest(event.contest)
    title = draft.name or _("Our own movement")
    movement = build_custom_movement(
        draft.rows, title=title, contest=contest, sharing=draft.allows_sharing
    )
    draft.sheet = build_schedule(movement)


def _delete_saved_movement(request: HttpRequest, event: Event) -> None:
    saved_movement = event.club.movements.filter(
        pk=parse_number_or_zero(request.POST.get("saved", ""))
    ).first()
    if isinstance(saved_movement, SavedMovement):
        services.delete_movement(saved_movement=saved_movement, by=request.user)
        messages.success(request, _("%(name)s removed.") % {"name": saved_movement.name})


def _render_page(request: HttpRequest, access: EventAccess, draft: Draft) -> HttpResponse:
    event = access.event
    contest = Contest(event.contest)
    context = access.context | {
        "draft": draft,
        "grid": build_input_grid(
            draft.rows,
            event.contest,
            min_tables=draft.table_count,
            min_rounds=draft.round_count,
        ),
        "problems": draft.problems,
        "saved": event.club.movements.filter(contest=event.contest),
        "systems": [
            {
                "name": system.name,
                "title": system.title,
                "unit": _get_unit_labels()[system.unit],
            }
            for system in SYSTEMS_BY_NAME.values()
            if system.contest is contest
        ],
    }
    status = 400 if draft.problems else 200
    return render(request, "tournaments/custom.html", context, status=status)


def _get_unit_labels() -> dict[SizeUnit, str]:
    return {
        SizeUnit.TABLES: _("tables"),
        SizeUnit.PAIRS: _("pairs"),
        SizeUnit.PLAYERS: _("players"),
        SizeUnit.TEAMS: _("teams"),
    }
