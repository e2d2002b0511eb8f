"""The static site has no dead links or hidden names, and needs no server."""

import re
import zipfile
from io import BytesIO, StringIO
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

import scoring.services
import tournaments.services
from clubs.evenings.services import create_fixture
from clubs.file_fields import UnusableFile
from clubs.models import Player
from drives.services import NewPlayer, close_drive, create_drive, enter_total
from seasons.ladders.services.trophies import create_trophy, engrave_trophy
from seasons.publishing.club_files import (
    create_club_file,
    get_club_file_path,
    iter_club_table_files,
    queue_club_file,
)
from seasons.publishing.documents.values import (
    compute_digest,
    read_published_document,
    serialize_document,
)
from seasons.publishing.documents.writing import build_drive_document, build_event_document
from seasons.publishing.errors import DocumentRefused
from seasons.publishing.files import make_file_names, write_zip
from seasons.publishing.models import ClubFile
from seasons.publishing.sending import list_upload_items
from seasons.publishing.services import (
    SentDocument,
    receive_document,
    withdraw_received_document,
)
from seasons.publishing.site import generator
from server.models import User
from tests import evenings
from tests.factories import ClubFactory, LadderFactory, RubberNightFactory, SeasonFactory
from tests.house.markup import find_faults
from tests.site_files import assert_links_resolve, read_texts
from tournaments.models import Event

pytestmark = pytest.mark.django_db

HIDDEN_NAME, ABBREVIATED_NAME = "Canary Quillfeather", "Osprey Zumthor"


def create_club_with_results() -> tuple[Event, Event, User]:
    """Create a finished event with two hidden people, another in play, a season, a ladder."""
    session, user = evenings.play_session()
    event = session.event
    first, second = event.entries.order_by("number")[:2]
    for entry, name, visibility in (
        (first, HIDDEN_NAME, "nobody"),
        (second, ABBREVIATED_NAME, "initials"),
    ):
        player = entry.players.order_by("pk")[0]
        tournaments.services.rename_player(player=player, name=name, by=user)
        tournaments.services.set_player_visibility(player=player, shown=visibility, by=user)
    scoring.services.close_session(session=session, by=user)
    open_event = scoring.services.create_event(
        club=event.club, name="Secret Evening", date=event.date, by=user
    )
    LadderFactory(season=SeasonFactory(club=event.club, slug="spring"))
    cup = create_trophy(club=event.club, name="Cup", by=user)
    engrave_trophy(
        trophy=cup,
        year="2026",
        winner_names=[HIDDEN_NAME, ABBREVIATED_NAME, "Ann Lee"],
        by=user,
    )
    return event, open_event, user


def build_site_files(event: Event) -> dict[str, bytes]:
    return dict(generator.iter_site_files(event.club))


@pytest.mark.slow
def test_site_has_no_dead_links_or_hidden_names() -> None:
    event, playing, _user = create_club_with_results()
    files = build_site_files(event)
    assert_links_resolve(files)
    pages = read_texts(files)
    assert {
        "index.html",
        "evenings.html",
        "people.html",
        "feed.xml",
        "seasons/spring.html",
    } <= {*pages}
    assert f"evenings/{event.slug}/card-6.html" in pages
    whole_text = "\n".join([*pages, *pages.values()])
    for hidden_text in (
        *HIDDEN_NAME.split(),
        *ABBREVIATED_NAME.split(),
        playing.name,
        playing.slug,
    ):
        assert hidden_text.casefold() not in whole_text.casefold(), hidden_text
    assert "O. Z." in whole_text
    assert "A player" in whole_text
    for name, page in pages.items():
        if name.endswith(".html"):
            assert find_faults(page) == [], name
            assert "<script" not in page
            assert "http" not in page.replace("http-equiv", ""), name
        assert re.fullmatch(r"[a-z0-9./-]{1,80}", name), name
    assert files == build_site_files(event), "the same data is the same bytes"


