"""Custom movements: rows that a director typed, pasted or uploaded, fully checked.

A row has a round, a table, who sits North-South and East-West (or the four players) and the
board group. Places are plain numbers, or 3NS and 3EW if there are two fields.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_one_field_labels,
    make_two_field_labels,
)
from tournaments.movements.problems import format_position, list_problems, list_table_problems
from tournaments.movements.schedule import Movement, UnplayableMovement

Row = Mapping[str, object]

MAX_NUMBERS = {"round": 200, "table": 1000, "group": 1000}
MAX_PLACES = 4000
MAX_QUOTE_LENGTH = 40  # maximum characters of an entered value that a problem quotes
PAIR_COLUMNS = ("ns", "ew")
PLAYER_COLUMNS = ("n", "e", "s", "w")
_PLACE_PATTERN = re.compile(r"(\d{1,4})\s*(n\s*[-/]?\s*s|e\s*[-/]?\s*w)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Place:
    """An entered place: its number, and its field if there are two."""

    number: int
    field: str


@dataclass(frozen=True, slots=True)
class _CustomRow:
    """A valid row: round, table and board group, and the places at N, E, S and W."""

    round: int
    table: int
    group: int
    seats: tuple[_Place, _Place, _Place, _Place]


def build_custom(
    rows: Iterable[Row],
    *,
    title: str = "",
    contest: Contest | str | None = None,
    sharing: bool = False,
    replays: bool = False,
    places: int = 0,
    one_winner: bool | None = None,
) -> Movement:
    """Build a movement from rows with round, table, ns, ew and group (or n, e, s, w and group).

    In a contest of teams, plain numbers are teams, whose pairs are 3NS and 3EW. `places` is the
    number of places in each field, some of which may sit out every round. What happened at the
    tables may break a rule of plans: with `replays` a place may play boards twice. `one_winner`
    is whether two fields are ranked as one; it is needed if some pairs sat the wrong way.

    Raises UnplayableMovement with every problem of every row, each with its round and table.
    """
    known_contest = Contest(contest) if contest else None
    sittings, problems = _read_rows(list(rows), known_contest)
    sittings, mixed = _check_same_fields(sittings)
    problems += mixed
    labels = _make_labels(sittings, places)
    meetings = [_make_meeting(row, labels) for row in sittings]
    ranked = known_contest or _infer_contest(meetings)
    replays = replays or ranked is Contest.MEMORY
    # a missing table may be a row with a problem
    list_checks = list_table_problems if problems else list_problems
    schedule_problems = list_checks(
        meetings,
        contest=ranked,
        labels=labels,
        absent=frozenset(),
        sharing=sharing,
        replays=replays,
    )
    if not problems and not places:
        schedule_problems += _list_never_seated(meetings, labels)
    if problems or schedule_problems:
        raise UnplayableMovement(*problems, *schedule_problems)
    return Movement(
        name="custom",
        title=title or _("Custom movement"),
        contest=ranked,
        meetings=tuple(meetings),
        labels=labels,
        sharing=sharing,
        replays=replays,
        one_winner=one_winner,
    )


def build_rows(movement: Movement) -> list[dict[str, object]]:
    """Return a movement as rows for `build_custom`, e.g. to edit them."""
    return [_build_row(movement, meeting) for meeting in movement.played]


def _build_row(movement: Movement, meeting: Meeting) -> dict[str, object]:
    seats = (meeting.north, meeting.east, meeting.south, meeting.west)
    names = PAIR_COLUMNS if len(meeting.places) == 2 else PLAYER_COLUMNS
    return {
        "round": meeting.round,
        "table": meeting.table,
        **{name: movement.labels[place - 1] for name, place in zip(names, seats, strict=False)},
        "group": meeting.board_group,
    }


def _read_rows(
    rows: Sequence[Row], contest: Contest | None
) -> tuple[list[_CustomRow], list[str]]:
    sittings: list[_CustomRow] = []
    problems: list[str] = []
    for number, row in enumerate(rows, start=1):
        sitting, row_problems = _read_row(number, row, contest)
        problems += row_problems
        if sitting:
            sittings.append(sitting)
    if not rows:
        problems.append(_("The schedule is empty. Enter at least one round at one table."))
    return sittings, problems


def _read_row(
    number: int, row: Row, contest: Contest | None
) -> tuple[_CustomRow | None, list[str]]:
    counts = {name: _parse_count(row.get(name), most) for name, most in MAX_NUMBERS.items()}
    problems = [
        _number_problem(name, row.get(name)) for name, count in counts.items() if count is None
    ]
    names, column_problems = _find_columns(row)
    places = [_parse_place(row.get(name), name, contest) for name in names]
    problems += column_problems
    problems += [
        _place_problem(name.upper(), row.get(name))
        for name, place in zip(names, places, strict=True)
        if place is None
    ]
    if problems:
        template, position = _("%(where)s: %(problem)s"), _format_position(number, counts)
        return None, [
            template % {"where": position, "problem": problem} for problem in problems
        ]
    seats = [place for place in places if place]
    north, east, south, west = seats if len(seats) == 4 else (*seats, *seats)
    positive_counts = {name: count for name, count in counts.items() if count}
    return _CustomRow(**positive_counts, seats=(north, east, south, west)), []


def _format_position(number: int, counts: Mapping[str, int | None]) -> str:
    if counts["round"] and counts["table"]:
        return format_position(counts["round"], counts["table"])
    return _("Row %(row)s") % {"row": number}


def _find_columns(row: Row) -> tuple[Sequence[str], list[str]]:
    """Return the columns of places in a row, and the problems of its keys."""
    message = _(
        "column %(column)s not found. Use round, table, ns, ew (or n, e, s, w) and group."
    )
    unknown_names = [
        message % {"column": key}
        for key in row
        if key not in (*MAX_NUMBERS, *PAIR_COLUMNS, *PLAYER_COLUMNS)
    ]
    named_columns = [name for name in (*PAIR_COLUMNS, *PLAYER_COLUMNS) if name in row]
    if set(named_columns) & set(PAIR_COLUMNS) and set(named_columns) & set(PLAYER_COLUMNS):
        unknown_names.append(
            _("enter either pairs (ns, ew) or players (n, e, s, w), not both.")
        )
        return (), unknown_names
    return (
        PLAYER_COLUMNS if set(named_columns) & set(PLAYER_COLUMNS) else PAIR_COLUMNS
    ), unknown_names


def _parse_count(value: object, most: int) -> int | None:
    text = "" if isinstance(value, bool) else str(value).strip()
    if re.fullmatch(r"[0-9]{1,4}", text) and 1 <= int(text) <= most:
        return int(text)
    return None


def _parse_place(value: object, name: str, contest: Contest | None) -> _Place | None:
    text = "" if isinstance(value, bool) else str(value).strip()
    match = _PLACE_PATTERN.fullmatch(text)
    if not match or not text.isascii() or not 1 <= int(match[1]) <= MAX_PLACES:
        return None
    field = "".join(letter for letter in (match[2] or "").upper() if letter.isalpha())
    if contest is Contest.TEAMS and not field and name in PAIR_COLUMNS:
        field = name.upper()
    return _Place(int(match[1]), field)


def _number_problem(name: str, value: object) -> str:
    column = {"round": _("the round"), "table": _("the table")}.get(name) or _("the set")
    placeholders = {"column": column, "value": _quote_excerpt(value), "most": MAX_NUMBERS[name]}
    if value in (None, ""):
        message = _("%(column)s is missing. Enter a number from 1 to %(most)s.")
    else:
        message = _("%(column)s is “%(value)s”. Enter a number from 1 to %(most)s.")
    return message % placeholders


def _place_problem(column: str, value: object) -> str:
    if value in (None, ""):
        message = _("%(column)s is missing. Enter a place such as 3 or 3NS.")
    else:
        message = _("%(column)s is “%(value)s”. Enter a place such as 3 or 3NS.")
    return message % {"column": column, "value": _quote_excerpt(value)}


def _quote_excerpt(value: object) -> str:
    """Return an excerpt of the entered value that is long enough to identify it."""
    text = str(value)
    return text if len(text) <= MAX_QUOTE_LENGTH else f"{text[:MAX_QUOTE_LENGTH]}…"


def _check_same_fields(sittings: Sequence[_CustomRow]) -> tuple[list[_CustomRow], list[str]]:
    """Return the rows whose places are in the same notation as row 1, and a problem for each
    other row.
    """
    alike: list[_CustomRow] = []
    problems: list[str] = []
    for row in sittings:
        different_rows = [
            place for place in row.seats if bool(place.field) != bool(_find_fields(sittings))
        ]
        if not different_rows:
            alike.append(row)
            continue
        message = _(
            "%(where)s: %(place)s isn't written like the first place. "
            "Write all places as 3, or all as 3NS or 3EW."
        )
        place = f"{different_rows[0].number}{different_rows[0].field}"
        problems.append(
            message % {"where": format_position(row.round, row.table), "place": place}
        )
    return alike, problems


def _find_fields(sittings: Sequence[_CustomRow]) -> str:
    return sittings[0].seats[0].field if sittings else ""


def _make_labels(sittings: Sequence[_CustomRow], least: int) -> tuple[str, ...]:
    places = set(chain.from_iterable(row.seats for row in sittings))
    most = {
        field: max((place.number for place in places if place.field == field), default=0)
        for field in ("", "NS", "EW")
    }
    if _find_fields(sittings):
        return make_two_field_labels(max(most["NS"], least), max(most["EW"], least))
    return make_one_field_labels(max(most[""], least))


def _make_meeting(sitting: _CustomRow, labels: Sequence[str]) -> Meeting:
    north, east, south, west = (
        labels.index(f"{place.number}{place.field}") + 1 for place in sitting.seats
    )
    return Meeting(sitting.round, sitting.table, north, east, south, west, sitting.group)


def _infer_contest(meetings: Sequence[Meeting]) -> Contest:
    fours = any(len(meeting.places) > 2 for meeting in meetings)
    return Contest.INDIVIDUAL if fours else Contest.PAIRS


def _list_never_seated(meetings: Sequence[Meeting], labels: Sequence[str]) -> list[str]:
    seated = set(chain.from_iterable(meeting.places for meeting in meetings))
    missing = [label for place, label in enumerate(labels, start=1) if place not in seated]
    if not missing:
        return []
    names = ", ".join(missing[:5])
    if missing[5:]:
        template = _("%(names)s and %(count)s more")
        names = template % {"names": names, "count": len(missing) - 5}
    message = ngettext(
        "%(names)s isn't at any table. Number the places from 1 without gaps.",
        "%(names)s aren't at any table. Number the places from 1 without gaps.",
        len(missing),
    )
    return [message % {"names": names}]
