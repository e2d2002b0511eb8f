"""Send a hundred thousand malformed requests to a database with rows of every kind.

Run by hand: `python -m bench.fuzz --requests 100000`, and again with `--postgresql` (PGHOST
and the like as in bench.load). The database of the first release is upgraded and gets a row of
every other kind. Users of every role, from visitor to owner, request all pages, unchanged and
with malformed URLs and queries. They also send every form with a few wrong fields and damaged
files, and every API call with malformed bodies. Nine of ten writes are rolled back.

Passes (exit 0) if no response is a server error (5xx), none takes more than two seconds of
processor time, and no secret is in the log.
"""

import argparse
import json
import logging
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

from bench.fuzz_files import damaged_file
from bench.load import DATABASE, environment

SLOW = 2.0  # seconds of a processor
AWFUL = (
    *("", " ", "0", "-1", "1", "13", "14", "7", "99999999999999999999", "9" * 400, "1e309"),
    *("1e30000000", "NaN", "1/0", "13/2", "0x10", "²", "٣", "\0", "\ud800", "‮x", "é" * 300),
    *("null", "true", "[]", "{}", "' OR 1=1 --", "<script>x</script>", "../../etc/passwd"),
    *("2026-02-30", "2026-11-17", "25:61", "A4", "=cmd|' /C calc'!A0", "%s%s%n", "1,2;3"),
    *("NS", "EW", "North", "compass", "howell", "revoke", "a\r\nSet-Cookie: x=1", "x" * 5000),
)
JUNK = (
    *(b"", b"{", b"[1]", b'"x"', b"null", b"NaN", b"\xff\xfe{", b"\0", b'{"a": 1, "a": 2}'),
    *(b"[" * 50_000, b'{"ns_tricks": 1e999}', b'{"\\ud800": 1}', b'{"name": "\\u0000"}'),
)
ROLES = ("anybody", "scorer", "director", "owner")
TOKENS: dict[str, str] = {}
"""What a program of each role bears."""
LEAVING = re.compile(r"/(logout|reauthenticate|login)|/put-away|^/admin/logout|/deleted?/")
SECRET = re.compile(
    r"/(?:t|e|d|me|b|type)/[A-Za-z0-9_-]{16,}|ovp_[A-Za-z0-9]{20,}|password=[^*\s]"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: who asks what, and with which body."""

    who: str
    way: str
    path: str
    sent: Any = None
    kind: str = ""


@dataclass
class Found:
    """What came back."""

    codes: Counter[str] = field(default_factory=Counter)
    broken: dict[str, str] = field(default_factory=dict)
    slow: dict[str, float] = field(default_factory=dict)


class Nonsense:
    """Thinks of requests, from the addresses, forms and calls that there are."""

    def __init__(self, chance: random.Random, clients: dict[str, Any]) -> None:
        from tests.releases import walk

        self.chance = chance
        self.pages = [page for page in walk.pages() if not LEAVING.search(page.path)]
        self.forms = {who: list(_forms(client, self.pages)) for who, client in clients.items()}
        self.calls = list(_calls(self.pages))

    def next(self) -> Asked:
        """Think of one more."""
        who = self.chance.choice(ROLES)
        ways: list[Callable[[str], Asked]] = [self._page, self._form, self._form, self._call]
        return self.chance.choice(ways)(who)

    def _page(self, who: str) -> Asked:
        path = self.chance.choice(self.pages).path
        if self.chance.random() < 0.6:
            path = self._bent(path)
        query = "&".join(
            f"{self.chance.choice(QUERIES)}={self._awful_in_an_address()}"
            for _ in range(self.chance.choice((0, 0, 1, 2)))
        )
        way = self.chance.choice(("get",) * 12 + ("head", "post", "put", "delete", "options"))
        return Asked(who, way, f"{path}?{query}" if query else path)

    def _bent(self, path: str) -> str:
        parts = path.split("/")
        place = self.chance.randrange(1, len(parts))
        parts[place] = self.chance.choice((parts[place] + "x", self._awful_in_an_address()))
        return "/".join(parts)

    def _awful_in_an_address(self) -> str:
        from urllib.parse import quote

        return quote(self.chance.choice(AWFUL)[:200].encode("utf-8", "surrogatepass"))

    def _form(self, who: str) -> Asked:
        from django.core.files.uploadedfile import SimpleUploadedFile

        if not self.forms[who]:
            return self._page(who)
        form = self.chance.choice(self.forms[who])
        sent = dict(form.sent)
        for name in self.chance.sample(form.typed, min(len(form.typed), 2)):
            sent[name] = self._said(sent.get(name, ""))
        for name in form.files:
            sent[name] = SimpleUploadedFile("file", damaged_file(self.chance))
        if sent and self.chance.random() < 0.1:
            del sent[self.chance.choice(sorted(sent))]
        return Asked(who, form.method, form.path, sent, "form")

    def _said(self, before: str) -> str:
        awful = self.chance.choice(AWFUL).replace("\ud800", "?")
        return self.chance.choice((awful, awful, before + awful, before))

    def _call(self, who: str) -> Asked:
        path, way, names = self.chance.choice(self.calls)
        if self.chance.random() < 0.1:
            return Asked(who, way, path, self.chance.choice(JUNK), "json")
        body = {name: self._value(0) for name in names if self.chance.random() < 0.8}
        return Asked(who, way, path, json.dumps(body).encode(), "json")

    def _value(self, deep: int) -> Any:
        kind = self.chance.randrange(9 if deep < 3 else 6)
        if kind < 3:
            return self.chance.choice(AWFUL)
        if kind < 6:
            return self.chance.choice((None, True, 0, 1, -1, 7, 13, 14, 2**63, 10**40, 0.5))
        if kind < 8:
            return [self._value(deep + 1) for _ in range(self.chance.randrange(4))]
        return {self.chance.choice(QUERIES): self._value(deep + 1)}


QUERIES = (
    "q",
    "page",
    "seen",
    "session",
    "section",
    "round",
    "board",
    "pair",
    "sort",
    "format",
)


def main() -> int:
    """Print what came back; 0 where the bars hold."""
    asked = _options()
    log = StringIO()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(environment(folder, laptop=not asked.postgresql))
        stack.enter_context(_filled(Path(folder), postgresql=asked.postgresql))
        handler = logging.StreamHandler(log)
        logging.getLogger().addHandler(handler)
        found = _ask(asked.requests, asked.seed, asked.minutes)
    return _judged(found, log.getvalue())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=600, help="stop then at the latest")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgresql", action="store_true")
    return parser.parse_args()


@contextmanager
def _filled(folder: Path, *, postgresql: bool) -> Iterator[None]:
    """Open a database that has everything in it."""
    os.environ |= {"BACKUP_BY_ITSELF": "no", "SECRET_KEY": "only-for-nonsense-" + "0" * 40}
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    from tests.databases import opened
    from tests.releases import stored

    settings.CELERY_TASK_ALWAYS_EAGER = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    setup_test_environment(debug=False)
    kept = stored.releases()[-1]
    with ExitStack() as stack:
        if postgresql:
            server = os.environ["DATABASE_URL"].rpartition("/")[0]
            described = stack.enter_context(
                stored.on_postgres(kept, server, f"{DATABASE}_fuzz")
            )
        else:
            described = stored.on_sqlite(kept, folder)
        stack.enter_context(opened(described))
        call_command("upgrade", verbosity=0)
        _one_of_each()
        WORK.watch()
        yield


@dataclass
class Work:
    """What tasks took that a worker does elsewhere, and which are done on the spot here."""

    seconds: float = 0.0
    _began: list[float] = field(default_factory=list)

    def watch(self) -> None:
        """Count every task from now on."""
        from celery.signals import task_postrun, task_prerun

        task_prerun.connect(self._begin, weak=False)
        task_postrun.connect(self._end, weak=False)

    def _begin(self, **_told: Any) -> None:
        self._began.append(time.process_time())

    def _end(self, **_told: Any) -> None:
        spent = time.process_time() - self._began.pop()
        if not self._began:
            self.seconds += spent


WORK = Work()


def _one_of_each() -> None:
    from allauth.mfa.models import Authenticator
    from factory.django import DjangoModelFactory

    from clubs.models import Club
    from tests import factories
    from tournaments.models import Event

    made = [
        each
        for each in vars(factories).values()
        if isinstance(each, type) and issubclass(each, DjangoModelFactory)
    ]
    for each in made:
        each.reset_sequence(7000, force=True)  # beside what the release has
    for each in made:
        if not each._meta.model._base_manager.exists():
            each()
    Authenticator.objects.all().delete()  # a key that no device has made cannot be read
    for event in Event.objects.filter(sessions=None):  # no service makes one without
        factories.SessionFactory(event=event)
    for role in ROLES[1:]:
        user = factories.UserFactory(username=f"nonsense-{role}")
        for club in Club.objects.all():
            factories.MembershipFactory(club=club, user=user, role=role)


def _forms(client: Any, pages: Sequence[Any]) -> Iterator[Any]:
    """The forms that somebody meets, each route's once, and without those that lead out."""
    from tests.releases.forms import forms

    routes, met = set(), set()
    for page in pages:
        if page.route in routes or page.path.startswith("/api/"):
            continue
        routes.add(page.route)
        answer = client.get(page.path)
        is_page = answer.headers.get("Content-Type", "").startswith("text/html")
        if answer.status_code == 200 and is_page and not answer.streaming:
            read = forms(page.path, answer.content.decode())
            for each in read:
                shape = (re.sub(r"[0-9]+", "0", each.path), each.method, *each.typed)
                if (
                    (each.typed or each.files)
                    and shape not in met
                    and not LEAVING.search(each.path)
                ):
                    met.add(shape)
                    yield each


def _calls(pages: Sequence[Any]) -> Iterator[tuple[str, str, list[str]]]:
    """Each call of the interface that sends something: its address, way and fields."""
    from drf_spectacular.generators import SchemaGenerator

    schema = SchemaGenerator().get_schema(public=True)
    shapes = schema["components"]["schemas"]
    at = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{page.route}"): page.path for page in pages}
    for path, ways in schema["paths"].items():
        for way, call in ways.items():
            if way in ("post", "put", "patch", "delete") and path in at:
                yield at[path], way, sorted(_fields(call, shapes))


def _fields(call: dict[str, Any], shapes: dict[str, Any]) -> set[str]:
    found: set[str] = set()
    for content in call.get("requestBody", {}).get("content", {}).values():
        shape = content.get("schema", {})
        name = shape.get("$ref", "").rpartition("/")[2]
        found |= set(shapes.get(name, shape).get("properties", {}))
    return found


def _ask(requests: int, seed: int, minutes: float) -> Found:
    """Send so many requests, and note what breaks."""
    from tests.releases import given

    chance, found = random.Random(seed), Found()
    clients = {who: given.visitor(who) if who == "anybody" else _login(who) for who in ROLES}
    nonsense = Nonsense(chance, clients)
    print(
        f"{len(nonsense.pages)} addresses, {len(nonsense.calls)} calls, "
        f"{ {who: len(each) for who, each in nonsense.forms.items()} } forms",
        flush=True,
    )
    began = time.monotonic()
    for number in range(requests):
        if time.monotonic() - began > 60 * minutes:
            break
        asked = nonsense.next()
        _note(found, asked, clients[asked.who], keep=chance.random() < 0.1)
        if number % 10_000 == 9_999:
            spent = time.monotonic() - began
            print(f"{number + 1} after {spent:.0f} s, {len(found.broken)} broken", flush=True)
        if number % 2_000 == 1_999:
            clients |= {who: _login(who) for who in ROLES if who != "anybody"}
    return found


def _login(who: str) -> Any:
    """Sign somebody in, anew where nonsense has ended the login before."""
    from django.test import Client

    from server.logins import tokens
    from server.models import User

    client = Client(raise_request_exception=False)
    user = User.objects.filter(username=f"nonsense-{who}", is_active=True).first()
    if user is not None:
        client.force_login(user)
        TOKENS[who] = tokens.make(user, name="nonsense")[1]
    return client


def _note(found: Found, asked: Asked, client: Any, *, keep: bool) -> None:
    from django.db import transaction

    send = getattr(client, asked.way)
    kinds: dict[str, Any] = {}
    if asked.kind == "json":
        bears = {"Authorization": f"Bearer {TOKENS[asked.who]}"} if asked.who in TOKENS else {}
        kinds = {"content_type": "application/json", "headers": bears}
    began, of_workers = time.process_time(), WORK.seconds
    try:
        with transaction.atomic():
            answer = send(asked.path, asked.sent, **kinds) if asked.kind else send(asked.path)
            for _ in answer.streaming_content if answer.streaming else ():
                pass
            transaction.set_rollback(not keep and asked.way != "get")
        code = answer.status_code
    except Exception as error:  # what comes through the middleware is a mistake too
        code, answer = 599, repr(error)
    spent = time.process_time() - began - (WORK.seconds - of_workers)
    what = f"{asked.who} {asked.way} {asked.path[:160]!a} {str(asked.sent)[:300]!a}"
    place = f"{code} {re.sub(r'[0-9]+', '0', asked.path.split('?')[0])[:90]}"
    found.codes[str(code)] += 1
    if code >= 500 and code != 503:
        found.broken.setdefault(place, f"{what} {answer if code == 599 else ''}")
    if spent > SLOW:
        found.slow[what] = spent


def _judged(found: Found, log: str) -> int:
    secrets = sorted(set(SECRET.findall(log)))
    print(dict(sorted(found.codes.items())))
    for place, what in sorted(found.broken.items()):
        print(f"  broken: {place}\n      {what}")
    for what, spent in sorted(found.slow.items(), key=lambda each: -each[1])[:10]:
        print(f"  slow: {spent:.1f} s {what}")
    print(f"secrets in the log: {len(secrets)} {secrets[:3]}")
    held = not found.broken and not found.slow and not secrets
    figures = {"requests": found.codes.total(), "broken": len(found.broken)}
    print(json.dumps(figures | {"slow": len(found.slow), "secrets": len(secrets)}))
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