@pytest.mark.slow
def test_site_includes_drives_rubber_nights_and_calendar() -> None:
    event, _playing, user = create_club_with_results()
    club = event.club
    hidden_player = Player.objects.create(club=club, name="Heron Vantongeren", shown="nobody")
    drive = create_drive(
        club=club, name="Christmas Drive", date=event.date, form="social",
        players=[NewPlayer(name="Ann Lee"), NewPlayer(player=hidden_player),
                 NewPlayer(name="Cy Dee"), NewPlayer(name="Di Orr")],
        rounds=2, hands=1, by=user,
    )  # fmt: skip
    for number, total in enumerate((16, 14, 12, 10), start=1):
        enter_total(drive=drive, number=number, total=total, by=user)
    assert not [
        name for name in build_site_files(event) if name.startswith("drives/")
    ]  # still open
    close_drive(drive=drive, anyway=True, by=user)
    night = RubberNightFactory(club=club, state="closed", closed_at=timezone.now())
    values = {"date": timezone.localdate(), "title": "Tuesday", "place": "", "start": None}
    create_fixture(club=club, values_by_field=values, by=user)
    files = build_site_files(event)
    assert_links_resolve(files)
    (page,) = (name for name, text in read_texts(files).items() if "Final standings" in text
               and "Christmas" in text)  # fmt: skip
    assert "Ann Lee" in files[page].decode()
    assert find_faults(files[page].decode()) == []
    assert "Vantongeren" not in "".join(read_texts(files).values())
    assert "Christmas Drive" in files["evenings.html"].decode()
    assert night.name in files["evenings.html"].decode()
    calendar = Calendar.from_ical(files["calendar.ics"])
    assert [str(component["SUMMARY"]) for component in calendar.walk("VEVENT")] == ["Tuesday"]
    assert b"URL" not in files["calendar.ics"]
    assert files == build_site_files(event)


def test_drive_is_published_shown_and_withdrawn(client: Client) -> None:
    event, _playing, user = create_club_with_results()
    night = RubberNightFactory(club=event.club, state="closed", closed_at=timezone.now())
    document = build_drive_document(night)
    club = ClubFactory(name="Elsewhere")
    sent_document = SentDocument(night.uid, 1, compute_digest(document), document)
    with pytest.raises(DocumentRefused, match="runs the event itself"):
        receive_document(club=event.club, sent_document=sent_document, by=user)
    row, is_new = receive_document(club=club, sent_document=sent_document, by=user)
    assert (row.kind, is_new) == ("drive", True)
    assert receive_document(club=club, sent_document=sent_document, by=user)[1] is False
    drive_url = reverse("sent_drive", args=[club.slug, row.slug])
    assert drive_url in client.get(reverse("sent_here", args=[club.slug])).content.decode()
    text = client.get(drive_url).content.decode()
    assert night.name in text
    assert "Sent by the club" in text
    assert drive_url in client.get(reverse("club_feed", args=[club.slug])).content.decode()
    assert [item.uid for item in list_upload_items(event.club)].count(night.uid) == 1
    withdraw_received_document(club=club, uid=night.uid, version=1, by=user)
    assert client.get(drive_url).status_code == 410
    with pytest.raises(UnusableFile) as exc_info:
        read_published_document(
            document | {"variety": "bingo", "places": [{"rank": 0, "games": [3, 2]}]}
        )
    paths = {problem.partition(": ")[0] for problem in exc_info.value.problems}
    assert {"variety", "places[0].rank", "places[0].games", "places[0].name"} <= paths


def test_private_evening_creates_no_page(tmp_path: Path) -> None:
    event, playing, user = create_club_with_results()
    output = StringIO()
    call_command(
        "event",
        "export",
        event.slug,
        "--format",
        "html",
        "--out",
        str(tmp_path / "x"),
        stdout=output,
    )
    assert (tmp_path / "x" / "index.html").exists()
    with pytest.raises(CommandError, match="t finished or isn’t public"):
        call_command("event", "export", playing.slug, "--format", "html", "--out", "x.zip")
    call_command(
        "club", "site", event.club.name, "--out", str(tmp_path / "s.zip"), "--season", "spring"
    )
    with zipfile.ZipFile(tmp_path / "s.zip") as archive:
        assert f"evenings/{event.slug}/index.html" in archive.namelist()
    tournaments.services.set_standings_visibility(event=event, shown="never", by=user)
    assert not [name for name in build_site_files(event) if name.startswith("evenings/")]
    with pytest.raises(CommandError, match="no season"):
        call_command("club", "site", event.club.name, "--out", "x.zip", "--season", "none")


