"""An archive is imported completely or not at all, and gives no one access to other data."""

import gc
import hashlib
import json
import warnings
import zipfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from boards.models import Board, BoardSet
from clubs.archives import importer
from clubs.archives.archive_file import open_archive
from clubs.archives.errors import ArchiveRefused, BadArchive
from clubs.archives.exporter import export_club, write_archive
from clubs.archives.importer import ImportOptions, import_club
from clubs.archives.rows import compute_digest
from clubs.models import Act, Club, Membership
from config.archives import ARCHIVE_SPEC
from scoring.models import Paper, Result
from server.memory import freeze_loaded_objects
from server.models import User
from tests.archive.conftest import MachineOpener
from tests.archive.test_there_and_back import (
    CLUB_NAME,
    ENCRYPTED_OPTIONS,
    export_night_club,
    rename_club_rows,
)
from tournaments.models import Event, Session

pytestmark = pytest.mark.slow


@pytest.fixture
def archive(open_machine: MachineOpener, tmp_path: Path) -> Path:
    """Return an encrypted archive of the night's club."""
    export_night_club(open_machine, tmp_path / "a.club")
    return tmp_path / "a.club"


def test_existing_club_is_not_imported_twice(
    open_machine: MachineOpener, archive: Path
) -> None:
    with open_machine("empty"):
        club = import_club(archive, ARCHIVE_SPEC, ENCRYPTED_OPTIONS).club
        digest_before = compute_digest(club, ARCHIVE_SPEC)
        with pytest.raises(ArchiveRefused, match="is already here"):
            import_club(
                archive, ARCHIVE_SPEC, ImportOptions(passphrase="a b c", name="Another name")
            )
        assert Club.objects.count() == 1
        assert compute_digest(club, ARCHIVE_SPEC) == digest_before


def test_club_is_replaced_and_another_club_keeps_its_shared_boards(
    open_machine: MachineOpener, archive: Path
) -> None:
    with open_machine("night"):
        Session.objects.filter(state="open").update(state="planned")
        club, other_club = (
            Club.objects.get(name=CLUB_NAME),
            Club.objects.exclude(name=CLUB_NAME).get(),
        )
        shared_board_set = (
            Session.objects.filter(event__club=club, deals="recorded").first().board_set
        )
        Session.objects.filter(event__club=other_club, deals="recorded").update(
            board_set=shared_board_set
        )
        boards, other_club_digest = (
            shared_board_set.boards.count(),
            compute_digest(other_club, ARCHIVE_SPEC),
        )
        row_counts = [model.objects.count() for model in (Act, Result, Paper, Membership, User)]
        club.players.update(shown="nobody")
        import_result = import_club(
            archive, ARCHIVE_SPEC, ImportOptions(passphrase="a b c", should_replace=True)
        )
        assert import_result.was_replaced
        assert import_result.new_slugs_by_old_slug == {}
        assert row_counts == [m.objects.count() for m in (Act, Result, Paper, Membership, User)]
        assert import_result.club.players.filter(shown="name").exists()
        assert Board.objects.filter(board_set=shared_board_set).count() == boards
        assert compute_digest(other_club, ARCHIVE_SPEC) == other_club_digest
        assert BoardSet.objects.filter(commitment=shared_board_set.commitment).count() == 2


def test_club_with_an_open_session_is_not_replaced(
    open_machine: MachineOpener, archive: Path
) -> None:
    with open_machine("night"):
        digest_before = compute_digest(Club.objects.get(name=CLUB_NAME), ARCHIVE_SPEC)
        with pytest.raises(ArchiveRefused, match="Still in play"):
            import_club(
                archive, ARCHIVE_SPEC, ImportOptions(passphrase="a b c", should_replace=True)
            )
        assert compute_digest(Club.objects.get(name=CLUB_NAME), ARCHIVE_SPEC) == digest_before


@pytest.mark.parametrize("table", ["tournaments.Entry", "scoring.Paper", "clubs.Act"])
def test_process_killed_during_an_import_leaves_nothing(
    open_machine: MachineOpener,
    archive: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    table: str,
) -> None:
    def interrupt_after_table(self: object, carried: Any, *rest: object) -> None:
        original_write_table(self, carried, *rest)
        if carried.label == table:
            raise KeyboardInterrupt

    original_write_table = importer._Import._write_table
    monkeypatch.setattr(importer._Import, "_write_table", interrupt_after_table)
    with open_machine("night on another"):
        rename_club_rows(Club.objects.get(name=CLUB_NAME))
        digests_by_club_pk_before = {
            club.pk: compute_digest(club, ARCHIVE_SPEC) for club in Club.objects.all()
        }
        login_count = User.objects.count()
        with pytest.raises(KeyboardInterrupt):
            import_club(archive, ARCHIVE_SPEC, ENCRYPTED_OPTIONS)
        assert {
            club.pk: compute_digest(club, ARCHIVE_SPEC) for club in Club.objects.all()
        } == digests_by_club_pk_before
        assert User.objects.count() == login_count
        assert not list(Path(settings.MEDIA_ROOT).glob("brought/*"))


