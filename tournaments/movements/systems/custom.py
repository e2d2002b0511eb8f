"""Checks custom movements, which are rows that a director typed, pasted or uploaded.

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
    make_ns_and_ew_labels,
    make_numeric_labels,
)
from tournaments.movements.problems import (
    format_round_and_table,
    list_problems,
    list_table_problems,
)
from tournaments.movements.schedule import Movement, UnplayableMovement

EnteredRow = Mapping[str, object]

MAX_NUMBERS_BY_COLUMN = {"round": 200, "table": 1000, "group": 1000}
MAX_PLACES = 4000
MAX_QUOTE_LENGTH = 40  # maximum characters of an entered value that a problem quotes
PAIR_COLUMNS = ("ns", "ew")
PLAYER_COLUMNS = ("n", "e", "s", "w")
_PLACE_PATTERN = re.compile(r"(\d{1,4})\s*(n\s*[-/]?\s*s|e\s*[-/]?\s*w)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Place:
    """An entered place: its number, and its field if there are two fields."""

    number: int
    field_name: str


@dataclass(frozen=True, slots=True)
class _CustomRow:
    """A valid row: round, table and board group, and the places at N, E, S and W."""

    round: int
    table: int
    group: int
    seats: tuple[_Place, _Place, _Place, _Place]


def build_custom_movement(
    rows: Iterable[EnteredRow],
    *,
    title: str = "",
    contest: Contest | str | None = None,
    sharing: bool = False,
    replays: bool = False,
    places: int = 0,
    one_winner: bool | None = None,
) -> Movement:
    """Build a movement from rows with round, table, ns, ew and group (or n, e, s, w and group).

    In a contest of teams, a number such as 3 is a team, whose pairs are 3NS and 3EW. `places`
    is the minimum number of places in each field; some of them may sit out every round.
    `sharing` allows tables to share boards, and `replays` allows a place to play boards twice.
    `one_winner` is whether two fields are ranked as one. It is needed if some pairs sat the
    wrong way.

    Raises UnplayableMovement with every problem of every row, each with its round and table.
    """
    known_contest = Contest(contest) if contest else None
    custom_rows, problems = _read_rows(list(rows), known_contest)
    custom_rows, notation_problems = _check_place_notation(custom_rows)
    problems += notation_problems
    labels = _make_labels(custom_rows, places)
    meetings = [_make_meeting(row, labels) for row in custom_rows]
    actual_contest = known_contest or _infer_contest(meetings)
    replays = replays or actual_contest is Contest.MEMORY
    # Rows with problems are left out, so tables may be missing. Then check single tables only.
    list_applicable_problems = list_table_problems if problems else list_problems
    schedule_problems = list_applicable_problems(
        meetings,
        contest=actual_contest,
        labels=labels,
        absent_places=frozenset(),
        allows_sharing=sharing,
        allows_replays=replays,
    )
    if not problems and not places:
        schedule_problems += _list_unseated_place_problems(meetings, labels)
    if problems or schedule_problems:
        raise UnplayableMovement(*problems, *schedule_problems)
    return Movement(
        name="custom",
        title=title or _("Custom movement"),
        contest=actual_contest,
        meetings=tuple(meetings),
        labels=labels,
        allows_sharing=sharing,
        allows_replays=replays,
        one_winner=one_winner,
    )


def build_rows(movement: Movement) -> list[dict[str, object]]:
    """Return a movement as rows for `build_custom_movement`, e.g. to edit them."""
    return [_build_row(movement, meeting) for meeting in movement.played_meetings]


def _build_row(movement: Movement, meeting: Meeting) -> dict[str, object]:
    seats = (meeting.north, meeting.east, meeting.south, meeting.west)
    column_names = PAIR_COLUMNS if len(meeting.places) == 2 else PLAYER_COLUMNS
    return {
        "round": meeting.round,
        "table": meeting.table,
        **{
            column_name: movement.labels[place - 1]
            for column_name, place in zip(column_names, seats, strict=False)
        },
        "group": meeting.board_group,
    }


def _read_rows(
    rows: Sequence[EnteredRow], contest: Contest | None
) -> tuple[list[_CustomRow], list[str]]:
    custom_rows: list[_CustomRow] = []
    problems: list[str] = []
    for row_number, row in enumerate(rows, start=1):
        custom_row, row_problems = _read_row(row_number, row, contest)
        problems += row_problems
        if custom_row:
            custom_rows.append(custom_row)
    if not rows:
        problems.append(_("The schedule is empty. Enter at least one round at one table."))
    return custom_rows, problems


def _read_row(
    row_number: int, row: EnteredRow, contest: Contest | None
) -> tuple[_CustomRow | None, list[str]]:
    numbers_by_column = {
        column_name: _parse_number(row.get(column_name), maximum)
        for column_name, maximum in MAX_NUMBERS_BY_COLUMN.items()
    }
    problems = [
        _describe_number_problem(column_name, row.get(column_name))
        for column_name, number in numbers_by_column.items()
        if number is None
    ]
    column_names, column_problems = _find_place_columns(row)
    parsed_places = [
        _parse_place(row.get(column_name), column_name, contest) for column_name in column_names
    ]
    problems += column_problems
    problems += [
        _describe_place_problem(column_name.upper(), row.get(column_name))
        for column_name, place in zip(column_names, parsed_places, strict=True)
        if place is None
    ]
    if problems:
        template = _("%(where)s: %(problem)s")
        position = _format_row_position(row_number, numbers_by_column)
        return None, [
            template % {"where": position, "problem": problem} for problem in problems
        ]
    seats = [place for place in parsed_places if place]
    north, east, south, west = seats if len(seats) == 4 else (*seats, *seats)
    valid_numbers_by_column = {
        column_name: number for column_name, number in numbers_by_column.items() if number
    }
    return _CustomRow(**valid_numbers_by_column, seats=(north, east, south, west)), []


def _format_row_position(row_number: int, numbers_by_column: Mapping[str, int | None]) -> str:
    if numbers_by_column["round"] and numbers_by_column["table"]:
        return format_round_and_table(numbers_by_column["round"], numbers_by_column["table"])
    return _("Row %(row)s") % {"row": row_number}


def _find_place_columns(row: EnteredRow) -> tuple[Sequence[str], list[str]]:
    """Return the columns of places in a row, and the problems of the row's column names."""
    message = _(
        "column %(column)s not found. Use round, table, ns, ew (or n, e, s, w) and group."
    )
    problems = [
        message % {"column": column_name}
        for column_name in row
        if column_name not in (*MAX_NUMBERS_BY_COLUMN, *PAIR_COLUMNS, *PLAYER_COLUMNS)
    ]
    place_columns = [
        column_name for column_name in (*PAIR_COLUMNS, *PLAYER_COLUMNS) if column_name in row
    ]
    if set(place_columns) & set(PAIR_COLUMNS) and set(place_columns) & set(PLAYER_COLUMNS):
        problems.append(_("enter either pairs (ns, ew) or players (n, e, s, w), not both."))
        return (), problems
    return (
        PLAYER_COLUMNS if set(place_columns) & set(PLAYER_COLUMNS) else PAIR_COLUMNS
    ), problems


