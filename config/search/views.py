"""The search page: a form and groups of hits; a single hit redirects to its page."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from clubs import permissions
from clubs.models import Club
from config.search.hits import find_hits, matches_congress_page
from hall.desk.in_play import list_events_in_play
from tournaments.event_access import EventAccess, find_event_access_by_address

MAX_QUERY_LENGTH = 100


@login_not_required
@require_safe
def show_search(request: HttpRequest) -> HttpResponse:
    """Search public content."""
    return _render_results(
        request, find_event_access_by_address(request.GET.get("in", "")), is_director=False
    )


@require_safe
def show_director_search(request: HttpRequest) -> HttpResponse:
    """Search public content and directors' pages.

    The event is the one in the parameter `in`, else the login's first event in play.
    """
    events_in_play = [
        event
        for event in list_events_in_play(permissions.get_logged_in_user(request))
        if not event.is_rehearsal
    ]
    event_address = request.GET.get("in", "") or (
        events_in_play[0].address if events_in_play else ""
    )
    access = find_event_access_by_address(event_address)
    is_director = access is None or permissions.can_direct(request.user, access.event.club)
    return _render_results(request, access if is_director else None, is_director=is_director)


def _render_results(
    request: HttpRequest, access: EventAccess | None, *, is_director: bool
) -> HttpResponse:
    query = " ".join(request.GET.get("q", "").split())[:MAX_QUERY_LENGTH]
    clubs = permissions.list_directed_clubs(request) if is_director else Club.objects.all()
    has_congress = clubs.filter(has_congress_features=True).exists()
    hit_groups = find_hits(
        query,
        access=access,
        is_director=is_director,
        should_include_congress_pages=has_congress,
    )
    hits = [hit for hit_group in hit_groups for hit in hit_group.hits]
    should_hint_at_congress_page = (
        is_director and not has_congress and matches_congress_page(query)
    )
    if len(hits) == 1 and not should_hint_at_congress_page:
        return redirect(hits[0].url)
    context = {
        "query": query,
        "groups": hit_groups,
        "asked_from": request.GET.get("in", ""),
        "count": len(hits),
        "club_without": permissions.get_current_club(request)
        if should_hint_at_congress_page
        else None,
        "base": "frames/director.html" if is_director else "frames/public.html",
    }
    return render(request, "search.html", context)