def test_next_import_deletes_files_of_a_killed_import(
    open_machine: MachineOpener, archive: Path, settings: Any
) -> None:
    with open_machine("empty"):
        remaining_path = Path(settings.MEDIA_ROOT) / "brought" / "dead"
        remaining_path.mkdir(parents=True)
        (remaining_path / ".unfinished").touch()
        (remaining_path / "half.pdf").write_bytes(b"%PDF")
        import_club(archive, ARCHIVE_SPEC, ENCRYPTED_OPTIONS)
        assert not remaining_path.exists()
        assert Paper.objects.exclude(file="").exists()


def test_unplayed_cards_are_never_exported_unencrypted(
    open_machine: MachineOpener, tmp_path: Path
) -> None:
    with open_machine("night"):
        club = Club.objects.get(name=CLUB_NAME)
        with pytest.raises(ArchiveRefused, match="passphrase") as exc_info:
            export_club(club, tmp_path / "open.club", ARCHIVE_SPEC)
        assert "Next Tuesday" in str(exc_info.value)
        assert not list(tmp_path.glob("*.club"))
        export_club(club, tmp_path / "sealed.club", ARCHIVE_SPEC, passphrase="a b c")
        deal = Board.objects.order_by("pk")[0].deal
        content = (tmp_path / "sealed.club").read_bytes()
        assert deal.encode() not in content
        assert b"rows/" not in content
        assert (tmp_path / "sealed.club").stat().st_mode & 0o077 == 0


def test_altered_file_imports_nothing(open_machine: MachineOpener, tmp_path: Path) -> None:
    with open_machine("night"):
        write_archive(Club.objects.get(name=CLUB_NAME), tmp_path / "plain", ARCHIVE_SPEC)
    content = (tmp_path / "plain").read_bytes()
    with zipfile.ZipFile(tmp_path / "plain") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    entry = members["rows/tournaments.Entry.jsonl"]
    altered_members = {
        "cut": content[: len(content) // 2],
        "empty": b"",
        "other": zip_members(
            members | {"rows/tournaments.Entry.jsonl": entry.replace(b"1", b"2", 1)}
        ),
        "more": zip_members(members | {"../evil": b"!"}),
        "none": zip_members(
            {
                name: member_bytes
                for name, member_bytes in members.items()
                if "Entry" not in name
            }
        ),
        "no list": zip_members(members | {"manifest.json": b"[]"}),
        "newer": zip_members(
            members
            | {
                "manifest.json": members["manifest.json"].replace(
                    b'"format": 1', b'"format": 2'
                )
            }
        ),
        "strange": zip_members(
            members
            | {"manifest.json": members["manifest.json"].replace(b'"stays_seated"', b'"soul"')}
        ),
    }
    with open_machine("empty"):
        for name, member_bytes in altered_members.items():
            (tmp_path / f"{name}.club").write_bytes(member_bytes)
            with pytest.raises(BadArchive):
                import_club(tmp_path / f"{name}.club", ARCHIVE_SPEC, ImportOptions())
        assert not Club.objects.exists()


def test_corrupt_archive_is_rejected_with_message_and_closed(
    open_machine: MachineOpener, tmp_path: Path
) -> None:
    with open_machine("night"):
        write_archive(Club.objects.get(name=CLUB_NAME), tmp_path / "plain", ARCHIVE_SPEC)
    content = (tmp_path / "plain").read_bytes()
    freeze_loaded_objects()  # so that only files left after this point are checked
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)  # an open file cannot be deleted
        for offset in range(100, len(content), len(content) // 100):
            corrupt_content = bytearray(content)
            corrupt_content[offset : offset + 4] = b"\xff\xfe\xfd\xfc"
            (tmp_path / "scratched.club").write_bytes(corrupt_content)
            with (
                suppress(BadArchive),
                closing(open_archive(tmp_path / "scratched.club", tmp_path)),
            ):
                pass
            gc.collect()


@pytest.mark.parametrize(
    ("table", "column", "invalid_value"),
    [
        ("clubs.Club", "slug", {}),
        ("tournaments.Event", "id", {"name": 1}),
        ("tournaments.Event", "name", "\ud800"),
        ("tournaments.Session", "stamped", 2**63),
        ("clubs.DirectorCall", "at", "9999-12-31T23:59:59-12:00"),
    ],
)
def test_value_that_no_database_accepts_imports_nothing(
    open_machine: MachineOpener, tmp_path: Path, table: str, column: str, invalid_value: Any
) -> None:
    with open_machine("night"):
        write_archive(Club.objects.get(name=CLUB_NAME), tmp_path / "plain", ARCHIVE_SPEC)
    with zipfile.ZipFile(tmp_path / "plain") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest, name = json.loads(members["manifest.json"]), f"rows/{table}.jsonl"
    [entry] = [
        manifest_table
        for manifest_table in manifest["tables"]
        if manifest_table["model"] == table
    ]
    rows = [json.loads(line) for line in members[name].splitlines()]
    rows[0][entry["columns"].index(column)] = invalid_value
    members[name] = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    entry["bytes"] = len(members[name])
    entry["sha256"] = hashlib.sha256(members[name]).hexdigest()
    members["manifest.json"] = json.dumps(manifest).encode()
    (tmp_path / "odd.club").write_bytes(zip_members(members))
    with open_machine("empty"):
        with pytest.raises(BadArchive):
            import_club(tmp_path / "odd.club", ARCHIVE_SPEC, ImportOptions())
        assert not Club.objects.exists()


def zip_members(members: dict[str, bytes]) -> bytes:
    import io

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("passphrase", "text"), [("", "needs a passphrase"), ("x", "Wrong passphrase")]
)
def test_encrypted_archive_opens_only_with_its_passphrase(
    open_machine: MachineOpener, archive: Path, passphrase: str, text: str
) -> None:
    with open_machine("empty"):
        with pytest.raises(BadArchive, match=text):
            import_club(archive, ARCHIVE_SPEC, ImportOptions(passphrase=passphrase))
        assert not Club.objects.exists()


