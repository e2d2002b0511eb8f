"""The explanations of every number, for players and for the director."""

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
from tournaments.visits import Visit


@login_not_required
@require_safe
def show_explanation(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the explanations of one entry's numbers, from public results."""
    visit = page_loaders.public_event(slug)
    event = visit.event
    if not can_see_standings(event):
        get_object_or_404(event.entries, number=number)
        message = _("The details appear here when the standings are shown.")
        context = visit.context | {
            "club": event.club.name,
            "hidden_text": message,
        }
        return render(
            request, "scoring/explained.html", context | {"frame": "frames/public.html"}
        )
    return _render_page(request, visit, number, frame="frames/public.html", all_results=False)


@require_safe
def show_director_explanation(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a scorer or director the explanations of one entry's numbers, from all results.

    They include boards that other tables may still play.
    """
    visit = page_loaders.scorer_event(request, slug)
    return _render_page(request, visit, number, frame="frames/director.html", all_results=True)


def _render_page(
    request: HttpRequest, visit: Visit, number: int, *, frame: str, all_results: bool
) -> HttpResponse:
    event = visit.event
    entry = get_object_or_404(event.entries, number=number)
    sheet = build_explanation(load_explanation_data(event, all_results=all_results), entry)
    requested_number, board = request.GET.get("figure", ""), request.GET.get("board", "")
    is_fragment = "HX-Request" in request.headers
    context = visit.context | {
        "club": event.club.name,
        "sheet": _select_number(sheet, requested_number, board) if is_fragment else sheet,
        "frame": frame,
    }
    template = "scoring/_explanation.html" if is_fragment else "scoring/explained.html"
    return render(request, template, context)


def _select_number(sheet: Explanation, requested_number: str, board: str) -> Explanation:
    """Return the explanation of one number, or of one board in it, for a fragment of a page."""
    figures = [
        each for each in sheet.figures if not requested_number or each.key == requested_number
    ]
    number = parse_whole_number(board)
    if number is not None:
        figures = [_select_board(each, number) for each in figures]
    return replace(sheet, figures=tuple(figures))


def _select_board(figure: ExplainedNumber, board: int) -> ExplainedNumber:
    parts = [part for step in figure.steps for part in step.parts if part.board == board]
    return replace(figure, steps=tuple(parts))
