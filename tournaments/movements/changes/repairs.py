"""Repairs that make later rounds playable after an incident."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import groupby
from typing import TypeVar

from tournaments.movements.changes.consequences import Clash
from tournaments.movements.meetings import Meeting

Plays = dict[int, set[int]]  # the board groups played by each place
Choice = TypeVar("Choice")


MAX_SEARCH_STEPS = 20_000
MAX_SHARING_TABLES = 2  # tables that can share a board group in a round


class Cure(Enum):
    """The solution for a meeting whose boards one of its places has already played."""

    LEAVE_OUT = 0
    OTHER_BOARDS = 1
    SHARED_BOARDS = 2
    NEW_BOARDS = 3


def map_plays(meetings: Iterable[Meeting]) -> Plays:
    """Return the board groups that each place has played."""
    groups_by_place: Plays = defaultdict(set)
    for meeting in meetings:
        for place in meeting.places:
            groups_by_place[place].add(meeting.board_group)
    return groups_by_place


def choose_compatible(
    choices: Sequence[Sequence[Choice]], goes_with: Callable[[Choice, Choice], bool]
) -> list[Choice]:
    """Choose compatible items for as many rounds as a bounded search finds."""
    best: list[Choice] = []
    tries = 0

    def search(index: int, chosen_items: list[Choice]) -> None:
        nonlocal best, tries
        tries += 1
        if len(chosen_items) > len(best):
            best = list(chosen_items)
        if tries > MAX_SEARCH_STEPS or len(chosen_items) + len(choices) - index <= len(best):
            return
        for choice in choices[index]:
            if all(goes_with(choice, earlier) for earlier in chosen_items):
                search(index + 1, [*chosen_items, choice])
        search(index + 1, chosen_items)

    search(0, [])
    return best


def repair_meetings(
    past: Sequence[Meeting], future: Sequence[Meeting], cure: Cure
) -> tuple[list[Meeting], list[Clash]]:
    """Find a solution for each later meeting whose boards one of its places has already played.

    A table is left out if there are no other boards that all its places can play. Boards of
    another table are only used if the solution is sharing. New boards are shared by two tables
    that need some in a round, or by all that would have shared. No place plays a deal twice
    (The Whist Laws of 1894, definition of overplay).
    """
    played = map_plays(past)
    coming_plays = Counter(
        (place, meeting.board_group) for meeting in future for place in meeting.places
    )
    groups = sorted({meeting.board_group for meeting in (*past, *future)})
    repaired: list[Meeting] = []
    clashes: list[Clash] = []
    group: int | None
    for _number, in_round in groupby(sorted(future), key=lambda meeting: meeting.round):
        meetings = list(in_round)
        playable = [meeting for meeting in meetings if not _has_played(meeting, played)]
        groups_at_tables = {meeting.board_group for meeting in playable}
        for meeting in playable:
            _record_play(meeting, played, coming_plays)
        repaired += playable
        sharers: dict[int, set[int]] = defaultdict(set)
        for unplayable in (meeting for meeting in meetings if meeting not in playable):
            if cure is Cure.NEW_BOARDS:
                group = _find_new_group(unplayable, groups[-1], played, sharers)
            else:
                group = _find_free_group(
                    unplayable,
                    _order_offered_groups(groups, groups_at_tables, cure),
                    played,
                    coming_plays,
                )
            clashes.append(_build_clash(unplayable, group, played))
            if group is not None:
                repaired.append(unplayable._replace(board_group=group))
                groups_at_tables.add(group)
                _record_play(repaired[-1], played, coming_plays)
    return sorted(repaired), clashes


def build_extra_round(
    past: Sequence[Meeting], future: Sequence[Meeting], clashes: Sequence[Clash]
) -> list[Meeting]:
    """Return an extra round that makes up lost meetings.

    Meetings without playable boards stay lost.
    """
    played = map_plays([*past, *future])
    groups = sorted({meeting.board_group for meeting in (*past, *future)})
    last = max(meeting.round for meeting in (*past, *future)) + 1
    busy: set[int] = set()
    groups_at_tables: set[int] = set()
    tables: set[int] = set()
    extra_meetings = []
    for clash in clashes:
        playable_groups = [
            group
            for group in groups
            if group not in groups_at_tables
            and all(group not in played[p] for p in clash.places)
        ]
        if not playable_groups or busy.intersection(clash.places) or clash.table in tables:
            continue
        ns, ew = clash.places[0], clash.places[-1]
        extra_meetings.append(Meeting(last, clash.table, ns, ew, ns, ew, playable_groups[0]))
        busy.update(clash.places)
        groups_at_tables.add(playable_groups[0])
        tables.add(clash.table)
    return extra_meetings


def _order_offered_groups(
    groups: Sequence[int], groups_at_tables: set[int], cure: Cure
) -> list[int]:
    """Return the board groups to try at a table; groups that are at no table come first."""
    if cure is Cure.LEAVE_OUT:
        return []
    free_groups = [group for group in groups if group not in groups_at_tables]
    shared_groups = sorted(groups_at_tables) if cure is Cure.SHARED_BOARDS else []
    return free_groups + shared_groups


def _find_new_group(
    meeting: Meeting, last: int, played: Plays, sharers: dict[int, set[int]]
) -> int:
    """Return the first additional group that no place there has played.

    `sharers` records which groups an additional group replaces in this round.
    """
    group, own_group = last + 1, meeting.board_group
    while any(group in played[place] for place in meeting.places) or (
        len(sharers[group] | {own_group}) > MAX_SHARING_TABLES
    ):
        group += 1
    sharers[group].add(own_group)
    return group


def _has_played(meeting: Meeting, played: Plays) -> bool:
    return any(meeting.board_group in played[place] for place in meeting.places)


def _record_play(
    meeting: Meeting, played: Plays, coming_plays: Counter[tuple[int, int]]
) -> None:
    for place in meeting.places:
        played[place].add(meeting.board_group)
        coming_plays[place, meeting.board_group] -= 1


def _find_free_group(
    meeting: Meeting,
    free_groups: Sequence[int],
    played: Plays,
    coming_plays: Counter[tuple[int, int]],
) -> int | None:
    """Return a group that these places have not played and later rounds need least."""
    playable_groups = [
        g for g in free_groups if all(g not in played[place] for place in meeting.places)
    ]
    if not playable_groups:
        return None
    return min(
        playable_groups, key=lambda g: sum(max(0, coming_plays[p, g]) for p in meeting.places)
    )


def _build_clash(meeting: Meeting, instead: int | None, played: Plays) -> Clash:
    earlier_players = [p for p in meeting.places if meeting.board_group in played[p]]
    return Clash(
        round=meeting.round,
        table=meeting.table,
        places=meeting.places,
        earlier_players=tuple(earlier_players),
        board_group=meeting.board_group,
        instead=instead,
    )
