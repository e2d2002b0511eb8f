"""Checks that a schedule can be played; each problem names the round and the table."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from tournaments.movements.meetings import Contest, Meeting


def list_problems(
    meetings: Sequence[Meeting],
    *,
    contest: Contest,
    labels: Sequence[str],
    absent_places: frozenset[int],
    allows_sharing: bool,
    allows_replays: bool,
    copy_count: int = 1,
) -> list[str]:
    """List all problems of a schedule; if the list is empty, the schedule can be played.

    Meetings with an absent place are idle: they neither share nor replay boards.
    """
    if not meetings:
        return [_("The movement is empty. Enter at least one round at one table.")]
    max_copies = None if allows_sharing else copy_count
    if _is_provably_valid(
        meetings, contest, labels, absent_places, max_copies, allows_replays=allows_replays
    ):
        return []
    played_meetings = [
        meeting for meeting in meetings if not absent_places.intersection(meeting.places)
    ]
    problems = [
        *_iter_label_problems(labels, absent_places),
        *_iter_round_problems(meetings),
        *list_table_problems(
            meetings,
            contest=contest,
            labels=labels,
            absent_places=absent_places,
            allows_sharing=allows_sharing,
            allows_replays=allows_replays,
            copy_count=copy_count,
        ),
    ]
    if not played_meetings and not problems:
        problems.append(_("A place is missing in every meeting, so no one plays."))
    return problems


def _is_provably_valid(
    meetings: Sequence[Meeting],
    contest: Contest,
    place_labels: Sequence[str],
    absent_places: frozenset[int],
    max_tables_per_group: int | None,
    *,
    allows_replays: bool,
) -> bool:
    """Return whether a schedule is certainly valid, in a tenth of the time of the full check.

    If False, the schedule may be invalid or only unusual, and the full check decides.
    `max_tables_per_group` is the maximum number of tables at one board group in a round.
    """
    rounds, tables, north, east, south, west, board_groups = zip(*meetings, strict=True)
    is_pairs_schedule = north == south and east == west
    if is_pairs_schedule == (contest is Contest.INDIVIDUAL):
        return False
    sides = (north, east) if is_pairs_schedule else (north, east, south, west)
    seated_places = set().union(*sides)
    return (
        len(set(place_labels)) == len(place_labels)
        and min(tables) >= 1
        and min(board_groups) >= 1
        and set(rounds) == set(range(1, max(rounds) + 1))
        and seated_places <= set(range(1, len(place_labels) + 1))
        and absent_places <= set(range(1, len(place_labels) + 1))
        and _are_pairings_unique(rounds, (tables,))
        and _are_pairings_unique(rounds, sides)
        and _are_plays_valid(
            meetings,
            absent_places,
            max_tables_per_group,
            len(sides),
            allows_replays=allows_replays,
        )
    )


def _are_plays_valid(
    meetings: Sequence[Meeting],
    absent_places: frozenset[int],
    max_tables_per_group: int | None,
    seat_count: int,
    *,
    allows_replays: bool,
) -> bool:
    played_meetings = (
        [meeting for meeting in meetings if absent_places.isdisjoint(meeting[2:6])]
        if absent_places
        else meetings
    )
    if not played_meetings:
        return False
    rounds, _tables, *seats, board_groups = zip(*played_meetings, strict=True)
    if max_tables_per_group == 1 and not _are_pairings_unique(rounds, (board_groups,)):
        return False
    if (
        max_tables_per_group
        and max_tables_per_group > 1
        and max(Counter(zip(rounds, board_groups, strict=True)).values()) > max_tables_per_group
    ):
        return False
    return allows_replays or _are_pairings_unique(board_groups, seats[:seat_count])


def _are_pairings_unique(column: Sequence[int], sides: Sequence[Sequence[int]]) -> bool:
    """Return whether no number of a side occurs twice beside the same number of `column`.

    All sides are as long as `column`.
    """
    pairing_codes: set[int] = set()
    pairing_code_factor = max(map(max, sides)) + 1
    for side in sides:
        pairing_codes.update(
            [
                column_number * pairing_code_factor + side_number
                for column_number, side_number in zip(column, side, strict=True)
            ]
        )
    return len(pairing_codes) == len(column) * len(sides)


def list_table_problems(
    meetings: Sequence[Meeting],
    *,
    contest: Contest,
    labels: Sequence[str],
    absent_places: frozenset[int],
    allows_sharing: bool,
    allows_replays: bool,
    copy_count: int = 1,
) -> list[str]:
    """List the problems of single tables, while other tables are still missing."""
    played_meetings = [
        meeting for meeting in meetings if not absent_places.intersection(meeting.places)
    ]
    problems: list[str] = []
    for meeting in meetings:
        problems += _iter_number_problems(meeting, len(labels))
        problems += _iter_seat_problems(meeting, contest, labels)
    problems += [*_iter_table_problems(meetings), *_iter_double_seat_problems(meetings, labels)]
    if not allows_sharing:
        problems += _iter_sharing_problems(played_meetings, copy_count)
    if not allows_replays:
        problems += _iter_replay_problems(played_meetings, labels)
    return problems


def format_round_and_table(round_number: int, table_number: int) -> str:
    """Format a table in a round for messages."""
    return _("Round %(round)s, table %(table)s") % {
        "round": round_number,
        "table": table_number,
    }


def _iter_label_problems(
    place_labels: Sequence[str], absent_places: frozenset[int]
) -> Iterator[str]:
    for label in dict.fromkeys(place_labels):
        if place_labels.count(label) > 1:
            yield _("Two places are called %(place)s. Give each its own name.") % {
                "place": label
            }
    for place in sorted(absent_places):
        if not 1 <= place <= len(place_labels):
            message = _(
                "Place %(place)s can’t be missing. The movement only has places 1–%(places)s."
            )
            yield message % {"place": place, "places": len(place_labels)}


def _iter_round_problems(meetings: Sequence[Meeting]) -> Iterator[str]:
    round_numbers = {meeting.round for meeting in meetings}
    for round_number in range(1, max(round_numbers) + 1):
        if round_number not in round_numbers:
            message = _("Round %(round)s has no table. Number the rounds from 1 without gaps.")
            yield message % {"round": round_number}


def _iter_number_problems(meeting: Meeting, place_count: int) -> Iterator[str]:
    if min(meeting.round, meeting.table, meeting.board_group) < 1:
        message = _("%(where)s: number rounds, tables and sets from 1.")
        yield message % {"where": _format_meeting_position(meeting)}
    for place in meeting.places:
        if not 1 <= place <= place_count:
            message = _("%(where)s: place %(place)s not found. Places are 1–%(places)s.")
            yield message % {
                "where": _format_meeting_position(meeting),
                "place": place,
                "places": place_count,
            }


def _iter_seat_problems(
    meeting: Meeting, contest: Contest, place_labels: Sequence[str]
) -> Iterator[str]:
    seats = (meeting.north, meeting.east, meeting.south, meeting.west)
    if contest is Contest.INDIVIDUAL and len(set(seats)) != 4:
        message = _("%(where)s: enter four different players.")
        yield message % {"where": _format_meeting_position(meeting)}
    elif set(meeting.ns) & set(meeting.ew):
        shared_place = next(iter(set(meeting.ns) & set(meeting.ew)))
        message = _("%(where)s: %(who)s is on both sides of the table.")
        yield message % {
            "where": _format_meeting_position(meeting),
            "who": _format_label(place_labels, shared_place),
        }
    elif contest in (Contest.PAIRS, Contest.MEMORY) and len(set(seats)) != 2:
        message = _("%(where)s: enter one pair North-South and one East-West.")
        yield message % {"where": _format_meeting_position(meeting)}


def _iter_table_problems(meetings: Sequence[Meeting]) -> Iterator[str]:
    seen_tables: set[tuple[int, int]] = set()
    for meeting in meetings:
        if (meeting.round, meeting.table) in seen_tables:
            message = _("%(where)s is listed twice. A table has one meeting per round.")
            yield message % {"where": _format_meeting_position(meeting)}
        seen_tables.add((meeting.round, meeting.table))


def _iter_double_seat_problems(
    meetings: Sequence[Meeting], place_labels: Sequence[str]
) -> Iterator[str]:
    tables_by_round_and_place: dict[tuple[int, int], int] = {}
    for meeting in meetings:
        for place in meeting.places:
            first_table_number = tables_by_round_and_place.setdefault(
                (meeting.round, place), meeting.table
            )
            if first_table_number != meeting.table:
                message = _("%(where)s: %(who)s is already at table %(table)s.")
                label = _format_label(place_labels, place)
                yield message % {
                    "where": _format_meeting_position(meeting),
                    "who": label,
                    "table": first_table_number,
                }


def _iter_sharing_problems(
    played_meetings: Sequence[Meeting], copy_count: int
) -> Iterator[str]:
    tables_by_round_and_group: dict[tuple[int, int], list[int]] = defaultdict(list)
    for meeting in played_meetings:
        group_tables = tables_by_round_and_group[meeting.round, meeting.board_group]
        if meeting.table in group_tables:
            continue
        if len(group_tables) >= copy_count:
            message = _("%(where)s: set %(group)s is already at table %(table)s.")
            yield message % {
                "where": _format_meeting_position(meeting),
                "group": meeting.board_group,
                "table": group_tables[0],
            }
        group_tables.append(meeting.table)


def _iter_replay_problems(
    played_meetings: Sequence[Meeting], place_labels: Sequence[str]
) -> Iterator[str]:
    round_by_place_and_group: dict[tuple[int, int], int] = defaultdict(int)
    for meeting in played_meetings:
        for place in meeting.places:
            first_round_number = round_by_place_and_group[(place, meeting.board_group)]
            if first_round_number:
                message = _(
                    "%(where)s: %(who)s already played set %(group)s in round %(round)s."
                )
                yield message % {
                    "where": _format_meeting_position(meeting),
                    "who": _format_label(place_labels, place),
                    "group": meeting.board_group,
                    "round": first_round_number,
                }
            round_by_place_and_group[(place, meeting.board_group)] = (
                first_round_number or meeting.round
            )


def _format_meeting_position(meeting: Meeting) -> str:
    return format_round_and_table(meeting.round, meeting.table)


def _format_label(place_labels: Sequence[str], place: int) -> str:
    if 1 <= place <= len(place_labels):
        return place_labels[place - 1]
    return _("place %(place)s") % {"place": place}
