"""Erased personal data appears on no page, file, paper or stored byte; results remain."""

import logging
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import scoring.services
import tournaments.services
from clubs import audit
from clubs.archives.exporter import write_archive
from clubs.erasure.name_replacement import NameReplacer
from clubs.evenings.services import NewPerson, get_or_create_booking_link
from clubs.models import PersonLink, Player
from clubs.services.people import InvalidPersonData, update_person
from clubs.undo import list_undoable_act_pks
from config.archives import ARCHIVE_SPEC
from scoring.models import Standing
from scoring.standings_engine import standings
from seasons.people.services import delete_personal_data
from seasons.publishing.club_files import get_club_file_path
from seasons.publishing.mailing import build_unsubscribe_path
from seasons.publishing.models import ClubFile, ResultsMail
from server.models import User
from tests import evenings
from tests.factories import (
    BookedPersonFactory,
    DriveFactory,
    DrivePlayerFactory,
    EntryElsewhereFactory,
    EveningElsewhereFactory,
    FixtureFactory,
    PlayRecordFactory,
    ResultsMailFactory,
    SeasonFactory,
    SeatElsewhereFactory,
)
from tests.releases import walk
from tournaments.models import Session
from tournaments.services.people import import_people

pytestmark = pytest.mark.django_db
PERSON_NAME, FORMER_NAME, OTHER_NAME = (
    "Quetzal Zörillo",
    "Quetzala Żorillini",
    "Mary Quetzal Zörillo",
)
EMAIL, PHONE = "quetzal@zorillo.example", "+99 888 777 666"
CANARIES = ("quetzal z", "quetzala", "rillini", "zorillo.example", "888 777")

CHECKED_PAGES_PATTERN = re.compile(
    r"events/<event:slug>/(entries/|boards/|)$|history|players|search|drives/<|seasons"
)


def list_found_canaries(text: str) -> list[str]:
    normalized_text = text.casefold().replace("mary quetzal", "")
    return [canary for canary in CANARIES if canary in normalized_text]


def play_finished_evening() -> tuple[Session, User, Player]:
    """Create a finished evening in which one person is everywhere that a person can be."""
    session, user = evenings.play_session()
    event, club = session.event, session.event.club
    entry = event.entries.get(number=1)
    person = entry.players.order_by("entry_memberships__order")[0]
    tournaments.services.rename_player(player=person, name=FORMER_NAME, by=user)
    tournaments.services.rename_player(player=person, name=PERSON_NAME, by=user)
    tournaments.services.add_player(club=club, name=OTHER_NAME, by=user)
    person.refresh_from_db()
    csv_text = f"name,email,phone,no\n{PERSON_NAME},{EMAIL},{PHONE},0077\n"
    import_people(club=club, content=csv_text.encode(), by=user)
    update_person(player=person, details={"number": "0078"}, consents={"mail": True}, by=user)
    PersonLink.create_link(player=person)
    scoring.services.make_ruling(
        kind="penalty",
        entry=entry,
        session=session,
        amount=1,
        reason=f"{PERSON_NAME.upper()} came late; {EMAIL}",
        by=user,
    )
    drive = DriveFactory(club=club)
    DrivePlayerFactory(player=person, name=PERSON_NAME, drive=drive)
    DrivePlayerFactory(drive=drive, number=2, name=f"{PERSON_NAME} jun.")
    PlayRecordFactory(club=club, north=PERSON_NAME, title=f"{PERSON_NAME} makes twelve")
    tournaments.services.rename_entry(
        entry=event.entries.get(number=2),
        names=["Ada Pole", "Bo Low"],
        name=f"{PERSON_NAME}’s friends",
        by=user,
    )
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(event)
    person.refresh_from_db()
    return session, user, person


def list_places(session: Session) -> list[tuple[Any, ...]]:
    rows = Standing.objects.filter(ranking__event=session.event).order_by("entry__number")
    return list(rows.values_list("entry__number", "rank", "tied", "score", "tricks"))


