"""The table of a ladder: the values of evenings, which of them count, totals and ranks."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby

from seasons.ladders.rules import evenings, rule
from seasons.ladders.rules.evenings import LadderEntry, LadderEvening
from seasons.ladders.rules.handicaps import compute_entry_handicap
from seasons.ladders.rules.rule import LadderRule

LadderSubject = tuple[int, ...] | str
"""The subject of a ladder's line: one person, a pair in the order of keys, or a team's name."""
FEW_BOARDS, NO_FIGURE = "few_boards", "no_figure"
"""The reasons why an evening does not count."""


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """The place of an entry in its field."""

    place: int
    level: int  # the number of entries that share it, with this one
    behind: int
    among: int


@dataclass(frozen=True, slots=True)
class EveningValue:
    """The value of an evening for a person; `why_not` is the reason if it does not count."""

    evening: LadderEvening
    entry: LadderEntry
    value: Fraction | None
    why_not: str = ""
    place: FieldPlace | None = None
    base: Fraction | None = None  # the value before the handicap
    handicap: Fraction = Fraction()  # a board, or in per cent

    @property
    def counts(self) -> bool:
        """Whether the evening can count for the person."""
        return not self.why_not and self.value is not None


def iter_evening_values(
    evening: LadderEvening, of: LadderRule
) -> Iterator[tuple[LadderSubject, EveningValue]]:
    """Yield the value of an evening for each subject that the ladder ranks."""
    if not _is_counted(evening, of):
        return
    places = _compute_places(evening, of) if of.measure in (rule.PLACE, rule.BEATEN) else {}
    least = of.least_part * evening.most_boards
    for number, entry in enumerate(evening.entries):
        credited = list(_iter_credited_subjects(entry, of))
        if not credited or (
            of.measure in (rule.PLACE, rule.BEATEN) and _is_left_out(entry, of)
        ):
            continue
        worth = _compute_value(evening, entry, of, places.get(number))
        if entry.boards < least:
            worth = replace(worth, why_not=FEW_BOARDS)
        for who in credited:
            yield who, worth


def find_entry_handicap(entry: LadderEntry, of: LadderRule) -> Fraction:
    """Return an entry's handicap: the season's, or the mean of its people's in this ladder."""
    if of.handicap:
        return entry.handicap or Fraction()
    return compute_entry_handicap(entry.people, of.handicaps) if of.handicaps else Fraction()


def _is_counted(evening: LadderEvening, of: LadderRule) -> bool:
    """Return whether the ladder counts evenings of this contest."""
    if of.who == rule.PAIRS and evening.contest != evenings.PAIRS:
        return False
    return evening.contest in of.contests


def _iter_credited_subjects(entry: LadderEntry, of: LadderRule) -> Iterator[LadderSubject]:
    """Yield the subjects of the ladder that get the entry's value: people, pair or team."""
    if of.who == rule.TEAMS:
        if entry.team:
            yield entry.team
    elif of.who == rule.PAIRS:
        if len(entry.people) == 2 and not (of.members_only and entry.visitors):
            yield tuple(sorted(entry.people))
    else:
        for person in entry.people:
            if not (of.members_only and person in entry.visitors):
                yield (person,)


def _is_left_out(entry: LadderEntry, of: LadderRule) -> bool:
    """Return whether the rule removes an entry with visitors before it assigns places."""
    if not of.close_ranks or of.who == rule.TEAMS:
        return False
    if of.who == rule.PAIRS:
        return bool(entry.visitors)
    return not set(entry.people) - entry.visitors


def _compute_value(
    evening: LadderEvening, entry: LadderEntry, of: LadderRule, place: FieldPlace | None
) -> EveningValue:
    if of.measure == rule.ATTENDANCE:
        return EveningValue(evening, entry, Fraction(1))
    if of.measure in (rule.PLACE, rule.BEATEN):
        if place is None:
            return EveningValue(evening, entry, None, NO_FIGURE)
        value = compute_points(place, of.points)
        if of.measure == rule.BEATEN:
            value = Fraction(2 * place.behind + place.level - 1)
        handicap = find_entry_handicap(entry, of)
        return EveningValue(evening, entry, value, place=place, handicap=handicap)
    base = _get_score(entry, of.measure)
    if base is None:
        return EveningValue(evening, entry, None, NO_FIGURE)
    handicap = find_entry_handicap(entry, of)
    is_whole = of.measure in (rule.PLUS, rule.TRICKS, rule.SCORE)
    added = handicap * count_boards(entry, of.measure) if is_whole else handicap
    return EveningValue(evening, entry, base + added, base=base, handicap=handicap)


