"""The page of the jobs: what waits, what has failed and why, and a button to try again."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from server.jobs import bell, reading
from server.jobs.kinds import Kinds
from server.jobs.wanting import want_again
from server.numbers import number_or_zero
from server.refusals import Missing

Seen = Callable[[HttpRequest], "reading.Clubs | None"]
"""Whose jobs a request may see: the keys of clubs, None for all; raises where none."""
Used = Callable[["reading.Clubs | None"], Sequence[object]]
"""What these clubs have had of their quotas today, for the template."""


@require_safe
def jobs(request: HttpRequest, kinds: Kinds, seen: Seen, used: Used) -> HttpResponse:
    """List what is not done, for those who own a club or look after the installation."""
    clubs = seen(request)
    lines = reading.lines(kinds, clubs)
    context = {
        "lines": lines,
        "are_waiting": not all(line.has_failed for line in lines),
        "is_queue_away": bell.is_away(),
        "used": used(clubs),
    }
    return render(request, "server/jobs.html", context)


@require_POST
def retry(request: HttpRequest, kinds: Kinds, seen: Seen) -> HttpResponse:
    """Have one of them tried again."""
    if not want_again(kinds, number_or_zero(request.POST.get("job")), seen(request)):
        raise Missing(_("There is no such job."))
    messages.success(request, _("It is tried again."))
    return redirect("jobs")
