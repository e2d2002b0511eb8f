"""The views with which a director exports boards for a dealing machine, or seals them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

import tournaments.services
from clubs.views.error_messages import show_errors_as_messages
from exchange.formats import DownloadPage, list_offered_formats, map_formats_by_name
from exchange.services import export_dealing_machine_file, queue_best_play_computation
from exchange.views.hands import build_board_file_response
from scoring import page_loaders


@require_POST
def download_dealing_machine_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the boards as a file for the dealing machine, and record the download."""
    access = page_loaders.load_director_event(request, slug)
    file_format = map_formats_by_name().get(request.POST.get("kind", ""))
    if file_format is None:
        format_titles = _(" or ").join(
            str(board_file_format.title)
            for board_file_format, _label in list_offered_formats(
                DownloadPage.DEALING_MACHINE, access.event
            )
        )
        messages.error(request, _("Choose %(kinds)s.") % {"kinds": format_titles})
        return redirect("deals", slug)
    with show_errors_as_messages(request):
        content = export_dealing_machine_file(
            session=page_loaders.load_session(access), file_format=file_format, by=request.user
        )
        return build_board_file_response(file_format, content, slug)
    return redirect("deals", slug)


@require_POST
def queue_best_play_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue the computation of best-play tables, which bridge programs show."""
    access = page_loaders.load_director_event(request, slug)
    with show_errors_as_messages(request):
        queue_best_play_computation(session=page_loaders.load_session(access), by=request.user)
    return redirect("deals", slug)


@require_POST
def seal_boards(request: HttpRequest, slug: str) -> HttpResponse:
    """Hide the cards from all users, including the director, until the session is closed."""
    access = page_loaders.load_director_event(request, slug)
    with show_errors_as_messages(request):
        tournaments.services.seal_boards(
            session=page_loaders.load_session(access), by=request.user
        )
    return redirect("deals", slug)
