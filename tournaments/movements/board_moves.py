"""The moves of the board groups, derived from a schedule, as sentences."""

from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.copies import describe_copies
from tournaments.movements.formatting import format_number, join_names
from tournaments.movements.schedule import Movement

GroupsByTable = dict[int, int]  # the board group at each table, in one round


def describe_board_moves(movement: Movement) -> str:
    """Return a sentence about where the boards move after a round."""
    board_groups_by_round = [
        _map_tables_to_groups(movement, round_number)
        for round_number in range(1, movement.round_count + 1)
    ]
    if movement.table_count == 1:
        return ""
    if movement.copy_count > 1:
        return describe_copies(movement)
    if _do_all_tables_share_boards(movement):
        return _("All tables share the boards of a round. Play one and pass it on.")
    return (
        _describe_moving_boards(movement, board_groups_by_round)
        or _describe_consecutive_boards(movement, board_groups_by_round)
        or _("Each table takes the boards on its guide card.")
    )


def describe_board_sharing(movement: Movement) -> str:
    """Describe which tables share boards, or return "" if no or all tables share them."""
    if _do_all_tables_share_boards(movement):
        return ""
    sharing_tables_by_round = {
        round_number: _find_sharing_tables(movement, round_number)
        for round_number in range(1, movement.round_count + 1)
    }
    if len(set(sharing_tables_by_round.values())) == 1:
        message = _("Tables %(tables)s share boards. Play one and pass it on.")
        return (
            message % {"tables": _format_table_sets(movement, sharing_tables_by_round[1])}
            if sharing_tables_by_round[1]
            else ""
        )
    sharing_rounds = [
        round_number for round_number, tables in sharing_tables_by_round.items() if tables
    ]
    if len(sharing_rounds) > 1:
        return _(
            "Some tables share boards, as their guide cards show. Play one and pass it on."
        )
    message = _("In round %(round)s tables %(tables)s share boards. Play one and pass it on.")
    return message % {
        "round": sharing_rounds[0],
        "tables": _format_table_sets(movement, sharing_tables_by_round[sharing_rounds[0]]),
    }


def _do_all_tables_share_boards(movement: Movement) -> bool:
    return movement.table_count > 1 and all(
        len(set(_map_tables_to_groups(movement, round_number).values())) == 1
        for round_number in range(1, movement.round_count + 1)
    )


def _find_sharing_tables(movement: Movement, round_number: int) -> tuple[tuple[int, ...], ...]:
    """Return the sets of tables that share a board group in a round."""
    tables_by_group: dict[int, list[int]] = {}
    for meeting in movement.list_round_meetings(round_number):
        if movement.absent_places.isdisjoint(meeting.places):
            tables_by_group.setdefault(meeting.board_group, []).append(meeting.table)
    return tuple(
        tuple(sharing_tables)
        for sharing_tables in tables_by_group.values()
        if len(sharing_tables) > movement.copy_count
    )


def _format_table_sets(movement: Movement, table_sets: tuple[tuple[int, ...], ...]) -> str:
    """Format sets of tables, such as "1 and 4, 2 and 5, 3 and 6"."""
    return ", ".join(
        join_names([movement.format_table(table_number) for table_number in tables])
        for tables in sorted(table_sets)
    )


def _map_tables_to_groups(movement: Movement, round_number: int) -> GroupsByTable:
    return {
        meeting.table: meeting.board_group
        for meeting in movement.list_round_meetings(round_number)
    }


