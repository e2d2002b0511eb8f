"""Changes during play: the past is unchanged, no deal is played twice, and all is reported."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.movements import (
    Contest,
    Meeting,
    Movement,
    UnplayableMovement,
    build_named_movement,
    shorten_movement,
)
from tournaments.movements.balance import Spread
from tournaments.movements.changes import (
    Continuation,
    ExchangedPlaces,
    Incident,
    LateArrival,
    TurnedTable,
    Withdrawal,
    WrongBoards,
    list_continuations,
)
from tournaments.movements.changes.consequences import Clash
from tournaments.movements.changes.repairs import build_extra_round
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.movements.meetings import make_pair_meeting

MOVEMENTS = [
    build_named_movement("compass", tables=5),
    build_named_movement("compass", tables=7),
    build_named_movement("compass", pairs=13),
    build_named_movement("compass-skip", tables=6),
    build_named_movement("compass-relay", tables=6),
    build_named_movement("compass-relay", pairs=11),
    build_named_movement("compass-rover", pairs=11),
    build_named_movement("compass", tables=7, one_winner=True),
    build_named_movement("compass-hesitation", tables=5),
    build_named_movement("howell", pairs=8),
    build_named_movement("howell", pairs=9),
    build_named_movement("howell", pairs=10),
    shorten_movement(build_named_movement("howell", pairs=14), 8),
    build_named_movement("whist-individual", players=12),
    build_named_movement("whist-individual", players=13),
    build_named_movement("whist-individual", players=11),
    build_named_movement("rainbow", tables=5),
    build_named_movement("howell-teams", teams=5),
    build_named_movement("new-england-relay", teams=6),
    build_named_movement("league-fours", teams=2),
]


@st.composite
def draw_changes(draw: st.DrawFn) -> tuple[Movement, int, Incident]:
    """Draw a movement, the number of played rounds, and a change."""
    movement = draw(st.sampled_from(MOVEMENTS))
    played_round_count = draw(st.integers(1, movement.round_count - 1))
    rounds = st.integers(1, played_round_count)
    table, place = (
        st.integers(1, movement.table_count),
        st.sampled_from(movement.occupied_places),
    )
    first = draw(rounds)
    last = draw(st.integers(first, played_round_count))
    change: Incident = draw(
        st.one_of(
            st.just(LateArrival()),
            st.builds(Withdrawal, place),
            st.builds(TurnedTable, table, st.just(first), st.just(last)),
            st.builds(ExchangedPlaces, place, place, st.just(first), st.just(last)),
            st.builds(WrongBoards, rounds, table, st.integers(1, movement.group_count)),
        )
    )
    return movement, played_round_count, change


def list_continuations_or_none(
    movement: Movement, played: int, change: Incident
) -> list[Continuation]:
    """Return the ways to continue, or none if the change does not fit."""
    try:
        return list_continuations(movement, played, change)
    except UnplayableMovement:
        return []


@cache
def list_late_continuations(movement: Movement) -> list[Continuation]:
    """Return the ways to take in a pair that arrives in round 3."""
    return list_continuations(movement, 2, LateArrival())


def list_actual_meetings(movement: Movement, played: int, change: Incident) -> set[Meeting]:
    """Return the rounds played as they really were, found independently of the program."""
    meetings = set()
    for meeting in movement.meetings:
        if meeting.round > played or movement.absent_places & set(meeting.places):
            continue
        north, east, group = meeting.north, meeting.east, meeting.board_group
        south, west = meeting.south, meeting.west
        match change:
            case TurnedTable(table, first, last) if (
                meeting.table == table and first <= meeting.round <= last
            ):
                north, east, south, west = east, north, west, south
            case ExchangedPlaces(one, other, first, last) if first <= meeting.round <= last:
                seats = {one: other, other: one}
                north, east, south, west = (seats.get(p, p) for p in (north, east, south, west))
            case WrongBoards(number, table, boards) if (meeting.round, meeting.table) == (
                number,
                table,
            ):
                group = boards
        meetings.add(Meeting(meeting.round, meeting.table, north, east, south, west, group))
    return meetings


def check_played_rounds_unchanged(
    case: tuple[Movement, int, Incident], continuations: list[Continuation]
) -> None:
    movement, played, change = case
    for continuation in continuations:
        played_meetings = {
            meeting
            for meeting in continuation.movement.played_meetings
            if meeting.round <= played
        }
        is_exchange_with_absent = isinstance(change, ExchangedPlaces) and movement.absent_places
        if not is_exchange_with_absent:
            assert played_meetings == list_actual_meetings(movement, played, change)


def check_no_deal_played_twice(
    case: tuple[Movement, int, Incident], continuations: list[Continuation]
) -> None:
    _movement, played, _change = case
    for way in continuations:
        plays = [
            (p, e.board_group, e.round) for e in way.movement.played_meetings for p in e.places
        ]
        for (first_place, group, first), (
            second_place,
            second_group,
            second_round,
        ) in combinations(sorted(plays), 2):
            if (first_place, group) == (second_place, second_group):
                assert max(first, second_round) <= played


@given(draw_changes())
@settings(max_examples=25)
def test_late_arrival_after_change_keeps_each_board_in_one_round(
    case: tuple[Movement, int, Incident],
) -> None:
    _movement, played, _change = case
    for way in list_continuations_or_none(*case)[:2]:
        for second in list_continuations_or_none(way.movement, played, LateArrival()):
            first: dict[tuple[int, int], int] = {}
            for meeting in second.movement.played_meetings:
                for place in meeting.places:
                    earlier_round = first.setdefault(
                        (place, meeting.board_group), meeting.round
                    )
                    assert meeting.round in (earlier_round, *range(played + 1))


def check_reported_meetings(
    case: tuple[Movement, int, Incident], continuations: list[Continuation]
) -> None:
    movement, played, change = case
    if not isinstance(change, WrongBoards | TurnedTable):
        return
    for way in continuations:
        planned_meetings = {
            (e.round, e.table): e for e in movement.played_meetings if e.round > played
        }
        texts_by_key = {
            (clash.round, clash.table): clash.replacement_board_group for clash in way.clashes
        }
        board_groups_by_position = {
            (e.round, e.table): e.board_group for e in way.movement.played_meetings
        }
        for round_and_table, meeting in planned_meetings.items():
            assert board_groups_by_position.get(round_and_table) == texts_by_key.get(
                round_and_table, meeting.board_group
            )


def check_consequences(
    case: tuple[Movement, int, Incident], continuations: list[Continuation]
) -> None:
    movement, _played, change = case
    for way in continuations:
        meeting_count_after, meeting_count_before = (
            count_meetings(way.movement),
            count_meetings(movement),
        )
        repeated_pairings = {item.pairing for item in way.consequences.repeated_meetings}
        assert repeated_pairings == {
            c
            for c, times in meeting_count_after.items()
            if times > max(1, meeting_count_before[c])
        }
        withdrawn_places = list_withdrawn_places(movement, change)
        lost_meetings = {
            c
            for c in meeting_count_before
            if c not in meeting_count_after and not withdrawn_places.intersection(c)
        }
        assert set(way.consequences.lost_meetings) == lost_meetings
        for lost_board in way.consequences.lost_boards:
            for place in lost_board.places:
                assert (place, lost_board.board_group) in list_plays(movement)
                assert (place, lost_board.board_group) not in list_plays(way.movement)


def list_withdrawn_places(movement: Movement, change: Incident) -> set[int]:
    """Return the places of an entry that left: both of a team."""
    if not isinstance(change, Withdrawal):
        return set()
    if movement.contest is not Contest.TEAMS:
        return {change.place}
    team_label = movement.labels[change.place - 1][:-2]
    return {p for p, label in enumerate(movement.labels, 1) if label[:-2] == team_label}


def count_meetings(movement: Movement) -> Counter[tuple[int, int]]:
    """Return how often two places sit against each other."""
    return Counter(
        (min(a, b), max(a, b)) for e in movement.played_meetings for a in e.ns for b in e.ew
    )


def list_plays(movement: Movement) -> set[tuple[int, int]]:
    """Return every place with every board group that it plays."""
    return {(place, e.board_group) for e in movement.played_meetings for place in e.places}


def check_number_of_ways(
    case: tuple[Movement, int, Incident], continuations: list[Continuation]
) -> None:
    assert len(continuations) <= 3
    assert len({way.movement.meetings for way in continuations}) == len(continuations)
    assert len({way.key for way in continuations}) == len(continuations)


@given(draw_changes())
@settings(max_examples=160)
def test_every_way_to_continue_satisfies_requirements(
    case: tuple[Movement, int, Incident],
) -> None:
    """Finding the ways is slow, so all checks use the same list."""
    continuations = list_continuations_or_none(*case)
    check_played_rounds_unchanged(case, continuations)
    check_no_deal_played_twice(case, continuations)
    check_reported_meetings(case, continuations)
    check_consequences(case, continuations)
    check_number_of_ways(case, continuations)


def test_wrong_boards_at_table_four_offer_three_ways_to_continue() -> None:
    movement = build_named_movement("compass", tables=7)
    continuations_by_key = {
        way.key: way for way in list_continuations(movement, 2, WrongBoards(2, 3, 5))
    }
    assert set(continuations_by_key) == {"planned", "planned-new", "made-up"}
    clashes = continuations_by_key["planned"].clashes
    assert [(c.round, c.table, c.places_that_have_played, c.board_group) for c in clashes] == [
        (3, 3, (3,), 5),
        (6, 7, (9,), 5),
    ]
    assert [
        lost_board.board_group
        for lost_board in continuations_by_key["made-up"].consequences.lost_boards
    ] == [5]
    assert [
        clash.replacement_board_group for clash in continuations_by_key["planned-new"].clashes
    ] == [8, 8]


def test_tables_of_extra_round_play_different_boards() -> None:
    past_meetings = [make_pair_meeting(1, 3, 5, 6, 1), make_pair_meeting(2, 3, 5, 6, 2)]
    clashes = [
        Clash(2, table, (ns, ew), (), 2, None) for table, ns, ew in ((1, 1, 2), (2, 3, 4))
    ]
    assert build_extra_round(past_meetings, [], clashes) == [
        make_pair_meeting(3, 1, 1, 2, 1),
        make_pair_meeting(3, 2, 3, 4, 2),
    ]


def test_turning_later_table_is_offered_if_it_balances_comparisons() -> None:
    """Table 2 of a Howell sat in the wrong direction in rounds 1 and 2."""
    movement = build_named_movement("howell", pairs=8)
    by_key = {way.key: way for way in list_continuations(movement, 2, TurnedTable(2, 1, 2))}
    assert list(by_key) == ["planned", "evened", "stay"]
    planned, evened_continuation = by_key["planned"], by_key["evened"]
    assert len({*planned.movement.meetings} - {*evened_continuation.movement.meetings}) == 1
    assert planned.consequences.fairness_after.comparison_spread == Spread(1, 5)
    assert evened_continuation.consequences.fairness_after.comparison_spread == Spread(2, 4)
    two_winner_continuations = list_continuations(
        build_named_movement("compass", tables=7), 2, TurnedTable(2, 1, 2)
    )
    assert [way.key for way in two_winner_continuations] == ["planned", "stay"]


def test_late_pair_takes_empty_position() -> None:
    movement = build_named_movement("compass", pairs=13)
    fill_continuation = next(
        way for way in list_continuations(movement, 1, LateArrival()) if way.key == "fill"
    )
    (empty_place,) = movement.absent_places
    assert fill_continuation.newcomer_places == (empty_place,)
    assert [e.round for e in fill_continuation.movement.list_place_meetings(empty_place)] == [
        2,
        3,
        4,
        5,
        6,
        7,
    ]
    assert fill_continuation.consequences.repeated_meetings == ()


def test_late_pair_replaces_another_pair_each_round() -> None:
    movement = build_named_movement("compass", tables=7)
    turns_continuation = next(
        way for way in list_continuations(movement, 2, LateArrival()) if way.key == "turns"
    )
    assert turns_continuation.movement.labels[-1] == "8NS"
    assert [e.round for e in turns_continuation.movement.list_place_meetings(15)] == [
        3,
        4,
        5,
        6,
        7,
    ]
    relieved_places = [
        place for place, rounds in turns_continuation.consequences.sit_outs for _ in rounds
    ]
    assert len(relieved_places) == len(set(relieved_places)) == 5


def test_two_half_tables_are_joined_if_boards_allow() -> None:
    movement = shorten_movement(build_named_movement("howell", pairs=14, absent=[14]), 6)
    keys = {
        place: [w.key for w in list_continuations(movement, 2, Withdrawal(place))]
        for place in movement.occupied_places
    }
    assert any("joined" in continuation_keys for continuation_keys in keys.values())


def test_pairs_at_exchanged_tables_can_share_boards_without_losing_any() -> None:
    movement = build_named_movement("compass", tables=7)
    share_continuation = list_continuations(movement, 2, ExchangedPlaces(8, 9, 2, 2))[0]
    assert share_continuation.key.endswith("share")
    assert share_continuation.consequences.lost_boards == ()


FULL_MOVEMENTS = [movement for movement in MOVEMENTS if not movement.absent_places]
NON_LEAGUE_MOVEMENTS = [movement for movement in MOVEMENTS if movement.place_count > 4]


@pytest.mark.parametrize("movement", MOVEMENTS, ids=lambda movement: str(movement.title))
@pytest.mark.parametrize(
    "change",
    [
        LateArrival(),
        Withdrawal(3),
        TurnedTable(2, 1, 2),
        ExchangedPlaces(2, 4, 2, 2),
        WrongBoards(1, 2, 0),
    ],
)
def test_each_incident_has_two_or_three_ways_to_continue(
    movement: Movement, change: Incident
) -> None:
    if isinstance(change, WrongBoards):
        table, own_board_group = next(
            (e.table, e.board_group)
            for e in movement.list_round_meetings(1)
            if e.table > 1 and e in movement.played_meetings
        )
        change = replace(
            change, table=table, board_group=own_board_group % movement.group_count + 1
        )
    if isinstance(change, Withdrawal) and movement not in NON_LEAGUE_MOVEMENTS:
        with pytest.raises(UnplayableMovement, match="No one would be left to play"):
            list_continuations(movement, 2, change)
        return
    assert 2 <= len(list_continuations(movement, 2, change)) <= 3


@pytest.mark.slow
@pytest.mark.parametrize("movement", MOVEMENTS, ids=lambda movement: str(movement.title))
def test_late_pair_plays_most_remaining_rounds(movement: Movement) -> None:
    remaining_rounds = movement.round_count - 2
    for way in list_late_continuations(movement):
        assert len(way.newcomer_places) == (2 if movement.contest is Contest.TEAMS else 1)
        for place in way.newcomer_places:
            rounds = {e.round for e in way.movement.played_meetings if place in e.places}
            assert rounds
            assert min(rounds) > 2
            assert len(rounds) >= remaining_rounds // 2


@pytest.mark.parametrize("movement", FULL_MOVEMENTS, ids=lambda movement: str(movement.title))
def test_redraw_with_available_boards_needs_fewer_new_boards(movement: Movement) -> None:
    by_key = {way.key: way for way in list_late_continuations(movement)}
    available_boards_continuation, redraw_continuation = (
        by_key["redraw-at-hand"],
        by_key["redraw"],
    )
    assert len(available_boards_continuation.consequences.new_groups) < len(
        redraw_continuation.consequences.new_groups
    )
    schedules = [
        sorted((e.round, e.table, e.places) for e in way.movement.meetings)
        for way in (available_boards_continuation, redraw_continuation)
    ]
    assert schedules[0] == schedules[1]


@pytest.mark.parametrize("movement", MOVEMENTS, ids=lambda movement: str(movement.title))
def test_additional_boards_are_shared_by_at_most_two_tables(movement: Movement) -> None:
    for way in list_late_continuations(movement):
        if way.key == "redraw-at-hand":
            upcoming_meetings = [
                meeting for meeting in way.movement.played_meetings if meeting.round > 2
            ]
            table_counts = Counter((item.round, item.board_group) for item in upcoming_meetings)
            assert max(table_counts.values()) <= 2


@pytest.mark.parametrize("teams", [5, 6, 7])
def test_redrawn_team_match_is_completed_within_one_round(teams: int) -> None:
    system_name = "howell-teams" if teams % 2 else "new-england-relay"
    movement = build_named_movement(system_name, teams=teams)
    for change in (LateArrival(), Withdrawal(1)):
        continuations = [
            way
            for way in list_continuations(movement, 1, change)
            if way.key.startswith("redraw")
        ]
        assert continuations
        for way in continuations:
            team = way.movement.get_team_number
            matches = Counter(
                (e.round, frozenset((team(e.north), team(e.east))), e.board_group)
                for e in way.movement.played_meetings
                if e.round > 1
            )
            assert set(matches.values()) == {2}
            tables_by_group = Counter(
                (e.round, e.board_group) for e in way.movement.played_meetings if e.round > 1
            )
            assert set(tables_by_group.values()) == {2}


def test_rounds_missed_by_late_pair_are_made_up_at_end() -> None:
    movement = build_named_movement("compass", pairs=13)
    later = next(
        way for way in list_continuations(movement, 2, LateArrival()) if way.key == "fill-later"
    )
    (place,) = later.newcomer_places
    played = [e for e in later.movement.played_meetings if place in e.places]
    assert [e.round for e in played] == [3, 4, 5, 6, 7, 8, 9]
    assert {e.board_group for e in played} == set(range(1, 8))
    assert later.consequences.fairness_after.comparison_spread == Spread(7, 7)


def test_three_missed_rounds_are_not_made_up() -> None:
    continuations = list_continuations(
        build_named_movement("compass", pairs=13), 3, LateArrival()
    )
    assert {way.key for way in continuations} == {"fill", "redraw-at-hand", "redraw"}


@pytest.mark.parametrize(
    ("movement", "labels"),
    [
        (build_named_movement("howell", pairs=8), ("9",)),
        (build_named_movement("howell-teams", teams=5), ("6NS", "6EW")),
    ],
    ids=["pairs", "teams"],
)
def test_late_entry_in_drawn_movement_gets_next_number(
    movement: Movement, labels: tuple[str, ...]
) -> None:
    drawn_movement = replace(movement, name=DRAWN_MOVEMENT_NAME)
    (continuation,) = list_continuations(drawn_movement, 1, LateArrival())
    assert continuation.movement.labels == (*movement.labels, *labels)


def test_withdrawn_player_is_replaced_by_player_sitting_out() -> None:
    movement = build_named_movement("whist-individual", players=11)
    joined_continuation = next(
        way for way in list_continuations(movement, 2, Withdrawal(3)) if way.key == "joined"
    )
    empty = next(
        way for way in list_continuations(movement, 2, Withdrawal(3)) if way.key == "empty"
    )
    assert len(joined_continuation.movement.played_meetings) > len(
        empty.movement.played_meetings
    )
    assert (
        joined_continuation.consequences.fairness_after.sit_out_spread.minimum
        <= empty.consequences.fairness_after.sit_out_spread.minimum
    )
    assert all(
        3 not in e.places for e in joined_continuation.movement.played_meetings if e.round > 2
    )


@pytest.mark.parametrize(
    ("change", "error_message"),
    [
        (TurnedTable(3, 2, 5), "Only rounds that have started"),
        (TurnedTable(9, 1, 2), "No one sat at table 9"),
        (WrongBoards(1, 9, 1), "No one sat at table 9"),
        (WrongBoards(1, 1, 1), "Table 1 was due to play these boards"),
        (ExchangedPlaces(4, 4, 1, 1), "two different pairs"),
        (Withdrawal(99), "No one is sitting there"),
    ],
)
def test_change_that_does_not_fit_session_is_refused_with_message(
    change: Incident, error_message: str
) -> None:
    with pytest.raises(UnplayableMovement, match=error_message):
        list_continuations(build_named_movement("compass", tables=7), 2, change)


@pytest.mark.parametrize("change", [LateArrival(), Withdrawal(1)])
def test_arrival_or_withdrawal_after_last_round_is_refused(change: Incident) -> None:
    with pytest.raises(UnplayableMovement, match="last round"):
        list_continuations(build_named_movement("compass", tables=5), 5, change)


def test_memory_duplicate_cannot_be_changed() -> None:
    with pytest.raises(UnplayableMovement, match="memory duplicate"):
        list_continuations(build_named_movement("memory"), 1, Withdrawal(1))
