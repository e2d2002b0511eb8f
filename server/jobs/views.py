"""The page *Jobs*: unfinished and failed jobs, with a button to retry one."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from server.jobs import broker, listing
from server.jobs.kinds import Kinds
from server.jobs.outbox import retry_job
from server.numbers import number_or_zero
from server.refusals import PageMissing

Seen = Callable[[HttpRequest], "listing.Clubs | None"]
"""Return the clubs whose jobs a request may see, None for all; raises if there are none."""
Used = Callable[["listing.Clubs | None"], Sequence[object]]
"""Return what these clubs used of their quotas today, for the template."""


@require_safe
def jobs(request: HttpRequest, kinds: Kinds, seen: Seen, used: Used) -> HttpResponse:
    """List unfinished and failed jobs for owners of a club and for operators."""
    clubs = seen(request)
    lines = listing.list_jobs(kinds, clubs)
    context = {
        "lines": lines,
        "are_waiting": not all(line.has_failed for line in lines),
        "is_queue_away": broker.is_unreachable(),
        "used": used(clubs),
    }
    return render(request, "server/jobs.html", context)


@require_POST
def retry(request: HttpRequest, kinds: Kinds, seen: Seen) -> HttpResponse:
    """Retry a job."""
    if not retry_job(kinds, number_or_zero(request.POST.get("job")), seen(request)):
        raise PageMissing(_("There is no such job."))
    messages.success(request, _("It is tried again."))
    return redirect("jobs")
