"""A new movement for the rest of an evening, on new boards or on the available ones."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from tournaments.movements.builder import build_named_movement
from tournaments.movements.changes.repairs import (
    MAX_SHARING_TABLES,
    PlayedGroups,
    map_played_groups,
)
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_ns_and_ew_labels,
    make_pair_meeting,
)
from tournaments.movements.schedule import Movement, UnplayableMovement

TWO_FIELD_SYSTEMS = ("compass", "compass-skip", "compass-relay")
MIN_ENTRIES_BY_CONTEST = {Contest.PAIRS: 3, Contest.INDIVIDUAL: 4, Contest.TEAMS: 6}
MAX_ASSIGNMENT_TRIALS = 12
PlaceMapping = dict[int, int]
"""The place of the evening's movement for each place of the new movement."""


def build_new_movement(
    movement: Movement,
    past_meetings: Sequence[Meeting],
    places: Sequence[int],
    played_round_count: int,
) -> list[Meeting] | None:
    """Build the remaining rounds from a movement of another size, on new boards.

    `places` are the places that play, including those of a newcomer. The best seating loses the
    fewest rounds, includes the newcomer, and repeats the fewest meetings. Returns None if no
    movement fits.
    """
    earlier_tables = {frozenset(meeting.places) for meeting in past_meetings}
    remaining_round_count, group_count = (
        movement.round_count - played_round_count,
        movement.group_count,
    )
    best_losses_and_meetings: tuple[tuple[int, int], list[Meeting]] | None = None
    for new_movement, place_mapping in _iter_seatings(movement, places, remaining_round_count):
        meetings = [
            _convert_meeting(meeting, place_mapping, played_round_count, group_count)
            for meeting in new_movement.played_meetings
        ]
        seated_places = {place for meeting in meetings for place in meeting.places}
        if not seated_places.issuperset(
            place for place in places if place > movement.place_count
        ):
            continue
        repeated_meeting_count = sum(
            frozenset(meeting.places) in earlier_tables for meeting in meetings
        )
        losses_and_meetings = (
            (remaining_round_count - new_movement.round_count, repeated_meeting_count),
            meetings,
        )
        if (
            best_losses_and_meetings is None
            or losses_and_meetings[0] < best_losses_and_meetings[0]
        ):
            best_losses_and_meetings = losses_and_meetings
    return best_losses_and_meetings[1] if best_losses_and_meetings else None


def assign_available_boards(
    contest: Contest,
    past_meetings: Sequence[Meeting],
    new_meetings: Sequence[Meeting],
    group_count: int,
) -> list[Meeting]:
    """Return a new schedule's meetings with boards that no place at the table has played.

    In each round as many tables as possible get a separate group. Of the other tables, two at a
    time share an additional group, whose number is above `group_count`. Both tables of a team
    match play the same group. Several orders are tried, and the one with the fewest additional
    groups is used.
    """
    schedules = [
        _assign_boards(contest, past_meetings, new_meetings, group_count, trial_number)
        for trial_number in range(MAX_ASSIGNMENT_TRIALS)
    ]
    return min(schedules, key=lambda schedule: max(meeting.board_group for meeting in schedule))


def _assign_boards(
    contest: Contest,
    past_meetings: Sequence[Meeting],
    new_meetings: Sequence[Meeting],
    group_count: int,
    trial_number: int,
) -> list[Meeting]:
    played_groups_by_place = map_played_groups(past_meetings)
    assigned_meetings: list[Meeting] = []
    for round_number, round_meetings in groupby(
        sorted(new_meetings), key=lambda meeting: meeting.round
    ):
        meetings_by_match: dict[int, list[Meeting]] = {}
        for meeting in round_meetings:
            match_key = (meeting.table + 1) // 2 if contest is Contest.TEAMS else meeting.table
            meetings_by_match.setdefault(match_key, []).append(meeting)
        groups_by_match = _assign_groups_to_matches(
            meetings_by_match,
            played_groups_by_place,
            _shuffle_groups(group_count, trial_number, round_number),
        )
        table_counts: Counter[int] = Counter()
        for match_key, match_meetings in meetings_by_match.items():
            board_group = groups_by_match.get(match_key) or _find_extra_group(
                match_meetings, played_groups_by_place, group_count, table_counts
            )
            table_counts[board_group] += len(match_meetings)
            assigned_meetings += [
                meeting._replace(board_group=board_group) for meeting in match_meetings
            ]
            for place in _collect_places(match_meetings):
                played_groups_by_place[place].add(board_group)
    return assigned_meetings


