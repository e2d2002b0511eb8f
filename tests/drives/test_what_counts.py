"""A drive counts each sit-out once, only rounds that were played, and cards handed in."""

import json
from fractions import Fraction

import pytest

from clubs import audit
from clubs.activities.secrecy import format_full_name
from clubs.errors import ActionUnavailable
from drives.files.drive_file import parse_drive_file as read_file
from drives.files.export import export_drive
from drives.files.standings import build_standings_data, compute_awards
from drives.files.verify import list_prize_draw_mismatches
from drives.models import Drive
from drives.scores.ranking import sum_first_half, sum_last_half
from drives.services import (
    NewPlayer,
    add_late_player,
    begin_next_round,
    close_drive,
    enter_sheet,
    enter_total,
    record_cut_winners,
    remove_player,
    set_prizes,
    undo_act,
)
from drives.sheets.seats import load_player_page
from drives.sheets.standing import list_awards
from tests.drives.test_services import begin_drive, load_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def list_points(drive: Drive) -> dict[int | str, Fraction]:
    return {item.number: item.points for item in load_snapshot(drive).scores.ranking}


def list_awards_by_prize(drive: Drive) -> list[tuple[int, int | None]]:
    awards = list_awards(load_snapshot(drive), format_full_name)
    return [(item.prize, item.person.number if item.person else None) for item in awards]


def create_long_drive(size: int, **more: object) -> Drive:
    """Return a progressive drive of 24 rounds, of which only the first is drawn."""
    drive = begin_drive("progressive", size, rounds=24, **more)
    return begin_next_round(drive=drive, shown_round_number=0, by=None)


def set_lowest_prize(drive: Drive) -> None:
    line = {"words": "Wooden spoon", "measure": "total-low", "ties": "share"}
    set_prizes(drive=drive, lines=[line], by=None)


def test_lowest_total_prize_needs_a_player_who_played_all_rounds() -> None:
    """Player 5 leaves after a round, one player is late, and card 8 is never handed in."""
    drive = create_long_drive(12)
    remove_player(player=drive.players.get(number=5), by=None)
    late_player = add_late_player(drive=drive, new_player=NewPlayer(name="Late"), by=None)
    set_lowest_prize(drive)
    for number in {*range(1, 13)} - {8}:
        enter_total(drive=drive, number=number, total=150 + number, by=None)
    enter_total(drive=drive, number=5, total=9, corrects=True, by=None)
    enter_total(drive=drive, number=late_player.number, total=140, by=None)
    assert list_awards_by_prize(drive) == [(1, 1)]
    drive = close_drive(drive=drive, anyway=True, by=None)
    assert list_awards_by_prize(drive) == [(1, 1)]


@pytest.mark.parametrize(
    ("rest", "rest_points"),
    [("round-average", Fraction(13, 2)), ("own-average", Fraction(132, 20)), (16, 16)],
)
def test_sit_out_on_a_card_counts_once_and_scores_by_its_term(
    rest: object, rest_points: Fraction
) -> None:
    """All players sit out 4 of 24 rounds; two of them in the round that the program drew."""
    drive = create_long_drive(14, score={"kind": "tricks", "rest": rest})
    assert len(load_snapshot(drive).round_by_number[1].resting_players) == 2
    for number in range(1, 15):
        enter_total(drive=drive, number=number, total=132, rests=4, by=None)
    scores = load_snapshot(drive).scores
    assert {item.rest_count for item in scores.ranking} == {4}
    assert {item.points for item in scores.ranking} == {132 + 4 * rest_points}


def test_halves_include_their_sit_outs_and_add_up_to_the_total() -> None:
    drive = begin_drive("social", 13, rounds=4)
    for number in range(1, 5):
        begin_next_round(drive=drive, shown_round_number=number - 1, by=None)
        for table in load_snapshot(drive).round_by_number[number].seats_by_table:
            enter_sheet(drive=drive, round_number=number, table=table, score=[9], by=None)
    for tally in load_snapshot(drive).scores.tallies.values():
        halves = sum_first_half(tally, [1, 2, 3, 4]), sum_last_half(tally, [1, 2, 3, 4])
        assert sum(halves) == tally.total
        assert halves[0] >= 8  # two rounds of 4 or 9, or 6½ for a sit-out


def test_called_but_unplayed_round_counts_for_no_one() -> None:
    """Of 14 players two sit out in each round; round 3 is called and abandoned."""
    drive = begin_drive("progressive", 14, rounds=5, score={"kind": "tricks", "rest": 100})
    begin_next_round(drive=drive, shown_round_number=0, by=None)
    for number in (1, 2):
        for table in load_snapshot(drive).round_by_number[number].seats_by_table:
            enter_sheet(drive=drive, round_number=number, table=table, score=[7], by=None)
        begin_next_round(drive=drive, shown_round_number=number, by=None)
    now = load_snapshot(drive)
    rest_counts = [
        sum(player in now.round_by_number[n].resting_players for n in (1, 2))
        for player in now.player_by_number
    ]
    set_lowest_prize(drive)
    drive = close_drive(drive=drive, anyway=True, by=None)
    now = load_snapshot(drive)
    ranking = sorted(now.scores.ranking, key=lambda each: int(each.number))
    assert [each.rest_count for each in ranking] == rest_counts
    lowest_points = min(each.points for each in ranking)
    assert list_awards_by_prize(drive) == [
        (1, each.number) for each in ranking if each.points == lowest_points
    ]
    for item in ranking:
        page = load_player_page(now.player_by_number[int(item.number)], format_full_name)
        assert (page.total, page.rests) == (item.points, item.rest_count)


