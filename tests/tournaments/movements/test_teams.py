from collections import Counter, defaultdict
from itertools import combinations, pairwise

import pytest

from tournaments.movements import (
    Contest,
    Movement,
    UnplayableMovement,
    build_named_movement,
    format_announcement,
    list_suggestions_for_limits,
)
from tournaments.movements.systems.league import (
    THREE_SETS_DOWNSIDE,
    build_league_fours,
    list_line_up_announcements,
    list_line_ups,
)
from tournaments.movements.systems.teams import (
    build_club_against_club,
    build_gilman,
    build_howell_teams,
    build_new_england_relay,
    build_three_team_movement,
)
from tournaments.movements.systems.two_packs import build_two_pack_movement

MatchCounts = dict[frozenset[int], Counter[tuple[int, int]]]


def count_matches(movement: Movement) -> MatchCounts:
    """Return how often each (board group, team sitting N-S) occurs, for each two teams."""
    actual: MatchCounts = defaultdict(Counter)
    for meeting in movement.meetings:
        ns, ew = movement.get_team_number(meeting.north), movement.get_team_number(meeting.east)
        if ns != ew:
            actual[frozenset((ns, ew))][(meeting.board_group, ns)] += 1
    return actual


def count_two_way_matches(movement: Movement) -> Counter[int]:
    """Return how many couples of teams met on n board groups, each once each way."""
    sizes: Counter[int] = Counter()
    for teams, plays in count_matches(movement).items():
        groups = {group for group, _ in plays}
        assert plays == Counter((group, ns) for group in groups for ns in teams)
        sizes[len(groups)] += 1
    return sizes


