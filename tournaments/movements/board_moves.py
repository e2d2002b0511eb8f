"""The moves of the board groups, derived from a schedule, as sentences."""

from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.copies import describe_copies
from tournaments.movements.formatting import format_number, join_names
from tournaments.movements.schedule import Movement

Trays = dict[int, int]  # table to board group


def describe_board_moves(movement: Movement) -> str:
    """Return a sentence about where the boards move after a round."""
    rounds = [
        _map_tables_to_groups(movement, number) for number in range(1, movement.rounds + 1)
    ]
    if movement.tables == 1:
        return ""
    if movement.copies > 1:
        return describe_copies(movement)
    if _is_all_shared(movement):
        return _("All tables share the boards of a round. Play one and pass it on.")
    return (
        _describe_travelling(movement, rounds)
        or _describe_counting(movement, rounds)
        or _("Each table takes the boards on its guide card.")
    )


def describe_sharing(movement: Movement) -> str:
    """Describe which tables share boards; "" if none do, or all do in every round."""
    if _is_all_shared(movement):
        return ""
    sharing_by_round = {
        number: _find_sharing_tables(movement, number)
        for number in range(1, movement.rounds + 1)
    }
    if len(set(sharing_by_round.values())) == 1:
        message = _("Tables %(tables)s share boards. Play one and pass it on.")
        return (
            message % {"tables": _format_sets(movement, sharing_by_round[1])}
            if sharing_by_round[1]
            else ""
        )
    some = [number for number, tables in sharing_by_round.items() if tables]
    if len(some) > 1:
        return _(
            "Some tables share boards, as their guide cards show. Play one and pass it on."
        )
    message = _("In round %(round)s tables %(tables)s share boards. Play one and pass it on.")
    return message % {
        "round": some[0],
        "tables": _format_sets(movement, sharing_by_round[some[0]]),
    }


def _is_all_shared(movement: Movement) -> bool:
    return movement.tables > 1 and all(
        len(set(_map_tables_to_groups(movement, number).values())) == 1
        for number in range(1, movement.rounds + 1)
    )


def _find_sharing_tables(movement: Movement, number: int) -> tuple[tuple[int, ...], ...]:
    """Return the sets of tables that share a board group in a round."""
    tables: dict[int, list[int]] = {}
    for meeting in movement.in_round(number):
        if movement.absent.isdisjoint(meeting.places):
            tables.setdefault(meeting.board_group, []).append(meeting.table)
    return tuple(tuple(table) for table in tables.values() if len(table) > movement.copies)


def _format_sets(movement: Movement, sets: tuple[tuple[int, ...], ...]) -> str:
    """Format sets of tables as 1 and 4, 2 and 5, 3 and 6."""
    return ", ".join(
        join_names([movement.table_called(table) for table in tables])
        for tables in sorted(sets)
    )


def _map_tables_to_groups(movement: Movement, number: int) -> Trays:
    return {meeting.table: meeting.board_group for meeting in movement.in_round(number)}


def _describe_travelling(movement: Movement, rounds: list[Trays]) -> str:
    """Describe boards that all move by the same number of tables, possibly over a bye-stand."""
    stands = _list_stands(rounds[0])
    steps, leaving, arriving = set(), set(), set()
    for before, after in pairwise(rounds):
        if _list_stands(after) != stands:
            return ""
        stand_by_group = {after[table]: place for place, table in enumerate(stands)}
        for place, table in enumerate(stands):
            if before[table] in stand_by_group:
                steps.add((stand_by_group[before[table]] - place) % len(stands))
            else:
                leaving.add(place)
        groups_at_stands = {before[table] for table in stands}
        arriving |= {
            place for group, place in stand_by_group.items() if group not in groups_at_stands
        }
    if len(steps) != 1:
        return ""
    stand_labels = [movement.table_called(table) for table in stands]
    return _format_travelling(
        stand_labels,
        steps.pop(),
        sorted(leaving),
        sorted(arriving),
        _count_resting_rounds(rounds),
    )


def _count_resting_rounds(rounds: list[Trays]) -> int:
    """Return the number of rounds for which boards stay on a bye-stand."""
    for at, trays in enumerate(rounds):
        for group in trays.values():
            later = [
                number
                for number, groups in enumerate(rounds[at + 1 :])
                if group in groups.values()
            ]
            if later and later[0] > 0:
                return later[0]
    return 1


def _format_travelling(
    stands: list[str], step: int, leaving: list[int], arriving: list[int], resting: int
) -> str:
    size = len(stands)
    distance, up = (step, True) if step <= size // 2 else (size - step, False)
    text = _format_board_move(distance, up)
    if not leaving and not arriving:
        return text
    if (
        len(leaving) != 1
        or len(arriving) != 1
        or (leaving[0] - arriving[0]) % size != 1
        or distance != 1
    ):
        return ""
    resting_text = ngettext(
        "Between tables %(low)s and %(high)s they wait one round on the bye-stand.",
        "Between tables %(low)s and %(high)s they wait %(rounds)s rounds on the bye-stands.",
        resting,
    )
    placeholders = {
        "low": stands[arriving[0]],
        "high": stands[leaving[0]],
        "rounds": format_number(resting),
    }
    return f"{text} {resting_text % placeholders}"


def _format_board_move(distance: int, is_upwards: bool) -> str:
    if distance == 0:
        return _("Boards don't move.")
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


def _describe_counting(movement: Movement, rounds: list[Trays]) -> str:
    """Describe board groups whose numbers rise or fall by one at every table."""
    groups = movement.groups
    steps = {
        (after[table] - before[table]) % groups
        for before, after in pairwise(rounds)
        for table in before
        if table in after
    }
    if steps == {1}:
        return _("Each table then plays the next set of boards (the first follows the last).")
    if steps == {groups - 1}:
        return _(
            "Each table then plays the previous set of boards (the last follows the first)."
        )
    return ""


def _list_stands(trays: Trays) -> list[int]:
    """Return the tables that have boards of their own.

    A table that shares with a lower one does not.
    """
    seen_groups: set[int] = set()
    stands = []
    for table in sorted(trays):
        if trays[table] not in seen_groups:
            stands.append(table)
        seen_groups.add(trays[table])
    return stands
