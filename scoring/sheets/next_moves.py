"""The moves of the players and boards of one table after a round, derived from the seating."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist import Seat
from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from tournaments.movements.copies import format_copy_letter
from tournaments.movements.systems.league import (
    LEAGUE_FOURS,
    count_sets,
    format_set_line_up,
    list_line_ups,
)
from tournaments.movements.systems.two_packs import TWO_PACKS

Goal = tuple[int, str]  # the table and the seat of the next round
Item = TypeVar("Item")
SIT_OUT_GOAL: Goal = (0, "")


@dataclass(frozen=True, slots=True)
class MovingUnit:
    """The players who move together: a pair with its side, or a single player with a seat."""

    place: int
    seat: str  # "N-S", for a single player "N"
    label: str  # "12"


def list_moving_units(snapshot: SessionSnapshot, table: SeatedTable) -> list[MovingUnit]:
    """List the moving units at a table: N-S and E-W, or single players by seat from North."""
    sitting = [
        MovingUnit(place, find_seat(table, place), label)
        for chair in (table.ns, table.ew)
        for place, label in zip(chair.places, chair.short.split(" & "), strict=True)
        if place in snapshot.occupied_places
    ]
    return sorted(sitting, key=lambda unit: "NESW".index(unit.seat[0]))


def find_seat(table: SeatedTable, place: int) -> str:
    """Return the seat of a place at a table: "N-S", for a single player "N"."""
    side, chair = ("N-S", table.ns) if place in table.ns.places else ("E-W", table.ew)
    return side if len(chair.places) == 1 else side.split("-")[chair.places.index(place)]


def find_partner_label(chair: SeatedSide, place: int) -> str:
    """Return the label of a single player's partner; "" for a pair."""
    chair_names = zip(chair.places, chair.short.split(" & "), strict=True)
    return next((label for other, label in chair_names if other != place), "")


def describe_moves(snapshot: SessionSnapshot, tables: Sequence[SeatedTable]) -> list[str]:
    """Describe the usual moves of a table; `list_round_notes` has the exceptions."""
    usual = _find_usual_goals(snapshot, tables)
    lines = [_describe_move(snapshot, seat, goal, tables[0]) for seat, goal in usual.items()]
    if not any(table.is_played for table in tables):
        lines.insert(0, _("Sit-out: no one plays at this table."))
    if has_changing_partners(snapshot, tables[0].section):
        lines = [_explain_changing_partners()]
    elif snapshot.has_drawn_rounds(tables[0].section):
        lines = [_("The note says where to go next.")] if len(tables) > 1 else []
        lines.append(snapshot.describe_undrawn_rounds(tables[0].section))
    elif any(_list_exceptions(snapshot, table) for table in tables):
        exception_note = _("If a note says otherwise, follow the note.")
        lines.append(exception_note if usual else _("The note says where to go next."))
    lines += _describe_boards(snapshot, tables)
    own_copy = _find_own_copy(snapshot, tables)
    if own_copy:
        sentence = _("This table plays copy %(copy)s of the boards.")
        lines.append(sentence % {"copy": format_copy_letter(own_copy)})
    return [text for text in [*lines, *explain_notes(snapshot, tables)] if text]


def list_round_notes(snapshot: SessionSnapshot, table: SeatedTable) -> list[str]:
    """List the exceptions of a round at a table: a sit-out, shared boards, an unusual move."""
    if not table.is_played:
        lines = [_format_idle_note(snapshot, table)]
    else:
        lines = [
            *list_shared_board_notes(snapshot, table),
            format_arrow_switch_note(snapshot, table),
            format_line_up(table),
            *list_copy_notes(snapshot, table),
        ]
    return [text for text in [*lines, *_list_exceptions(snapshot, table)] if text]


def list_shared_board_notes(snapshot: SessionSnapshot, table: SeatedTable) -> list[str]:
    """Return a note that names the tables with which a table shares its boards."""
    sharing_tables = snapshot.tables_by_stack[
        table.section, table.round, snapshot.find_stack(table)
    ]
    others = [
        snapshot.format_table_label(table.section, other)
        for other in sharing_tables
        if other != table.table
    ]
    if not others:
        return []
    text = ngettext(
        "share boards with table %(table)s",
        "share boards with tables %(table)s",
        len(others),
    )
    return [text % {"table": get_text_list(others, _("and"))}]


