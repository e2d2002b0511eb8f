"""Reads a section of an event file: its movement, seating, results and rulings."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exchange.eventfile.draws import read_draw
from exchange.eventfile.rulings import check_deals, read_rulings
from exchange.eventfile.schema import is_complete
from exchange.eventfile.strays import map_boards_played, read_strays
from exchange.eventfile.values import FiledResult, FiledSection
from server.json_reader.problems import Problems, format_problem
from tournaments.movements import Contest, Movement, UnplayableMovement, rebuild
from tournaments.movements.guide import list_boards
from tournaments.movements.stray_boards import Boards

MOVEMENT_KEYS = ("name", "boards_a_round", "tables", "rounds")


def read_section(
    section: Mapping[str, Any],
    contest: str,
    entries: set[int | None],
    seated: dict[int, str],
    sizes: dict[int, str],
    path: str,
    problems: Problems,
) -> FiledSection | None:
    """Read a section, or return None if its movement cannot be built.

    `entries` are the entry numbers of the file. `seated` has the place of each entry already
    seated in this session. `sizes` has the section that first used each number of boards a
    round. Both are updated.
    """
    movement_data: Any = section.get("movement")
    if not contest or not is_complete(movement_data, "name", "boards_a_round"):
        return None
    _check_size(movement_data["boards_a_round"], sizes, path, problems)
    seating = section.get("seating") or {}
    movement = _read_movement(movement_data, seating, contest, f"{path}.movement", problems)
    if movement is None:
        return None
    places = _read_seating(seating, movement, entries, seated, f"{path}.seating", problems)
    size = movement_data["boards_a_round"]
    boards_by_table = {
        (meeting.round, meeting.table): list_boards(meeting.board_group, size)
        for meeting in movement.played
    }
    strayed = section.get("strays") or []
    draw = read_draw(section.get("draw"), movement, entries, f"{path}.draw", problems)
    strays = read_strays(strayed, boards_by_table, f"{path}.strays", problems)
    plays = map_boards_played(boards_by_table, strays)
    result_data = section.get("results") or []
    results = _read_results(result_data, movement, plays, f"{path}.results", problems)
    ruled = section.get("rulings") or []
    rulings = read_rulings(ruled, plays, entries, f"{path}.rulings", problems)
    check_deals(results, rulings, f"{path}.results", problems)
    return FiledSection(
        letter=section.get("letter") or "",
        movement=movement,
        options={
            key: option for key, option in movement_data.items() if key not in MOVEMENT_KEYS
        },
        seating=places,
        results=results,
        rulings=rulings,
        strays=strays,
        draw=draw,
        withdrawn_places=_read_withdrawn_places(section, movement, places, path, problems),
    )


def build_movement(
    movement_data: Mapping[str, Any], contest: str, absent: Sequence[str | int] | None = None
) -> Movement:
    """Return the movement that a file describes; `absent` are the places without an entry.

    Raises UnplayableMovement.
    """
    options = {key: option for key, option in movement_data.items() if key != "boards_a_round"}
    name = options.pop("name")
    absent_labels = [str(place) for place in options.pop("absent", ())]
    if name == "custom":
        for key in ("tables", "rounds"):
            options.pop(key, None)
        options["contest"] = Contest(contest)
    return rebuild(name, absent=absent_labels if absent is None else absent, **options)


def seating_keys(movement: Movement) -> dict[str, list[int]]:
    """Return the place numbers of a movement, by their keys in the file's seating.

    The key of a team is its number, which covers the places of both its pairs.
    """
    keys = {label: [place] for place, label in enumerate(movement.labels, start=1)}
    if movement.contest is Contest.TEAMS:
        for place in range(1, movement.places + 1):
            keys.setdefault(str(movement.team(place)), []).append(place)
    return keys


def _read_withdrawn_places(
    section: Mapping[str, Any],
    movement: Movement,
    seated: Mapping[int, int],
    base_path: str,
    problems: Problems,
) -> dict[int, int]:
    """Return the first round missed by each place whose entry withdrew during play."""
    keys = seating_keys(movement)
    missed = section.get("gone_from") or {}
    first_missed: dict[int, int] = {}
    withdrawal_data = section.get("gone") or []
    for at, key in enumerate(withdrawal_data):
        path = f"{base_path}.gone[{at}]"
        if key is None:
            continue
        if key not in keys:
            problems.append(format_problem(path, movement.no_place(key)))
        elif not seated.keys() >= {*keys[key]}:
            text = _("No one sits at %(place)s, so no one can have withdrawn there.")
            problems.append(format_problem(path, text, place=key))
        elif first_missed.keys() & {*keys[key]}:
            text = _("Place %(place)s is given twice.")
            problems.append(format_problem(path, text, place=key))
        else:
            first_missed |= dict.fromkeys(keys[key], missed.get(key) or 0)
    for key in missed.keys() - {*withdrawal_data}:
        text = _("No one has withdrawn at %(place)s. List it under “gone” too.")
        problems.append(format_problem(f"{base_path}.gone_from", text, place=key))
    return first_missed


def _check_size(size: int, sizes: dict[int, str], base_path: str, problems: Problems) -> None:
    sizes.setdefault(size, base_path)
    first = next(iter(sizes))
    if first != size:
        text = _(
            "%(size)s here, but %(first)s in %(other)s. All sections of a session play alike."
        )
        path = f"{base_path}.movement.boards_a_round"
        problems.append(format_problem(path, text, size=size, first=first, other=sizes[first]))


def _read_movement(
    movement_data: Mapping[str, Any],
    seating: Mapping[str, Any],
    contest: str,
    path: str,
    problems: Problems,
) -> Movement | None:
    try:
        movement = build_movement(movement_data, contest)
        if movement.contest != contest:
            text = _("%(movement)s is for %(whom)s, but the event is %(contest)s.")
            placeholders = {
                "movement": movement.title,
                "whom": _participant_word(movement),
                "contest": contest,
            }
            problems.append(format_problem(f"{path}.name", text, **placeholders))
            return None
        movement = _mark_absent_places(movement, movement_data, seating, contest)
    except UnplayableMovement as problem:
        problems += [format_problem(path, text) for text in problem.problems]
        return None
    for key in ("tables", "rounds"):
        if movement_data.get(key, getattr(movement, key)) != getattr(movement, key):
            text = _("%(written)s here, but the meetings give %(given)s.")
            placeholders = {"written": movement_data[key], "given": getattr(movement, key)}
            problems.append(format_problem(f"{path}.{key}", text, **placeholders))
    return movement


def _mark_absent_places(
    movement: Movement,
    movement_data: Mapping[str, Any],
    seating: Mapping[str, Any],
    contest: str,
) -> Movement:
    """Return the movement with those places marked as absent that the seating omits."""
    keys = seating_keys(movement)
    seated_places = {place for key in seating for place in keys.get(key, ())}
    empty = [place for place in range(1, movement.places + 1) if place not in seated_places]
    if movement.absent.issuperset(empty):
        return movement
    return build_movement(
        movement_data, contest, [movement.labels[place - 1] for place in empty]
    )


def _participant_word(movement: Movement) -> str:
    return {
        Contest.PAIRS: _("pairs"),
        Contest.TEAMS: _("teams"),
        Contest.INDIVIDUAL: _("single players"),
        Contest.MEMORY: _("memory duplicate"),
    }[movement.contest]


def _read_seating(
    seating: Mapping[str, Any],
    movement: Movement,
    entries: set[int | None],
    seated: dict[int, str],
    base_path: str,
    problems: Problems,
) -> dict[int, int]:
    keys = seating_keys(movement)
    entries_by_place: dict[int, int] = {}
    for key, entry in seating.items():
        path = f"{base_path}.{key}"
        if entry is None:
            continue  # this problem was reported before, with a printable path
        if key not in keys:
            problems.append(format_problem(path, movement.no_place(key)))
        else:
            fault = _find_seat_fault(
                keys[key], key, entry, movement, entries, entries_by_place, seated, path
            )
            problems += [format_problem(path, fault)] if fault else []
            entries_by_place |= dict.fromkeys(keys[key], entry)
    return entries_by_place


def _find_seat_fault(
    places: Sequence[int],
    key: str,
    entry: int,
    movement: Movement,
    entries: set[int | None],
    entries_by_place: Mapping[int, int],
    seated: dict[int, str],
    path: str,
) -> str:
    if entry not in entries:
        return _("Entry %(entry)s isn't in this file.") % {"entry": entry}
    if set(places) & movement.absent:
        text = _("No one sits at %(place)s. The movement lists that place as empty.")
        return text % {"place": key}
    if set(places) & set(entries_by_place):
        text = _("Entry %(entry)s already has a seat at %(place)s.")
        return text % {"place": key, "entry": entries_by_place[places[0]]}
    first = seated.setdefault(entry, path)
    team = movement.contest is Contest.TEAMS
    mates = {
        entries_by_place[each]
        for each in entries_by_place
        if movement.team(each) == movement.team(places[0])
    }
    if team and mates - {entry}:
        text = _("Entry %(entry)s sits where entry %(other)s has its other pair.")
        return text % {"entry": entry, "other": min(mates - {entry})}
    if first != path and not (team and mates):
        text = _(
            "Entry %(entry)s already has a seat at %(path)s. An entry has one seat per session."
        )
        return text % {"entry": entry, "path": first}
    return ""


def _read_results(
    result_data: Sequence[Any],
    movement: Movement,
    plays: Mapping[tuple[int, int], Boards],
    path: str,
    problems: Problems,
) -> tuple[FiledResult, ...]:
    tables = {(meeting.round, meeting.table) for meeting in movement.meetings}
    result_keys: set[tuple[int, int, int, int]] = set()
    results = []
    for place, result in enumerate(result_data):
        if not is_complete(result, "round", "table", "board"):
            continue
        file_result = FiledResult(
            result["round"],
            result["table"],
            result["board"],
            result.get("ns_tricks"),
            result.get("deal", 1),
            result.get("trump", ""),
            result.get("ns_points"),
            result.get("ew_points"),
        )
        fault = _find_result_fault(file_result, tables, plays)
        if (
            file_result.round,
            file_result.table,
            file_result.board,
            file_result.deal,
        ) in result_keys:
            text = _(
                "The result of board %(board)s at table %(table)s in round %(round)s is given "
                "twice."
            )
            fault = text % _location_values(file_result)
        result_keys.add(
            (file_result.round, file_result.table, file_result.board, file_result.deal)
        )
        if fault:
            problems.append(format_problem(f"{path}[{place}]", fault))
        results.append(file_result)
    return tuple(results)


def _find_result_fault(
    result: FiledResult,
    tables: set[tuple[int, int]],
    plays: Mapping[tuple[int, int], Boards],
) -> str:
    if (result.round, result.table) not in tables:
        text = _("The movement has no meeting at table %(table)s in round %(round)s.")
        return text % _location_values(result)
    boards = plays.get((result.round, result.table))
    if boards is None:
        text = _("No one plays at table %(table)s in round %(round)s. It's a sit-out.")
        return text % _location_values(result)
    if result.board in boards:
        return ""
    text = ngettext(
        "Table %(table)s plays board %(first)s in round %(round)s, not board %(board)s.",
        "Table %(table)s plays boards %(first)s to %(last)s in round "
        "%(round)s, not board %(board)s.",
        len(boards),
    )
    return text % {**_location_values(result), "first": boards[0], "last": boards[-1]}


def _location_values(result: FiledResult) -> dict[str, int]:
    return {"board": result.board, "table": result.table, "round": result.round}
