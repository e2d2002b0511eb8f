"""A club moves from machine to machine and is unchanged."""

import shutil
import zipfile
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Concat

import hall.history.undo
import tournaments.services
from boards import proof
from boards.models import BoardSet
from boards.whist import WhistError
from clubs import audit
from clubs.archives.exporter import export_club, write_archive
from clubs.archives.files import UNFINISHED_MARKER, FileImporter, delete_unfinished_imports
from clubs.archives.importer import ImportOptions, import_club
from clubs.archives.rows import compute_digest
from clubs.links import SecretLink
from clubs.models import Act, Club, Player, TableLink
from clubs.undo import list_undoable_act_pks
from config.archives import ARCHIVE_SPEC
from hall.models import Rehearsal
from scoring.models import Paper, Result
from server.backups.digests import DatabaseDigest
from server.models import User
from tests.archive.conftest import MachineOpener
from tournaments.models import Event, Session

pytestmark = pytest.mark.slow

CLUB_NAME = "Riverside Whist Club"


def rename_club_rows(club: Club) -> None:
    """Turn a club into another one that only has the same URLs."""
    Club.objects.filter(pk=club.pk).update(name="Another of that address", uid=uuid4())
    for model in apps.get_models():
        has_unique_uid = any(
            field.name == "uid" and field.unique for field in model._meta.fields
        )
        if model is not Club and has_unique_uid:
            for row in model._base_manager.all():
                model._base_manager.filter(pk=row.pk).update(uid=uuid4())
    for user in User.objects.all():
        user.username = f"other-{user.username}"
        user.save(update_fields=["username"])
    for model in SecretLink.__subclasses__():
        for row in model._default_manager.all():
            row.token_hash = f"{row.pk:064}"
            row.save(update_fields=["token_hash"])


def export_night_club(
    place: MachineOpener, file: Path, club_name: str = CLUB_NAME
) -> DatabaseDigest:
    """Export the night's club into a file."""
    with place("night"):
        return export_club(
            Club.objects.get(name=club_name), file, ARCHIVE_SPEC, passphrase="a b c"
        ).rows_digest


ENCRYPTED_OPTIONS = ImportOptions(passphrase="a b c")


def test_club_is_unchanged_after_two_moves(open_machine: MachineOpener, tmp_path: Path) -> None:
    first_path, second_path = tmp_path / "1.club", tmp_path / "2.club"
    night_club_before = export_night_club(open_machine, first_path)
    assert night_club_before.row_count > 800
    with open_machine("night on another"):
        other_club = Club.objects.get(name="Hill Street Whist Club")
        rename_club_rows(Club.objects.get(name=CLUB_NAME))
        other_club_digest = compute_digest(other_club, ARCHIVE_SPEC)
        club = import_club(first_path, ARCHIVE_SPEC, ENCRYPTED_OPTIONS)
        assert compute_digest(club.club, ARCHIVE_SPEC).list_differences(night_club_before) == []
        assert compute_digest(other_club, ARCHIVE_SPEC) == other_club_digest
        slugs = set(club.club.events.values_list("slug", flat=True))
        assert slugs <= set(club.new_slugs_by_old_slug.values())
        export_club(club.club, second_path, ARCHIVE_SPEC, passphrase="a b c")
    with open_machine("empty"):
        club = import_club(second_path, ARCHIVE_SPEC, ENCRYPTED_OPTIONS)
        assert compute_digest(club.club, ARCHIVE_SPEC).list_differences(night_club_before) == []


def test_imported_rows_contain_no_link_or_key_of_the_old_machine(
    open_machine: MachineOpener, tmp_path: Path
) -> None:
    with open_machine("night"):
        Event.objects.update(slug=Concat(Value("left-behind-"), "slug"))
        for act in Act.objects.filter(about__startswith="event:"):
            Act.objects.filter(pk=act.pk).update(about=f"event:left-behind-{act.about[6:]}")
        write_archive(Club.objects.get(name=CLUB_NAME), tmp_path / "plain", ARCHIVE_SPEC)
        numbers = [
            f"{word} {next_pk}"
            for word, rows in (("result", Result), ("player", Player), ("session", Session))
            for next_pk in [rows.objects.order_by("pk").last().pk + 1]
        ]
    with zipfile.ZipFile(tmp_path / "plain") as archive:
        acts = archive.read("rows/clubs.Act.jsonl").decode()
    assert "left-behind" not in acts
    assert not [row_reference for row_reference in numbers if row_reference in acts]


def test_last_acts_can_be_undone_after_an_import(
    open_machine: MachineOpener, tmp_path: Path
) -> None:
    export_night_club(open_machine, tmp_path / "a.club")
    with open_machine("night on another"):
        rename_club_rows(Club.objects.get(name=CLUB_NAME))
        digests_by_club_pk = {
            club.pk: compute_digest(club, ARCHIVE_SPEC)
            for club in Club.objects.exclude(name=CLUB_NAME)
        }
        club = import_club(tmp_path / "a.club", ARCHIVE_SPEC, ENCRYPTED_OPTIONS).club
        undone_count = sum(undo_all_acts(event) for event in club.events.order_by("pk")[:3])
        assert undone_count >= 10
        for pk, digest_before in digests_by_club_pk.items():
            assert (
                compute_digest(Club.objects.get(pk=pk), ARCHIVE_SPEC).list_differences(
                    digest_before
                )
                == []
            )


