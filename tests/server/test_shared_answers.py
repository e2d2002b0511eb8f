"""One answer for all who ask the same in the same moment, and never for anybody else."""

import gzip
import re
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

import brotli
import pytest
from django.core.wsgi import get_wsgi_application
from django.test import RequestFactory

from clubs.audit import record
from scoring.reckoning import standings
from scoring.views.kept_pages import state_of
from server import bodies, shared_answers
from server.listening import Numbers
from server.shared_answers import AT, AT_ONCE, FOR_ALL, Sharing
from tests import evenings
from tournaments.models import Session

LIFE = 0.1
BEARER = re.compile(rb'(csrfmiddlewaretoken" value|nonce)="[^"]*"')


class Clock:
    """A clock that goes on only when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return 1_000_000 + self.now


class Inner:
    """An application that counts how often it is asked, and answers with the count."""

    def __init__(self) -> None:
        self.asked = 0
        self.is_marked = True
        self.at = ""
        self.closed = 0
        self.meanwhile: Callable[[], object] = lambda: None

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        self.asked += 1
        headers = [("Content-Type", "text/plain"), *([(FOR_ALL, str(LIFE))] * self.is_marked)]
        headers += [(AT, self.at)] if self.at else []
        start("200 OK", headers)
        self.meanwhile()
        return Body([b"answer ", str(self.asked).encode()], self)


class Body(list[bytes]):
    """A body that has to be closed, as every WSGI server does."""

    def __init__(self, parts: list[bytes], inner: Inner) -> None:
        super().__init__(parts)
        self.inner = inner

    def close(self) -> None:
        self.inner.closed += 1


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(shared_answers, "time", made)
    return made


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> Numbers:
    """A process that knows no number yet and hears of none."""
    made = Numbers()
    monkeypatch.setattr(shared_answers, "NUMBERS", made)
    return made


@pytest.fixture
def inner() -> Inner:
    return Inner()


def ask(application: Any, path: str = "/a/", method: str = "GET", **environ: str) -> str:
    """Ask as a server does, and check that the mark does not leave the house."""
    body, _headers = answer(application, path, method, **environ)
    return body.decode()


def answer(
    application: Any, path: str = "/a/", method: str = "GET", **environ: str
) -> tuple[bytes, dict[str, str]]:
    """Ask as a server does; return the body and the headers."""
    request = RequestFactory().generic(method, path, **environ)
    request.environ.pop("HTTP_COOKIE", None)
    started: list[dict[str, str]] = []
    got = application(
        request.environ | environ,
        lambda _status, headers, *_error: started.append(dict(headers)),
    )
    body = b"".join(got)
    assert len(started) == 1
    assert not {FOR_ALL, AT} & set(started[0])
    assert {type(word) for word in started[0].values()} <= {str}  # some servers take no other
    return body, started[0]


def test_all_who_ask_in_one_moment_get_one_answer(inner: Inner, clock: Clock) -> None:
    door = Sharing(inner)
    first = ask(door)
    clock.now += LIFE * 0.9
    assert [ask(door) for _ in range(5)] == [first] * 5
    assert (inner.asked, inner.closed) == (1, 1)


def test_a_moment_later_it_is_asked_anew(inner: Inner, clock: Clock) -> None:
    door = Sharing(inner)
    ask(door)
    clock.now += 2 * LIFE
    assert ask(door) == "answer 2"


def test_an_answer_is_as_old_as_its_question(inner: Inner, clock: Clock) -> None:
    """What took long to draw is not kept longer: what it shows was read at the beginning."""
    door = Sharing(inner)
    inner.meanwhile = lambda: setattr(clock, "now", clock.now + 2 * LIFE)
    ask(door)
    assert ask(door) == "answer 2"


@pytest.mark.parametrize(
    "environ",
    [
        {"HTTP_HX_REQUEST": "true"},
        {"HTTP_HOST": "elsewhere.example"},
        {"HTTP_X_FORWARDED_PROTO": "https"},
        {"HTTP_ACCEPT_ENCODING": "gzip"},
        {"HTTP_ACCEPT_ENCODING": "gzip, br"},
        {"HTTP_ACCEPT_LANGUAGE": "de"},
        {"QUERY_STRING": "seen=4"},
        {"PATH_INFO": "/b/"},
    ],
)
def test_who_asks_for_something_else_gets_something_else(
    inner: Inner, clock: Clock, environ: dict[str, str]
) -> None:
    door = Sharing(inner)
    assert ask(door) == "answer 1"
    assert ask(door, **environ) == "answer 2"


@pytest.mark.parametrize(
    ("method", "environ"), [("GET", {"HTTP_COOKIE": "sessionid=x"}), ("POST", {}), ("HEAD", {})]
)
def test_a_visitor_with_a_cookie_and_one_who_sends_are_always_passed_on(
    inner: Inner, clock: Clock, method: str, environ: dict[str, str]
) -> None:
    door = Sharing(inner)
    ask(door)
    assert ask(door, method=method, **environ) == "answer 2"
    assert ask(door, method=method, **environ) == "answer 3"
    assert ask(door) == "answer 1"


def test_what_is_not_marked_is_never_shared(inner: Inner, clock: Clock) -> None:
    inner.is_marked = False
    door = Sharing(inner)
    assert [ask(door), ask(door)] == ["answer 1", "answer 2"]


def test_while_one_has_it_drawn_the_others_get_what_there_is(
    inner: Inner, clock: Clock
) -> None:
    door = Sharing(inner)
    ask(door)
    clock.now += 2 * LIFE
    begun, go_on = threading.Event(), threading.Event()
    inner.meanwhile = lambda: (begun.set(), go_on.wait(5))
    one = threading.Thread(target=ask, args=(door,))
    one.start()
    assert begun.wait(5)
    inner.meanwhile = lambda: None
    assert ask(door) == "answer 1"
    clock.now += LIFE + shared_answers.RENEWED
    assert ask(door) == "answer 3"  # but not for ever
    go_on.set()
    one.join(5)


@pytest.mark.parametrize(
    ("query", "cookie", "gives_way"),
    [
        ("seen=7", "", True),
        ("part=1&seen=7", "", True),
        ("seen=", "", False),  # a page that has nothing yet
        ("", "", False),
        ("unseen=7", "", False),
        ("seen=7", "sessionid=1", False),  # a director's page shows more
    ],
)
@pytest.mark.parametrize("at_work", [0, AT_ONCE - 1, AT_ONCE])
def test_an_open_page_gives_way_where_others_are_answered_anew(
    inner: Inner, clock: Clock, query: str, cookie: str, gives_way: bool, at_work: int
) -> None:
    """Questions that are being answered anew × what comes then: an entry never waits long."""
    door = Sharing(inner)
    go_on, begun = threading.Event(), threading.Barrier(at_work + 1)
    inner.meanwhile = lambda: (begun.wait(5), go_on.wait(5))
    first = [
        threading.Thread(target=ask, args=(door, f"/{each}/?seen=1")) for each in range(at_work)
    ]
    for one in first:
        one.start()
    begun.wait(5)
    inner.meanwhile = lambda: None
    environ = {"HTTP_COOKIE": cookie} if cookie else {}
    said = ask(door, f"/b/?{query}", **environ)
    entered = ask(door, "/t/table/", method="POST")
    go_on.set()
    for one in first:
        one.join(5)
    is_shed = gives_way and at_work == AT_ONCE
    assert said == ("" if is_shed else f"answer {at_work + 1}")
    assert entered == f"answer {at_work + 2 - is_shed}"
    assert ask(door, "/b/?seen=8") == f"answer {at_work + 3 - is_shed}"  # the next is asked


def test_a_failure_is_not_remembered(inner: Inner, clock: Clock) -> None:
    door = Sharing(inner)
    ask(door)
    clock.now += 2 * LIFE

    def fail() -> None:
        raise OSError

    inner.meanwhile = fail
    with pytest.raises(OSError):  # noqa: PT011 - it has no words
        ask(door)
    inner.meanwhile = lambda: None
    assert ask(door) == "answer 3"


def test_a_flood_of_different_questions_does_not_fill_the_memory(
    inner: Inner, clock: Clock
) -> None:
    door = Sharing(inner)
    door.answers.most = lambda: 20 * bodies.OVERHEAD
    for number in range(60):
        ask(door, f"/a/?seen={number}")
        ask(door, "/a/?seen=0")  # what is asked for again and again stays
    assert 10 < len(door.answers.things) < 20
    assert ask(door, "/a/?seen=0") == "answer 1"


@pytest.mark.parametrize(
    ("hears", "grown", "age", "expected"),
    [
        (True, False, 30, 1),  # as good as new
        (True, True, 0.01, 1),  # too young to be asked about
        (True, True, 30, 2),
        (False, False, 0.01, 1),
        (False, False, 30, 2),  # nothing was heard, which says nothing
        (True, False, 301, 2),
    ],
)
def test_an_answer_lives_until_a_number_that_it_names_has_grown(
    inner: Inner, clock: Clock, numbers: Numbers, hears: bool, grown: bool, age: float,
    expected: int,
) -> None:  # fmt: skip
    inner.at = "event:tuesday=7 club:ours=0"
    door = Sharing(inner)
    assert ask(door) == "answer 1"
    numbers.heard_at = time.monotonic() if hears else None
    numbers.learn("event:tuesday", 7)
    numbers.learn("event:elsewhere", 9)
    if grown:
        numbers.learn("club:ours", 1)
    clock.now += age
    assert ask(door) == f"answer {expected}"


class Between:
    """What processes lay down for each other, as Redis keeps it."""

    def __init__(self) -> None:
        self.things: dict[str, bytes] = {}

    def read(self, key: str) -> bytes:
        return self.things.get(key, b"")

    def write(self, key: str, content: bytes, seconds: int) -> None:
        assert seconds == shared_answers.LONGEST
        self.things[key] = content


@pytest.fixture
def between(monkeypatch: pytest.MonkeyPatch) -> Between:
    made = Between()
    monkeypatch.setattr(shared_answers, "_pool", lambda: made)
    return made


def test_without_redis_a_process_finds_it_in_the_folder_of_the_machine(
    inner: Inner, clock: Clock, numbers: Numbers, settings: Any
) -> None:
    settings.REDIS_URL = ""
    inner.at = "event:tuesday=7 club:ours=0"
    numbers.heard_at = time.monotonic()
    numbers.known = {"event:tuesday": 7}
    assert answer(Sharing(inner))[0] == b"answer 1"
    assert answer(Sharing(inner))[0] == b"answer 1"
    numbers.known = {"event:tuesday": 8}
    assert answer(Sharing(inner))[0] == b"answer 2"


@pytest.mark.parametrize(
    ("hears", "known", "age", "expected"),
    [
        (True, 7, 0.01, 1),
        (True, 7, 299, 1),
        (True, 7, 301, 2),
        (True, 8, 30, 2),  # it has changed since
        (True, 6, 30, 2),  # the database was put back: what it shows is no longer there
        (True, 0, 30, 2),
        (False, 7, 0.01, 2),
    ],
)
def test_a_process_gives_what_another_was_answered(
    inner: Inner, clock: Clock, numbers: Numbers, between: Between, hears: bool, known: int,
    age: float, expected: int,
) -> None:  # fmt: skip
    inner.at = "event:tuesday=7 club:ours=0"
    numbers.heard_at = time.monotonic()
    numbers.known = {"event:tuesday": 7}
    assert answer(Sharing(inner))[0] == b"answer 1"
    clock.now += age
    numbers.known = {"event:tuesday": known}
    numbers.heard_at = time.monotonic() if hears else None
    door = Sharing(inner)  # as in a process that has just been started
    body, headers = answer(door)
    assert body.decode() == f"answer {expected}"
    assert headers == {"Content-Type": "text/plain"}
    assert ask(door, "/b/") == f"answer {expected + 1}"


def test_what_it_took_over_grows_old_from_when_it_was_asked_for(
    inner: Inner, clock: Clock, numbers: Numbers, between: Between
) -> None:
    inner.at = "event:tuesday=7"
    numbers.heard_at = time.monotonic()
    numbers.known = {"event:tuesday": 7}
    ask(Sharing(inner))
    clock.now += 200
    door = Sharing(inner)
    assert ask(door) == "answer 1"
    clock.now += 101
    assert ask(door) == "answer 2"
    assert ask(Sharing(inner)) == "answer 2"


@pytest.mark.parametrize("torn", [b"", b"x", b"[1, 2]\nanswer", b"{}\n"])
def test_what_is_torn_is_no_answer(
    inner: Inner, clock: Clock, numbers: Numbers, between: Between, torn: bytes
) -> None:
    inner.at = "event:tuesday=7"
    numbers.heard_at = time.monotonic()
    numbers.known = {"event:tuesday": 7}
    ask(Sharing(inner))
    (key,) = between.things
    between.things[key] = torn or between.things[key][:-1]
    assert ask(Sharing(inner)) == "answer 2"


def test_an_answer_that_names_no_number_stays_at_home(
    inner: Inner, clock: Clock, numbers: Numbers, between: Between
) -> None:
    numbers.heard_at = time.monotonic()
    ask(Sharing(inner))
    assert not between.things


@pytest.fixture
def session(transactional_db: None) -> Session:
    found, _ = evenings.played()
    standings.recompute(found.event)
    return found


WAYS = {
    None: None,
    "": None,
    "identity": None,
    "gzip": "gzip",
    "gzip, deflate": "gzip",
    "br": "br",
    "gzip, deflate, br, zstd": "br",
    "br;q=0, gzip": "gzip",
    "br;q=0, gzip;q=0": None,
    "nonsense;;q=,": None,
}
"""What a visitor may say of packing, and the form of his answer."""
PART = {"HTTP_HX_REQUEST": "true"}
KINDS = {
    "the standings alone": ("standings/", PART, 200),
    "the page": ("", {}, 200),
    "the page with something asked of it": ("?find=ann", {}, 200),
    "standings that were seen": ("standings/?seen={version}", PART, 204),
    "standings by their number": ("standings/v{no}", {}, 200),
    "the page of one with a cookie": ("", {"HTTP_COOKIE": "own=1"}, 200),
}
UNPACKED = {None: bytes, "gzip": gzip.decompress, "br": brotli.decompress}


def test_everybody_gets_the_standings_in_a_form_that_he_reads(
    session: Session, clock: Clock
) -> None:
    """Every way of asking by every kind of page, through one process that keeps them."""
    event = session.event
    state = state_of(event.slug)
    assert state is not None
    door, local = Sharing(get_wsgi_application()), {"HTTP_HOST": "localhost"}
    for kind, (address, heads, status) in KINDS.items():
        path, _mark, query = address.partition("?")
        path = f"/events/{event.slug}/{path.format(no=state.no)}"
        local["QUERY_STRING"] = query.format(version=state.version)
        plain: set[bytes] = set()
        for _again in range(2):
            for accepts, form in WAYS.items():
                said = {} if accepts is None else {"HTTP_ACCEPT_ENCODING": accepts}
                got, headers = answer(door, path, **heads, **local, **said)
                packed_as = None if status == 204 or "HTTP_COOKIE" in heads else form
                assert headers.get("Content-Encoding") == packed_as, (kind, accepts)
                assert int(headers.get("Content-Length", 0)) == len(got), (kind, accepts)
                if "HTTP_COOKIE" not in heads:
                    assert "Accept-Encoding" in headers["Vary"], (kind, accepts)
                plain.add(BEARER.sub(b"", UNPACKED[packed_as](got)))
        assert len(plain) == 1, kind
        assert bool(plain.pop()) == (status == 200), kind


def test_phones_get_a_tenth_of_the_standings(session: Session, clock: Clock) -> None:
    door = Sharing(get_wsgi_application())
    path = f"/events/{session.event.slug}/standings/"
    local = {"HTTP_HOST": "localhost", "HTTP_HX_REQUEST": "true"}
    plain, headers = answer(door, path, **local)
    assert "<table" in plain.decode()
    assert "Content-Security-Policy" in headers
    gzipped, _headers = answer(door, path, HTTP_ACCEPT_ENCODING="gzip", **local)
    least, _headers = answer(door, path, HTTP_ACCEPT_ENCODING="gzip, br", **local)
    assert len(least) < len(gzipped) < len(plain) / 4
    assert len(door.answers.things) == 3


def test_all_who_arrive_within_a_second_get_the_same_page(
    session: Session, clock: Clock
) -> None:
    door = Sharing(get_wsgi_application())
    path, local = f"/events/{session.event.slug}/", {"HTTP_HOST": "localhost"}
    first = answer(door, path, **local)
    session.event.name = "Another night"
    session.event.save()
    record(None, "event.edited", subject=session.event)
    clock.now += 0.9
    assert answer(door, path, **local) == first
    other, _ = answer(door, path, HTTP_COOKIE="sessionid=somebody", **local)
    clock.now += 0.2
    later, _ = answer(door, path, **local)
    assert "Another night" not in first[0].decode()
    assert "Another night" in other.decode()
    assert "Another night" in later.decode()


def test_other_pages_pass_through_it_untouched(session: Session, clock: Clock) -> None:
    door = Sharing(get_wsgi_application())
    for path in ("/", f"/events/{session.event.slug}/boards/", "/login/", "/nowhere/"):
        answer(door, path, HTTP_HOST="localhost")
    assert not door.answers.things