def list_copy_notes(snapshot: SessionSnapshot, table: SeatedTable) -> list[str]:
    """Return notes on a table's copy of the boards, and on its next table if unusual."""
    if snapshot.count_copies(table.section) < 2:
        return []
    group, copy = snapshot.find_stack(table)
    rounds = snapshot.rounds_by_table[table.section, table.table]
    lines = []
    if not _find_own_copy(snapshot, rounds):
        lines.append(_("copy %(copy)s") % {"copy": format_copy_letter(copy)})
    later = snapshot.find_next_use_of_stack(table.section, table.round, (group, copy))
    if later is None:
        return lines
    number, next_table = later
    placeholders = {
        "table": snapshot.format_table_label(table.section, next_table),
        "round": number,
    }
    if number > table.round + 1:
        lines.append(_("the boards wait until round %(round)s, table %(table)s") % placeholders)
    elif next_table != _choose_usual_goal(
        _find_next_table_of_boards(snapshot, seated_table) for seated_table in rounds
    ):
        lines.append(_("the boards go to table %(table)s") % placeholders)
    return lines


def _describe_boards(snapshot: SessionSnapshot, tables: Sequence[SeatedTable]) -> list[str]:
    """Describe where the boards move after most rounds, and whether to fetch new ones."""
    played_rounds = [table for table in tables if table.is_played]
    lines = []
    goal = _choose_usual_goal(_find_boards_goal(snapshot, table) for table in played_rounds)
    if goal and goal[1] != (tables[0].table,):
        rests, goals = goal
        names = [snapshot.format_table_label(tables[0].section, each) for each in goals]
        sentence = _("The boards go to table %(table)s.")
        if rests:
            sentence = _("The boards go to the bye-stand, then to table %(table)s.")
        if len(names) > 1:
            sentence = _("The boards go to tables %(table)s, which share them.")
        lines.append(sentence % {"table": get_text_list(names, _("and"))})
    if _choose_usual_goal(
        _has_boards_to_fetch(snapshot, table) for table in played_rounds if table.round > 1
    ):
        lines.append(_("Collect the next boards from the bye-stand."))
    return lines


def _find_boards_goal(
    snapshot: SessionSnapshot, table: SeatedTable
) -> tuple[bool, tuple[int, ...]] | None:
    """Return whether a table's boards pause for a round or more, and their next tables."""
    stack = snapshot.find_stack(table)
    later = snapshot.find_next_use_of_stack(table.section, table.round, stack)
    if later is None or has_packs(snapshot, table.section):
        return None
    number, _table = later
    goals = tuple(sorted(snapshot.tables_by_stack[table.section, number, stack]))
    rests = number > table.round + 1
    return (rests, goals) if len(goals) == 1 or not rests else None


def _has_boards_to_fetch(snapshot: SessionSnapshot, table: SeatedTable) -> bool:
    """Return whether boards that several tables play were at no table in the round before."""
    stack, section = snapshot.find_stack(table), table.section
    before = snapshot.tables_by_stack.get((section, table.round - 1, stack))
    rounds = range(1, snapshot.last_seated_round_by_section[section] + 1)
    others = {
        other_table
        for number in rounds
        for other_table in snapshot.tables_by_stack.get((section, number, stack), ())
    }
    return not before and len(others) > 1 and not has_packs(snapshot, section)


def _find_own_copy(snapshot: SessionSnapshot, tables: Sequence[SeatedTable]) -> int:
    """Return the copy that a table uses in all its rounds, or 0."""
    if snapshot.count_copies(tables[0].section) < 2:
        return 0
    copies = {snapshot.find_stack(table)[1] for table in tables if table.is_played}
    return copies.pop() if len(copies) == 1 else 0


def explain_notes(snapshot: SessionSnapshot, tables: Iterable[SeatedTable]) -> list[str]:
    """Return instructions for the notes of an arrow switch or of turned boards."""
    data = {}
    for table in tables:
        if is_start_of_overplay(snapshot, table):
            data[_explain_turned_boards()] = True
        elif format_arrow_switch_note(snapshot, table):
            data[_explain_arrow_switch()] = True
    return list(data)


def _explain_arrow_switch() -> str:
    return _("“Arrow switch” means: the pair named moves to the other two chairs.")


def _explain_turned_boards() -> str:
    return _(
        "“Boards: quarter turn” means that everyone stays in their "
        "chair. The arrow on the board shows your new direction."
    )


def has_changing_partners(snapshot: SessionSnapshot, letter: str) -> bool:
    """Return whether the players of two teams of four change partners with each set."""
    return any(
        section.movement == LEAGUE_FOURS.name
        for section in snapshot.sections
        if section.letter == letter
    )


