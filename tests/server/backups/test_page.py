"""Test the page of backups, and automatic backups."""

import io
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from clubs.models import Membership
from scoring.services import close_session
from server.backups import create, encryption, store, tasks
from server.backups.create import BackupFailed
from server.backups.store import Backup, BackupNote
from server.models import Installed, Job, User
from tests import evenings
from tests.factories import ClubFactory, UserFactory

pytestmark = pytest.mark.django_db
VERIFIED_NOTE = BackupNote(
    kind="night", proof="verified", proved_at="", tables=52, rows=9, sha256="", sealed=False
)


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """Use an empty backup folder."""
    settings.BACKUP_DIR = tmp_path / "shelf"
    settings.BACKUP_DIR.mkdir()
    return tmp_path / "shelf"


def put_backup(folder: Path, age: timedelta, note: BackupNote | None = VERIFIED_NOTE) -> Path:
    """Put a backup into the folder."""
    path = folder / store.format_backup_name("", timezone.now() - age)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", "{}")
    if note is not None:
        store.write_note(path, note)
    return path


def sign_in_owner() -> tuple[Client, User]:
    user = UserFactory(username="owner")
    user.set_password("a long evening")
    user.save()
    Membership.objects.create(club=ClubFactory(), user=user, role="owner")
    client = Client()
    client.force_login(user)
    return client, user


def test_only_owners_of_all_clubs_see_backups(folder: Path) -> None:
    put_backup(folder, timedelta(hours=1))
    put_backup(folder, timedelta(hours=2), note=None)
    client, user = sign_in_owner()
    page = client.get("/director/backups/").content.decode()
    assert "52 tables match" in page
    assert "not checked yet" in page
    for path in ("account/", "club/archives/"):
        assert 'href="/director/backups/"' in client.get(f"/director/{path}").content.decode()
    ClubFactory(name="Elsewhere", slug="elsewhere")
    for path in ("", "make/", "download/"):
        send_request = client.post if path else client.get
        assert send_request(f"/director/backups/{path}").status_code == 403
    assert 'href="/director/backups/"' not in client.get("/director/account/").content.decode()
    user.is_superuser = True
    user.save()
    assert client.get("/director/backups/").status_code == 200


def test_restore_is_explained_in_steps_with_folded_command(folder: Path) -> None:
    page = sign_in_owner()[0].get("/director/backups/").content.decode()
    steps, _summary, technical_part = page.partition("For the technician")
    assert "Ask the person who installed Overplay to restore it." in steps
    assert "restore FILE" in technical_part
    assert "restore FILE" not in steps


