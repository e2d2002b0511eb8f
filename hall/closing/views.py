"""The views for closing a session, and for corrections after closing."""

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import clubs.services
from clubs.views.error_messages import show_errors_as_messages
from hall.challenges.sheets import list_open_challenges
from hall.closing.board_map import build_board_map
from hall.closing.checks import OpenIssue, OpenIssueKind, list_open_issues
from hall.models import Challenge
from scoring import page_loaders
from scoring.secrecy import can_see_standings
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.corrections import group_version_rows, load_correction_log
from scoring.sheets.score_slips import format_score_page_query
from scoring.standings_engine.result_lines import load_tally
from scoring.standings_engine.scores import find_scoring_method
from scoring.views.public import build_frame_context
from server.errors import PageNotFound

SCORE_GRID_ISSUE_KINDS = (
    *(
        OpenIssueKind.MISSING_RESULT,
        OpenIssueKind.UNSCORED_REDEAL,
        OpenIssueKind.UNPLAYED_BOARD,
    ),
    *(OpenIssueKind.QUERIED_RESULT, OpenIssueKind.UNCONFIRMED_RESULT),
)
"""The kinds of open issues that the director settles in the score grid."""


@require_safe
def show_closing(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the open issues of an open session, or the possible actions for a closed one."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    session = page_loaders.load_session(access)
    snapshot = load_session_snapshot(session)
    open_issues = list_open_issues(snapshot, load_tally(event))
    open_challenges = list_open_challenges(event)
    corrections_end = session.corrections_end
    context = access.context | {
        "session": session,
        "is_open": bool(open_issues or open_challenges),
        "board_map": build_board_map(snapshot, slug),
        "missing": snapshot.missing_result_count,
        "expected": snapshot.expected_result_count,
        "checks": [
            *(
                (issue.text, _get_issue_url(slug, issue))
                for issue in open_issues
                if issue.issue_kind != OpenIssueKind.MISSING_RESULT  # the board map shows these
            ),
            *(
                (_describe_challenge(challenge), reverse("challenges", args=[slug]))
                for challenge in open_challenges
            ),
        ],
        "until": corrections_end,
        "is_over": corrections_end is not None and corrections_end <= timezone.now(),
        "log": load_correction_log(event),
        "hours": event.club.correction_hours,
    }
    return render(request, "hall/closing.html", context)


@require_POST
def set_correction_hours(request: HttpRequest, slug: str) -> HttpResponse:
    """Set for how many hours after closing the club's results can be corrected."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    with show_errors_as_messages(request):
        club = clubs.services.set_correction_hours(
            club=event.club, hours=request.POST.get("hours", ""), by=request.user
        )
        placeholders = {"hours": club.correction_hours}
        messages.success(request, _("Time for corrections: %(hours)s hours.") % placeholders)
    return redirect("closing", slug)


@login_not_required
@require_safe
def show_standings_version(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a stored version of the standings, and the corrections since the close."""
    access = page_loaders.load_public_event(slug)
    event = access.event
    if not can_see_standings(event):
        raise PageNotFound(_("These standings are not shown at the moment."))
    version = get_object_or_404(event.standings_versions, number=number)
    context = build_frame_context(access) | {
        "version": version,
        "fields": group_version_rows(version),
        "log": load_correction_log(event),
        "method": find_scoring_method(event).name,
    }
    return render(request, "hall/version.html", context)


def _describe_challenge(challenge: Challenge) -> str:
    """Return a text about an open challenge that names its entry and board."""
    text = _("Board %(board)s: query from %(who)s")
    return text % {"board": challenge.result.board, "who": challenge.entry}


def _get_issue_url(slug: str, issue: OpenIssue) -> str:
    """Return the URL of the page where the director can settle an open issue."""
    if issue.issue_kind == OpenIssueKind.OPEN_CALL:
        return f"{reverse('event_desk', args=[slug])}#calls"
    if issue.issue_kind == OpenIssueKind.UNKNOWN_PARTNER:
        return reverse("entry_edit", args=[slug, issue.entry_number])
    if issue.issue_kind in SCORE_GRID_ISSUE_KINDS:
        anchors_by_kind = {
            OpenIssueKind.QUERIED_RESULT: f"doubt-{issue.sitting_pk}-{issue.board_number}",
            OpenIssueKind.UNCONFIRMED_RESULT: f"r-{issue.sitting_pk}-{issue.board_number}",
            OpenIssueKind.UNSCORED_REDEAL: f"r-{issue.sitting_pk}-{issue.board_number}",
        }
        anchor = anchors_by_kind.get(issue.issue_kind, f"board-{issue.board_number}")
        return reverse("scores", args=[slug]) + format_score_page_query("board", anchor)
    query_string = urlencode({"sitting": issue.sitting_pk, "board": issue.board_number})
    return f"{reverse('ruling_panel', args=[slug])}?{query_string}"
