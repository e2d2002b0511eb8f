"""Test the contents of a backup and the checks made before it is used."""

import json
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from server.backups import encryption, file_format
from server.backups.digests import DatabaseDigest, DatabaseTableDigest
from server.backups.file_format import BackupManifest, InvalidBackup

DATABASE = b"SQLite format 3\0" + bytes(4000)


def create_small_backup(folder: Path) -> Path:
    """Return a small complete backup with a database and one paper."""
    files = {"database.sqlite3": folder / "database.sqlite3", "media/p.pdf": folder / "p.pdf"}
    files["database.sqlite3"].write_bytes(DATABASE)
    files["media/p.pdf"].write_bytes(b"%PDF")
    manifest = BackupManifest(
        version="1.0",
        vendor="sqlite",
        schema_fingerprint="ab",
        kind="asked",
        site="",
        made_at=datetime(2026, 11, 22, 20, tzinfo=UTC),
        key_id="12345678",
        digest=DatabaseDigest({"clubs_club": DatabaseTableDigest(2, "cd")}),
        sizes_and_hashes_by_member={},
    )
    written_manifest = file_format.write_backup_file(folder / "a.backup", manifest, files)
    assert written_manifest.sizes_and_hashes_by_member == {
        name: file_format.compute_size_and_hash(path) for name, path in files.items()
    }
    return folder / "a.backup"


def test_packed_backup_is_unpacked_unchanged(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    manifest = file_format.extract_backup(create_small_backup(tmp_path), tmp_path / "out")
    assert (
        file_format.build_extracted_path(tmp_path / "out", "database.sqlite3").read_bytes()
        == DATABASE
    )
    assert (
        file_format.build_extracted_path(tmp_path / "out", "media/p.pdf").read_bytes()
        == b"%PDF"
    )
    assert (manifest.database_member_name, manifest.digest.row_count) == ("database.sqlite3", 2)
    assert file_format.read_unencrypted_manifest(tmp_path / "a.backup") == manifest


def test_missing_database_is_not_backed_up(tmp_path: Path) -> None:
    manifest = file_format.read_unencrypted_manifest(create_small_backup(tmp_path))
    (tmp_path / "database.sqlite3").unlink()
    with pytest.raises(FileNotFoundError):
        file_format.write_backup_file(
            tmp_path / "b.backup",
            manifest,
            {"database.sqlite3": tmp_path / "database.sqlite3"},
        )


def truncate_backup(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-300])


def overwrite_backup_bytes(path: Path) -> None:
    """Overwrite a few bytes of the packed database."""
    whole = bytearray(path.read_bytes())
    start_index = whole.index(b"database.sqlite3") + len("database.sqlite3")
    whole[start_index : start_index + 8] = bytes(range(248, 256))
    path.write_bytes(whole)


def alter_database(path: Path) -> None:
    """Change one byte of the database and correct the checksum in the zip."""
    rewrite_backup(path, lambda data: data, {"database.sqlite3": DATABASE[:-1] + b"x"})


def inflate_database(path: Path) -> None:
    rewrite_backup(path, lambda data: data, {"database.sqlite3": bytes(50_000_000)})


def add_extra_member(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("extra.txt", "x")


def set_newer_format(path: Path) -> None:
    rewrite_backup(path, lambda data: data | {"format": 2, "version": "7.0"}, {})


def move_member_outside(path: Path) -> None:
    def rename_member_outside(data: dict[str, Any]) -> dict[str, Any]:
        data["members"]["media/../../../etc/cron.d/x"] = data["members"].pop("media/p.pdf")
        return data

    rewrite_backup(path, rename_member_outside, {})


def change_digest(path: Path) -> None:
    rewrite_backup(path, lambda data: data | {"digest": "0" * 64}, {})


def clear_manifest(path: Path) -> None:
    rewrite_backup(path, lambda _data: {"format": 1}, {})


def replace_manifest_by_list(path: Path) -> None:
    rewrite_backup(path, lambda _data: [], {})


def rewrite_backup(
    path: Path, manifest: Callable[[Any], Any], members: dict[str, bytes]
) -> None:
    """Rewrite a backup with another manifest or other members."""
    with zipfile.ZipFile(path) as archive:
        actual = {name: archive.read(name) for name in archive.namelist()} | members
    actual[file_format.MANIFEST_MEMBER] = json.dumps(
        manifest(json.loads(actual[file_format.MANIFEST_MEMBER]))
    ).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in actual.items():
            archive.writestr(name, data)


@pytest.mark.parametrize(
    ("damage_backup", "message"),
    [
        (truncate_backup, "an Overplay backup, or is incomplete"),
        (overwrite_backup_bytes, "database.sqlite3 in this backup is damaged or was changed"),
        (alter_database, "database.sqlite3 in this backup is damaged or was changed"),
        (inflate_database, "database.sqlite3 in this backup is damaged or was changed"),
        (add_extra_member, "don’t match its list"),
        (set_newer_format, r"made by a newer version of Overplay \(7.0\)"),
        (move_member_outside, "outside its folder"),
        (change_digest, "an Overplay backup, or it was changed"),
        (clear_manifest, "an Overplay backup, or it was changed"),
        (replace_manifest_by_list, "an Overplay backup, or it was changed"),
        (lambda path: path.write_bytes(b"Dear club"), "an Overplay backup"),
        (lambda path: path.write_bytes(b""), "an Overplay backup"),
    ],
)
def test_damaged_backup_is_refused_with_message(
    tmp_path: Path, damage_backup: Callable[[Path], object], message: str
) -> None:
    path, output_folder = create_small_backup(tmp_path), tmp_path / "out"
    damage_backup(path)
    output_folder.mkdir()
    with pytest.raises(InvalidBackup, match=message):
        file_format.extract_backup(path, output_folder)
    assert (
        sum(path.stat().st_size for path in output_folder.rglob("*") if path.is_file()) < 5000
    )


def test_encrypted_backup_requires_passphrase(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(encryption, "SCRYPT_COST", 2)
    path, out = tmp_path / "sealed.backup", tmp_path / "out"
    encryption.encrypt_file(create_small_backup(tmp_path), path, "right")
    out.mkdir()
    with pytest.raises(InvalidBackup, match="needs a passphrase"):
        file_format.extract_backup(path, out)
    with pytest.raises(InvalidBackup, match="Wrong passphrase"):
        file_format.extract_backup(path, out, "wrong")
    assert file_format.extract_backup(path, out, "right").vendor == "sqlite"
