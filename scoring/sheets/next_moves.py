"""The moves of the players and boards of one table after a round, derived from the seating."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from boards.whist import Seat
from scoring.seated_sides import SeatedSide
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.board_moves import (
    choose_usual_destination,
    describe_board_moves,
    find_fixed_copy_number,
    list_copy_notes,
    list_shared_board_notes,
)
from tournaments.movements.copies import format_copy_letter
from tournaments.movements.systems.league import (
    LEAGUE_FOURS_SYSTEM,
    count_league_sets,
    format_set_line_up,
    list_line_ups,
)
from tournaments.movements.systems.two_packs import TWO_PACKS_SYSTEM

Destination = tuple[int, str]  # the table and the seat in the next round
SIT_OUT_DESTINATION: Destination = (0, "")


@dataclass(frozen=True, slots=True)
class MovingUnit:
    """The players who move together: a pair with its side, or a single player with a seat."""

    place_pk: int
    seat_code: str  # "N-S", for a single player "N"
    label: str  # "12"


def list_moving_units(snapshot: SessionSnapshot, table: SeatedTable) -> list[MovingUnit]:
    """List the moving units at a table: N-S and E-W, or single players by seat from North."""
    moving_units = [
        MovingUnit(place_pk, find_seat(table, place_pk), short_label)
        for side in (table.ns, table.ew)
        for place_pk, short_label in zip(
            side.places, side.short_label.split(" & "), strict=True
        )
        if place_pk in snapshot.occupied_places
    ]
    return sorted(moving_units, key=lambda moving_unit: "NESW".index(moving_unit.seat_code[0]))


def find_seat(table: SeatedTable, place_pk: int) -> str:
    """Return the seat of a place at a table: "N-S", for a single player "N"."""
    direction, side = ("N-S", table.ns) if place_pk in table.ns.places else ("E-W", table.ew)
    return (
        direction
        if len(side.places) == 1
        else direction.split("-")[side.places.index(place_pk)]
    )


def find_partner_label(side: SeatedSide, place_pk: int) -> str:
    """Return the label of a single player's partner; "" for a pair."""
    labelled_places = zip(side.places, side.short_label.split(" & "), strict=True)
    return next(
        (
            short_label
            for other_place_pk, short_label in labelled_places
            if other_place_pk != place_pk
        ),
        "",
    )


def describe_moves(snapshot: SessionSnapshot, tables: Sequence[SeatedTable]) -> list[str]:
    """Describe the usual moves of a table; `list_round_notes` has the exceptions."""
    destination_by_seat = _find_usual_destinations(snapshot, tables)
    sentences = [
        _describe_move(snapshot, seat_code, destination, tables[0])
        for seat_code, destination in destination_by_seat.items()
    ]
    if not any(table.is_played for table in tables):
        sentences.insert(0, _("Sit-out: no one plays at this table."))
    if has_changing_partners(snapshot, tables[0].section):
        sentences = [_explain_changing_partners()]
    elif snapshot.has_drawn_rounds(tables[0].section):
        sentences = [_("The note says where to go next.")] if len(tables) > 1 else []
        sentences.append(snapshot.describe_undrawn_rounds(tables[0].section))
    elif any(_list_exceptions(snapshot, table) for table in tables):
        exception_note = _("If a note says otherwise, follow the note.")
        sentences.append(
            exception_note if destination_by_seat else _("The note says where to go next.")
        )
    if not has_pack_per_table(snapshot, tables[0].section):
        sentences += describe_board_moves(snapshot, tables)
    own_copy_number = find_fixed_copy_number(snapshot, tables)
    if own_copy_number:
        copy_template = _("This table plays copy %(copy)s of the boards.")
        sentences.append(copy_template % {"copy": format_copy_letter(own_copy_number)})
    return [sentence for sentence in [*sentences, *explain_notes(snapshot, tables)] if sentence]


def list_round_notes(snapshot: SessionSnapshot, table: SeatedTable) -> list[str]:
    """List the exceptions of a round at a table: a sit-out, shared boards, an unusual move."""
    if not table.is_played:
        notes = [_format_idle_note(snapshot, table)]
    else:
        notes = [
            *list_shared_board_notes(snapshot, table),
            format_arrow_switch_note(snapshot, table),
            format_line_up(table),
            *list_copy_notes(snapshot, table),
        ]
    return [note for note in [*notes, *_list_exceptions(snapshot, table)] if note]


def explain_notes(snapshot: SessionSnapshot, tables: Iterable[SeatedTable]) -> list[str]:
    """Explain the notes "arrow switch" and "boards: quarter turn" if these tables have them."""
    unique_explanations = {}
    for table in tables:
        if is_start_of_overplay(snapshot, table):
            unique_explanations[_explain_turned_boards()] = True
        elif format_arrow_switch_note(snapshot, table):
            unique_explanations[_explain_arrow_switch()] = True
    return list(unique_explanations)


def _explain_arrow_switch() -> str:
    return _("“Arrow switch” means: the named pair moves to the other two chairs.")


