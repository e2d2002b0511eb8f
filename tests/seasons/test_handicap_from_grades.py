"""Test handicaps from grades for each viewer, owner and set of known grades."""

from datetime import date, timedelta
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Player
from seasons.grades.models import GradeBook, GradeStep, HiddenGrade
from seasons.ladders.errors import HandicapRefused
from seasons.ladders.models import Season
from seasons.ladders.rules.handicaps import (
    HANDICAP_FROM_DIRECTOR,
    HANDICAP_FROM_GRADE,
    HANDICAP_TOO_FEW_RESULTS,
    SOURCE_GRADES,
    DatedHandicap,
    HandicapTerms,
    read_terms,
    serialize_terms,
)
from seasons.ladders.rules.words import describe_terms, explain_handicap
from seasons.ladders.season_tables import (
    load_handicap_input,
    load_ladder_tables,
    load_season_terms,
)
from seasons.ladders.services.handicaps import set_personal_handicap, set_season_handicap
from tests import evenings
from tests.factories import (
    EventFactory,
    GradeBookFactory,
    GradeStepFactory,
    LadderFactory,
    PlayerFactory,
    SeasonFactory,
)
from tournaments.models import Event

pytestmark = pytest.mark.django_db
FIRST_EVENING = date(2026, 3, 3)


def create_graded_season(grade_visibility: str = "all") -> tuple[Season, Player]:
    """Return a season: Ann had +6.0 tricks above the club after week 1, +7.2 after week 2."""
    season = SeasonFactory(first_day=date(2026, 1, 1), last_day=date(2026, 12, 31))
    book = GradeBookFactory(club=season.club, seen=grade_visibility, stamp="one")
    ann = PlayerFactory(club=season.club, name="Ann Lee", shown="name")
    for number, shown_grade in enumerate((6.04, 7.2)):
        event = EventFactory(club=season.club, date=FIRST_EVENING + timedelta(weeks=number))
        GradeStepFactory(
            book=book, player=ann, event=event, shown=shown_grade, range=2.0, word="evolving"
        )
    set_season_handicap(season=season, terms={"source": SOURCE_GRADES}, by=None)
    return season, ann


def load_own_handicap(season: Season, player: Player, day: date) -> DatedHandicap:
    terms = load_season_terms(season)
    assert terms is not None
    return load_handicap_input(season, terms, day, day).compute_field_handicaps(
        [player.pk], day.isoformat()
    )[player.pk]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("days_after_first", "how", "expected_value"),
    [
        (0, HANDICAP_TOO_FEW_RESULTS, 0),  # no grade before the first evening is over
        (1, HANDICAP_FROM_GRADE, -Fraction(4, 5) * Fraction(60, 240)),
        (
            7,
            HANDICAP_FROM_GRADE,
            -Fraction(4, 5) * Fraction(60, 240),
        ),  # that evening is excluded
        (8, HANDICAP_FROM_GRADE, -Fraction(4, 5) * Fraction(72, 240)),
        (300, HANDICAP_FROM_GRADE, -Fraction(4, 5) * Fraction(72, 240)),
    ],
)
def test_handicap_is_computed_from_grade_after_last_previous_evening(
    days_after_first: int, how: str, expected_value: Fraction
) -> None:
    season, ann = create_graded_season()
    own_handicap = load_own_handicap(
        season, ann, FIRST_EVENING + timedelta(days=days_after_first)
    )
    assert (own_handicap.source_code, own_handicap.value) == (how, expected_value)


@pytest.mark.slow
def test_latest_grade_of_evening_applies_and_missing_grade_gives_no_handicap() -> None:
    season, ann = create_graded_season()
    last = GradeStep.objects.order_by("-pk")[0]
    step_fields = {"book": last.book, "player": ann, "event": last.event}
    GradeStepFactory(**step_fields, shown=-2.4, range=2.0, word="evolving", why="corrected")
    assert load_own_handicap(season, ann, date(2026, 6, 1)).value == Fraction(4, 5) * Fraction(
        24, 240
    )
    GradeStepFactory(**step_fields, shown=None, why="corrected")
    assert (
        load_own_handicap(season, ann, date(2026, 6, 1)).source_code == HANDICAP_TOO_FEW_RESULTS
    )


@pytest.mark.slow
def test_archived_evening_or_one_without_the_person_is_ignored_for_handicaps() -> None:
    """The current row is found first: an older one of the same evening is never used."""
    season, ann = create_graded_season()
    first, last = GradeStep.objects.order_by("pk")
    handicap_after_first = -Fraction(4, 5) * Fraction(60, 240)
    again = {"book": last.book, "player": ann, "event": last.event, "why": "people"}
    grade_step = GradeStepFactory(**again, boards=0, shown=None, range=None)
    assert load_own_handicap(season, ann, date(2026, 6, 1)).value == handicap_after_first
    GradeStep.objects.filter(pk=grade_step.pk).update(
        boards=24, shown=9.6, range=2.0, is_pair=True, partner=PlayerFactory(club=season.club)
    )
    assert load_own_handicap(season, ann, date(2026, 6, 1)).value == -Fraction(4, 5) * Fraction(
        96, 240
    )
    Player.objects.exclude(pk=ann.pk).update(shown="nobody")
    assert load_own_handicap(season, ann, date(2026, 6, 1)).value == handicap_after_first
    grade_step.delete()
    Event.objects.filter(pk=last.event_id).update(put_away_at=timezone.now())
    assert load_own_handicap(season, ann, date(2026, 6, 1)).value == handicap_after_first
    assert first.shown == 6.04