def _shuffle_groups(group_count: int, trial_number: int, round_number: int) -> list[int]:
    """Return the groups in a different, repeatable order for each trial and round."""
    return sorted(
        range(1, group_count + 1),
        key=lambda board_group: (
            (board_group * (31 * trial_number + 7) + round_number * 17) % 997
        ),
    )


def _convert_meeting(
    meeting: Meeting, place_mapping: PlaceMapping, played_round_count: int, group_count: int
) -> Meeting:
    return Meeting(
        round=meeting.round + played_round_count,
        table=meeting.table,
        north=place_mapping[meeting.north],
        east=place_mapping[meeting.east],
        south=place_mapping[meeting.south],
        west=place_mapping[meeting.west],
        board_group=meeting.board_group + group_count,
    )


def _assign_groups_to_matches(
    meetings_by_match: dict[int, list[Meeting]],
    played_groups_by_place: PlayedGroups,
    board_groups: Sequence[int],
) -> dict[int, int]:
    """Return a board group for as many matches as possible, by match.

    No place of a match has played the match's group.
    """
    playable_groups_by_match: dict[int, list[int]] = {}
    for match_key, match_meetings in meetings_by_match.items():
        played_groups = set().union(
            *(played_groups_by_place[place] for place in _collect_places(match_meetings))
        )
        playable_groups_by_match[match_key] = [
            board_group for board_group in board_groups if board_group not in played_groups
        ]
    match_key_by_group: dict[int, int] = {}

    def assign_group(match_key: int, tried_groups: set[int]) -> bool:
        for board_group in playable_groups_by_match[match_key]:
            if board_group not in tried_groups:
                tried_groups.add(board_group)
                if board_group not in match_key_by_group or assign_group(
                    match_key_by_group[board_group], tried_groups
                ):
                    match_key_by_group[board_group] = match_key
                    return True
        return False

    for match_key in sorted(
        playable_groups_by_match,
        key=lambda candidate_key: len(playable_groups_by_match[candidate_key]),
    ):
        assign_group(match_key, set())
    return {match_key: board_group for board_group, match_key in match_key_by_group.items()}


def _find_extra_group(
    match_meetings: Sequence[Meeting],
    played_groups_by_place: PlayedGroups,
    group_count: int,
    table_counts: Counter[int],
) -> int:
    """Return the first additional group that no place of the match has played."""
    board_group = group_count + 1
    while (
        table_counts[board_group]
        and table_counts[board_group] + len(match_meetings) > MAX_SHARING_TABLES
    ) or any(
        board_group in played_groups_by_place[place]
        for place in _collect_places(match_meetings)
    ):
        board_group += 1
    return board_group


def _collect_places(match_meetings: Sequence[Meeting]) -> set[int]:
    return {place for meeting in match_meetings for place in meeting.places}


def _iter_seatings(
    movement: Movement, places: Sequence[int], remaining_round_count: int
) -> Iterator[tuple[Movement, PlaceMapping]]:
    if len(places) < MIN_ENTRIES_BY_CONTEST.get(movement.contest, len(places) + 1):
        return
    if movement.contest is Contest.TEAMS:
        yield from _iter_team_seatings(movement, places, remaining_round_count)
    elif movement.contest is Contest.INDIVIDUAL:
        yield from _iter_one_field_seatings(
            _try_build_movement("whist-individual", remaining_round_count, players=len(places)),
            places,
        )
    elif movement.has_two_fields:
        for system_name in TWO_FIELD_SYSTEMS:
            yield from _iter_two_field_seatings(
                system_name, movement, places, remaining_round_count
            )
    else:
        yield from _iter_one_field_seatings(
            _try_build_movement("howell", remaining_round_count, pairs=len(places)), places
        )


def _iter_one_field_seatings(
    new_movement: Movement | None, places: Sequence[int]
) -> Iterator[tuple[Movement, PlaceMapping]]:
    if new_movement is None:
        return
    for offset in range(len(places)):
        rotated_places = [*places[offset:], *places[:offset]]
        yield new_movement, dict(zip(new_movement.occupied_places, rotated_places, strict=True))


