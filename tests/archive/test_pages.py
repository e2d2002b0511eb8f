"""Owners move a club on pages: they export, download and import it, and mark it as moved."""

import io
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

import clubs.services
import scoring.services
from clubs.archives.errors import ArchiveRefused
from clubs.archives.importer import ImportOptions, import_club
from clubs.archives.relocation import mark_club_as_moved
from clubs.archives.requests import (
    create_archive_folder,
    get_archive_path,
    request_export,
    request_import,
)
from clubs.errors import ClubMoved
from clubs.models import Act, Club, ClubArchive
from config.archives import ARCHIVE_SPEC
from config.jobs import KINDS
from server.backups import encryption
from server.jobs import sweep
from server.models import User
from tests import acts, evenings
from tests.factories import BoardSetFactory
from tournaments.models import Session

pytestmark = pytest.mark.django_db
ARCHIVES_URL = "/director/club/archives/"
PASSWORD_FORM = {"password": "words of an owner"}


@pytest.fixture
def owner(
    tmp_path: Path, settings: Any, client: Client, django_capture_on_commit_callbacks: Any
) -> User:
    """Return a signed-in owner with a closed event; jobs run immediately."""

    def post_and_run_callbacks(*arguments: Any, **options: Any) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            return send(*arguments, **options)

    send, client.post = client.post, post_and_run_callbacks
    settings.DATA_DIR = tmp_path
    session, user = evenings.play_session()
    scoring.services.close_session(session=session, by=user)
    user.set_password(PASSWORD_FORM["password"])
    user.save()
    client.force_login(user)
    return user


def create_archive(client: Client) -> ClubArchive:
    club = Club.objects.get()
    client.post(f"{ARCHIVES_URL}make/", {"club": club.slug})
    return ClubArchive.objects.get()


@pytest.mark.slow
def test_owner_exports_and_downloads_the_club(owner: User, client: Client) -> None:
    archive = create_archive(client)
    assert archive.state == ClubArchive.State.DONE
    assert get_archive_path(archive).stat().st_mode & 0o077 == 0
    page = client.get(ARCHIVES_URL).content.decode()
    assert f"{archive.told['rows']} rows saved" in page
    form = {"archive": str(archive.pk)}
    wrong_password_response = client.post(
        f"{ARCHIVES_URL}download/", form | {"password": "wrong"}, follow=True
    )
    assert "Wrong password" in wrong_password_response.content.decode()
    plain_content = b"".join(
        client.post(f"{ARCHIVES_URL}download/", form | PASSWORD_FORM).streaming_content
    )
    assert plain_content[:2] == b"PK"
    encrypted_response = client.post(
        f"{ARCHIVES_URL}download/", form | PASSWORD_FORM | {"passphrase": "a b c"}
    )
    assert b"".join(encrypted_response.streaming_content).startswith(
        encryption.ENCRYPTED_FILE_MAGIC
    )


@pytest.mark.slow
def test_export_with_unplayed_boards_needs_a_passphrase(owner: User, client: Client) -> None:
    archive = create_archive(client)
    acts.add_session(Session.objects.get(), owner)
    last_session = Session.objects.get(number=2)
    Session.objects.filter(pk=last_session.pk).update(
        board_set=BoardSetFactory(), deals="recorded"
    )
    response = client.post(
        f"{ARCHIVES_URL}download/", {"archive": str(archive.pk)} | PASSWORD_FORM, follow=True
    )
    assert "Enter a passphrase" in response.content.decode()