def _parse_number(entered_value: object, maximum: int) -> int | None:
    number_text = "" if isinstance(entered_value, bool) else str(entered_value).strip()
    if re.fullmatch(r"[0-9]{1,4}", number_text) and 1 <= int(number_text) <= maximum:
        return int(number_text)
    return None


def _parse_place(
    entered_value: object, column_name: str, contest: Contest | None
) -> _Place | None:
    place_text = "" if isinstance(entered_value, bool) else str(entered_value).strip()
    place_match = _PLACE_PATTERN.fullmatch(place_text)
    if (
        not place_match
        or not place_text.isascii()
        or not 1 <= int(place_match[1]) <= MAX_PLACES
    ):
        return None
    field_name = "".join(
        letter for letter in (place_match[2] or "").upper() if letter.isalpha()
    )
    if contest is Contest.TEAMS and not field_name and column_name in PAIR_COLUMNS:
        field_name = column_name.upper()
    return _Place(int(place_match[1]), field_name)


def _describe_number_problem(column_name: str, entered_value: object) -> str:
    column_text = {"round": _("the round"), "table": _("the table")}.get(column_name) or _(
        "the set"
    )
    placeholders = {
        "column": column_text,
        "value": _quote_excerpt(entered_value),
        "most": MAX_NUMBERS_BY_COLUMN[column_name],
    }
    if entered_value in (None, ""):
        message = _("%(column)s is missing. Enter a number from 1 to %(most)s.")
    else:
        message = _("%(column)s is “%(value)s”. Enter a number from 1 to %(most)s.")
    return message % placeholders


