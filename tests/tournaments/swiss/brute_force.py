"""Swiss draws by brute force, straight from the field: the reference for the exact draw."""

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations

from tournaments.swiss import DrawField, DrawMethod
from tournaments.swiss.field import EntryId


def compute_distance(field: DrawField, one: EntryId, other: EntryId) -> int:
    """Return the distance of two entries: by score in hundredths, or by rank."""
    scores = {entry.id: round(entry.score * 100) for entry in field.entries}
    if field.method is DrawMethod.RANDOM:
        return 0
    if field.method is DrawMethod.SWISS:
        return scores[one] - scores[other]
    entry_pks = [entry.id for entry in field.entries if not entry.left]
    ranked_ids = sorted(
        entry_pks, key=lambda id_: (-scores[id_], draw_lot(f"{field.seed}|{id_}"), id_)
    )
    return ranked_ids.index(one) - ranked_ids.index(other)


def draw_lot(text: str) -> bytes:
    return sha256(text.encode()).digest()[:2]


def compute_costs(
    field: DrawField, pairs: list[tuple[EntryId, EntryId]], sit_out_ids: list[EntryId]
) -> tuple[int, ...]:
    """Return the costs on all levels but the lot, computed from the field only."""
    entries = {entry.id: entry for entry in field.entries}
    meeting_counts = Counter(
        frozenset((m.ns, m.ew)) for each in field.earlier_rounds for m in each.pairings
    )
    sides: Counter[EntryId] = Counter()
    for drawn_round in field.earlier_rounds:
        for m in drawn_round.pairings:
            sides[m.ns] += 1
            sides[m.ew] -= 1
    present_entries = [entry for entry in field.entries if not entry.left]
    lowest_score = min(round(entry.score * 100) for entry in present_entries)
    total_costs = [0] * 8
    for ns, ew in pairs:
        couple = frozenset((ns, ew))
        total_costs[0] += 0 if field.method is DrawMethod.DANISH else meeting_counts[couple]
        total_costs[2] += couple in field.separated_pairings
        total_costs[3] += entries[ew].seat == "stays"
        total_costs[5] += compute_distance(field, ns, ew) ** 2
        total_costs[6] += entries[ew].seat == "north-south"
        sides[ns] += 1
        sides[ew] -= 1
    for id_ in sit_out_ids:
        total_costs[1] += sum(id_ in each.sit_out_ids for each in field.earlier_rounds)
        if field.method is not DrawMethod.RANDOM:
            total_costs[4] += round(entries[id_].score * 100) - lowest_score
    total_costs[7] = sum(sides[entry.id] ** 2 for entry in present_entries)
    return tuple(total_costs)


def list_draws(
    ids: list[EntryId],
) -> Iterator[tuple[list[tuple[EntryId, EntryId]], list[EntryId]]]:
    """Yield all perfect matchings, with each possible sit-out in turn."""
    if len(ids) % 2:
        for sit_out_id in ids:
            for pairs, _sit_out_ids in list_draws([item for item in ids if item != sit_out_id]):
                yield pairs, [sit_out_id]
        return
    if not ids:
        yield [], []
        return
    one, *rest = ids
    for other in rest:
        for pairs, _sit_out_ids in list_draws([item for item in rest if item != other]):
            yield [(one, other), *pairs], []


def compute_best_sides(
    field: DrawField,
    one: EntryId,
    other: EntryId,
    empty_draw_costs: tuple[int, ...] | None = None,
) -> tuple[int, ...]:
    """Return a couple's cost on each level, on its better sides.

    `empty_draw_costs` is the cost of an empty draw.
    """
    empty_draw_costs = empty_draw_costs or compute_costs(field, [], [])
    costs = [compute_costs(field, [way], []) for way in ((one, other), (other, one))]
    return min(
        tuple(new - old for new, old in zip(way, empty_draw_costs, strict=True))
        for way in costs
    )


def list_priced_draws(
    field: DrawField,
) -> list[tuple[tuple[int, ...], list[tuple[EntryId, EntryId]], list[EntryId]]]:
    """Return every draw with its costs, each couple on its better sides."""
    ids = [entry.id for entry in field.entries if not entry.left]
    costs_by_pair, none = {}, compute_costs(field, [], [])
    for one, other in combinations(ids, 2):
        costs_by_pair[one, other] = costs_by_pair[other, one] = compute_best_sides(
            field, one, other, none
        )
    sit_out_costs = {id_: compute_costs(field, [], [id_]) for id_ in ids}
    actual = []
    for pairs, out in list_draws(ids):
        added_costs = [
            sit_out_costs[out[0]] if out else none,
            *(costs_by_pair[pair] for pair in pairs),
        ]
        actual.append((tuple(map(sum, zip(*added_costs, strict=True))), pairs, out))
    return actual


def count_rounds_left(
    field: DrawField, pairs: Sequence[tuple[EntryId, EntryId]], out: Sequence[EntryId]
) -> int:
    """Return how many planned rounds can follow a draw without a repeat.

    Each entry sits out at most once.
    """
    met = {
        frozenset((m.ns, m.ew))
        for drawn_round in field.earlier_rounds
        for m in drawn_round.pairings
    }
    met |= {
        frozenset((id_, "out"))
        for drawn_round in field.earlier_rounds
        for id_ in drawn_round.sit_out_ids
    }
    met |= {frozenset(pair) for pair in pairs} | {frozenset((id_, "out")) for id_ in out}
    ids: list[EntryId] = [entry.id for entry in field.entries if not entry.left]
    nodes = [*ids, "out"] if len(ids) % 2 else ids
    return compute_max_rounds(
        nodes, met, max(field.last_protected_round - field.round_number, 0)
    )


def compute_max_rounds(
    nodes: list[EntryId], met: set[frozenset[EntryId]], round_limit: int
) -> int:
    round_limit = min(
        round_limit, *(sum(frozenset((a, b)) not in met for b in nodes) - 1 for a in nodes)
    )
    max_rounds = 0
    for couples in list_new_rounds(nodes, met) if round_limit > 0 else ():
        max_rounds = max(
            max_rounds, 1 + compute_max_rounds(nodes, met | couples, round_limit - 1)
        )
        if max_rounds == round_limit:
            break
    return max_rounds


def list_new_rounds(
    nodes: list[EntryId], met: set[frozenset[EntryId]]
) -> Iterator[set[frozenset[EntryId]]]:
    if not nodes:
        yield set()
        return
    one, *rest = nodes
    for other in rest:
        if (couple := frozenset((one, other))) not in met:
            for couples in list_new_rounds([item for item in rest if item != other], met):
                yield {couple, *couples}
