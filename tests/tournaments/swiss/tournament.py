"""Random tournaments with joiners, leavers and odd fields, and the rules they must keep."""

import random
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction

import networkx

from tournaments.swiss import (
    DrawField,
    DrawnRound,
    Entry,
    RoundDraw,
    SeatPreference,
    draw_round,
)
from tournaments.swiss.field import EarlierPairing


@dataclass(frozen=True)
class FieldDraw:
    """A draw, and the field from which it was made."""

    field: DrawField
    draw: RoundDraw


def play_tournament(
    random_generator: random.Random, entry_count: int, rounds: int
) -> list[FieldDraw]:
    """Play a tournament in which entries sometimes join, leave or need a seat."""
    entries = [
        Entry(
            number,
            seat=SeatPreference.STAYS
            if random_generator.random() < 0.05
            else SeatPreference.ANY,
        )
        for number in range(1, entry_count + 1)
    ]
    field = DrawField(tuple(entries), seed=str(random_generator.random()))
    actual = []
    for number in range(1, rounds + 1):
        entries = list(field.entries)
        if number > 1 and random_generator.random() < 0.15:
            entries.append(Entry(len(entries) + 1))
        if (
            number > 1
            and random_generator.random() < 0.15
            and sum(not e.left for e in entries) > 4
        ):
            leaver_index = random_generator.choice(
                [index for index, e in enumerate(entries) if not e.left]
            )
            entries[leaver_index] = replace(entries[leaver_index], left=True)
        field = replace(field, entries=tuple(entries), round_number=number)
        draw = draw_round(field)
        actual.append(FieldDraw(field, draw))
        gains: Counter[int | str] = Counter()
        for pairing in draw.pairings:
            margin = random_generator.randint(-12, 12)
            gains[pairing.ns] += margin
            gains[pairing.ew] -= margin
        history = DrawnRound(
            number,
            tuple(
                EarlierPairing(one_pairing.ns, one_pairing.ew, one_pairing.table_number)
                for one_pairing in draw.pairings
            ),
            draw.sit_out_ids,
        )
        field = replace(
            field,
            entries=tuple(replace(e, score=e.score + Fraction(gains[e.id])) for e in entries),
            earlier_rounds=(*field.earlier_rounds, history),
        )
    return actual


def list_faults(tournament: list[FieldDraw]) -> list[str]:
    """Return the broken rules, each with its round; empty if all is well."""
    actual = []
    for field_draw in tournament:
        number = field_draw.field.round_number
        entry_pks = {entry.id for entry in field_draw.field.entries if not entry.left}
        drawn_ids = [id_ for p in field_draw.draw.pairings for id_ in (p.ns, p.ew)]
        drawn_ids += list(field_draw.draw.sit_out_ids)
        if sorted(drawn_ids, key=str) != sorted(entry_pks, key=str):
            actual.append(f"round {number}: not everybody once")
        if len(field_draw.draw.sit_out_ids) != len(entry_pks) % 2:
            actual.append(f"round {number}: {len(field_draw.draw.sit_out_ids)} sit out")
        if any(not p.reason for p in field_draw.draw.pairings):
            actual.append(f"round {number}: a pairing without its reason")
        if field_draw.draw.costs[0] and _can_avoid_repeat(field_draw.field):
            actual.append(f"round {number}: some meet again needlessly")
        repeated_sit_out_cost = field_draw.draw.costs[1]
        ids_without_sit_out = [
            id_ for id_ in entry_pks if not field_draw.field.sit_out_count_by_entry[id_]
        ]
        if repeated_sit_out_cost and any(
            _can_avoid_repeat(field_draw.field, sit_out_id)
            for sit_out_id in ids_without_sit_out
        ):
            actual.append(f"round {number}: one sits out again needlessly")
    return actual


def _can_avoid_repeat(field: DrawField, out: int | str | None = None) -> bool:
    """Return whether a draw without a repeat exists, by plain matching."""
    entry_pks = [entry.id for entry in field.entries if not entry.left and entry.id != out]
    met_couples = {
        frozenset((m.ns, m.ew))
        for drawn_round in field.earlier_rounds
        for m in drawn_round.pairings
    }
    graph = networkx.Graph()
    graph.add_nodes_from(entry_pks)
    graph.add_edges_from(
        (one, other)
        for one in entry_pks
        for other in entry_pks
        if one != other and frozenset((one, other)) not in met_couples
    )
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    return len(matching) == len(entry_pks) // 2
