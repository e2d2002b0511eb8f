"""What many phones ask for again and again is drawn once for each state of the event."""

import gzip
from collections.abc import Callable
from functools import wraps

from django.core.cache.backends.locmem import LocMemCache
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from clubs.models import Act
from server.shared_answers import FOR_ALL
from tournaments.addresses import parted
from tournaments.models import Event

KEPT = LocMemCache("kept pages", {"TIMEOUT": 60, "OPTIONS": {"MAX_ENTRIES": 100}})
"""In the memory of each process: a page is drawn faster than a large one is fetched."""

LIFE = 0.1  # seconds that standings are given to all who ask, before they are asked for anew
WINDOW = 64  # acts; one that is committed after so many younger ones is not noticed
UNSEEN = ("result.agreed",)  # acts that alter nothing on a page for everybody

View = Callable[[HttpRequest, str], HttpResponse]
Drawn = tuple[int, bytes, bytes]
"""A status, a body, and the same body packed."""


def kept(view: View) -> View:
    """Draw an event's standings once for each state they are in, and answer with that.

    All that such a page shows has a new ranking version or an act in the history when it
    changes. They are read before the page is drawn, so it is never older than its key says.
    Somebody with a cookie may be shown more than others, so that page is drawn each time.
    """

    @wraps(view)
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        key = "" if request.COOKIES else _key(request, slug)
        if not key:
            return view(request, slug)
        found: Drawn | None = KEPT.get(key)
        if found is None:
            found = _drawn(view(request, slug))
            KEPT.set(key, found)
        return _response(request, found, LIFE)

    return answer


def shared(life: float) -> Callable[[View], View]:
    """Let all who arrive within some seconds have the same page, unless they bear a cookie."""

    def sharing(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, slug: str) -> HttpResponse:
            drawn = view(request, slug)
            return drawn if request.COOKIES else _response(request, _drawn(drawn), life)

        return answer

    return sharing


def _drawn(response: HttpResponse) -> Drawn:
    content = response.content
    return response.status_code, content, gzip.compress(content, 6) if content else b""


def _response(request: HttpRequest, drawn: Drawn, life: float) -> HttpResponse:
    """Answer packed where the browser can unpack: a tenth of what the hall's Wi-Fi carries.

    Packing betrays a secret that lies beside a visitor's own text; such a page has neither.
    """
    status, content, packed = drawn
    takes_packed = packed and "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(packed if takes_packed else content, status=status)
    if takes_packed:
        response.headers["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ("Accept-Encoding", "HX-Request"))
    response.headers[FOR_ALL] = str(life)
    return response


def _key(request: HttpRequest, slug: str) -> str:
    states = Event.objects.filter(slug=parted(slug)[0]).values_list(
        F("ranking__version") + F("renamings"), "pk", "club__slug"
    )
    found = states.first()
    if found is None:
        return ""
    version, event, club = found
    seen = request.GET.get("seen", "")
    seen = seen if seen in (str(version), "0") else ""
    part = "part" if "HX-Request" in request.headers else "page"
    return f"{event}/{version}/{_acts(club)}/{seen}/{part}/{get_language()}"


def _acts(club: str) -> str:
    """Name the youngest acts of a club that a page for everybody may show.

    The youngest alone would not do: of two acts at the same time, the one with the higher
    number may be committed first.
    """
    newest = Act.objects.order_by("-pk").values_list("pk", "club", "action")[:WINDOW]
    told = [pk for pk, at, action in newest if at == club and action not in UNSEEN]
    return ",".join(map(str, told))
