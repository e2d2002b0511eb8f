"""Advancing from a stage: which entries advance, in which order, and with which carry-over."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

Ranked = Sequence[Sequence[int]]  # ids by place; entries that share a place are in one list
Ordering = Callable[[Sequence[int]], Sequence[int]]
"""A function that sorts the entries for the finals, if not only their place decides."""


@dataclass(frozen=True, slots=True)
class Advancement:
    """An entry that advances: by its place, by a lot at a tie, or because another withdrew."""

    id: int
    final: str
    place: int
    by_lot: bool = False
    moved_up: bool = False


def assign_finals(
    ranking: Ranked,
    sizes: Sequence[tuple[str, int | None]],
    lot_seed: str,
    withdrawn: Collection[int] = (),
    *,
    ordering: Ordering = list,
) -> list[Advancement]:
    """Send the best entries to the first final, the next to the second, and so on.

    A size of None takes all the rest. Entries that withdrew before the draw are skipped, and
    the next in order move up. A tie across a boundary is broken by a lot with a stored seed,
    which the result reports. An `ordering` may put others before the best of the ranking.
    """
    ordered = [
        (place, tied_entry, len(tied_entries) > 1)
        for place, tied_entries in _list_places(ranking)
        for tied_entry in sorted(tied_entries, key=lambda id_: _draw_lot(lot_seed, id_))
    ]
    planned_finals = _assign_by_size(ordering([entry for _, entry, _ in ordered]), sizes)
    remaining = [entry for entry in ordered if entry[1] not in withdrawn]
    actual_finals = _assign_by_size(ordering([entry for _, entry, _ in remaining]), sizes)
    across = {
        place
        for place, tied_entries in _list_places(ranking)
        if len({*map(actual_finals.get, tied_entries)}) > 1
    }
    order = {name: index for index, (name, _) in enumerate(sizes)}
    return [
        Advancement(
            entry,
            actual_finals[entry],
            place,
            by_lot=tied and place in across,
            moved_up=entry not in planned_finals
            or order[actual_finals[entry]] < order[planned_finals[entry]],
        )
        for place, entry, tied in remaining
        if entry in actual_finals
    ]


def select_best_of_sections(
    sections: Sequence[Sequence[int]], per_section: int, others: int, field: Sequence[int]
) -> list[int]:
    """Return the first `per_section` entries of each section and the best `others`.

    The result is in the order of the field.
    """
    first = {id_ for section in sections for id_ in section[:per_section]}
    best_others = [id_ for id_ in field if id_ not in first][:others]
    return [id_ for id_ in field if id_ in first or id_ in best_others]


@dataclass(frozen=True, slots=True)
class CarryOver:
    """The part of the qualifying result that counts: a share of plus or minus a board.

    `cap` is its maximum. With `whole` the plus or minus counts unchanged, whatever the
    numbers of boards.
    """

    share: Fraction = Fraction(1, 2)
    cap: Fraction | None = None  # tricks a board of the final
    whole: bool = False

    def of(self, tricks: Fraction, played: int, boards: int) -> Fraction:
        """Return the carry-over of an entry into a final of a number of boards."""
        if played <= 0:
            return Fraction(0)
        if self.whole:
            return tricks
        carried_tricks = self.share * tricks / played * boards
        if self.cap is None:
            return carried_tricks
        max_carried = self.cap * boards
        return max(-max_carried, min(max_carried, carried_tricks))


def _list_places(ranking: Ranked) -> list[tuple[int, Sequence[int]]]:
    places, place = [], 1
    for tied in ranking:
        places.append((place, tied))
        place += len(tied)
    return places


def _assign_by_size(
    ordered: Sequence[int], sizes: Sequence[tuple[str, int | None]]
) -> dict[int, str]:
    final_by_entry: dict[int, str] = {}
    start = 0
    for name, size in sizes:
        end = len(ordered) if size is None else start + size
        final_by_entry.update(dict.fromkeys(ordered[start:end], name))
        start = end
    return final_by_entry


def _draw_lot(seed: str, id_: int) -> bytes:
    return sha256(f"{seed}|{id_}".encode()).digest()
