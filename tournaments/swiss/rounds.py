"""A drawn round as meetings: who sits where, with which boards."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tournaments.movements.meetings import Contest, Meeting, pair_meeting
from tournaments.swiss.draw import Draw, draw
from tournaments.swiss.field import Field
from tournaments.swiss.plan import NO_WISHES, Plan, Wishes
from tournaments.swiss.reading import field_of, fingerprint

Numbers = Mapping[int, tuple[int, ...]]
"""The places of each entry, by its number: one, or both of a team."""


def drawn(data: Mapping[str, Any]) -> dict[str, Any]:
    """Draw a round from plain data, and write down all that is kept of it.

    The same data give the same record, byte for byte.
    """
    return record_of(data, draw(field_of(data)))


def record_of(data: Mapping[str, Any], made: Draw) -> dict[str, Any]:
    """What is kept of a draw: what it was made from, and what came of it, by numbers."""
    return {
        "input": dict(data),
        "sha256": fingerprint(data).removeprefix("sha256 "),
        "pairings": [[each.table, each.ns, each.ew] for each in made.pairings],
        "sit_out": list(made.sit_out),
        "objective": list(made.objective),
    }


def seeded(data: Mapping[str, Any], numbers: Sequence[int]) -> dict[str, Any]:
    """Set a first round by the seeds: 1 against the first of the lower half; the last rests."""
    order = list(numbers)
    rest = [order.pop()] if len(order) % 2 else []
    half = len(order) // 2
    seats = {each["id"]: each.get("seat") for each in data["entries"]}
    couples = []
    for table, (one, other) in enumerate(zip(order[:half], order[half:], strict=True), 1):
        turned = table % 2 == 0
        if seats.get(one) == "stays" or seats.get(other) == "stays":
            turned = seats.get(one) != "stays"
        couples.append([table, other, one] if turned else [table, one, other])
    return {
        "input": dict(data),
        "sha256": fingerprint(data).removeprefix("sha256 "),
        "pairings": couples,
        "sit_out": rest,
        "objective": [],
    }


def knocked(
    data: Mapping[str, Any],
    couples: Iterable[tuple[int, int]],
    byes: Iterable[int],
    round_: int,
) -> dict[str, Any]:
    """Set a round of a knock-out: the couples of the bracket, and which round of it."""
    return {
        "input": dict(data),
        "sha256": fingerprint(data).removeprefix("sha256 "),
        "pairings": [[table, one, other] for table, (one, other) in enumerate(couples, 1)],
        "sit_out": sorted(byes),
        "objective": [],
        "knockout": round_,
    }


def meetings_of(record: Mapping[str, Any], round_: int, places: Numbers) -> list[Meeting]:
    """The meetings of a drawn round; all play one set. A match of teams has two tables."""
    found: list[Meeting] = []
    for table, ns, ew in record["pairings"]:
        home, away = places[ns], places[ew]
        if len(home) == 1:
            found.append(pair_meeting(round_, table, home[0], away[0], round_))
            continue
        found.append(pair_meeting(round_, 2 * table - 1, home[0], away[1], round_))
        found.append(pair_meeting(round_, 2 * table, away[0], home[1], round_))
    return found


def input_of(
    plan: Plan,
    round_: int,
    *,
    contest: Contest,
    seed: str,
    entries: Iterable[Mapping[str, Any]],
    history: Iterable[Mapping[str, Any]],
    wishes: Wishes = NO_WISHES,
) -> dict[str, Any]:
    """What a draw of a round is made from, as `swiss draw` reads it; names are left out.

    `entries` and `history` are as the command documents them.
    """
    known = sorted(entries, key=lambda each: each["id"])
    ids = {each["id"] for each in known}
    apart = dict.fromkeys([*plan.apart, *wishes.apart(plan, round_)])
    return {
        "kind": "teams" if contest is Contest.TEAMS else "pairs",
        "round": round_,
        "seed": seed,
        "method": str(plan.method_in(round_)),
        "entries": [_wishing(each, wishes) for each in known],
        "history": [dict(each) for each in history],
        "apart": [list(each) for each in apart if ids.issuperset(each)],
    }


def _wishing(entry: Mapping[str, Any], wishes: Wishes) -> dict[str, Any]:
    """An entry with its wish to sit N-S; who must stay seated has that already."""
    if entry["id"] in wishes.north_south and "seat" not in entry:
        return {**entry, "seat": "north-south"}
    return dict(entry)


def named_field(data: Mapping[str, Any], names: Mapping[int, str]) -> Field:
    """The field of a draw with the names of today, for its reasons."""
    field = field_of(data)
    return replace(
        field,
        entries=tuple(
            replace(each, name=names.get(int(each.id), "")) for each in field.entries
        ),
    )


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    """How many couples of a draw another draw has not."""
    couples = [
        {frozenset((ns, ew)) for _table, ns, ew in record["pairings"]}
        for record in (one, other)
    ]
    return len(couples[0] - couples[1])