def count_boards(entry: LadderEntry, measure: str) -> Fraction | int:
    """Return the number of boards that a value is based on.

    Tricks are added up in full over all sessions; other measures weight boards by carry-over.
    """
    return entry.boards if measure == rule.TRICKS else entry.counted_boards


def _get_score(entry: LadderEntry, measure: str) -> Fraction | None:
    if measure == rule.PLUS_A_BOARD:
        return entry.a_board
    figure: Fraction | None = getattr(entry, measure)
    return figure


@lru_cache(maxsize=4096)
def compute_points(place: FieldPlace, table: tuple[Fraction, ...]) -> Fraction:
    """Return the points of a place; tied entries share the points of the places they occupy."""
    last = place.place - 1 + place.level
    return sum(table[place.place - 1 : last], Fraction()) / place.level


def _compute_places(evening: LadderEvening, of: LadderRule) -> dict[int, FieldPlace]:
    """Return the place of each entry in its field, by the entry's index in the evening."""
    fields: dict[str, list[int]] = defaultdict(list)
    for number, entry in enumerate(evening.entries):
        fields["" if of.across else entry.field].append(number)
    found: dict[int, FieldPlace] = {}
    for numbers in fields.values():
        placed = _rank_field({number: evening.entries[number] for number in numbers}, of)
        found |= _compute_field_places(evening, placed, of)
    return found


def _compute_field_places(
    evening: LadderEvening, placed: Mapping[int, int], of: LadderRule
) -> dict[int, FieldPlace]:
    """Return the places within one field, with the number of ties and of entries behind."""
    kept = {
        number: place
        for number, place in placed.items()
        if not _is_left_out(evening.entries[number], of)
    }
    levels = Counter(kept.values())
    found, above = {}, 0
    for place in sorted(levels):
        level = levels[place]
        found[place] = FieldPlace(
            place=1 + above if of.close_ranks else place,
            level=level,
            behind=len(kept) - above - level,
            among=len(kept),
        )
        above += level
    return {number: found[place] for number, place in kept.items()}


def _rank_field(entries: Mapping[int, LadderEntry], of: LadderRule) -> dict[int, int]:
    """Return the place of each entry in one field, before entries are left out."""
    written = {number: _get_stored_place(entry, of) for number, entry in entries.items()}
    stand = {number: place for number, place in written.items() if place is not None}
    if len(stand) == len(entries):
        return stand
    strengths = {number: _ranking_score(entry, of) for number, entry in entries.items()}
    known = sorted((each for each in strengths.values() if each is not None), reverse=True)
    places: dict[Fraction, int] = {}
    for place, strength in enumerate(known, start=1):
        places.setdefault(strength, place)
    for number, own in strengths.items():
        if own is not None:
            stand.setdefault(number, places[own])
    return stand


def _get_stored_place(entry: LadderEntry, of: LadderRule) -> int | None:
    """Return the entry's stored place; None if the rule requires a new one."""
    if of.across or (
        of.has_handicap and not entry.place_stands and _has_known_score(entry, of)
    ):
        return None
    return entry.place


def _has_known_score(entry: LadderEntry, of: LadderRule) -> bool:
    """Return whether the score that a handicap is added to is known."""
    return (entry.percent if of.handicap == rule.PERCENT else entry.plus) is not None


def _ranking_score(entry: LadderEntry, of: LadderRule) -> Fraction | None:
    """Return the number by which an entry is ranked, or None if it is unknown.

    It is the score; with handicap or across fields, it is the plus a board, or the percentage.
    """
    if not of.across and not of.has_handicap:
        return entry.score
    if of.handicap == rule.PERCENT:
        return None if entry.percent is None else entry.percent + find_entry_handicap(entry, of)
    a_board = entry.a_board
    return None if a_board is None else a_board + find_entry_handicap(entry, of)


