"""Find every page of the site from its URL patterns."""

import re
from collections.abc import Iterator

from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

import scoring.services
from clubs.models import Player
from scoring.standings_engine import standings
from server.models import User
from tests import evenings, factories
from tests.copies import build_once
from tests.refusals import short_error_responses
from tournaments import services
from tournaments.models import Session

OTHER_PREFIXES = ("admin/", "api/", "logout/")  # pages of Django, and those for programs
LOGIN_REQUIRED_PREFIX = (
    "/director/"  # every page needs a login; see `tests/scoring/pages/test_page_access.py`
)


@build_once
def create_full_event(*, is_closed: bool = True) -> tuple[Session, User]:
    """Create an event that fills every page: hands, all results except one, and standings.

    Return its session and its director.
    """
    session, user = evenings.play_session(boards_a_round=1, but=1)
    evenings.show_growing_totals(session.event)
    services.import_deals(
        session=session,
        deals_by_board={number: factories.make_deal(number) for number in (1, 2, 3)},
        by=user,
    )
    standings.update_standings(session.event)
    if is_closed:
        scoring.services.close_session(session=session, by=user)
    return session, user


def list_page_urls(
    session: Session, user: User | None = None, *, path_prefix: str = "/"
) -> list[str]:
    """Return the URLs under a path that respond with a complete page."""
    return sorted(render_pages(session, user, below=path_prefix))


def render_pages(
    session: Session,
    user: User | None = None,
    *,
    below: str = "/",
    excluded_prefixes: tuple[str, ...] = (),
) -> dict[str, str]:
    """Return every page that a visitor may open, by its URL.

    `LOGIN_REQUIRED_PREFIX`, the directors' pages, is left out for an anonymous visitor.
    """
    client = Client()
    if user is not None:
        client.force_login(user)
    values = {"slug": session.event.slug, "name": "compass", "pk": find_first_player(session)}
    urls = {fill_route(route, values) for route in list_routes(get_resolver().url_patterns)}
    addresses = sorted(address for address in urls if address.startswith(below))
    skipped_prefixes = (
        (*excluded_prefixes, LOGIN_REQUIRED_PREFIX) if user is None else excluded_prefixes
    )
    addresses = [address for address in addresses if not address.startswith(skipped_prefixes)]
    with short_error_responses():
        responses = {address: client.get(address) for address in addresses}
    return {
        address: response.content.decode()
        for address, response in responses.items()
        if _is_page(response)
    }


def find_first_player(session: Session) -> str:
    return str(Player.objects.filter(club=session.event.club).values_list("pk", flat=True)[0])


def list_routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route
        elif not route.startswith(OTHER_PREFIXES):
            yield from list_routes(pattern.url_patterns, route)


def fill_route(route: str, values: dict[str, str]) -> str:
    """Fill a route with this event's own values, or with 1."""
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda gap: values.get(gap[1], "1"), route)


def _is_page(response: HttpResponse) -> bool:
    is_html = response.headers.get("Content-Type", "").startswith("text/html")
    return response.status_code == 200 and is_html and b"<html" in response.content
