"""The prizes of an event and their winners, from the standings last computed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

from scoring.models import EventPrize
from scoring.standings_engine.overall_order import (
    PlacedEntry,
    group_by_place,
    load_placed_entries,
    load_strata,
    load_tags,
)
from tournaments.models import Event
from tournaments.stages.prizes import Award, Prize, award_prizes, compute_payments
from tournaments.stages.strata import rank_strata

NO_PRIZE_TAG = "no prize"
"""The tag of an entry that cannot win a prize, because it withdrew or was disqualified."""
Line = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PrizeGiving:
    """All prizes of an event with their winners; `eligible_entries` has the ranking for each
    list.
    """

    prizes: tuple[EventPrize, ...]
    awards: tuple[Award, ...]
    money_by_entry: Mapping[
        int, int
    ]  # in cents, by the number of the entry; tied entries share
    eligible_entries: Mapping[str, Sequence[Line]]
    names: Mapping[int, str]


def rank_overall(rows: Sequence[PlacedEntry]) -> list[Line]:
    """Return all entries that played in one ranking across all fields, with shared ranks."""
    lines: list[Line] = []
    for shared_rows in group_by_place([row for row in rows if row.boards]):
        rank = len(lines) + 1
        lines += [(rank, row.entry) for row in shared_rows]
    return lines


def rank_by_stratum(event: Event, rows: Sequence[PlacedEntry]) -> dict[str, list[Line]]:
    """Return the ranking of each stratum, which includes all lower strata, highest stratum
    first.
    """
    strata = load_strata(event)
    if not strata:
        return {}
    ranks = {entry: rank for rank, entry in rank_overall(rows)}
    scores = {entry: Fraction(-rank) for entry, rank in ranks.items()}
    names = [name for name, _minimum_rating in event.strata.lines]
    order = {entry: position for position, (_rank, entry) in enumerate(rank_overall(rows))}
    ranked_strata = rank_strata(scores, strata, names)
    return {
        name: sorted(lines, key=lambda line: (line[0], order[line[1]]))
        for name, lines in ranked_strata.items()
    }


def assign_prizes(event: Event) -> PrizeGiving:
    """Assign the prizes by the current standings; the result is provisional until the event
    ends.
    """
    prizes = tuple(event.prizes.all())
    rows = load_placed_entries(event)
    tags = load_tags(event)
    barred_entries = {number for number, tag_words in tags.items() if NO_PRIZE_TAG in tag_words}
    lists = {
        name: [line for line in lines if line[1] not in barred_entries]
        for name, lines in _build_prize_lists(
            event, rows, tags, {prize.listed for prize in prizes}
        ).items()
    }
    prizes_to_award = [
        Prize(prize.name, prize.listed, prize.place, prize.value) for prize in prizes
    ]
    awarded = award_prizes(prizes_to_award, lists)
    return PrizeGiving(
        prizes=prizes,
        awards=tuple(awarded),
        money_by_entry=compute_payments(awarded, lists),
        eligible_entries=lists,
        names={row.entry: row.name for row in rows},
    )


def _build_prize_lists(
    event: Event,
    rows: Sequence[PlacedEntry],
    tags: Mapping[int, Collection[str]],
    wanted_lists: Collection[str],
) -> dict[str, list[Line]]:
    overall_ranking = rank_overall(rows)
    sides = {row.entry: row.side for row in rows}
    strata = rank_by_stratum(event, rows)
    lines_by_list: dict[str, list[Line]] = {}
    for prize_list in sorted(wanted_lists):
        kind, _colon, list_value = prize_list.partition(":")
        if kind == "stratum":
            lines_by_list[prize_list] = strata.get(list_value, [])
        elif kind == "side":
            lines_by_list[prize_list] = _rank_among(
                overall_ranking,
                {other_entry for other_entry, side in sides.items() if side == list_value},
            )
        elif kind == "tag":
            tagged_entries = {
                entry for entry, tag_words in tags.items() if list_value.casefold() in tag_words
            }
            lines_by_list[prize_list] = _rank_among(overall_ranking, tagged_entries)
        elif prize_list == "lot":
            lines_by_list[prize_list] = _order_by_lot(overall_ranking, str(event.uid))
        else:
            lines_by_list[prize_list] = overall_ranking
    return lines_by_list


def _rank_among(lines: Sequence[Line], own_entries: Collection[int]) -> list[Line]:
    """Return a new ranking of some entries; entries that shared a rank still share one."""
    ranked_lines: list[Line] = []
    last = 0
    for rank, entry in lines:
        if entry not in own_entries:
            continue
        shared_rank = (
            ranked_lines[-1][0] if ranked_lines and rank == last else len(ranked_lines) + 1
        )
        ranked_lines.append((shared_rank, entry))
        last = rank
    return ranked_lines


def _order_by_lot(lines: Sequence[Line], seed: str) -> list[Line]:
    drawn_entries = sorted(
        (entry for _rank, entry in lines),
        key=lambda entry: sha256(f"{seed}|{entry}".encode()).digest(),
    )
    return [(place, entry) for place, entry in enumerate(drawn_entries, start=1)]
