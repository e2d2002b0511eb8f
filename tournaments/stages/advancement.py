"""Advancing from a stage: which entries advance, in which order, and with which carry-over."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

TiedRanking = Sequence[Sequence[int]]
"""Entry ids in order of place; entries that share a place are in one inner list."""

EntrySorter = Callable[[Sequence[int]], Sequence[int]]
"""A function that sorts entry ids for the finals, if not only the place decides."""


@dataclass(frozen=True, slots=True)
class Advancement:
    """An entry that advances by its place, by lot in a tie, or because another withdrew."""

    entry_id: int
    final: str
    place: int
    is_by_lot: bool = False
    is_moved_up: bool = False


def assign_finals(
    ranking: TiedRanking,
    final_names_and_sizes: Sequence[tuple[str, int | None]],
    lot_seed: str,
    withdrawn_entries: Collection[int] = (),
    *,
    sort_entries: EntrySorter = list,
) -> list[Advancement]:
    """Send the best entries to the first final, the next to the second, and so on.

    A final with the size None takes all other entries. Entries that withdrew before the draw
    are skipped, and the next entries move up. A tie across a boundary is broken by a lot with
    `lot_seed`, which the result reports. `sort_entries` may change the order of the ranking.
    """
    ranked_entries = [
        (place, tied_entry_id, len(tied_entries) > 1)
        for place, tied_entries in _list_places(ranking)
        for tied_entry_id in sorted(tied_entries, key=lambda id_: _draw_lot(lot_seed, id_))
    ]
    planned_finals = _assign_by_size(
        sort_entries([entry_id for _, entry_id, _ in ranked_entries]), final_names_and_sizes
    )
    remaining_entries = [
        ranked_entry
        for ranked_entry in ranked_entries
        if ranked_entry[1] not in withdrawn_entries
    ]
    actual_finals = _assign_by_size(
        sort_entries([entry_id for _, entry_id, _ in remaining_entries]), final_names_and_sizes
    )
    split_places = {
        place
        for place, tied_entries in _list_places(ranking)
        if len({*map(actual_finals.get, tied_entries)}) > 1
    }
    indexes_by_final = {name: index for index, (name, _) in enumerate(final_names_and_sizes)}
    return [
        Advancement(
            entry_id,
            actual_finals[entry_id],
            place,
            is_by_lot=is_tied and place in split_places,
            is_moved_up=entry_id not in planned_finals
            or indexes_by_final[actual_finals[entry_id]]
            < indexes_by_final[planned_finals[entry_id]],
        )
        for place, entry_id, is_tied in remaining_entries
        if entry_id in actual_finals
    ]


def select_best_of_sections(
    ranked_ids_by_section: Sequence[Sequence[int]],
    places_per_section: int,
    other_place_count: int,
    all_ranked_ids: Sequence[int],
) -> list[int]:
    """Return each section's best entries, and the best `other_place_count` of the others.

    `all_ranked_ids` has all entries in order of rank, and the result has the same order.
    """
    section_qualifiers = {
        id_ for ranked_ids in ranked_ids_by_section for id_ in ranked_ids[:places_per_section]
    }
    best_other_entries = [id_ for id_ in all_ranked_ids if id_ not in section_qualifiers][
        :other_place_count
    ]
    return [
        id_ for id_ in all_ranked_ids if id_ in section_qualifiers or id_ in best_other_entries
    ]


@dataclass(frozen=True, slots=True)
class CarryOver:
    """The part of the qualifying result that an entry carries into a final.

    It is a share of the entry's plus or minus per board, times the boards of the final, and at
    most `max_tricks_per_board` for each of them. If `is_unscaled` is True, the whole plus or
    minus counts, regardless of the numbers of boards.
    """

    share: Fraction = Fraction(1, 2)
    max_tricks_per_board: Fraction | None = None
    is_unscaled: bool = False

    def compute_carried_tricks(
        self, tricks: Fraction, played_board_count: int, final_board_count: int
    ) -> Fraction:
        """Return the tricks that an entry carries into a final.

        `played_board_count` is the number of boards that the entry has played, and
        `final_board_count` is the number of boards in the final.
        """
        if played_board_count <= 0:
            return Fraction(0)
        if self.is_unscaled:
            return tricks
        carried_tricks = self.share * tricks / played_board_count * final_board_count
        if self.max_tricks_per_board is None:
            return carried_tricks
        max_carried_tricks = self.max_tricks_per_board * final_board_count
        return max(-max_carried_tricks, min(max_carried_tricks, carried_tricks))


def _list_places(ranking: TiedRanking) -> list[tuple[int, Sequence[int]]]:
    ranked_places, rank = [], 1
    for tied_entries in ranking:
        ranked_places.append((rank, tied_entries))
        rank += len(tied_entries)
    return ranked_places


def _assign_by_size(
    ranked_entry_ids: Sequence[int], final_names_and_sizes: Sequence[tuple[str, int | None]]
) -> dict[int, str]:
    finals_by_entry: dict[int, str] = {}
    start_index = 0
    for final_name, final_size in final_names_and_sizes:
        end_index = len(ranked_entry_ids) if final_size is None else start_index + final_size
        finals_by_entry.update(
            dict.fromkeys(ranked_entry_ids[start_index:end_index], final_name)
        )
        start_index = end_index
    return finals_by_entry


def _draw_lot(lot_seed: str, id_: int) -> bytes:
    return sha256(f"{lot_seed}|{id_}".encode()).digest()
