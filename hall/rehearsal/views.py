"""The views that create, show, control, poll and delete a rehearsal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

import hall.rehearsal.services
import hall.rehearsal.simulation
from clubs import audit
from clubs.views.error_messages import show_errors_as_messages
from hall.models import Rehearsal
from hall.rehearsal.sheets import build_rehearsal_sheet, format_speed
from scoring import page_loaders
from server.errors import PageNotFound
from server.numbers import parse_number_or_zero
from server.safe_redirects import clean_redirect
from tournaments.event_access import EventAccess
from tournaments.models import Event

REHEARSAL_ACTIONS: dict[str, Callable[..., Rehearsal]] = {
    "run": hall.rehearsal.services.run_rehearsal,
    "pause": hall.rehearsal.services.pause_rehearsal,
    "evening": hall.rehearsal.services.finish_evening,
}
PARTIAL_TEMPLATES = {"page": "hall/_rehearsal.html", "bar": "hall/_rehearsal_bar.html"}


@require_POST
def start_rehearsal(request: HttpRequest, slug: str) -> HttpResponse:
    """Create the rehearsal of an event if it has none, and redirect to its page."""
    access = page_loaders.load_director_event(request, slug)
    session = page_loaders.load_session(access)
    with show_errors_as_messages(request):
        rehearsal = hall.rehearsal.services.create_rehearsal(session=session, by=request.user)
        return redirect("rehearsal", rehearsal.event.slug)
    return redirect("event_desk", access.address)


@require_safe
def show_rehearsal(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a rehearsal with its controls and its mishaps."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    session = _get_rehearsal(event).of
    event_access = EventAccess.for_session(session) if session else None
    context = build_rehearsal_context(event) | access.context | {"real": event_access}
    return render(request, "hall/rehearsal.html", context)


@never_cache
@require_POST
def advance_rehearsal(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter the results due by now, and return the updated HTML fragment of the page."""
    access = page_loaders.load_scorer_event(request, slug)
    event = access.event
    partial_template = PARTIAL_TEMPLATES.get(request.POST.get("part", ""))
    with _raise_if_deleted():
        remaining_result_count = hall.rehearsal.simulation.enter_due_results(
            rehearsal=_get_rehearsal(event)
        )
        if partial_template is None:
            return redirect("rehearsal", slug)
        context = (
            build_rehearsal_context(event) | access.context | {"back": _get_back_url(request)}
        )
        response = render(request, partial_template, context)
    response.headers["X-Left"] = str(remaining_result_count)
    return response


@require_POST
def control_rehearsal(request: HttpRequest, slug: str) -> HttpResponse:
    """Start or pause a rehearsal, change its speed, or finish its round or event."""
    event = page_loaders.load_director_event(request, slug).event
    rehearsal, action = _get_rehearsal(event), request.POST.get("act", "")
    with _raise_if_deleted():
        with show_errors_as_messages(request):
            # the results that are due at the old speed are entered before the action changes it
            hall.rehearsal.simulation.enter_due_results(rehearsal=rehearsal)
            _run_action(request, rehearsal, action)
            hall.rehearsal.simulation.enter_due_results(rehearsal=rehearsal)
    focus_id = "speed-title" if action == "speed" else "rehearsal"  # the element to focus
    return redirect(_get_back_url(request) or f"{reverse('rehearsal', args=[slug])}#{focus_id}")


def _run_action(request: HttpRequest, rehearsal: Rehearsal, action: str) -> None:
    by = request.user
    if action == "speed":
        speed = parse_number_or_zero(request.POST.get("speed", ""))
        hall.rehearsal.services.set_speed(rehearsal=rehearsal, speed=speed, by=by)
    elif action == "round":
        round_number = parse_number_or_zero(request.POST.get("round", ""))
        hall.rehearsal.services.finish_round(
            rehearsal=rehearsal, round_number=round_number, by=by
        )
    elif action in REHEARSAL_ACTIONS:
        REHEARSAL_ACTIONS[action](rehearsal=rehearsal, by=by)
    else:
        messages.error(request, _("Unknown action."))


@contextmanager
def _raise_if_deleted() -> Iterator[None]:
    """Raise PageNotFound if another request has deleted the rehearsal."""
    try:
        yield
    except ObjectDoesNotExist as error:
        raise PageNotFound(_("This rehearsal was deleted.")) from error


@require_POST
def delete_rehearsal(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a rehearsal; idempotent."""
    if audit.list_acts(Event(slug=slug)).filter(action="rehearsal.thrown_away").exists():
        return redirect("desk")
    event = page_loaders.load_director_event(request, slug).event
    rehearsal = _get_rehearsal(event)
    real_session = rehearsal.of
    hall.rehearsal.services.delete_rehearsal(event=event, by=request.user)
    messages.success(request, _("Rehearsal deleted. The real event is not changed."))
    if real_session is None:
        return redirect("desk")
    return redirect("event_desk", EventAccess.for_session(real_session).address)


def build_rehearsal_context(event: Event) -> dict[str, object]:
    """Return the template context of a rehearsal's pages."""
    return {
        "sheet": build_rehearsal_sheet(_get_rehearsal(event)),
        "speeds": [(speed.value, format_speed(speed)) for speed in Rehearsal.Speed],
    }


def _get_rehearsal(event: Event) -> Rehearsal:
    rehearsals = Rehearsal.objects.select_related("event__club", "of__event").filter(
        event=event
    )
    rehearsal = rehearsals.first()
    if rehearsal is None:
        raise PageNotFound(_("This is a real event, not a rehearsal."))
    return rehearsal


def _get_back_url(request: HttpRequest) -> str:
    """Return the URL of the page where the user clicked; empty if it is not a local URL."""
    return clean_redirect(request.POST.get("back", ""))