@pytest.mark.parametrize("teams", range(3, 34, 2))
def test_howell_teams_meet_at_two_tables_on_same_deals(teams: int) -> None:
    movement = build_howell_teams(teams)
    assert movement.round_count == teams - 1
    assert count_two_way_matches(movement) == {1: teams * (teams - 1) // 2}
    assert not movement.allows_sharing


def test_five_team_howell_matches_foster_movement() -> None:
    movement = build_howell_teams(5)
    north_south = [
        [
            movement.get_team_number(meeting.north)
            for meeting in movement.list_round_meetings(round_)
        ]
        for round_ in range(1, 5)
    ]
    groups = [
        [meeting.board_group for meeting in movement.list_round_meetings(round_number)]
        for round_number in range(1, 5)
    ]
    assert north_south == [[5, 1, 2, 3, 4], [4, 5, 1, 2, 3], [3, 4, 5, 1, 2], [2, 3, 4, 5, 1]]
    assert groups == [[1, 2, 3, 4, 5], [3, 4, 5, 1, 2], [5, 1, 2, 3, 4], [2, 3, 4, 5, 1]]
    assert all(
        movement.get_team_number(meeting.east) == meeting.table for meeting in movement.meetings
    )


@pytest.mark.parametrize("teams", range(3, 34, 2))
def test_gilman_home_set_does_not_change_later_matches(teams: int) -> None:
    movement = build_gilman(teams)
    assert movement.round_count == teams
    assert all(
        movement.get_team_number(meeting.north)
        == movement.get_team_number(meeting.east)
        == meeting.board_group
        == meeting.table
        for meeting in movement.list_round_meetings(1)
    )
    assert count_two_way_matches(movement) == {1: teams * (teams - 1) // 2}
    gilman_without_home = build_gilman(teams, home=False)
    assert gilman_without_home.round_count == teams - 1
    assert count_matches(gilman_without_home) == count_matches(movement)


@pytest.mark.parametrize("teams", range(4, 35, 2))
def test_new_england_relay_shares_boards_between_both_halves_of_tables(teams: int) -> None:
    movement = build_new_england_relay(teams)
    assert movement.round_count == teams - 1
    assert movement.group_count == teams
    assert count_two_way_matches(movement) == {1: teams * (teams - 1) // 2}
    for round_ in range(1, teams):
        groups = [meeting.board_group for meeting in movement.list_round_meetings(round_)]
        assert groups[: teams // 2] == groups[teams // 2 :]
        assert len(set(groups)) == teams // 2


def test_three_teams_play_two_half_matches_of_two_sets() -> None:
    movement = build_three_team_movement()
    assert (movement.round_count, movement.group_count, movement.allows_sharing) == (
        4,
        6,
        False,
    )
    assert count_two_way_matches(movement) == {2: 3}
    first_round_matches = {
        frozenset((movement.get_team_number(e.north), movement.get_team_number(e.east)))
        for e in movement.list_round_meetings(1)
    }
    assert len(first_round_matches) == 3


@pytest.mark.parametrize("teams", range(2, 25, 2))
def test_two_clubs_play_teams_of_four_at_two_tables_each(teams: int) -> None:
    movement = build_club_against_club(teams)
    assert movement.round_count == teams // 2
    assert count_two_way_matches(movement) == {1: (teams // 2) ** 2}
    for meeting in movement.meetings:
        ns, ew = movement.get_team_number(meeting.north), movement.get_team_number(meeting.east)
        assert ns % 2 == meeting.table % 2  # odd teams sit North-South at odd tables
        assert ew % 2 != ns % 2


@pytest.mark.parametrize("teams", [3, 5, 7, 9])
def test_no_team_position_replays_a_deal(teams: int) -> None:
    for movement in (
        build_howell_teams(teams),
        build_gilman(teams),
        build_new_england_relay(teams + 1),
    ):
        plays = Counter(
            (place, meeting.board_group)
            for meeting in movement.meetings
            for place in meeting.places
        )
        assert set(plays.values()) == {1}
        assert movement.contest is Contest.TEAMS


def test_team_positions_are_labelled_by_team_and_side() -> None:
    movement = build_named_movement("howell-teams", teams=7)
    assert movement.labels[2] == "3NS"
    assert movement.labels[9] == "3EW"
    assert movement.get_team_number(movement.find_place("3EW")) == 3


@pytest.mark.parametrize(
    ("system_name", "teams"),
    [("howell-teams", 6), ("gilman", 2), ("new-england-relay", 7), ("three-teams", 4)],
)
def test_unsupported_number_of_teams_is_refused_in_one_line(
    system_name: str, teams: int
) -> None:
    with pytest.raises(UnplayableMovement) as exc_info:
        build_named_movement(system_name, teams=teams)
    assert str(teams) in str(exc_info.value)
    assert "\n" not in str(exc_info.value)


def count_partnerships(set_count: int) -> Counter[str]:
    return Counter(pair for line_up in list_line_ups(set_count) for pair in line_up)


def count_confrontations(sets: int) -> Counter[str]:
    return Counter(
        "".join(sorted(home_player + away_player))
        for home_ns, away_ew, away_ns, home_ew in list_line_ups(sets)
        for table in ((home_ns, away_ew), (home_ew, away_ns))
        for home_player in table[0]
        for away_player in table[1]
    )


def test_six_sets_of_league_match_are_balanced() -> None:
    assert set(count_partnerships(6).values()) == {2}
    assert len(count_partnerships(6)) == 12
    assert len(count_confrontations(6)) == 16
    assert set(count_confrontations(6).values()) == {3}


def test_three_set_league_match_never_seats_a_against_z() -> None:
    assert count_confrontations(3)["AZ"] == 0
    assert len(count_confrontations(3)) < 16
    assert "A never plays against Z" in THREE_SETS_DOWNSIDE


@pytest.mark.parametrize("sets", [3, 6])
def test_league_match_plays_every_set_at_both_tables(sets: int) -> None:
    movement = build_league_fours(sets=sets)
    assert movement.round_count == movement.group_count == sets
    assert count_two_way_matches(movement) == {sets: 1}
    assert movement.allows_sharing
    assert build_named_movement("league-fours", rounds=sets) == movement


def test_each_set_of_league_match_seats_all_eight_players() -> None:
    for line_up in list_line_ups():
        assert sorted("".join(line_up)) == list("ABCDWXYZ")
    assert all(len(set(pair)) == 2 for line_up in list_line_ups() for pair in line_up)
    assert list_line_up_announcements()[0] == (
        "Set 1: table 1 has A and B N-S against W and X E-W, "
        "table 2 has Y and Z N-S against C and D E-W."
    )


def test_announcement_names_partners_in_each_set() -> None:
    announcement = format_announcement(build_league_fours(sets=3))
    assert "Set 2: table 1 has A and C N-S against W and Y E-W" in announcement
    assert announcement.endswith("The two tables exchange the boards of each set.")


def test_league_match_with_four_sets_is_refused() -> None:
    with pytest.raises(UnplayableMovement, match="6 or 3 sets for a League match, not 4"):
        build_league_fours(sets=4)


def test_opponents_meet_unequally_often_in_three_set_league_match() -> None:
    confrontation_counts = count_confrontations(3)
    couple_counts = Counter(
        confrontation_counts["".join(couple)] for couple in combinations("ABCDWXYZ", 2)
    )
    assert len([times for times in confrontation_counts.values() if times == 2]) > 0
    assert couple_counts[0] > 12  # the twelve couples of one team, and more


@pytest.mark.parametrize("rounds", [2, 4, 6, 12, 24])
def test_two_pack_movement_moves_players_and_each_side_holds_all_cards(rounds: int) -> None:
    movement = build_two_pack_movement(rounds=rounds)
    assert (movement.table_count, movement.round_count, movement.group_count) == (
        2,
        rounds,
        rounds,
    )
    assert count_two_way_matches(movement) == {rounds: 1}
    for group in range(1, rounds + 1):
        plays = [meeting for meeting in movement.meetings if meeting.board_group == group]
        assert len({play.table for play in plays}) == 1  # the set stays at its table
        assert sorted(place for play in plays for place in play.places) == [1, 2, 3, 4]
    for round_before, round_after in pairwise(range(1, rounds + 1)):
        for place in (1, 2, 3, 4):
            meeting_before, now = (
                next(
                    meeting
                    for meeting in movement.list_round_meetings(round_number)
                    if place in meeting.places
                )
                for round_number in (round_before, round_after)
            )
            is_exchange_round = round_after % 2 == 0
            assert (meeting_before.table != now.table) == is_exchange_round
            assert (
                meeting_before.find_side(place) != now.find_side(place)
            ) == is_exchange_round


@pytest.mark.parametrize("rounds", [0, 1, 3, 13])
def test_two_pack_movement_requires_even_number_of_rounds(rounds: int) -> None:
    with pytest.raises(UnplayableMovement, match="Choose an even number"):
        build_two_pack_movement(rounds=rounds)


def test_two_pack_movement_is_announced_but_never_suggested() -> None:
    assert "change tables" in format_announcement(build_named_movement("two-packs"))
    assert "two-packs" not in [
        suggestion.name for suggestion in list_suggestions_for_limits(teams=2)
    ]