def test_erased_person_leaves_no_trace_in_data_or_pages_and_results_remain(
    settings: Any,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Any,
) -> None:
    settings.MEDIA_ROOT = settings.DATA_DIR = tmp_path
    session, user, person = play_finished_evening()
    places_before, club = list_places(session), session.event.club
    assert list_found_canaries(Client().get(f"/events/{session.event.slug}/").content.decode())
    assert len(list_found_canaries(read_database_text())) == len(CANARIES)
    file = ClubFile.objects.create(
        club=club, kind="everything", by="x", asked_at=timezone.now(), state="done"
    )
    get_club_file_path(file).parent.mkdir(parents=True, exist_ok=True)
    get_club_file_path(file).write_text(PERSON_NAME)
    caplog.set_level(logging.DEBUG)
    with django_capture_on_commit_callbacks(execute=True):
        delete_personal_data(
            player=person, typed_name=PERSON_NAME.lower(), archive_spec=ARCHIVE_SPEC, by=user
        )
    assert list_found_canaries(read_database_text()) == []
    assert (get_club_file_path(file).exists(), ClubFile.objects.exists()) == (False, False)
    assert list_places(session) == places_before
    assert Player.objects.filter(name=OTHER_NAME).exists()
    client = Client()
    client.force_login(user)
    pages = walk.list_matching_pages(CHECKED_PAGES_PATTERN)
    assert len(pages) > 20
    for page in pages:  # text in no byte is on no page, unless a process has cached it
        for reader in (client, Client()) if "director" not in page.path else (client,):
            text = reader.get(page.path).content.decode(errors="replace")
            assert list_found_canaries(text) == [], page.path
    write_archive(club, tmp_path / "archive", ARCHIVE_SPEC)
    with zipfile.ZipFile(tmp_path / "archive") as archive:
        for name in archive.namelist():
            text = archive.read(name).decode(errors="replace")
            assert (
                list_found_canaries(text.encode().decode("unicode_escape", errors="replace"))
                == []
            ), name
    assert list_found_canaries(caplog.text) == []


def test_erasure_requires_name_and_waits_until_play_is_over() -> None:
    session, user = evenings.open_session()
    person = session.event.entries.get(number=1).players.first()
    assert person is not None
    client = Client()
    client.force_login(user)
    page = reverse("player_forget", args=[person.pk])
    text = client.get(page).content.decode()
    assert "This can’t be undone" in text
    assert "backups" in text
    wrong_response = client.post(page, {"name": "Somebody"})
    assert (
        wrong_response.status_code,
        "Nothing changed" in wrong_response.content.decode(),
    ) == (400, True)
    playing_response = client.post(page, {"name": person.name})
    assert "is playing in Tuesday" in playing_response.content.decode()
    person.refresh_from_db()
    assert person.forgotten_on is None


def test_undo_never_restores_data_of_erased_person() -> None:
    club, user = evenings.create_club_with_director()
    person = Player.objects.create(club=club, name="Ann Lee", email="ann@example.org")
    tournaments.services.rename_player(player=person, name="Anne Lee", by=user)
    season = SeasonFactory(club=club)
    evening = EveningElsewhereFactory(season=season)
    SeatElsewhereFactory(
        player=person, evening=evening, entry=EntryElsewhereFactory(evening=evening)
    )
    for _attempt in range(2):
        delete_personal_data(
            player=person, typed_name="anne  lee", archive_spec=ARCHIVE_SPEC, by=user
        )
    person.refresh_from_db()
    assert (person.name, person.shown) == (f"A player {person.pk}", "nobody")
    acts = list(audit.list_acts(club))
    assert [act.action for act in acts].count("person.forgotten") == 1
    assert list_undoable_act_pks(acts) == set()
    for forbidden_action in (
        lambda: tournaments.services.rename_player(player=person, name="Ann Lee", by=user),
        lambda: tournaments.services.set_player_visibility(
            player=person, shown="name", by=user
        ),
        lambda: update_person(player=person, details={"number": "7"}, consents={}, by=user),
    ):
        with pytest.raises(InvalidPersonData):
            forbidden_action()
    client = Client()
    client.force_login(user)
    page = client.get(reverse("player_edit", args=[person.pk])).content.decode()
    assert "Personal data deleted on" in page


def test_erasing_person_without_entries_deletes_their_row() -> None:
    club, user = evenings.create_club_with_director()
    person = Player.objects.create(club=club, name="Ann Lee")
    delete_personal_data(
        player=person, typed_name="Ann Lee", archive_spec=ARCHIVE_SPEC, by=user
    )
    assert not club.players.exists()


def test_booking_links_of_erased_person_are_invalid_and_others_still_work() -> None:
    club, user = evenings.create_club_with_director()
    ann, bo = (Player.objects.create(club=club, name=text) for text in ("Ann Lee", "Bo Low"))
    tournaments.services.rename_player(player=ann, name="Anne Lee", by=user)
    ann.refresh_from_db()
    fixture = FixtureFactory(evening__club=club)
    BookedPersonFactory(booking__fixture=fixture, player=ann)
    other_fixture = FixtureFactory(
        evening__club=evenings.create_club_with_director("Hilltop", "other")[0]
    )
    erased_persons = [(fixture, NewPerson(player=ann)), (fixture, NewPerson(name="anne  LEE"))]
    erased_persons.append((fixture, NewPerson(name="Ann Lee")))
    remaining_persons = [
        (fixture, NewPerson(player=bo)),
        (fixture, NewPerson(name="Anne Leeson")),
    ]
    remaining_persons.append((other_fixture, NewPerson(name="Anne Lee")))
    paths = [
        [
            get_or_create_booking_link(fixture=booking_fixture, new_person=who, by=user).path
            for booking_fixture, who in persons
        ]
        for persons in (erased_persons, remaining_persons)
    ]
    assert [Client().get(path).status_code for path in paths[0]] == [200] * 3
    delete_personal_data(player=ann, typed_name="Anne Lee", archive_spec=ARCHIVE_SPEC, by=user)
    assert [Client().get(path).status_code for path in paths[0]] == [404] * 3
    assert [Client().get(path).status_code for path in paths[1]] == [200] * 3


