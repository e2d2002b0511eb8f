"""The public library of movements: the catalogue, and the whole schedule of each movement."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs import permissions
from server.errors import PageNotFound
from server.numbers import parse_whole_number
from tournaments import event_access
from tournaments.event_access import EventAccess
from tournaments.models import Session
from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Contest,
    MovementSystem,
    SizeUnit,
    UnplayableMovement,
    build_named_movement,
)
from tournaments.sheets.options import NUMERIC_OPTIONS
from tournaments.sheets.schedule import ScheduleSheet, build_schedule

MAX_MOVEMENT_SIZE = 130
EXAMPLE_SIZES = {
    SizeUnit.TABLES: (7, 8),
    SizeUnit.PAIRS: (14, 12),
    SizeUnit.PLAYERS: (16, 20),
    SizeUnit.TEAMS: (7, 8),
}


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """One movement system in the catalogue, with the URL of an example schedule."""

    name: str
    title: str
    sizes: str
    alternatives: str
    remarks: str
    source: str
    url: str


@login_not_required
@require_safe
def list_movement_systems(request: HttpRequest) -> HttpResponse:
    """List every movement system with its source, grouped by the kind of entry ranked."""
    titles_by_contest = {
        Contest.PAIRS: _("Pairs"),
        Contest.INDIVIDUAL: _("Individuals"),
        Contest.TEAMS: _("Teams of four"),
        Contest.MEMORY: _("One table, from memory"),
    }
    titled_groups = [
        (
            title,
            [
                _build_library_entry(system)
                for system in SYSTEMS_BY_NAME.values()
                if system.contest is contest
            ],
        )
        for contest, title in titles_by_contest.items()
    ]
    return render(request, "tournaments/movement_library.html", {"groups": titled_groups})


@login_not_required
@require_safe
def show_movement_schedule(request: HttpRequest, name: str) -> HttpResponse:
    """Show the whole schedule of a movement, by round and table, with its statistics."""
    if name not in SYSTEMS_BY_NAME:
        raise PageNotFound(_("Movement not found. Choose one from the list."))
    system = SYSTEMS_BY_NAME[name]
    options = _parse_options(request, system)
    boards_a_round = parse_whole_number(request.GET.get("boards"), maximum=60) or None
    problem, schedule_sheet = "", None
    try:
        schedule_sheet = _build_sheet(
            name, tuple(sorted(options.items())), boards_a_round, get_language()
        )
    except UnplayableMovement as error:
        problem = str(error)
    access = _find_access(request)
    context = {
        "system": system,
        "otherwise": _format_titles(system.alternative_systems),
        "access": access,
        "event": access.event if access else None,
        "play": _format_button_options(access, options, schedule_sheet is not None)
        if access
        else None,
        "unit": _get_unit_labels()[system.unit],
        "size": options.get(str(system.unit), ""),
        "rounds": options.get("rounds", ""),
        "boards": boards_a_round or "",
        "sheet": schedule_sheet,
        "problems": [problem] if problem else [],
    }
    status = 400 if problem else 200
    return render(request, "tournaments/movement_schedule.html", context, status=status)


def _find_access(request: HttpRequest) -> EventAccess | None:
    """Return the event in the query string if the user directs it, or None."""
    event_address = request.GET.get("event", "")
    if not event_address:
        return None
    try:
        access = event_access.load_public_event(event_address)
    except Http404:
        return None
    return access if permissions.can_direct(request.user, access.event.club) else None


def _format_button_options(access: EventAccess, options: dict[str, Any], is_shown: bool) -> str:
    """Return the movement's build options as JSON for its button, or "" if it can't be chosen.

    A movement can be chosen before play, if it seats all entries.
    """
    if not is_shown or event_access.load_session(access).state != Session.State.PLANNED:
        return ""
    return json.dumps(options, sort_keys=True)


def _format_titles(system_names: Sequence[str]) -> str:
    """Return the titles of movement systems as one text."""
    return _(" or ").join(SYSTEMS_BY_NAME[system_name].title for system_name in system_names)


def _build_library_entry(system: MovementSystem) -> LibraryEntry:
    example_size = _choose_example_size(system)
    schedule_url = reverse("movement_schedule", args=[system.name])
    return LibraryEntry(
        name=system.name,
        title=system.title,
        sizes=system.sizes,
        alternatives=_format_titles(system.alternative_systems),
        remarks=system.remarks,
        source=system.source,
        url=f"{schedule_url}?{system.unit}={example_size}",
    )


@lru_cache(maxsize=64)
def _choose_example_size(system: MovementSystem) -> int:
    """Return a common size of a system, or the smallest size that it accepts."""
    usual_sizes = [size for size in EXAMPLE_SIZES[system.unit] if system.fits_size(size)]
    return (
        usual_sizes[0]
        if usual_sizes
        else next(size for size in range(1, MAX_MOVEMENT_SIZE) if system.fits_size(size))
    )


def _parse_options(request: HttpRequest, system: MovementSystem) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for option_name in NUMERIC_OPTIONS:
        option_value = parse_whole_number(
            request.GET.get(option_name), maximum=MAX_MOVEMENT_SIZE
        )
        if option_value:
            options[option_name] = option_value
    if not set(options) - {"rounds"}:
        options[str(system.unit)] = _choose_example_size(system)
    if request.GET.get("one_winner") == "1":
        options["one_winner"] = True
    absent_labels = [
        absent_label
        for absent_label in request.GET.get("absent", "").split(",")
        if absent_label
    ]
    if absent_labels:
        options["absent"] = tuple(
            parse_whole_number(absent_label) or absent_label
            for absent_label in absent_labels[:4]
        )
    return options


def _get_unit_labels() -> dict[SizeUnit, str]:
    return {
        SizeUnit.TABLES: _("Tables"),
        SizeUnit.PAIRS: _("Pairs"),
        SizeUnit.PLAYERS: _("Players"),
        SizeUnit.TEAMS: _("Teams"),
    }


@lru_cache(maxsize=48)
def _build_sheet(
    system_name: str,
    options: tuple[tuple[str, Any], ...],
    boards_a_round: int | None,
    language: str | None,
) -> ScheduleSheet:
    """Build the schedule of a movement; cached, because the page is public.

    The page's language is part of the cache key.
    """
    return build_schedule(build_named_movement(system_name, **dict(options)), boards_a_round)
