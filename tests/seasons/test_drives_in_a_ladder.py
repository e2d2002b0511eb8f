"""Drives count in a season by points, places or attendance."""

from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from clubs.activities.services import archive
from clubs.models import Club, Player
from drives.models import Drive
from drives.services import (
    NewPlayer,
    begin_next_round,
    close_drive,
    create_drive,
    create_rehearsal,
    enter_sheet,
    enter_total,
    remove_player,
    reopen_drive,
)
from seasons.ladders.activity_evenings import iter_activity_evenings
from seasons.ladders.models import Ladder, Season
from seasons.ladders.season_file import build_season_document
from seasons.ladders.season_tables import load_ladder_table
from seasons.ladders.services.importing import import_season
from tests.factories import ClubFactory, LadderFactory, SeasonFactory

pytestmark = pytest.mark.django_db
PLAYER_NAMES = ("Ann Abbot", "Ben Baker", "Cora Carr", "Dan Dale")
SCORE_RULE = {"who": "players", "measure": "score", "combine": "sum"}


def create_closed_drive(club: Club, day: int, totals: tuple[int, ...], *extra: str) -> Drive:
    """Create a closed drive of two rounds, of which only the cards were handed in."""
    drive = create_drive(
        club=club,
        name=f"Drive {day}",
        date=date(2026, 11, day),
        form="social",
        players=[NewPlayer(name=name) for name in (*PLAYER_NAMES, *extra)],
        rounds=2,
        hands=1,
        by=None,
    )
    for number, total in enumerate(totals, start=1):
        enter_total(drive=drive, number=number, total=total, by=None)
    return close_drive(drive=drive, anyway=True, by=None)


def create_season(club: Club) -> Season:
    season: Season = SeasonFactory(
        club=club, first_day=date(2026, 11, 1), last_day=date(2026, 11, 30)
    )
    return season


def list_ladder_rows(ladder: Ladder) -> list[tuple[str, int, Fraction]]:
    names = dict(Player.objects.values_list("pk", "name"))
    table = load_ladder_table(Ladder.objects.get(pk=ladder.pk))
    return [
        (names[row.subject[0]] if isinstance(row.subject[0], int) else "", row.rank, row.total)
        for row in table.rows
    ]


def create_ladder_and_list_rows(season: Season, **rule: Any) -> list[tuple[str, int, Fraction]]:
    ladder = LadderFactory(
        season=season, slug=f"l{season.ladders.count()}", rule=SCORE_RULE | rule
    )
    return list_ladder_rows(ladder)


def test_closed_drives_count_by_score_place_and_attendance() -> None:
    club = ClubFactory()
    for name in PLAYER_NAMES:
        Player.objects.create(club=club, name=name)
    season = create_season(club)
    create_closed_drive(club, 3, (16, 14, 12, 10))
    create_closed_drive(club, 10, (10, 17, 12, 13))
    create_closed_drive(club, 17, (15, 12, 18, 7))
    ann, ben, cora, dan = PLAYER_NAMES
    assert create_ladder_and_list_rows(season, best=2) == [
        (ann, 1, Fraction(31)),
        (ben, 1, Fraction(31)),
        (cora, 3, Fraction(30)),
        (dan, 4, Fraction(23)),
    ]
    assert create_ladder_and_list_rows(season, combine="mean")[0] == (ben, 1, Fraction(43, 3))
    assert create_ladder_and_list_rows(season, measure="place", points=[4, 3, 2, 1]) == [
        (ben, 1, Fraction(9)),
        (ann, 2, Fraction(8)),
        (cora, 2, Fraction(8)),
        (dan, 4, Fraction(5)),
    ]
    assert create_ladder_and_list_rows(season, measure="attendance", minimum=4) == [
        (name, 0, Fraction(3)) for name in PLAYER_NAMES
    ]
    assert create_ladder_and_list_rows(season, contests=["pairs"]) == []
    assert {
        rank for _who, rank, _total in create_ladder_and_list_rows(season, measure="plus")
    } == {0}


