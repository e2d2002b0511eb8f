"""Rubber nights count in a ladder that includes them, by points, places or attendance."""

import re
from datetime import date
from fractions import Fraction

import pytest
from django.test import Client

from clubs.activities.services import archive
from clubs.models import Club, Player
from rubbers.models import RubberNight
from rubbers.services import (
    NewRubberPlayer,
    close_rubber_night,
    create_rubber_night,
    join_table,
    record_hand,
    remove_table_member,
    reopen_rubber_night,
    seat_next_players,
)
from seasons.ladders.models import Season
from seasons.ladders.season_file import build_season_document
from seasons.ladders.services.importing import import_season
from tests.factories import ClubFactory
from tests.seasons.test_drives_in_a_ladder import FOUR, create_season, list_season_rows

pytestmark = pytest.mark.django_db
OURS = {"contests": ["rubbers"]}


def create_closed_night(club: Club, day: int, *winners: str) -> RubberNight:
    """Create a closed night of the four: a rubber in which side A wins or loses every game."""
    night = create_rubber_night(
        club=club, name=f"Night {day}", date=date(2026, 11, day), code="pole",
        players=[NewRubberPlayer(name=name) for name in FOUR], by=None,
    )  # fmt: skip
    at = {"night": night, "table": 1, "spell": 1, "by": None}
    seat_next_players(**at, seating_mode="", seats=[1, 2, 3, 4])
    for number, winner in enumerate(winners, start=1):
        made = {"A": 12, "B": 1} if winner == "A" else {"A": 1, "B": 12}
        record_hand(**at, number=number, hand={"tricks": made})
    return close_rubber_night(night=night, by=None)


def create_season_with_nights() -> tuple[Club, Season]:
    club = ClubFactory()
    for name in FOUR[:3]:
        Player.objects.create(club=club, name=name)
    return club, create_season(club)


def test_rubber_points_places_and_attendance_count_if_ladder_uses_them() -> None:
    club, season = create_season_with_nights()
    create_closed_night(club, 3, "A", "A")  # two trebles and two for the rubber
    second_closed_night = create_closed_night(club, 10, "B", "A", "A")  # three are subtracted
    assert list_season_rows(season) == []
    assert list_season_rows(season, **OURS) == [
        ("Ann Abbot", 1, Fraction(8 + 5)),
        ("Ben Baker", 1, Fraction(13)),
        ("Cora Carr", 3, Fraction(-13)),
    ]
    there = [
        (item, total)
        for item, _rank, total in list_season_rows(season, measure="attendance", **OURS)
    ]
    assert sorted(there) == [(name, Fraction(2)) for name in FOUR[:3]]
    reopen_rubber_night(night=second_closed_night, by=None)
    assert list_season_rows(season, **OURS)[0] == ("Ann Abbot", 1, Fraction(8))
    close_rubber_night(night=second_closed_night, by=None)
    archive(activity=second_closed_night, by=None)
    assert list_season_rows(season, **OURS)[2] == ("Cora Carr", 3, Fraction(-8))


def test_ladder_row_links_to_rubber_night_and_season_export_includes_it(client: Client) -> None:
    club, season = create_season_with_nights()
    night = create_closed_night(club, 3, "A", "A")
    list_season_rows(season, **OURS)
    ladder = season.ladders.get()
    page = f"/clubs/{club.slug}/seasons/{season.slug}/{ladder.slug}/"
    html = client.get(page).content.decode()
    assert "Ann Abbot" in html
    line = next(item for item in re.findall(r'href="([^"]+)"', html) if "/line/" in item)
    assert f'href="/rubbers/{night.slug}/"' in client.get(line).content.decode()
    document = build_season_document(season)
    [evening] = document["evenings"]
    assert (evening["slug"], evening["contest"]) == (f"rubbers-{night.slug}", "rubbers")
    document["season"]["slug"] = "again"
    elsewhere = ClubFactory()
    new_season = import_season(club=elsewhere, document=document, by=None)
    assert [item.contest for item in new_season.elsewhere.all()] == ["rubbers"]


def test_table_member_without_play_has_no_evening_or_place() -> None:
    club, season = create_season_with_nights()
    for name in ("Ed East", "Fay Fox"):
        Player.objects.create(club=club, name=name)
    night = create_closed_night(club, 3, "A", "A")
    reopen_rubber_night(night=night, by=None)
    for name in ("Ed East", "Fay Fox"):
        number = join_table(
            night=night, table=1, guest=NewRubberPlayer(name=name), by=None
        ).number
    remove_table_member(night=night, table=1, number=number, by=None)
    close_rubber_night(night=night, by=None)
    points = {"measure": "place", "points": [10, 8, 6, 4]}
    assert list_season_rows(season, **points, **OURS) == [
        ("Ann Abbot", 1, Fraction(9)),
        ("Ben Baker", 1, Fraction(9)),
        ("Cora Carr", 3, Fraction(5)),
    ]
    assert [
        item for item, _rank, _total in list_season_rows(season, measure="attendance", **OURS)
    ] == ["Ann Abbot", "Ben Baker", "Cora Carr"]


def test_rubber_night_without_hands_counts_for_nobody() -> None:
    club, season = create_season_with_nights()
    create_closed_night(club, 3)
    assert list_season_rows(season, measure="attendance", **OURS) == []
