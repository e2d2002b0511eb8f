"""What many phones ask for again and again is drawn once for each state of the event."""

import gzip
import time
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from hashlib import blake2s

from django.core.cache.backends.locmem import LocMemCache
from django.db.models import F, Sum
from django.db.utils import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubs.models import Act
from scoring.tasks import late_changes
from server.shared_answers import FOR_ALL
from tournaments.addresses import parted
from tournaments.models import Event

KEPT = LocMemCache("kept pages", {"TIMEOUT": 60, "OPTIONS": {"MAX_ENTRIES": 100}})
"""In the memory of each process: a page is drawn faster than a large one is fetched."""

View = Callable[[HttpRequest, str], HttpResponse]
Drawn = tuple[int, bytes, bytes]
"""A status, a body, and the same body packed."""

LAST: dict[tuple[str, bool, str, str], tuple[float, datetime, Drawn]] = {}
"""What everybody was shown last, by address, for as long as the database is away."""
REMEMBERED = 60.0  # seconds
MOST = 200  # pages
UNFOLLOWED = b'<span id="standings-offline" class="quiet" hidden>'

LIFE = 0.1  # seconds that standings are given to all who ask, before they are asked for anew
WINDOW = 64  # acts; one that is committed after so many younger ones is not noticed
UNSEEN = ("result.agreed",)  # acts that alter nothing on a page for everybody


def kept(view: View) -> View:
    """Draw an event's standings once for each state they are in, and answer with that.

    All that such a page shows has a new ranking version or an act in the history when it
    changes. They are read before the page is drawn, so it is never older than its key says.
    Somebody with a cookie may be shown more than others, so that page is drawn each time.
    """

    @wraps(view)
    @from_memory
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        key = "" if request.COOKIES else _key(request, slug)
        if not key:
            return view(request, slug)
        found: Drawn | None = KEPT.get(key)
        if found is None:
            found = _drawn(view(request, slug))
            KEPT.set(key, found)
        remember(request, found)
        return _response(request, found, LIFE)

    return answer


def shared(life: float) -> Callable[[View], View]:
    """Let all who arrive within some seconds have the same page, unless they bear a cookie."""

    def sharing(view: View) -> View:
        @wraps(view)
        @from_memory
        def answer(request: HttpRequest, slug: str) -> HttpResponse:
            response = view(request, slug)
            if request.COOKIES:
                return response
            drawn = _drawn(response)
            remember(request, drawn)
            return _response(request, drawn, life)

        return answer

    return sharing


def from_memory(view: View) -> View:
    """While the database is away, show for a minute what everybody was shown last.

    It says from when it is. A visitor with a cookie may be shown more, and an open page that
    has the standings already learns that they are not followed: both get no old page.
    """

    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        try:
            return view(request, slug)
        except (OperationalError, InterfaceError):
            last = None if request.COOKIES else LAST.get(_place(request))
            if last is None or time.monotonic() - last[0] > REMEMBERED:
                raise
            return _response(request, _dated(last[1], last[2]), LIFE)

    return answer


def remember(request: HttpRequest, drawn: Drawn) -> None:
    """Keep a whole page or part for the case that the database goes away."""
    if drawn[0] == 200 and request.GET.get("seen", "0") == "0":
        if len(LAST) >= MOST:
            LAST.clear()
        LAST[_place(request)] = (time.monotonic(), timezone.now(), drawn)


def _place(request: HttpRequest) -> tuple[str, bool, str, str]:
    seen = request.GET.get("seen", "0")
    return request.path, "HX-Request" in request.headers, seen, get_language() or ""


def _dated(at: datetime, drawn: Drawn) -> Drawn:
    """Say on a page of before from when it is, in the place that open pages use for it."""
    words = _("As of %(time)s UTC.") % {"time": f"{at:%H:%M}"}
    said = UNFOLLOWED.replace(b" hidden>", b">") + f" {words} ".encode()
    content = drawn[1].replace(UNFOLLOWED, said)
    return drawn[0], content, gzip.compress(content, 6)


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
    states = Event.objects.filter(slug=parted(slug)[0]).annotate(
        grown=Sum("sessions__revision")
    )
    version = F("ranking__public_version") + F("renamings")
    found = states.values_list(
        version, "pk", "club__slug", "grown", "ranking__revision"
    ).first()
    if found is None:
        return ""
    version, event, club, grown, counted = found
    late = late_changes(event) if grown != counted else 0
    seen = request.GET.get("seen", "")
    seen = seen if seen in (str(version), "0") else ""
    part = "part" if "HX-Request" in request.headers else "page"
    return f"{event}/{version}/{late}/{_acts(club)}/{seen}/{part}/{get_language()}"


def _acts(club: str) -> str:
    """Name the youngest acts of a club that a page for everybody may show, in one short word.

    The youngest alone would not do: of two acts at the same time, the one with the higher
    number may be committed first. All their numbers would be longer than a key should be.
    """
    newest = Act.objects.order_by("-pk").values_list("pk", "club", "action")[:WINDOW]
    told = [pk for pk, at, action in newest if at == club and action not in UNSEEN]
    return blake2s(",".join(map(str, told)).encode(), digest_size=16).hexdigest()
