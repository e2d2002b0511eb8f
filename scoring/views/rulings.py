"""Rulings for the director: list, preview, make and withdraw."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import scoring.services
from boards.whist import WhistError
from clubs.views.error_messages import show_errors_as_messages
from scoring import page_loaders
from scoring.forms import PenaltyForm, RulingForm
from scoring.models import Ruling
from scoring.sheets.ruling_panel import (
    PlayRulings,
    RulingPreview,
    build_play_rulings,
    list_rulings,
    preview_ruling,
)
from scoring.standings_engine.knockouts import find_knockout
from scoring.standings_engine.scores import find_scoring_method
from server.errors import PageNotFound
from server.numbers import parse_number_or_zero, parse_whole_number
from tournaments.event_access import EventAccess
from tournaments.forms import find_first_error
from tournaments.models import Event, Sitting


@require_safe
def show_rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every ruling of the event, also withdrawn ones, with the form for a penalty."""
    access = page_loaders.load_director_event(request, slug)
    return _render_ruling_list(request, access, PenaltyForm(event=access.event))


@require_POST
def make_penalty(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a penalty against an entry's total."""
    access = page_loaders.load_director_event(request, slug)
    form = PenaltyForm(request.POST, event=access.event)
    if not form.is_valid():
        return _render_ruling_list(request, access, form, status=400)
    try:
        penalty_ruling = scoring.services.make_ruling(
            kind=Ruling.Kind.PENALTY,
            session=page_loaders.load_session(
                access.with_session(parse_whole_number(request.POST.get("session")))
            ),
            by=request.user,
            **form.cleaned_data,
        )
    except WhistError as error:
        form.add_error(None, str(error))
        return _render_ruling_list(request, access, form, status=400)
    messages.success(request, _("Penalty for %(entry)s.") % {"entry": penalty_ruling.entry})
    if find_knockout(access.event) is not None:
        messages.warning(request, _explain_penalty_outside_match())
    return redirect("rulings", slug)


@require_safe
def show_ruling_panel(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one board at one table: its rulings, and the effect of a draft ruling."""
    access = page_loaders.load_director_event(request, slug)
    sitting, board_number = _find_play(
        access.event, request.GET.get("sitting"), request.GET.get("board")
    )
    if "kind" not in request.GET:
        empty_form = RulingForm(
            initial=_read_initial_values(request), is_in_points=access.event.is_scored_in_points
        )
        return _render_panel(request, access, sitting, board_number, empty_form)
    form = RulingForm(request.GET, is_in_points=access.event.is_scored_in_points)
    if not form.is_valid():
        return _render_panel(request, access, sitting, board_number, form, status=400)
    try:
        draft_ruling = scoring.services.draft_ruling(
            kind=form.cleaned_data["kind"],
            sitting=sitting,
            board_number=board_number,
            **form.build_ruling_fields(),
        )
    except WhistError as error:
        form.add_error(None, str(error))
        return _render_panel(request, access, sitting, board_number, form, status=400)
    return _render_panel(
        request, access, sitting, board_number, form, preview=preview_ruling(draft_ruling)
    )


@require_POST
def make_ruling(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a ruling on one board at one table."""
    access = page_loaders.load_director_event(request, slug)
    sitting, board_number = _find_play(
        access.event, request.POST.get("sitting"), request.POST.get("board")
    )
    form = RulingForm(request.POST, is_in_points=access.event.is_scored_in_points)
    if not form.is_valid():
        return _render_panel(request, access, sitting, board_number, form, status=400)
    try:
        scoring.services.make_ruling(
            kind=form.cleaned_data["kind"],
            sitting=sitting,
            board_number=board_number,
            by=request.user,
            **form.build_ruling_fields(),
        )
    except WhistError as error:
        form.add_error(None, str(error))
        return _render_panel(request, access, sitting, board_number, form, status=400)
    messages.success(request, _("Ruling recorded. The standings update automatically."))
    return redirect(_format_panel_url(slug, sitting.pk, board_number))


@require_POST
def withdraw_ruling(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw a ruling; it remains in the history."""
    event = page_loaders.load_director_event(request, slug).event
    ruling = get_object_or_404(
        Ruling.objects.select_related("result"),
        pk=parse_number_or_zero(request.POST.get("ruling")),
        session__event=event,
    )
    with show_errors_as_messages(request):
        scoring.services.withdraw_ruling(ruling=ruling, by=request.user)
        messages.success(request, _("Ruling withdrawn. The standings update automatically."))
    if ruling.result is None:
        return redirect("rulings", slug)
    return redirect(_format_panel_url(slug, ruling.result.sitting_id, ruling.result.board))


def _render_ruling_list(
    request: HttpRequest, access: EventAccess, form: PenaltyForm, *, status: int = 200
) -> HttpResponse:
    event = access.event
    context = access.context | {
        "rulings": list_rulings(event),
        "form": form,
        "in_no_match": _explain_penalty_outside_match() if find_knockout(event) else "",
        "sessions": [session.number for session in event.sessions.all()],
    }
    return render(request, "scoring/rulings.html", context, status=status)


def _explain_penalty_outside_match() -> str:
    return _(
        "A penalty lowers the total but doesn’t change the bracket’s matches. To count it "
        "there, enter the reduced margin or choose who goes through."
    )


def _render_panel(
    request: HttpRequest,
    access: EventAccess,
    sitting: Sitting,
    board_number: int,
    form: RulingForm,
    *,
    preview: RulingPreview | None = None,
    status: int = 200,
) -> HttpResponse:
    play_rulings: PlayRulings | None = build_play_rulings(sitting, board_number)
    if play_rulings is None:
        raise PageNotFound(_("Board %(board)s isn’t played there.") % {"board": board_number})
    context = access.context | {
        "panel": play_rulings,
        "method": find_scoring_method(access.event).name,
        "form": form,
        "tried": preview,
        "problem": find_first_error(form) if status != 200 else "",
    }
    return render(request, "scoring/ruling_panel.html", context, status=status)


def _find_play(
    event: Event, sitting_text: str | None, board_text: str | None
) -> tuple[Sitting, int]:
    event_lookup = "section__session__event"
    sittings = Sitting.objects.select_related(
        f"{event_lookup}__club", f"{event_lookup}__terms", "north", "east"
    )
    sitting = get_object_or_404(
        sittings, pk=parse_number_or_zero(sitting_text), section__session__event=event
    )
    return sitting, parse_number_or_zero(board_text)


def _read_initial_values(request: HttpRequest) -> dict[str, str]:
    """Return the values that the linking page has filled in, such as the law and the reason."""
    return {field_name: str(value) for field_name, value in request.GET.items()}


def _format_panel_url(slug: str, sitting_id: int, board_number: int) -> str:
    return f"{reverse('ruling_panel', args=[slug])}?sitting={sitting_id}&board={board_number}"
