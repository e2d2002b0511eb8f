"""The director's pages of a night: its desk, and the actions on it."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.activities.secrecy import format_full_name
from clubs.activities.services import archive, restore_activity
from clubs.audit import Actor
from clubs.views.error_messages import show_errors_as_messages
from drives.models import Drive
from rubbers import services, visits
from rubbers.models import RubberNight
from rubbers.rubber.codes import LAW_CODES_BY_NAME
from rubbers.services.table_acts import check_is_not_of_drive
from rubbers.sheets.night import build_night_sheet
from rubbers.sheets.terms import build_term_fields, parse_terms
from rubbers.snapshot import load_night
from rubbers.visits import RubberVisit
from server.fragments import redirect_unless_htmx
from server.numbers import parse_whole_number

ACTS_PER_PAGE = 60


@require_safe
def show_desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all tables and the standings."""
    visit = visits.load_scorer_night_visit(request, slug)
    if visit.night.drive is not None:
        return redirect("drive_rubbers", visit.night.drive.slug)
    context = _build_context(visit) | {
        "codes": list(LAW_CODES_BY_NAME.values()),
        "terms": build_term_fields(visit.night.code, visit.night.terms),
        "sizes": Drive.PaperSize.choices,
    }
    return render(request, "rubbers/desk.html", context)


@require_safe
@redirect_unless_htmx("rubber_desk")
def show_desk_fragment(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the fragment of the desk that the page refreshes."""
    visit = visits.load_scorer_night_visit(request, slug)
    return render(request, "rubbers/_now.html", _build_context(visit))


def _build_context(visit: RubberVisit) -> dict[str, Any]:
    return visit.context | {
        "sheet": build_night_sheet(load_night(visit.night), format_full_name),
    }


@require_POST
def save_terms(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the name, the code, the terms and the paper size of a night."""
    visit = visits.load_director_night_visit(request, slug)
    values: dict[str, Any] = {
        name: request.POST[name].strip()
        for name in ("name", "code", "paper_size")
        if name in request.POST
    }
    return _perform_and_redirect(
        request,
        visit,
        lambda night: services.change_night(
            night=night, terms=parse_terms(request.POST), by=request.user, **values
        ),
        _("Settings saved."),
    )


@require_POST
def change_night_state(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Close, reopen, archive or restore a night, or add a table."""
    visit = visits.load_director_night_visit(request, slug)
    services_and_messages: dict[str, tuple[Callable[..., object], str]] = {
        "close": (services.close_rubber_night, _("Night closed.")),
        "reopen": (services.reopen_rubber_night, _("Night reopened.")),
        "put-away": (_archive_night, _("Night archived.")),
        "bring-back": (_restore_night, _("Night restored.")),
        "table": (services.add_table, _("Table added.")),
    }
    service, message = services_and_messages[act]
    return _perform_and_redirect(
        request, visit, lambda night: service(night=night, by=request.user), message
    )


def _archive_night(*, night: RubberNight, by: Actor) -> None:
    archive(activity=night, check=check_is_not_of_drive, by=by)


def _restore_night(*, night: RubberNight, by: Actor) -> None:
    restore_activity(activity=night, check=check_is_not_of_drive, by=by)


@require_POST
def rename_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Rename a player of a night."""
    visit = visits.load_director_night_visit(request, slug)
    return _perform_and_redirect(
        request,
        visit,
        lambda night: services.rename_night_player(
            night=night,
            number=parse_whole_number(request.POST.get("number", "")) or 0,
            name=request.POST.get("name", "")[:300],
            by=request.user,
        ),
        _("Name saved."),
    )


def _perform_and_redirect(
    request: HttpRequest,
    visit: RubberVisit,
    act: Callable[[RubberNight], object],
    message: str,
) -> HttpResponse:
    with show_errors_as_messages(request):
        act(visit.night)
        messages.success(request, message)
    return redirect("rubber_desk", visit.address)
