"""Draws for games without partners repeat as few meetings at a table as possible."""

import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from drives.draw.participants import Participants, PlayerId, SeatedRound
from drives.draw.table_meetings import draw_table_rounds
from drives.files.drive_file import parse_drive_file
from drives.files.export import export_drive
from drives.files.verify import list_seating_mismatches
from drives.services import begin_next_round, enter_sheet
from drives.snapshot import load_drive_snapshot
from tests.drives.games.test_hand_services import begin_drive, reload_drive


def count_meetings(rounds: Sequence[SeatedRound]) -> Counter[frozenset[PlayerId]]:
    """Return how often each pair sat together."""
    return Counter(
        frozenset(pair)
        for round_ in rounds
        for table in round_.tables
        for pair in combinations(table, 2)
    )


def count_repeats(rounds: Sequence[SeatedRound]) -> int:
    """Return the number of repeated meetings at a table."""
    return sum(times - 1 for times in count_meetings(rounds).values())


def draw_rounds(players: int, rounds: int, secret: bytes = b"one") -> tuple[SeatedRound, ...]:
    return draw_table_rounds(
        Participants(players=tuple(range(1, players + 1))), rounds, secret, ()
    )


@pytest.mark.parametrize("players", range(16, 324, 4))
def test_no_two_people_sit_together_twice_in_five_rounds(players: int) -> None:
    rounds = draw_rounds(players, 5)
    assert count_repeats(rounds) == 0
    for round_ in rounds:
        assert sorted(player for table in round_.tables for player in table) == list(
            range(1, players + 1)
        )


def test_same_secret_gives_the_same_seats_round_by_round() -> None:
    all_rounds = draw_rounds(24, 5)
    assert all_rounds == draw_rounds(24, 5)
    assert all_rounds != draw_rounds(24, 5, b"two")
    players = Participants(players=tuple(range(1, 25)))
    played_rounds: tuple[SeatedRound, ...] = ()
    for _round in range(5):
        played_rounds += draw_table_rounds(players, 1, b"one", played_rounds)
    assert played_rounds == all_rounds


def test_four_hundred_players_are_drawn_quickly() -> None:
    started = time.perf_counter()
    draw_rounds(400, 1)
    assert time.perf_counter() - started < 2  # it takes 0.2 s on an idle machine


def assert_fair_sit_outs(rounds: Sequence[SeatedRound], players: int) -> None:
    """Check that everyone has one seat or sit-out a round, and sit-outs are even."""
    rests = Counter(dict.fromkeys(range(1, players + 1), 0))
    for round_ in rounds:
        seated_players = [int(player) for table in round_.tables for player in table]
        assert sorted([*seated_players, *map(int, round_.resting_players)]) == list(
            range(1, players + 1)
        )
        rests.update(map(int, round_.resting_players))
        assert max(rests.values()) - min(rests.values()) <= 1


def count_unavoidable_coincidences(rounds: Sequence[SeatedRound]) -> int:
    """Return how many times two rounds must have a pair in common, with the given sit-outs.

    The players of both rounds are distributed over cells: a table of the one and a table of the
    other. Two players in one cell meet in both rounds.
    """
    total = 0
    for first_round, second_round in combinations(rounds, 2):
        cells = len(first_round.tables) * len(second_round.tables)
        player_count = 4 * len(first_round.tables) - len(
            set(second_round.resting_players) - set(first_round.resting_players)
        )
        players_per_cell, extra_players = divmod(player_count, cells)
        total += (
            cells * (players_per_cell * (players_per_cell - 1) // 2)
            + extra_players * players_per_cell
        )
    return total


@pytest.mark.parametrize("players", [*range(8, 36), 50, 90, 162])
def test_five_rounds_of_any_number_of_players_are_near_their_bound(players: int) -> None:
    # The best draws found for these numbers have repeats above the bound.
    allowed_excess = {14: 1, 17: 2, 18: 1}.get(players, 0)
    for secret in (b"one", b"two"):
        rounds = draw_rounds(players, 5, secret)
        assert_fair_sit_outs(rounds, players)
        meeting_counts = count_meetings(rounds).values()
        coincidences = sum(times * (times - 1) // 2 for times in meeting_counts)
        assert coincidences <= count_unavoidable_coincidences(rounds) + allowed_excess


def test_all_twelve_players_meet_in_five_rounds() -> None:
    meetings = count_meetings(draw_rounds(12, 5))
    assert len(meetings) == 12 * 11 // 2
    assert count_repeats(draw_rounds(12, 5)) == 3 * 6 * 5 - len(meetings) == 24
    assert max(meetings.values()) == 3


def test_first_rounds_of_a_small_drive_have_the_fewest_repeats() -> None:
    for players in (17, 18):
        rounds = draw_rounds(players, 5)
        assert count_repeats(rounds[:3]) == 0
        rests = Counter(player for round_ in rounds for player in round_.resting_players)
        assert set(rests.values()) == {1}


@pytest.mark.parametrize("players", [16, 20, 22, 26, 32, 160])
def test_players_who_chose_their_first_seats_do_not_meet_again(players: int) -> None:
    seats = list(range(1, players + 1))
    seated_count = players - players % 4
    tables = tuple(
        (a, b, c, d) for a, b, c, d in zip(*[iter(seats[:seated_count])] * 4, strict=True)
    )
    rounds = [SeatedRound(tables, tuple(seats[seated_count:]))]
    all_participants = Participants(players=tuple(seats))
    for _round in range(4):
        rounds += draw_table_rounds(all_participants, 1, b"one", rounds)
    assert_fair_sit_outs(rounds, players)
    assert count_repeats(rounds) == 0
    assert tuple(rounds[1:]) == draw_table_rounds(all_participants, 4, b"one", rounds[:1])
    assert rounds[1:] != [*draw_table_rounds(all_participants, 4, b"two", rounds[:1])]


def test_draw_after_a_withdrawal_considers_all_earlier_meetings() -> None:
    played_rounds = draw_rounds(26, 2)
    remaining_participants = Participants(players=tuple(range(2, 27)))
    rounds = (
        *played_rounds,
        *draw_table_rounds(remaining_participants, 3, b"one", played_rounds),
    )
    assert [len(round_.resting_players) for round_ in rounds] == [2, 2, 1, 1, 1]
    assert count_repeats(rounds) <= 3


@pytest.mark.django_db
def test_drive_that_avoids_shared_tables_is_drawn_and_verified_by_its_file() -> None:
    drive = begin_drive(hands=1, size=16, terms={"meet": "table"})
    for number in (1, 2, 3):
        for table in (1, 2, 3, 4):
            score = [3, -1, -1, -1]
            enter_sheet(drive=drive, round_number=number, table=table, score=score, by=None)
        if number < 3:
            begin_next_round(drive=drive, shown_round_number=number, by=None)
    snapshot = load_drive_snapshot(reload_drive(drive))
    assert (
        count_repeats([round_.seated_round for round_ in snapshot.round_by_number.values()])
        == 0
    )
    file = parse_drive_file(export_drive(snapshot))
    assert list_seating_mismatches(file) == []
