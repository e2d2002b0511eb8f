"""What many phones ask for again and again is drawn once for each state of the event."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import wraps
from typing import NamedTuple

from django.core.cache.backends.locmem import LocMemCache
from django.db.models import F, OuterRef, Q, Subquery, Sum
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from django.db.utils import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubs.models import Club
from scoring.secrecy import standings_may_be_seen
from scoring.tasks import late_changes
from server import bodies, packing
from server.listening import NUMBERS, written
from server.newest import Newest
from server.packing import Body, Form
from server.shared_answers import AT, FOR_ALL
from server.shown import numbers
from tournaments.addresses import parted
from tournaments.models import Event, Session
from tournaments.visits import public_event

KEPT = LocMemCache("kept pictures", {"TIMEOUT": 60, "OPTIONS": {"MAX_ENTRIES": 100}})
"""Pictures of cards, in the memory of each process."""

View = Callable[[HttpRequest, str], HttpResponse]


class Last(NamedTuple):
    """What everybody was shown last: when, by both clocks, what, and at which numbers."""

    at: float
    moment: datetime
    drawn: Body
    numbers: dict[str, int]

    @property
    def may_be_shown(self) -> bool:
        """Whether it is of the last minute, and this process has heard of no change since.

        What has changed may have been hidden: a name, or the standings.
        """
        is_young = time.monotonic() - self.at <= REMEMBERED
        known = NUMBERS.known
        return is_young and all(known.get(about, 0) <= no for about, no in self.numbers.items())


LAST: dict[tuple[str, bool, str, str], Last] = {}
"""What everybody was shown last, by address, for as long as the database is away."""
REMEMBERED = 60.0  # seconds
MOST = 200  # pages
UNFOLLOWED = b'<span id="standings-offline" class="quiet" hidden>'

PART = 0.1  # seconds that standings are given to all who ask, where no change would be heard of
PAGE = 1.0  # the same of a whole page
A_DAY_S_WORDS = 600  # seconds after which a page is drawn anew for what the clock alters in it


VERSION = Coalesce(F("ranking__public_version"), 0) + F("renamings")
A_DAY = timedelta(days=1)
NOTHING = Body(204, b"")
"""For an open page that has the standings already."""


class State(NamedTuple):
    """In which state an event's standings are: all that tells whether they look the same."""

    event: int
    version: int
    numbers: dict[str, int]
    late: int
    is_counted: bool  # whether the standings hold every result that has come in

    @property
    def no(self) -> int:
        """One number for all that they show; it only grows."""
        return sum(self.numbers.values())


def kept(view: View) -> View:
    """Draw an event's standings once for each state they are in, and answer with that.

    All that such a page shows has a number that grows when it changes (`server.shown`). The
    numbers are read before the page is drawn, so it is never older than its key says.
    Somebody with a cookie may be shown more than others, so that page is drawn each time.
    """

    @wraps(view)
    @from_memory
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        state = None if request.COOKIES else state_of(slug)
        if state is None:
            return view(request, slug)
        seen = request.GET.get("seen", "")
        seen = seen if seen in (str(state.version), "0") else ""
        if _is_unchanged(slug, state, seen):
            return _response(request, NOTHING, PART, state)
        part = "part" if "HX-Request" in request.headers else "page"
        found = _body(view, request, slug, state, f"{seen}/{part}")
        remember(request, found, state)
        return _response(request, found, PART, state)

    return answer


