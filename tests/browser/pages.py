"""Every page of the site, found from the URL patterns rather than from a list."""

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
from tests.copies import built_once
from tests.refusals import refused_in_a_line
from tournaments import services
from tournaments.models import Session

ELSEWHERE = ("admin/", "api/", "logout/")  # Django's own pages, and those for machines
LOCKED = "/director/"  # all of it needs a login: `tests/scoring/pages/test_doors.py`


@built_once
def evening(*, closed: bool = True) -> tuple[Session, User]:
    """Create an event that fills every page: hands, all results but one, and standings.

    Return its session and its director.
    """
    session, user = evenings.played(boards_a_round=1, but=1)
    evenings.tell_every_result(session.event)
    services.import_deals(
        session=session,
        deals={number: factories.a_deal(number) for number in (1, 2, 3)},
        by=user,
    )
    standings.update_standings(session.event)
    if closed:
        scoring.services.close_session(session=session, by=user)
    return session, user


def every_page(session: Session, user: User | None = None, *, below: str = "/") -> list[str]:
    """Return the URLs under a path that respond with a complete page."""
    return sorted(drawn(session, user, below=below))


def drawn(
    session: Session, user: User | None = None, *, below: str = "/", but: tuple[str, ...] = ()
) -> dict[str, str]:
    """Return every page that a visitor may open, by its URL.

    `LOCKED`, the directors' pages, is left out for an anonymous visitor.
    """
    client = Client()
    if user is not None:
        client.force_login(user)
    values = {"slug": session.event.slug, "name": "compass", "pk": _a_player(session)}
    found = {_filled(route, values) for route in _routes(get_resolver().url_patterns)}
    asked = sorted(address for address in found if address.startswith(below))
    left_out = (*but, LOCKED) if user is None else but
    asked = [address for address in asked if not address.startswith(left_out)]
    with refused_in_a_line():
        answers = {address: client.get(address) for address in asked}
    return {
        address: answer.content.decode()
        for address, answer in answers.items()
        if _is_page(answer)
    }


def _a_player(session: Session) -> str:
    return str(Player.objects.filter(club=session.event.club).values_list("pk", flat=True)[0])


def _routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route
        elif not route.startswith(ELSEWHERE):
            yield from _routes(pattern.url_patterns, route)


def _filled(route: str, values: dict[str, str]) -> str:
    """Fill a route with this event's own values, or with 1."""
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda gap: values.get(gap[1], "1"), route)


def _is_page(answer: HttpResponse) -> bool:
    is_html = answer.headers.get("Content-Type", "").startswith("text/html")
    return answer.status_code == 200 and is_html and b"<html" in answer.content
