"""Page of the recap: all entries' results on all boards, in one grid."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring import page_loaders
from scoring.secrecy import can_see_standings
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.plays import load_plays
from scoring.sheets.recap_parts import build_recap_part
from scoring.sheets.recaps import is_scored_by_board, list_rulings_as_text
from scoring.views.public import build_frame_context, parse_session_number
from server.numbers import parse_number_or_zero


@login_not_required
@require_safe
def show_recap(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the recap of a session; boards that a table may still play are empty."""
    access = page_loaders.load_public_event(slug).with_session(parse_session_number(request))
    event = access.event
    session = page_loaders.load_session(access)
    context = build_frame_context(access)
    if can_see_standings(event):
        snapshot = load_session_snapshot(session)
        plays = load_plays(snapshot)
        recap_part = build_recap_part(
            snapshot,
            plays,
            part_number=parse_number_or_zero(request.GET.get("part")),
            boards_part_number=parse_number_or_zero(request.GET.get("boards")),
        )
        context |= {
            "sheet": recap_part.recap,
            "chosen": recap_part,
            "own_query": _format_session_query(request),
            "by_board": is_scored_by_board(recap_part.recap),
            "ruled": list_rulings_as_text(snapshot, plays),
        }
    else:
        context["hidden_text"] = _("The recap is shown together with the standings.")
    return render(request, "scoring/recap.html", context)


def _format_session_query(request: HttpRequest) -> str:
    """Return "session=2&" if the page shows session 2, else "".

    The links to other parts of the recap have query strings that begin with this text.
    """
    session = request.GET.get("session")
    return f"{urlencode({'session': session})}&" if session else ""
