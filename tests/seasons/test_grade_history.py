"""Test grades per evening: checkpoints, corrections, slices, constants, access rights."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

import scoring.services
from clubs.models import Club, Player
from clubs.services.person_links import create_person_links
from config.archives import ARCHIVE_SPEC
from scoring.standings_engine import standings
from seasons.grades.club_plays import GradedEvent
from seasons.grades.models import (
    Grade,
    GradeBook,
    GradeCheckpoint,
    GradeConstants,
    GradeEvening,
    GradeStep,
    HiddenGrade,
)
from seasons.grades.rating import BoardPlay, GradedEvening, GradeModelConstants
from seasons.grades.rating.evenings import make_partnership
from seasons.grades.rating.fit import grade_evenings
from seasons.grades.services import computation
from seasons.grades.services import constants_fit as grade_fits
from seasons.grades.services.settings import (
    GradesRefused,
    hide_grade,
    queue_fit,
    set_constants,
    set_grades_enabled,
)
from seasons.grades.sheets import build_grade_section, list_opponents, load_grade_steps
from seasons.grades.tasks import GRADES_JOB
from seasons.people.services import delete_personal_data
from server.models import User
from tests import evenings as made
from tests.factories import EventFactory, PlayerFactory
from tournaments.services import merge_players

pytestmark = pytest.mark.django_db

START_DATE = date(2025, 1, 7)


@dataclass
class SimulatedYear:
    """A club with made-up evenings: real rows of events and people, but chosen plays."""

    club: Club
    user: User
    people: list[Player]
    rows: list[GradedEvent] = field(default_factory=list)
    plays: dict[int, list[BoardPlay]] = field(default_factory=dict)

    def add(self, day: date, chance: Random, boards: int = 6) -> None:
        """Play an evening of three pairs against three, two of which always sit together."""
        number = len(self.rows)
        event = EventFactory(club=self.club, slug=f"evening-{number:03}", date=day)
        keys = [str(person.pk) for person in self.people]
        shuffled_keys = chance.sample(keys[4:], 8)
        pairs = [make_partnership(keys[:2]), make_partnership(keys[2:4])]
        pairs += [make_partnership(shuffled_keys[n : n + 2]) for n in range(0, 8, 2)]
        plays = [
            BoardPlay(str(board), pairs[n], pairs[3 + (n + board) % 3], chance.randint(3, 10))
            for board in range(boards)
            for n in range(3)
        ]
        self.rows.append(GradedEvent(event.pk, event.slug, day, "1", str(number)))
        self.plays[event.pk] = plays

    def correct_evening(self, number: int, *, people: bool = False) -> None:
        """Change a result of an evening, or a player."""
        row = self.rows[number]
        plays = self.plays[row.pk]
        if people:
            old_text, new_key = str(self.people[0].pk), str(self.people[-1].pk)
            plays = [
                BoardPlay(
                    p.board_key,
                    replace_player(p.ns_partnership, old_text, new_key),
                    replace_player(p.ew_partnership, old_text, new_key),
                    p.ns_tricks,
                )
                for p in plays
            ]
            self.rows[number] = row._replace(people_version=row.people_version + "x")
        else:
            plays = [
                BoardPlay(p.board_key, p.ns_partnership, p.ew_partnership, 13 - p.ns_tricks)
                for p in plays
            ]
            self.rows[number] = row._replace(results_version="2")
        self.plays[row.pk] = plays

    def evenings(self, rows: list[GradedEvent]) -> Iterator[GradedEvening]:
        for row in rows:
            yield GradedEvening(row.slug, row.day.toordinal(), tuple(self.plays[row.pk]))

    def from_zero(self) -> dict[int, tuple[float, float, float]]:
        """Return the mean, deviation and column of all, computed evening by evening."""
        book = GradeBook.objects.get()
        club_ratings = grade_evenings(
            self.evenings(self.rows), GradeModelConstants(book.s0, book.tau, book.q)
        )
        return {
            int(person): (
                club_ratings.get_strength(person)[0],
                club_ratings.get_strength(person)[1] ** 0.5,
                column,
            )
            for person, column in club_ratings.percentage_grades_by_person.items()
        }

    def load_stored_grades(self) -> dict[int, tuple[float, float, float]]:
        return {
            grade.player_id: (grade.mean, grade.sd, grade.column)
            for grade in Grade.objects.all()
        }

    def has_matching_grades(self) -> bool:
        expected, stored = self.from_zero(), self.load_stored_grades()
        return expected.keys() == stored.keys() and all(
            stored[person] == pytest.approx(expected_values, abs=1e-9, rel=0)
            for person, expected_values in expected.items()
        )


def replace_player(pair: tuple[str, str], old: str, new: str) -> tuple[str, str]:
    return make_partnership([new if person_key == old else person_key for person_key in pair])


@pytest.fixture
def year(monkeypatch: pytest.MonkeyPatch) -> SimulatedYear:
    """Return twelve evenings over half a year, three weeks apart, with grades on."""
    club, user = made.create_club_with_director()
    people = [PlayerFactory(club=club, name=f"Person {n}") for n in range(14)]
    year = SimulatedYear(club, user, people)
    chance = Random(5)
    for number in range(12):
        year.add(START_DATE + timedelta(days=16 * number), chance)
    for module in ("services.computation", "services.constants_fit", "club_plays"):
        monkeypatch.setattr(
            f"seasons.grades.{module}.list_graded_events", lambda _club: list(year.rows)
        )
    monkeypatch.setattr(
        "seasons.grades.services.computation.iter_graded_evenings", year.evenings
    )
    for module in ("services.computation", "club_plays"):
        monkeypatch.setattr(
            f"seasons.grades.{module}.compute_change_fingerprint",
            lambda _club: str(len(year.rows)),
        )
    set_grades_enabled(club=club, is_on=True, by=user)
    return year


def test_incremental_grades_equal_recomputation_after_correction_and_merge(
    year: SimulatedYear,
) -> None:
    rows, year.rows = year.rows, []
    for row in rows:
        year.rows.append(row)
        assert not computation.compute_grades(year.club)
    assert year.has_matching_grades()
    quarters = GradeCheckpoint.objects.filter(is_quarter=True)
    assert list(quarters.values_list("evenings", flat=True)) == [6, 11]
    assert GradeCheckpoint.objects.filter(is_quarter=False).count() == 1
    year.correct_evening(8)
    assert computation.compute_grades(year.club) is False
    assert year.has_matching_grades()
    year.correct_evening(2, people=True)
    computation.compute_grades(year.club)
    assert year.has_matching_grades()
    year.correct_evening(5)
    while computation.compute_grades(year.club, slice_seconds=0):  # a slice an evening
        pass
    assert year.has_matching_grades()
    assert not computation.compute_grades(year.club)


def test_correction_recomputes_only_sessions_after_checkpoint(
    year: SimulatedYear, monkeypatch: pytest.MonkeyPatch
) -> None:
    computation.compute_grades(year.club)
    read_slugs: list[str] = []
    keys: list[str] = []

    def record_read_evenings(rows: list[GradedEvent]) -> Iterator[GradedEvening]:
        read_slugs.extend(row.slug for row in rows)
        return year.evenings(rows)

    original_update = computation.update_ratings_from_input
    monkeypatch.setattr(
        "seasons.grades.services.computation.iter_graded_evenings", record_read_evenings
    )
    monkeypatch.setattr(
        "seasons.grades.services.computation.update_ratings_from_input",
        lambda known, facts: keys.append(facts.evening_key) or original_update(known, facts),
    )
    year.correct_evening(9)
    computation.compute_grades(year.club)
    assert read_slugs == ["evening-009"]
    assert keys == [f"evening-{n:03}" for n in range(6, 12)]  # the quarter's own
    assert GradeEvening.objects.count() == 12


def test_old_grade_rows_are_kept_and_new_row_states_reason(year: SimulatedYear) -> None:
    computation.compute_grades(year.club)
    first_grade_step_count = GradeStep.objects.count()
    assert first_grade_step_count == 12 * 12
    assert set(GradeStep.objects.values_list("why", flat=True)) == {"played"}
    old = {grade_step.pk: grade_step.mean for grade_step in GradeStep.objects.all()}
    year.correct_evening(10)
    book = GradeBook.objects.get()
    computation.compute_grades(year.club, slice_seconds=0)
    book.refresh_from_db()
    assert (book.why, book.because_id) == ("corrected", year.rows[10].pk)
    section = build_grade_section(year.people[0])
    assert section is not None
    assert section["behind"]  # the old grades stay and the page says so
    while computation.compute_grades(year.club, slice_seconds=0):
        pass
    new = GradeStep.objects.exclude(pk__in=old)
    assert new.count() == 2 * 12
    assert set(new.values_list("why", "because")) == {("corrected", year.rows[10].pk)}
    assert {
        grade_step.pk: grade_step.mean for grade_step in GradeStep.objects.filter(pk__in=old)
    } == old
    book.refresh_from_db()
    assert (book.why, book.because) == ("", None)
    person, incoming_person = year.people[0], year.people[-1]
    year.correct_evening(11, people=True)
    computation.compute_grades(year.club)
    row = GradeStep.objects.filter(player=person, event=year.rows[11].pk).last()
    assert row is not None
    assert (row.boards, row.why) == (0, "people")
    row = GradeStep.objects.filter(player=incoming_person, event=year.rows[11].pk).last()
    assert row is not None
    assert row.boards


def test_grade_gains_equal_losses_and_last_row_is_current_grade(year: SimulatedYear) -> None:
    computation.compute_grades(year.club)
    known = grade_evenings(year.evenings(year.rows), GradeModelConstants())
    rows = GradeStep.objects.filter(event=year.rows[-1].pk)
    for row in rows:
        assert row.mean == pytest.approx(known.get_strength(str(row.player_id))[0], abs=1e-12)
        assert row.all_boards == known.count_boards(str(row.player_id))
    assert sum(row.made for row in rows) == pytest.approx(0, abs=1e-9)
    assert sum(row.expected for row in rows) == pytest.approx(0, abs=1e-9)


def test_constants_are_fitted_stepwise_from_enough_sessions_with_a_reason(
    year: SimulatedYear, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grade_fits, "MIN_EVENINGS_FOR_FIT", 12)
    grid = [GradeModelConstants(s0, tau, 0.1) for s0 in (0.1, 0.35) for tau in (0.0, 0.1)]
    monkeypatch.setattr(grade_fits, "CONSTANTS_GRID", grid)
    monkeypatch.setattr(grade_fits, "TRIED_CONSTANTS", [*grid, GradeModelConstants()])
    computation.compute_grades(year.club)
    assert GRADES_JOB.find_missing_job_keys() == [year.club.pk]
    assert grade_fits.fit_constants(year.club, seconds=0)
    fit = GradeConstants.objects.get()
    assert (fit.cause, len(fit.tried), fit.done_at) == ("first", 1, None)
    year.correct_evening(11)  # the values tried so far are obsolete
    computation.compute_grades(year.club)
    assert grade_fits.fit_constants(year.club, seconds=0)
    fit.refresh_from_db()
    assert len(fit.tried) == 1
    while GRADES_JOB.run(year.club.pk):
        pass
    fit.refresh_from_db()
    book = GradeBook.objects.get()
    log_likelihoods = {
        item: grade_evenings(year.evenings(year.rows), item).log_likelihood for item in grid
    }
    best = max(grid, key=lambda item: log_likelihoods[item])
    assert (
        GradeModelConstants(book.s0, book.tau, book.q)
        == best
        == GradeModelConstants(fit.s0, fit.tau, fit.q)
    )
    default_log_likelihood = grade_evenings(
        year.evenings(year.rows), GradeModelConstants()
    ).log_likelihood
    assert fit.gain == pytest.approx(log_likelihoods[best] - default_log_likelihood)
    assert (fit.evenings, fit.done_at is not None) == (12, True)
    assert GRADES_JOB.find_missing_job_keys() == []
    assert year.has_matching_grades()
    grade_steps = GradeStep.objects.filter(why="constants")
    assert grade_steps.exists()


def choose_constants(year: SimulatedYear, constants: GradeModelConstants) -> None:
    """Store constants that an owner chose, as version 1.0 could do."""
    book = GradeBook.objects.get(club=year.club)
    set_constants(book, GradeConstants(book=book, cause="chosen"), constants)


def test_fit_is_queued_once_and_chosen_constants_stay_in_use(year: SimulatedYear) -> None:
    fit = queue_fit(club=year.club, by=year.user)
    assert queue_fit(club=year.club, by=year.user) == fit
    computation.compute_grades(year.club)
    assert not grade_fits.fit_constants(year.club)  # twelve evenings are too few
    fit.refresh_from_db()
    assert (fit.s0, fit.evenings, fit.cause, fit.gain) == (0.25, 12, "owner", None)
    choose_constants(year, GradeModelConstants(0.5, 0.2, 0.0))
    assert GRADES_JOB.find_missing_job_keys() == [year.club.pk]
    while computation.compute_grades(year.club):
        pass
    expected_ratings = grade_evenings(
        year.evenings(year.rows), GradeModelConstants(0.5, 0.2, 0.0)
    )
    for row in Grade.objects.all():
        assert row.mean == pytest.approx(
            expected_ratings.get_strength(str(row.player_id))[0], abs=1e-12
        )
    choose_constants(year, GradeModelConstants())
    while computation.compute_grades(year.club):
        pass
    assert GRADES_JOB.find_missing_job_keys() == []
    assert GradeBook.objects.get().why == ""
    set_grades_enabled(club=year.club, is_on=False, by=year.user)
    assert not GradeStep.objects.exists()
    assert not GradeCheckpoint.objects.exists()
    with pytest.raises(GradesRefused):
        queue_fit(club=year.club, by=year.user)


def set_grade_fields(player: Player, **more: object) -> None:
    figures = {"shown": 1.25, "range": 2.0, "word": "evolving", **more}
    Grade.objects.filter(player=player).update(**figures)


def test_grades_are_public_if_club_and_person_allow_it(year: SimulatedYear) -> None:
    computation.compute_grades(year.club)
    ann, bo, *_rest = year.people
    set_grade_fields(ann)
    set_grade_fields(bo, partner=ann)
    pages = [reverse("player_grade", args=[ann.pk])]
    pages.append(f"/api/clubs/{year.club.slug}/grades/people/{ann.pk}/")
    path = f"/api/clubs/{year.club.slug}/grades/people/"
    client = Client()
    assert [client.get(page).status_code for page in pages] == [404, 404]
    assert client.get(path).json()["results"] == []
    set_grades_enabled(club=year.club, is_on=True, visibility="all", by=year.user)
    assert [client.get(page).status_code for page in pages] == [200, 200]
    rows = client.get(path).json()["results"]
    assert [(row["name"], row["partner"], row["grade"]) for row in rows] == [
        (ann.name, None, 1.25),
        (bo.name, ann.name, 1.25),
    ]
    hide_grade(player=ann, is_hidden=True, by=year.user)
    assert [client.get(page).status_code for page in pages] == [404, 404]
    assert client.get(path).json()["results"] == []  # of both neither
    assert "1.3" not in client.get(reverse("player", args=[ann.pk])).content.decode()
    hide_grade(player=ann, is_hidden=False, by=year.user)
    assert not HiddenGrade.objects.exists()


@pytest.mark.parametrize("hidden_part", ["the grade", "the name"])
def test_joint_grades_of_partners_are_listed_by_evening_if_both_are_public(
    year: SimulatedYear, hidden_part: str
) -> None:
    computation.compute_grades(year.club)
    set_grades_enabled(club=year.club, is_on=True, visibility="all", by=year.user)
    ann, bo, *_rest = year.people
    figures = {"shown": 4.375, "range": 2.125, "word": "evolving"}
    GradeStep.objects.filter(player=ann).update(**figures, is_pair=True, partner=bo)
    page = reverse("player_grade", args=[ann.pk])
    evening = reverse("player_grade_evening", args=[ann.pk, year.rows[-1].slug])
    steps = f"/api/clubs/{year.club.slug}/grades/people/{ann.pk}/"
    for url in (page, evening):
        assert "+4.4" in Client().get(url).content.decode()
    assert Client().get(steps).json()["results"][0]["grade"] == 4.375
    if hidden_part == "the grade":
        hide_grade(player=bo, is_hidden=True, by=year.user)
    else:
        Player.objects.filter(pk=bo.pk).update(shown="nobody")
    for url in (page, evening):
        text = Client().get(url).content.decode()
        assert "4.4" not in text
        assert "joint" not in text
    for row in Client().get(steps).json()["results"]:
        assert (row["grade"], row["range"], row["old"], row["pair"]) == (None,) * 3 + (False,)
    assert load_grade_steps(ann)[0].new_grade.grade == "+4.4"  # Ann herself still sees it


def test_api_returns_constants_and_whether_grades_are_outdated(year: SimulatedYear) -> None:
    page = f"/api/clubs/{year.club.slug}/grades/"
    computation.compute_grades(year.club)
    data = Client().get(page).json()
    assert (data["seen"], data["behind"], data["evenings"]) == ("self", False, 12)
    assert data["constants"] == {
        **{"s0": 0.25, "tau": 0.05, "q": 0.07},
        **{"usual": True, "since": None, "cause": None, "evenings": 0},
    }
    choose_constants(year, GradeModelConstants(0.5, 0.2, 0.0))
    data = Client().get(page).json()
    assert (data["behind"], data["constants"]["cause"]) == (True, "chosen")
    set_grades_enabled(club=year.club, is_on=False, by=year.user)
    assert Client().get(page).status_code == 404


def test_director_sees_grade_settings_without_constants(year: SimulatedYear) -> None:
    client = Client()
    client.force_login(year.user)
    page = f"{reverse('club_grades')}?club={year.club.slug}"
    choose_constants(year, GradeModelConstants(0.5, 0.2, 0.0))
    text = client.get(page).content.decode()
    assert "Keep grades?" in text
    assert "0.50" not in text
    assert "onstants" not in text
    form = {"club": year.club.slug}
    for removed_page in ("fit", "constants"):
        assert client.post(f"/director/players/grades/{removed_page}/", form).status_code == 404


def test_erased_person_has_no_grade_and_grades_of_others_remain(year: SimulatedYear) -> None:
    computation.compute_grades(year.club)
    person, partner = year.people[:2]
    hide_grade(player=person, is_hidden=True, by=year.user)
    set_grade_fields(partner, partner=person)
    grades_before = year.load_stored_grades()
    delete_personal_data(
        player=person, typed_name=person.name, archive_spec=ARCHIVE_SPEC, by=year.user
    )
    for model in (Grade, GradeStep, HiddenGrade):
        assert not model.objects.filter(player=person.pk).exists()
    assert Grade.objects.get(player=partner).shown is None
    year.correct_evening(11)
    computation.compute_grades(year.club)
    assert not GradeStep.objects.filter(player=person.pk).exists()
    assert not GradeStep.objects.filter(partner=person.pk).exists()
    assert year.load_stored_grades().keys() == grades_before.keys() - {person.pk}


def test_merged_players_share_one_grade_history_until_merge_is_undone(
    year: SimulatedYear,
) -> None:
    computation.compute_grades(year.club)
    person, player = year.people[0], PlayerFactory(club=year.club, name="Somebody else")
    old_text, new = str(person.pk), str(player.pk)
    own_grade_step_pks = set(
        GradeStep.objects.filter(player=person).values_list("pk", flat=True)
    )
    merge_players(removed_player=person, kept_player=player, by=year.user)
    assert (
        set(GradeStep.objects.filter(player=player).values_list("pk", flat=True))
        == own_grade_step_pks
    )
    for number, row in enumerate(year.rows):
        swapped_plays = [
            BoardPlay(
                p.board_key,
                *(
                    replace_player(s, old_text, new)
                    for s in (p.ns_partnership, p.ew_partnership)
                ),
                p.ns_tricks,
            )
            for p in year.plays[row.pk]
        ]
        year.plays[row.pk] = swapped_plays
        year.rows[number] = row._replace(people_version=f"{row.people_version}m")
    computation.compute_grades(year.club)
    assert year.has_matching_grades()
    assert [len(load_grade_steps(person)) for person in (player, year.people[1])] == [12, 12]
    grade_steps = GradeStep.objects.exclude(pk__in=own_grade_step_pks).filter(player=player)
    assert not grade_steps.exists()  # it is the same history, number for number


def open_personal_link(person: Player) -> Client:
    (link,) = create_person_links(club=person.club, players=[person], ends_at=None, by=None)
    client = Client()
    client.get(link.path)
    return client


def test_grade_step_shows_expected_and_actual_results_and_both_grades() -> None:
    session, user = made.play_session(movement="howell", boards_a_round=2)
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    club, event = session.event.club, session.event
    set_grades_enabled(club=club, is_on=True, by=user)
    while GRADES_JOB.run(club.pk):
        pass
    person = event.entries.get(number=2).players.order_by("pk")[0]
    (step,) = load_grade_steps(person)
    opponents = list_opponents(person, event)
    assert float(sum(item.tricks_above_average for item in opponents)) == pytest.approx(
        step.row.made
    )
    assert sum(item.board_count for item in opponents) == step.row.boards == 10
    GradeStep.objects.filter(pk=step.row.pk).update(shown=-1.26, range=3.04, word="mature")
    client = open_personal_link(person)
    text = client.get("/me/grade/").content.decode()
    assert f"/me/grade/{event.slug}/" in text
    assert "−1.3" in text
    assert "onstants" not in text
    text = client.get(f"/me/grade/{event.slug}/").content.decode()
    assert [item.name.replace("&", "&amp;") in text for item in opponents] == [True] * len(
        opponents
    )
    assert "± 3.0" in text
    assert client.get("/me/grade/elsewhere/").status_code == 404
    assert Client().get("/me/grade/").status_code == 404
    client.post("/me/hide-grade/", {"hidden": "yes"})
    assert HiddenGrade.objects.filter(player=person).exists()
    text = " ".join(client.get("/me/grade/").content.decode().split())
    assert 'id="hidden-yes" value="yes" checked' in text
    data = client.get("/me/held/").json()
    assert (data["grade"][0]["made"], data["grade_hidden"]) == (step.row.made, True)


def test_documents_show_no_grades() -> None:
    """Other packages that draw papers are below grades and cannot import them."""
    module_paths = Path("seasons").rglob("*.py")
    papers = [path for path in module_paths if "papers" in path.with_suffix("").parts]
    assert papers
    assert not [path for path in papers if "grade" in path.read_text().lower()]
