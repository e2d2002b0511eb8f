"""An event's entries in one overall order across all fields, for finals, strata and prizes."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from scoring.models import EntryProfile, Standing, Strata
from scoring.standings_engine.scores import find_scoring_method
from tournaments.models import Event
from tournaments.stages.seeding import order_by_seed
from tournaments.stages.strata import StratumRule, find_stratum

ZERO = Fraction()


@dataclass(frozen=True, slots=True)
class PlacedEntry:
    """An entry in the standings: its field, rank, and score above the average of the field."""

    entry_number: int  # the number of the entry
    name: str
    section_letter: str
    ranked_side: str
    rank: int
    ranking_value_above_average: Fraction  # the value that ranks the field, less its mean
    score_above_average: Fraction  # the score, less the mean of the field; finals carry it over
    board_count: int


@dataclass(frozen=True, slots=True)
class EntryStanding:
    """The values of an entry's stored or public standing."""

    entry_number: int  # the number of the entry
    name: str
    section_letter: str
    ranked_side: str
    rank: int
    board_count: int
    score: Fraction
    percent: Fraction | None
    score_per_board: Fraction | None
    corrected_total: Fraction | None


def load_placed_entries(event: Event) -> list[PlacedEntry]:
    """Return the entries of the standings last computed, in their order; one query."""
    standings = Standing.objects.filter(ranking__event=event).select_related("entry")
    return build_placed_entries(
        event, [_build_entry_standing(standing) for standing in standings]
    )


def build_placed_entries(event: Event, standings: Iterable[EntryStanding]) -> list[PlacedEntry]:
    """Return the entries of the given standings, such as the public ones, in their order."""
    method = find_scoring_method(event)
    standings_by_field: dict[tuple[str, str], list[EntryStanding]] = defaultdict(list)
    for standing in standings:
        standings_by_field[standing.section_letter, standing.ranked_side].append(standing)
    placed_entries = []
    for (section_letter, ranked_side), field_standings in standings_by_field.items():
        is_ranked_by_corrected_total = event.terms.by_corrected
        ranking_value_by_entry = {
            standing.entry_number: _choose_ranking_value(
                standing, is_ranked_by_corrected_total=is_ranked_by_corrected_total
            )
            for standing in field_standings
        }
        score_by_entry = {standing.entry_number: standing.score for standing in field_standings}
        is_mean_zero = method.is_signed and not any(
            standing.percent for standing in field_standings
        )
        mean_value = ZERO if is_mean_zero else _compute_mean(ranking_value_by_entry.values())
        mean_score = ZERO if method.is_signed else _compute_mean(score_by_entry.values())
        placed_entries += [
            PlacedEntry(
                entry_number=standing.entry_number,
                name=standing.name,
                section_letter=section_letter,
                ranked_side=ranked_side,
                rank=standing.rank,
                ranking_value_above_average=ranking_value_by_entry[standing.entry_number]
                - mean_value,
                score_above_average=score_by_entry[standing.entry_number] - mean_score,
                board_count=standing.board_count,
            )
            for standing in field_standings
        ]
    return placed_entries


def _build_entry_standing(standing: Standing) -> EntryStanding:
    return EntryStanding(
        entry_number=standing.entry.number,
        name=standing.entry.name,
        section_letter=standing.section,
        ranked_side=standing.field,
        rank=standing.rank,
        board_count=standing.boards,
        score=Fraction(standing.score),
        percent=_parse_fraction(standing.percent),
        score_per_board=_parse_fraction(standing.a_board),
        corrected_total=_parse_fraction(standing.corrected),
    )


def _parse_fraction(fraction_text: str) -> Fraction | None:
    return Fraction(fraction_text) if fraction_text else None


