"""Drives are drawn completely and evenly, and the same secret gives the same draw."""

import json
from itertools import pairwise, permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drives.draw import evening
from drives.draw.bounds import compute_coincidence_bound, compute_min_coincidences
from drives.draw.evening import draw_evening, draw_next_round
from drives.draw.memory import MeetingCosts
from drives.draw.participants import Participants, SeatedRound
from drives.draw.player_changes import (
    find_players_with_changed_rounds,
    find_seat_takeover,
    replace_player,
)
from drives.draw.polish import AnnealingSchedule, EveningSeats, polish_rounds
from drives.draw.random_stream import RandomStream
from drives.draw.rotation import can_rotate
from drives.draw.standings_draw import draw_by_standings, list_partnerships
from drives.draw.table_meetings import draw_table_rounds
from drives.draw.table_numbering import count_steps, number_tables, solve_assignment
from drives.errors import UnplayableDrive
from tests.drives import recount

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "drives"
SECRET = bytes.fromhex("c0ffee")


def create_participants(size: int, **preferences) -> Participants:
    return Participants(players=tuple(range(1, size + 1)), **preferences)


@pytest.fixture
def shorten_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the searches, for tests that do not depend on their quality."""
    monkeypatch.setattr(evening, "TRIES_PER_ROUND", 3000)
    monkeypatch.setattr(evening, "POLISH_EXCHANGE_TRY_COUNT", 20_000)
    # The cache is disabled.
    monkeypatch.setattr(evening, "search_draw_plan", evening.search_draw_plan.__wrapped__)


def check_statistics(plan, players, house=()) -> None:
    """Check every statistic of a plan with independent code."""
    schedule, statistics = plan.rounds, plan.statistics
    assert recount.find_faults(schedule, players, house) == []
    partners_met, opponents_met = recount.count_meetings(schedule)
    known_players = set(players)
    known_meetings = [
        {pair: n for pair, n in meeting_counts.items() if pair <= known_players}
        for meeting_counts in (partners_met, opponents_met)
    ]
    for pair_statistics, meeting_counts in zip(
        (statistics.partner_statistics, statistics.opponent_statistics),
        known_meetings,
        strict=True,
    ):
        assert pair_statistics.coincidence_count == recount.count_coincidences(meeting_counts)
        assert pair_statistics.max_meeting_count == max(meeting_counts.values(), default=0)
    assert statistics.unmet_pair_count == len(players) * (len(players) - 1) // 2 - len(
        known_meetings[0].keys() | known_meetings[1].keys()
    )
    if not house:
        bounds = recount.compute_bounds(schedule, players)
        assert (
            statistics.partner_statistics.lower_bound,
            statistics.opponent_statistics.lower_bound,
        ) == bounds


def test_bound_is_the_number_of_repeats_after_even_spreading() -> None:
    assert [compute_min_coincidences(x, 3) for x in (0, 3, 4, 6, 7)] == [0, 0, 1, 3, 5]
    assert compute_min_coincidences(0, 0) == 0


def test_bound_is_rounded_up_to_whole_repeats() -> None:
    # The first player has four meetings with only three others.
    assert compute_coincidence_bound([4, 3, 2, 1]) == 1


@pytest.mark.usefixtures("shorten_searches")
@pytest.mark.parametrize("rounds", [1, 5, 13])
def test_every_number_of_players_is_drawn_and_counted_correctly(rounds: int) -> None:
    for size in (*range(4, 19), 26, 31, 40, 65):
        plan = draw_evening(create_participants(size), rounds, SECRET)
        assert len(plan.rounds) == rounds
        check_statistics(plan, range(1, size + 1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "rounds", "max_distance"),
    [(24, 12, 10), (27, 12, 2), (13, 12, 0), (35, 6, 0), (9, 9, 0)],
)
def test_draw_reaches_the_bound_within_the_listed_distance(
    size: int, rounds: int, max_distance: int
) -> None:
    statistics = draw_evening(create_participants(size), rounds, SECRET).statistics
    assert (
        statistics.partner_statistics.coincidence_count
        == statistics.partner_statistics.lower_bound
    )
    assert (
        statistics.opponent_statistics.coincidence_count
        - statistics.opponent_statistics.lower_bound
        <= max_distance
    )


def test_only_a_plan_at_both_bounds_is_proved_optimal() -> None:
    assert draw_evening(create_participants(13), 13, SECRET).statistics.is_proved_optimal
    assert not draw_evening(create_participants(24), 12, SECRET).statistics.is_proved_optimal


def test_large_draws_use_the_rotation_and_no_pair_meets_twice() -> None:
    for size in (100, 403, 1200):
        plan = draw_evening(create_participants(size), 24, SECRET)
        assert plan.try_count == 0
        assert (
            plan.statistics.opponent_statistics.max_meeting_count
            == plan.statistics.partner_statistics.max_meeting_count
            == 1
        )
        check_statistics(plan, range(1, size + 1))
    assert can_rotate(25, 24)
    assert not can_rotate(24, 13)
    assert not can_rotate(27, 10)


def test_same_secret_gives_the_same_seats_as_the_golden_files() -> None:
    for form, size, rounds, is_polished in (("social", 11, 4, True), ("lot", 14, 3, False)):
        plan = draw_evening(create_participants(size), rounds, SECRET, is_polished=is_polished)
        golden_rounds = json.loads((GOLDEN / f"{form}-{size}x{rounds}.json").read_text("utf-8"))
        assert [
            [list(map(list, drawn_round.tables)), list(drawn_round.resting_players)]
            for drawn_round in plan.rounds
        ] == golden_rounds
    other_evening = draw_evening(create_participants(11), 4, b"other")
    assert other_evening.rounds != draw_evening(create_participants(11), 4, SECRET).rounds
    assert (
        other_evening.statistics.opponent_statistics
        == draw_evening(create_participants(11), 4, SECRET).statistics.opponent_statistics
    )


def draw_all_by_standings(size: int, rounds: int) -> list[SeatedRound]:
    """Draw every round from the same standings, in which player 1 leads."""
    played_rounds: list[SeatedRound] = []
    for _round in range(rounds):
        played_rounds.append(
            draw_by_standings(
                create_participants(size),
                range(1, size + 1),
                SECRET,
                played_rounds=played_rounds,
            )
        )
    return played_rounds


def test_drive_files_of_earlier_releases_have_the_seats_of_the_golden_files() -> None:
    """A drive's file is verified by drawing it again, so each search must stay the same."""
    for name, rounds in (
        ("social-10x4", draw_evening(create_participants(10), 4, SECRET).rounds),
        ("social-18x8", draw_evening(create_participants(18), 8, SECRET).rounds),
        ("standing-18x4", draw_all_by_standings(18, 4)),
        ("table-10x5", draw_table_rounds(create_participants(10), 5, SECRET, ())),
    ):
        golden_rounds = json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))
        assert [
            [list(map(list, drawn_round.tables)), list(drawn_round.resting_players)]
            for drawn_round in rounds
        ] == golden_rounds, name


