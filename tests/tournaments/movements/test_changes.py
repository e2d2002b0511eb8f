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
    build,
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
from tournaments.movements.drawn_rounds import DRAWN_KEY
from tournaments.movements.meetings import make_pair_meeting

EVENINGS = [
    build("compass", tables=5),
    build("compass", tables=7),
    build("compass", pairs=13),
    build("compass-skip", tables=6),
    build("compass-relay", tables=6),
    build("compass-relay", pairs=11),
    build("compass-rover", pairs=11),
    build("compass", tables=7, one_winner=True),
    build("compass-hesitation", tables=5),
    build("howell", pairs=8),
    build("howell", pairs=9),
    build("howell", pairs=10),
    shorten_movement(build("howell", pairs=14), 8),
    build("whist-individual", players=12),
    build("whist-individual", players=13),
    build("whist-individual", players=11),
    build("rainbow", tables=5),
    build("howell-teams", teams=5),
    build("new-england-relay", teams=6),
    build("league-fours", teams=2),
]


@st.composite
def draw_changes(draw: st.DrawFn) -> tuple[Movement, int, Incident]:
    """Draw a movement, the number of played rounds, and a change."""
    movement = draw(st.sampled_from(EVENINGS))
    played = draw(st.integers(1, movement.round_count - 1))
    rounds = st.integers(1, played)
    table, place = (
        st.integers(1, movement.table_count),
        st.sampled_from(movement.occupied_places),
    )
    first = draw(rounds)
    last = draw(st.integers(first, played))
    change: Incident = draw(
        st.one_of(
            st.just(LateArrival()),
            st.builds(Withdrawal, place),
            st.builds(TurnedTable, table, st.just(first), st.just(last)),
            st.builds(ExchangedPlaces, place, place, st.just(first), st.just(last)),
            st.builds(WrongBoards, rounds, table, st.integers(1, movement.group_count)),
        )
    )
    return movement, played, change


def list_ways_or_none(movement: Movement, played: int, change: Incident) -> list[Continuation]:
    """Return the ways to continue, or none if the change does not fit."""
    try:
        return list_continuations(movement, played, change)
    except UnplayableMovement:
        return []


@cache
def list_late_ways(movement: Movement) -> list[Continuation]:
    """Return the ways to take in a pair that arrives in round 3."""
    return list_continuations(movement, 2, LateArrival())


def list_real_meetings(movement: Movement, played: int, change: Incident) -> set[Meeting]:
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
    for way in continuations:
        kept = {meeting for meeting in way.movement.played_meetings if meeting.round <= played}
        exchanged_with_absent = isinstance(change, ExchangedPlaces) and movement.absent_places
        if not exchanged_with_absent:
            assert kept == list_real_meetings(movement, played, change)


def check_no_deal_twice(
    case: tuple[Movement, int, Incident], continuations: list[Continuation]
) -> None:
    _movement, played, _change = case
    for way in continuations:
        plays = [
            (p, e.board_group, e.round) for e in way.movement.played_meetings for p in e.places
        ]
        for (one, group, first), (other, again, later) in combinations(sorted(plays), 2):
            if (one, group) == (other, again):
                assert max(first, later) <= played


@given(draw_changes())
@settings(max_examples=25)
def test_late_arrival_after_change_keeps_each_board_in_one_round(
    case: tuple[Movement, int, Incident],
) -> None:
    _movement, played, _change = case
    for way in list_ways_or_none(*case)[:2]:
        for second in list_ways_or_none(way.movement, played, LateArrival()):
            first: dict[tuple[int, int], int] = {}
            for meeting in second.movement.played_meetings:
                for place in meeting.places:
                    earlier = first.setdefault((place, meeting.board_group), meeting.round)
                    assert meeting.round in (earlier, *range(played + 1))


def check_reported_meetings(
    case: tuple[Movement, int, Incident], continuations: list[Continuation]
) -> None:
    movement, played, change = case
    if not isinstance(change, WrongBoards | TurnedTable):
        return
    for way in continuations:
        planned = {(e.round, e.table): e for e in movement.played_meetings if e.round > played}
        texts_by_key = {
            (clash.round, clash.table): clash.replacement_board_group for clash in way.clashes
        }
        held = {(e.round, e.table): e.board_group for e in way.movement.played_meetings}
        for at, meeting in planned.items():
            assert held.get(at) == texts_by_key.get(at, meeting.board_group)


def check_consequences(
    case: tuple[Movement, int, Incident], continuations: list[Continuation]
) -> None:
    movement, _played, change = case
    for way in continuations:
        meeting_count_after, meeting_count_before = (
            count_meetings(way.movement),
            count_meetings(movement),
        )
        repeated_couples = {item.pairing for item in way.consequences.repeated_meetings}
        assert repeated_couples == {
            c
            for c, times in meeting_count_after.items()
            if times > max(1, meeting_count_before[c])
        }
        left_places = list_left_places(movement, change)
        lost = {
            c
            for c in meeting_count_before
            if c not in meeting_count_after and not left_places.intersection(c)
        }
        assert set(way.consequences.lost_meetings) == lost
        for lost_board in way.consequences.lost_boards:
            for place in lost_board.places:
                assert (place, lost_board.board_group) in list_plays(movement)
                assert (place, lost_board.board_group) not in list_plays(way.movement)


