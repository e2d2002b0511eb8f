"""What was done to a drive, and each act taken back in one step."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import drives.services
from boards.whist import WhistError
from clubs import audit
from drives import visits
from drives.sheets.act_words import TITLES
from drives.sheets.history import told
from drives.table_marks import table_marks
from server.numbers import whole_number

PAGE = 60


@require_safe
def drive_history(request: HttpRequest, slug: str) -> HttpResponse:
    """Every act, the newest first, with its way back or why there is none."""
    visit = visits.scorer_drive(request, slug)
    acts = list(audit.history(visit.drive))
    page = Paginator(told(acts, {**TITLES, **table_marks().titles}), PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "visit": visit,
        "drive": visit.drive,
        "club": visit.drive.club,
        "page": page,
        "changes": page.object_list,
    }
    return render(request, "drives/history.html", context)


@require_POST
def drive_undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the last act back, or the one that is named."""
    visit = visits.director_drive(request, slug)
    key = whole_number(request.POST.get("act", ""))
    try:
        if key is None:
            drives.services.undo_last(drive=visit.drive, by=request.user)
        else:
            act = get_object_or_404(audit.history(visit.drive), pk=key)
            drives.services.undo(drive=visit.drive, act=act, by=request.user)
    except WhistError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Taken back."))
    return redirect("drive_desk" if key is None else "drive_history", slug)