def compute_cost(evening_seats: EveningSeats) -> int:
    """Return the cost of all repeats: 40 for partners, 10 for opponents."""
    partners, opponents = recount.count_meetings(
        [
            ([seats[start : start + 4] for start in range(0, len(seats), 4)], [])
            for seats in evening_seats.seats_by_round
        ]
    )
    return 40 * recount.count_coincidences(partners) + 10 * recount.count_coincidences(
        opponents
    )


def polish_random_seats(size: int, rounds: int, max_gain: int) -> tuple[int, int]:
    """Polish random seats; return the number of tries, and the cost saved by a recount."""
    random_stream = RandomStream(SECRET, "seats")
    meeting_costs, seat_count = MeetingCosts(size), size - size % 4
    evening_seats = EveningSeats(
        seats_by_round=[],
        resting_players_by_round=[],
        earlier_rest_counts=[0] * size,
        season_rest_counts=[0] * size,
        fixed_players=frozenset(),
        movable_seats_by_round=[range(seat_count)] * rounds,
    )
    for _round in range(rounds):
        players = random_stream.shuffle(range(size))
        evening_seats.seats_by_round.append(players[:seat_count])
        evening_seats.resting_players_by_round.append(players[seat_count:])
        meeting_costs.add_round(players[:seat_count])
    cost_before = compute_cost(evening_seats)
    schedule = AnnealingSchedule(
        try_count=40_000,
        start_temperature=800,
        end_temperature=800,
        rest_exchange_try_count=100,
    )
    try_count = polish_rounds(
        evening_seats, meeting_costs, random_stream, max_gain=max_gain, schedule=schedule
    )
    return try_count, cost_before - compute_cost(evening_seats)


