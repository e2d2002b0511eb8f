"""Standings by their number: a short question, and an address whose answer never changes.

Our own pages ask for the standings and say which they have seen: one question, one answer.
These two are for whoever puts a cache in front of a server, or follows many events.
"""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from scoring import visits
from scoring.secrecy import standings_may_be_seen
from scoring.views.kept_pages import State, drawn_once, for_all, state_of
from scoring.views.public import standings_part
from tournaments.views import states

FOREVER = "public, max-age=31536000, immutable, s-maxage=60"
"""For browsers; a cache that many share keeps it a minute, for a name may yet be hidden."""
GONE = 410


@login_not_required
@require_safe
def now(request: HttpRequest, slug: str) -> HttpResponse:
    """Say the number of what an event shows and what it is doing; 204 where `seen` is that."""
    state = _state(slug)
    if request.GET.get("seen") == str(state.no):
        answer = HttpResponse(status=204)
    else:
        event = visits.public_event(slug).event
        answer = JsonResponse({"no": state.no, "state": states.state_of(event)})
    answer.headers["Cache-Control"] = "no-cache"
    return for_all(answer, state)


@login_not_required
@require_safe
def standings_at(request: HttpRequest, slug: str, no: int) -> HttpResponse:
    """Give the standings of this number as a part of a page; elsewhere the newest are found.

    What is hidden by now is gone from every address that it had.
    """
    state = _state(slug)
    if not standings_may_be_seen(visits.public_event(slug).event):
        return HttpResponse(status=GONE)
    if no != state.no:
        newest = HttpResponseRedirect(reverse("standings_at", args=[slug, state.no]))
        newest.headers["Cache-Control"] = "no-cache"
        return newest
    if not state.is_counted:  # a number later it will be; nobody keeps this one
        return standings_part(request, slug)
    # An open page is given more; what it says that it has seen is no part of this address.
    part = "part" if "HX-Request" in request.headers else "page"
    answer = drawn_once(standings_part, request, slug, state, f"numbered/{part}")
    answer.headers["Cache-Control"] = FOREVER
    patch_vary_headers(answer, ("Accept-Language",))
    return answer


def _state(slug: str) -> State:
    state = state_of(slug)
    if state is None:
        raise Http404
    return state
