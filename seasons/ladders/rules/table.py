"""The computation of a ladder's table: evening values, totals and ranks."""

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
"""The person, pair or team that a line of a ladder ranks.

A person is a tuple of one primary key, a pair is a sorted tuple of two. A team is its name.
"""
FEW_BOARDS, NO_FIGURE, OTHER_GAME = "few_boards", "no_figure", "other_game"
"""The reasons why an evening does not count.

Too few boards were played, the score is unknown, or the evening's points are of another game
than the ladder's.
"""


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """An entry's place in its field, with the numbers of tied and beaten entries."""

    place: int
    level: int  # the number of entries that share the place, including this one
    behind: int
    among: int


@dataclass(frozen=True, slots=True)
class EveningValue:
    """The value of one evening for a person, pair or team.

    `why_not` is the reason if the evening does not count, otherwise "".
    """

    evening: LadderEvening
    entry: LadderEntry
    value: Fraction | None
    why_not: str = ""
    place: FieldPlace | None = None
    base: Fraction | None = None  # the value before the handicap
    handicap: Fraction = Fraction()  # per board, or in percentage points

    @property
    def counts(self) -> bool:
        """Whether the evening has a value that can count in the ladder."""
        return not self.why_not and self.value is not None


def iter_evening_values(
    evening: LadderEvening, of: LadderRule
) -> Iterator[tuple[LadderSubject, EveningValue]]:
    """Yield an evening's value for each person, pair or team that the ladder ranks."""
    if not _is_counted(evening, of):
        return
    places = _compute_places(evening, of) if of.measure in (rule.PLACE, rule.BEATEN) else {}
    min_boards = of.least_part * evening.most_boards
    for number, entry in enumerate(evening.entries):
        subjects = list(_iter_credited_subjects(entry, of))
        if not subjects or (
            of.measure in (rule.PLACE, rule.BEATEN) and _is_left_out(entry, of)
        ):
            continue
        evening_value = _compute_value(evening, entry, of, places.get(number))
        if entry.boards < min_boards:
            evening_value = replace(evening_value, why_not=FEW_BOARDS)
        for subject in subjects:
            yield subject, evening_value


def find_entry_handicap(entry: LadderEntry, of: LadderRule) -> Fraction:
    """Return the handicap that the ladder adds to an entry's score.

    It is the season's handicap of the entry, or the mean of its people's handicaps in this
    ladder.
    """
    if of.handicap:
        return entry.handicap or Fraction()
    return compute_entry_handicap(entry.people, of.handicaps) if of.handicaps else Fraction()


def _is_counted(evening: LadderEvening, of: LadderRule) -> bool:
    """Return whether the ladder counts evenings with this evening's contest."""
    if of.who == rule.PAIRS and evening.contest != evenings.PAIRS:
        return False
    return evening.contest in of.contests


def _iter_credited_subjects(entry: LadderEntry, of: LadderRule) -> Iterator[LadderSubject]:
    """Yield the people, the pair or the team that get the entry's value in the ladder."""
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
    """Return whether the rule ignores this entry when it assigns places.

    With `close_ranks`, an entry that includes only visitors is ignored, or a pair with any
    visitor.
    """
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
    handicap_value = handicap * count_boards(entry, of.measure) if is_whole else handicap
    return EveningValue(evening, entry, base + handicap_value, base=base, handicap=handicap)


def count_boards(entry: LadderEntry, measure: str) -> Fraction | int:
    """Return the number of boards on which a score of this measure is based.

    Tricks are added up over all sessions in full. For other measures, boards of earlier
    sessions are multiplied by their carry-over.
    """
    return entry.boards if measure == rule.TRICKS else entry.counted_boards


def _get_score(entry: LadderEntry, measure: str) -> Fraction | None:
    if measure == rule.PLUS_A_BOARD:
        return entry.a_board
    score: Fraction | None = getattr(entry, measure)
    return score


@lru_cache(maxsize=4096)
def compute_points(place: FieldPlace, table: tuple[Fraction, ...]) -> Fraction:
    """Return the points for a place; tied entries share the points of their places."""
    last = place.place - 1 + place.level
    return sum(table[place.place - 1 : last], Fraction()) / place.level


