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
from tests.seasons.test_drives_in_a_ladder import (
    PLAYER_NAMES,
    create_ladder_and_list_rows,
    create_season,
)

pytestmark = pytest.mark.django_db
RUBBERS_ONLY = {"contests": ["rubbers"]}


def create_closed_night(club: Club, day: int, *winners: str) -> RubberNight:
    """Create a closed night of the four: a rubber in which side A wins or loses every game."""
    night = create_rubber_night(
        club=club, name=f"Night {day}", date=date(2026, 11, day), code="pole",
        players=[NewRubberPlayer(name=name) for name in PLAYER_NAMES], by=None,
    )  # fmt: skip
    table_arguments = {"night": night, "table": 1, "spell": 1, "by": None}
    seat_next_players(**table_arguments, seating_mode="", seats=[1, 2, 3, 4])
    for number, winner in enumerate(winners, start=1):
        tricks_by_side = {"A": 12, "B": 1} if winner == "A" else {"A": 1, "B": 12}
        record_hand(**table_arguments, number=number, hand={"tricks": tricks_by_side})
    return close_rubber_night(night=night, by=None)


def create_season_with_nights() -> tuple[Club, Season]:
    club = ClubFactory()
    for name in PLAYER_NAMES[:3]:
        Player.objects.create(club=club, name=name)
    return club, create_season(club)


def test_ladder_counts_rubber_points_and_attendance_only_if_configured() -> None:
    club, season = create_season_with_nights()
    create_closed_night(club, 3, "A", "A")  # two trebles and two for the rubber
    second_closed_night = create_closed_night(club, 10, "B", "A", "A")  # three are subtracted
    assert create_ladder_and_list_rows(season) == []
    assert create_ladder_and_list_rows(season, **RUBBERS_ONLY) == [
        ("Ann Abbot", 1, Fraction(8 + 5)),
        ("Ben Baker", 1, Fraction(13)),
        ("Cora Carr", 3, Fraction(-13)),
    ]
    attendance_totals = [
        (player_name, total)
        for player_name, _rank, total in create_ladder_and_list_rows(
            season, measure="attendance", **RUBBERS_ONLY
        )
    ]
    assert sorted(attendance_totals) == [(name, Fraction(2)) for name in PLAYER_NAMES[:3]]
    reopen_rubber_night(night=second_closed_night, by=None)
    assert create_ladder_and_list_rows(season, **RUBBERS_ONLY)[0] == (
        "Ann Abbot",
        1,
        Fraction(8),
    )
    close_rubber_night(night=second_closed_night, by=None)
    archive(activity=second_closed_night, by=None)
    assert create_ladder_and_list_rows(season, **RUBBERS_ONLY)[2] == (
        "Cora Carr",
        3,
        Fraction(-8),
    )


def test_ladder_row_links_to_rubber_night_and_season_export_includes_it(client: Client) -> None:
    club, season = create_season_with_nights()
    night = create_closed_night(club, 3, "A", "A")
    create_ladder_and_list_rows(season, **RUBBERS_ONLY)
    ladder = season.ladders.get()
    page = f"/clubs/{club.slug}/seasons/{season.slug}/{ladder.slug}/"
    html = client.get(page).content.decode()
    assert "Ann Abbot" in html
    line_url = next(item for item in re.findall(r'href="([^"]+)"', html) if "/line/" in item)
    assert f'href="/rubbers/{night.slug}/"' in client.get(line_url).content.decode()
    document = build_season_document(season)
    [evening] = document["evenings"]
    assert (evening["slug"], evening["contest"]) == (f"rubbers-{night.slug}", "rubbers")
    document["season"]["slug"] = "again"
    other_club = ClubFactory()
    new_season = import_season(club=other_club, document=document, by=None)
    assert [item.contest for item in new_season.elsewhere.all()] == ["rubbers"]


def test_table_member_who_never_played_gets_no_points_or_attendance() -> None:
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
    assert create_ladder_and_list_rows(season, **points, **RUBBERS_ONLY) == [
        ("Ann Abbot", 1, Fraction(9)),
        ("Ben Baker", 1, Fraction(9)),
        ("Cora Carr", 3, Fraction(5)),
    ]
    assert [
        item
        for item, _rank, _total in create_ladder_and_list_rows(
            season, measure="attendance", **RUBBERS_ONLY
        )
    ] == ["Ann Abbot", "Ben Baker", "Cora Carr"]


def test_rubber_night_without_hands_is_not_counted_as_attendance() -> None:
    club, season = create_season_with_nights()
    create_closed_night(club, 3)
    assert create_ladder_and_list_rows(season, measure="attendance", **RUBBERS_ONLY) == []
