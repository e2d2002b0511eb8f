"""The stray boards of a section in an event file.

A stray is a board of another set that a table played by mistake.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from exchange.eventfile.schema import is_complete
from scoring.services.wrong_boards import leave_out_met_boards
from server.json_reader.problems import Problems, format_problem
from tournaments.models import Section, Sitting
from tournaments.movements.stray_boards import LEFT_OUT_BOARD, Boards, list_boards_played

Plays = Mapping[tuple[int, int], range]
Strays = Mapping[tuple[int, int], Sequence[tuple[int, int]]]
"""The strays by round and table, as pairs (board of the table's own set, board played)."""


def read_strays(
    stray_data: Sequence[Any], own_boards: Plays, path: str, problems: Problems
) -> Strays:
    """Read the strays of a section; `own_boards` has the boards of each table's own set."""
    strays_by_table: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for place, stray in enumerate(stray_data):
        if not is_complete(stray, "round", "table", "board", "played"):
            continue
        position = stray["round"], stray["table"]
        boards, table_strays = (
            own_boards.get(position, range(0)),
            strays_by_table.setdefault(position, []),
        )
        placeholders = {"round": position[0], "table": position[1], "board": stray["board"]}
        if stray["board"] not in boards or stray["board"] in dict(table_strays):
            text = _("Board %(board)s is not played at table %(table)s in round %(round)s.")
            problems.append(format_problem(f"{path}[{place}].board", text % placeholders))
        elif stray["played"] in list_boards_played(boards, table_strays):
            problems.append(_same_board_text(stray["played"], f"{path}[{place}].played"))
        else:
            table_strays.append((stray["board"], stray["played"]))
    return {
        position: tuple(table_strays)
        for position, table_strays in strays_by_table.items()
        if table_strays
    }


def check_strays(
    session: Mapping[str, Any], last: int, base_path: str, problems: Problems
) -> None:
    """Report strays whose board is not in the session, whose boards are 1 to `last`.

    A stray may belong to another section, or to a round that is not drawn yet.
    """
    for part, section in enumerate(session.get("sections") or []):
        for place, stray in enumerate((section or {}).get("strays") or []):
            if is_complete(stray, "played") and stray["played"] > last:
                path = f"{base_path}.sections[{part}].strays[{place}].played"
                problems.append(_same_board_text(stray["played"], path))


def _same_board_text(board: int, path: str) -> str:
    text = _("Board %(played)s isn't from another set in play.")
    return format_problem(path, text, played=board)


def map_boards_played(own_boards: Plays, strays: Strays) -> Mapping[tuple[int, int], Boards]:
    """Return the boards that each table really played, by round and table."""
    return {
        position: list_boards_played(boards, strays.get(position, ()))
        for position, boards in own_boards.items()
    }


def write_strays(section: Section, strays: Strays) -> None:
    """Store the strays in the sittings of a section."""
    for row in section.sittings.all() if strays else ():
        if (row.round, row.table) in strays:
            row.strays = sorted(map(list, strays[row.round, row.table]))
            row.save(update_fields=["strays"])


def exclude_met_boards(section: Section, strays: Strays) -> None:
    """Mark boards as left out if an entry has already played them as strays.

    Boards with a result are not left out.
    """
    if strays:
        leave_out_met_boards(section)


def list_strays(sittings: Sequence[Sitting]) -> list[dict[str, int]]:
    """Return the strays of a section's sittings in the format of the event file."""
    return [
        {"round": row.round, "table": row.table, "board": own_board, "played": played}
        for row in sittings
        for own_board, played in row.strays
        if played != LEFT_OUT_BOARD
    ]