def list_left_places(movement: Movement, change: Incident) -> set[int]:
    """Return the places of an entry that left: both of a team."""
    if not isinstance(change, Withdrawal):
        return set()
    if movement.contest is not Contest.TEAMS:
        return {change.place}
    number = movement.labels[change.place - 1][:-2]
    return {p for p, label in enumerate(movement.labels, 1) if label[:-2] == number}


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
    listed = list_ways_or_none(*case)
    check_played_rounds_unchanged(case, listed)
    check_no_deal_twice(case, listed)
    check_reported_meetings(case, listed)
    check_consequences(case, listed)
    check_number_of_ways(case, listed)


def test_wrong_boards_at_table_four_offer_three_ways_to_continue() -> None:
    movement = build("compass", tables=7)
    by_key = {way.key: way for way in list_continuations(movement, 2, WrongBoards(2, 3, 5))}
    assert set(by_key) == {"planned", "planned-new", "made-up"}
    clashes = by_key["planned"].clashes
    assert [(c.round, c.table, c.places_that_have_played, c.board_group) for c in clashes] == [
        (3, 3, (3,), 5),
        (6, 7, (9,), 5),
    ]
    assert [
        lost_board.board_group for lost_board in by_key["made-up"].consequences.lost_boards
    ] == [5]
    assert [clash.replacement_board_group for clash in by_key["planned-new"].clashes] == [8, 8]


def test_tables_of_extra_round_play_different_boards() -> None:
    past_meetings = [make_pair_meeting(1, 3, 5, 6, 1), make_pair_meeting(2, 3, 5, 6, 2)]
    clashes = [
        Clash(2, table, (ns, ew), (), 2, None) for table, ns, ew in ((1, 1, 2), (2, 3, 4))
    ]
    assert build_extra_round(past_meetings, [], clashes) == [
        make_pair_meeting(3, 1, 1, 2, 1),
        make_pair_meeting(3, 2, 3, 4, 2),
    ]


def test_later_table_is_turned_too_if_this_evens_comparisons() -> None:
    """Table 2 of a Howell sat in the wrong direction in rounds 1 and 2."""
    movement = build("howell", pairs=8)
    by_key = {way.key: way for way in list_continuations(movement, 2, TurnedTable(2, 1, 2))}
    assert list(by_key) == ["planned", "evened", "stay"]
    planned, evened = by_key["planned"], by_key["evened"]
    assert len({*planned.movement.meetings} - {*evened.movement.meetings}) == 1
    assert planned.consequences.fairness_after.comparison_spread == Spread(1, 5)
    assert evened.consequences.fairness_after.comparison_spread == Spread(2, 4)
    two_winners = list_continuations(build("compass", tables=7), 2, TurnedTable(2, 1, 2))
    assert [way.key for way in two_winners] == ["planned", "stay"]


def test_late_pair_takes_empty_position() -> None:
    movement = build("compass", pairs=13)
    fill = next(
        way for way in list_continuations(movement, 1, LateArrival()) if way.key == "fill"
    )
    (empty,) = movement.absent_places
    assert fill.newcomer_places == (empty,)
    assert [e.round for e in fill.movement.list_place_meetings(empty)] == [2, 3, 4, 5, 6, 7]
    assert fill.consequences.repeated_meetings == ()


def test_late_pair_replaces_another_pair_each_round() -> None:
    movement = build("compass", tables=7)
    turns = next(
        way for way in list_continuations(movement, 2, LateArrival()) if way.key == "turns"
    )
    assert turns.movement.labels[-1] == "8NS"
    assert [e.round for e in turns.movement.list_place_meetings(15)] == [3, 4, 5, 6, 7]
    relieved = [place for place, rounds in turns.consequences.sit_outs for _ in rounds]
    assert len(relieved) == len(set(relieved)) == 5


def test_two_half_tables_are_joined_if_boards_allow() -> None:
    movement = shorten_movement(build("howell", pairs=14, absent=[14]), 6)
    keys = {
        place: [w.key for w in list_continuations(movement, 2, Withdrawal(place))]
        for place in movement.occupied_places
    }
    assert any("joined" in found for found in keys.values())


def test_pairs_at_swapped_tables_share_boards_without_loss() -> None:
    movement = build("compass", tables=7)
    share = list_continuations(movement, 2, ExchangedPlaces(8, 9, 2, 2))[0]
    assert share.key.endswith("share")
    assert share.consequences.lost_boards == ()


FULL = [movement for movement in EVENINGS if not movement.absent_places]
NOT_THE_LEAGUE = [movement for movement in EVENINGS if movement.place_count > 4]