@pytest.mark.parametrize(("size", "rounds"), [(8, 7), (11, 9), (16, 12)])
def test_polishing_stops_once_the_maximum_gain_is_reached(size: int, rounds: int) -> None:
    full_try_count, gain = polish_random_seats(size, rounds, max_gain=10_000)
    assert polish_random_seats(size, rounds, max_gain=gain + 1) == (full_try_count, gain)
    tries, same_gain = polish_random_seats(size, rounds, max_gain=gain)
    assert same_gain == gain > 0
    assert tries < full_try_count


@pytest.mark.usefixtures("shorten_searches")
def test_lot_is_the_same_drawn_round_by_round_or_all_at_once() -> None:
    plan = draw_evening(create_participants(14), 5, SECRET, is_polished=False)
    rounds = plan.rounds
    played_rounds: list[SeatedRound] = []
    for _round in range(5):
        played_rounds.append(
            draw_next_round(create_participants(14), SECRET, played_rounds=played_rounds)
        )
    assert tuple(played_rounds) == rounds
    assert 0 < plan.try_count <= 5 * evening.TRIES_PER_ROUND
    assert max(recount.count_meetings(played_rounds)[0].values()) == 1
    assert recount.find_faults(played_rounds, range(1, 15)) == []


def test_random_stream_is_even_and_streams_are_independent() -> None:
    numbers = RandomStream(SECRET, "x").draw_integers(10, 20_000)
    assert all(1800 < numbers.count(number) < 2200 for number in range(10))
    limits = RandomStream(SECRET, "x").draw_cost_limits(300, 20_000)
    assert min(limits) == 0
    assert 2.2 < sum(limits) / len(limits) < 2.8  # whole numbers below a mean of three
    assert RandomStream(SECRET, "x").draw_integers(9, 9) != RandomStream(
        SECRET, "y"
    ).draw_integers(9, 9)
    assert sorted(RandomStream(SECRET, 1).shuffle("abcdef")) == list("abcdef")


