"""A club moves from machine to machine and is unchanged."""

import zipfile
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db.models import Value
from django.db.models.functions import Concat

import hall.history.undo
import tournaments.services
from boards import proof
from boards.models import BoardSet
from boards.whist import WhistError
from clubs import audit
from clubs.archives.exporter import export_club, write_archive
from clubs.archives.importer import ImportOptions, import_club
from clubs.archives.rows import compute_digest
from clubs.links import SecretLink
from clubs.models import Act, Club, Player, TableLink
from clubs.undo import list_undoable_acts
from config.archives import ARCHIVE_SPEC
from hall.models import Rehearsal
from scoring.models import Paper, Result
from server.backups.digests import DatabaseDigest
from server.models import User
from tests.archive.conftest import Place
from tournaments.models import Event, Session

pytestmark = pytest.mark.slow

NAME = "Riverside Whist Club"


def become_another(club: Club) -> None:
    """Turn a club into another one with the same URLs: nothing else of it is the same."""
    Club.objects.filter(pk=club.pk).update(name="Another of that address", uid=uuid4())
    for model in (Event, Player, BoardSet):
        for row in model._default_manager.all():
            row.uid = uuid4()
            row.save(update_fields=["uid"])
    for user in User.objects.all():
        user.username = f"other-{user.username}"
        user.save(update_fields=["username"])
    for model in SecretLink.__subclasses__():
        for row in model._default_manager.all():
            row.token_hash = f"{row.pk:064}"
            row.save(update_fields=["token_hash"])


def left_behind(at: Place, file: Path, name: str = NAME) -> DatabaseDigest:
    """Export the night's club into a file."""
    with at("night"):
        return export_club(
            Club.objects.get(name=name), file, ARCHIVE_SPEC, passphrase="a b c"
        ).digest


SEALED = ImportOptions(passphrase="a b c")


def test_a_club_is_the_same_after_three_machines(place: Place, tmp_path: Path) -> None:
    first, second = tmp_path / "1.club", tmp_path / "2.club"
    before = left_behind(place, first)
    assert before.rows > 800
    with place("night on another"):
        other = Club.objects.get(name="Hill Street Whist Club")
        become_another(Club.objects.get(name=NAME))
        unmoved = compute_digest(other, ARCHIVE_SPEC)
        arrived = import_club(first, ARCHIVE_SPEC, SEALED)
        assert compute_digest(arrived.club, ARCHIVE_SPEC).list_differences(before) == []
        assert compute_digest(other, ARCHIVE_SPEC) == unmoved
        slugs = set(arrived.club.events.values_list("slug", flat=True))
        assert slugs == set(arrived.changed_slugs.values()) - {arrived.club.slug}
        export_club(arrived.club, second, ARCHIVE_SPEC, passphrase="a b c")
    with place("empty"):
        arrived = import_club(second, ARCHIVE_SPEC, SEALED)
        assert compute_digest(arrived.club, ARCHIVE_SPEC).list_differences(before) == []


def test_no_row_speaks_of_an_address_or_a_key_of_the_machine_it_left(
    place: Place, tmp_path: Path
) -> None:
    with place("night"):
        Event.objects.update(slug=Concat(Value("left-behind-"), "slug"))
        for act in Act.objects.filter(about__startswith="event:"):
            Act.objects.filter(pk=act.pk).update(about=f"event:left-behind-{act.about[6:]}")
        write_archive(Club.objects.get(name=NAME), tmp_path / "plain", ARCHIVE_SPEC)
        numbers = [
            f"{word} {key}"
            for word, rows in (("result", Result), ("player", Player), ("session", Session))
            for key in [rows.objects.order_by("pk").last().pk + 1]
        ]
    with zipfile.ZipFile(tmp_path / "plain") as packed:
        acts = packed.read("rows/clubs.Act.jsonl").decode()
    assert "left-behind" not in acts
    assert not [each for each in numbers if each in acts]


