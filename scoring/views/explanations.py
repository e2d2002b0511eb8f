"""Pages that explain how each number of an entry's result was computed."""

from dataclasses import replace

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring import page_loaders
from scoring.secrecy import can_see_standings
from scoring.sheets.explained_numbers import ExplainedNumber, Explanation
from scoring.sheets.explanations import build_explanation, load_explanation_data
from server.numbers import parse_whole_number
from tournaments.event_access import EventAccess


@login_not_required
@require_safe
def show_explanation(request: HttpRequest, slug: str, entry_number: int) -> HttpResponse:
    """Show how each number of one entry's result was computed, from public results only."""
    access = page_loaders.load_public_event(slug)
    event = access.event
    if not can_see_standings(event):
        get_object_or_404(event.entries, number=entry_number)
        message = _("The details appear here when the standings are shown.")
        context = access.context | {
            "club": event.club.name,
            "hidden_text": message,
        }
        return render(
            request, "scoring/explained.html", context | {"frame": "frames/public.html"}
        )
    return _render_page(
        request,
        access,
        entry_number,
        base_template="frames/public.html",
        should_include_hidden_results=False,
    )


@require_safe
def show_director_explanation(
    request: HttpRequest, slug: str, entry_number: int
) -> HttpResponse:
    """Show a scorer or director how each number of one entry's result was computed.

    The explanations include boards that other tables may still play.
    """
    access = page_loaders.load_scorer_event(request, slug)
    return _render_page(
        request,
        access,
        entry_number,
        base_template="frames/director.html",
        should_include_hidden_results=True,
    )


def _render_page(
    request: HttpRequest,
    access: EventAccess,
    entry_number: int,
    *,
    base_template: str,
    should_include_hidden_results: bool,
) -> HttpResponse:
    event = access.event
    entry = get_object_or_404(event.entries, number=entry_number)
    explanation = build_explanation(
        load_explanation_data(
            event, should_include_hidden_results=should_include_hidden_results
        ),
        entry,
    )
    number_key, board_text = request.GET.get("figure", ""), request.GET.get("board", "")
    is_fragment = "HX-Request" in request.headers
    context = access.context | {
        "club": event.club.name,
        "sheet": _select_explanations(explanation, number_key, board_text)
        if is_fragment
        else explanation,
        "frame": base_template,
    }
    template = "scoring/_explanation.html" if is_fragment else "scoring/explained.html"
    return render(request, template, context)


def _select_explanations(
    explanation: Explanation, number_key: str, board_text: str
) -> Explanation:
    """Limit an explanation to one number and to one board.

    An empty `number_key` keeps all numbers. An empty `board_text` keeps all boards.
    """
    explained_numbers = [
        explained_number
        for explained_number in explanation.explained_numbers
        if not number_key or explained_number.key == number_key
    ]
    board_number = parse_whole_number(board_text)
    if board_number is not None:
        explained_numbers = [
            _select_board_steps(explained_number, board_number)
            for explained_number in explained_numbers
        ]
    return replace(explanation, explained_numbers=tuple(explained_numbers))


def _select_board_steps(
    explained_number: ExplainedNumber, board_number: int
) -> ExplainedNumber:
    part_steps = [
        part_step
        for step in explained_number.steps
        for part_step in step.parts
        if part_step.board == board_number
    ]
    return replace(explained_number, steps=tuple(part_steps))
