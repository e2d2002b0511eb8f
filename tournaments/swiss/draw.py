"""The exact draw of a Swiss round; the same input always gives the same draw."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from tournaments.swiss import reasons
from tournaments.swiss.field import DrawField, EntryId, SeatPreference, get_id_sort_key
from tournaments.swiss.matching import Edge
from tournaments.swiss.objective import CostLevel, Costs, PricedMatch, sum_squared_side_balances
from tournaments.swiss.round_choice import RoundChooser


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match at a table, and the reason for it; `ns` is the home team in an event of teams."""

    table_number: int
    ns: EntryId
    ew: EntryId
    reason: str


@dataclass(frozen=True, slots=True)
class RoundDraw:
    """The drawn round: its matches by table, its sit-outs or three-way match, and its cost."""

    pairings: tuple[Pairing, ...]
    sit_out_ids: tuple[EntryId, ...]
    three_way_ids: tuple[EntryId, ...]
    costs: Costs
    sit_out_reason: str = ""


def draw_round(draw_field: DrawField) -> RoundDraw:
    """Draw the next round for two or more entries.

    Source: derived by this project; the tests compare the draws with brute force.
    """
    round_chooser, entries = RoundChooser(draw_field), draw_field.present_entries
    edges, three_way_indexes = (
        round_chooser.find_best_three_way_round()
        if round_chooser.has_three_way_match
        else (round_chooser.find_best_round(), ())
    )
    matches = [
        round_chooser.priced_matches[edge]
        for edge in edges
        if edge in round_chooser.priced_matches
    ]
    sit_out_indexes = [node for node, partner in edges if partner == round_chooser.entry_count]
    table_matches = _assign_tables(draw_field, matches)
    draw_reasons = reasons.DrawReasons(draw_field, [(match.ns, match.ew) for match in matches])
    return RoundDraw(
        pairings=tuple(
            Pairing(
                table_number, match.ns, match.ew, draw_reasons.explain_match(match.ns, match.ew)
            )
            for table_number, match in table_matches
        ),
        sit_out_ids=tuple(entries[index].id for index in sit_out_indexes),
        three_way_ids=tuple(entries[index].id for index in three_way_indexes),
        costs=_sum_costs(round_chooser, (*edges, *combinations(three_way_indexes, 2))),
        sit_out_reason=draw_reasons.explain_sit_out(entries[sit_out_indexes[0]].id)
        if sit_out_indexes
        else "",
    )


def _sum_costs(round_chooser: RoundChooser, edges: Iterable[Edge]) -> Costs:
    """Return the cost of a draw on each level, including the sides of earlier rounds."""
    level_costs = list(round_chooser.compute_costs(edges))
    level_costs[CostLevel.SIDE_BALANCE] += sum_squared_side_balances(round_chooser.draw_field)
    return tuple(level_costs)


def _assign_tables(
    draw_field: DrawField, matches: list[PricedMatch]
) -> list[tuple[int, PricedMatch]]:
    """Assign tables: stationary entries stay at their table, others follow the ranking."""
    match_by_table: dict[int, PricedMatch] = {}
    seats_by_entry = {entry.id: entry.seat for entry in draw_field.present_entries}
    for match in matches:
        stationary_table = (
            _find_last_table(draw_field, match.ns)
            if seats_by_entry[match.ns] is SeatPreference.STAYS
            else None
        )
        if stationary_table is not None and stationary_table not in match_by_table:
            match_by_table[stationary_table] = match
    other_matches = sorted(
        (match for match in matches if match not in match_by_table.values()),
        key=lambda match: (
            sorted((draw_field.rank_by_entry[match.ns], draw_field.rank_by_entry[match.ew])),
            min(get_id_sort_key(match.ns), get_id_sort_key(match.ew)),
        ),
    )
    free_tables = iter(
        table_number
        for table_number in range(1, len(matches) + len(match_by_table) + 1)
        if table_number not in match_by_table
    )
    return sorted(
        [*match_by_table.items(), *((next(free_tables), match) for match in other_matches)],
        key=lambda match: match[0],
    )


def _find_last_table(draw_field: DrawField, id_: EntryId) -> int | None:
    for drawn_round in reversed(draw_field.earlier_rounds):
        for pairing in drawn_round.pairings:
            if id_ in (pairing.ns, pairing.ew):
                return pairing.table
    return None
