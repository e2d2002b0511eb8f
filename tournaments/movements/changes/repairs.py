"""Repairs that make later rounds playable after an incident."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import groupby
from typing import TypeVar

from tournaments.movements.changes.consequences import Clash
from tournaments.movements.meetings import Meeting

PlayedGroups = dict[int, set[int]]  # the board groups played by each place
Choice = TypeVar("Choice")


MAX_SEARCH_STEPS = 20_000
MAX_SHARING_TABLES = 2  # the maximum number of tables that share a board group in a round


class Repair(Enum):
    """How a meeting is repaired if one of its places has already played its boards."""

    LEAVE_OUT = 0
    OTHER_BOARDS = 1
    SHARED_BOARDS = 2
    NEW_BOARDS = 3


def map_played_groups(meetings: Iterable[Meeting]) -> PlayedGroups:
    """Return the board groups that each place has played."""
    played_groups_by_place: PlayedGroups = defaultdict(set)
    for meeting in meetings:
        for place in meeting.places:
            played_groups_by_place[place].add(meeting.board_group)
    return played_groups_by_place


def choose_compatible_items(
    items_by_round: Sequence[Sequence[Choice]], is_compatible: Callable[[Choice, Choice], bool]
) -> list[Choice]:
    """Choose at most one item of each round, so that all chosen items are compatible.

    `items_by_round` has the possible items of each round. A search with a limited number of
    steps looks for items in as many rounds as possible.
    """
    best_items: list[Choice] = []
    step_count = 0

    def search(index: int, chosen_items: list[Choice]) -> None:
        nonlocal best_items, step_count
        step_count += 1
        if len(chosen_items) > len(best_items):
            best_items = list(chosen_items)
        if step_count > MAX_SEARCH_STEPS or len(chosen_items) + len(
            items_by_round
        ) - index <= len(best_items):
            return
        for item in items_by_round[index]:
            if all(is_compatible(item, earlier_item) for earlier_item in chosen_items):
                search(index + 1, [*chosen_items, item])
        search(index + 1, chosen_items)

    search(0, [])
    return best_items


def repair_meetings(
    past_meetings: Sequence[Meeting], future_meetings: Sequence[Meeting], repair: Repair
) -> tuple[list[Meeting], list[Clash]]:
    """Repair each later meeting whose boards one of its places has already played.

    A table is left out if there are no other boards that all its places can play. Boards of
    another table are only used if `repair` is SHARED_BOARDS. A set of new boards replaces at
    most two board groups in a round, at all their tables. No place plays a deal twice (The
    Whist Laws of 1894, definition of overplay).
    """
    played_groups_by_place = map_played_groups(past_meetings)
    future_play_counts = Counter(
        (place, meeting.board_group) for meeting in future_meetings for place in meeting.places
    )
    board_groups = sorted(
        {meeting.board_group for meeting in (*past_meetings, *future_meetings)}
    )
    repaired_meetings: list[Meeting] = []
    clashes: list[Clash] = []
    replacement_board_group: int | None
    for _round_number, round_meetings in groupby(
        sorted(future_meetings), key=lambda meeting: meeting.round
    ):
        meetings_in_round = list(round_meetings)
        playable_meetings = [
            meeting
            for meeting in meetings_in_round
            if not _has_played_board_group(meeting, played_groups_by_place)
        ]
        used_board_groups = {meeting.board_group for meeting in playable_meetings}
        for meeting in playable_meetings:
            _record_play(meeting, played_groups_by_place, future_play_counts)
        repaired_meetings += playable_meetings
        replaced_groups_by_new_group: dict[int, set[int]] = defaultdict(set)
        for unplayable_meeting in (
            meeting for meeting in meetings_in_round if meeting not in playable_meetings
        ):
            if repair is Repair.NEW_BOARDS:
                replacement_board_group = _find_new_group(
                    unplayable_meeting,
                    board_groups[-1],
                    played_groups_by_place,
                    replaced_groups_by_new_group,
                )
            else:
                replacement_board_group = _find_free_group(
                    unplayable_meeting,
                    _list_groups_to_try(board_groups, used_board_groups, repair),
                    played_groups_by_place,
                    future_play_counts,
                )
            clashes.append(
                _build_clash(
                    unplayable_meeting, replacement_board_group, played_groups_by_place
                )
            )
            if replacement_board_group is not None:
                repaired_meetings.append(
                    unplayable_meeting._replace(board_group=replacement_board_group)
                )
                used_board_groups.add(replacement_board_group)
                _record_play(repaired_meetings[-1], played_groups_by_place, future_play_counts)
    return sorted(repaired_meetings), clashes


def build_extra_round(
    past_meetings: Sequence[Meeting],
    future_meetings: Sequence[Meeting],
    clashes: Sequence[Clash],
) -> list[Meeting]:
    """Return an extra round that makes up lost meetings.

    Meetings without playable boards stay lost.
    """
    played_groups_by_place = map_played_groups([*past_meetings, *future_meetings])
    board_groups = sorted(
        {meeting.board_group for meeting in (*past_meetings, *future_meetings)}
    )
    extra_round_number = (
        max(meeting.round for meeting in (*past_meetings, *future_meetings)) + 1
    )
    busy_places: set[int] = set()
    used_board_groups: set[int] = set()
    used_tables: set[int] = set()
    extra_meetings = []
    for clash in clashes:
        playable_groups = [
            board_group
            for board_group in board_groups
            if board_group not in used_board_groups
            and all(board_group not in played_groups_by_place[place] for place in clash.places)
        ]
        if (
            not playable_groups
            or busy_places.intersection(clash.places)
            or clash.table in used_tables
        ):
            continue
        ns_place, ew_place = clash.places[0], clash.places[-1]
        extra_meetings.append(
            Meeting(
                extra_round_number,
                clash.table,
                ns_place,
                ew_place,
                ns_place,
                ew_place,
                playable_groups[0],
            )
        )
        busy_places.update(clash.places)
        used_board_groups.add(playable_groups[0])
        used_tables.add(clash.table)
    return extra_meetings


def _list_groups_to_try(
    board_groups: Sequence[int], used_board_groups: set[int], repair: Repair
) -> list[int]:
    """Return the board groups to try at a table; groups that are at no table come first."""
    if repair is Repair.LEAVE_OUT:
        return []
    free_board_groups = [
        board_group for board_group in board_groups if board_group not in used_board_groups
    ]
    sharable_groups = sorted(used_board_groups) if repair is Repair.SHARED_BOARDS else []
    return free_board_groups + sharable_groups


def _find_new_group(
    meeting: Meeting,
    last_board_group: int,
    played_groups_by_place: PlayedGroups,
    replaced_groups_by_new_group: dict[int, set[int]],
) -> int:
    """Return the first additional group that no place of the meeting has played.

    `replaced_groups_by_new_group` records which groups an additional group replaces in this
    round.
    """
    new_group, replaced_group = last_board_group + 1, meeting.board_group
    while any(new_group in played_groups_by_place[place] for place in meeting.places) or (
        len(replaced_groups_by_new_group[new_group] | {replaced_group}) > MAX_SHARING_TABLES
    ):
        new_group += 1
    replaced_groups_by_new_group[new_group].add(replaced_group)
    return new_group


def _has_played_board_group(meeting: Meeting, played_groups_by_place: PlayedGroups) -> bool:
    return any(meeting.board_group in played_groups_by_place[place] for place in meeting.places)


def _record_play(
    meeting: Meeting,
    played_groups_by_place: PlayedGroups,
    future_play_counts: Counter[tuple[int, int]],
) -> None:
    for place in meeting.places:
        played_groups_by_place[place].add(meeting.board_group)
        future_play_counts[place, meeting.board_group] -= 1


def _find_free_group(
    meeting: Meeting,
    free_board_groups: Sequence[int],
    played_groups_by_place: PlayedGroups,
    future_play_counts: Counter[tuple[int, int]],
) -> int | None:
    """Return a free group that no place of the meeting has played, or None if there is none.

    Of several groups, the one that the places need least in later rounds is returned.
    """
    playable_groups = [
        board_group
        for board_group in free_board_groups
        if all(board_group not in played_groups_by_place[place] for place in meeting.places)
    ]
    if not playable_groups:
        return None
    return min(
        playable_groups,
        key=lambda board_group: sum(
            max(0, future_play_counts[place, board_group]) for place in meeting.places
        ),
    )


def _build_clash(
    meeting: Meeting, replacement_board_group: int | None, played_groups_by_place: PlayedGroups
) -> Clash:
    places_that_have_played = [
        place
        for place in meeting.places
        if meeting.board_group in played_groups_by_place[place]
    ]
    return Clash(
        round=meeting.round,
        table=meeting.table,
        places=meeting.places,
        places_that_have_played=tuple(places_that_have_played),
        board_group=meeting.board_group,
        replacement_board_group=replacement_board_group,
    )
