"""Every page of the site, found by its addresses rather than by a list that grows old."""

import re
from collections.abc import Iterator

from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

import scoring.services
from clubs.models import Player
from scoring.reckoning import standings
from server.models import User
from tests import evenings, factories
from tests.copies import built_once
from tests.refusals import refused_in_a_line
from tournaments import services
from tournaments.models import Session

ELSEWHERE = ("admin/", "api/", "logout/")  # Django's own pages, and what programs read
LOCKED = "/director/"  # the wall stands before all of it: `tests/scoring/pages/test_doors.py`


@built_once
def evening(*, closed: bool = True) -> tuple[Session, User]:
    """An evening that fills every page: hands, results but one, standings, and its director."""
    session, user = evenings.played(boards_a_round=1, but=1)
    evenings.tell_every_result(session.event)
    services.import_deals(
        session=session,
        deals={number: factories.a_deal(number) for number in (1, 2, 3)},
        by=user,
    )
    standings.recompute(session.event)
    if closed:
        scoring.services.close_session(session=session, by=user)
    return session, user


def every_page(session: Session, user: User | None = None, *, below: str = "/") -> list[str]:
    """The addresses that answer a visitor with a whole page of their own, below one of them."""
    return sorted(drawn(session, user, below=below))


def drawn(
    session: Session, user: User | None = None, *, below: str = "/", but: tuple[str, ...] = ()
) -> dict[str, str]:
    """Every page that a visitor may open, by its address; nobody's are before the wall."""
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
    """Put this evening's own values, or a 1, where an address has a gap."""
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda gap: values.get(gap[1], "1"), route)


def _is_page(answer: HttpResponse) -> bool:
    is_html = answer.headers.get("Content-Type", "").startswith("text/html")
    return answer.status_code == 200 and is_html and b"<html" in answer.content