def _iter_two_field_seatings(
    system_name: str, movement: Movement, places: Sequence[int], remaining_round_count: int
) -> Iterator[tuple[Movement, PlaceMapping]]:
    """Yield seatings in two fields, in which entries keep their field if possible.

    A newcomer is seated first.
    """
    table_count = (len(places) + 1) // 2
    existing_places = [place for place in places if place <= movement.place_count]
    ns_places = [place for place in existing_places if movement.get_field_name(place) == "NS"]
    ew_places = [place for place in existing_places if movement.get_field_name(place) == "EW"]
    for newcomer_place in (place for place in places if place > movement.place_count):
        (ns_places if len(ns_places) <= len(ew_places) else ew_places).insert(0, newcomer_place)
    while len(ns_places) > table_count:
        ew_places.append(ns_places.pop())
    while len(ew_places) > table_count:
        ns_places.append(ew_places.pop())
    absent_labels = [
        f"{table_count}{field_name}"
        for field_name, field_places in (("NS", ns_places), ("EW", ew_places))
        if len(field_places) < table_count
    ]
    new_movement = _try_build_movement(
        system_name, remaining_round_count, absent_labels, pairs=len(places)
    )
    if new_movement is None:
        return
    for offset in range(len(ew_places)):
        rotated_ew_places = [*ew_places[offset:], *ew_places[:offset]]
        place_mapping: PlaceMapping = {}
        for field_name, field_places in (("NS", ns_places), ("EW", rotated_ew_places)):
            new_places = [
                place
                for place in new_movement.occupied_places
                if new_movement.get_field_name(place) == field_name
            ]
            place_mapping |= zip(new_places, field_places, strict=True)
        yield new_movement, place_mapping


def _iter_team_seatings(
    movement: Movement, places: Sequence[int], remaining_round_count: int
) -> Iterator[tuple[Movement, PlaceMapping]]:
    """Yield seatings in which teams meet like the pairs of a Howell, one match each round.

    The two tables of a match exchange the boards. If the number of teams is odd, one sits out.
    """
    ns_places = [place for place in places if _find_team_side(movement, places, place) == "NS"]
    ew_places = [place for place in places if place not in ns_places]
    match_movement = _try_build_movement("howell", remaining_round_count, pairs=len(ns_places))
    if match_movement is None or len(ns_places) != len(ew_places):
        return
    new_movement = _convert_to_team_movement(match_movement)
    for offset in range(len(ns_places)):
        rotated_places = [
            *ns_places[offset:],
            *ns_places[:offset],
            *ew_places[offset:],
            *ew_places[:offset],
        ]
        yield new_movement, dict(zip(new_movement.occupied_places, rotated_places, strict=True))


def _convert_to_team_movement(match_movement: Movement) -> Movement:
    """Convert a schedule of pairs to one of teams: a meeting becomes a match at two tables."""
    team_count = match_movement.place_count
    meetings = []
    for meeting in match_movement.meetings:
        home_team_number, away_team_number, match_number = (
            meeting.north,
            meeting.east,
            meeting.table,
        )
        board_group = meeting.board_group
        if match_movement.allows_sharing:
            # Two matches would share a group at four tables, but at most two tables may share.
            board_group = (meeting.round - 1) * match_movement.table_count + match_number
        for table_number, ns_team_number, ew_team_number in (
            (2 * match_number - 1, home_team_number, away_team_number),
            (2 * match_number, away_team_number, home_team_number),
        ):
            meetings.append(
                make_pair_meeting(
                    meeting.round,
                    table_number,
                    ns_team_number,
                    team_count + ew_team_number,
                    board_group,
                )
            )
    return Movement(
        name="custom",
        title=_("Matches in one round"),
        contest=Contest.TEAMS,
        meetings=tuple(meetings),
        labels=make_ns_and_ew_labels(team_count, team_count),
        absent_places=frozenset(
            {
                *match_movement.absent_places,
                *(team_count + place for place in match_movement.absent_places),
            }
        ),
        allows_sharing=True,
    )


def _find_team_side(movement: Movement, places: Sequence[int], place: int) -> str:
    """Return the side of a team's place; the first place of a newcomer is North-South."""
    if place <= movement.place_count:
        return movement.get_field_name(place)
    first_newcomer_place = min(
        other_place for other_place in places if other_place > movement.place_count
    )
    return "NS" if place == first_newcomer_place else "EW"


def _try_build_movement(
    system_name: str, max_rounds: int, absent_labels: Sequence[str] = (), **size_options: Any
) -> Movement | None:
    """Build a movement of at most `max_rounds` rounds; return None if the size does not fit."""
    try:
        full_movement = build_named_movement(system_name, absent=absent_labels, **size_options)
        return build_named_movement(
            system_name,
            absent=absent_labels,
            rounds=min(max_rounds, full_movement.round_count),
            **size_options,
        )
    except UnplayableMovement:
        return None
