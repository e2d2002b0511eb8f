"""Reads a section of an event file: its movement, seating, results and rulings."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exchange.eventfile.draws import read_draw_plan
from exchange.eventfile.rulings import check_deals, read_rulings
from exchange.eventfile.schema import is_complete
from exchange.eventfile.strays import map_boards_played, read_stray_boards
from exchange.eventfile.values import EventFileResult, EventFileSection
from server.json_reader.problems import Problems, format_problem
from tournaments.movements import Contest, Movement, UnplayableMovement, rebuild_movement
from tournaments.movements.guide import list_boards
from tournaments.movements.stray_boards import BoardNumbers

MOVEMENT_KEYS = ("name", "boards_a_round", "tables", "rounds")


def read_section(
    section_data: Mapping[str, Any],
    contest_code: str,
    entry_numbers: set[int | None],
    path_by_entry: dict[int, str],
    paths_by_boards_per_round: dict[int, str],
    path: str,
    problems: Problems,
) -> EventFileSection | None:
    """Read a section, or return None if its movement cannot be built.

    `entry_numbers` are the numbers of all entries in the file. `path_by_entry` has the path in
    the file of each entry already seated in this session. `paths_by_boards_per_round` has
    the path of the section that first used each number of boards a round. Both are updated.
    """
    movement_data: Any = section_data.get("movement")
    if not contest_code or not is_complete(movement_data, "name", "boards_a_round"):
        return None
    _check_boards_per_round(
        movement_data["boards_a_round"], paths_by_boards_per_round, path, problems
    )
    entry_numbers_by_key = section_data.get("seating") or {}
    movement = _read_movement(
        movement_data, entry_numbers_by_key, contest_code, f"{path}.movement", problems
    )
    if movement is None:
        return None
    entry_numbers_by_place = _read_seating(
        entry_numbers_by_key,
        movement,
        entry_numbers,
        path_by_entry,
        f"{path}.seating",
        problems,
    )
    boards_per_round = movement_data["boards_a_round"]
    boards_by_table = {
        (meeting.round, meeting.table): list_boards(meeting.board_group, boards_per_round)
        for meeting in movement.played_meetings
    }
    stray_data = section_data.get("strays") or []
    swiss_plan = read_draw_plan(
        section_data.get("draw"), movement, entry_numbers, f"{path}.draw", problems
    )
    stray_boards_by_table = read_stray_boards(
        stray_data, boards_by_table, f"{path}.strays", problems
    )
    played_boards_by_table = map_boards_played(boards_by_table, stray_boards_by_table)
    result_data = section_data.get("results") or []
    results = _read_results(
        result_data, movement, played_boards_by_table, f"{path}.results", problems
    )
    ruling_data = section_data.get("rulings") or []
    rulings = read_rulings(
        ruling_data, played_boards_by_table, entry_numbers, f"{path}.rulings", problems
    )
    check_deals(results, rulings, f"{path}.results", problems)
    return EventFileSection(
        section_letter=section_data.get("letter") or "",
        movement=movement,
        options={
            option_name: option_value
            for option_name, option_value in movement_data.items()
            if option_name not in MOVEMENT_KEYS
        },
        entry_numbers_by_place=entry_numbers_by_place,
        results=results,
        rulings=rulings,
        stray_boards_by_table=stray_boards_by_table,
        swiss_plan=swiss_plan,
        first_missed_round_by_place=_read_withdrawn_places(
            section_data, movement, entry_numbers_by_place, path, problems
        ),
    )


def build_movement(
    movement_data: Mapping[str, Any],
    contest_code: str,
    absent_place_labels: Sequence[str | int] | None = None,
) -> Movement:
    """Return the movement that a file describes; raise UnplayableMovement if it is invalid.

    `absent_place_labels` are the labels of places without an entry. By default, the list in
    `movement_data` is used.
    """
    options = {
        option_name: option_value
        for option_name, option_value in movement_data.items()
        if option_name != "boards_a_round"
    }
    movement_name = options.pop("name")
    absent_labels = [str(place_label) for place_label in options.pop("absent", ())]
    if movement_name == "custom":
        for option_name in ("tables", "rounds"):
            options.pop(option_name, None)
        options["contest"] = Contest(contest_code)
    return rebuild_movement(
        movement_name,
        absent=absent_labels if absent_place_labels is None else absent_place_labels,
        **options,
    )


def map_places_by_key(movement: Movement) -> dict[str, list[int]]:
    """Return the place numbers of a movement, by the keys in the file's seating.

    The key of a team is the team's number. Its value is the places of both pairs of the team.
    """
    places_by_key = {
        place_label: [place_number]
        for place_number, place_label in enumerate(movement.labels, start=1)
    }
    if movement.contest is Contest.TEAMS:
        for place_number in range(1, movement.place_count + 1):
            places_by_key.setdefault(str(movement.get_team_number(place_number)), []).append(
                place_number
            )
    return places_by_key


def _read_withdrawn_places(
    section_data: Mapping[str, Any],
    movement: Movement,
    entry_numbers_by_place: Mapping[int, int],
    base_json_path: str,
    problems: Problems,
) -> dict[int, int]:
    """Return the first missed round of each withdrawn entry, by number of the entry's place.

    The value is 0 if the file does not state the round.
    """
    places_by_key = map_places_by_key(movement)
    first_missed_round_by_key = section_data.get("gone_from") or {}
    first_missed_round_by_place: dict[int, int] = {}
    withdrawn_place_keys = section_data.get("gone") or []
    for index, place_key in enumerate(withdrawn_place_keys):
        path = f"{base_json_path}.gone[{index}]"
        if place_key is None:
            continue
        if place_key not in places_by_key:
            problems.append(
                format_problem(path, movement.format_unknown_place_error(place_key))
            )
        elif not entry_numbers_by_place.keys() >= {*places_by_key[place_key]}:
            message = _("No one sits at %(place)s, so no one can have withdrawn there.")
            problems.append(format_problem(path, message, place=place_key))
        elif first_missed_round_by_place.keys() & {*places_by_key[place_key]}:
            message = _("Place %(place)s is listed twice.")
            problems.append(format_problem(path, message, place=place_key))
        else:
            first_missed_round_by_place |= dict.fromkeys(
                places_by_key[place_key], first_missed_round_by_key.get(place_key) or 0
            )
    for place_key in first_missed_round_by_key.keys() - {*withdrawn_place_keys}:
        message = _("%(place)s isn’t in the “gone” list. Add it there too.")
        problems.append(format_problem(f"{base_json_path}.gone_from", message, place=place_key))
    return first_missed_round_by_place


def _check_boards_per_round(
    boards_per_round: int,
    paths_by_boards_per_round: dict[int, str],
    base_json_path: str,
    problems: Problems,
) -> None:
    paths_by_boards_per_round.setdefault(boards_per_round, base_json_path)
    expected_boards_per_round = next(iter(paths_by_boards_per_round))
    if expected_boards_per_round != boards_per_round:
        message = _(
            "%(size)s here, but %(first)s in %(other)s. All sections of a session must match."
        )
        path = f"{base_json_path}.movement.boards_a_round"
        problems.append(
            format_problem(
                path,
                message,
                size=boards_per_round,
                first=expected_boards_per_round,
                other=paths_by_boards_per_round[expected_boards_per_round],
            )
        )


def _read_movement(
    movement_data: Mapping[str, Any],
    entry_numbers_by_key: Mapping[str, Any],
    contest_code: str,
    path: str,
    problems: Problems,
) -> Movement | None:
    try:
        movement = build_movement(movement_data, contest_code)
        if movement.contest != contest_code:
            message = _("%(movement)s is for %(whom)s, but the event is %(contest)s.")
            placeholders = {
                "movement": movement.title,
                "whom": _get_participant_word(movement),
                "contest": contest_code,
            }
            problems.append(format_problem(f"{path}.name", message, **placeholders))
            return None
        movement = _mark_absent_places(
            movement, movement_data, entry_numbers_by_key, contest_code
        )
    except UnplayableMovement as problem:
        problems += [format_problem(path, message) for message in problem.problems]
        return None
    counts_by_option = {"tables": movement.table_count, "rounds": movement.round_count}
    for option_name, count in counts_by_option.items():
        if movement_data.get(option_name, count) != count:
            message = _("%(written)s here, but the meetings give %(given)s.")
            numbers = {"written": movement_data[option_name], "given": count}
            problems.append(format_problem(f"{path}.{option_name}", message, **numbers))
    return movement


def _mark_absent_places(
    movement: Movement,
    movement_data: Mapping[str, Any],
    entry_numbers_by_key: Mapping[str, Any],
    contest_code: str,
) -> Movement:
    """Return the movement in which all places that the seating omits are absent."""
    places_by_key = map_places_by_key(movement)
    seated_places = {
        place
        for place_key in entry_numbers_by_key
        for place in places_by_key.get(place_key, ())
    }
    empty_places = [
        place for place in range(1, movement.place_count + 1) if place not in seated_places
    ]
    if movement.absent_places.issuperset(empty_places):
        return movement
    return build_movement(
        movement_data, contest_code, [movement.labels[place - 1] for place in empty_places]
    )


def _get_participant_word(movement: Movement) -> str:
    return {
        Contest.PAIRS: _("pairs"),
        Contest.TEAMS: _("teams"),
        Contest.INDIVIDUAL: _("individuals"),
        Contest.MEMORY: _("memory duplicate"),
    }[movement.contest]


def _read_seating(
    entry_numbers_by_key: Mapping[str, Any],
    movement: Movement,
    entry_numbers: set[int | None],
    path_by_entry: dict[int, str],
    base_json_path: str,
    problems: Problems,
) -> dict[int, int]:
    places_by_key = map_places_by_key(movement)
    entry_numbers_by_place: dict[int, int] = {}
    for place_key, entry_number in entry_numbers_by_key.items():
        path = f"{base_json_path}.{place_key}"
        if entry_number is None:
            continue  # the schema check has reported this, with a printable path
        if place_key not in places_by_key:
            problems.append(
                format_problem(path, movement.format_unknown_place_error(place_key))
            )
        else:
            fault_text = _describe_seat_fault(
                places_by_key[place_key],
                place_key,
                entry_number,
                movement,
                entry_numbers,
                entry_numbers_by_place,
                path_by_entry,
                path,
            )
            problems += [format_problem(path, fault_text)] if fault_text else []
            entry_numbers_by_place |= dict.fromkeys(places_by_key[place_key], entry_number)
    return entry_numbers_by_place


def _describe_seat_fault(
    place_numbers: Sequence[int],
    place_key: str,
    entry_number: int,
    movement: Movement,
    entry_numbers: set[int | None],
    entry_numbers_by_place: Mapping[int, int],
    path_by_entry: dict[int, str],
    path: str,
) -> str:
    if entry_number not in entry_numbers:
        return _("Entry %(entry)s isn’t in this file.") % {"entry": entry_number}
    if set(place_numbers) & movement.absent_places:
        message = _("No one sits at %(place)s. The movement lists that place as empty.")
        return message % {"place": place_key}
    if set(place_numbers) & set(entry_numbers_by_place):
        message = _("Entry %(entry)s already has a seat at %(place)s.")
        return message % {"place": place_key, "entry": entry_numbers_by_place[place_numbers[0]]}
    first_path = path_by_entry.setdefault(entry_number, path)
    is_team_event = movement.contest is Contest.TEAMS
    team_entry_numbers = {
        entry_numbers_by_place[place_number]
        for place_number in entry_numbers_by_place
        if movement.get_team_number(place_number) == movement.get_team_number(place_numbers[0])
    }
    if is_team_event and team_entry_numbers - {entry_number}:
        message = _("Entry %(entry)s sits where entry %(other)s has its other pair.")
        return message % {
            "entry": entry_number,
            "other": min(team_entry_numbers - {entry_number}),
        }
    if first_path != path and not (is_team_event and team_entry_numbers):
        message = _(
            "Entry %(entry)s already has a seat at %(path)s. An entry has one seat per session."
        )
        return message % {"entry": entry_number, "path": first_path}
    return ""


def _read_results(
    result_data: Sequence[Any],
    movement: Movement,
    boards_by_table: Mapping[tuple[int, int], BoardNumbers],
    path: str,
    problems: Problems,
) -> tuple[EventFileResult, ...]:
    meeting_keys = {(meeting.round, meeting.table) for meeting in movement.meetings}
    result_keys: set[tuple[int, int, int, int]] = set()
    results = []
    for index, result in enumerate(result_data):
        if not is_complete(result, "round", "table", "board"):
            continue
        file_result = EventFileResult(
            result["round"],
            result["table"],
            result["board"],
            result.get("ns_tricks"),
            result.get("deal", 1),
            result.get("trump", ""),
            result.get("ns_points"),
            result.get("ew_points"),
        )
        fault_text = _describe_result_fault(file_result, meeting_keys, boards_by_table)
        if (
            file_result.round_number,
            file_result.table_number,
            file_result.board_number,
            file_result.deal_number,
        ) in result_keys:
            message = _(
                "The result of board %(board)s at table %(table)s in round %(round)s is "
                "listed twice."
            )
            fault_text = message % _build_location_placeholders(file_result)
        result_keys.add(
            (
                file_result.round_number,
                file_result.table_number,
                file_result.board_number,
                file_result.deal_number,
            )
        )
        if fault_text:
            problems.append(format_problem(f"{path}[{index}]", fault_text))
        results.append(file_result)
    return tuple(results)


def _describe_result_fault(
    result: EventFileResult,
    meeting_keys: set[tuple[int, int]],
    boards_by_table: Mapping[tuple[int, int], BoardNumbers],
) -> str:
    if (result.round_number, result.table_number) not in meeting_keys:
        message = _("The movement has no meeting at table %(table)s in round %(round)s.")
        return message % _build_location_placeholders(result)
    boards = boards_by_table.get((result.round_number, result.table_number))
    if boards is None:
        message = _("No one plays at table %(table)s in round %(round)s. It’s a sit-out.")
        return message % _build_location_placeholders(result)
    if result.board_number in boards:
        return ""
    message = ngettext(
        "Table %(table)s plays board %(first)s in round %(round)s, not board %(board)s.",
        "Table %(table)s plays boards %(first)s–%(last)s in round %(round)s, not board "
        "%(board)s.",
        len(boards),
    )
    return message % {
        **_build_location_placeholders(result),
        "first": boards[0],
        "last": boards[-1],
    }


def _build_location_placeholders(result: EventFileResult) -> dict[str, int]:
    return {
        "board": result.board_number,
        "table": result.table_number,
        "round": result.round_number,
    }
