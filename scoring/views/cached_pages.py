"""Public pages of an event, cached for each state of the event (`server.page_cache`)."""

import gzip
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import Any, NamedTuple

from django.db.models import F, OuterRef, Subquery, Sum, Value
from django.db.models.functions import Coalesce, Concat
from django.db.utils import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from clubs.models import Club
from scoring.tasks import count_late_changes
from server import page_cache
from server.models import PublicVersion
from tournaments.addresses import parse_event_address
from tournaments.models import Event, Session

View = Callable[..., HttpResponse]

FRAGMENT_CACHE_SECONDS = 3600
PAGE_CACHE_SECONDS = 600
"""A page is cached for a shorter time than a fragment, because it also shows the names of
other objects, such as a final.
"""
INCOMPLETE_STANDINGS_CACHE_SECONDS = 1
"""The time a page is cached while its standings do not count all results."""
OFFLINE_NOTICE = b'<span id="standings-offline" class="quiet" hidden>'


class EventState(NamedTuple):
    """The state of an event on which its public pages depend."""

    versions_by_subject: dict[str, int]
    # None if the standings include all changes, else how many are missing for too long.
    late_change_count: int | None


def cache_event_page(seconds: int, *parameters: str) -> Callable[[View], View]:
    """Return a decorator that caches the responses of a public view of an event.

    A request with query parameters other than `parameters` is not cached. Responses are cached
    for `seconds` if the standings include all results. While the database is unavailable, a
    cached page is shown if it was current at most a minute ago.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def cached_view(request: HttpRequest, slug: str, **arguments: Any) -> HttpResponse:
            if not page_cache.is_response_public(request) or set(request.GET) - {*parameters}:
                return view(request, slug, **arguments)
            try:
                event_state = load_event_state(slug)
                response = view(request, slug, **arguments)
            except (OperationalError, InterfaceError):
                cached_page = page_cache.find_cached_page(request)
                if (
                    cached_page is None
                    or cached_page.status != 200
                    or request.GET.get("seen", "0") != "0"
                ):
                    # An open page polls with `seen`, and its script shows the outage.
                    raise
                return _add_cache_time_notice(cached_page)
            if event_state is not None:
                are_standings_current = event_state.late_change_count is None
                page_cache.mark_cacheable(
                    request,
                    event_state.versions_by_subject,
                    state=event_state.late_change_count,
                    seconds=seconds
                    if are_standings_current
                    else INCOMPLETE_STANDINGS_CACHE_SECONDS,
                )
            return response

        return cached_view

    return decorate


def load_event_state(slug: str) -> EventState | None:
    """Read the state of an event, in one or two queries; None if there is no such event."""
    sessions = Session.objects.filter(event=OuterRef("pk")).order_by().values("event")
    revision = Subquery(sessions.annotate(sum=Sum("revision")).values("sum"))
    events = Event.objects.filter(slug=parse_event_address(slug)[0])
    state_row = events.values_list(
        "pk",
        "slug",
        _build_version_expression(Event, "slug"),
        "club__slug",
        _build_version_expression(Club, "club__slug"),
        revision - Coalesce(F("ranking__revision"), 0),
    ).first()
    if state_row is None:
        return None
    (
        event_id,
        event_slug,
        event_version_number,
        club_slug,
        club_version_number,
        late_change_count,
    ) = state_row
    versions_by_subject = {
        Event(slug=event_slug).audit_key: event_version_number,
        Club(slug=club_slug).audit_key: club_version_number,
    }
    return EventState(
        versions_by_subject, count_late_changes(event_id) if late_change_count else None
    )


def _build_version_expression(model: type[Event | Club], slug_lookup: str) -> Coalesce:
    """Return an expression for the version number of the public pages of an event or its club.

    `slug_lookup` is the path from the event to the slug, e.g. "club__slug".
    """
    audit_key = Concat(Value(model(slug="").audit_key), OuterRef(slug_lookup))
    return Coalesce(Subquery(PublicVersion.objects.filter(about=audit_key).values("number")), 0)


def _add_cache_time_notice(page: page_cache.CachedPage) -> HttpResponse:
    """Return a cached page that says in its outage offline_notice when the page was current."""
    is_compressed = page.headers.get("Content-Encoding") == "gzip"
    page_content = gzip.decompress(page.content) if is_compressed else page.content
    checked_at = datetime.fromtimestamp(page.checked_at, UTC)
    time_note = _("As of %(time)s UTC.") % {"time": f"{checked_at:%H:%M}"}
    offline_notice = OFFLINE_NOTICE.replace(b" hidden>", b">") + f" {time_note} ".encode()
    return HttpResponse(
        page_content.replace(OFFLINE_NOTICE, offline_notice), status=page.status
    )
