"""The director's pages of a night: tables, standings, terms, history, close."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.activities.secrecy import full
from clubs.activities.services import archive, restore
from clubs.audit import Actor
from clubs.views.refusals import refusals_as_messages
from drives.models import Drive
from rubbers import services, visits
from rubbers.held import read_night
from rubbers.models import RubberNight
from rubbers.rubber.codes import CODES
from rubbers.services.table_acts import own_night
from rubbers.sheets.night import night_sheet
from rubbers.sheets.terms import asked_terms, read_terms
from rubbers.visits import RubberVisit
from server.fragments import fragment_of
from server.numbers import whole_number

PAGE = 60


@require_safe
def rubber_desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all tables and the standings."""
    visit = visits.scorer_night(request, slug)
    if visit.night.drive is not None:
        return redirect("drive_rubbers", visit.night.drive.slug)
    context = _context(visit) | {
        "codes": list(CODES.values()),
        "terms": asked_terms(visit.night.code, visit.night.terms),
        "sizes": Drive.PaperSize.choices,
    }
    return render(request, "rubbers/desk.html", context)


@require_safe
@fragment_of("rubber_desk")
def rubber_desk_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the fragment of the page that is refreshed as tables change."""
    visit = visits.scorer_night(request, slug)
    return render(request, "rubbers/_now.html", _context(visit))


def _context(visit: RubberVisit) -> dict[str, Any]:
    return visit.context | {
        "sheet": night_sheet(read_night(visit.night), full),
    }


@require_POST
def rubber_terms(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the name, the code, individual terms, and the paper."""
    visit = visits.director_night(request, slug)
    values: dict[str, Any] = {
        name: request.POST[name].strip()
        for name in ("name", "code", "paper_size")
        if name in request.POST
    }
    return _done(
        request,
        visit,
        lambda night: services.change_rubbers(
            night=night, terms=read_terms(request.POST), by=request.user, **values
        ),
        _("Changed."),
    )


@require_POST
def rubber_end(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Close, reopen, archive or restore a night; or add another table."""
    visit = visits.director_night(request, slug)
    acts: dict[str, tuple[Callable[..., object], str]] = {
        "close": (services.close_rubbers, _("The night is closed.")),
        "reopen": (services.reopen_rubbers, _("The night is open again.")),
        "put-away": (_archive, _("No list shows this night any more.")),
        "bring-back": (_restore, _("The lists show this night again.")),
        "table": (services.add_rubber_table, _("There is one more table.")),
    }
    service, words = acts[act]
    return _done(request, visit, lambda night: service(night=night, by=request.user), words)


def _archive(*, night: RubberNight, by: Actor) -> None:
    archive(activity=night, first=own_night, by=by)


def _restore(*, night: RubberNight, by: Actor) -> None:
    restore(activity=night, first=own_night, by=by)


@require_POST
def rubber_rename(request: HttpRequest, slug: str) -> HttpResponse:
    """Rename a player."""
    visit = visits.director_night(request, slug)
    return _done(
        request,
        visit,
        lambda night: services.rename_rubber_player(
            night=night,
            number=whole_number(request.POST.get("number", "")) or 0,
            name=request.POST.get("name", "")[:300],
            by=request.user,
        ),
        _("Changed."),
    )


def _done(
    request: HttpRequest,
    visit: RubberVisit,
    act: Callable[[RubberNight], object],
    words: str,
) -> HttpResponse:
    with refusals_as_messages(request):
        act(visit.night)
        messages.success(request, words)
    return redirect("rubber_desk", visit.address)