def test_uploaded_file_imports_its_club(owner: User, client: Client) -> None:
    content = get_archive_path(create_archive(client)).read_bytes()
    form = PASSWORD_FORM | {"file": io.BytesIO(content), "name": "Hill Street"}
    client.post(f"{ARCHIVES_URL}import/", form)
    club_archive = ClubArchive.objects.filter(way="in")[0]
    assert (club_archive.state, Club.objects.count()) == ("failed", 1)
    assert "is already here" in client.get(ARCHIVES_URL).content.decode()
    client.post(f"{ARCHIVES_URL}import/", PASSWORD_FORM | {"file": io.BytesIO(b"nothing")})
    assert ClubArchive.objects.filter(way="in").count() == 1
    Club.objects.update(uid="12345678123456781234567812345678", name="Another")
    act_count = Act.objects.count()
    client.post(
        f"{ARCHIVES_URL}import/",
        PASSWORD_FORM | {"file": io.BytesIO(content), "new_links": "1"},
    )
    imported_archive = ClubArchive.objects.filter(way="in")[0]
    assert (imported_archive.state, imported_archive.club.name) == (
        "done",
        "Riverside Whist Club",
    )
    assert Act.objects.count() > act_count
    assert "was taken. It is now" in client.get(ARCHIVES_URL).content.decode()
    assert not get_archive_path(imported_archive).exists()


def test_upload_with_a_too_long_name_is_rejected_before_the_import(
    owner: User, client: Client
) -> None:
    content = get_archive_path(create_archive(client)).read_bytes()
    form = PASSWORD_FORM | {"file": io.BytesIO(content), "name": "x" * 101}
    page = client.post(f"{ARCHIVES_URL}import/", form, follow=True).content.decode()
    assert "is longer than 100 characters. Use a shorter name." in page
    assert not ClubArchive.objects.filter(way="in").exists()


@pytest.mark.slow
def test_users_without_the_owner_role_cannot_export_or_import(
    owner: User, client: Client
) -> None:
    archive = create_archive(client)
    other_client = Client()
    other_client.force_login(evenings.create_club_with_director("Hill Street", "other")[1])
    form = {"archive": str(archive.pk), "club": Club.objects.get(name__startswith="R").slug}
    for act in ("make", "download", "moved"):
        assert (
            other_client.post(f"{ARCHIVES_URL}{act}/", form | PASSWORD_FORM).status_code == 404
        )
    assert other_client.post(f"{ARCHIVES_URL}import/", PASSWORD_FORM).status_code == 403
    assert "Riverside" not in other_client.get(ARCHIVES_URL).content.decode()
    assert ClubArchive.objects.count() == 1
    scorer = Client()
    scorer.force_login(evenings.create_scorer(Club.objects.get(name="Hill Street")))
    assert scorer.get(ARCHIVES_URL).status_code == 403


def test_moved_club_is_readable_but_not_changeable(owner: User, client: Client) -> None:
    club, new_url = Club.objects.get(), "https://whist.example.org"
    client.post(f"{ARCHIVES_URL}moved/", {"club": club.slug, "to": new_url} | PASSWORD_FORM)
    club.refresh_from_db()
    assert club.moved_to == new_url
    event = club.events.get()
    assert new_url in client.get(f"/events/{event.slug}/").content.decode()
    with pytest.raises(ClubMoved):
        clubs.services.set_correction_hours(club=club, hours="3", by=owner)
    session = Session.objects.get()
    sitting = session.sections.get().sittings.first()
    with pytest.raises(ClubMoved):
        evenings.enter_result(session, sitting.pk, 1, "7", owner)
    client.post(f"{ARCHIVES_URL}moved/", {"club": club.slug, "back": "1"} | PASSWORD_FORM)
    clubs.services.set_correction_hours(club=Club.objects.get(), hours="3", by=owner)
    assert [
        act.action for act in Act.objects.filter(action__in=["club.moved", "club.back"])
    ] == [
        "club.back",
        "club.moved",
    ]


@pytest.mark.parametrize("invalid_url", ["", "whist", "javascript:alert(1)"])
def test_club_is_marked_as_moved_to_a_url(owner: User, invalid_url: str) -> None:
    with pytest.raises(ArchiveRefused, match="a web address"):
        mark_club_as_moved(
            club=Club.objects.get(), new_url=invalid_url, spec=ARCHIVE_SPEC, by=owner
        )


