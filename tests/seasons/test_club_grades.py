"""Test a club's grades: switching on and off, recomputation, access rights."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

import scoring.services
import tournaments.services
from clubs import audit
from clubs.models import Player
from scoring.session_snapshot import SeatedTable, load_session_snapshot
from scoring.standings_engine import standings
from seasons.grades.grades_file import build_grades_data, read_grades
from seasons.grades.models import Grade, GradeBook
from seasons.grades.services.computation import compute_grades
from seasons.grades.services.settings import set_grades_enabled
from seasons.grades.sheets import build_grade_section
from seasons.grades.tasks import GRADES_JOB
from server.models import User
from tests import evenings
from tournaments.models import Session, Sitting

pytestmark = pytest.mark.django_db


def play_closed_session() -> tuple[Session, User]:
    session, user = evenings.play_session(movement="howell", boards_a_round=2)
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    return session, user


def build_plays_file(session: Session) -> dict[str, Any]:
    """Return the same evening as a file of plays, written from the seats without our reader."""
    entries = {
        entry.number: [player.name for player in entry.players.order_by("pk")]
        for entry in session.event.entries.all()
    }
    plays = [
        [
            board,
            entries[table.ns.entries[0]],
            entries[table.ew.entries[0]],
            (board + table.table_number) % 14,
        ]
        for table in load_session_snapshot(session).tables
        if table.is_played
        for board in table.boards
    ]
    event = session.event
    evening = {"event": event.slug, "date": event.date.isoformat(), "plays": plays}
    return {"format": "whist-grades/1", "evenings": [evening]}


def list_side_names(table: SeatedTable, entries: dict[int, list[str]]) -> list[list[str]]:
    return [entries[side.entries[0]] for side in (table.ns, table.ew)]


def run_grades_command(*arguments: str) -> Any:
    output = StringIO()
    call_command("season", "grades", *arguments, stdout=output)
    return json.loads(output.getvalue())


def test_club_grades_equal_grades_of_exported_plays() -> None:
    session, _user = play_closed_session()
    slug = session.event.club.slug
    constants, graded_evenings = read_grades(json.dumps(build_plays_file(session)))
    grades_data = build_grades_data(
        constants, graded_evenings, should_include_each_evening=False
    )
    output = run_grades_command(slug, "--format", "json")
    (evening,), (expected,) = output["evenings"], grades_data["evenings"]
    assert evening["event"] == session.event.slug
    assert evening["sigma2"] == pytest.approx(expected["sigma2"])
    assert evening["players"].keys() == expected["players"].keys()
    for name, row in expected["players"].items():
        assert evening["players"][name] == pytest.approx(row)
    assert list(evening["players"]["Pole 0a"]) == ["mean", "sd", "boards", "ngs"]
    default_constants = {"s0": 0.25, "tau": 0.05, "q": 0.07}
    assert output["constants"] == {**default_constants, "since": None, "why": ""}
    set_grades_enabled(club=session.event.club, is_on=True, by=None)
    shown_constants = run_grades_command(slug, "--fit")["constants"]
    assert {
        key: shown_constants[key] for key in default_constants
    } == default_constants  # one evening is too few
    assert (shown_constants["why"], shown_constants["since"] is not None) == (
        "requested by an owner",
        True,
    )
    assert Grade.objects.filter(player__name="Pole 0a").exists()
    with pytest.raises(CommandError, match="Club nowhere not found"):
        run_grades_command("nowhere")
    with pytest.raises(CommandError, match="Enter a club"):
        run_grades_command()


def test_grades_are_off_by_default_follow_corrections_and_are_deleted_when_disabled() -> None:
    session, user = play_closed_session()
    club = session.event.club
    assert not compute_grades(club)
    assert not Grade.objects.exists()
    set_grades_enabled(club=club, is_on=True, by=user)
    set_grades_enabled(club=club, is_on=True, by=user)
    assert audit.list_acts(club).filter(action="grades.set").count() == 1
    assert GRADES_JOB.find_missing_job_keys() == [club.pk]
    GRADES_JOB.run(club.pk)
    assert GRADES_JOB.find_missing_job_keys() == []
    book = GradeBook.objects.get()
    assert (book.evenings, book.grades.count()) == (1, 12)
    grades_before = dict(book.grades.values_list("player__name", "mean"))
    assert not any(grade.word for grade in book.grades.all())  # ten boards give no information
    table = next(table for table in load_session_snapshot(session).tables if table.is_played)
    scoring.services.make_ruling(
        sitting=Sitting.objects.get(pk=table.sitting_id),
        board_number=table.boards[0],
        kind="average",
        reason="fouled",
        by=user,
    )
    standings.update_standings(session.event)
    assert GRADES_JOB.find_missing_job_keys() == [club.pk]
    GRADES_JOB.run(club.pk)
    grades_after = dict(book.grades.values_list("player__name", "mean"))
    assert grades_after != grades_before
    player = Player.objects.create(club=club, name="Another")
    person = Player.objects.get(name="Pole 0a")
    tournaments.services.merge_players(removed_player=person, kept_player=player, by=user)
    assert GRADES_JOB.find_missing_job_keys() == [club.pk]
    GRADES_JOB.run(club.pk)
    grades = dict(book.grades.values_list("player__name", "mean"))
    assert grades["Another"] == pytest.approx(grades_after["Pole 0a"], abs=1e-9)
    set_grades_enabled(club=club, is_on=False, by=user)
    assert not Grade.objects.exists()


def get_other_grades(player: Player) -> Any:
    return (build_grade_section(player) or {})["others"]


def test_grade_is_visible_to_its_player_or_with_its_range_to_members() -> None:
    club, user = evenings.create_club_with_director()
    ann, bo, cy = (Player.objects.create(club=club, name=name) for name in ("Ann", "Bo", "Cy"))
    assert build_grade_section(ann) is None
    client = Client()
    client.force_login(user)
    page = reverse("club_grades")
    assert 'value="no" checked' in client.get(page).content.decode()
    client.post(page, {"is_on": "yes", "seen": "self"})
    book = GradeBook.objects.get()
    for player, shown_grade in ((ann, 1.25), (bo, -0.5)):
        Grade.objects.create(
            book=book,
            player=player,
            mean=0,
            sd=0.1,
            boards=400,
            column=50,
            shown=shown_grade,
            range=2.0,
            word="evolving",
        )
    own_grade_section = build_grade_section(ann)
    assert own_grade_section is not None
    assert own_grade_section["others"] == []
    set_grades_enabled(club=club, is_on=True, visibility="members", by=user)
    assert [item.player for item, _grade_text in get_other_grades(ann)] == [bo]
    tournaments.services.set_player_visibility(player=bo, shown="initials", by=user)
    assert get_other_grades(ann) == []
    Player.objects.filter(pk=cy.pk).update(kind="visitor")
    cy.refresh_from_db()
    assert get_other_grades(cy) == []
    text = client.get(page).content.decode()
    assert "2 players" in text
    assert "Ann" not in text.partition("<main")[2]
