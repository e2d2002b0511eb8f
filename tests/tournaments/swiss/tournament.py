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
class Drawn:
    """A draw, and the field from which it was made."""

    field: DrawField
    draw: RoundDraw


def play_tournament(lots: random.Random, size: int, rounds: int) -> list[Drawn]:
    """Play a tournament in which entries sometimes join, leave or need a seat."""
    entries = [
        Entry(number, seat=SeatPreference.STAYS if lots.random() < 0.05 else SeatPreference.ANY)
        for number in range(1, size + 1)
    ]
    field = DrawField(tuple(entries), seed=str(lots.random()))
    actual = []
    for number in range(1, rounds + 1):
        entries = list(field.entries)
        if number > 1 and lots.random() < 0.15:
            entries.append(Entry(len(entries) + 1))
        if number > 1 and lots.random() < 0.15 and sum(not e.left for e in entries) > 4:
            gone = lots.choice([index for index, e in enumerate(entries) if not e.left])
            entries[gone] = replace(entries[gone], left=True)
        field = replace(field, entries=tuple(entries), round_number=number)
        made = draw_round(field)
        actual.append(Drawn(field, made))
        gains: Counter[int | str] = Counter()
        for pairing in made.pairings:
            margin = lots.randint(-12, 12)
            gains[pairing.ns] += margin
            gains[pairing.ew] -= margin
        history = DrawnRound(
            number,
            tuple(
                EarlierPairing(one_pairing.ns, one_pairing.ew, one_pairing.table_number)
                for one_pairing in made.pairings
            ),
            made.sit_out_ids,
        )
        field = replace(
            field,
            entries=tuple(replace(e, score=e.score + Fraction(gains[e.id])) for e in entries),
            earlier_rounds=(*field.earlier_rounds, history),
        )
    return actual


def list_faults(tournament: list[Drawn]) -> list[str]:
    """Return the broken rules, each with its round; empty if all is well."""
    actual = []
    for item in tournament:
        number = item.field.round_number
        entry_pks = {entry.id for entry in item.field.entries if not entry.left}
        seated = [id_ for p in item.draw.pairings for id_ in (p.ns, p.ew)]
        seated += list(item.draw.sit_out_ids)
        if sorted(seated, key=str) != sorted(entry_pks, key=str):
            actual.append(f"round {number}: not everybody once")
        if len(item.draw.sit_out_ids) != len(entry_pks) % 2:
            actual.append(f"round {number}: {len(item.draw.sit_out_ids)} sit out")
        if any(not p.reason for p in item.draw.pairings):
            actual.append(f"round {number}: a pairing without its reason")
        if item.draw.costs[0] and _can_avoid(item.field):
            actual.append(f"round {number}: some meet again needlessly")
        again = item.draw.costs[1]
        fresh = [id_ for id_ in entry_pks if not item.field.sit_out_count_by_entry[id_]]
        if again and any(_can_avoid(item.field, out) for out in fresh):
            actual.append(f"round {number}: one sits out again needlessly")
    return actual


def _can_avoid(field: DrawField, out: int | str | None = None) -> bool:
    """Return whether a draw without a repeat exists, by plain matching."""
    entry_pks = [entry.id for entry in field.entries if not entry.left and entry.id != out]
    met = {
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
        if one != other and frozenset((one, other)) not in met
    )
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    return len(matched) == len(entry_pks) // 2
