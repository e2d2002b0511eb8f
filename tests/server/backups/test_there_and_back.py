"""A backup is made, verified and restored; on failure the previous data is unchanged."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from server import laptop
from server.backups import (
    create,
    database_dumps,
    encryption,
    file_format,
    restore,
    store,
    tasks,
)
from server.backups.create import BackupFailed, BackupRequest
from server.backups.digests import compute_digest
from server.backups.restore import RestoreRefused
from server.jobs.failures import FailureCause, classify_error


def request_backup(club: Path, **more: Any) -> BackupRequest:
    return BackupRequest(kind="asked", folder=club.parent / "backups", **more)


def rename_players(club: Path) -> None:
    with closing(sqlite3.connect(club)) as sqlite_connection:
        sqlite_connection.execute("UPDATE clubs_player SET name = '? ' || id")
        sqlite_connection.commit()


def hash_file(path: Path) -> str:
    connection.close()
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.slow
def test_backup_contains_and_restores_everything(club: Path) -> None:
    paper = club.parent / "media" / "papers" / "slips.pdf"
    paper.parent.mkdir(parents=True)
    paper.write_bytes(b"%PDF slips")
    digest_before = compute_digest(connection)
    backup = create.create_backup(request_backup(club))
    assert backup.note is not None
    assert (backup.note.proof, backup.note.tables) == (
        "verified",
        len(digest_before.digests_by_table),
    )
    assert backup.note.sha256 == digest_before.sha256
    assert backup.path.stat().st_mode & 0o077 == 0
    assert backup.path.parent.stat().st_mode & 0o077 == 0
    rename_players(club)
    paper.unlink()
    assert compute_digest(connection).list_differences(digest_before) == ["clubs_player"]
    restore_result = restore.restore_backup(backup.path)
    assert compute_digest(connection).list_differences(digest_before) == []
    assert paper.read_bytes() == b"%PDF slips"
    with closing(sqlite3.connect(restore_result.old_data_name)) as old_connection:
        assert (
            old_connection.execute("SELECT min(name) FROM clubs_player")
            .fetchone()[0]
            .startswith("? ")
        )
    assert [path.name for path in club.parent.glob(".*")] == []


@pytest.mark.slow
def test_restore_succeeds_if_directory_is_at_database_path(club: Path) -> None:
    digest_before = compute_digest(connection)
    backup = create.create_backup(request_backup(club))
    connection.close()
    club.unlink()
    club.mkdir()
    done = restore.restore_backup(backup.path)
    assert Path(done.old_data_name).is_dir()
    assert compute_digest(connection).list_differences(digest_before) == []


@pytest.mark.slow
@pytest.mark.parametrize("club", ["brought up"], indirect=True)
def test_restore_omits_old_logins_and_unfinished_jobs(club: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_session VALUES ('abc', 'x', '2030-01-01')")
        cursor.execute("DELETE FROM server_job")
        cursor.execute(
            "INSERT INTO server_job (kind, about, lane, wanted_no, done_no, state, wanted_at, "
            "not_before, lease_until, worker, tries, deaths, trouble) VALUES ('standings', 1, "
            "0, 2, 1, 'doing', '2026-11-22', '2026-11-22', '2026-11-22', 'x', 0, 0, '')"
        )
    restore.restore_backup(create.create_backup(request_backup(club)).path)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM django_session")
        assert cursor.fetchone() == (0,)
        cursor.execute("SELECT state, lease_until, wanted_no FROM server_job")
        assert cursor.fetchall() == [("wanted", None, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("deleted_item", ["slips.pdf", "a folder"])
def test_document_deleted_during_backup_is_omitted(
    club: Path, monkeypatch, deleted_item: str
) -> None:
    papers = club.parent / "media" / "papers"
    papers.mkdir(parents=True)
    for name in ("cards.pdf", "slips.pdf"):
        (papers / name).write_bytes(b"%PDF " + name.encode())
    list_media_files = create._list_media_files

    def list_and_delete() -> dict[str, Path]:
        actual = list_media_files()
        for path in papers.iterdir() if deleted_item == "a folder" else [papers / deleted_item]:
            path.unlink()
        return actual

    monkeypatch.setattr(create, "_list_media_files", list_and_delete)
    backup = create.create_backup(request_backup(club))
    assert backup.note is not None
    assert backup.note.proof == "verified"
    members = {
        name
        for name in file_format.read_unencrypted_manifest(
            backup.path
        ).sizes_and_hashes_by_member
        if name.startswith("media/")
    }
    assert members == (set() if deleted_item == "a folder" else {"media/papers/cards.pdf"})
    restore.restore_backup(backup.path)


@pytest.mark.slow
def test_altered_backup_is_refused_and_nothing_is_changed(club: Path, monkeypatch) -> None:
    monkeypatch.setattr(encryption, "SCRYPT_COST", 2)
    whole = create.create_backup(request_backup(club, passphrase="tray")).path
    damaged_backup = whole.with_name("spoiled.backup")
    damaged_backup.write_bytes(whole.read_bytes()[:-1])
    hash_before = hash_file(club)
    for path, passphrase in (
        (damaged_backup, "tray"),
        (whole, ""),
        (whole, "slip"),
        (club, ""),
    ):
        with pytest.raises((file_format.InvalidBackup, RestoreRefused)):
            restore.restore_backup(path, passphrase)
    with pytest.raises(RestoreRefused, match="not found"):
        restore.check_backup(club.with_name("none.backup"))
    assert hash_file(club) == hash_before
    assert restore.check_backup(whole, "tray").kind == "asked"


@pytest.mark.slow
def test_database_that_differs_from_manifest_is_refused(club: Path) -> None:
    path = create.create_backup(request_backup(club)).path
    manifest = file_format.read_unencrypted_manifest(path)
    with TemporaryDirectory() as work:
        file_format.extract_backup(path, Path(work))
        files = {
            name: file_format.build_extracted_path(Path(work), name)
            for name in manifest.sizes_and_hashes_by_member
        }
        rename_players(files["database.sqlite3"])
        file_format.write_backup_file(path.with_name("false.backup"), manifest, files)
    with pytest.raises(RestoreRefused, match="Different: clubs_player"):
        restore.check_backup(path.with_name("false.backup"))
    assert create.verify_backup(path.with_name("false.backup")).proof == "failed"


@pytest.mark.slow
def test_backup_with_different_data_is_kept_and_reported(club: Path, monkeypatch) -> None:
    dump_database = database_dumps.dump_database

    def dump_and_change_players(line: Any, file: Path) -> Any:
        actual = dump_database(line, file)
        rename_players(file)
        return actual

    monkeypatch.setattr(database_dumps, "dump_database", dump_and_change_players)
    with pytest.raises(BackupFailed, match=r"gave different data: clubs_player"):
        create.create_backup(request_backup(club))
    [kept_backup] = store.list_backups(club.parent / "backups")
    assert kept_backup.note is not None
    assert (kept_backup.note.proof, kept_backup.has_passed_check) == ("failed", False)


@pytest.mark.slow
def test_restore_is_refused_while_another_process_uses_database(club: Path) -> None:
    path = create.create_backup(request_backup(club)).path
    with closing(sqlite3.connect(club)) as other_connection:
        other_connection.execute("PRAGMA journal_mode=WAL")
        other_connection.execute("BEGIN")
        other_connection.execute("SELECT count(*) FROM clubs_player").fetchall()
        with pytest.raises(RestoreRefused, match=r"is using"):
            restore.restore_backup(path)
    with (
        laptop.lock_data_folder(club.parent),
        pytest.raises(CommandError, match="already running"),
    ):
        call_command("restore", str(path), verbosity=0)
    call_command("restore", str(path), verbosity=0)


@pytest.mark.slow
def test_interrupted_restore_leaves_old_database(club: Path, monkeypatch) -> None:
    path = create.create_backup(request_backup(club)).path
    new_sha256 = compute_digest(connection).sha256
    rename_players(club)
    old_sha256 = compute_digest(connection).sha256

    class ProcessKilled(BaseException):
        """Anything that ends a process before it can clean up."""

    steps = [
        (restore, "_reset_temporary_rows"),
        (restore, "_restore_media"),
        (restore, "_merge_wal"),
        (restore, "_save_old_file"),
        (Path, "replace"),
        (restore, "_restore_key"),
    ]
    for owner, name in steps:
        with monkeypatch.context() as patched:
            patched.setattr(
                owner, name, lambda *_a, **_o: (_ for _ in ()).throw(ProcessKilled())
            )
            with pytest.raises(ProcessKilled):
                restore.restore_backup(path)
        connection.close()
        assert compute_digest(connection).sha256 == old_sha256, name
    restore.restore_backup(path)
    assert compute_digest(connection).sha256 == new_sha256


@pytest.mark.slow
def test_full_disk_deletes_older_backups_before_reporting_error(
    club: Path, monkeypatch
) -> None:
    _first, second_backup = (
        create.create_backup(request_backup(club)),
        create.create_backup(request_backup(club)),
    )
    usage = create.shutil.disk_usage(club.parent)._replace(free=create.MIN_FREE_BYTES)
    monkeypatch.setattr(create.shutil, "disk_usage", lambda _folder: usage)
    with pytest.raises(BackupFailed, match="A backup and its check need up to"):
        create.create_backup(request_backup(club))
    with pytest.raises(OSError, match="No space left") as exc_info:
        tasks.run_backup_job(tasks.NIGHTLY_BACKUP_KEY)
    assert classify_error(exc_info.value) is FailureCause.DISK  # retried until there is room
    remaining_backups = store.list_backups(club.parent / "backups")
    assert [item.created_at for item in remaining_backups] == [
        second_backup.created_at.replace(microsecond=0)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("club", ["brought up"], indirect=True)
def test_backup_command_creates_lists_and_verifies(club: Path, tmp_path: Path, capsys) -> None:
    word = tmp_path / "word"
    word.write_text("trump slip\n", "utf-8")
    file = str(tmp_path / "on-a-stick.backup")
    create.create_backup(BackupRequest(kind="upgrade", folder=club.parent / "backups"))
    call_command("backup")
    call_command("backup", to=file, passphrase_file=str(word))
    call_command("backup", list=True)
    call_command("backup", check=file, passphrase_file=str(word))
    call_command("restore", file, check=True, passphrase_file=str(word))
    output = capsys.readouterr().out
    assert output.count("checked by a test restore") == 4  # the upgrade's is listed too
    assert f"{file}: verified" in output
    assert f"{file} is good" in output
    with pytest.raises(CommandError, match="empty"):
        call_command("backup", passphrase_file=str(create_empty_file(tmp_path)))
    with pytest.raises(CommandError, match="read the passphrase"):
        call_command("backup", passphrase_file=str(tmp_path / "nowhere"))
    with pytest.raises(CommandError, match="is a folder"):
        call_command("backup", to=str(tmp_path))


def create_empty_file(folder: Path) -> Path:
    (folder / "empty").write_text("\n", "utf-8")
    return folder / "empty"
