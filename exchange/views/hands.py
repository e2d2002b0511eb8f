"""The views of a closed session's hands, as a page and as files."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from exchange.formats import BoardFileFormat, map_formats_by_name
from scoring import page_loaders
from scoring.secrecy import can_see_hands
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.proofs import load_provenance
from scoring.sheets.records import load_hand_records
from scoring.views.public import build_frame_context, parse_session_number
from server.downloads import build_file_response
from server.errors import PageNotFound, PageNotReady
from tournaments.models import Session


@login_not_required
@require_safe
def show_hands(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all boards of a closed session with hands, best play and results."""
    access = page_loaders.load_public_event(slug).with_session(parse_session_number(request))
    session = page_loaders.load_session(access)
    context = build_frame_context(access) | {
        "session": session,
        "records": load_hand_records(load_session_snapshot(session)),
        "sealed": load_provenance(session),
        "hidden_text": _get_hidden_hands_text(session),
    }
    return render(request, "exchange/hands.html", context)


@login_not_required
@require_safe
def download_board_file(request: HttpRequest, slug: str, format_name: str) -> HttpResponse:
    """Return the boards of a closed session as a file for another program."""
    access = page_loaders.load_public_event(slug).with_session(parse_session_number(request))
    event = access.event
    session = page_loaders.load_session(access)
    file_format = map_formats_by_name().get(format_name)
    if file_format is None or session.board_set is None:
        raise PageNotFound(_("File not found."))
    if file_format.has_cards and not can_see_hands(session):
        raise PageNotReady(_("The boards can be saved once the session is closed."))
    return build_board_file_response(
        file_format, file_format.write_file(load_session_snapshot(session)), event.slug
    )


def build_board_file_response(
    file_format: BoardFileFormat, content: bytes, base_name: str
) -> HttpResponse:
    """Return a board file as a download response that is named after the event."""
    return build_file_response(
        content, file_format.media_type, f"{base_name}.{file_format.extension}"
    )


def _get_hidden_hands_text(session: Session) -> str:
    if session.board_set is None:
        return _("This session’s hands aren’t known.")
    if not can_see_hands(session):
        return _("Hands stay hidden until the session is closed.")
    return _("No hands have been entered yet.")
