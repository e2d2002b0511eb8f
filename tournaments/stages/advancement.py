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
    lot: str,
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
        (place, each, len(shared) > 1)
        for place, shared in _list_places(ranking)
        for each in sorted(shared, key=lambda id_: _draw_lot(lot, id_))
    ]
    before = _assign_by_size(ordering([each for _, each, _ in ordered]), sizes)
    left = [each for each in ordered if each[1] not in withdrawn]
    after = _assign_by_size(ordering([each for _, each, _ in left]), sizes)
    across = {
        place for place, shared in _list_places(ranking) if len({*map(after.get, shared)}) > 1
    }
    order = {name: at for at, (name, _) in enumerate(sizes)}
    return [
        Advancement(
            each,
            after[each],
            place,
            by_lot=tied and place in across,
            moved_up=each not in before or order[after[each]] < order[before[each]],
        )
        for place, each, tied in left
        if each in after
    ]


def select_best_of_sections(
    sections: Sequence[Sequence[int]], each: int, others: int, field: Sequence[int]
) -> list[int]:
    """Return the first `each` entries of each section and the best `others` of the rest, in
    the order of the field.
    """
    first = {id_ for section in sections for id_ in section[:each]}
    rest = [id_ for id_ in field if id_ not in first][:others]
    return [id_ for id_ in field if id_ in first or id_ in rest]


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
        brought = self.share * tricks / played * boards
        if self.cap is None:
            return brought
        most = self.cap * boards
        return max(-most, min(most, brought))


def _list_places(ranking: Ranked) -> list[tuple[int, Sequence[int]]]:
    found, place = [], 1
    for shared in ranking:
        found.append((place, shared))
        place += len(shared)
    return found


def _assign_by_size(
    ordered: Sequence[int], sizes: Sequence[tuple[str, int | None]]
) -> dict[int, str]:
    found: dict[int, str] = {}
    start = 0
    for name, size in sizes:
        end = len(ordered) if size is None else start + size
        found.update(dict.fromkeys(ordered[start:end], name))
        start = end
    return found


def _draw_lot(seed: str, id_: int) -> bytes:
    return sha256(f"{seed}|{id_}".encode()).digest()