def _compute_places(evening: LadderEvening, of: LadderRule) -> dict[int, FieldPlace]:
    """Return each entry's place in its field, by the entry's index in `evening.entries`."""
    fields: dict[str, list[int]] = defaultdict(list)
    for number, entry in enumerate(evening.entries):
        fields["" if of.across else entry.field].append(number)
    places: dict[int, FieldPlace] = {}
    for numbers in fields.values():
        stored_places = _rank_field({number: evening.entries[number] for number in numbers}, of)
        places |= _compute_field_places(evening, stored_places, of)
    return places


def _compute_field_places(
    evening: LadderEvening, stored_places: Mapping[int, int], of: LadderRule
) -> dict[int, FieldPlace]:
    """Return the places in one field, with the numbers of tied and of beaten entries.

    Entries that the rule leaves out have no place.
    """
    ranked_places = {
        number: place
        for number, place in stored_places.items()
        if not _is_left_out(evening.entries[number], of)
    }
    levels = Counter(ranked_places.values())
    places, beaten_by = {}, 0
    for place in sorted(levels):
        tied_numbers = levels[place]
        places[place] = FieldPlace(
            place=1 + beaten_by if of.close_ranks else place,
            level=tied_numbers,
            behind=len(ranked_places) - beaten_by - tied_numbers,
            among=len(ranked_places),
        )
        beaten_by += tied_numbers
    return {number: places[place] for number, place in ranked_places.items()}


def _rank_field(entries: Mapping[int, LadderEntry], of: LadderRule) -> dict[int, int]:
    """Return the place of every entry of one field, before the rule leaves entries out."""
    stored_places = {number: _get_stored_place(entry, of) for number, entry in entries.items()}
    stand = {number: place for number, place in stored_places.items() if place is not None}
    if len(stand) == len(entries):
        return stand
    strengths = {number: _get_ranking_score(entry, of) for number, entry in entries.items()}
    sorted_strengths = sorted(
        (value for value in strengths.values() if value is not None), reverse=True
    )
    places: dict[Fraction, int] = {}
    for place, strength in enumerate(sorted_strengths, start=1):
        places.setdefault(strength, place)
    for number, entry_strength in strengths.items():
        if entry_strength is not None:
            stand.setdefault(number, places[entry_strength])
    return stand


def _get_stored_place(entry: LadderEntry, of: LadderRule) -> int | None:
    """Return the entry's stored place; None if the ladder must rank the entry again."""
    if of.across or (
        of.has_handicap and not entry.place_stands and _has_known_score(entry, of)
    ):
        return None
    return entry.place


def _has_known_score(entry: LadderEntry, of: LadderRule) -> bool:
    """Return whether the entry has the score to which a handicap is added."""
    return (entry.percent if of.handicap == rule.PERCENT else entry.plus) is not None


def _get_ranking_score(entry: LadderEntry, of: LadderRule) -> Fraction | None:
    """Return the number by which an entry is ranked in its field, or None if it is unknown.

    It is normally the entry's score. With a handicap, or if fields are ranked together, it is
    the plus per board or the percentage.
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
    """One line of a ladder: the person, pair or team, with its evenings, total and rank.

    The rank is 0 if the line is unranked.
    """

    who: LadderSubject
    evening_values: tuple[EveningValue, ...]  # every evening, by date
    counted: frozenset[int]  # indexes of the evenings in the total
    total: Fraction
    rank: int = 0
    tied: bool = False
    needs: int = 0  # the number of further evenings needed to be ranked

    @property
    def people(self) -> tuple[int, ...]:
        """The primary keys of the line's players; empty for a team."""
        return () if isinstance(self.who, str) else self.who

    @property
    def key(self) -> str:
        """The identifier of the line in URLs."""
        return f"team:{self.who}" if isinstance(self.who, str) else "-".join(map(str, self.who))

    @property
    def evenings(self) -> int:
        """The number of evenings played that count towards the minimum.

        It includes evenings whose value is dropped from the total.
        """
        return sum(evening_value.counts for evening_value in self.evening_values)

    @property
    def singles(self) -> tuple[Fraction, ...]:
        """The evening values that the total is computed from, in descending order."""
        values = [self.evening_values[index].value or Fraction() for index in self.counted]
        return tuple(sorted(values, reverse=True))

    @property
    def latest(self) -> Fraction | None:
        """The value of the latest evening that can count, or None."""
        return next(
            (
                evening_value.value
                for evening_value in reversed(self.evening_values)
                if evening_value.counts
            ),
            None,
        )