def test_same_username_gives_no_access_to_an_imported_club(
    open_machine: MachineOpener, archive: Path
) -> None:
    with open_machine("empty"):
        User.objects.create_user("owner", password="another person's")
        own_user = User.objects.create_user("mine", password="my own")
        club = import_club(
            archive, ARCHIVE_SPEC, ImportOptions(passphrase="a b c", owner=own_user)
        )
        roles = dict(Membership.objects.values_list("user__username", "role"))
        assert roles == {"mine": "owner", "director": "director", "scorer": "scorer"}
        assert club.unmatched_logins == ["owner"]
        assert sorted(club.logins_without_password) == ["director", "scorer"]
        assert not User.objects.get(username="director").has_usable_password()


def test_passwords_are_imported_if_they_were_exported(
    open_machine: MachineOpener, tmp_path: Path
) -> None:
    with open_machine("night"):
        director = User.objects.get(username="director")
        director.set_password("words of a director")
        director.save()
        club = Club.objects.get(name=CLUB_NAME)
        export_club(
            club,
            tmp_path / "a.club",
            ARCHIVE_SPEC,
            passphrase="a b c",
            should_include_logins=True,
        )
    with open_machine("empty"):
        assert (
            import_club(tmp_path / "a.club", ARCHIVE_SPEC, ENCRYPTED_OPTIONS).club.name
            == CLUB_NAME
        )
        assert User.objects.get(username="director").check_password("words of a director")


def test_too_long_club_name_is_refused_with_its_limit(
    open_machine: MachineOpener, archive: Path
) -> None:
    """Regression: the message said that the archive was altered."""
    with open_machine("empty"):
        with pytest.raises(ArchiveRefused, match=r"^name: “ClubClub.* than 100 characters"):
            import_club(
                archive, ARCHIVE_SPEC, ImportOptions(passphrase="a b c", name="Club" * 26)
            )
        assert not Club.objects.exists()
        club = import_club(
            archive, ARCHIVE_SPEC, ImportOptions(passphrase="a b c", name="Club" * 25)
        )
        assert club.club.name == "Club" * 25


def test_too_long_text_of_an_older_version_is_refused_with_its_limit(
    open_machine: MachineOpener, tmp_path: Path
) -> None:
    """SQLite stores any length, and an older version allowed some."""
    with open_machine("night"):
        Event.objects.filter(club__name=CLUB_NAME).update(name="Tuesday " * 20)
        write_archive(Club.objects.get(name=CLUB_NAME), tmp_path / "plain", ARCHIVE_SPEC)
    text = r"^tournaments.Event.name: “Tuesday .* than 100 characters. Shorten it in the club"
    with open_machine("empty"):
        with pytest.raises(BadArchive, match=text):
            import_club(tmp_path / "plain", ARCHIVE_SPEC, ImportOptions())
        assert not Club.objects.exists()


def test_taken_club_name_requires_another_name(
    open_machine: MachineOpener, archive: Path
) -> None:
    with open_machine("empty"):
        Club.objects.create(name=CLUB_NAME, slug="riverside-whist-club")
        with pytest.raises(ArchiveRefused, match="another name"):
            import_club(archive, ARCHIVE_SPEC, ENCRYPTED_OPTIONS)
        club = import_club(
            archive, ARCHIVE_SPEC, ImportOptions(passphrase="a b c", name="Riverside  two")
        )
        assert club.club.name == "Riverside two"
        assert club.new_slugs_by_old_slug["riverside-whist-club"] == club.club.slug
        assert Act.objects.filter(club=club.club.slug).exists()