def _explain_turned_boards() -> str:
    return _(
        "“Boards: quarter turn” means that everyone stays in their "
        "chair. The arrow on the board shows your new direction."
    )


def has_changing_partners(snapshot: SessionSnapshot, section_letter: str) -> bool:
    """Return whether the players of two teams of four change partners with each set."""
    return any(
        section.movement == LEAGUE_FOURS_SYSTEM.name
        for section in snapshot.sections
        if section.letter == section_letter
    )


def describe_next_line_up(
    snapshot: SessionSnapshot, section_letter: str, round_number: int
) -> str:
    """Return the line-up of two teams in the set after a round; "" if partners never change.

    A table's phone only loads its own table, so the line-up of the other table is computed.
    """
    round_counts = [
        section.rounds for section in snapshot.sections if section.letter == section_letter
    ]
    if not has_changing_partners(snapshot, section_letter) or round_number >= count_league_sets(
        round_counts[0]
    ):
        return ""
    line_ups = [*list_line_ups(count_league_sets(round_counts[0]))[round_number]]
    for table in snapshot.tables:
        if (table.section, table.round) == (
            section_letter,
            round_number + 1,
        ) and table.table_number < 3:
            first_index = 2 * (table.table_number - 1)
            line_ups[first_index : first_index + 2] = table.ns.line_up, table.ew.line_up
    has_all_players = len({*"".join(line_ups)}) == len("ABCDWXYZ")
    return format_set_line_up(round_number + 1, line_ups) if has_all_players else ""


def has_pack_per_table(snapshot: SessionSnapshot, section_letter: str) -> bool:
    """Return whether a section has a pack at each table instead of boards that move."""
    movements = (
        section.movement for section in snapshot.sections if section.letter == section_letter
    )
    return TWO_PACKS_SYSTEM.name in movements


def format_line_up(table: SeatedTable) -> str:
    """Return who plays whom: "A & B against W & X"; "" if partners never change."""
    ns_text, ew_text = (" & ".join(side.line_up) for side in (table.ns, table.ew))
    template = _("%(ns)s against %(ew)s")
    return template % {"ns": ns_text, "ew": ew_text} if ns_text and ew_text else ""


def _explain_changing_partners() -> str:
    return _(
        "Partners change with each set. A, B, C and D are team 1’s "
        "players in order, W, X, Y and Z team 2’s."
    )


def format_overplay_instruction(*, is_everyone_seated: bool) -> str:
    """Return the instruction to turn the boards before the same people overplay them."""
    if is_everyone_seated:
        return _(
            "No one moves. Turn the boards a quarter, so that each pair "
            "takes the other’s cards."
        )
    return _("Turn the boards a quarter. Their arrow shows your seat.")


def is_start_of_overplay(snapshot: SessionSnapshot, table: SeatedTable) -> bool:
    """Return whether the players begin to overplay their deals in this round of the table."""
    table_rounds = snapshot.rounds_by_table[table.section, table.table_number]
    if len({seated_table.boards for seated_table in table_rounds}) == len(table_rounds):
        return False  # no boards return to the table
    overplay_rounds = [
        seated_table.round
        for seated_table in table_rounds
        if _is_overplay(table_rounds, seated_table)
    ]
    return bool(overplay_rounds) and table.round == overplay_rounds[0]


def is_before_overplay(snapshot: SessionSnapshot, table: SeatedTable) -> bool:
    """Return whether the overplay starts at this table in the next round."""
    table_rounds = snapshot.rounds_by_table[table.section, table.table_number]
    return any(
        seated_table.round == table.round + 1 and is_start_of_overplay(snapshot, seated_table)
        for seated_table in table_rounds
    )


def _is_overplay(table_rounds: Sequence[SeatedTable], table: SeatedTable) -> bool:
    place_pks = {*table.ns.places, *table.ew.places}
    return any(
        seated_table.round < table.round
        and seated_table.boards == table.boards
        and {*seated_table.ns.places, *seated_table.ew.places} == place_pks
        for seated_table in table_rounds
    )


def format_arrow_switch_note(snapshot: SessionSnapshot, table: SeatedTable) -> str:
    """Return a note if players at a table change direction (an arrow switch), else ""."""
    table_rounds = snapshot.rounds_by_table[table.section, table.table_number]
    previous_round_tables = (
        seated_table for seated_table in table_rounds if seated_table.round == table.round - 1
    )
    previous_table = next(previous_round_tables, None)
    if is_start_of_overplay(snapshot, table):
        return _("boards: quarter turn")
    if previous_table is None or len(table.ns.places) > 1:
        return ""
    for side_text, current_side, former_side in (
        ("N-S", table.ns, previous_table.ew),
        ("E-W", table.ew, previous_table.ns),
    ):
        if current_side.places == former_side.places:
            placeholders = {"who": current_side.short_label, "side": side_text}
            return _("arrow switch: %(who)s now %(side)s") % placeholders
    return ""