@pytest.mark.usefixtures("shorten_searches")
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_draw_keeps_stationary_players_and_separated_pairs(data: st.DataObject) -> None:
    size = data.draw(st.integers(8, 30))
    rounds = data.draw(st.integers(1, 7))
    shuffled_players = data.draw(st.permutations(range(1, size + 1)))
    stationary_players = tuple(shuffled_players[: data.draw(st.integers(0, size // 4))])
    pairs = frozenset(
        frozenset(pair)
        for pair in zip(shuffled_players[-1:-5:-2], shuffled_players[-2:-6:-2], strict=True)
        if data.draw(st.booleans())
    )
    house = tuple(-k for k in range(1, 1 + data.draw(st.integers(0, 3))))
    participants = create_participants(
        size, stationary_players=stationary_players, pairs_kept_apart=pairs, house_players=house
    )
    plan = draw_evening(participants, rounds, SECRET)
    playing_house_players = participants.playing_house_players
    check_statistics(plan, range(1, size + 1), playing_house_players)
    assert not playing_house_players or not any(
        drawn_round.resting_players for drawn_round in plan.rounds
    )
    places_by_player: dict[object, set[tuple[int, int]]] = {}
    for drawn_round in plan.rounds:
        for number, table in enumerate(drawn_round.tables):
            assert sum(p in stationary_players for p in table) <= 1
            if size > 9:
                assert not pairs & set(list_partnerships(table))
            for seat, player in enumerate(table):
                places_by_player.setdefault(player, set()).add((number, seat))
        if playing_house_players:
            tables = [t for t in drawn_round.tables if set(t) & set(playing_house_players)]
            assert len(tables) == 1
            assert stationary_players or tables[0] == drawn_round.tables[-1]
    assert all(
        len(places_by_player[player]) == 1
        for player in stationary_players
        if player in places_by_player
    )


@pytest.mark.usefixtures("shorten_searches")
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_arrivals_and_withdrawals_change_only_later_rounds(data: st.DataObject) -> None:
    size, rounds = data.draw(st.integers(9, 24)), data.draw(st.integers(3, 7))
    people = create_participants(size)
    remaining_rounds = list(draw_evening(people, rounds, SECRET).rounds)
    played_rounds: list[SeatedRound] = []
    while remaining_rounds:
        rounds_before = list(played_rounds)
        if data.draw(st.booleans()):
            players = list(people.players)
            if data.draw(st.booleans()) and len(players) > 8:
                players.remove(data.draw(st.sampled_from(players)))
            else:
                players.append(max(players) + 1)
            people = (
                create_participants(0 + 4, house_players=())
                if not players
                else Participants(players=tuple(players))
            )
            remaining_evening = draw_evening(
                people, len(remaining_rounds), SECRET, played_rounds=played_rounds
            )
            remaining_rounds = list(remaining_evening.rounds)
        assert played_rounds == rounds_before
        drawn_round = remaining_rounds.pop(0)
        tables = [p for table in drawn_round.tables for p in table] + list(
            drawn_round.resting_players
        )
        assert sorted(tables) == sorted(people.players)
        rest_counts = {
            p: sum(p in r.resting_players for r in played_rounds) for p in people.players
        }
        if drawn_round.resting_players:
            playing_rest_counts = [
                n for p, n in rest_counts.items() if p not in drawn_round.resting_players
            ]
            assert max(rest_counts[p] for p in drawn_round.resting_players) <= min(
                playing_rest_counts
            )
        played_rounds.append(drawn_round)


def test_late_player_replaces_a_house_player_and_changes_no_other_card() -> None:
    participants_before = create_participants(11, house_players=(-1,))
    plan = draw_evening(participants_before, 4, SECRET).rounds
    assert find_seat_takeover(
        create_participants(12), plan[:1], plan[1:], house_players=[-1]
    ) == (
        -1,
        12,
    )
    assert (
        find_seat_takeover(create_participants(12), plan[:1], plan[1:], house_players=[])
        is None
    )
    player = replace_player(plan[1:], -1, 12)
    tablemates = {p for drawn in player for t in drawn.tables if 12 in t for p in t}
    assert set(find_players_with_changed_rounds(plan[1:], player)) == tablemates | {-1}


def test_newcomer_takes_over_no_seat_with_an_earlier_or_forbidden_partner() -> None:
    """Player 8 was the partner of player 1, left, and returns for house player -1."""
    played_rounds = [SeatedRound(((1, 2, 8, 3), (4, 5, 6, 7)))]
    rounds_with_player_1 = [SeatedRound(((1, 2, -1, 4), (3, 5, 6, 7)))]
    rounds_with_player_2 = [SeatedRound(((2, 1, -1, 4), (3, 5, 6, 7)))]
    people = create_participants(8)
    participants_apart = create_participants(8, pairs_kept_apart=frozenset([frozenset([2, 8])]))
    for participants, remaining_rounds, takeover in (
        (people, rounds_with_player_1, None),
        (people, rounds_with_player_2, (-1, 8)),
        (participants_apart, rounds_with_player_2, None),
    ):
        assert (
            find_seat_takeover(
                participants, played_rounds, remaining_rounds, house_players=[-1]
            )
            == takeover
        )
    assert find_seat_takeover(
        people, played_rounds, rounds_with_player_1, house_players=[-1], has_fixed_partners=True
    ) == (-1, 8)


def test_tables_are_numbered_for_the_shortest_walk() -> None:
    costs = [[4, 1, 3], [2, 0, 5], [3, 2, 2]]
    assert solve_assignment(costs) == [1, 0, 2]
    plan = draw_evening(create_participants(16), 3, SECRET).rounds
    repeated_tables = number_tables(
        [plan[0], *(SeatedRound(item.tables[::-1]) for item in plan[1:])], ()
    )
    for before, drawn in pairwise(repeated_tables):
        seated_rounds = [SeatedRound(tables) for tables in permutations(drawn.tables)]
        assert count_steps([before, drawn]) == min(
            count_steps([before, seated_round]) for seated_round in seated_rounds
        )
    large_rounds = draw_evening(create_participants(96), 3, SECRET, is_polished=False).rounds
    unnumbered_rounds = [
        large_rounds[0],
        *(SeatedRound(item.tables[::-1]) for item in large_rounds[1:]),
    ]
    assert count_steps(large_rounds) < 0.8 * count_steps(unnumbered_rounds)


def test_players_with_fewest_sit_outs_in_the_season_sit_out_first() -> None:
    season_rest_counts = dict.fromkeys(range(1, 11), 3) | {4: 1, 7: 2}
    plan = draw_evening(
        create_participants(10, season_rest_counts=season_rest_counts), 5, SECRET
    )
    assert set(plan.rounds[0].resting_players) == {4, 7}
    assert recount.find_faults(plan.rounds, range(1, 11)) == []


def test_draw_by_standings_seats_the_top_four_together_without_repeats() -> None:
    standing, played_rounds = list(range(1, 17)), []
    first_round = draw_by_standings(create_participants(16), standing, SECRET)
    assert first_round.tables[0] == (1, 2, 4, 3)
    for number in range(7):
        drawn_round = draw_by_standings(
            create_participants(16), standing, SECRET, played_rounds=played_rounds
        )
        played_rounds.append(drawn_round)
        assert 1 in drawn_round.tables[0], number
    assert max(recount.count_meetings(played_rounds)[0].values()) == 1
    played_rounds.append(
        draw_by_standings(create_participants(16), [16], SECRET, played_rounds=played_rounds)
    )
    partners_met, _opponents = recount.count_meetings(played_rounds)
    assert recount.find_faults(played_rounds, range(1, 17)) == []
    assert max(partners_met.values()) == 1


@pytest.mark.parametrize(
    ("invalid_arguments", "text"),
    [
        ({"players": (1, 2, 3)}, "4–2000"),
        ({"players": (1, 2, 3, 3)}, "twice"),
        ({"players": (1, 2, 3, 4), "stationary_players": (1, 2)}, "don’t fit at 1 table"),
        ({"players": (1, 2, 3, 4), "stationary_players": (9,)}, "Player 9"),
        ({"players": tuple(range(8)), "stationary_players": (1, 1)}, "twice"),
        (
            {"players": (1, 2, 3, 4), "pairs_kept_apart": frozenset([frozenset([1, 7])])},
            "Player 7",
        ),
        (
            {"players": (1, 2, 3, 4), "pairs_kept_apart": frozenset([frozenset([1])])},
            "different",
        ),
    ],
)
def test_impossible_participants_are_refused_with_the_reason(
    invalid_arguments: dict, text: str
) -> None:
    with pytest.raises(UnplayableDrive, match=text):
        Participants(**invalid_arguments)


def test_stationary_player_of_a_removed_table_stays_at_the_nearest() -> None:
    """Regression (seed 840): one player is stationary at table 3, and four leave."""
    rounds = [
        SeatedRound(((8, 4, 7, 9), (5, 2, 1, 3)), ()),
        SeatedRound(((5, 4, 7, 9), (8, 2, 1, 3)), ()),
    ]
    tables = number_tables(rounds, (8,), {8: 2, 5: 0})
    assert [item.tables[1] for item in tables] == [(8, 4, 7, 9), (8, 2, 1, 3)]