def test_backup_download_requires_password(folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(encryption, "SCRYPT_COST", 2)
    path = put_backup(folder, timedelta(hours=1))
    (folder / "secret.txt").write_text("x")
    client, _user = sign_in_owner()

    def post_download(**fields: str) -> Any:
        return client.post("/director/backups/download/", {"name": path.name} | fields)

    assert post_download(password="wrong").status_code == 302
    assert post_download().status_code == 302
    content = b"".join(post_download(password="a long evening").streaming_content)
    assert content == path.read_bytes()
    sealed_response = post_download(password="a long evening", passphrase="tray")
    (folder / "home").write_bytes(b"".join(sealed_response.streaming_content))
    encryption.decrypt_file(folder / "home", folder / "open", "tray")
    assert zipfile.ZipFile(io.BytesIO((folder / "open").read_bytes())).namelist()
    for name in ("secret.txt", "../overplay.sqlite3", ""):
        assert post_download(name=name, password="a long evening").status_code == 404


def test_button_creates_backup_and_page_shows_failure(folder: Path, monkeypatch) -> None:
    kinds: list[str] = []

    def record_and_fail_once(wish: create.BackupRequest) -> None:
        kinds.append(wish.kind)
        if len(kinds) == 1:
            raise BackupFailed("The stick is full.")

    monkeypatch.setattr(tasks, "create_backup_and_clean_up", record_and_fail_once)
    client, _user = sign_in_owner()
    with pytest.raises(BackupFailed):
        tasks.run_backup_job(tasks.REQUESTED_BACKUP_KEY)
    assert "The stick is full." in client.get("/director/backups/").content.decode()
    tasks.run_backup_job(tasks.NIGHTLY_BACKUP_KEY)
    page = client.get("/director/backups/").content.decode()
    assert "The stick is full." not in page
    assert "No backup yet" in page
    client.post("/director/backups/make/")
    assert Job.objects.get().kind == "backup"
    page = client.get("/director/backups/").content.decode()
    assert 'data-hx-get="/director/backups/status/"' in page
    assert "htmx" in page.partition("</head>")[0]
    response = client.get("/director/backups/status/", headers={"HX-Request": "true"})
    assert response.content.decode().lstrip().startswith('<div id="backups"')
    assert client.get("/director/backups/status/").headers["Location"] == "/director/backups/"
    assert kinds == ["asked", "night"]


def test_backup_is_made_after_a_session_and_once_a_day(
    folder: Path, settings: Any, django_capture_on_commit_callbacks: Any, monkeypatch
) -> None:
    monkeypatch.setattr(tasks, "create_backup_and_clean_up", lambda _wish: None)
    session, user = evenings.play_session()
    close_session(session=session, by=user)
    assert not Job.objects.filter(kind="backup").exists()
    assert tasks.list_due_backup_keys() == []
    settings.HAS_AUTOMATIC_BACKUPS = True
    tasks.enqueue_backup(tasks.AFTER_SESSION_BACKUP_KEY)
    assert Job.objects.get(kind="backup").about == tasks.AFTER_SESSION_BACKUP_KEY
    job = Job.objects.get(kind="backup")
    assert job.not_before - job.wanted_at == timedelta(seconds=tasks.BACKUP_DELAY_SECONDS)
    assert not Job.objects.filter_runnable(timezone.now()).filter(pk=job.pk).exists()
    assert (
        Job.objects.filter_runnable(timezone.now() + timedelta(seconds=61))
        .filter(pk=job.pk)
        .exists()
    )
    assert tasks.list_due_backup_keys() == []  # as in a test's, no upgrade has run
    Installed.objects.create(version="1.0", shape="", at=timezone.now(), by="")
    assert tasks.list_due_backup_keys() == [tasks.NIGHTLY_BACKUP_KEY]
    put_backup(folder, timedelta(hours=19), note=None)
    assert tasks.list_due_backup_keys() == [tasks.NIGHTLY_BACKUP_KEY]
    put_backup(folder, timedelta(hours=18))
    assert tasks.list_due_backup_keys() == []


@pytest.mark.parametrize(
    ("good_age_days", "failed_age_days", "is_overdue"),
    [(None, None, False), (7, None, False), (9, None, True), (None, 9, True), (1, 9, False)],
)
def test_owner_is_notified_after_eight_days_without_valid_backup(
    folder: Path, good_age_days: int | None, failed_age_days: int | None, is_overdue: bool
) -> None:
    if good_age_days is not None:
        put_backup(folder, timedelta(days=good_age_days))
    if failed_age_days is not None:
        put_backup(folder, timedelta(days=failed_age_days), note=None)
    assert tasks.is_backup_overdue(timezone.now()) is is_overdue
    client, _user = sign_in_owner()
    page = client.get("/director/account/").content.decode()
    assert ("no good backup for more than eight days" in page) is is_overdue


def test_old_backups_are_deleted_and_new_one_is_copied_elsewhere(
    folder: Path, settings: Any, monkeypatch
) -> None:
    new_backup_path = put_backup(folder, timedelta(0))
    for hours in range(1, 25):
        put_backup(folder, timedelta(minutes=hours))
    backup = Backup(
        path=new_backup_path, created_at=timezone.now(), size_bytes=1, note=VERIFIED_NOTE
    )
    monkeypatch.setattr(create, "create_backup", lambda _wish: backup)
    settings.BACKUP_COMMAND = f"cp -t {folder.parent}"
    create.create_backup_and_clean_up(create.BackupRequest(kind="night", folder=folder))
    assert len(store.list_backups(folder)) in (20, 21)  # two around midnight
    assert (folder.parent / new_backup_path.name).exists()
    settings.BACKUP_COMMAND = "no-such-program"
    create.create_backup_and_clean_up(create.BackupRequest(kind="night", folder=folder))