Key = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One line of a ladder: the subject, its evenings, the total and the rank.

    The rank is 0 if the subject is unranked.
    """

    who: LadderSubject
    worths: tuple[EveningValue, ...]  # every evening, by date
    counted: frozenset[int]  # indexes of the evenings in the total
    total: Fraction
    rank: int = 0
    tied: bool = False
    needs: int = 0  # evenings missing to the minimum

    @property
    def people(self) -> tuple[int, ...]:
        """The primary keys of the line's people; empty for a team."""
        return () if isinstance(self.who, str) else self.who

    @property
    def key(self) -> str:
        """The identifier of the line in URLs."""
        return f"team:{self.who}" if isinstance(self.who, str) else "-".join(map(str, self.who))

    @property
    def evenings(self) -> int:
        """The number of evenings that count for the required minimum, even if dropped."""
        return sum(worth.counts for worth in self.worths)

    @property
    def singles(self) -> tuple[Fraction, ...]:
        """The values that the total consists of, the highest first."""
        found = [self.worths[each].value or Fraction() for each in self.counted]
        return tuple(sorted(found, reverse=True))

    @property
    def latest(self) -> Fraction | None:
        """The value of the latest counting evening."""
        return next((each.value for each in reversed(self.worths) if each.counts), None)


@dataclass(frozen=True, slots=True)
class LadderTable:
    """A whole ladder: ranked lines by rank, the others by total."""

    rule: LadderRule
    ranked: tuple[LadderRow, ...]
    unranked: tuple[LadderRow, ...]

    @property
    def rows(self) -> tuple[LadderRow, ...]:
        """All lines: the ranked ones, then the others."""
        return self.ranked + self.unranked


def compute_ladder(evenings: Iterable[LadderEvening], of: LadderRule) -> LadderTable:
    """Compute the ladder of a season by a rule; the order of evenings does not matter."""
    found: dict[LadderSubject, list[EveningValue]] = defaultdict(list)
    for evening in sorted(evenings, key=lambda each: each.order):
        for who, worth in iter_evening_values(evening, of):
            found[who].append(worth)
    rows = [_build_row(who, came, of) for who, came in found.items()]
    enough = [row for row in rows if row.evenings >= of.minimum]
    few = [row for row in rows if row.evenings < of.minimum]
    return LadderTable(of, tuple(_rank_rows(enough, of.ties)), tuple(few))


def _build_row(who: LadderSubject, came: Sequence[EveningValue], of: LadderRule) -> LadderRow:
    known = [
        (worth.value, number)
        for number, worth in enumerate(came)
        if worth.value is not None and worth.counts
    ]
    known.sort(key=lambda each: each[0], reverse=True)  # the earlier of equal ones stays first
    counted = known[: of.counting(len(known))]
    total = sum((value for value, _number in counted), Fraction())
    if of.combine == rule.MEAN and counted:
        total /= len(counted)
    return LadderRow(
        who=who,
        worths=tuple(came),
        counted=frozenset(number for _value, number in counted),
        total=total,
        needs=max(0, of.minimum - len(known)),
    )


def _rank_rows(rows: Iterable[LadderRow], ties: Sequence[str]) -> list[LadderRow]:
    """Rank by total, then by each tie-break in turn; remaining ties share a rank."""

    def key(row: LadderRow) -> Key:
        return ((row.total,), *(_TIE_BREAK_KEYS[name](row) for name in ties))

    found: list[LadderRow] = []
    for _key, level in groupby(sorted(rows, key=key, reverse=True), key=key):
        same = list(level)
        rank = len(found) + 1
        found += [
            LadderRow(
                row.who, row.worths, row.counted, row.total, rank, len(same) > 1, row.needs
            )
            for row in same
        ]
    return found


_TIE_BREAK_KEYS: Mapping[str, Callable[[LadderRow], tuple[Fraction, ...]]] = {
    rule.SINGLES: lambda row: row.singles,
    rule.PLAYED: lambda row: (Fraction(row.evenings),),
    rule.LATEST: lambda row: () if row.latest is None else (row.latest,),
}