def _describe_moving_boards(
    movement: Movement, board_groups_by_round: list[GroupsByTable]
) -> str:
    """Describe boards that all move by the same number of tables after each round.

    Some may wait on a bye-stand, a place between two tables.
    """
    tables_with_boards = _list_tables_with_boards(board_groups_by_round[0])
    steps, departure_table_indexes, arrival_table_indexes = set(), set(), set()
    for groups_before, groups_after in pairwise(board_groups_by_round):
        if _list_tables_with_boards(groups_after) != tables_with_boards:
            return ""
        indexes_by_group = {
            groups_after[table_number]: table_index
            for table_index, table_number in enumerate(tables_with_boards)
        }
        for table_index, table_number in enumerate(tables_with_boards):
            if groups_before[table_number] in indexes_by_group:
                steps.add(
                    (indexes_by_group[groups_before[table_number]] - table_index)
                    % len(tables_with_boards)
                )
            else:
                departure_table_indexes.add(table_index)
        previous_board_groups = {
            groups_before[table_number] for table_number in tables_with_boards
        }
        arrival_table_indexes |= {
            table_index
            for board_group, table_index in indexes_by_group.items()
            if board_group not in previous_board_groups
        }
    if len(steps) != 1:
        return ""
    table_labels = [movement.format_table(table_number) for table_number in tables_with_boards]
    return _format_board_travel(
        table_labels,
        steps.pop(),
        sorted(departure_table_indexes),
        sorted(arrival_table_indexes),
        _count_bye_stand_rounds(board_groups_by_round),
    )


def _count_bye_stand_rounds(board_groups_by_round: list[GroupsByTable]) -> int:
    """Return the number of rounds for which boards stay on a bye-stand."""
    for index, groups_by_table in enumerate(board_groups_by_round):
        for board_group in groups_by_table.values():
            later_indexes = [
                round_index
                for round_index, later_groups_by_table in enumerate(
                    board_groups_by_round[index + 1 :]
                )
                if board_group in later_groups_by_table.values()
            ]
            if later_indexes and later_indexes[0] > 0:
                return later_indexes[0]
    return 1


def _format_board_travel(
    table_labels: list[str],
    table_step: int,
    departure_table_indexes: list[int],
    arrival_table_indexes: list[int],
    bye_stand_round_count: int,
) -> str:
    board_table_count = len(table_labels)
    distance, is_upwards = (
        (table_step, True)
        if table_step <= board_table_count // 2
        else (board_table_count - table_step, False)
    )
    move_text = _format_board_move(distance, is_upwards)
    if not departure_table_indexes and not arrival_table_indexes:
        return move_text
    if (
        len(departure_table_indexes) != 1
        or len(arrival_table_indexes) != 1
        or (departure_table_indexes[0] - arrival_table_indexes[0]) % board_table_count != 1
        or distance != 1
    ):
        return ""
    bye_stand_text = ngettext(
        "Between tables %(low)s and %(high)s they wait one round on the bye-stand.",
        "Between tables %(low)s and %(high)s they wait %(rounds)s rounds on the bye-stands.",
        bye_stand_round_count,
    )
    placeholders = {
        "low": table_labels[arrival_table_indexes[0]],
        "high": table_labels[departure_table_indexes[0]],
        "rounds": format_number(bye_stand_round_count),
    }
    return f"{move_text} {bye_stand_text % placeholders}"


def _format_board_move(distance: int, is_upwards: bool) -> str:
    if distance == 0:
        return _("Boards don’t move.")
    if is_upwards:
        message = ngettext(
            "Boards move up %(tables)s table.", "Boards move up %(tables)s tables.", distance
        )
    else:
        message = ngettext(
            "Boards move down %(tables)s table.",
            "Boards move down %(tables)s tables.",
            distance,
        )
    return message % {"tables": format_number(distance)}


def _describe_consecutive_boards(
    movement: Movement, board_groups_by_round: list[GroupsByTable]
) -> str:
    """Describe the boards if every table plays the next or the previous group each round."""
    group_count = movement.group_count
    steps = {
        (next_board_groups[table_number] - board_groups[table_number]) % group_count
        for board_groups, next_board_groups in pairwise(board_groups_by_round)
        for table_number in board_groups
        if table_number in next_board_groups
    }
    if steps == {1}:
        return _("Each table then plays the next set of boards (the first follows the last).")
    if steps == {group_count - 1}:
        return _(
            "Each table then plays the previous set of boards (the last follows the first)."
        )
    return ""


def _list_tables_with_boards(groups_by_table: GroupsByTable) -> list[int]:
    """Return the tables with boards; of tables that share a board group, only the lowest."""
    seen_groups: set[int] = set()
    tables_with_boards = []
    for table_number in sorted(groups_by_table):
        if groups_by_table[table_number] not in seen_groups:
            tables_with_boards.append(table_number)
        seen_groups.add(groups_by_table[table_number])
    return tables_with_boards
