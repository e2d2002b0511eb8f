"""Pages that show a play card by card: hands printed in books, and recorded plays."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from boards.worked_hands import read_worked_hands
from scoring.models import PlayRecord
from scoring.sheets.replays import build_record_replay, build_worked_replay, can_show_record
from scoring.tasks import PLAY_ANALYSIS_JOB
from server import quotas
from server.errors import PageNotFound, PageNotReady
from server.jobs.progress import read_progress
from tournaments.event_access import EventAccess

MAX_SHOWN_RECORDS = 50


@login_not_required
@require_safe
def show_worked_hands(request: HttpRequest) -> HttpResponse:
    """List the worked hands from books, and the plays that clubs have recorded."""
    play_records = (
        PlayRecord.objects.exclude_undone()
        .filter(session=None)
        .select_related("club")[:MAX_SHOWN_RECORDS]
    )
    context = {"hands": read_worked_hands().values(), "own": play_records}
    return render(request, "scoring/worked.html", context)


@login_not_required
@require_safe
def show_worked_hand(request: HttpRequest, name: str) -> HttpResponse:
    """Show one worked hand trick by trick."""
    hand = read_worked_hands().get(name)
    if hand is None:
        raise PageNotFound(_("Worked hand %(name)s not found.") % {"name": name})
    return render(request, "scoring/replay.html", {"replay": build_worked_replay(hand)})


@login_not_required
@require_safe
def show_play_record(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one play record, once its cards may be seen."""
    play_records = PlayRecord.objects.exclude_undone().select_related("club", "session__event")
    play_record = get_object_or_404(play_records, pk=pk)
    if not can_show_record(play_record):
        raise PageNotReady(_("This play is shown after the session is closed."))
    replay = build_record_replay(play_record)
    is_quota_reached = replay.best_ns_tricks is None and quotas.is_quota_reached(
        quotas.ANALYSIS_QUOTA, play_record.club_id
    )
    context = {"replay": replay, "record": play_record, "club": play_record.club.name}
    context["rests"] = quotas.explain_analysis_limit() if is_quota_reached else ""
    if replay.best_ns_tricks is None and not is_quota_reached:
        context["job"] = read_progress(PLAY_ANALYSIS_JOB, play_record.pk)
    if play_record.session is not None:
        access = EventAccess.for_session(play_record.session)
        context |= access.context
    return render(request, "scoring/replay.html", context)
