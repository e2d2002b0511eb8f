"""The page of the jobs: what waits, what has failed and why, and a button to try again."""

from collections.abc import Callable

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


@require_safe
def jobs(request: HttpRequest, kinds: Kinds, seen: Seen) -> HttpResponse:
    """List what is not done, for those who own a club or look after the installation."""
    lines = reading.lines(kinds, seen(request))
    return render(
        request, "server/jobs.html", {"lines": lines, "is_queue_away": bell.is_away()}
    )


@require_POST
def retry(request: HttpRequest, kinds: Kinds, seen: Seen) -> HttpResponse:
    """Have one of them tried again."""
    if not want_again(kinds, number_or_zero(request.POST.get("job")), seen(request)):
        raise Missing(_("There is no such job."))
    messages.success(request, _("It is tried again."))
    return redirect("jobs")
