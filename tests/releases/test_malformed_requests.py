"""No malformed request to any URL gives a server error, takes long, or logs a secret.

`REQUESTS=100000 pytest tests/releases/test_malformed_requests.py` sends that many requests, and
stops after `MAX_MINUTES`. `RANDOM_SEED` draws other ones. With OVERPLAY_SERVICES=1 the database
is PostgreSQL. A request's time is its processor time without the background jobs, which run
elsewhere in a real installation.
"""

import logging
import os
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from celery.signals import task_postrun, task_prerun
from django.conf import settings as django_settings
from django.core.management import call_command
from django.test import Client, TestCase, override_settings
from django.utils import timezone
from django.utils.module_loading import import_string
from factory.django import DjangoModelFactory

from clubs.models import BookingLink, Club, Membership, PersonLink
from hall.models import HandLink
from scoring.models import Knockout
from server.logins import tokens
from server.models import User
from tests import factories
from tests.releases import walk
from tests.releases.database_contents import roll_back_afterwards
from tests.releases.malformed_requests import DrawnRequest, RequestSource
from tests.worlds import ActivityScenario
from tournaments.models import Event, Section

REQUEST_COUNT = int(os.environ.get("REQUESTS", "1000"))
MAX_MINUTES = float(os.environ.get("MINUTES", "600"))
RANDOM_SEED = int(os.environ.get("SEED", "1"))
SLOW_SECONDS = 2.0
PASSWORD = "quite-odd-tricks-7Q"
MEMBER_ROLES = ("scorer", "director", "owner")
PROGRAM_LOGGERS = ("overplay.logins", "overplay.rights", "overplay.requests")
UNAVAILABLE_STATUS = 503  # a rate limit or a busy queue, and not a fault


@dataclass
class Outcome:
    """What the responses were, and which requests had a fault."""

    codes: Counter[int] = field(default_factory=Counter)
    errors_by_request: dict[str, str] = field(default_factory=dict)
    slow_request_seconds: dict[str, float] = field(default_factory=dict)
    longest_seconds: float = 0.0


class JobClock:
    """Measures the processor time of background jobs, which run inside requests here."""

    def __init__(self) -> None:
        self.seconds, self._starts = 0.0, list[float]()

    def start(self, **_signal: Any) -> None:
        self._starts.append(time.process_time())

    def stop(self, **_signal: Any) -> None:
        started_at = self._starts.pop()
        if not self._starts:
            self.seconds += time.process_time() - started_at


@contextmanager
def measure_jobs() -> Iterator[JobClock]:
    clock = JobClock()
    task_prerun.connect(clock.start)
    task_postrun.connect(clock.stop)
    yield clock
    task_prerun.disconnect(clock.start)
    task_postrun.disconnect(clock.stop)


@contextmanager
def capture_program_log() -> Iterator[StringIO]:
    """Capture what the program would write to its log as a server, in both formats."""
    log_text = StringIO()
    options = django_settings.LOGGING["formatters"]["discreet"]
    handlers = []
    for path in django_settings.LOG_FORMATTERS.values():
        handler = logging.StreamHandler(log_text)
        handler.setFormatter(import_string(path)(secret_folders=options["secret_folders"]))
        handlers.append(handler)
    loggers = [logging.getLogger(), *map(logging.getLogger, PROGRAM_LOGGERS)]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        for handler in handlers if not logger.propagate or logger is loggers[0] else ():
            logger.addHandler(handler)
    for logger in loggers[1:]:
        logger.setLevel(logging.INFO)
    yield log_text
    for logger, level in zip(loggers, levels, strict=True):
        for handler in handlers:
            logger.removeHandler(handler)
        logger.setLevel(level)


def fill_database() -> None:
    """Create a demo season, a club in play, and a row of every other model."""
    call_command("demo", verbosity=0)
    call_command("season", "demo", verbosity=0)
    world = ActivityScenario()
    world.seat()
    world.begin()
    create_links(world)
    create_missing_rows()
    for role in MEMBER_ROLES:
        user = User.objects.create_user(f"fuzz-{role}", password=PASSWORD)
        for club in Club.objects.all():
            Membership.objects.create(club=club, user=user, role=role)
    User.objects.create_superuser("fuzz-keeper", password=PASSWORD)
    User.objects.create_user("fuzz-stranger", password=PASSWORD)


def create_missing_rows() -> None:
    """Create a row of each model that has none."""
    row_factories = [
        factory_class
        for factory_class in vars(factories).values()
        if isinstance(factory_class, type) and issubclass(factory_class, DjangoModelFactory)
    ]
    for row_factory in row_factories:
        row_factory.reset_sequence(7000, force=True)
    for row_factory in row_factories:
        if not row_factory._meta.model._base_manager.exists():
            row_factory()
    complete_rows()


def complete_rows() -> None:
    """Add what a service would have created with the rows, and renumber their places."""
    for event in Event.objects.filter(sessions=None):
        factories.SessionFactory(event=event)
    for knockout in Knockout.objects.filter(event__entries=None):
        for entry_number in knockout.seeds:
            factories.EntryFactory(event=knockout.event, number=entry_number)
    for section in Section.objects.filter(places__number__gt=7000).distinct():
        for entry_number, place in enumerate(section.places.order_by("number"), start=1):
            section.places.filter(pk=place.pk).update(number=entry_number)


