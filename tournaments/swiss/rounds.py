"""Converts drawn rounds to meetings, with the seats and the boards of each match."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tournaments.movements.drawn_rounds import count_earlier_board_sets
from tournaments.movements.meetings import Contest, Meeting, make_pair_meeting
from tournaments.swiss.draw import RoundDraw, draw_round
from tournaments.swiss.field import DrawField, OddRule
from tournaments.swiss.field_reader import compute_fingerprint, read_field
from tournaments.swiss.plan import NO_WISHES, DrawWishes, SwissPlan

PlacesByNumber = Mapping[int, tuple[int, ...]]
"""The places of each entry by entry number: one place, or both places of a team."""


def draw_round_from_data(draw_input: Mapping[str, Any]) -> dict[str, Any]:
    """Draw a round from plain data, and return the record of the draw.

    The same data always give the same record, byte for byte.
    """
    return build_draw_record(draw_input, draw_round(read_field(draw_input)))


def build_draw_record(draw_input: Mapping[str, Any], round_draw: RoundDraw) -> dict[str, Any]:
    """Return the record of a draw: the input, and the result by entry numbers."""
    return {
        "input": dict(draw_input),
        "sha256": compute_fingerprint(draw_input).removeprefix("sha256 "),
        "pairings": [
            [pairing.table_number, pairing.ns, pairing.ew] for pairing in round_draw.pairings
        ],
        "sit_out": list(round_draw.sit_out_ids),
        "objective": list(round_draw.costs),
        **({"three_way": list(round_draw.three_way_ids)} if round_draw.three_way_ids else {}),
    }


def pair_by_seeds(
    draw_input: Mapping[str, Any], seeded_entry_numbers: Sequence[int]
) -> dict[str, Any]:
    """Return the record of a first round by seeds: 1 against the first of the lower half.

    If the number of entries is odd, the last one sits out, or the last three play each other.
    """
    remaining_numbers = list(seeded_entry_numbers)
    has_three_way_match = (
        draw_input.get("odd") == OddRule.THREE_WAY and len(remaining_numbers) % 2 == 1
    )
    three_way_numbers = (
        [remaining_numbers.pop() for _index in range(3)][::-1] if has_three_way_match else []
    )
    sit_out_numbers = [remaining_numbers.pop()] if len(remaining_numbers) % 2 else []
    half_size = len(remaining_numbers) // 2
    seats_by_number = {entry["id"]: entry.get("seat") for entry in draw_input["entries"]}
    pairings = []
    for table_number, (upper_number, lower_number) in enumerate(
        zip(remaining_numbers[:half_size], remaining_numbers[half_size:], strict=True), 1
    ):
        has_reversed_sides = table_number % 2 == 0
        if (
            seats_by_number.get(upper_number) == "stays"
            or seats_by_number.get(lower_number) == "stays"
        ):
            has_reversed_sides = seats_by_number.get(upper_number) != "stays"
        pairings.append(
            [table_number, lower_number, upper_number]
            if has_reversed_sides
            else [table_number, upper_number, lower_number]
        )
    return {
        "input": dict(draw_input),
        "sha256": compute_fingerprint(draw_input).removeprefix("sha256 "),
        "pairings": pairings,
        "sit_out": sit_out_numbers,
        "objective": [],
        **({"three_way": three_way_numbers} if three_way_numbers else {}),
    }


def build_knockout_draw_record(
    draw_input: Mapping[str, Any],
    pairings: Iterable[tuple[int, int]],
    byes: Iterable[int],
    round_number: int,
    *,
    three_way_matches: Sequence[tuple[int, int, int]] = (),
) -> dict[str, Any]:
    """Return the record of a knock-out round with the bracket's matches and three-way matches.

    The teams of all three-way matches are in one list, in the format of a single such match.
    """
    return {
        "input": dict(draw_input),
        "sha256": compute_fingerprint(draw_input).removeprefix("sha256 "),
        "pairings": [
            [table_number, home_number, away_number]
            for table_number, (home_number, away_number) in enumerate(pairings, 1)
        ],
        "sit_out": sorted(byes),
        "objective": [],
        "knockout": round_number,
        **(
            {
                "three_way": [
                    team_number
                    for three_way_match in three_way_matches
                    for team_number in three_way_match
                ]
            }
            if three_way_matches
            else {}
        ),
    }


def build_meetings(
    draw_record: Mapping[str, Any],
    places_by_number: PlacesByNumber,
    *,
    plan: SwissPlan,
    round_number: int,
    used_set_count: int = 0,
) -> list[Meeting]:
    """Return the meetings of a drawn round, whose first round in the section is `round_number`.

    All tables play one board set in a round. If the plan has own boards, each match gets the
    next sets after the `used_set_count` sets of earlier rounds. A match of teams has two
    tables. A three-way match has three tables, and a third set that no other match needs. A
    bracket may have several such matches.
    """
    meetings: list[Meeting] = []
    match_count = len(draw_record["pairings"])
    for half_number in range(plan.halves):
        section_round_number = round_number + half_number
        for index, (table_number, ns, ew) in enumerate(sorted(draw_record["pairings"])):
            match_board_set_number = used_set_count + index * plan.halves + half_number + 1
            board_group = (
                match_board_set_number
                if plan.own_boards
                else _compute_board_set_number(plan, section_round_number)
            )
            home_places, away_places = places_by_number[ns], places_by_number[ew]
            if len(home_places) == 1:
                meetings.append(
                    make_pair_meeting(
                        section_round_number,
                        table_number,
                        home_places[0],
                        away_places[0],
                        board_group,
                    )
                )
                continue
            meetings.append(
                make_pair_meeting(
                    section_round_number,
                    2 * table_number - 1,
                    home_places[0],
                    away_places[1],
                    board_group,
                )
            )
            meetings.append(
                make_pair_meeting(
                    section_round_number,
                    2 * table_number,
                    away_places[0],
                    home_places[1],
                    board_group,
                )
            )
        last_table_number = max(
            (table_number for table_number, _ns, _ew in draw_record["pairings"]), default=0
        )
        three_way_places = [
            places_by_number[team_number] for team_number in draw_record.get("three_way", ())
        ]
        for index in range(0, len(three_way_places), 3):
            match_board_set_number = used_set_count + match_count * plan.halves + index + 1
            board_group = (
                match_board_set_number
                if plan.own_boards
                else _compute_board_set_number(plan, round_number)
            )
            meetings += _build_three_way_meetings(
                three_way_places[index : index + 3],
                section_round_number,
                2 * last_table_number + index + 1,
                board_group,
                half_number=half_number,
            )
    return meetings


def _compute_board_set_number(plan: SwissPlan, round_number: int) -> int:
    """Return the board set that ordinary matches play in a round of the section."""
    half_number = (round_number - 1) % plan.halves
    return (
        count_earlier_board_sets(plan.as_data(), plan.find_drawn_round(round_number))
        + half_number
        + 1
    )


def _build_three_way_meetings(
    places_of_teams: Sequence[tuple[int, ...]],
    round_number: int,
    first_table_number: int,
    first_board_group: int,
    *,
    half_number: int,
) -> list[Meeting]:
    """Return the meetings of one half of a three-way match of teams A, B and C.

    The first half is A-B, B-C, C-A, and the second half A-C, B-A, C-B. For the second half the
    North-South pairs stay, the East-West pairs move one table down, and the boards move one
    table up. Therefore each of the three sets is played in both directions by two teams.

    Source: the common practice of clubs.
    """
    return [
        make_pair_meeting(
            round_number,
            first_table_number + index,
            places_of_teams[index][0],
            places_of_teams[(index + 1 + half_number) % 3][1],
            first_board_group + (index - half_number) % 3,
        )
        for index in range(3)
    ]


def build_draw_input(
    plan: SwissPlan,
    round_number: int,
    *,
    contest: Contest,
    seed: str,
    entries: Iterable[Mapping[str, Any]],
    earlier_rounds: Iterable[Mapping[str, Any]],
    wishes: DrawWishes = NO_WISHES,
) -> dict[str, Any]:
    """Return the input for the draw of a round, without names, in the format of `swiss draw`.

    The command's documentation describes `entries`, and `earlier_rounds` as "history".
    """
    sorted_entries = sorted(entries, key=lambda entry: entry["id"])
    entry_numbers = {sorted_entry["id"] for sorted_entry in sorted_entries}
    separated_pairings = dict.fromkeys(
        [*plan.apart, *wishes.list_same_club_pairs(plan, round_number)]
    )
    return {
        "kind": "teams" if contest is Contest.TEAMS else "pairs",
        "round": round_number,
        "seed": seed,
        "method": str(plan.find_method(round_number)),
        "entries": [
            _add_seat_preference(sorted_entry, wishes) for sorted_entry in sorted_entries
        ],
        "history": [dict(round_data) for round_data in earlier_rounds],
        "apart": [
            list(pairing) for pairing in separated_pairings if entry_numbers.issuperset(pairing)
        ],
        **({"odd": str(OddRule.THREE_WAY)} if plan.three_way else {}),
        **(
            {"rounds": last_protected_round}
            if (last_protected_round := plan.rounds - plan.last_free) >= round_number
            else {}
        ),
    }


def _add_seat_preference(entry_data: Mapping[str, Any], wishes: DrawWishes) -> dict[str, Any]:
    """Return an entry with its preference for N-S, unless the entry must be stationary."""
    if entry_data["id"] in wishes.north_south_entries and "seat" not in entry_data:
        return {**entry_data, "seat": "north-south"}
    return dict(entry_data)


def build_draw_field_with_names(
    draw_input: Mapping[str, Any], names_by_number: Mapping[int, str]
) -> DrawField:
    """Return the input of a draw with the current names, which explanations use."""
    draw_field = read_field(draw_input)
    return replace(
        draw_field,
        entries=tuple(
            replace(entry, name=names_by_number.get(int(entry.id), ""))
            for entry in draw_field.entries
        ),
    )


def count_different_matches(
    draw_record: Mapping[str, Any], other_draw_record: Mapping[str, Any]
) -> int:
    """Return the number of matches of a draw that another draw does not have."""
    pairing_sets = [
        {frozenset((ns, ew)) for _table, ns, ew in record["pairings"]}
        for record in (draw_record, other_draw_record)
    ]
    return len(pairing_sets[0] - pairing_sets[1])
