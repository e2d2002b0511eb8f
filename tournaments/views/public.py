"""What anybody sees first."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.models import Club
from tournaments.views.states import event_line


@login_not_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The events of every club here, newest first."""
    clubs = Club.objects.order_by("name").prefetch_related("events__sessions")
    groups = [
        (club.name, [event_line(event) for event in club.events.all()[:60]]) for club in clubs
    ]
    return render(
        request, "tournaments/home.html", {"groups": [group for group in groups if group[1]]}
    )
