"""An event's entries in one overall order across all fields, for finals, strata and prizes."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from scoring.models import EntryProfile, Standing, Strata
from scoring.standings_engine.scores import find_method
from tournaments.models import Event
from tournaments.stages.seeding import order_by_seed
from tournaments.stages.strata import StratumRule, find_stratum

ZERO = Fraction()


@dataclass(frozen=True, slots=True)
class PlacedEntry:
    """An entry in the standings, with its field, its rank and its score above the field's
    average.
    """

    entry: int  # its number
    name: str
    section: str
    side: str
    rank: int
    above_average: Fraction  # in the score that ranks the field; 0 is its average
    score_above_average: (
        Fraction  # its score above the average of its field: what finals carry over
    )
    boards: int


@dataclass(frozen=True, slots=True)
class EntryStanding:
    """The values of an entry's stored or public standing."""

    entry: int  # its number
    name: str
    section: str
    side: str
    rank: int
    boards: int
    score: Fraction
    percent: Fraction | None
    score_per_board: Fraction | None
    corrected: Fraction | None


def load_placed_entries(event: Event) -> list[PlacedEntry]:
    """Return the entries of the standings last computed, in their order; one query."""
    rows = Standing.objects.filter(ranking__event=event).select_related("entry")
    return build_placed_entries(event, [_to_entry_standing(row) for row in rows])


def build_placed_entries(event: Event, rows: Iterable[EntryStanding]) -> list[PlacedEntry]:
    """Return the entries of the given standings, such as the public ones, in their order."""
    method = find_method(event)
    fields: dict[tuple[str, str], list[EntryStanding]] = defaultdict(list)
    for row in rows:
        fields[row.section, row.side].append(row)
    placed_entries = []
    for (section, side), members in fields.items():
        by_corrected = event.terms.by_corrected
        ranking_values = {
            row.entry: _choose_ranking_value(row, by_corrected=by_corrected) for row in members
        }
        own = {row.entry: row.score for row in members}
        is_plus = method.signed and not any(row.percent for row in members)
        level = ZERO if is_plus else _compute_mean(ranking_values.values())
        middle = ZERO if method.signed else _compute_mean(own.values())
        placed_entries += [
            PlacedEntry(
                entry=row.entry,
                name=row.name,
                section=section,
                side=side,
                rank=row.rank,
                above_average=ranking_values[row.entry] - level,
                score_above_average=own[row.entry] - middle,
                boards=row.boards,
            )
            for row in members
        ]
    return placed_entries


def _to_entry_standing(row: Standing) -> EntryStanding:
    return EntryStanding(
        entry=row.entry.number,
        name=row.entry.name,
        section=row.section,
        side=row.field,
        rank=row.rank,
        boards=row.boards,
        score=Fraction(row.score),
        percent=_parse_fraction(row.percent),
        score_per_board=_parse_fraction(row.a_board),
        corrected=_parse_fraction(row.corrected),
    )


def _parse_fraction(text: str) -> Fraction | None:
    return Fraction(text) if text else None


def group_by_place(rows: Sequence[PlacedEntry]) -> list[list[PlacedEntry]]:
    """Return all entries in one overall order; entries with an equal place form one list.

    A single field keeps the order of its ranking. With several fields, entries further above
    their own field's average come first, as for the overall winner.

    Source: Foster, Complete Hoyle, Duplicate Whist.
    """
    is_one_field = len({(row.section, row.side) for row in rows}) < 2

    def key(row: PlacedEntry) -> tuple[bool, Fraction]:
        return not row.boards, Fraction(row.rank) if is_one_field else -row.above_average

    ordered_rows = sorted(rows, key=lambda row: (*key(row), row.entry))
    return [list(shared_rows) for _key, shared_rows in groupby(ordered_rows, key=key)]


def load_strata(event: Event) -> dict[int, str]:
    """Return the stratum of each entry, by number; empty for an event without strata."""
    try:
        strata = event.strata
    except Strata.DoesNotExist:
        return {}
    lines = [(name, Fraction(minimum_rating or 0)) for name, minimum_rating in strata.lines]
    names = [name for name, _minimum_rating in lines]
    stratum_by_entry = dict.fromkeys(event.entries.values_list("number", flat=True), names[-1])
    rows = EntryProfile.objects.filter(entry__event=event).select_related("entry")
    for row in rows:
        if row.stratum in names:
            stratum_by_entry[row.entry.number] = row.stratum
        elif strata.rule != Strata.Rule.BY_HAND and row.ratings:
            ratings = [Fraction(rating) for rating in row.ratings]
            stratum_by_entry[row.entry.number] = find_stratum(
                ratings, lines, StratumRule(strata.rule)
            )
    return stratum_by_entry


def load_tags(event: Event) -> dict[int, Collection[str]]:
    """Return the tags of each entry, by number."""
    rows = EntryProfile.objects.filter(entry__event=event).select_related("entry")
    return {row.entry.number: row.tags for row in rows if row.tags}


def _choose_ranking_value(row: EntryStanding, *, by_corrected: bool) -> Fraction:
    """Return the number that ranks an entry.

    It is the corrected total, percentage, score per board or score, whichever is first not
    None.
    """
    if by_corrected and row.corrected is not None:
        return row.corrected
    candidate_values = (row.percent, row.score_per_board)
    return next(
        (
            candidate_value
            for candidate_value in candidate_values
            if candidate_value is not None
        ),
        row.score,
    )


def _compute_mean(figures: Iterable[Fraction]) -> Fraction:
    figures = list(figures)
    return sum(figures, ZERO) / len(figures)


def has_seeds(event: Event, bracket_seeds: Sequence[int] = ()) -> bool:
    """Return whether seeds were set on entries, or by the order in a bracket."""
    if EntryProfile.objects.filter(entry__event=event, seed__isnull=False).exists():
        return True
    by_lot = [number for number in list_entries_by_seed(event) if number in bracket_seeds]
    return by_lot != list(bracket_seeds)


def list_entries_by_seed(event: Event) -> list[int]:
    """Return the numbers of all entries by seed; unseeded entries follow in a fixed random
    order.
    """
    numbers = list(event.entries.values_list("number", flat=True))
    rows = EntryProfile.objects.filter(entry__event=event, seed__isnull=False)
    seeds_by_entry = {row.entry.number: row.seed or 0 for row in rows.select_related("entry")}
    return order_by_seed(seeds_by_entry, numbers, str(event.uid))