def undo_all_acts(event: Event) -> int:
    """Undo every act that can be undone, the newest first; return how many were undone."""
    undone_count = 0
    for _turn in range(4):
        acts = audit.list_acts(event)
        for act in acts.filter(pk__in=list_undoable_act_pks(acts)):
            try:
                hall.history.undo.undo_event_act(event=event, act=act, by=None)
            except WhistError:
                continue
            undone_count += 1
            break
    return undone_count


def test_undo_restores_a_removed_player_with_an_unused_primary_key(
    open_machine: MachineOpener, tmp_path: Path
) -> None:
    with open_machine("night"):
        club = Club.objects.get(name=CLUB_NAME)
        player = Player.objects.create(club=club, name="Lone Wolf", shown="nobody")
        tournaments.services.remove_player(player=player, by=None)
        export_club(club, tmp_path / "a.club", ARCHIVE_SPEC, passphrase="a b c")
    with open_machine("night on another"):
        rename_club_rows(Club.objects.get(name=CLUB_NAME))
        Player.objects.create(club=Club.objects.get(name="Another of that address"), name="Me")
        standing = set(Player.objects.values_list("pk", flat=True))
        club = import_club(tmp_path / "a.club", ARCHIVE_SPEC, ENCRYPTED_OPTIONS).club
        act = audit.list_acts(club).filter(action="player.removed")[0]
        hall.history.undo.undo_club_act(club=club, act=act, by=None)
        restored_player = Player.objects.get(name="Lone Wolf")
        assert restored_player.pk not in standing
        assert (restored_player.club, restored_player.shown) == (club, "nobody")


def test_imported_rehearsal_uses_the_boards_of_its_imported_event(
    open_machine: MachineOpener, tmp_path: Path
) -> None:
    export_night_club(open_machine, tmp_path / "a.club")
    with open_machine("empty"):
        club = import_club(tmp_path / "a.club", ARCHIVE_SPEC, ENCRYPTED_OPTIONS).club
        rehearsal = Rehearsal.objects.get(event__club=club)
        assert rehearsal.event.is_rehearsal
        assert rehearsal.of is not None
        assert rehearsal.of.event.club == club
        board_sets = [s for s in BoardSet.objects.filter(secret__isnull=False) if s.is_ready]
        assert board_sets
        assert [
            proof.list_differences(board_set.build_proof()) for board_set in board_sets
        ] == [[]] * len(board_sets)
        assert club.events.filter(put_away_at__isnull=False).exists()
        assert club.play_records.filter(session=None).exists()
        assert club.players.exclude(shown="name").exists()


def test_links_are_imported_as_they_were_or_replaced(
    open_machine: MachineOpener, tmp_path: Path
) -> None:
    with open_machine("night"):
        token = TableLink.objects.filter(revoked_at=None).first().path
    export_night_club(open_machine, tmp_path / "a.club")
    token = token.strip("/").rpartition("/")[2]
    with open_machine("as they were"):
        club = import_club(tmp_path / "a.club", ARCHIVE_SPEC, ENCRYPTED_OPTIONS)
        assert TableLink.find_by_token(token).path
        assert club.link_count > 0
        assert club.unprintable_link_count == 0
    with open_machine("new ones"):
        club = import_club(
            tmp_path / "a.club",
            ARCHIVE_SPEC,
            ImportOptions(passphrase="a b c", should_renew_links=True),
        )
        assert TableLink.find_by_token(token) is None
        live_links = TableLink.objects.filter(revoked_at=None)
        assert all(link.path for link in live_links)


def test_imported_papers_are_stored_in_the_local_media_folder(
    open_machine: MachineOpener, tmp_path: Path, settings: Any
) -> None:
    export_night_club(open_machine, tmp_path / "a.club")
    with open_machine("empty"):
        import_club(tmp_path / "a.club", ARCHIVE_SPEC, ENCRYPTED_OPTIONS)
        papers = list(Paper.objects.exclude(file=""))
        assert papers
        for paper in papers:
            assert Path(paper.file.path).read_bytes().startswith(b"%PDF of ")
        assert not list(Path(settings.MEDIA_ROOT).rglob(".unfinished"))


@pytest.mark.parametrize("is_committed", [True, False])
def test_next_import_keeps_papers_of_import_killed_after_its_commit(
    open_machine: MachineOpener,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_committed: bool,
) -> None:
    export_night_club(open_machine, tmp_path / "a.club")

    original_unlink = Path.unlink

    def interrupt_at_marker(path: Path, missing_ok: bool = False) -> None:
        if path.name == UNFINISHED_MARKER:
            raise KeyboardInterrupt
        original_unlink(path, missing_ok)

    def interrupt_before_commit(_file_import: FileImporter) -> None:
        raise KeyboardInterrupt

    with open_machine("empty"):
        with monkeypatch.context() as patch_context:
            patch_context.setattr(shutil, "rmtree", lambda *_args, **_options: None)
            if is_committed:
                patch_context.setattr(Path, "unlink", interrupt_at_marker)
            else:
                patch_context.setattr(FileImporter, "remove_marker", interrupt_before_commit)
            with pytest.raises(KeyboardInterrupt):
                import_club(tmp_path / "a.club", ARCHIVE_SPEC, ENCRYPTED_OPTIONS)
        assert Paper.objects.exclude(file="").exists() is is_committed
        with transaction.atomic():
            delete_unfinished_imports()
        files = [path for path in (tmp_path / "empty" / "media").rglob("*") if path.is_file()]
        papers = Paper.objects.filter(file__startswith="brought/")
        assert sorted(map(str, files)) == sorted(paper.file.path for paper in papers)