def create_links(world: ActivityScenario) -> None:
    """Create a valid link of each kind that the world in play has not."""
    player = world.club.players.earliest("pk")
    session, tomorrow = world.event.sessions.get(), timezone.now() + timedelta(days=1)
    PersonLink.create_link(player=player)
    HandLink.create_link(session=session, are_outsiders=True, ends_at=tomorrow)
    evening = factories.EveningFactory(club=world.club)
    BookingLink.create_link(fixture=factories.FixtureFactory(evening=evening), player=player)


class Visitors:
    """A browser and an API token for each role, and all secrets that they have."""

    def __init__(self) -> None:
        self.clients: dict[str, Client] = {}
        self.tokens: dict[str, str] = {}
        links = walk.list_links()
        self.secrets = {PASSWORD, django_settings.SECRET_KEY}
        self.secrets |= {path.split("/")[2] for path in links}
        self.person_token = next(
            path.split("/")[2] for path in links if path.startswith("/me/")
        )
        assert PersonLink.objects.exists()
        self.sign_in()

    def sign_in(self) -> None:
        """Sign everyone in; a request may have ended a session."""
        for role in ("anyone", "player", *MEMBER_ROLES, "keeper", "stranger"):
            client = Client(raise_request_exception=False)
            if role == "player":
                client.cookies["me"] = self.person_token
            elif role != "anyone":
                user = User.objects.get(username=f"fuzz-{role}")
                client.force_login(user)
                self.tokens[role] = tokens.create_token(user, name="fuzz")[1]
                self.secrets.add(self.tokens[role])
            self.secrets |= {cookie.value for cookie in client.cookies.values()}
            self.clients[role] = client


class RequestSender:
    """Sends requests, rolls back what they wrote, and records the outcome."""

    def __init__(self, rng: random.Random, jobs: JobClock) -> None:
        self.rng, self.jobs = rng, jobs
        self.visitors, self.outcome = Visitors(), Outcome()

    def send(self, request: DrawnRequest) -> None:
        """Send a request, and record its status, its processor time and its fault."""
        start, job_start, error = time.process_time(), self.jobs.seconds, ""
        try:
            with override_settings(IS_SERVER_DEPLOYMENT=self.rng.random() < 0.3):
                status_code = self._receive_status(request)
        except Exception as raised:
            status_code, error = 599, repr(raised)
        seconds = time.process_time() - start - (self.jobs.seconds - job_start)
        self.outcome.codes[status_code] += 1
        self.outcome.longest_seconds = max(self.outcome.longest_seconds, seconds)
        if status_code >= 500 and status_code != UNAVAILABLE_STATUS:
            path = re.sub(r"[0-9]+", "0", request.path.split("?")[0])[:90]
            place = f"{status_code} {request.method} {path}"
            self.outcome.errors_by_request.setdefault(place, f"{request} {error}")
        if seconds > SLOW_SECONDS:
            self.outcome.slow_request_seconds[str(request)] = seconds

    def _receive_status(self, request: DrawnRequest) -> int:
        client = self.visitors.clients[request.role]
        token = self.visitors.tokens.get(request.role, "")
        ip_address = f"10.{self.rng.randrange(256)}.{self.rng.randrange(256)}.7"
        cookies = client.cookies.copy()
        with roll_back_afterwards(), ExitStack() as stack:
            if self.rng.random() < 0.05:
                stack.enter_context(TestCase.captureOnCommitCallbacks(execute=True))
            response = request.send(client, ip_address, token)
            if response.streaming:
                for _chunk in response.streaming_content:
                    pass
        client.cookies = cookies
        return int(response.status_code)


def send_requests(sender: RequestSender) -> None:
    """Send planned requests and others alternately, up to the count and the time limit."""
    source = RequestSource(sender.rng, sender.visitors.clients)
    planned_requests, stop_at = (
        source.draw_planned_requests(),
        time.monotonic() + 60 * MAX_MINUTES,
    )
    print_line(
        f"{len(source.paths)} URLs, {len(source.plan)} planned, {len(source.forms)} forms, "
        f"{len(source.calls)} API calls"
    )
    for number in range(REQUEST_COUNT):
        if time.monotonic() > stop_at:
            break
        if number % 5_000 == 4_999:
            sender.visitors.sign_in()
            print_line(f"{number + 1} requests, {sender.outcome}")
        is_planned = number % 2 == 0
        sender.send(
            (next(planned_requests, None) if is_planned else None)
            or source.draw_random_request()
        )


def print_line(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - the measured numbers


@pytest.mark.slow
@pytest.mark.django_db
def test_malformed_requests_give_no_error_and_log_no_secret() -> None:
    fill_database()
    with capture_program_log() as log, measure_jobs() as jobs:
        sender = RequestSender(random.Random(RANDOM_SEED), jobs)
        send_requests(sender)
    text = log.getvalue()
    print_line(f"{sender.outcome}, {len(text.splitlines())} lines in the log")
    leaked_secrets = [secret for secret in sender.visitors.secrets if secret in text]
    assert (
        sender.outcome.errors_by_request,
        sender.outcome.slow_request_seconds,
        leaked_secrets,
    ) == ({}, {}, [])
    assert text