def test_the_last_acts_go_back_where_the_club_has_come(place: Place, tmp_path: Path) -> None:
    left_behind(place, tmp_path / "a.club")
    with place("night on another"):
        become_another(Club.objects.get(name=NAME))
        untouched = {
            club.pk: compute_digest(club, ARCHIVE_SPEC)
            for club in Club.objects.exclude(name=NAME)
        }
        club = import_club(tmp_path / "a.club", ARCHIVE_SPEC, SEALED).club
        went = sum(take_back(event) for event in club.events.order_by("pk")[:3])
        assert went >= 10
        for pk, before in untouched.items():
            assert (
                compute_digest(Club.objects.get(pk=pk), ARCHIVE_SPEC).list_differences(before)
                == []
            )


def take_back(event: Event) -> int:
    """Undo everything possible, the newest first, and count it."""
    went = 0
    for _turn in range(4):
        acts = audit.list_acts(event)
        for act in acts.filter(pk__in=list_undoable_acts(acts)):
            try:
                hall.history.undo.undo_event_act(event=event, act=act, by=None)
            except WhistError:
                continue
            went += 1
            break
    return went


def test_a_player_taken_out_comes_back_under_a_key_that_was_nobodys(
    place: Place, tmp_path: Path
) -> None:
    with place("night"):
        club = Club.objects.get(name=NAME)
        player = Player.objects.create(club=club, name="Lone Wolf", shown="nobody")
        tournaments.services.remove_player(player=player, by=None)
        export_club(club, tmp_path / "a.club", ARCHIVE_SPEC, passphrase="a b c")
    with place("night on another"):
        become_another(Club.objects.get(name=NAME))
        Player.objects.create(club=Club.objects.get(name="Another of that address"), name="Me")
        standing = set(Player.objects.values_list("pk", flat=True))
        club = import_club(tmp_path / "a.club", ARCHIVE_SPEC, SEALED).club
        act = audit.list_acts(club).filter(action="player.removed")[0]
        hall.history.undo.undo_club_act(club=club, act=act, by=None)
        back = Player.objects.get(name="Lone Wolf")
        assert back.pk not in standing
        assert (back.club, back.shown) == (club, "nobody")


def test_a_rehearsal_plays_the_boards_of_its_evening_there_too(
    place: Place, tmp_path: Path
) -> None:
    left_behind(place, tmp_path / "a.club")
    with place("empty"):
        club = import_club(tmp_path / "a.club", ARCHIVE_SPEC, SEALED).club
        rehearsal = Rehearsal.objects.get(event__club=club)
        assert rehearsal.event.is_rehearsal
        assert rehearsal.of is not None
        assert rehearsal.of.event.club == club
        dealt = [s for s in BoardSet.objects.filter(secret__isnull=False) if s.is_ready]
        assert dealt
        assert [proof.list_differences(each.proof()) for each in dealt] == [[]] * len(dealt)
        assert club.events.filter(put_away_at__isnull=False).exists()
        assert club.play_records.filter(session=None).exists()
        assert club.players.exclude(shown="name").exists()


def test_addresses_open_as_before_or_are_made_anew(place: Place, tmp_path: Path) -> None:
    with place("night"):
        token = TableLink.objects.filter(revoked_at=None).first().path
    left_behind(place, tmp_path / "a.club")
    token = token.strip("/").rpartition("/")[2]
    with place("as they were"):
        arrived = import_club(tmp_path / "a.club", ARCHIVE_SPEC, SEALED)
        assert TableLink.find(token).path
        assert arrived.link_count > 0
        assert arrived.lost_link_count == 0
    with place("new ones"):
        arrived = import_club(
            tmp_path / "a.club", ARCHIVE_SPEC, ImportOptions(passphrase="a b c", new_links=True)
        )
        assert TableLink.find(token) is None
        live = TableLink.objects.filter(revoked_at=None)
        assert all(link.path for link in live)


def test_what_is_printed_here_lies_here(place: Place, tmp_path: Path, settings: Any) -> None:
    left_behind(place, tmp_path / "a.club")
    with place("empty"):
        import_club(tmp_path / "a.club", ARCHIVE_SPEC, SEALED)
        papers = list(Paper.objects.exclude(file=""))
        assert papers
        for paper in papers:
            assert Path(paper.file.path).read_bytes().startswith(b"%PDF of ")
        assert not list(Path(settings.MEDIA_ROOT).rglob(".unfinished"))
