"""What many phones ask for again and again is drawn once for each state of the event."""

from collections.abc import Callable
from functools import wraps

from django.core.cache.backends.locmem import LocMemCache
from django.db.models import F, Subquery
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from tournaments.addresses import parted
from tournaments.models import AuditEntry, Event

KEPT = LocMemCache("kept pages", {"TIMEOUT": 60, "OPTIONS": {"MAX_ENTRIES": 100}})
"""In the memory of each process: a page is drawn faster than a large one is fetched."""

View = Callable[[HttpRequest, str], HttpResponse]


def kept(view: View) -> View:
    """Draw an event's standings once for each state they are in, and answer with that.

    All that such a page shows has a new ranking version or an act in the history when it
    changes. They are read before the page is drawn, so it is never older than its key says.
    """

    @wraps(view)
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        key = _key(request, slug)
        if not key:
            return view(request, slug)
        answered = KEPT.get(key)
        if answered is None:
            drawn = view(request, slug)
            answered = drawn.status_code, drawn.content
            KEPT.set(key, answered)
        status, content = answered
        return HttpResponse(content, status=status)

    return answer


def _key(request: HttpRequest, slug: str) -> str:
    name, session = parted(slug)
    newest = AuditEntry.objects.order_by("-pk").values("pk")[:1]
    states = Event.objects.filter(slug=name).values_list(
        F("ranking__version") + F("renamings"), "pk", Subquery(newest)
    )
    found = states.first()
    if found is None:
        return ""
    version, event, act = found
    seen = request.GET.get("seen", "")
    seen = seen if seen in (str(version), "0") else ""
    part = "part" if "HX-Request" in request.headers else "page"
    return f"{event}.{session}/{version}/{act}/{seen}/{part}/{get_language()}"