def describe_next_line_up(snapshot: SessionSnapshot, letter: str, round_: int) -> str:
    """Return the line-up of two teams in the set after a round; "" if partners never change.

    A table's phone only loads its own table, so the other one comes from the plan.
    """
    rounds = [section.rounds for section in snapshot.sections if section.letter == letter]
    if not has_changing_partners(snapshot, letter) or round_ >= count_sets(rounds[0]):
        return ""
    seats = [*list_line_ups(count_sets(rounds[0]))[round_]]
    for table in snapshot.tables:
        if (table.section, table.round) == (letter, round_ + 1) and table.table < 3:
            first_index = 2 * (table.table - 1)
            seats[first_index : first_index + 2] = table.ns.line_up, table.ew.line_up
    has_everyone = len({*"".join(seats)}) == len("ABCDWXYZ")
    return format_set_line_up(round_ + 1, seats) if has_everyone else ""


def has_packs(snapshot: SessionSnapshot, letter: str) -> bool:
    """Return whether a section has a pack at each table instead of boards that move."""
    movements = (section.movement for section in snapshot.sections if section.letter == letter)
    return TWO_PACKS.name in movements


def format_line_up(table: SeatedTable) -> str:
    """Format the line-up of two teams at a table by letters; "" if partners never change."""
    ns, ew = (" & ".join(side.line_up) for side in (table.ns, table.ew))
    return _("%(ns)s against %(ew)s") % {"ns": ns, "ew": ew} if ns and ew else ""


def _explain_changing_partners() -> str:
    return _(
        "Partners change with each set. A, B, C and D are team 1’s "
        "players in order, W, X, Y and Z team 2’s."
    )


def format_board_turn(*, is_everyone_seated: bool) -> str:
    """Return the instruction to turn the boards before the same people overplay them."""
    if is_everyone_seated:
        return _(
            "No one moves. Turn the boards a quarter, so that each pair "
            "takes the other’s cards."
        )
    return _("Turn the boards a quarter. Their arrow shows your seat.")


def is_start_of_overplay(snapshot: SessionSnapshot, table: SeatedTable) -> bool:
    """Return whether the players begin to overplay their deals here, with turned boards."""
    rounds = snapshot.rounds_by_table[table.section, table.table]
    if len({seated_table.boards for seated_table in rounds}) == len(rounds):
        return False  # no boards return to the table
    overplay_rounds = [
        seated_table.round for seated_table in rounds if _is_overplay(rounds, seated_table)
    ]
    return bool(overplay_rounds) and table.round == overplay_rounds[0]


def is_before_overplay(snapshot: SessionSnapshot, table: SeatedTable) -> bool:
    """Return whether the overplay starts at this table in the next round."""
    rounds = snapshot.rounds_by_table[table.section, table.table]
    return any(
        seated_table.round == table.round + 1 and is_start_of_overplay(snapshot, seated_table)
        for seated_table in rounds
    )


def _is_overplay(rounds: Sequence[SeatedTable], table: SeatedTable) -> bool:
    people = {*table.ns.places, *table.ew.places}
    return any(
        seated_table.round < table.round
        and seated_table.boards == table.boards
        and {*seated_table.ns.places, *seated_table.ew.places} == people
        for seated_table in rounds
    )


def format_arrow_switch_note(snapshot: SessionSnapshot, table: SeatedTable) -> str:
    """Return a note if players at a table change direction (an arrow switch), else ""."""
    before = next(
        (
            seated_table
            for seated_table in snapshot.rounds_by_table[table.section, table.table]
            if seated_table.round == table.round - 1
        ),
        None,
    )
    if is_start_of_overplay(snapshot, table):
        return _("boards: quarter turn")
    if before is None or len(table.ns.places) > 1:
        return ""
    for side, current_side, former_side in (
        ("N-S", table.ns, before.ew),
        ("E-W", table.ew, before.ns),
    ):
        if current_side.places == former_side.places:
            placeholders = {"who": current_side.short, "side": side}
            return _("arrow switch: %(who)s now %(side)s") % placeholders
    return ""


def _format_idle_note(snapshot: SessionSnapshot, table: SeatedTable) -> str:
    """Return the note of a table that does not play, with the boards that wait at it."""
    if (table.section, table.round, snapshot.find_stack(table)) in snapshot.tables_by_stack:
        return _("sit-out")
    return _("sit-out (leave boards %(boards)s here)") % {
        "boards": format_board_range(table.boards)
    }


def format_board_range(boards: Sequence[int]) -> str:
    """Format the boards of a round: "5" or "5–8", and "5, 6, 11" with a stray board."""
    if not boards:
        return "–"
    if [*boards] != [*range(boards[0], boards[-1] + 1)]:
        return ", ".join(map(str, boards))
    return f"{boards[0]}–{boards[-1]}" if len(boards) > 1 else str(boards[0])