def test_guest_booked_under_two_names_is_erased() -> None:
    club, user = evenings.create_club_with_director()
    ann = Player.objects.create(club=club, name="Ann Lee")
    tournaments.services.rename_player(player=ann, name="Anne Lee", by=user)
    ann.refresh_from_db()
    fixture = FixtureFactory(evening__club=club)
    for name in ("Ann Lee", "Anne Lee", "Bo Low"):
        BookedPersonFactory(booking__fixture=fixture, fixture=fixture, player=None, name=name)
    delete_personal_data(player=ann, typed_name="Anne Lee", archive_spec=ARCHIVE_SPEC, by=user)
    names = sorted(fixture.booked.values_list("name", flat=True))
    assert names == [f"A player {ann.pk}", f"A player {ann.pk} (2)", "Bo Low"]


def test_mail_log_of_erased_person_is_deleted_and_its_links_still_respond() -> None:
    session, user, person = play_finished_evening()
    letter = ResultsMailFactory(event=session.event, player=person, state="sent")
    another_player = session.event.entries.get(number=2).players.first()
    results_mail = ResultsMailFactory(event=session.event, player=another_player)
    delete_personal_data(
        player=person, typed_name=PERSON_NAME, archive_spec=ARCHIVE_SPEC, by=user
    )
    person.refresh_from_db()
    assert list(ResultsMail.objects.all()) == [results_mail]
    for press in (Client().get, Client(enforce_csrf_checks=True).post):
        response = press(build_unsubscribe_path(person))
        assert (response.status_code, "send you any more" in response.content.decode()) == (
            200,
            True,
        )
    assert not person.consents.exists()
    client = Client()
    client.force_login(user)
    bounced_url = reverse("results_mail_bounced", args=[session.event.slug, letter.pk])
    assert client.post(bounced_url).status_code == 404
    old_results_mail = ResultsMailFactory(
        event=session.event, player=person, version=2
    )  # from before
    bounced_url = reverse(
        "results_mail_bounced", args=[session.event.slug, old_results_mail.pk]
    )
    assert "data was deleted" in client.post(bounced_url, follow=True).content.decode()


@pytest.mark.parametrize(
    ("original_text", "expected_text"),
    [
        ("Ann Lee & Bo Low", "A player & Bo Low"),
        ("ANN  LEE came late", "A player came late"),
        ("Mary Ann Lee, Ann Lee", "Mary Ann Lee, A player"),
        ("Ann Leeson", "Ann Leeson"),
        ("Rose & Bo", "A player & Bo"),
        ("The Rose Cup", "The Rose Cup"),
        ("ask a@b.org or +44 123 456", "ask  or "),
    ],
)
def test_text_is_preserved_except_for_erased_name(
    original_text: str, expected_text: str
) -> None:
    gone = {"Ann Lee": "A player", "Rose": "A player", "a@b.org": "", "+44 123 456": ""}
    name_replacer = NameReplacer(gone, ["Mary Ann Lee", "Bo Low"])
    assert name_replacer.replace_in_text(original_text) == expected_text
    assert name_replacer.replace_in_data({"x": [original_text, 1, None]}) == {
        "x": [expected_text, 1, None]
    }


def read_database_text() -> str:
    """Return the database file as text, with JSON escapes decoded."""
    connection.ensure_connection()
    assert connection.connection is not None
    if connection.vendor != "sqlite":  # there a dump has every row, and no old page remains
        return read_all_rows()
    actual = connection.connection.serialize().decode(errors="replace")
    return actual.replace("\\u00f6", "ö").replace("\\u017b", "Ż").replace("\\u00d6", "Ö")


def read_all_rows() -> str:
    """Return every row of every table as text."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        rows = []
        for table in tables:
            cursor.execute(f"SELECT t::text FROM {connection.ops.quote_name(table)} t")
            rows += [row for (row,) in cursor.fetchall()]
    text = "\n".join(rows)
    return text.replace("\\u00f6", "ö").replace("\\u017b", "Ż").replace("\\u00d6", "Ö")