def test_unknown_player_keeps_place_and_open_drive_does_not_count() -> None:
    club = ClubFactory()
    for name in PLAYER_NAMES:
        Player.objects.create(club=club, name=name)
    season = create_season(club)
    drive = create_closed_drive(
        club, 3, (16, 14, 12, 10, 20, 9, 9, 14), "Guest", "Eve", "Fay", "Gil"
    )
    ladder = LadderFactory(
        season=season, rule=SCORE_RULE | {"measure": "place", "points": [5, 3, 1]}
    )
    assert list_ladder_rows(ladder)[0] == ("Ann Abbot", 1, Fraction(3))  # the guest was first
    rehearsal = create_rehearsal(drive=drive, by=None)
    close_drive(drive=rehearsal, anyway=True, by=None)
    assert list_ladder_rows(ladder)[0][2] == 3
    page = Client().get(
        f"/clubs/{club.slug}/seasons/{season.slug}/{ladder.slug}/line/",
        {"who": Player.objects.get(name="Ann Abbot").pk},
    )
    assert f"/drives/{drive.slug}/" in page.content.decode()
    reopen_drive(drive=drive, by=None)
    assert list_ladder_rows(ladder) == []
    enter_total(drive=drive, number=2, total=22, corrects=True, by=None)
    close_drive(drive=drive, anyway=True, by=None)
    assert list_ladder_rows(ladder)[0] == ("Ben Baker", 1, Fraction(5))
    archive(activity=drive, by=None)
    assert list_ladder_rows(ladder) == []


def test_season_with_drives_round_trips_through_file() -> None:
    club = ClubFactory()
    for name in PLAYER_NAMES:
        Player.objects.create(club=club, name=name)
    season = create_season(club)
    create_closed_drive(club, 3, (16, 14, 12, 10))
    ladder = LadderFactory(season=season, rule=SCORE_RULE)
    document = build_season_document(season)
    assert document["evenings"][0]["contest"] == "drive"
    assert document["evenings"][0]["boards"] == 2
    document["season"]["slug"] = "again"
    imported_season = import_season(club=ClubFactory(), document=document, by=None)
    totals = [total for _who, _rank, total in list_ladder_rows(ladder)]
    assert [
        total for _who, _rank, total in list_ladder_rows(imported_season.ladders.get())
    ] == totals


@pytest.mark.parametrize(
    ("ends", "has_next_round_begun", "expected_hands"),
    [(3, False, 3), (3, True, 3), (4, False, 4)],
)
def test_evening_counts_played_hands_instead_of_planned_hands(
    ends: int, has_next_round_begun: bool, expected_hands: int
) -> None:
    club = ClubFactory()
    drive = create_drive(
        club=club,
        name="Friday",
        date=date(2026, 11, 3),
        form="social",
        players=[NewPlayer(name=f"P{number}") for number in range(1, 12)],
        rounds=4,
        hands=1,
        by=None,
    )
    for number in range(1, ends + 1):
        for table in (1, 2):
            enter_sheet(drive=drive, round_number=number, table=table, score=[8], by=None)
        if number < ends or has_next_round_begun:
            begin_next_round(drive=drive, shown_round_number=number, by=None)
        if number == 2:
            remove_player(
                player=drive.players.get(number=1), applies_to_current_round=True, by=None
            )
    close_drive(drive=drive, anyway=True, by=None)
    (evening,) = iter_activity_evenings(create_season(club))
    boards_by_number = {entry.entry_number: entry.board_count for entry in evening.entries}
    assert boards_by_number == {1: 2} | dict.fromkeys(range(2, 12), expected_hands)


def test_ladder_loads_all_drives_with_constant_number_of_queries(
    django_assert_max_num_queries: Any,
) -> None:
    club = ClubFactory()
    season = create_season(club)
    ladder = LadderFactory(season=season, rule=SCORE_RULE)
    drives = [create_closed_drive(club, day, (16, 14, 12, 10)) for day in (3, 4, 5)]
    sheet_arguments = {"round_number": 1, "table": 1, "score": [8], "by": None}
    for drive in drives:
        reopen_drive(drive=drive, by=None)
        enter_sheet(drive=drive, **sheet_arguments)
        close_drive(drive=drive, anyway=True, by=None)
    load_ladder_table(ladder)  # each is computed once
    with django_assert_max_num_queries(10):
        load_ladder_table(ladder)