def _describe_place_problem(column_name: str, entered_value: object) -> str:
    if entered_value in (None, ""):
        message = _("%(column)s is missing. Enter a place such as 3 or 3NS.")
    else:
        message = _("%(column)s is “%(value)s”. Enter a place such as 3 or 3NS.")
    return message % {"column": column_name, "value": _quote_excerpt(entered_value)}


def _quote_excerpt(entered_value: object) -> str:
    """Return an excerpt of the entered value that is long enough to identify it."""
    value_text = str(entered_value)
    return (
        value_text
        if len(value_text) <= MAX_QUOTE_LENGTH
        else f"{value_text[:MAX_QUOTE_LENGTH]}…"
    )


def _check_place_notation(
    custom_rows: Sequence[_CustomRow],
) -> tuple[list[_CustomRow], list[str]]:
    """Return the rows written in the notation of row 1, and a problem for each other row."""
    valid_rows: list[_CustomRow] = []
    problems: list[str] = []
    for custom_row in custom_rows:
        differing_places = [
            place
            for place in custom_row.seats
            if bool(place.field_name) != bool(_get_first_field_name(custom_rows))
        ]
        if not differing_places:
            valid_rows.append(custom_row)
            continue
        message = _(
            "%(where)s: %(place)s isn’t written like the first place. Write all places as "
            "3, or all as 3NS or 3EW."
        )
        place_text = f"{differing_places[0].number}{differing_places[0].field_name}"
        problems.append(
            message
            % {
                "where": format_round_and_table(custom_row.round, custom_row.table),
                "place": place_text,
            }
        )
    return valid_rows, problems


def _get_first_field_name(custom_rows: Sequence[_CustomRow]) -> str:
    return custom_rows[0].seats[0].field_name if custom_rows else ""


def _make_labels(custom_rows: Sequence[_CustomRow], min_place_count: int) -> tuple[str, ...]:
    places = set(chain.from_iterable(row.seats for row in custom_rows))
    max_number_by_field = {
        field_name: max(
            (place.number for place in places if place.field_name == field_name), default=0
        )
        for field_name in ("", "NS", "EW")
    }
    if _get_first_field_name(custom_rows):
        return make_ns_and_ew_labels(
            max(max_number_by_field["NS"], min_place_count),
            max(max_number_by_field["EW"], min_place_count),
        )
    return make_numeric_labels(max(max_number_by_field[""], min_place_count))


def _make_meeting(custom_row: _CustomRow, labels: Sequence[str]) -> Meeting:
    north, east, south, west = (
        labels.index(f"{place.number}{place.field_name}") + 1 for place in custom_row.seats
    )
    return Meeting(
        custom_row.round, custom_row.table, north, east, south, west, custom_row.group
    )


def _infer_contest(meetings: Sequence[Meeting]) -> Contest:
    has_four_places = any(len(meeting.places) > 2 for meeting in meetings)
    return Contest.INDIVIDUAL if has_four_places else Contest.PAIRS


def _list_unseated_place_problems(
    meetings: Sequence[Meeting], labels: Sequence[str]
) -> list[str]:
    seated_places = set(chain.from_iterable(meeting.places for meeting in meetings))
    missing_labels = [
        label for place, label in enumerate(labels, start=1) if place not in seated_places
    ]
    if not missing_labels:
        return []
    label_text = ", ".join(missing_labels[:5])
    if missing_labels[5:]:
        template = _("%(names)s and %(count)s more")
        label_text = template % {"names": label_text, "count": len(missing_labels) - 5}
    message = ngettext(
        "%(names)s isn’t at any table. Number the places from 1 without gaps.",
        "%(names)s aren’t at any table. Number the places from 1 without gaps.",
        len(missing_labels),
    )
    return [message % {"names": label_text}]
