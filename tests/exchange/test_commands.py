"""Events are imported, exported and staged by commands, and the demo club is created."""

import io
import json
import os
import re
import stat
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone
from pypdf import PdfReader

from clubs.models import Club, Membership
from hall.demo_evenings import BOARDS_PER_ROUND
from hall.management.commands.demo import CLUB, ROUNDS_PLAYED
from hall.management.commands.demo import DEMO_EVENING_PATH as DEMO_NIGHT
from hall.rehearsal.results import create_results
from scoring.models import Ranking, Result, ResultVersion
from scoring.services import record_result
from server.models import User
from tests.copies import build_once
from tests.exchange.eventfile.documents import NIGHT_FILE, build_small_file, read_night_file
from tests.factories import EventFactory, SessionFactory, create_played_session
from tournaments.models import Event, Session, Sitting

pytestmark = pytest.mark.django_db
OutputCapture = pytest.CaptureFixture[str]


@build_once
def load_imported_event() -> Event:
    call_command("event", "import", str(NIGHT_FILE))
    return Event.objects.get()


@pytest.fixture
def slug(capsys: OutputCapture) -> str:
    event = load_imported_event()
    capsys.readouterr()
    return event.slug


def read_command_error(*arguments: str) -> str:
    with pytest.raises(CommandError) as exc_info:
        call_command("event", *arguments)
    return str(exc_info.value)


@pytest.mark.slow
def test_last_line_of_an_import_is_the_slug_of_the_event(capsys: OutputCapture) -> None:
    call_command("event", "import", str(NIGHT_FILE))
    assert capsys.readouterr().out.splitlines() == [
        "Tuesday compass: 14 entries, all results in.",
        "tuesday-compass-2026-03-10",
    ]


@pytest.mark.slow
def test_import_prints_the_number_of_missing_results(
    capsys: OutputCapture, tmp_path: Path
) -> None:
    document = build_small_file()
    del document["sessions"][0]["sections"][0]["results"][:2]
    file = tmp_path / "event.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    call_command("event", "import", str(file))
    assert capsys.readouterr().out.startswith(
        "Tuesday compass: 6 entries, 2 results missing.\n"
    )


@pytest.mark.slow
def test_import_reads_from_standard_input(
    capsys: OutputCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(NIGHT_FILE.read_bytes()))
    monkeypatch.setattr(sys, "stdin", stream)
    call_command("event", "import", "-")
    assert capsys.readouterr().out.endswith("\ntuesday-compass-2026-03-10\n")


@pytest.mark.slow
def test_export_equals_the_imported_file(capsys: OutputCapture, slug: str) -> None:
    call_command("event", "export", slug)
    assert json.loads(capsys.readouterr().out) == read_night_file()


@pytest.mark.slow
def test_export_can_be_written_to_a_file(slug: str, tmp_path: Path) -> None:
    file = tmp_path / "event.json"
    call_command("event", "export", slug, "--out", str(file))
    assert json.loads(file.read_text(encoding="utf-8")) == read_night_file()


@pytest.mark.slow
def test_export_to_a_folder_gives_a_one_line_error(slug: str, tmp_path: Path) -> None:
    assert "Can’t write" in read_command_error("export", slug, "--out", str(tmp_path))


def test_standings_are_printed_for_people(capsys: OutputCapture, slug: str) -> None:
    call_command("event", "standings", slug)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "Tuesday compass, 2026-03-10",
        "",
        "N-S, average 174",
        "=1  4  Trist & Cohen         +9  183 tricks  28 boards",
    ]
    assert lines[-1] == "Overall winner: 12 Snow & Whitfield"


@pytest.mark.slow
def test_outdated_standings_are_recomputed(capsys: OutputCapture) -> None:
    session = create_played_session(rounds=2)
    Ranking.objects.all().delete()
    call_command("event", "standings", session.event.slug)
    output = capsys.readouterr().out
    assert "Provisional: 6 results missing." in output
    assert "Leading: " in output


@pytest.mark.slow
def test_matchpoints_are_printed_as_percentages(capsys: OutputCapture) -> None:
    session = create_played_session(method="matchpoints", closed=True)
    call_command("event", "standings", session.event.slug)
    assert " %  " in capsys.readouterr().out


