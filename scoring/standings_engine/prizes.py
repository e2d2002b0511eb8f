"""The prizes of an event and their winners, from the standings last computed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

from scoring.models import EventPrize
from scoring.standings_engine.overall_order import (
    PlacedEntry,
    group_tied_entries,
    load_placed_entries,
    load_strata,
    load_tags,
)
from tournaments.models import Event
from tournaments.stages.prizes import Award, Prize, award_prizes, compute_payments
from tournaments.stages.strata import rank_strata

NO_PRIZE_TAG = "no prize"
"""The tag of an entry that cannot win a prize, because it withdrew or was disqualified."""
RankedEntry = tuple[int, int]
"""The rank and the number of an entry."""


@dataclass(frozen=True, slots=True)
class PrizeAwards:
    """All prizes of an event with their winners.

    `eligible_entries_by_list` maps each prize list to its ranked entries that may win a prize.
    """

    prizes: tuple[EventPrize, ...]
    awards: tuple[Award, ...]
    # The prize money in cents, by the number of the entry; tied entries share prizes.
    money_by_entry: Mapping[int, int]
    eligible_entries_by_list: Mapping[str, Sequence[RankedEntry]]
    names_by_entry: Mapping[int, str]


def rank_entries_overall(placed_entries: Sequence[PlacedEntry]) -> list[RankedEntry]:
    """Rank all entries that have played, across all fields. Tied entries share a rank."""
    ranked_entries: list[RankedEntry] = []
    for tied_entries in group_tied_entries(
        [placed_entry for placed_entry in placed_entries if placed_entry.board_count]
    ):
        rank = len(ranked_entries) + 1
        ranked_entries += [(rank, placed_entry.entry_number) for placed_entry in tied_entries]
    return ranked_entries


def rank_by_stratum(
    event: Event, placed_entries: Sequence[PlacedEntry]
) -> dict[str, list[RankedEntry]]:
    """Return a ranking for each stratum, the highest first.

    The ranking of a stratum includes the entries of all lower strata.
    """
    stratum_by_entry = load_strata(event)
    if not stratum_by_entry:
        return {}
    rank_by_entry = {
        entry_number: rank for rank, entry_number in rank_entries_overall(placed_entries)
    }
    score_by_entry = {
        entry_number: Fraction(-rank) for entry_number, rank in rank_by_entry.items()
    }
    stratum_names = [stratum_name for stratum_name, _minimum_rating in event.strata.lines]
    position_by_entry = {
        entry_number: position
        for position, (_rank, entry_number) in enumerate(rank_entries_overall(placed_entries))
    }
    ranking_by_stratum = rank_strata(score_by_entry, stratum_by_entry, stratum_names)
    return {
        stratum_name: sorted(
            ranked_entries,
            key=lambda rank_and_entry: (
                rank_and_entry[0],
                position_by_entry[rank_and_entry[1]],
            ),
        )
        for stratum_name, ranked_entries in ranking_by_stratum.items()
    }


def assign_prizes(event: Event) -> PrizeAwards:
    """Assign the prizes by the current standings; the result is provisional until the event
    ends.
    """
    prizes = tuple(event.prizes.all())
    placed_entries = load_placed_entries(event)
    tags_by_entry = load_tags(event)
    excluded_entry_numbers = {
        entry_number
        for entry_number, entry_tags in tags_by_entry.items()
        if NO_PRIZE_TAG in entry_tags
    }
    eligible_entries_by_list = {
        prize_list_key: [
            rank_and_entry
            for rank_and_entry in ranked_entries
            if rank_and_entry[1] not in excluded_entry_numbers
        ]
        for prize_list_key, ranked_entries in _build_prize_lists(
            event, placed_entries, tags_by_entry, {prize.listed for prize in prizes}
        ).items()
    }
    prizes_to_award = [
        Prize(prize.name, prize.listed, prize.place, prize.value) for prize in prizes
    ]
    awards = award_prizes(prizes_to_award, eligible_entries_by_list)
    return PrizeAwards(
        prizes=prizes,
        awards=tuple(awards),
        money_by_entry=compute_payments(awards, eligible_entries_by_list),
        eligible_entries_by_list=eligible_entries_by_list,
        names_by_entry={
            placed_entry.entry_number: placed_entry.name for placed_entry in placed_entries
        },
    )


def _build_prize_lists(
    event: Event,
    placed_entries: Sequence[PlacedEntry],
    tags_by_entry: Mapping[int, Collection[str]],
    prize_list_keys: Collection[str],
) -> dict[str, list[RankedEntry]]:
    overall_ranking = rank_entries_overall(placed_entries)
    ranked_side_by_entry = {
        placed_entry.entry_number: placed_entry.ranked_side for placed_entry in placed_entries
    }
    ranking_by_stratum = rank_by_stratum(event, placed_entries)
    ranking_by_list: dict[str, list[RankedEntry]] = {}
    for prize_list_key in sorted(prize_list_keys):
        list_kind, _colon, list_value = prize_list_key.partition(":")
        if list_kind == "stratum":
            ranking_by_list[prize_list_key] = ranking_by_stratum.get(list_value, [])
        elif list_kind == "side":
            ranking_by_list[prize_list_key] = _rank_included_entries(
                overall_ranking,
                {
                    entry_number
                    for entry_number, ranked_side in ranked_side_by_entry.items()
                    if ranked_side == list_value
                },
            )
        elif list_kind == "tag":
            tagged_entry_numbers = {
                entry_number
                for entry_number, entry_tags in tags_by_entry.items()
                if list_value.casefold() in entry_tags
            }
            ranking_by_list[prize_list_key] = _rank_included_entries(
                overall_ranking, tagged_entry_numbers
            )
        elif prize_list_key == "lot":
            ranking_by_list[prize_list_key] = _order_randomly(overall_ranking, str(event.uid))
        else:
            ranking_by_list[prize_list_key] = overall_ranking
    return ranking_by_list


def _rank_included_entries(
    ranked_entries: Sequence[RankedEntry], included_entry_numbers: Collection[int]
) -> list[RankedEntry]:
    """Return a new ranking of some entries; entries that shared a rank still share one."""
    new_ranking: list[RankedEntry] = []
    last_rank = 0
    for rank, entry_number in ranked_entries:
        if entry_number not in included_entry_numbers:
            continue
        shared_rank = (
            new_ranking[-1][0] if new_ranking and rank == last_rank else len(new_ranking) + 1
        )
        new_ranking.append((shared_rank, entry_number))
        last_rank = rank
    return new_ranking


def _order_randomly(
    ranked_entries: Sequence[RankedEntry], random_seed: str
) -> list[RankedEntry]:
    ordered_entry_numbers = sorted(
        (entry_number for _rank, entry_number in ranked_entries),
        key=lambda entry_number: sha256(f"{random_seed}|{entry_number}".encode()).digest(),
    )
    return [
        (rank, entry_number) for rank, entry_number in enumerate(ordered_entry_numbers, start=1)
    ]