def test_player_added_for_an_unplayed_round_is_not_ranked() -> None:
    """In plus and minus, the zero of an absent player would be a good score."""
    drive = begin_drive("social", 12, rounds=1, score={"kind": "player", "sum": 0})
    begin_next_round(drive=drive, shown_round_number=0, by=None)
    for table in load_snapshot(drive).round_by_number[1].seats_by_table:
        enter_sheet(drive=drive, round_number=1, table=table, score=[3, -1, -1, -1], by=None)
    add_late_player(drive=drive, new_player=NewPlayer(name="Late"), by=None)
    line = {"words": "A sweet", "measure": "everybody"}
    set_prizes(drive=drive, lines=[line], by=None)
    drive = close_drive(drive=drive, by=None)
    assert sorted(list_points(drive)) == [*range(1, 13)]
    assert list_awards_by_prize(drive) == [(1, number) for number in range(1, 13)]


def test_cards_give_no_prize_for_measures_they_do_not_show() -> None:
    drive = create_long_drive(12)
    measures = ["first-half", "last-half", "rounds-won", "round"]
    set_prizes(drive=drive, lines=[{"words": m, "measure": m} for m in measures], by=None)
    for number in range(1, 13):
        enter_total(drive=drive, number=number, total=150 + number, by=None)
    assert list_awards_by_prize(drive) == [(1, None), (2, None), (3, None), (4, None)]
    assert (
        "the halves aren’t known"
        in list_awards(load_snapshot(drive), format_full_name)[0].reason
    )


def test_halves_of_cards_are_those_handed_in() -> None:
    drive = create_long_drive(12, halves=True)
    measures = ["first-half", "last-half"]
    set_prizes(drive=drive, lines=[{"words": m, "measure": m} for m in measures], by=None)
    for number in range(1, 13):
        enter_total(drive=drive, number=number, total=70 + number, part=1, by=None)
        enter_total(drive=drive, number=number, total=90 - number, part=2, by=None)
    assert list_awards_by_prize(drive) == [(1, 12), (2, 1)]


def test_player_tied_by_a_correction_after_the_cut_cuts_too() -> None:
    """Two players tie and cut; then table 2 is corrected, and four tie."""
    drive = begin_drive("social", 8, rounds=1)
    drive = begin_next_round(drive=drive, shown_round_number=0, by=None)
    tables = load_snapshot(drive).round_by_number[1].seats_by_table
    line = {"words": "Ham", "measure": "total-high", "ties": "cut"}
    set_prizes(drive=drive, lines=[line], by=None)
    for table, tricks in ((1, 9), (2, 8)):
        enter_sheet(drive=drive, round_number=1, table=table, score=[tricks], by=None)
    winner_number, other_number = (int(tables[table][0]) for table in (1, 2))
    record_cut_winners(drive=drive, prize_number=1, winner_numbers=[winner_number], by=None)
    assert list_awards_by_prize(drive) == [(1, winner_number)]
    enter_sheet(drive=drive, round_number=1, table=2, score=[9], by=None)
    assert list_awards_by_prize(drive) == [(1, None)]
    with pytest.raises(ActionUnavailable, match="cut cards"):
        close_drive(drive=drive, by=None)
    act = audit.list_acts(drive).filter(action="drive.sheet").first()
    undo_act(drive=drive, act=act, by=None)
    assert list_awards_by_prize(drive) == [(1, winner_number)]
    enter_sheet(drive=drive, round_number=1, table=2, score=[9], by=None)
    # The same player wins again, against all four.
    record_cut_winners(drive=drive, prize_number=1, winner_numbers=[winner_number], by=None)
    assert list_awards_by_prize(drive) == [(1, winner_number)]
    for expected_awards in ([(1, None)], [(1, winner_number)]):  # undone, and redone
        undo_act(drive=drive, act=audit.list_acts(drive)[0], by=None)
        assert list_awards_by_prize(drive) == expected_awards
    record_cut_winners(drive=drive, prize_number=1, winner_numbers=[other_number], by=None)
    file = read_file(json.dumps(export_drive(load_snapshot(close_drive(drive=drive, by=None)))))
    assert [award.player_number for award in compute_awards(file)] == [other_number]


def test_file_gives_the_same_ranking_and_prizes_as_its_drive() -> None:
    drive = create_long_drive(13, score={"kind": "tricks", "rest": "own-average"})
    remove_player(player=drive.players.get(number=5), by=None)
    set_lowest_prize(drive)
    for number in range(1, 14):
        total = 9 if number == 5 else 120 + number
        enter_total(drive=drive, number=number, total=total, rests=number % 3, by=None)
    drive = close_drive(drive=drive, anyway=True, by=None)
    text = json.dumps(export_drive(load_snapshot(drive)))
    standings_data = build_standings_data(read_file(text))["standings"]
    assert {item["number"]: Fraction(item["points"]) for item in standings_data} == list_points(
        drive
    )
    assert [
        (award.prize_number, award.player_number) for award in compute_awards(read_file(text))
    ] == list_awards_by_prize(drive)
    assert list_prize_draw_mismatches(read_file(text)) == []
