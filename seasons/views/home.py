"""What anybody sees first."""

from django.contrib.auth.decorators import login_not_required
from django.db.models import Count, Prefetch, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.models import Club
from tournaments.models import Event
from tournaments.views.listing import listing
from tournaments.views.states import event_line

NEWEST = 8


@login_not_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The events here, newest first: of one club all, of several clubs each one's newest."""
    listed = Count("events", filter=Q(events__put_away_at=None, events__is_rehearsal=False))
    clubs = Club.objects.annotate(listed=listed).filter(listed__gt=0).order_by("name")
    chosen = request.GET.get("club", "")
    found = clubs.filter(slug=chosen) if chosen else clubs
    if len(found) == 1:
        events = Event.objects.filter(club=found[0]).listed().select_related("club")
        one = {"club": found[0], "several": bool(chosen), "list": listing(request, events)}
        return render(request, "seasons/home.html", one)
    if chosen:
        raise Http404(_("There is no club of this name here."))
    newest = Event.objects.listed().with_sessions()[:NEWEST]
    groups = [
        (club, [event_line(event) for event in club.newest], club.listed > NEWEST)
        for club in found.prefetch_related(Prefetch("events", newest, to_attr="newest"))
    ]
    return render(request, "seasons/home.html", {"groups": groups})
