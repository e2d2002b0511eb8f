"""An event's standings as one order: for finals, strata and prizes."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from scoring.models import EntryProfile, Standing, Strata
from scoring.reckoning.scores import method_of
from tournaments.models import Event
from tournaments.stages.seeding import seeded
from tournaments.stages.strata import Rule, stratum_of

NOTHING = Fraction()


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry as it stands: its field, its place there, and how far it is above the field."""

    entry: int  # its number
    name: str
    section: str
    side: str
    rank: int
    above: Fraction  # in what places the field; 0 is its average
    plus: Fraction  # its score above the average of its field: what finals carry over
    boards: int


@dataclass(frozen=True, slots=True)
class EntryStanding:
    """What a standing says of an entry, be it all that is stored or what may be seen."""

    entry: int  # its number
    name: str
    section: str
    side: str
    rank: int
    boards: int
    score: Fraction
    percent: Fraction | None
    a_board: Fraction | None
    corrected: Fraction | None


def placed(event: Event) -> list[Placed]:
    """Every entry as the standings were last computed, in their order; one query."""
    rows = Standing.objects.filter(ranking__event=event).select_related("entry")
    return placed_by(event, [_figures(row) for row in rows])


def placed_by(event: Event, rows: Iterable[EntryStanding]) -> list[Placed]:
    """The same by standings at hand, such as those that everybody may see."""
    method = method_of(event)
    fields: dict[tuple[str, str], list[EntryStanding]] = defaultdict(list)
    for row in rows:
        fields[row.section, row.side].append(row)
    found = []
    for (section, side), members in fields.items():
        by_corrected = event.terms.by_corrected
        worth = {row.entry: _worth(row, by_corrected=by_corrected) for row in members}
        own = {row.entry: row.score for row in members}
        is_plus = method.signed and not any(row.percent for row in members)
        level = NOTHING if is_plus else _mean(worth.values())
        middle = NOTHING if method.signed else _mean(own.values())
        found += [
            Placed(
                entry=row.entry,
                name=row.name,
                section=section,
                side=side,
                rank=row.rank,
                above=worth[row.entry] - level,
                plus=own[row.entry] - middle,
                boards=row.boards,
            )
            for row in members
        ]
    return found


def _figures(row: Standing) -> EntryStanding:
    return EntryStanding(
        entry=row.entry.number,
        name=row.entry.name,
        section=row.section,
        side=row.field,
        rank=row.rank,
        boards=row.boards,
        score=Fraction(row.score),
        percent=_number(row.percent),
        a_board=_number(row.a_board),
        corrected=_number(row.corrected),
    )


def _number(written: str) -> Fraction | None:
    return Fraction(written) if written else None


def in_order(rows: Sequence[Placed]) -> list[list[Placed]]:
    """All of them in one order, those who share a place together.

    One field keeps its ranking. Of several fields whoever is further above the own field comes
    first, by which there is an overall winner too.
    Source: Foster, Complete Hoyle, Duplicate Whist.
    """
    is_one = len({(row.section, row.side) for row in rows}) < 2

    def key(row: Placed) -> tuple[bool, Fraction]:
        return not row.boards, Fraction(row.rank) if is_one else -row.above

    ordered = sorted(rows, key=lambda row: (*key(row), row.entry))
    return [list(shared) for _key, shared in groupby(ordered, key=key)]


def strata_of(event: Event) -> dict[int, str]:
    """The stratum of each entry by its number; empty where the event has none."""
    try:
        strata = event.strata
    except Strata.DoesNotExist:
        return {}
    lines = [(name, Fraction(least or 0)) for name, least in strata.lines]
    names = [name for name, _least in lines]
    found = dict.fromkeys(event.entries.values_list("number", flat=True), names[-1])
    rows = EntryProfile.objects.filter(entry__event=event).select_related("entry")
    for row in rows:
        if row.stratum in names:
            found[row.entry.number] = row.stratum
        elif strata.rule != Strata.Rule.BY_HAND and row.ratings:
            ratings = [Fraction(each) for each in row.ratings]
            found[row.entry.number] = stratum_of(ratings, lines, Rule(strata.rule))
    return found


def tags_of(event: Event) -> dict[int, Collection[str]]:
    """The words that entries are marked with, by their numbers."""
    rows = EntryProfile.objects.filter(entry__event=event).select_related("entry")
    return {row.entry.number: row.tags for row in rows if row.tags}


def _worth(row: EntryStanding, *, by_corrected: bool) -> Fraction:
    """What places an entry; a figure that is not kept is None, and nothing is a figure too."""
    if by_corrected and row.corrected is not None:
        return row.corrected
    known = (row.percent, row.a_board)
    return next((each for each in known if each is not None), row.score)


def _mean(figures: Iterable[Fraction]) -> Fraction:
    figures = list(figures)
    return sum(figures, NOTHING) / len(figures)


def has_seeds(event: Event, laid: Sequence[int] = ()) -> bool:
    """Whether anyone set seeds: at the entries, or by the order in which a bracket is laid."""
    if EntryProfile.objects.filter(entry__event=event, seed__isnull=False).exists():
        return True
    by_lot = [number for number in seed_order(event) if number in laid]
    return by_lot != list(laid)


def seed_order(event: Event) -> list[int]:
    """The numbers of all entries by their seeds, those without one by a lot that stays."""
    numbers = list(event.entries.values_list("number", flat=True))
    rows = EntryProfile.objects.filter(entry__event=event, seed__isnull=False)
    rated = {row.entry.number: row.seed or 0 for row in rows.select_related("entry")}
    return seeded(rated, numbers, str(event.uid))
