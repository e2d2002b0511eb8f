"""The page of results that were printed in whist books."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.sheets.old_results import read_printed_events


@login_not_required
@require_safe
def show_old_results(request: HttpRequest) -> HttpResponse:
    """Show each printed event with the printed and the recomputed numbers."""
    return render(request, "scoring/old_results.html", {"events": read_printed_events()})