def test_document_round_trips_and_errors_are_reported_by_path() -> None:
    event, _playing, _user = create_club_with_results()
    document = build_event_document(event)
    read = read_published_document(document)
    assert read.name == event.name
    assert compute_digest(document) == compute_digest(build_event_document(event))
    assert HIDDEN_NAME.encode() not in serialize_document(document)
    wrong_document: dict[str, Any] = build_event_document(event)
    wrong_document["fields"][0]["rows"][0]["score"] = "much"
    wrong_document["boards"][1]["plays"][0]["ns"]["tricks"] = 14
    wrong_document["secret"] = 1
    with pytest.raises(UnusableFile) as exc_info:
        read_published_document(wrong_document)
    text = "\n".join(exc_info.value.problems)
    for path in ("fields[0].rows[0].score", "boards[1].plays[0].ns.tricks", "secret"):
        assert path in text


def test_all_tables_are_zipped_with_description_of_columns(tmp_path: Path) -> None:
    event, _playing, _user = create_club_with_results()
    club_tables = dict(iter_club_table_files(event.club))
    text = b"\n".join(club_tables.values()).decode("utf-8", "ignore")
    assert HIDDEN_NAME not in text
    assert ABBREVIATED_NAME not in text
    assert "people.csv" not in club_tables
    assert (
        b"evening"
        in club_tables["seasons/spring/" + find_ladder_name(club_tables) + "-values.csv"]
    )
    full = dict(iter_club_table_files(event.club, has_full_names=True))
    assert HIDDEN_NAME in full["people.csv"].decode("utf-8-sig")
    assert "results.csv" in full["README.txt"].decode("utf-8-sig")
    assert write_zip(iter(club_tables.items()), tmp_path / "a.zip") == len(club_tables)
    assert not (tmp_path / "a.zip.part").exists()


def find_ladder_name(files: dict[str, bytes]) -> str:
    names = [name for name in files if name.startswith("seasons/") and "-values" not in name]
    return PurePosixPath(names[0]).stem


@pytest.mark.slow
def test_site_zip_is_requested_on_page_built_once_and_downloaded(client: Client) -> None:
    event, _playing, user = create_club_with_results()
    client.force_login(user)
    page = client.get(reverse("results_out")).content.decode()
    assert "Web pages to open without a server" in page
    form = {"club": event.club.slug, "kind": "site"}
    client.post(reverse("club_file_make"), form)
    file = ClubFile.objects.get()
    second_file = queue_club_file(club=event.club, file_kind="site", by=user)
    assert second_file.pk == file.pk or file.state == "done"
    create_club_file(file.pk)
    file.refresh_from_db()
    assert (file.state, file.parts) == ("done", len(build_site_files(event)))
    response = client.get(reverse("club_file", args=[file.pk]))
    with zipfile.ZipFile(BytesIO(b"".join(response.streaming_content))) as archive:
        assert "index.html" in archive.namelist()
    get_club_file_path(file).unlink()
    assert client.get(reverse("club_file", args=[file.pk])).status_code == 404
    assert client.get(reverse("club_files"), headers={"HX-Request": "true"}).status_code == 200
    scorer = evenings.create_scorer(event.club)
    client.force_login(scorer)
    assert client.get(reverse("results_out")).status_code == 403


def test_file_names_are_valid_on_every_system() -> None:
    file_names = make_file_names(
        ["Łucja Nowak", "lucja nowak", "CON", "Иванова", "../etc", "a" * 99]
    )
    assert list(file_names.values()) == [
        "lucja-nowak",
        "lucja-nowak-2",
        "con-1",
        "page",
        "etc",
        "a" * 60,
    ]
