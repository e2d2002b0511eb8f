"""A player's own page: the evenings, and what was taken on each side. No login, no cookie."""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.models import Player
from clubs.privacy import may_be_shown
from seasons.sheets.records import record


@login_not_required
@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show where a player came in the events that are over."""
    found = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    if not may_be_shown(found):
        raise Http404(_("This player has no page."))
    context = {"club": found.club.name, "record": record(found)}
    return render(request, "seasons/player.html", context)