@pytest.mark.slow
@pytest.mark.parametrize("seen", GradeBook.Visibility.values)
@pytest.mark.parametrize("state", ["as others", "hides the grade", "is hidden", "book is off"])
def test_handicap_does_not_reveal_private_grade(seen: str, state: str) -> None:
    season, ann = create_graded_season(seen)
    if state == "hides the grade":
        HiddenGrade.objects.create(player=ann)
    elif state == "is hidden":
        Player.objects.filter(pk=ann.pk).update(shown="initials")
    elif state == "book is off":
        GradeBook.objects.update(is_on=False)
    own_handicap = load_own_handicap(season, ann, date(2026, 6, 1))
    is_open = seen == "all" and state == "as others"
    assert own_handicap.source_code == (
        HANDICAP_FROM_GRADE if is_open else HANDICAP_TOO_FEW_RESULTS
    )  # she has no finished evening


def test_caps_manual_values_and_newcomer_rules_apply_to_grade_handicaps() -> None:
    season, ann = create_graded_season()
    set_season_handicap(season=season, terms={"source": SOURCE_GRADES, "cap": "1/10"}, by=None)
    own_handicap = load_own_handicap(season, ann, date(2026, 6, 1))
    assert (own_handicap.value, own_handicap.uncapped_value) == (
        Fraction(-1, 10),
        Fraction(-6, 25),
    )
    terms = load_season_terms(season)
    assert terms is not None
    handicap = explain_handicap(own_handicap, terms)
    assert handicap == "Grade 0.3 per board: 0.8 × (0 − 0.3) = −0.24, maximum 0.1: −0.1."
    set_personal_handicap(
        season=season, player=ann.pk, a_board="0.3", reason="was ill", by=None
    )
    assert (
        load_own_handicap(season, ann, date(2026, 6, 1)).source_code == HANDICAP_FROM_DIRECTOR
    )
    assert explain_handicap(load_own_handicap(season, ann, FIRST_EVENING), terms).startswith(
        "Set by the director"
    )


def test_percent_handicap_from_grades_is_refused_and_old_terms_stay_readable() -> None:
    season, _ann = create_graded_season()
    with pytest.raises(HandicapRefused) as exc_info:
        set_season_handicap(
            season=season, terms={"source": SOURCE_GRADES, "figure": "percent"}, by=None
        )
    assert [fault.setting for fault in exc_info.value.faults] == ["source"]
    with pytest.raises(HandicapRefused, match="Choose one of these"):
        set_season_handicap(season=season, terms={"source": "stars"}, by=None)
    assert "source" not in serialize_terms(HandicapTerms())
    terms = read_terms(serialize_terms(HandicapTerms(source=SOURCE_GRADES)))
    assert terms == HandicapTerms(source=SOURCE_GRADES)
    assert "grade per board" in describe_terms(HandicapTerms(source=SOURCE_GRADES))


@pytest.mark.slow
def test_ladder_updates_when_grades_are_recomputed_or_hidden() -> None:
    season, ann = create_graded_season()
    LadderFactory(
        season=season,
        rule={"who": "players", "measure": "plus", "combine": "sum", "handicap": True},
    )
    ((_row, first),) = load_ladder_tables(season)
    assert load_ladder_tables(season)[0][1] is first
    GradeBook.objects.update(stamp="two")
    second = load_ladder_tables(season)[0][1]
    assert second is not first
    HiddenGrade.objects.create(player=ann)
    assert load_ladder_tables(season)[0][1] is not second


def test_director_chooses_handicap_from_grades_on_page() -> None:
    club, user = evenings.create_club_with_director()
    season = SeasonFactory(club=Club.objects.get(pk=club.pk))
    client = Client()
    client.force_login(user)
    act = reverse("season_handicap_act", args=[season.slug])
    response = client.post(act, {"act": "settle", "source": "grades", "figure": "percent"})
    assert response.status_code == 400
    assert "Grades are in tricks" in response.content.decode()
    client.post(act, {"act": "settle", "source": "grades"})
    terms = load_season_terms(season)
    assert terms is not None
    assert terms.source == SOURCE_GRADES
    page = client.get(reverse("season_handicap", args=[season.slug])).content.decode()
    assert '<option value="grades" selected>' in page
    client.post(act, {"act": "settle", "source": "evenings"})
    assert load_season_terms(season) == HandicapTerms()