@dataclass(frozen=True, slots=True)
class LadderTable:
    """A complete ladder: ranked lines in the order of ranks, and unranked lines."""

    rule: LadderRule
    ranked: tuple[LadderRow, ...]
    unranked: tuple[LadderRow, ...]
    has_other_games: bool = False  # whether its evenings have points of different games

    @property
    def rows(self) -> tuple[LadderRow, ...]:
        """All lines, beginning with the ranked ones."""
        return self.ranked + self.unranked


def compute_ladder(evenings: Iterable[LadderEvening], of: LadderRule) -> LadderTable:
    """Compute a ladder from the evenings of a season, which may be in any order."""
    values_by_subject: dict[LadderSubject, list[EveningValue]] = defaultdict(list)
    in_order = sorted(evenings, key=lambda evening_: evening_.order)
    games = list_ladder_games(in_order, of)
    first_game = games[0] if games else ""
    for evening in in_order:
        for subject, evening_value in iter_evening_values(evening, of):
            if of.measure == rule.SCORE and evening.game != first_game and not of.mix_games:
                evening_value = replace(evening_value, why_not=OTHER_GAME)
            values_by_subject[subject].append(evening_value)
    rows = [
        _build_row(subject, evening_values, of)
        for subject, evening_values in values_by_subject.items()
    ]
    ranked_rows = [row for row in rows if row.evenings >= of.minimum]
    unranked_rows = [row for row in rows if row.evenings < of.minimum]
    return LadderTable(
        of, tuple(_rank_rows(ranked_rows, of.ties)), tuple(unranked_rows), len(games) > 1
    )


def list_ladder_games(evenings: Iterable[LadderEvening], of: LadderRule) -> list[str]:
    """Return the games of the evenings that a ladder counts, without repeats.

    "" is every evening without a game with contracts. The first game is the ladder's own
    where games are not mixed.
    """
    return list(dict.fromkeys(evening.game for evening in evenings if _is_counted(evening, of)))


def _build_row(
    subject: LadderSubject, evening_values: Sequence[EveningValue], of: LadderRule
) -> LadderRow:
    countable = [
        (evening_value.value, number)
        for number, evening_value in enumerate(evening_values)
        if evening_value.value is not None and evening_value.counts
    ]
    countable.sort(
        key=lambda item: item[0], reverse=True
    )  # of equal values, the earlier stays first
    counted_values = countable[: of.counting(len(countable))]
    total = sum((value for value, _number in counted_values), Fraction())
    if of.combine == rule.MEAN and counted_values:
        total /= len(counted_values)
    return LadderRow(
        who=subject,
        evening_values=tuple(evening_values),
        counted=frozenset(number for _value, number in counted_values),
        total=total,
        needs=max(0, of.minimum - len(countable)),
    )


def _rank_rows(rows: Iterable[LadderRow], ties: Sequence[str]) -> list[LadderRow]:
    """Rank lines by total and then by each tie-break; lines still tied share a rank."""

    def key(row: LadderRow) -> Key:
        return ((row.total,), *(_TIE_BREAK_KEYS[name](row) for name in ties))

    ranked_rows: list[LadderRow] = []
    for _key, level in groupby(sorted(rows, key=key, reverse=True), key=key):
        same = list(level)
        rank = len(ranked_rows) + 1
        ranked_rows += [
            LadderRow(
                row.who,
                row.evening_values,
                row.counted,
                row.total,
                rank,
                len(same) > 1,
                row.needs,
            )
            for row in same
        ]
    return ranked_rows


_TIE_BREAK_KEYS: Mapping[str, Callable[[LadderRow], tuple[Fraction, ...]]] = {
    rule.SINGLES: lambda row: row.singles,
    rule.PLAYED: lambda row: (Fraction(row.evenings),),
    rule.LATEST: lambda row: () if row.latest is None else (row.latest,),
}