@pytest.mark.slow
def test_tied_fractions_are_exact_in_json(capsys: OutputCapture) -> None:
    session = create_played_session(tricks=lambda round_, table, board: int(table == 1))
    call_command("event", "standings", session.event.slug, "--format", "json")
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["rankings", "overall_winner", "complete"]
    ns, ew = data["rankings"]
    assert (ns["field"], ew["field"], ns["average"]) == ("NS", "EW", "2")
    assert [row["score"] for row in ns["rows"]] == ["4", "-2", "-2"]
    assert [(row["rank"], row["tied"]) for row in ns["rows"]] == [
        (1, False),
        (2, True),
        (2, True),
    ]


@pytest.mark.slow
def test_standings_of_an_event_without_seats_are_empty(capsys: OutputCapture) -> None:
    event = SessionFactory().event
    call_command("event", "standings", event.slug, "--format", "json")
    assert json.loads(capsys.readouterr().out) == {
        "rankings": [],
        "overall_winner": [],
        "complete": False,
    }


@pytest.mark.slow
def test_papers_are_written_as_pdf_files(
    capsys: OutputCapture, slug: str, tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "papers"
    arguments = ("--out", str(folder), "--only", "travellers,guide-cards", "--size", "Letter")
    call_command("event", "papers", slug, *arguments)
    files = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert files == [folder / "travellers.pdf", folder / "guide_cards.pdf"]
    pages = PdfReader(files[0]).pages
    assert len(pages) == 7
    assert round(float(pages[0].mediabox.width)) == 612


@pytest.mark.slow
def test_every_paper_is_written_if_none_is_named(slug: str, tmp_path: Path) -> None:
    call_command("event", "papers", slug, "--out", str(tmp_path))
    stems = {path.stem for path in tmp_path.iterdir()}
    assert stems >= {"announcement", "door_list", "guide_cards", "ranking", "travellers"}
    assert stems.isdisjoint({"curtain_cards", "hand_records", "table_links", "tray_labels"})


@pytest.mark.slow
def test_papers_of_several_sessions_have_their_number(
    capsys: OutputCapture, tmp_path: Path
) -> None:
    document = build_small_file()
    document["sessions"].append({**document["sessions"][0], "number": 2})
    file = tmp_path / "event.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    call_command("event", "import", str(file))
    slug = capsys.readouterr().out.splitlines()[-1]
    call_command("event", "papers", slug, "--out", str(tmp_path), "--only", "recap")
    assert sorted(path.name for path in tmp_path.glob("*.pdf")) == [
        "recap-1.pdf",
        "recap-2.pdf",
    ]


@pytest.mark.slow
def test_unknown_event_gives_a_one_line_error() -> None:
    for command_arguments in (("export",), ("standings",), ("papers", "--out", "here")):
        assert (
            read_command_error(command_arguments[0], "nowhere", *command_arguments[1:])
            == "Event nowhere not found."
        )


def test_missing_file_gives_a_one_line_error() -> None:
    assert read_command_error("import", "missing.json") == (
        "Can’t read missing.json: No such file or directory."
    )
    assert "Can’t read" in read_command_error("import", "odd\0name")


@pytest.mark.slow
def test_faulty_file_gives_one_line_per_fault(tmp_path: Path) -> None:
    document: dict[str, Any] = build_small_file()
    document["sessions"][0]["sections"][0]["results"][0]["ns_tricks"] = 14
    document["club"]["nme"] = "x"
    file = tmp_path / "event.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    assert len(read_command_error("import", str(file)).splitlines()) == 2
    assert not Event.objects.exists()


@pytest.mark.parametrize("kinds", ["travelers", "travellers,xyz", ","])
def test_unknown_paper_gives_a_one_line_error(slug: str, kinds: str, tmp_path: Path) -> None:
    command_error = read_command_error("papers", slug, "--out", str(tmp_path), "--only", kinds)
    assert command_error.startswith("Unknown paper: ")
    assert "travellers, guide_cards" in command_error
    assert list(tmp_path.iterdir()) == []


def test_output_folder_that_cannot_be_created_gives_a_one_line_error(
    slug: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    command_error = read_command_error(
        "papers", slug, "--out", str(tmp_path / "file"), "--only", "recap"
    )
    assert "Can’t write" in command_error


def test_event_without_a_movement_has_no_papers(tmp_path: Path) -> None:
    event = EventFactory()
    assert read_command_error("papers", event.slug, "--out", str(tmp_path)) == (
        "This event has no movement yet, so there’s nothing to print."
    )


@pytest.mark.slow
def test_command_creates_the_database_with_private_permissions(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "new"
    process = subprocess.run(
        [sys.executable, "manage.py", "event", "import", str(NIGHT_FILE)],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATA_DIR": str(folder)} | {"DATABASE_URL": ""},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert process.stdout.splitlines()[-1] == "tuesday-compass-2026-03-10"
    assert process.stderr == ""
    assert folder.stat().st_mode & 0o077 == 0
    assert [path.name for path in folder.rglob("*") if path.stat().st_mode & 0o077] == []


@pytest.fixture
def use_separate_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Use a separate data folder for the demo's login, as other test processes create demos."""
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)


@pytest.fixture
@build_once
def demo_club(use_separate_data_folder: None) -> Club:
    """Return the demo club, without the file with the director's password."""
    call_command("demo", verbosity=0)
    return Club.objects.get(name=CLUB)


@pytest.mark.slow
def test_demo_has_a_closed_an_open_and_a_planned_event(demo_club: Club) -> None:
    today = timezone.localdate(timezone=demo_club.zone)
    events = [(event.state, event.date) for event in demo_club.events.order_by("date")]
    assert [state for state, _ in events] == [
        Session.State.CLOSED,
        Session.State.OPEN,
        Session.State.PLANNED,
    ]
    assert [date for _, date in events][1:] == [today, today + timedelta(days=7)]


@pytest.mark.slow
def test_open_demo_event_has_its_deals_and_three_of_seven_rounds(demo_club: Club) -> None:
    open_event = demo_club.events.get(name="Club night")
    session = open_event.sessions.get()
    assert session.board_set is not None
    assert len(session.board_set.load_deals()) == 7 * BOARDS_PER_ROUND
    results = Result.objects.filter(sitting__section__session=session)
    assert results.count() == 7 * BOARDS_PER_ROUND * ROUNDS_PLAYED
    assert open_event.ranking.missing == 7 * BOARDS_PER_ROUND * (7 - ROUNDS_PLAYED)
    assert set(
        ResultVersion.objects.filter(result__in=results).values_list("via", flat=True)
    ) == {"demo"}


def test_demo_director_can_sign_in_with_the_stored_password(
    use_separate_data_folder: None, capsys: OutputCapture
) -> None:
    """Creating the demo twice changes nothing."""
    call_command("demo")
    login = settings.DATA_DIR / "demo_login.txt"
    name, password = login.read_text(encoding="utf-8").split()
    assert User.objects.get(username=name).check_password(password)
    assert stat.S_IMODE(login.stat().st_mode) == 0o600
    club = Club.objects.get(name=CLUB)
    assert club.memberships.get(user__username=name).role == Membership.Role.OWNER
    state_before = login.read_text(), Event.objects.count(), User.objects.get().password
    capsys.readouterr()
    call_command("demo")
    assert state_before == (
        login.read_text(),
        Event.objects.count(),
        User.objects.get().password,
    )
    assert "already exists" in capsys.readouterr().out


@pytest.mark.slow
def test_existing_login_named_director_keeps_its_password(
    use_separate_data_folder: None,
) -> None:
    User.objects.create_user("director", password="an old one")
    call_command("demo", verbosity=0)
    assert User.objects.get().check_password("an old one")
    assert not (settings.DATA_DIR / "demo_login.txt").exists()


def test_closed_demo_event_is_the_tuesday_night() -> None:
    demo = json.loads(DEMO_NIGHT.read_text(encoding="utf-8"))
    assert demo["event"].pop("name") == "Tuesday pairs"
    golden_file = read_night_file()
    del golden_file["event"]["name"]
    assert demo == golden_file


@pytest.mark.slow
def test_no_one_plays_twice_in_one_demo_event(demo_club: Club) -> None:
    for event in demo_club.events.all():
        people = [player for entry in event.entries.all() for player in entry.players.all()]
        assert len(people) == len(set(people)) == 2 * event.entries.count()


def test_demo_results_look_realistic(demo_club: Club) -> None:
    tonight = demo_club.events.get(name="Club night").sessions.get()
    results = Result.objects.filter(sitting__section__session=tonight)
    tricks_by_board: dict[int, list[int]] = {}
    for board, tricks in results.values_list("board", "ns_tricks"):
        tricks_by_board.setdefault(board, []).append(tricks or 0)
    means = [sum(board_tricks) / len(board_tricks) for board_tricks in tricks_by_board.values()]
    assert max(means) - min(means) > 3  # deals differ from each other
    # Tables with the same deal differ less.
    assert (
        max(max(board_tricks) - min(board_tricks) for board_tricks in tricks_by_board.values())
        <= 7
    )


def read_staged_slug(capsys: OutputCapture) -> str:
    """Return the event in the URL that `stage` printed."""
    match = re.search(r"/events/([\w-]+)/", capsys.readouterr().out)
    assert match is not None
    return match[1]


@pytest.mark.slow
@pytest.mark.parametrize(("tables", "rounds"), [(3, 3), (4, 3), (7, 7), (12, 7)])
def test_stage_command_creates_an_event_of_any_size(
    capsys: OutputCapture, tables: int, rounds: int
) -> None:
    call_command("stage", tables=tables, played=2, boards=1, without_deals=True)
    session = Session.objects.get(event__slug=read_staged_slug(capsys))
    assert session.state == Session.State.OPEN
    assert session.sections.get().rounds == rounds
    assert Result.objects.filter(sitting__section__session=session).count() == 2 * tables
    assert session.event.ranking.standings.count() == 2 * tables


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tables", "section_count", "sizes"),
    [(7, 2, [4, 3]), (51, 0, [26, 25]), (100, 0, [50, 50]), (101, 0, [34, 34, 33])],
)
def test_stage_command_divides_a_large_event_into_sections(
    capsys: OutputCapture, tables: int, section_count: int, sizes: list[int]
) -> None:
    call_command(
        "stage",
        tables=tables,
        sections=section_count,
        rounds=2,
        played=0,
        boards=1,
        without_deals=True,
    )
    session = Session.objects.get(event__slug=read_staged_slug(capsys))
    assert list(session.sections.values_list("tables", "rounds")) == [(n, 2) for n in sizes]
    assert session.event.entries.count() == 2 * tables


@pytest.mark.slow
@pytest.mark.parametrize("asked", [-1, 11, 40])
def test_impossible_number_of_sections_is_refused(asked: int) -> None:
    with pytest.raises(CommandError):
        call_command("stage", tables=50, sections=asked, played=0)
    assert not Event.objects.exists()


@pytest.mark.slow
def test_stage_command_gives_the_same_results_for_the_same_seed(capsys: OutputCapture) -> None:
    ns_tricks = []
    for seed in ("a", "a", "b"):
        call_command("stage", tables=5, seed=seed, without_deals=True)
        slug = read_staged_slug(capsys)
        results = Result.objects.filter(sitting__section__session__event__slug=slug)
        ns_tricks.append(list(results.order_by("pk").values_list("ns_tricks", flat=True)))
    assert ns_tricks[0] == ns_tricks[1] != ns_tricks[2]


def test_stage_command_rejects_an_event_of_two_tables() -> None:
    with pytest.raises(CommandError, match="tables"):
        call_command("stage", tables=2)
    assert not Event.objects.exists()


@pytest.mark.slow
def test_simulated_results_keep_entered_ones(capsys: OutputCapture) -> None:
    call_command("stage", tables=3, played=0, boards=1, without_deals=True)
    session = Session.objects.get(event__slug=read_staged_slug(capsys))
    sitting = Sitting.objects.get(section__session=session, round=1, table=1)
    board = session.get_group_boards(sitting.board_group)[0]
    record_result(sitting=sitting, board_number=board, mark="13", seen_score=None, by=None)
    assert create_results(session=session, round_count=1, random_seed="x", by=None) == 2
    assert create_results(session=session, round_count=1, random_seed="x", by=None) == 0
    assert Result.objects.get(sitting=sitting).ns_tricks == 13
