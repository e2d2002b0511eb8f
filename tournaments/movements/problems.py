"""What makes a schedule unplayable, each problem named by its round and table."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tournaments.movements.meetings import Contest, Meeting


def problems_of(
    meetings: Sequence[Meeting],
    *,
    contest: Contest,
    labels: Sequence[str],
    absent: frozenset[int],
    sharing: bool,
    replays: bool,
) -> list[str]:
    """List everything that is wrong with a schedule; an empty list means that it can be played.

    Meetings with an absent place are idle tables: they share nothing and replay nothing.
    """
    if not meetings:
        return ["The movement has no meetings: give at least one round at one table."]
    played = [each for each in meetings if not absent.intersection(each.places)]
    found = [*_labels(labels, absent), *_rounds(meetings)]
    for meeting in meetings:
        found += _numbers(meeting, len(labels))
        found += _seats(meeting, contest, labels)
    found += [*_tables(meetings), *_twice_in_a_round(meetings, labels)]
    if not played and not found:
        found.append("Every meeting has an absent place: nobody plays.")
    if not sharing:
        found += _shared(played)
    if not replays:
        found += _replayed(played, labels)
    return found


def _labels(labels: Sequence[str], absent: frozenset[int]) -> Iterator[str]:
    for label in dict.fromkeys(labels):
        if labels.count(label) > 1:
            yield f"Two places are called {label}: name each place once."
    for place in sorted(absent):
        if not 1 <= place <= len(labels):
            yield (
                f"Place {place} cannot be absent: "
                f"the movement has only the places 1 to {len(labels)}."
            )


def _rounds(meetings: Sequence[Meeting]) -> Iterator[str]:
    rounds = {meeting.round for meeting in meetings}
    for number in range(1, max(rounds) + 1):
        if number not in rounds:
            yield f"Round {number} has no table: number the rounds from 1 without a gap."


def _numbers(meeting: Meeting, places: int) -> Iterator[str]:
    where = _where(meeting)
    if min(meeting.round, meeting.table, meeting.board_group) < 1:
        yield f"{where}: rounds, tables and board groups are counted from 1."
    for place in meeting.places:
        if not 1 <= place <= places:
            yield f"{where}: there is no place {place}, only 1 to {places}."


def _seats(meeting: Meeting, contest: Contest, labels: Sequence[str]) -> Iterator[str]:
    seats = (meeting.north, meeting.east, meeting.south, meeting.west)
    if contest is Contest.INDIVIDUAL and len(set(seats)) != 4:
        yield f"{_where(meeting)}: four different players must sit in the four seats."
    elif set(meeting.ns) & set(meeting.ew):
        both = next(iter(set(meeting.ns) & set(meeting.ew)))
        yield f"{_where(meeting)}: {_label(labels, both)} sits on both sides of the table."
    elif contest in (Contest.PAIRS, Contest.MEMORY) and len(set(seats)) != 2:
        yield f"{_where(meeting)}: one pair must sit North-South and one East-West."


def _tables(meetings: Sequence[Meeting]) -> Iterator[str]:
    seen: set[tuple[int, int]] = set()
    for meeting in meetings:
        if (meeting.round, meeting.table) in seen:
            yield f"{_where(meeting)} is given twice: a table has one meeting in a round."
        seen.add((meeting.round, meeting.table))


def _twice_in_a_round(meetings: Sequence[Meeting], labels: Sequence[str]) -> Iterator[str]:
    seen: dict[tuple[int, int], int] = {}
    for meeting in meetings:
        for place in meeting.places:
            first = seen.setdefault((meeting.round, place), meeting.table)
            if first != meeting.table:
                who = _label(labels, place)
                yield f"{_where(meeting)}: {who} already sits at table {first}."


def _shared(played: Sequence[Meeting]) -> Iterator[str]:
    seen: dict[tuple[int, int], int] = {}
    for meeting in played:
        first = seen.setdefault((meeting.round, meeting.board_group), meeting.table)
        if first != meeting.table:
            yield (
                f"{_where(meeting)}: board group {meeting.board_group} is already "
                f"in play at table {first}."
            )


def _replayed(played: Sequence[Meeting], labels: Sequence[str]) -> Iterator[str]:
    seen: dict[tuple[int, int], int] = defaultdict(int)
    for meeting in played:
        for place in meeting.places:
            first = seen[(place, meeting.board_group)]
            if first:
                yield (
                    f"{_where(meeting)}: {_label(labels, place)} has already played "
                    f"board group {meeting.board_group} in round {first}."
                )
            seen[(place, meeting.board_group)] = first or meeting.round


def _where(meeting: Meeting) -> str:
    return f"Round {meeting.round}, table {meeting.table}"


def _label(labels: Sequence[str], place: int) -> str:
    return labels[place - 1] if 1 <= place <= len(labels) else f"place {place}"