def _list_exceptions(snapshot: SessionSnapshot, table: SeatedTable) -> list[str]:
    """List the moves of a round that differ from the usual moves of their seats.

    Pairs that will overplay their deals stay: the boards are turned, which changes the sides,
    as the note of that round says.
    """
    if len(table.ns.places) == 1 and is_before_overplay(snapshot, table):
        return []
    usual = _find_usual_goals(snapshot, snapshot.rounds_by_table[table.section, table.table])
    goals = [
        (unit.seat, _find_next_goal(snapshot, table, unit.place))
        for unit in list_moving_units(snapshot, table)
    ]
    return [
        _format_exception(snapshot, seat, goal, table)
        for seat, goal in goals
        if goal is not None and goal != usual.get(seat)
    ]


def _format_exception(
    snapshot: SessionSnapshot, seat: str, goal: Goal, table: SeatedTable
) -> str:
    table_label = snapshot.format_table_label(table.section, goal[0])
    placeholders = {
        "who": format_seat_name(seat),
        "table": table_label,
        "side": format_seat_name(goal[1]),
    }
    if goal == SIT_OUT_GOAL:
        is_out = snapshot.is_knockout(table.section)
        return (
            _("then %(who)s are out") if is_out else _("then a sit-out for %(who)s")
        ) % placeholders
    if goal == (table.table, seat):
        return _("then %(who)s still here") % placeholders
    return _("then %(who)s to table %(table)s %(side)s") % placeholders


def _describe_move(snapshot: SessionSnapshot, seat: str, goal: Goal, here: SeatedTable) -> str:
    table, new_seat = goal
    table_label = snapshot.format_table_label(here.section, table)
    placeholders = {
        "side": format_seat_name(seat),
        "table": table_label,
        "new": format_seat_name(new_seat),
    }
    is_single_seat = len(seat) == 1
    if goal == SIT_OUT_GOAL:
        texts = _("%(side)s sits out the next round."), _("%(side)s sit out the next round.")
    elif table != here.table:
        texts = (
            _("%(side)s moves to table %(table)s, %(new)s."),
            _("%(side)s move to table %(table)s, %(new)s."),
        )
    elif seat != new_seat:
        texts = _("%(side)s stays and sits %(new)s."), _("%(side)s stay and sit %(new)s.")
    else:
        texts = _("%(side)s stays here."), _("%(side)s stay here.")
    return texts[0 if is_single_seat else 1] % placeholders


def format_seat_name(seat: str) -> str:
    """Return the name of a seat: "N-S", for a single player "North"."""
    return Seat(seat).word if len(seat) == 1 else seat


def _find_usual_goals(
    snapshot: SessionSnapshot, tables: Sequence[SeatedTable]
) -> dict[str, Goal]:
    """Return the usual move of each seat of a table, if most rounds have the same one."""
    table_key = tables[0].section, tables[0].table
    if table_key not in snapshot.usual_moves_cache:
        snapshot.usual_moves_cache[table_key] = _compute_usual_goals(snapshot, tables)
    return snapshot.usual_moves_cache[table_key]


def _compute_usual_goals(
    snapshot: SessionSnapshot, tables: Sequence[SeatedTable]
) -> dict[str, Goal]:
    goals: dict[str, list[Goal | None]] = {}
    if snapshot.has_drawn_rounds(tables[0].section):
        return {}  # with drawn rounds there are no usual moves
    for table in tables:
        for unit in list_moving_units(snapshot, table):
            goals.setdefault(unit.seat, []).append(_find_next_goal(snapshot, table, unit.place))
    usual = {seat: _choose_usual_goal(seat_goals) for seat, seat_goals in goals.items()}
    return {seat: goal for seat, goal in usual.items() if goal is not None}


def _choose_usual_goal(goals: Iterable[Item | None]) -> Item | None:
    """Return the goal that at least half of the rounds have, or None."""
    goal_counts = Counter(goal for goal in goals if goal is not None)
    if not goal_counts:
        return None
    goal, count = goal_counts.most_common(1)[0]
    return goal if count * 2 >= goal_counts.total() else None


def _find_next_goal(snapshot: SessionSnapshot, table: SeatedTable, place: int) -> Goal | None:
    """Return the table and the seat to which a place moves for the next round.

    Returns SITS_OUT if the place has no table then, and None after the last round.
    """
    if table.round >= snapshot.last_seated_round_by_section[table.section]:
        return None
    after = snapshot.seat_by_place_and_round.get((place, table.round + 1))
    return (after[0].table, find_seat(after[0], place)) if after else SIT_OUT_GOAL


def _find_next_table_of_boards(snapshot: SessionSnapshot, table: SeatedTable) -> int | None:
    """Return the next table of a table's boards; None if the boards pause or are shared."""
    tables = snapshot.tables_by_stack.get(
        (table.section, table.round + 1, snapshot.find_stack(table)), []
    )
    return tables[0] if len(tables) == 1 else None