@pytest.mark.parametrize("movement", EVENINGS, ids=lambda movement: str(movement.title))
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
        table, own = next(
            (e.table, e.board_group)
            for e in movement.list_round_meetings(1)
            if e.table > 1 and e in movement.played_meetings
        )
        change = replace(change, table=table, board_group=own % movement.group_count + 1)
    if isinstance(change, Withdrawal) and movement not in NOT_THE_LEAGUE:
        with pytest.raises(UnplayableMovement, match="No one would be left to play"):
            list_continuations(movement, 2, change)
        return
    assert 2 <= len(list_continuations(movement, 2, change)) <= 3


@pytest.mark.slow
@pytest.mark.parametrize("movement", EVENINGS, ids=lambda movement: str(movement.title))
def test_late_pair_plays_most_remaining_rounds(movement: Movement) -> None:
    remaining_rounds = movement.round_count - 2
    for way in list_late_ways(movement):
        assert len(way.newcomer_places) == (2 if movement.contest is Contest.TEAMS else 1)
        for place in way.newcomer_places:
            rounds = {e.round for e in way.movement.played_meetings if place in e.places}
            assert rounds
            assert min(rounds) > 2
            assert len(rounds) >= remaining_rounds // 2


@pytest.mark.parametrize("movement", FULL, ids=lambda movement: str(movement.title))
def test_new_movement_on_available_boards_needs_fewer_boards(movement: Movement) -> None:
    by_key = {way.key: way for way in list_late_ways(movement)}
    at_hand, redraw = by_key["redraw-at-hand"], by_key["redraw"]
    assert len(at_hand.consequences.new_groups) < len(redraw.consequences.new_groups)
    couples = [
        sorted((e.round, e.table, e.places) for e in way.movement.meetings)
        for way in (at_hand, redraw)
    ]
    assert couples[0] == couples[1]


@pytest.mark.parametrize("movement", EVENINGS, ids=lambda movement: str(movement.title))
def test_additional_boards_are_shared_by_at_most_two_tables(movement: Movement) -> None:
    for way in list_late_ways(movement):
        if way.key == "redraw-at-hand":
            coming = [meeting for meeting in way.movement.played_meetings if meeting.round > 2]
            lying = Counter((item.round, item.board_group) for item in coming)
            assert max(lying.values()) <= 2


@pytest.mark.parametrize("teams", [5, 6, 7])
def test_redrawn_teams_finish_each_match_in_its_round(teams: int) -> None:
    name = "howell-teams" if teams % 2 else "new-england-relay"
    movement = build(name, teams=teams)
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
    movement = build("compass", pairs=13)
    later = next(
        way for way in list_continuations(movement, 2, LateArrival()) if way.key == "fill-later"
    )
    (place,) = later.newcomer_places
    played = [e for e in later.movement.played_meetings if place in e.places]
    assert [e.round for e in played] == [3, 4, 5, 6, 7, 8, 9]
    assert {e.board_group for e in played} == set(range(1, 8))
    assert later.consequences.fairness_after.comparison_spread == Spread(7, 7)


def test_three_missed_rounds_are_not_made_up() -> None:
    continuations = list_continuations(build("compass", pairs=13), 3, LateArrival())
    assert {way.key for way in continuations} == {"fill", "redraw-at-hand", "redraw"}


@pytest.mark.parametrize(
    ("movement", "labels"),
    [
        (build("howell", pairs=8), ("9",)),
        (build("howell-teams", teams=5), ("6NS", "6EW")),
    ],
    ids=["pairs", "teams"],
)
def test_late_entry_gets_next_number_if_rounds_are_drawn(
    movement: Movement, labels: tuple[str, ...]
) -> None:
    drawn_movement = replace(movement, name=DRAWN_KEY)
    (continuation,) = list_continuations(drawn_movement, 1, LateArrival())
    assert continuation.movement.labels == (*movement.labels, *labels)


def test_single_player_sitting_out_replaces_one_who_left() -> None:
    movement = build("whist-individual", players=11)
    joined = next(
        way for way in list_continuations(movement, 2, Withdrawal(3)) if way.key == "joined"
    )
    empty = next(
        way for way in list_continuations(movement, 2, Withdrawal(3)) if way.key == "empty"
    )
    assert len(joined.movement.played_meetings) > len(empty.movement.played_meetings)
    assert (
        joined.consequences.fairness_after.sit_out_spread.minimum
        <= empty.consequences.fairness_after.sit_out_spread.minimum
    )
    assert all(3 not in e.places for e in joined.movement.played_meetings if e.round > 2)


@pytest.mark.parametrize(
    ("change", "text"),
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
    change: Incident, text: str
) -> None:
    with pytest.raises(UnplayableMovement, match=text):
        list_continuations(build("compass", tables=7), 2, change)


@pytest.mark.parametrize("change", [LateArrival(), Withdrawal(1)])
def test_nobody_arrives_or_leaves_after_last_round(change: Incident) -> None:
    with pytest.raises(UnplayableMovement, match="last round"):
        list_continuations(build("compass", tables=5), 5, change)


def test_memory_duplicate_cannot_be_changed() -> None:
    with pytest.raises(UnplayableMovement, match="memory duplicate"):
        list_continuations(build("memory"), 1, Withdrawal(1))
