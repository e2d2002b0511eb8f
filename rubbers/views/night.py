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
from rubbers import rubber_access, services
from rubbers.models import RubberNight
from rubbers.rubber.codes import LAW_CODES_BY_NAME
from rubbers.rubber_access import RubberAccess
from rubbers.services.table_acts import check_has_no_drive
from rubbers.sheets.night import build_night_sheet
from rubbers.sheets.terms import build_term_fields, parse_terms
from rubbers.snapshot import load_night
from server.fragments import redirect_unless_htmx
from server.numbers import parse_whole_number

ACTS_PER_PAGE = 60


@require_safe
def show_desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all tables and the standings."""
    access = rubber_access.load_scorer_night_access(request, slug)
    if access.night.drive is not None:
        return redirect("drive_rubbers", access.night.drive.slug)
    context = _build_context(access) | {
        "codes": list(LAW_CODES_BY_NAME.values()),
        "terms": build_term_fields(access.night.code, access.night.terms),
        "sizes": Drive.PaperSize.choices,
    }
    return render(request, "rubbers/desk.html", context)


@require_safe
@redirect_unless_htmx("rubber_desk")
def show_desk_fragment(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the fragment of the desk that the page refreshes."""
    access = rubber_access.load_scorer_night_access(request, slug)
    return render(request, "rubbers/_now.html", _build_context(access))


def _build_context(access: RubberAccess) -> dict[str, Any]:
    return access.context | {
        "sheet": build_night_sheet(load_night(access.night), format_full_name),
    }


@require_POST
def save_terms(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the name, the code, the terms and the paper size of a night."""
    access = rubber_access.load_director_night_access(request, slug)
    new_values: dict[str, Any] = {
        field_name: request.POST[field_name].strip()
        for field_name in ("name", "code", "paper_size")
        if field_name in request.POST
    }
    return _perform_and_redirect(
        request,
        access,
        lambda night: services.change_night(
            night=night, terms=parse_terms(request.POST), by=request.user, **new_values
        ),
        _("Settings saved."),
    )


@require_POST
def change_night_state(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Close, reopen, archive or restore a night, or add a table."""
    access = rubber_access.load_director_night_access(request, slug)
    services_and_messages: dict[str, tuple[Callable[..., object], str]] = {
        "close": (services.close_rubber_night, _("Night closed.")),
        "reopen": (services.reopen_rubber_night, _("Night reopened.")),
        "put-away": (_archive_night, _("Night archived.")),
        "bring-back": (_restore_night, _("Night restored.")),
        "table": (services.add_table, _("Table added.")),
    }
    service, message = services_and_messages[act]
    return _perform_and_redirect(
        request, access, lambda night: service(night=night, by=request.user), message
    )


def _archive_night(*, night: RubberNight, by: Actor) -> None:
    archive(activity=night, check=check_has_no_drive, by=by)


def _restore_night(*, night: RubberNight, by: Actor) -> None:
    restore_activity(activity=night, check=check_has_no_drive, by=by)


@require_POST
def rename_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Rename a player of a night."""
    access = rubber_access.load_director_night_access(request, slug)
    return _perform_and_redirect(
        request,
        access,
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
    access: RubberAccess,
    perform_act: Callable[[RubberNight], object],
    message: str,
) -> HttpResponse:
    with show_errors_as_messages(request):
        perform_act(access.night)
        messages.success(request, message)
    return redirect("rubber_desk", access.address)
