"""Links of tables, pairs and helpers share one base class for secret links."""

import logging
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from django.utils.module_loading import import_string

import clubs.views.tables
import drives.services.links
import hall.challenges.services
import hall.helpers.services
import hall.phones.services
from clubs import person_cookie
from clubs.links import SecretLink
from clubs.models import BookingLink, PersonLink, TableLink
from drives.models import CardLink
from hall.models import HandLink
from tests.factories import (
    DrivePlayerFactory,
    EntryFactory,
    EveningFactory,
    FixtureFactory,
    PlayerFactory,
    SessionFactory,
)
from tournaments.models import EntryLink

pytestmark = pytest.mark.django_db


def create_table_link() -> SecretLink:
    return TableLink.create_link(evening=EveningFactory(), section="B", table=2)


def create_entry_link() -> SecretLink:
    return EntryLink.create_link(entry=EntryFactory())


def create_hand_link() -> SecretLink:
    tomorrow = timezone.now() + timedelta(days=1)
    return HandLink.create_link(session=SessionFactory(), ends_at=tomorrow)


def create_card_link() -> SecretLink:
    return CardLink.create_link(holder=DrivePlayerFactory())


def create_person_link() -> SecretLink:
    return PersonLink.create_link(player=PlayerFactory())


def create_booking_link() -> SecretLink:
    fixture = FixtureFactory()
    return BookingLink.create_link(
        fixture=fixture, player=PlayerFactory(club=fixture.evening.club)
    )


FACTORY_BY_KIND = {
    TableLink: create_table_link,
    EntryLink: create_entry_link,
    HandLink: create_hand_link,
    CardLink: create_card_link,
    PersonLink: create_person_link,
    BookingLink: create_booking_link,
}
FINDER_BY_KIND: dict[type[SecretLink], tuple[object, str]] = {
    TableLink: (clubs.views.tables, "visit_table_link"),
    EntryLink: (hall.challenges.services, "find_entry_link"),
    HandLink: (hall.helpers.services, "find_hand_link"),
    CardLink: (drives.services.links, "find_card_link"),
    PersonLink: (person_cookie, "find_person_link"),
    BookingLink: (BookingLink, "find_by_token"),
}
parametrize_link_kinds = pytest.mark.parametrize(
    "make_link", FACTORY_BY_KIND.values(), ids=lambda make_link: make_link.__name__
)


def read_secret(link: SecretLink) -> str:
    return link.path.rstrip("/").rpartition("/")[2]


def test_every_kind_of_link_is_tested() -> None:
    assert set(SecretLink.__subclasses__()) == set(FACTORY_BY_KIND) == set(FINDER_BY_KIND)


@parametrize_link_kinds
def test_link_is_found_by_its_secret_and_not_by_its_stored_hash(
    make_link: Callable[[], SecretLink],
) -> None:
    link = make_link()
    kind, secret = type(link), read_secret(link)
    assert kind.find_by_token(secret) == link
    assert kind.find_by_token(link.token_hash) is None
    assert kind.find_by_token(link.salt) is None
    assert secret not in str(kind._default_manager.values().get())


@parametrize_link_kinds
def test_link_has_no_path_after_the_secret_key_changes(
    make_link: Callable[[], SecretLink], settings
) -> None:
    link = make_link()
    secret = read_secret(link)
    assert len(secret) == 22  # 128 bits
    settings.SECRET_KEY = "another key " * 5
    assert link.path == ""


@parametrize_link_kinds
def test_revoking_a_link_is_idempotent(make_link: Callable[[], SecretLink]) -> None:
    link = make_link()
    now = timezone.now()
    assert link.is_live(now)
    link.revoke()
    first_revoked_at = link.revoked_at
    link.revoke()
    link.refresh_from_db()
    assert (link.is_live(now), link.revoked_at) == (False, first_revoked_at)


@parametrize_link_kinds
def test_link_with_an_end_expires(make_link: Callable[[], SecretLink]) -> None:
    link = make_link()
    link.ends_at = timezone.now()
    assert link.is_live(link.ends_at - timedelta(seconds=1))
    assert not link.is_live(link.ends_at)


def test_visit_is_recorded_at_most_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    link = create_table_link()
    now = timezone.now()
    visit_times = []
    for seconds in (0, 30, 90):
        monkeypatch.setattr(timezone, "now", lambda at=seconds: now + timedelta(seconds=at))
        link.record_visit()
        link.refresh_from_db()
        visit_times.append(link.seen_at)
    assert visit_times == [now, now, now + timedelta(seconds=90)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", FACTORY_BY_KIND, ids=lambda kind: kind.__name__)
def test_log_never_contains_the_path_of_a_link(
    kind: type[SecretLink], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    link = FACTORY_BY_KIND[kind]()
    form = dict(settings.LOGGING["formatters"]["discreet"])
    formatter = import_string(form.pop("()"))(**form)

    def raise_error_with_path(*_asked: object) -> None:
        raise RuntimeError(f"nothing at {link.path}")

    module, function_name = FINDER_BY_KIND[kind]
    monkeypatch.setattr(module, function_name, raise_error_with_path)
    caplog.set_level(logging.DEBUG)
    client = Client(raise_request_exception=False)
    assert client.get(link.path).status_code == 500
    lines = "\n".join(map(formatter.format, caplog.records))
    assert re.search(r"Mistake [0-9a-f]{8} at GET /\w+/\*/", lines)
    assert "RuntimeError: nothing at /" in lines
    assert read_secret(link) not in lines
