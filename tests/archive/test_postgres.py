"""Move a club from SQLite to PostgreSQL next to another club, and back to SQLite."""

import os
from pathlib import Path
from typing import Any

import pytest

from clubs.archives.exporter import export_club
from clubs.archives.importer import ImportOptions, import_club
from clubs.archives.rows import compute_digest
from clubs.models import Act, Club
from config.archives import ARCHIVE_SPEC
from tests.archive.conftest import MachineOpener
from tests.archive.test_there_and_back import (
    CLUB_NAME,
    ENCRYPTED_OPTIONS,
    export_night_club,
    rename_club_rows,
)

DATABASE_SERVER_URL = (
    os.environ.get("DATABASE_URL", "") if os.environ.get("OVERPLAY_SERVICES") else ""
)
XDIST_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")


@pytest.mark.services
def test_club_moves_to_a_shared_postgres_server_and_back_with_its_links(
    open_machine: MachineOpener, tmp_path: Path, settings: Any
) -> None:
    from tests.databases import use_database
    from tests.releases import stored

    night_club_digest = export_night_club(open_machine, tmp_path / "1.club")
    release = stored.list_releases()[-1]
    database_name = f"test_overplay_archive_{XDIST_WORKER}"
    with stored.upgrade_on_postgres(
        release, DATABASE_SERVER_URL.rpartition("/")[0], database_name
    ) as database_settings:
        settings.DATA_DIR = settings.BACKUP_DIR = tmp_path
        settings.MEDIA_ROOT = tmp_path / "media"
        with use_database(database_settings):
            rename_club_rows(Club.objects.get(name=CLUB_NAME))
            other_digests_by_club_pk = {
                club.pk: compute_digest(club, ARCHIVE_SPEC) for club in Club.objects.all()
            }
            last_act_pk = Act.objects.order_by("-pk")[0].pk
            club = import_club(tmp_path / "1.club", ARCHIVE_SPEC, ENCRYPTED_OPTIONS)
            assert (
                compute_digest(club.club, ARCHIVE_SPEC).list_differences(night_club_digest)
                == []
            )
            assert club.new_slugs_by_old_slug
            assert Act.objects.filter(club=club.club.slug).order_by("pk")[0].pk > last_act_pk
            for pk, digest in other_digests_by_club_pk.items():
                assert (
                    compute_digest(Club.objects.get(pk=pk), ARCHIVE_SPEC).list_differences(
                        digest
                    )
                    == []
                )
            export_club(club.club, tmp_path / "2.club", ARCHIVE_SPEC, passphrase="a b c")
            Club.objects.create(name="After", slug="after")  # the sequences continue
    with open_machine("home"):
        club = import_club(tmp_path / "2.club", ARCHIVE_SPEC, ImportOptions(passphrase="a b c"))
        assert compute_digest(club.club, ARCHIVE_SPEC).list_differences(night_club_digest) == []