@pytest.mark.slow
def test_club_with_an_open_session_cannot_be_marked_as_moved(owner: User) -> None:
    session = Session.objects.get()
    scoring.services.reopen_session(session=session, by=owner)
    with pytest.raises(ArchiveRefused, match="in play"):
        mark_club_as_moved(
            club=Club.objects.get(), new_url="https://a.example", spec=ARCHIVE_SPEC, by=owner
        )
    assert not Club.objects.get().moved_to


def test_imported_club_is_not_marked_as_moved(owner: User, client: Client) -> None:
    mark_club_as_moved(
        club=Club.objects.get(), new_url="https://a.example", spec=ARCHIVE_SPEC, by=owner
    )
    archive = create_archive(client)
    Club.objects.update(uid="12345678123456781234567812345678")
    assert (
        import_club(
            get_archive_path(archive), ARCHIVE_SPEC, ImportOptions(name="Here")
        ).club.moved_to
        == ""
    )


def test_no_file_is_downloadable_before_its_archive_is_written(
    owner: User, client: Client
) -> None:
    archive = request_export(club=Club.objects.get(), should_include_logins=False, by=owner)
    # Another club's file: a restored older backup counts archives from a lower number.
    get_archive_path(archive).write_bytes(b"another club's")
    response = client.post(f"{ARCHIVES_URL}download/", {"archive": archive.pk, **PASSWORD_FORM})
    assert response.status_code == 404


@pytest.mark.slow
def test_old_files_without_a_database_row_are_deleted(owner: User, client: Client) -> None:
    (create_archive_folder() / "987.club").write_bytes(b"of before")
    (create_archive_folder() / "sent-1-x.club").write_bytes(b"half")
    recent_path = create_archive_folder() / "986.club"
    recent_path.write_bytes(b"of now")
    for name in ("987.club", "sent-1-x.club"):
        os.utime(create_archive_folder() / name, (0, 0))
    create_archive(client)
    archive = ClubArchive.objects.get()
    assert {file.name for file in create_archive_folder().iterdir()} == {
        f"{archive.pk}.club",
        recent_path.name,
    }


@pytest.mark.slow
@pytest.mark.parametrize("first_includes_logins", [True, False])
def test_exports_with_and_without_logins_are_separate(
    owner: User, client: Client, first_includes_logins: bool
) -> None:
    club = Club.objects.get()
    exports = [
        request_export(club=club, should_include_logins=should_include_logins, by=owner)
        for should_include_logins in (first_includes_logins, not first_includes_logins)
    ]
    repeated_export = request_export(
        club=club, should_include_logins=first_includes_logins, by=owner
    )
    assert [item.wish["with_logins"] for item in exports] == [
        first_includes_logins,
        not first_includes_logins,
    ]
    assert repeated_export == exports[0]


@pytest.mark.slow
def test_simultaneous_uploads_by_one_login_are_both_imported(
    owner: User, client: Client
) -> None:
    content = get_archive_path(create_archive(client)).read_bytes()
    wish = ImportOptions(should_replace=True, owner=owner)

    def iter_chunks() -> Iterator[bytes]:
        yield content[:1000]
        request_import(chunks=[content], passphrase="", options=wish, by=owner)
        yield content[1000:]

    request_import(chunks=iter_chunks(), passphrase="", options=wish, by=owner)
    assert ClubArchive.objects.filter(way=ClubArchive.Direction.IMPORT).count() == 2


def test_unfetched_upload_is_deleted_after_a_day(owner: User, client: Client) -> None:
    archive = create_archive(client)
    sweep.enqueue_missing_jobs(KINDS)
    assert get_archive_path(archive).exists()
    ClubArchive.objects.update(asked_at=timezone.now() - timedelta(hours=25))
    sweep.enqueue_missing_jobs(KINDS)
    assert not get_archive_path(archive).exists()
    assert not ClubArchive.objects.exists()
