"""Repairs that make later rounds playable after an incident."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import groupby
from typing import TypeVar

from tournaments.movements.changes.consequences import Clash
from tournaments.movements.meetings import Meeting

Plays = dict[int, set[int]]  # the board groups that each place has played
Choice = TypeVar("Choice")


MAX_SEARCH_STEPS = 20_000
MAX_SHARING_TABLES = 2  # tables that can pass a group to and fro within a round


class Cure(Enum):
    """The solution for a meeting whose boards one of its places has played."""

    LEAVE_OUT = 0
    OTHER_BOARDS = 1
    SHARED_BOARDS = 2
    NEW_BOARDS = 3


def map_plays(meetings: Iterable[Meeting]) -> Plays:
    """Return the board groups that each place has played."""
    found: Plays = defaultdict(set)
    for meeting in meetings:
        for place in meeting.places:
            found[place].add(meeting.board_group)
    return found


def choose_compatible(
    choices: Sequence[Sequence[Choice]], goes_with: Callable[[Choice, Choice], bool]
) -> list[Choice]:
    """Choose compatible items for as many rounds as a bounded search finds."""
    best: list[Choice] = []
    tries = 0

    def search(at: int, chosen: list[Choice]) -> None:
        nonlocal best, tries
        tries += 1
        if len(chosen) > len(best):
            best = list(chosen)
        if tries > MAX_SEARCH_STEPS or len(chosen) + len(choices) - at <= len(best):
            return
        for each in choices[at]:
            if all(goes_with(each, earlier) for earlier in chosen):
                search(at + 1, [*chosen, each])
        search(at + 1, chosen)

    search(0, [])
    return best


def repair_meetings(
    past: Sequence[Meeting], future: Sequence[Meeting], cure: Cure
) -> tuple[list[Meeting], list[Clash]]:
    """Find a solution for each later meeting whose boards one of its places has played.

    A table without other boards that all its places can play is left out. Boards that are at
    another table are used only if the two are to share them. New boards are shared by two of
    those who need some in a round, or by all who would have shared. No place plays a deal twice
    (The Whist Laws of 1894, definition of overplay).
    """
    played = map_plays(past)
    coming = Counter((place, each.board_group) for each in future for place in each.places)
    groups = sorted({each.board_group for each in (*past, *future)})
    kept: list[Meeting] = []
    clashes: list[Clash] = []
    group: int | None
    for _number, in_round in groupby(sorted(future), key=lambda each: each.round):
        meetings = list(in_round)
        sound = [each for each in meetings if not _has_played(each, played)]
        lying = {each.board_group for each in sound}
        for each in sound:
            _record_play(each, played, coming)
        kept += sound
        sharers: dict[int, set[int]] = defaultdict(set)
        for wrong in (each for each in meetings if each not in sound):
            if cure is Cure.NEW_BOARDS:
                group = _find_new_group(wrong, groups[-1], played, sharers)
            else:
                group = _find_free_group(
                    wrong, _order_offered_groups(groups, lying, cure), played, coming
                )
            clashes.append(_build_clash(wrong, group, played))
            if group is not None:
                kept.append(wrong._replace(board_group=group))
                lying.add(group)
                _record_play(kept[-1], played, coming)
    return sorted(kept), clashes


def add_extra_round(
    past: Sequence[Meeting], future: Sequence[Meeting], clashes: Sequence[Clash]
) -> list[Meeting]:
    """Add a round in which lost meetings are made up; return None where no boards fit."""
    played = map_plays([*past, *future])
    groups = sorted({each.board_group for each in (*past, *future)})
    last = max(each.round for each in (*past, *future)) + 1
    busy: set[int] = set()
    lying: set[int] = set()
    tables: set[int] = set()
    extra = []
    for clash in clashes:
        fits = [
            group
            for group in groups
            if group not in lying and all(group not in played[p] for p in clash.places)
        ]
        if not fits or busy.intersection(clash.places) or clash.table in tables:
            continue
        ns, ew = clash.places[0], clash.places[-1]
        extra.append(Meeting(last, clash.table, ns, ew, ns, ew, fits[0]))
        busy.update(clash.places)
        lying.add(fits[0])
        tables.add(clash.table)
    return extra


def _order_offered_groups(groups: Sequence[int], lying: set[int], cure: Cure) -> list[int]:
    """Return the board groups for a table; groups that are at no table come first."""
    if cure is Cure.LEAVE_OUT:
        return []
    resting = [group for group in groups if group not in lying]
    shared = sorted(lying) if cure is Cure.SHARED_BOARDS else []
    return resting + shared


def _find_new_group(
    meeting: Meeting, last: int, played: Plays, sharers: dict[int, set[int]]
) -> int:
    """Return the first extra group that may be shared and that no place there has played.

    `sharers` stores whose boards a new group replaces in this round.
    """
    group, own = last + 1, meeting.board_group
    while any(group in played[place] for place in meeting.places) or (
        len(sharers[group] | {own}) > MAX_SHARING_TABLES
    ):
        group += 1
    sharers[group].add(own)
    return group


def _has_played(meeting: Meeting, played: Plays) -> bool:
    return any(meeting.board_group in played[place] for place in meeting.places)


def _record_play(meeting: Meeting, played: Plays, coming: Counter[tuple[int, int]]) -> None:
    for place in meeting.places:
        played[place].add(meeting.board_group)
        coming[place, meeting.board_group] -= 1


def _find_free_group(
    meeting: Meeting,
    free: Sequence[int],
    played: Plays,
    coming: Counter[tuple[int, int]],
) -> int | None:
    """Return a group that these places have not played and that later rounds need least."""
    fits = [g for g in free if all(g not in played[place] for place in meeting.places)]
    if not fits:
        return None
    return min(fits, key=lambda g: sum(max(0, coming[p, g]) for p in meeting.places))


def _build_clash(meeting: Meeting, instead: int | None, played: Plays) -> Clash:
    who = [p for p in meeting.places if meeting.board_group in played[p]]
    return Clash(
        round=meeting.round,
        table=meeting.table,
        places=meeting.places,
        earlier_players=tuple(who),
        board_group=meeting.board_group,
        instead=instead,
    )