def group_tied_entries(placed_entries: Sequence[PlacedEntry]) -> list[list[PlacedEntry]]:
    """Return all entries in one overall order; entries with an equal place form one list.

    A single field keeps the order of its ranking. With several fields, entries further above
    their own field's average come first, as for the overall winner.

    Source: Foster, Complete Hoyle, Duplicate Whist.
    """
    has_one_field = (
        len(
            {
                (placed_entry.section_letter, placed_entry.ranked_side)
                for placed_entry in placed_entries
            }
        )
        < 2
    )

    def compute_sort_key(placed_entry: PlacedEntry) -> tuple[bool, Fraction]:
        return not placed_entry.board_count, Fraction(
            placed_entry.rank
        ) if has_one_field else -placed_entry.ranking_value_above_average

    sorted_entries = sorted(
        placed_entries,
        key=lambda placed_entry: (*compute_sort_key(placed_entry), placed_entry.entry_number),
    )
    return [
        list(tied_entries)
        for _sort_key, tied_entries in groupby(sorted_entries, key=compute_sort_key)
    ]


def load_strata(event: Event) -> dict[int, str]:
    """Return the stratum of each entry, by number; empty for an event without strata."""
    try:
        strata = event.strata
    except Strata.DoesNotExist:
        return {}
    stratum_limits = [
        (name, Fraction(minimum_rating or 0)) for name, minimum_rating in strata.lines
    ]
    stratum_names = [name for name, _minimum_rating in stratum_limits]
    stratum_by_entry = dict.fromkeys(
        event.entries.values_list("number", flat=True), stratum_names[-1]
    )
    profiles = EntryProfile.objects.filter(entry__event=event).select_related("entry")
    for profile in profiles:
        if profile.stratum in stratum_names:
            stratum_by_entry[profile.entry.number] = profile.stratum
        elif strata.rule != Strata.Rule.MANUAL and profile.ratings:
            ratings = [Fraction(rating) for rating in profile.ratings]
            stratum_by_entry[profile.entry.number] = find_stratum(
                ratings, stratum_limits, StratumRule(strata.rule)
            )
    return stratum_by_entry


def load_tags(event: Event) -> dict[int, Collection[str]]:
    """Return the tags of each entry, by number."""
    profiles = EntryProfile.objects.filter(entry__event=event).select_related("entry")
    return {profile.entry.number: profile.tags for profile in profiles if profile.tags}


def _choose_ranking_value(
    standing: EntryStanding, *, is_ranked_by_corrected_total: bool
) -> Fraction:
    """Return the number that ranks an entry.

    It is the corrected total, percentage, score per board or score, whichever is first not
    None.
    """
    if is_ranked_by_corrected_total and standing.corrected_total is not None:
        return standing.corrected_total
    candidate_values = (standing.percent, standing.score_per_board)
    return next(
        (
            candidate_value
            for candidate_value in candidate_values
            if candidate_value is not None
        ),
        standing.score,
    )


def _compute_mean(numbers: Iterable[Fraction]) -> Fraction:
    numbers = list(numbers)
    return sum(numbers, ZERO) / len(numbers)


def has_seeds(event: Event, bracket_entry_numbers: Sequence[int] = ()) -> bool:
    """Return whether an entry has a chosen seed, or the bracket has an order of its own.

    `bracket_entry_numbers` are the entry numbers in the order of the bracket.
    """
    if EntryProfile.objects.filter(entry__event=event, seed__isnull=False).exists():
        return True
    seeded_entry_numbers = [
        entry_number
        for entry_number in list_entries_by_seed(event)
        if entry_number in bracket_entry_numbers
    ]
    return seeded_entry_numbers != list(bracket_entry_numbers)


def list_entries_by_seed(event: Event) -> list[int]:
    """Return the numbers of all entries by seed; unseeded entries follow in a fixed random
    order.
    """
    entry_numbers = list(event.entries.values_list("number", flat=True))
    seeded_profiles = EntryProfile.objects.filter(entry__event=event, seed__isnull=False)
    seeds_by_entry = {
        profile.entry.number: profile.seed or 0
        for profile in seeded_profiles.select_related("entry")
    }
    return order_by_seed(seeds_by_entry, entry_numbers, str(event.uid))
