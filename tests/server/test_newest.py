"""An open page that has the newest is told so from what was read for all events at once."""

from collections.abc import Callable, Iterable
from itertools import product
from threading import Event as Event_
from typing import Any

import pytest
from django.core.wsgi import get_wsgi_application
from django.db import DatabaseError
from django.test import RequestFactory
from django.utils import timezone

import scoring.services
from clubs.evenings.models import Evening
from scoring.reckoning import standings
from scoring.secrecy import standings_may_be_seen
from scoring.sheets.ranks import rank_version
from scoring.views import kept_pages
from server import listening, newest, shared_answers
from server.listening import Numbers
from server.newest import ENOUGH, Newest, Table
from server.shared_answers import Sharing
from server.shown import raise_number
from tests import evenings
from tournaments.models import Event, Session

PATH = "/events/a/standings/"


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> Numbers:
    """What a process knows that hears of every change."""
    made = Numbers()
    monkeypatch.setattr(made, "hears", lambda: True)
    for module in (newest, shared_answers, listening, kept_pages):
        monkeypatch.setattr(module, "NUMBERS", made)
    monkeypatch.setattr("server.shown.NUMBERS", made)
    return made


def asking(path: str = PATH, query: str = "seen=7", head: str | None = "true") -> Any:
    environ = RequestFactory().get(path, QUERY_STRING=query).environ
    return environ | ({"HTTP_HX_REQUEST": head} if head else {})


def reader(*rows: Newest) -> tuple[Callable[[], Iterable[Newest]], list[int]]:
    """Rows to be read, and how often they were."""
    times: list[int] = []

    def read() -> Iterable[Newest]:
        times.append(1)
        return rows

    return read, times


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["seen=7", "seen=6", "seen=", "", "seen=7&find=x"])
@pytest.mark.parametrize("head", ["true", None])
@pytest.mark.parametrize("grown", [0, 1])
def test_only_who_lacks_nothing_is_told_so(
    numbers: Numbers, query: str, head: str | None, grown: int
) -> None:
    """What is asked × by whom × whether anything changed since it was read."""
    numbers.learn("event:a", 5)
    read, _ = reader(Newest(PATH, "seen=7", (("event:a", 5),)))
    table = Table(read)
    table.has(asking())
    numbers.learn("event:a", 5 + grown)
    says = table.has(asking(query=query, head=head))
    assert says == (query == "seen=7" and head is not None and not grown)


@pytest.mark.django_db
def test_all_are_read_again_once_too_many_are_asked_in_vain(
    numbers: Numbers, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(newest.time, "monotonic", lambda: now[0])
    read, times = reader(*(Newest(f"/{n}/", "seen=1", ()) for n in range(2 * ENOUGH)))
    table = Table(read)
    assert not table.has(asking())
    assert len(times) == 1
    now[0] += newest.AGAIN
    for path in (PATH, PATH, "/b/"):  # two in vain are few for a hundred
        assert not table.has(asking(path))
    assert len(times) == 1
    table.has(asking("/c/"))
    assert len(times) == 2
    table.has(asking("/d/")), table.has(asking("/e/")), table.has(asking("/f/"))
    assert len(times) == 2  # never twice in half a minute


@pytest.mark.django_db
def test_a_database_that_is_away_is_left_to_the_view(numbers: Numbers) -> None:
    def read() -> Iterable[Newest]:
        raise DatabaseError

    assert not Table(read).has(asking())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("shown", "state"), list(product(Event.Shown.values, ["open", "behind", "closed"]))
)
def test_the_table_says_what_the_page_would(numbers: Numbers, shown: str, state: str) -> None:
    """Who may see standings × whether they hold everything: as the view answers, or unknown."""
    session, _ = evenings.played()
    event = session.event
    Event.objects.filter(pk=event.pk).update(standings_shown=shown)
    Evening.objects.filter(pk=session.evening_id).update(date=timezone.now().date())
    if state == "closed":
        scoring.services.close_session(session=session, by=None)
    standings.recompute(event)
    if state == "behind":
        Session.objects.filter(pk=session.pk).update(revision=1000)
    event = Event.objects.get(pk=event.pk)
    path = f"/events/{event.slug}/standings/"
    rows = {row.path: row for row in kept_pages.newest()}
    is_known = standings_may_be_seen(event) and state != "behind"
    assert (path in rows) == is_known
    if is_known:
        assert rows[path].query == f"seen={rank_version(event)}"
        raise_number(event.audit_key)
        numbers.learn(event.audit_key, 10**15)
        assert not numbers.holds(rows[path].at)


@pytest.mark.django_db(transaction=True)
def test_it_is_said_in_the_words_of_a_page_that_was_asked(numbers: Numbers) -> None:
    session, _ = evenings.played()
    event = session.event
    standings.recompute(event)
    path, query = f"/events/{event.slug}/standings/", f"seen={rank_version(event)}"
    other = Newest("/events/other/standings/", query, ())
    door = Sharing(get_wsgi_application(), Table(lambda: [other]))
    said: list[tuple[str, Any]] = []

    def ask(path: str, **more: str) -> tuple[str, bytes]:
        environ = asking(path, query) | {"HTTP_HOST": "localhost"} | more
        environ.pop("HTTP_COOKIE", None)
        body = b"".join(door(environ, lambda status, heads, *_: said.append((status, heads))))
        return said[-1][0], body

    assert ask(other.path)[0].startswith("404")  # nothing was said yet that could be repeated
    first = ask(path)
    assert first == ("204 No Content", b"")
    assert ask(other.path) == first
    assert dict(said[-1][1])["Vary"] == dict(said[-2][1])["Vary"]


class Tried:
    """A listener that has heard, or could not."""

    def __init__(self) -> None:
        self.has_tried = Event_()
        self.has_tried.set()


@pytest.mark.parametrize("hears", [True, False])
@pytest.mark.parametrize("listens", [True, False])
def test_a_process_reads_all_before_the_first_question_where_it_hears(
    numbers: Numbers, monkeypatch: pytest.MonkeyPatch, hears: bool, listens: bool
) -> None:
    monkeypatch.setattr(numbers, "hears", lambda: hears)
    read, times = reader(Newest(PATH, "seen=7", (("event:a", 0),)))
    table = Table(read)
    table.read_first(Tried() if listens else None)  # type: ignore[arg-type]  # as much of a listener as is asked
    assert times == ([1] if hears and listens else [])
    assert (PATH in table.rows) is (hears and listens)
