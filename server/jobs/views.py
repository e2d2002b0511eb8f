"""The page *Jobs*: unfinished and failed jobs, with a button to retry one."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from server.errors import PageNotFound
from server.jobs import broker, job_list
from server.jobs.kinds import JobKindsByCode
from server.jobs.outbox import retry_job
from server.numbers import parse_number_or_zero

VisibleClubsFinder = Callable[[HttpRequest], "job_list.ClubPks | None"]
"""A function that returns the keys of the clubs whose jobs a user may see, or None for all.

It raises PermissionDenied if the user may see none.
"""
QuotaUseLoader = Callable[["job_list.ClubPks | None"], Sequence[object]]
"""A function that returns today's use of each quota by these clubs."""


@require_safe
def show_jobs(
    request: HttpRequest,
    kinds: JobKindsByCode,
    find_visible_clubs: VisibleClubsFinder,
    load_quota_use: QuotaUseLoader,
) -> HttpResponse:
    """Show unfinished and failed jobs to owners of a club and to operators."""
    clubs = find_visible_clubs(request)
    job_rows = job_list.list_jobs(kinds, clubs)
    context = {
        "lines": job_rows,
        "are_waiting": not all(job_row.has_failed for job_row in job_rows),
        "is_queue_away": broker.is_broker_unreachable(),
        "used": load_quota_use(clubs),
    }
    return render(request, "server/jobs.html", context)


@require_POST
def retry_failed_job(
    request: HttpRequest, kinds: JobKindsByCode, find_visible_clubs: VisibleClubsFinder
) -> HttpResponse:
    """Retry the requested job."""
    if not retry_job(
        kinds, parse_number_or_zero(request.POST.get("job")), find_visible_clubs(request)
    ):
        raise PageNotFound(_("Task not found."))
    messages.success(request, _("The task will be tried again."))
    return redirect("jobs")
