"""The stray boards of a section in an event file.

A stray is a board of another set that a table played by mistake.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from exchange.eventfile.schema import is_complete
from scoring.services.wrong_boards import omit_already_played_boards
from server.json_reader.problems import Problems, format_problem
from tournaments.models import Section, Sitting
from tournaments.movements.stray_boards import LEFT_OUT_MARKER, BoardNumbers, list_boards_played

BoardsByTable = Mapping[tuple[int, int], range]
"""The boards of each table by (round, table)."""
StrayBoards = Mapping[tuple[int, int], Sequence[tuple[int, int]]]
"""The strays by (round, table), as (board of the table's own set, board played instead)."""


def read_stray_boards(
    stray_data: Sequence[Any], boards_by_table: BoardsByTable, path: str, problems: Problems
) -> StrayBoards:
    """Read the strays of a section; `boards_by_table` has each table's own boards."""
    stray_boards_by_table: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for index, stray in enumerate(stray_data):
        if not is_complete(stray, "round", "table", "board", "played"):
            continue
        round_and_table = stray["round"], stray["table"]
        boards, table_strays = (
            boards_by_table.get(round_and_table, range(0)),
            stray_boards_by_table.setdefault(round_and_table, []),
        )
        placeholders = {
            "round": round_and_table[0],
            "table": round_and_table[1],
            "board": stray["board"],
        }
        if stray["board"] not in boards or stray["board"] in dict(table_strays):
            message = _("Board %(board)s is not played at table %(table)s in round %(round)s.")
            problems.append(format_problem(f"{path}[{index}].board", message % placeholders))
        elif stray["played"] in list_boards_played(boards, table_strays):
            problems.append(
                _format_same_set_problem(stray["played"], f"{path}[{index}].played")
            )
        else:
            table_strays.append((stray["board"], stray["played"]))
    return {
        round_and_table: tuple(table_strays)
        for round_and_table, table_strays in stray_boards_by_table.items()
        if table_strays
    }


def check_stray_boards(
    session_data: Mapping[str, Any],
    last_board_number: int,
    base_json_path: str,
    problems: Problems,
) -> None:
    """Report strays whose board is not in the session; its boards are 1 to `last_board_number`.

    A stray may belong to another section, or to a round that is not drawn yet.
    """
    for section_index, section in enumerate(session_data.get("sections") or []):
        for index, stray in enumerate((section or {}).get("strays") or []):
            if is_complete(stray, "played") and stray["played"] > last_board_number:
                path = f"{base_json_path}.sections[{section_index}].strays[{index}].played"
                problems.append(_format_same_set_problem(stray["played"], path))


def _format_same_set_problem(board_number: int, path: str) -> str:
    message = _("Board %(played)s isn’t from another set in play.")
    return format_problem(path, message, played=board_number)


def map_boards_played(
    boards_by_table: BoardsByTable, strays: StrayBoards
) -> Mapping[tuple[int, int], BoardNumbers]:
    """Return the boards that each table really played, by round and table."""
    return {
        round_and_table: list_boards_played(boards, strays.get(round_and_table, ()))
        for round_and_table, boards in boards_by_table.items()
    }


def write_stray_boards(section: Section, strays: StrayBoards) -> None:
    """Store the strays in the sittings of a section."""
    for sitting in section.sittings.all() if strays else ():
        if (sitting.round, sitting.table) in strays:
            sitting.strays = sorted(map(list, strays[sitting.round, sitting.table]))
            sitting.save(update_fields=["strays"])


def exclude_already_played_boards(section: Section, strays: StrayBoards) -> None:
    """Mark boards as left out if an entry has already played them as strays.

    Boards with a result are not left out.
    """
    if strays:
        omit_already_played_boards(section)


def list_stray_boards(sittings: Sequence[Sitting]) -> list[dict[str, int]]:
    """Return the strays of a section's sittings in the format of the event file.

    Each item has the round, the table, its own board, and the board that it played instead.
    """
    return [
        {
            "round": sitting.round,
            "table": sitting.table,
            "board": own_board_number,
            "played": actual_board_number,
        }
        for sitting in sittings
        for own_board_number, actual_board_number in sitting.strays
        if actual_board_number != LEFT_OUT_MARKER
    ]
