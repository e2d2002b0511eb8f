"""Drawn rounds as meetings: the seats and the boards of each match."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tournaments.movements.drawn_rounds import count_earlier_sets
from tournaments.movements.meetings import Contest, Meeting, make_pair_meeting
from tournaments.swiss.draw import Draw, draw_round
from tournaments.swiss.field import DrawField, OddRule
from tournaments.swiss.field_reader import compute_fingerprint, read_field
from tournaments.swiss.plan import NO_WISHES, DrawWishes, SwissPlan

Numbers = Mapping[int, tuple[int, ...]]
"""The places of each entry by its number: one place, or both places of a team."""


def draw_from_data(data: Mapping[str, Any]) -> dict[str, Any]:
    """Draw a round from plain data, and return the record of the draw.

    The same data always give the same record, byte for byte.
    """
    return build_record(data, draw_round(read_field(data)))


def build_record(data: Mapping[str, Any], draw: Draw) -> dict[str, Any]:
    """Return the record of a draw: its input, and its outcome by entry numbers."""
    return {
        "input": dict(data),
        "sha256": compute_fingerprint(data).removeprefix("sha256 "),
        "pairings": [[pairing.table, pairing.ns, pairing.ew] for pairing in draw.pairings],
        "sit_out": list(draw.sit_out),
        "objective": list(draw.objective),
        **({"three_way": list(draw.three_way)} if draw.three_way else {}),
    }


def pair_by_seeds(data: Mapping[str, Any], numbers: Sequence[int]) -> dict[str, Any]:
    """Return the record of a first round by seeds: 1 against the first of the lower half.

    With an odd number of entries the last sits out, or the last three play each other.
    """
    order = list(numbers)
    three = data.get("odd") == OddRule.THREE_WAY and len(order) % 2 == 1
    triple = [order.pop() for _each in range(3)][::-1] if three else []
    sitting_out = [order.pop()] if len(order) % 2 else []
    half_size = len(order) // 2
    seats = {entry["id"]: entry.get("seat") for entry in data["entries"]}
    couples = []
    for table, (one, other) in enumerate(
        zip(order[:half_size], order[half_size:], strict=True), 1
    ):
        is_turned = table % 2 == 0
        if seats.get(one) == "stays" or seats.get(other) == "stays":
            is_turned = seats.get(one) != "stays"
        couples.append([table, other, one] if is_turned else [table, one, other])
    return {
        "input": dict(data),
        "sha256": compute_fingerprint(data).removeprefix("sha256 "),
        "pairings": couples,
        "sit_out": sitting_out,
        "objective": [],
        **({"three_way": triple} if triple else {}),
    }


def build_knockout_record(
    data: Mapping[str, Any],
    couples: Iterable[tuple[int, int]],
    byes: Iterable[int],
    round_: int,
    *,
    three_way_matches: Sequence[tuple[int, int, int]] = (),
) -> dict[str, Any]:
    """Return the record of a knock-out round with the bracket's matches and three-way matches.

    The teams of all three-way matches are in one list, in the format of a single such match.
    """
    return {
        "input": dict(data),
        "sha256": compute_fingerprint(data).removeprefix("sha256 "),
        "pairings": [[table, one, other] for table, (one, other) in enumerate(couples, 1)],
        "sit_out": sorted(byes),
        "objective": [],
        "knockout": round_,
        **(
            {"three_way": [seed for three in three_way_matches for seed in three]}
            if three_way_matches
            else {}
        ),
    }


def build_meetings(
    record: Mapping[str, Any], places: Numbers, *, plan: SwissPlan, round_: int, booked: int = 0
) -> list[Meeting]:
    """Return the meetings of a drawn round, whose first round in the section is `round_`.

    All tables play one board set in a round. With own boards, each match gets the next sets
    after the `booked` sets of earlier rounds. A match of teams has two tables. A three-way
    match has three tables, and a third set that no other match needs; a bracket may have
    several such matches.
    """
    meetings: list[Meeting] = []
    matches = len(record["pairings"])
    for half_number in range(plan.halves):
        number = round_ + half_number
        for at, (table, ns, ew) in enumerate(sorted(record["pairings"])):
            own_set = booked + at * plan.halves + half_number + 1
            group = own_set if plan.own_boards else _find_set(plan, number)
            home_places, away_places = places[ns], places[ew]
            if len(home_places) == 1:
                meetings.append(
                    make_pair_meeting(number, table, home_places[0], away_places[0], group)
                )
                continue
            meetings.append(
                make_pair_meeting(number, 2 * table - 1, home_places[0], away_places[1], group)
            )
            meetings.append(
                make_pair_meeting(number, 2 * table, away_places[0], home_places[1], group)
            )
        last = max((row[0] for row in record["pairings"]), default=0)
        three = [places[seed] for seed in record.get("three_way", ())]
        for at in range(0, len(three), 3):
            own_set = booked + matches * plan.halves + at + 1
            group = own_set if plan.own_boards else _find_set(plan, round_)
            meetings += _build_three_way(
                three[at : at + 3], number, 2 * last + at + 1, group, half_number=half_number
            )
    return meetings


def _find_set(plan: SwissPlan, round_: int) -> int:
    """Return the board set that ordinary matches play in a round of the section."""
    half_number = (round_ - 1) % plan.halves
    return count_earlier_sets(plan.as_data(), plan.drawn_in(round_)) + half_number + 1


def _build_three_way(
    sides: Sequence[tuple[int, ...]], round_: int, table: int, group: int, *, half_number: int
) -> list[Meeting]:
    """Return the meetings of one half of a three-way match of teams A, B and C.

    The first half is A-B, B-C, C-A, and the second half A-C, B-A, C-B. For the second half the
    North-South pairs stay, the East-West pairs move one table down, and the boards one table
    up. The same two teams therefore play each of the three sets in both directions.

    Source: public practice.
    """
    return [
        make_pair_meeting(
            round_,
            table + at,
            sides[at][0],
            sides[(at + 1 + half_number) % 3][1],
            group + (at - half_number) % 3,
        )
        for at in range(3)
    ]


def build_input(
    plan: SwissPlan,
    round_: int,
    *,
    contest: Contest,
    seed: str,
    entries: Iterable[Mapping[str, Any]],
    history: Iterable[Mapping[str, Any]],
    preferences: DrawWishes = NO_WISHES,
) -> dict[str, Any]:
    """Return the input for the draw of a round, without names, in the format of `swiss draw`.

    The command's documentation describes `entries` and `history`.
    """
    sorted_entries = sorted(entries, key=lambda entry: entry["id"])
    ids = {sorted_entry["id"] for sorted_entry in sorted_entries}
    couples_apart = dict.fromkeys(
        [*plan.apart, *preferences.list_same_club_pairs(plan, round_)]
    )
    return {
        "kind": "teams" if contest is Contest.TEAMS else "pairs",
        "round": round_,
        "seed": seed,
        "method": str(plan.method_in(round_)),
        "entries": [_add_wishes(sorted_entry, preferences) for sorted_entry in sorted_entries],
        "history": [dict(round_data) for round_data in history],
        "apart": [list(couple) for couple in couples_apart if ids.issuperset(couple)],
        **({"odd": str(OddRule.THREE_WAY)} if plan.three_way else {}),
        **({"rounds": rounds} if (rounds := plan.rounds - plan.last_free) >= round_ else {}),
    }


def _add_wishes(entry: Mapping[str, Any], preferences: DrawWishes) -> dict[str, Any]:
    """Return an entry with its wish to sit N-S, unless it must be stationary."""
    if entry["id"] in preferences.north_south and "seat" not in entry:
        return {**entry, "seat": "north-south"}
    return dict(entry)


def build_named_field(data: Mapping[str, Any], names: Mapping[int, str]) -> DrawField:
    """Return the input of a draw with the current names, which explanations use."""
    field = read_field(data)
    return replace(
        field,
        entries=tuple(
            replace(entry, name=names.get(int(entry.id), "")) for entry in field.entries
        ),
    )


def count_differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    """Return the number of matches of a draw that another draw does not have."""
    couples = [
        {frozenset((ns, ew)) for _table, ns, ew in record["pairings"]}
        for record in (one, other)
    ]
    return len(couples[0] - couples[1])
