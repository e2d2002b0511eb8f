"""The readable part of a damaged or altered file is recovered; the rest is listed."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, connections

from server.backups import rescue
from server.backups.digests import compute_digest
from server.backups.second_database import build_sqlite_settings, open_extra_connection

EXPECTED_DIFFERING_TABLES = {"django_migrations", "server_installed"}


def execute_sql(file: Path, *statements: str) -> None:
    connection.close()
    with closing(sqlite3.connect(file)) as sqlite_connection:
        for statement in statements:
            sqlite_connection.execute(statement)
        sqlite_connection.commit()


def rescue_club(club: Path) -> tuple[Path, rescue.RescueResult]:
    connection.close()
    target = club.with_name("rescued.sqlite3")
    return target, rescue.rescue_rows(club, target)


@pytest.fixture
def copied_tables(empty_database_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copy the tables of the new file instead of creating them; the first test creates them."""

    def copy_empty_database(verb: str, *, database: str, **_options: object) -> None:
        assert verb == "migrate"
        new_connection = connections[database]
        new_connection.ensure_connection()
        with closing(sqlite3.connect(empty_database_file)) as line:
            line.backup(new_connection.connection)

    monkeypatch.setattr(rescue, "call_command", copy_empty_database)


@pytest.mark.slow
@pytest.mark.parametrize("club", ["brought up"], indirect=True)
def test_intact_file_is_rescued_completely(club: Path) -> None:
    digest_before = compute_digest(connection)
    connection.close()
    digest = hashlib.sha256(club.read_bytes()).digest()
    target, rescue_result = rescue_club(club)
    assert rescue_result.lost_row_counts == {}
    assert hashlib.sha256(club.read_bytes()).digest() == digest
    with open_extra_connection(build_sqlite_settings(target)) as new:
        assert (
            set(compute_digest(new).list_differences(digest_before))
            <= EXPECTED_DIFFERING_TABLES
        )
    assert target.stat().st_mode & 0o077 == 0


def test_pre_release_file_is_refused_and_nothing_is_created(club: Path, tmp_path: Path) -> None:
    execute_sql(club, "DELETE FROM django_migrations WHERE app = 'overplay'")
    target = tmp_path / "new.sqlite3"
    with pytest.raises(CommandError, match=r"before 1\.0.*event export") as exc_info:
        call_command("rescue", str(club), to=str(target))
    assert exc_info.value.returncode == 3
    assert not target.exists()


@pytest.mark.slow
@pytest.mark.usefixtures("copied_tables")
def test_modified_database_is_rescued_as_far_as_current_constraints_allow(club: Path) -> None:
    execute_sql(
        club,
        "PRAGMA ignore_check_constraints=ON",
        "ALTER TABLE clubs_player ADD COLUMN shoe_size integer",
        "DROP TABLE hall_challenge",
        "UPDATE scoring_result SET ns_tricks = 99 "
        "WHERE id = (SELECT min(id) FROM scoring_result)",
    )
    target, rescue_result = rescue_club(club)
    assert ("hall_challenge", "the table is missing") in rescue_result.lost_row_counts
    assert rescue_result.copied_row_counts["clubs_player"] > 20
    loss_reasons = [
        reason for (table, reason) in rescue_result.lost_row_counts if table == "scoring_result"
    ]
    assert len(loss_reasons) == 1
    assert "CHECK" in loss_reasons[0]
    with open_extra_connection(build_sqlite_settings(target)) as new:
        call_command("check", database=[new.alias])
        with new.cursor() as cursor:
            cursor.execute("PRAGMA foreign_key_check")
            assert cursor.fetchall() == []
            cursor.execute("SELECT count(*) FROM clubs_player")
            assert cursor.fetchone()[0] == rescue_result.copied_row_counts["clubs_player"]


@pytest.mark.slow
@pytest.mark.usefixtures("copied_tables")
def test_damaged_pages_are_skipped(club: Path) -> None:
    with closing(sqlite3.connect(club)) as line:
        (page_size,) = line.execute("PRAGMA page_size").fetchone()
        (root_page,) = line.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'scoring_resultversion'"
        ).fetchone()
        (row_count_before,) = line.execute(
            "SELECT count(*) FROM scoring_resultversion"
        ).fetchone()
        (results,) = line.execute("SELECT count(*) FROM scoring_result").fetchone()
    connection.close()
    data = bytearray(club.read_bytes())
    data[(root_page - 1) * page_size + 50 : root_page * page_size] = b"\xa5" * (page_size - 50)
    club.write_bytes(data)
    _target, rescue_result = rescue_club(club)
    assert rescue_result.copied_row_counts["scoring_resultversion"] < row_count_before
    assert (
        sum(
            lost_count
            for (table, _reason), lost_count in rescue_result.lost_row_counts.items()
            if "version" in table
        )
        > 0
    )
    assert rescue_result.copied_row_counts["scoring_result"] == results


@pytest.mark.slow
@pytest.mark.usefixtures("copied_tables")
def test_rescue_command_reports_lost_rows_and_next_steps(club: Path, capsys) -> None:
    execute_sql(club, "DROP TABLE hall_challenge")
    call_command("rescue", str(club))
    output = capsys.readouterr().out
    assert "hall_challenge: 1 lost: the table is missing" in output
    assert f"rows recovered into {club.with_name('overplay-rescued.sqlite3')}" in output
    with pytest.raises(CommandError, match="already exists"):
        call_command("rescue", str(club))
    with pytest.raises(CommandError, match="not found"):
        call_command("rescue", str(club.with_name("none")))
    (letter := club.with_name("letter.sqlite3")).write_text("Dear club, " * 500, "utf-8")
    with pytest.raises(CommandError, match="can be read"):
        call_command("rescue", str(letter))
    assert not club.with_name("letter-rescued.sqlite3").exists()
    (empty_file := club.with_name("empty.sqlite3")).touch()
    with pytest.raises(CommandError, match="has no tables"):
        call_command("rescue", str(empty_file))
