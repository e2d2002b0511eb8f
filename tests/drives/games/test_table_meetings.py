"""A draw for games without partners: no two sit together twice, as far as that is possible."""

import time
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from drives.draw.participants import Participants, SeatedRound
from drives.draw.table_meetings import draw_table_rounds
from drives.files.drive_file import parse_drive_file
from drives.files.export import export_drive
from drives.files.verify import list_seating_mismatches
from drives.services import begin_next_round, enter_sheet
from drives.snapshot import load_drive
from tests.drives.games.test_hand_services import begin_drive, reload_drive


def count_repeats(rounds: Sequence[SeatedRound]) -> int:
    """Return the number of repeated meetings at a table."""
    pair_counts = Counter(
        frozenset(pair)
        for round_ in rounds
        for table in round_.tables
        for pair in combinations(table, 2)
    )
    return sum(times - 1 for times in pair_counts.values())


def draw_rounds(players: int, rounds: int, secret: bytes = b"one") -> tuple[SeatedRound, ...]:
    return draw_table_rounds(
        Participants(players=tuple(range(1, players + 1))), rounds, secret, ()
    )


@pytest.mark.parametrize("players", range(16, 324, 4))
def test_no_two_people_sit_together_twice_in_five_rounds(players: int) -> None:
    rounds = draw_rounds(players, 5)
    assert count_repeats(rounds) == 0
    for round_ in rounds:
        assert sorted(who for table in round_.tables for who in table) == list(
            range(1, players + 1)
        )


def test_the_same_secret_gives_the_same_seats_round_by_round() -> None:
    rounds = draw_rounds(24, 5)
    assert rounds == draw_rounds(24, 5)
    assert rounds != draw_rounds(24, 5, b"two")
    players = Participants(players=tuple(range(1, 25)))
    played: tuple[SeatedRound, ...] = ()
    for _round in range(5):
        played += draw_table_rounds(players, 1, b"one", played)
    assert played == rounds


def test_four_hundred_players_are_drawn_in_a_moment() -> None:
    started = time.perf_counter()
    draw_rounds(400, 1)
    assert time.perf_counter() - started < 2  # 0.2 s on a machine with nothing else to do


def test_players_who_sit_out_are_drawn_with_memory_of_all_meetings() -> None:
    rounds = draw_rounds(26, 5)
    assert all(len(round_.rest) == 2 for round_ in rounds)
    assert count_repeats(rounds) <= 3


@pytest.mark.django_db
def test_a_drive_with_this_term_is_drawn_and_verified_by_its_file() -> None:
    drive = begin_drive(hands=1, size=16, terms={"meet": "table"})
    for number in (1, 2, 3):
        for table in (1, 2, 3, 4):
            score = [3, -1, -1, -1]
            enter_sheet(drive=drive, round_number=number, table=table, score=score, by=None)
        if number < 3:
            begin_next_round(drive=drive, at=number, by=None)
    snapshot = load_drive(reload_drive(drive))
    assert count_repeats([each.as_drawn for each in snapshot.rounds.values()]) == 0
    file = parse_drive_file(export_drive(snapshot))
    assert list_seating_mismatches(file) == []
