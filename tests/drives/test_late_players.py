"""Sit-outs after a late arrival: the rounds that the player missed count as sit-outs."""

import json

import pytest

from drives.files.drive_file import parse_drive_file
from drives.files.export import export_drive
from drives.files.verify import list_seating_mismatches
from drives.services import (
    NewPlayer,
    add_late_player,
    begin_next_round,
    close_drive,
    substitute_player,
)
from tests.drives.test_services import begin_drive, load_snapshot

pytestmark = pytest.mark.django_db
ROUND_COUNT = 12


@pytest.mark.parametrize(
    ("form", "terms"),
    [("lot", {}), ("lot", {"meet": "table"}), ("standing", {}), ("social", {})],
)
def test_late_player_sits_out_after_everyone_who_has_played_all_rounds(
    form: str, terms: dict[str, str]
) -> None:
    drive = begin_drive(form, size=12, rounds=ROUND_COUNT, terms=terms)
    late_player = add_late_player(drive=drive, new_player=NewPlayer(name="Late"), by=None)
    for _round in range(2, ROUND_COUNT + 1):
        begin_next_round(drive=drive, by=None)
    rests = [
        load_snapshot(drive).round_by_number[number].resting_players
        for number in range(2, ROUND_COUNT + 1)
    ]
    assert all(len(rest) == 1 for rest in rests)
    assert late_player.number not in {player for rest in rests for player in rest}
    closed_drive = close_drive(drive=drive, anyway=True, by=None)
    file = parse_drive_file(json.dumps(export_drive(load_snapshot(closed_drive))))
    assert list_seating_mismatches(file) == []


def test_late_player_gets_the_free_seat_of_a_drive_that_results_move() -> None:
    """Of the players without a table, the one with the most sit-outs is seated first."""
    drive = begin_drive("progressive", size=13, rounds=3)
    late_player = add_late_player(drive=drive, new_player=NewPlayer(name="Late"), by=None)
    snapshot = load_snapshot(drive)
    assert snapshot.count_rests(2)[late_player.number] == 1
    assert snapshot.count_rests(2)[int(snapshot.round_by_number[1].resting_players[0])] == 1


def test_substitute_has_missed_no_round() -> None:
    drive = begin_drive("lot", size=13, rounds=4)
    begin_next_round(drive=drive, by=None)
    begin_next_round(drive=drive, by=None)
    substitute = substitute_player(
        player=drive.players.get(number=1),
        new_player=NewPlayer(name="Zoe"),
        should_take_over_score=False,
        by=None,
    )
    assert load_snapshot(drive).build_participants(4).missed_round_counts == {}
    assert substitute.from_round == 3
