"""Results by mail: who gets a letter, sent at a press; and the way to have no more of them."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import clubs.services
from clubs import access
from clubs.views.refusals import refusals_as_messages
from scoring import visits
from scoring.sheets.ranks import rank_version
from seasons.publishing.mailing import LETTERS, order_letters, player_of, readers
from seasons.publishing.models import ResultsMail
from server.jobs.progress import read_progress
from server.refusals import PageMissing


@require_safe
def results_mail(request: HttpRequest, slug: str) -> HttpResponse:
    """Say who would get a letter, who has one, and whose did not go."""
    visit = visits.director_event(request, slug)
    rows = ResultsMail.objects.filter(event=visit.event).select_related("player")
    now = rows.filter(version=rank_version(visit.event))
    wants = readers(visit.event)
    context = {
        "visit": visit,
        "event": visit.event,
        "has_mail": settings.HAS_MAIL,
        "count": wants.exclude(pk__in=now.values("player")).count(),
        "names": list(wants.values_list("name", flat=True)),
        "rows": now.order_by("player__name"),
        "job": read_progress(LETTERS, visit.event.pk),
    }
    return render(request, "seasons/results_mail.html", context)


@require_POST
def results_mail_send(request: HttpRequest, slug: str) -> HttpResponse:
    """Have the letters sent that were not."""
    visit = visits.director_event(request, slug)
    with refusals_as_messages(request):
        count = order_letters(event=visit.event, by=request.user)
        words = ngettext("%(count)d e-mail goes out.", "%(count)d e-mails go out.", count)
        messages.success(request, words % {"count": count})
    return redirect("results_mail", visit.address)


@require_POST
def results_mail_bounced(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A letter came back: this person gets no more of them."""
    visit = visits.director_event(request, slug)
    row = ResultsMail.objects.filter(event=visit.event, pk=pk).select_related("player").first()
    if row is None:
        raise PageMissing(_("There is no such e-mail."))
    player = access.director_player(request, row.player_id)
    with refusals_as_messages(request):
        clubs.services.keep_person(
            player=player, details={}, consents={"mail": False}, by=request.user
        )
        words = _("%(name)s gets no more e-mails until the address is put right and agreed to.")
        messages.success(request, words % {"name": player.name})
    return redirect("results_mail", visit.address)


@csrf_exempt  # a mail program presses it for its reader; the address alone is the right to
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def mail_off(request: HttpRequest, token: str) -> HttpResponse:
    """Switch a person's letters off: by a press, for scanners of mail open every address."""
    player = player_of(token)
    if player is None:
        raise PageMissing(_("This address switches nothing off."))
    is_forgotten = player.forgotten_on is not None  # no letter goes there, and no word is kept
    if request.method == "POST" and not is_forgotten:
        clubs.services.keep_person(player=player, details={}, consents={"mail": False}, by=None)
    answer = render(
        request,
        "seasons/mail_off.html",
        {"club": player.club, "is_off": is_forgotten or request.method == "POST"},
    )
    answer["Referrer-Policy"] = "no-referrer"
    return answer
