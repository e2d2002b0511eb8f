"""Checks that a schedule can be played; each problem names its round and table."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from tournaments.movements.meetings import Contest, Meeting


def list_problems(
    meetings: Sequence[Meeting],
    *,
    contest: Contest,
    labels: Sequence[str],
    absent: frozenset[int],
    sharing: bool,
    replays: bool,
    copies: int = 1,
) -> list[str]:
    """List all problems of a schedule; without any it can be played.

    Meetings with an absent place are idle: they neither share nor replay boards.
    """
    if not meetings:
        return [_("The movement is empty. Enter at least one round at one table.")]
    max_copies = None if sharing else copies
    if _is_surely_valid(meetings, contest, labels, absent, max_copies, replays=replays):
        return []
    played = [meeting for meeting in meetings if not absent.intersection(meeting.places)]
    problems = [
        *_iter_label_problems(labels, absent),
        *_iter_round_problems(meetings),
        *list_table_problems(
            meetings,
            contest=contest,
            labels=labels,
            absent=absent,
            sharing=sharing,
            replays=replays,
            copies=copies,
        ),
    ]
    if not played and not problems:
        problems.append(_("A place is missing in every meeting, so no one plays."))
    return problems


def _is_surely_valid(
    meetings: Sequence[Meeting],
    contest: Contest,
    labels: Sequence[str],
    absent: frozenset[int],
    most: int | None,
    *,
    replays: bool,
) -> bool:
    """Return whether a schedule is certainly valid, in a tenth of the time of the full check.

    If False, the schedule may be invalid or only unusual, and the full check decides. `most` is
    the maximum number of tables at one board group in a round.
    """
    rounds, tables, north, east, south, west, sets = zip(*meetings, strict=True)
    pairs = north == south and east == west
    if pairs == (contest is Contest.INDIVIDUAL):
        return False
    sides = (north, east) if pairs else (north, east, south, west)
    seated = set().union(*sides)
    return (
        len(set(labels)) == len(labels)
        and min(tables) >= 1
        and min(sets) >= 1
        and set(rounds) == set(range(1, max(rounds) + 1))
        and seated <= set(range(1, len(labels) + 1))
        and absent <= set(range(1, len(labels) + 1))
        and _all_differ(rounds, (tables,))
        and _all_differ(rounds, sides)
        and _are_plays_valid(meetings, absent, most, len(sides), replays=replays)
    )


def _are_plays_valid(
    meetings: Sequence[Meeting],
    absent: frozenset[int],
    most: int | None,
    sides: int,
    *,
    replays: bool,
) -> bool:
    played = (
        [meeting for meeting in meetings if absent.isdisjoint(meeting[2:6])]
        if absent
        else meetings
    )
    if not played:
        return False
    rounds, _tables, *seats, sets = zip(*played, strict=True)
    if most == 1 and not _all_differ(rounds, (sets,)):
        return False
    if most and most > 1 and max(Counter(zip(rounds, sets, strict=True)).values()) > most:
        return False
    return replays or _all_differ(sets, seats[:sides])


def _all_differ(column: Sequence[int], sides: Sequence[Sequence[int]]) -> bool:
    """Return whether no number in a column is twice next to the same number, on either side."""
    couples: set[int] = set()
    times = max(map(max, sides)) + 1
    for side in sides:
        couples.update([one * times + other for one, other in zip(column, side, strict=True)])
    return len(couples) == len(column) * len(sides)


def list_table_problems(
    meetings: Sequence[Meeting],
    *,
    contest: Contest,
    labels: Sequence[str],
    absent: frozenset[int],
    sharing: bool,
    replays: bool,
    copies: int = 1,
) -> list[str]:
    """List the problems of single tables, while other tables are still missing."""
    played = [each for each in meetings if not absent.intersection(each.places)]
    problems: list[str] = []
    for meeting in meetings:
        problems += _iter_number_problems(meeting, len(labels))
        problems += _iter_seat_problems(meeting, contest, labels)
    problems += [*_iter_table_problems(meetings), *_iter_double_seats(meetings, labels)]
    if not sharing:
        problems += _iter_shared_boards(played, copies)
    if not replays:
        problems += _iter_replays(played, labels)
    return problems


def format_position(round_: int, table: int) -> str:
    """Format a table in a round for messages."""
    return _("Round %(round)s, table %(table)s") % {"round": round_, "table": table}


def _iter_label_problems(labels: Sequence[str], absent: frozenset[int]) -> Iterator[str]:
    for label in dict.fromkeys(labels):
        if labels.count(label) > 1:
            yield _("Two places are called %(place)s. Give each its own name.") % {
                "place": label
            }
    for place in sorted(absent):
        if not 1 <= place <= len(labels):
            message = _(
                "Place %(place)s can't be missing. The movement only has "
                "places 1 to %(places)s."
            )
            yield message % {"place": place, "places": len(labels)}


def _iter_round_problems(meetings: Sequence[Meeting]) -> Iterator[str]:
    rounds = {meeting.round for meeting in meetings}
    for number in range(1, max(rounds) + 1):
        if number not in rounds:
            message = _("Round %(round)s has no table. Number the rounds from 1 without gaps.")
            yield message % {"round": number}


def _iter_number_problems(meeting: Meeting, places: int) -> Iterator[str]:
    if min(meeting.round, meeting.table, meeting.board_group) < 1:
        message = _("%(where)s: number rounds, tables and sets from 1.")
        yield message % {"where": _format_meeting_position(meeting)}
    for place in meeting.places:
        if not 1 <= place <= places:
            message = _("%(where)s: place %(place)s not found. Places are 1 to %(places)s.")
            yield message % {
                "where": _format_meeting_position(meeting),
                "place": place,
                "places": places,
            }


def _iter_seat_problems(
    meeting: Meeting, contest: Contest, labels: Sequence[str]
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
            "who": _format_label(labels, shared_place),
        }
    elif contest in (Contest.PAIRS, Contest.MEMORY) and len(set(seats)) != 2:
        message = _("%(where)s: enter one pair North-South and one East-West.")
        yield message % {"where": _format_meeting_position(meeting)}


def _iter_table_problems(meetings: Sequence[Meeting]) -> Iterator[str]:
    seen_tables: set[tuple[int, int]] = set()
    for meeting in meetings:
        if (meeting.round, meeting.table) in seen_tables:
            message = _("%(where)s is there twice. A table has one meeting in a round.")
            yield message % {"where": _format_meeting_position(meeting)}
        seen_tables.add((meeting.round, meeting.table))


def _iter_double_seats(meetings: Sequence[Meeting], labels: Sequence[str]) -> Iterator[str]:
    table_by_place: dict[tuple[int, int], int] = {}
    for meeting in meetings:
        for place in meeting.places:
            first = table_by_place.setdefault((meeting.round, place), meeting.table)
            if first != meeting.table:
                message = _("%(where)s: %(who)s is already at table %(table)s.")
                label = _format_label(labels, place)
                yield message % {
                    "where": _format_meeting_position(meeting),
                    "who": label,
                    "table": first,
                }


def _iter_shared_boards(played: Sequence[Meeting], copies: int) -> Iterator[str]:
    tables_by_group: dict[tuple[int, int], list[int]] = defaultdict(list)
    for meeting in played:
        tables = tables_by_group[meeting.round, meeting.board_group]
        if meeting.table in tables:
            continue
        if len(tables) >= copies:
            message = _("%(where)s: set %(group)s is already at table %(table)s.")
            yield message % {
                "where": _format_meeting_position(meeting),
                "group": meeting.board_group,
                "table": tables[0],
            }
        tables.append(meeting.table)


def _iter_replays(played: Sequence[Meeting], labels: Sequence[str]) -> Iterator[str]:
    round_by_play: dict[tuple[int, int], int] = defaultdict(int)
    for meeting in played:
        for place in meeting.places:
            first = round_by_play[(place, meeting.board_group)]
            if first:
                message = _(
                    "%(where)s: %(who)s already played set %(group)s in round %(round)s."
                )
                yield message % {
                    "where": _format_meeting_position(meeting),
                    "who": _format_label(labels, place),
                    "group": meeting.board_group,
                    "round": first,
                }
            round_by_play[(place, meeting.board_group)] = first or meeting.round


def _format_meeting_position(meeting: Meeting) -> str:
    return format_position(meeting.round, meeting.table)


def _format_label(labels: Sequence[str], place: int) -> str:
    if 1 <= place <= len(labels):
        return labels[place - 1]
    return _("place %(place)s") % {"place": place}