def shared(view: View) -> View:
    """Let all who arrive have the same page, unless they bear a cookie or ask for more.

    A page's words may depend on the day: none is given for longer than ten minutes.
    """

    @wraps(view)
    @from_memory
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        if request.COOKIES:
            return view(request, slug)
        state = None if request.GET else state_of(slug)
        if state is None:
            drawn = _drawn(view(request, slug), _form_of(request))
        else:
            times = int(time.time() // A_DAY_S_WORDS)
            origin = f"{request.scheme}://{request.get_host()}"
            drawn = _body(view, request, slug, state, f"whole/{times}/{origin}")
            remember(request, drawn, state)
        return _response(request, drawn, PAGE, state)

    return answer


def drawn_once(
    view: View, request: HttpRequest, slug: str, state: State, what: str
) -> HttpResponse:
    """Answer with what was drawn in this state, by whichever process, or draw it."""
    return _response(request, _body(view, request, slug, state, what), PART, state)


def for_all(response: HttpResponse, state: State | None, life: float = PART) -> HttpResponse:
    """Mark an answer as the same for everybody who asks in this state.

    Standings that lack results, and say so after a while, are not given on for long.
    """
    response.headers[FOR_ALL] = str(life)
    if state is not None and state.is_counted:
        response.headers[AT] = written(state.numbers)
    return response


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
            if last is None or not last.may_be_shown:
                raise
            return _response(request, _dated(last.moment, last.drawn), PART, None)

    return answer


def remember(request: HttpRequest, drawn: Body, state: State) -> None:
    """Keep a whole page or part for the case that the database goes away."""
    if drawn.status == 200 and request.GET.get("seen", "0") == "0":
        if len(LAST) >= MOST:
            LAST.clear()
        LAST[_place(request)] = Last(time.monotonic(), timezone.now(), drawn, state.numbers)


def _place(request: HttpRequest) -> tuple[str, bool, str, str]:
    seen = request.GET.get("seen", "0")
    return request.path, "HX-Request" in request.headers, seen, get_language() or ""


def _dated(at: datetime, drawn: Body) -> Body:
    """Say on a page of before from when it is, in the place that open pages use for it."""
    words = _("As of %(time)s UTC.") % {"time": f"{at:%H:%M}"}
    said = UNFOLLOWED.replace(b" hidden>", b">") + f" {words} ".encode()
    text = packing.unpacked(drawn).replace(UNFOLLOWED, said)
    return packing.packed(drawn.status, text, drawn.form)


def _body(view: View, request: HttpRequest, slug: str, state: State, what: str) -> Body:
    """Give what was drawn in this state, by whichever process, or draw it."""
    drawn_at = "/".join(str(no) for no in state.numbers.values())
    key = f"{slug}/{state.event}/{drawn_at}/{state.version}/{state.late}/{what}"
    key, form = f"{key}/{get_language()}", _form_of(request)
    return bodies.body(key, form, lambda: _drawn(view(request, slug), form))


def _is_unchanged(slug: str, state: State, seen: str) -> bool:
    """Whether an open page has what everybody may see, and that holds all that came in."""
    if not state.is_counted or seen != str(state.version):
        return False
    return standings_may_be_seen(public_event(slug).event)


def _form_of(request: HttpRequest) -> Form | None:
    """In which form who asks can take a body."""
    return packing.asked_for(request.headers.get("Accept-Encoding", ""))


def _drawn(response: HttpResponse, form: Form | None) -> Body:
    return packing.packed(response.status_code, response.content, form)


def _response(
    request: HttpRequest, drawn: Body, life: float, state: State | None
) -> HttpResponse:
    """Answer packed where the browser can unpack: a tenth of what the hall's Wi-Fi carries.

    Packing betrays a secret that lies beside a visitor's own text; such a page has neither.
    """
    form = _form_of(request)
    drawn = packing.in_form(drawn, form)
    takes_packed = bool(drawn.packed) and form is not None
    content = drawn.packed if takes_packed else packing.unpacked(drawn)
    response = HttpResponse(content, status=drawn.status)
    if takes_packed:
        response.headers["Content-Encoding"] = drawn.form.value  # servers take plain text alone
    patch_vary_headers(response, ("Accept-Encoding", "HX-Request"))
    return for_all(response, state, life)


def newest() -> Iterator[Newest]:
    """What an open page asks that has all that everybody may see, for the events of these days.

    What this process knows of the numbers is taken first: it is never newer than the rows.
    """
    known = dict(NUMBERS.known)
    day = timezone.now().date() - A_DAY
    current = Session.objects.filter(Q(state=Session.State.OPEN) | Q(evening__date__gte=day))
    events = Event.objects.filter(pk__in=current.values("event"))
    counted = dict(
        events.annotate(behind=left_out()).filter(behind=0).values_list("pk", VERSION)
    )
    for event in events.with_sessions():
        if event.pk in counted and standings_may_be_seen(event):
            abouts = (event.audit_key, event.club.audit_key)
            at = tuple((about, known.get(about, 0)) for about in abouts)
            yield Newest(
                reverse("standings", args=[event.slug]), f"seen={counted[event.pk]}", at
            )


def left_out() -> Combinable:
    """How many changes of an event its standings do not count yet."""
    written = Session.objects.filter(event=OuterRef("pk")).order_by()
    grown = Subquery(written.values("event").annotate(grown=Sum("revision")).values("grown"))
    return grown - Coalesce(F("ranking__revision"), 0)


def state_of(slug: str) -> State | None:
    """Read in which state an event is; None for one that is not there."""
    rows = Event.objects.filter(slug=parted(slug)[0])
    found = rows.values_list("pk", "slug", "club__slug", VERSION, left_out()).first()
    if found is None:
        return None
    pk, own, club, seen, behind = found
    at = numbers((Event(slug=own).audit_key, Club(slug=club).audit_key))
    late = late_changes(pk) if behind else 0
    return State(pk, seen, at, late, is_counted=not behind)
