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
from tests.archive.conftest import Place
from tests.archive.test_there_and_back import (
    ENCRYPTED_OPTIONS,
    NAME,
    export_night_club,
    rename_club_rows,
)

SERVER = os.environ.get("DATABASE_URL", "") if os.environ.get("OVERPLAY_SERVICES") else ""
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")


@pytest.mark.services
def test_club_moves_to_a_shared_postgres_server_and_back_with_its_links(
    open_place: Place, tmp_path: Path, settings: Any
) -> None:
    from tests.databases import use_database
    from tests.releases import stored

    night_club_before = export_night_club(open_place, tmp_path / "1.club")
    release = stored.list_releases()[-1]
    name = f"test_overplay_archive_{WORKER}"
    with stored.upgrade_on_postgres(release, SERVER.rpartition("/")[0], name) as described:
        settings.DATA_DIR = settings.BACKUP_DIR = tmp_path
        settings.MEDIA_ROOT = tmp_path / "media"
        with use_database(described):
            rename_club_rows(Club.objects.get(name=NAME))
            other_digests_by_club_pk = {
                club.pk: compute_digest(club, ARCHIVE_SPEC) for club in Club.objects.all()
            }
            last = Act.objects.order_by("-pk")[0].pk
            club = import_club(tmp_path / "1.club", ARCHIVE_SPEC, ENCRYPTED_OPTIONS)
            assert (
                compute_digest(club.club, ARCHIVE_SPEC).list_differences(night_club_before)
                == []
            )
            assert club.new_slugs_by_old_slug
            assert Act.objects.filter(club=club.club.slug).order_by("pk")[0].pk > last
            for pk, digest in other_digests_by_club_pk.items():
                assert (
                    compute_digest(Club.objects.get(pk=pk), ARCHIVE_SPEC).list_differences(
                        digest
                    )
                    == []
                )
            export_club(club.club, tmp_path / "2.club", ARCHIVE_SPEC, passphrase="a b c")
            Club.objects.create(name="After", slug="after")  # the sequences continue
    with open_place("home"):
        club = import_club(tmp_path / "2.club", ARCHIVE_SPEC, ImportOptions(passphrase="a b c"))
        assert compute_digest(club.club, ARCHIVE_SPEC).list_differences(night_club_before) == []