def _format_idle_note(snapshot: SessionSnapshot, table: SeatedTable) -> str:
    """Return the note of a table that does not play, with the boards that wait at it."""
    if (
        table.section,
        table.round,
        snapshot.find_board_stack(table),
    ) in snapshot.tables_by_stack:
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

    Before an overplay, pairs stay in their seats and the boards are turned. Their new sides
    are not listed here, because the note of the next round explains them.
    """
    if len(table.ns.places) == 1 and is_before_overplay(snapshot, table):
        return []
    destination_by_seat = _find_usual_destinations(
        snapshot, snapshot.rounds_by_table[table.section, table.table_number]
    )
    seats_and_destinations = [
        (moving_unit.seat_code, _find_next_destination(snapshot, table, moving_unit.place_pk))
        for moving_unit in list_moving_units(snapshot, table)
    ]
    return [
        _format_exceptional_move(snapshot, seat_code, destination, table)
        for seat_code, destination in seats_and_destinations
        if destination is not None and destination != destination_by_seat.get(seat_code)
    ]


def _format_exceptional_move(
    snapshot: SessionSnapshot, seat_code: str, destination: Destination, table: SeatedTable
) -> str:
    table_label = snapshot.format_table_label(table.section, destination[0])
    placeholders = {
        "who": format_seat_name(seat_code),
        "table": table_label,
        "side": format_seat_name(destination[1]),
    }
    if destination == SIT_OUT_DESTINATION:
        if snapshot.is_knockout(table.section):
            return _("then %(who)s are out") % placeholders
        return _("then a sit-out for %(who)s") % placeholders
    if destination == (table.table_number, seat_code):
        return _("then %(who)s still here") % placeholders
    return _("then %(who)s to table %(table)s %(side)s") % placeholders


def _describe_move(
    snapshot: SessionSnapshot,
    seat_code: str,
    destination: Destination,
    current_table: SeatedTable,
) -> str:
    next_table_number, new_seat_code = destination
    table_label = snapshot.format_table_label(current_table.section, next_table_number)
    placeholders = {
        "side": format_seat_name(seat_code),
        "table": table_label,
        "new": format_seat_name(new_seat_code),
    }
    is_single_seat = len(seat_code) == 1
    if destination == SIT_OUT_DESTINATION:
        templates = (
            _("%(side)s sits out the next round."),
            _("%(side)s sit out the next round."),
        )
    elif next_table_number != current_table.table_number:
        templates = (
            _("%(side)s moves to table %(table)s, %(new)s."),
            _("%(side)s move to table %(table)s, %(new)s."),
        )
    elif seat_code != new_seat_code:
        templates = _("%(side)s stays and sits %(new)s."), _("%(side)s stay and sit %(new)s.")
    else:
        templates = _("%(side)s stays here."), _("%(side)s stay here.")
    return templates[0 if is_single_seat else 1] % placeholders


def format_seat_name(seat_code: str) -> str:
    """Return the name of a seat: "N-S", for a single player "North"."""
    if len(seat_code) == 1:
        return Seat(seat_code).word
    return _("N-S") if seat_code == "N-S" else _("E-W")


def format_short_seat(seat_code: str) -> str:
    """Return the name of a seat for a narrow column: "N-S", for a single player "N"."""
    return (
        format_seat_name(seat_code)[:1] if len(seat_code) == 1 else format_seat_name(seat_code)
    )


def _find_usual_destinations(
    snapshot: SessionSnapshot, tables: Sequence[SeatedTable]
) -> dict[str, Destination]:
    """Return the usual move of each seat of a table, if most rounds have the same one."""
    table_key = tables[0].section, tables[0].table_number
    if table_key not in snapshot.usual_destinations_by_table:
        snapshot.usual_destinations_by_table[table_key] = _compute_usual_destinations(
            snapshot, tables
        )
    return snapshot.usual_destinations_by_table[table_key]


def _compute_usual_destinations(
    snapshot: SessionSnapshot, tables: Sequence[SeatedTable]
) -> dict[str, Destination]:
    destinations_by_seat: dict[str, list[Destination | None]] = {}
    if snapshot.has_drawn_rounds(tables[0].section):
        return {}  # with drawn rounds there are no usual moves
    for table in tables:
        for moving_unit in list_moving_units(snapshot, table):
            destinations_by_seat.setdefault(moving_unit.seat_code, []).append(
                _find_next_destination(snapshot, table, moving_unit.place_pk)
            )
    return {
        seat_code: usual_destination
        for seat_code, destinations in destinations_by_seat.items()
        if (usual_destination := choose_usual_destination(destinations)) is not None
    }


def _find_next_destination(
    snapshot: SessionSnapshot, table: SeatedTable, place_pk: int
) -> Destination | None:
    """Return the table and the seat to which a place moves for the next round.

    Returns SIT_OUT_DESTINATION if the place has no table then, and None after the last round.
    """
    if table.round >= snapshot.last_seated_round_by_section[table.section]:
        return None
    next_table_and_side = snapshot.seat_by_place_and_round.get((place_pk, table.round + 1))
    if next_table_and_side is None:
        return SIT_OUT_DESTINATION
    return next_table_and_side[0].table_number, find_seat(next_table_and_side[0], place_pk)
