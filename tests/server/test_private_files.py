"""Private files: stored by name, in a folder or in the database, and removed on deletion."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.utils import timezone

import printing.orders
from clubs.archives.errors import BadArchive
from clubs.archives.files import FileImporter
from scoring.models import Paper
from server import private_files
from server.models import Blob
from server.private_files import PrivateFiles
from tests.factories import SessionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[True, False], ids=["database", "folder"])
def files(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[PrivateFiles]:
    """Set where files are stored, in the database or not, whatever the database is."""
    is_database_storage = request.param
    monkeypatch.setattr(private_files, "_is_database_storage", lambda: is_database_storage)
    yield PrivateFiles(location=tmp_path)
    assert Blob.objects.exists() <= is_database_storage


def test_file_is_stored_found_and_deleted(files: PrivateFiles) -> None:
    names = [
        files.save("papers/slips.pdf", ContentFile(b"%PDF " + suffix))
        for suffix in (b"1", b"2")
    ]
    assert names[0] != names[1]
    for name, content in zip(names, (b"%PDF 1", b"%PDF 2"), strict=True):
        assert (files.exists(name), files.size(name)) == (True, 6)
        with files.open(name) as file:
            assert file.read() == content
    files.delete(names[0])
    assert [files.exists(name) for name in names] == [False, True]
    with pytest.raises(FileNotFoundError):
        files.open(names[0])
    with pytest.raises(ValueError, match="no address"):
        files.url(names[1])


def test_large_file_is_stored_in_folder_and_found(files: PrivateFiles, settings: Any) -> None:
    settings.MAX_DATABASE_FILE_BYTES = 4
    name = files.save("papers/pack.pdf", ContentFile(b"%PDF-1.7"))
    assert not Blob.objects.exists()
    with files.open(name) as file:
        assert file.read() == b"%PDF-1.7"


def test_only_server_stores_files_in_database_rows(settings: Any) -> None:
    is_on_server = connection.vendor == "postgresql"
    assert PrivateFiles().should_store_in_database(10) == is_on_server
    settings.MAX_DATABASE_FILE_BYTES = 0  # PAPERS_MB=0
    assert not PrivateFiles().should_store_in_database(0)


class _FakeArchive:
    """An archive with one paper."""

    def get_file_size(self, summed: str) -> int:
        if summed != "a" * 64:
            raise BadArchive.from_invalid_column("file", summed[:10])
        return 4

    def read_file(self, _summed: str) -> bytes:
        return b"%PDF"

    def copy_file(self, _summed: str, to: Path) -> None:
        to.write_bytes(b"%PDF")


def test_document_of_imported_club_is_stored_in_private_files(
    files: PrivateFiles, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = files.base_location
    field = Paper._meta.get_field("file")
    monkeypatch.setattr(field, "storage", files)
    with FileImporter(_FakeArchive()) as file_importer:
        name = file_importer.store_file(field, {"sha256": "a" * 64, "name": "slips.pdf"})
        with pytest.raises(BadArchive):
            file_importer.store_file(field, {"sha256": "b" * 64, "name": "slips.pdf"})
        with pytest.raises(BadArchive):
            file_importer.store_file(field, {"sha256": "../x", "name": "slips.pdf"})
    assert name.endswith(".pdf")
    with files.open(name) as file:
        assert file.read() == b"%PDF"


def test_documents_older_than_thirty_days_are_deleted_on_next_order(
    django_capture_on_commit_callbacks: Any,
) -> None:
    session = SessionFactory()
    expected = {"kind": "slips", "size": "A4"}
    papers = []
    for days in (29, 31):
        paper, _is_new = printing.orders.order_paper(
            Paper.objects.all(), by="", session=session, **expected
        )
        printing.orders.render_paper(paper, file_name="slips.pdf", draw=lambda: b"%PDF")
        Paper.objects.filter(pk=paper.pk).update(made_at=timezone.now() - timedelta(days=days))
        papers.append(paper)
    with django_capture_on_commit_callbacks(execute=True):
        printing.orders.order_paper(Paper.objects.all(), by="", session=session, **expected)
    recent_paper, old = papers
    assert not Paper.objects.filter(pk=old.pk).exists()
    assert Paper.objects.filter(pk=recent_paper.pk).exists()
    assert not old.file.storage.exists(old.file.name)
    assert recent_paper.file.storage.exists(recent_paper.file.name)
