"""One section of an event file: its movement, who took which place, and what happened."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.eventfile.rulings import check_deals, read_rulings
from scoring.eventfile.shape import is_whole, said
from scoring.eventfile.values import FiledResult, FiledSection
from tournaments.movements import Contest, Movement, UnplayableMovement, build

NOT_OPTIONS = ("name", "boards_a_round", "tables", "rounds")


def read_section(
    section: Mapping[str, Any],
    contest: str,
    entries: set[int | None],
    seated: dict[int, str],
    sizes: dict[int, str],
    where: str,
    wrong: list[str],
) -> FiledSection | None:
    """Read a section, or return None where its movement cannot be built.

    `entries` are the numbers entered; `seated` says where each already sits in this session,
    and `sizes` which section has how many boards a round; both are added to.
    """
    written: Any = section.get("movement")
    if not contest or not is_whole(written, "name", "boards_a_round"):
        return None
    _check_size(written["boards_a_round"], sizes, where, wrong)
    seating = section.get("seating") or {}
    movement = _movement(written, seating, contest, f"{where}.movement", wrong)
    if movement is None:
        return None
    places = _read_seating(seating, movement, entries, seated, f"{where}.seating", wrong)
    size = written["boards_a_round"]
    listed = section.get("results") or []
    results = _read_results(listed, movement, size, f"{where}.results", wrong)
    plays = {
        (it.round, it.table): range((it.board_group - 1) * size + 1, it.board_group * size + 1)
        for it in movement.played
    }
    ruled = section.get("rulings") or []
    rulings = read_rulings(ruled, plays, entries, f"{where}.rulings", wrong)
    check_deals(results, rulings, f"{where}.results", wrong)
    return FiledSection(
        letter=section.get("letter") or "",
        movement=movement,
        options={key: each for key, each in written.items() if key not in NOT_OPTIONS},
        seating=places,
        results=results,
        rulings=rulings,
    )


def movement_of(
    written: Mapping[str, Any], contest: str, absent: Sequence[str | int] | None = None
) -> Movement:
    """Build the movement that a file names; `absent` are the places that nobody takes.

    Raises UnplayableMovement.
    """
    options = {key: each for key, each in written.items() if key != "boards_a_round"}
    name = options.pop("name")
    listed = [str(place) for place in options.pop("absent", ())]
    if name == "custom":
        for key in ("tables", "rounds"):
            options.pop(key, None)
        options["contest"] = Contest(contest)
    return build(name, absent=listed if absent is None else absent, **options)


def seating_keys(movement: Movement) -> dict[str, list[int]]:
    """Return the places by the names that a seating may call them.

    A team is called by its number and takes the places of both its pairs.
    """
    keys = {label: [place] for place, label in enumerate(movement.labels, start=1)}
    if movement.contest is Contest.TEAMS:
        for place in range(1, movement.places + 1):
            keys.setdefault(str(movement.team(place)), []).append(place)
    return keys


def _check_size(size: int, sizes: dict[int, str], where: str, wrong: list[str]) -> None:
    sizes.setdefault(size, where)
    first = next(iter(sizes))
    if first != size:
        text = f"{size} here, but {first} in {sizes[first]}; a session's sections play alike."
        wrong.append(said(f"{where}.movement.boards_a_round", text))


def _movement(
    written: Mapping[str, Any],
    seating: Mapping[str, Any],
    contest: str,
    where: str,
    wrong: list[str],
) -> Movement | None:
    try:
        movement = movement_of(written, contest)
        if movement.contest != contest:
            text = f"{movement.title} is for {_whom(movement)}; the event is {contest}."
            wrong.append(said(f"{where}.name", text))
            return None
        movement = _emptied(movement, written, seating, contest)
    except UnplayableMovement as problem:
        wrong += [said(where, text) for text in problem.problems]
        return None
    for key in ("tables", "rounds"):
        if written.get(key, getattr(movement, key)) != getattr(movement, key):
            text = f"{written[key]} here, but the meetings give {getattr(movement, key)}."
            wrong.append(said(f"{where}.{key}", text))
    return movement


def _emptied(
    movement: Movement, written: Mapping[str, Any], seating: Mapping[str, Any], contest: str
) -> Movement:
    """Leave empty the places that a seating leaves out."""
    keys = seating_keys(movement)
    taken = {place for key in seating for place in keys.get(key, ())}
    empty = [place for place in range(1, movement.places + 1) if place not in taken]
    if movement.absent.issuperset(empty):
        return movement
    return movement_of(written, contest, [movement.labels[place - 1] for place in empty])


def _whom(movement: Movement) -> str:
    return {Contest.INDIVIDUAL: "single players", Contest.MEMORY: "memory duplicate"}.get(
        movement.contest, str(movement.contest)
    )


def _read_seating(
    seating: Mapping[str, Any],
    movement: Movement,
    entries: set[int | None],
    seated: dict[int, str],
    where: str,
    wrong: list[str],
) -> dict[int, int]:
    keys = seating_keys(movement)
    found: dict[int, int] = {}
    for key, entry in seating.items():
        path = f"{where}.{key}"
        if key not in keys:
            text = (
                f"{movement.title} has no place {key}; "
                f"its places are {movement.labels[0]} to {movement.labels[-1]}."
            )
            wrong.append(said(path, text))
        elif entry is not None:
            fault = _seat_fault(keys[key], key, entry, movement, entries, found, seated, path)
            wrong += [said(path, fault)] if fault else []
            found |= dict.fromkeys(keys[key], entry)
    return found


def _seat_fault(
    places: Sequence[int],
    key: str,
    entry: int,
    movement: Movement,
    entries: set[int | None],
    found: Mapping[int, int],
    seated: dict[int, str],
    path: str,
) -> str:
    if entry not in entries:
        return f"There is no entry {entry} in this file."
    if set(places) & movement.absent:
        return f"Nobody sits at {key}: the movement says that the place is absent."
    if set(places) & set(found):
        return f"Place {key} is taken already by entry {found[places[0]]}."
    first = seated.setdefault(entry, path)
    team = movement.contest is Contest.TEAMS
    mates = {found[each] for each in found if movement.team(each) == movement.team(places[0])}
    if team and mates - {entry}:
        return f"Entry {entry} sits where entry {min(mates - {entry})} has its other pair."
    if first != path and not (team and mates):
        return f"Entry {entry} sits at {first} already; an entry takes one place a session."
    return ""


def _read_results(
    listed: Sequence[Any],
    movement: Movement,
    boards_a_round: int,
    where: str,
    wrong: list[str],
) -> tuple[FiledResult, ...]:
    groups = {(each.round, each.table): each.board_group for each in movement.meetings}
    held = {(each.round, each.table) for each in movement.played}
    seen: set[tuple[int, int, int, int]] = set()
    results = []
    for place, result in enumerate(listed):
        if not is_whole(result, "round", "table", "board"):
            continue
        at = FiledResult(
            result["round"],
            result["table"],
            result["board"],
            result.get("ns_tricks"),
            result.get("deal", 1),
        )
        fault = _result_fault(at, groups, held, boards_a_round)
        if (at.round, at.table, at.board, at.deal) in seen:
            fault = f"The result of board {at.board} {_where(at)} is given twice."
        seen.add((at.round, at.table, at.board, at.deal))
        if fault:
            wrong.append(said(f"{where}[{place}]", fault))
        results.append(at)
    return tuple(results)


def _result_fault(
    at: FiledResult,
    groups: Mapping[tuple[int, int], int],
    held: set[tuple[int, int]],
    boards_a_round: int,
) -> str:
    group = groups.get((at.round, at.table))
    if group is None:
        return f"The movement has no meeting {_where(at)}."
    if (at.round, at.table) not in held:
        return f"Nobody plays {_where(at)}: it is a sit-out."
    first = (group - 1) * boards_a_round + 1
    if first <= at.board < first + boards_a_round:
        return ""
    played = f"boards {first} to {first + boards_a_round - 1} lie there"
    if boards_a_round == 1:
        played = f"board {first} lies there"
    return f"Board {at.board} is not played {_where(at)}: {played}."


def _where(at: FiledResult) -> str:
    return f"at table {at.table} in round {at.round}"
