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
EXCLUDED_FEW_BOARDS, EXCLUDED_NO_SCORE, EXCLUDED_OTHER_GAME = (
    "few_boards",
    "no_figure",
    "other_game",
)
"""The reasons why an evening does not count.

Too few boards were played, the score is unknown, or the ladder counts another game.
"""


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """An entry's place in its field, with the numbers of tied and beaten entries."""

    rank: int
    tied_count: int  # the number of entries that share the place, including this one
    beaten_entry_count: int
    ranked_count: int


@dataclass(frozen=True, slots=True)
class EveningValue:
    """The value of one evening for a person, pair or team."""

    evening: LadderEvening
    entry: LadderEntry
    value: Fraction | None
    exclusion_reason: str = ""  # why the evening does not count; "" if it can count
    field_place: FieldPlace | None = None
    base_score: Fraction | None = None  # the value before the handicap
    handicap: Fraction = Fraction()  # per board, or in percentage points

    @property
    def can_be_counted(self) -> bool:
        """Whether the evening has a value that can count in the ladder."""
        return not self.exclusion_reason and self.value is not None


def iter_evening_values(
    evening: LadderEvening, ladder_rule: LadderRule
) -> Iterator[tuple[LadderSubject, EveningValue]]:
    """Yield an evening's value for each person, pair or team that the ladder ranks."""
    if not _is_evening_counted(evening, ladder_rule):
        return
    field_places_by_index = (
        _compute_places(evening, ladder_rule)
        if ladder_rule.measure in (rule.MEASURE_PLACE, rule.MEASURE_BEATEN)
        else {}
    )
    min_boards = ladder_rule.least_part * evening.max_board_count
    for index, entry in enumerate(evening.entries):
        subjects = list(_iter_credited_subjects(entry, ladder_rule))
        if not subjects or (
            ladder_rule.measure in (rule.MEASURE_PLACE, rule.MEASURE_BEATEN)
            and _is_entry_ignored(entry, ladder_rule)
        ):
            continue
        evening_value = _compute_value(
            evening, entry, ladder_rule, field_places_by_index.get(index)
        )
        if entry.board_count < min_boards:
            evening_value = replace(evening_value, exclusion_reason=EXCLUDED_FEW_BOARDS)
        for subject in subjects:
            yield subject, evening_value


def find_entry_handicap(entry: LadderEntry, ladder_rule: LadderRule) -> Fraction:
    """Return the handicap that the ladder adds to an entry's score.

    The handicap is that of the season. If the ladder has its own handicaps, it is the mean of
    those of the entry's people.
    """
    if ladder_rule.season_handicap_unit:
        return entry.handicap or Fraction()
    return (
        compute_entry_handicap(entry.person_pks, ladder_rule.handicaps_by_person)
        if ladder_rule.handicaps_by_person
        else Fraction()
    )


def _is_evening_counted(evening: LadderEvening, ladder_rule: LadderRule) -> bool:
    """Return whether the ladder counts evenings with this evening's contest."""
    if ladder_rule.who == rule.PAIRS and evening.contest != evenings.PAIRS:
        return False
    return evening.contest in ladder_rule.contests


def _iter_credited_subjects(
    entry: LadderEntry, ladder_rule: LadderRule
) -> Iterator[LadderSubject]:
    """Yield the people, the pair or the team that get the entry's value in the ladder."""
    if ladder_rule.who == rule.TEAMS:
        if entry.team_name:
            yield entry.team_name
    elif ladder_rule.who == rule.PAIRS:
        if len(entry.person_pks) == 2 and not (
            ladder_rule.is_for_members_only and entry.visitor_pks
        ):
            yield tuple(sorted(entry.person_pks))
    else:
        for person_pk in entry.person_pks:
            if not (ladder_rule.is_for_members_only and person_pk in entry.visitor_pks):
                yield (person_pk,)


def _is_entry_ignored(entry: LadderEntry, ladder_rule: LadderRule) -> bool:
    """Return whether the rule ignores this entry when it assigns places.

    With `should_close_ranks`, entries of visitors are ignored. In a ladder of pairs, a pair
    with one visitor is ignored too.
    """
    if not ladder_rule.should_close_ranks or ladder_rule.who == rule.TEAMS:
        return False
    if ladder_rule.who == rule.PAIRS:
        return bool(entry.visitor_pks)
    return not set(entry.person_pks) - entry.visitor_pks


def _compute_value(
    evening: LadderEvening,
    entry: LadderEntry,
    ladder_rule: LadderRule,
    field_place: FieldPlace | None,
) -> EveningValue:
    if ladder_rule.measure == rule.MEASURE_ATTENDANCE:
        return EveningValue(evening, entry, Fraction(1))
    if ladder_rule.measure in (rule.MEASURE_PLACE, rule.MEASURE_BEATEN):
        if field_place is None:
            return EveningValue(evening, entry, None, EXCLUDED_NO_SCORE)
        value = compute_points(field_place, ladder_rule.points)
        if ladder_rule.measure == rule.MEASURE_BEATEN:
            value = Fraction(2 * field_place.beaten_entry_count + field_place.tied_count - 1)
        handicap = find_entry_handicap(entry, ladder_rule)
        return EveningValue(evening, entry, value, field_place=field_place, handicap=handicap)
    base_score = _get_score(entry, ladder_rule.measure)
    if base_score is None:
        return EveningValue(evening, entry, None, EXCLUDED_NO_SCORE)
    handicap = find_entry_handicap(entry, ladder_rule)
    is_evening_total = ladder_rule.measure in (
        rule.MEASURE_PLUS,
        rule.MEASURE_TRICKS,
        rule.MEASURE_SCORE,
    )
    added_handicap = (
        handicap * count_boards(entry, ladder_rule.measure) if is_evening_total else handicap
    )
    return EveningValue(
        evening, entry, base_score + added_handicap, base_score=base_score, handicap=handicap
    )


def count_boards(entry: LadderEntry, measure_code: str) -> Fraction | int:
    """Return the number of boards on which a score of this measure is based.

    Tricks are added up over all sessions in full. For other measures, boards of earlier
    sessions are multiplied by their carry-over.
    """
    return (
        entry.board_count if measure_code == rule.MEASURE_TRICKS else entry.counted_board_count
    )


def _get_score(entry: LadderEntry, measure_code: str) -> Fraction | None:
    if measure_code == rule.MEASURE_PLUS_PER_BOARD:
        return entry.plus_per_board
    score: Fraction | None = getattr(entry, measure_code)
    return score


@lru_cache(maxsize=4096)
def compute_points(field_place: FieldPlace, points_by_place: tuple[Fraction, ...]) -> Fraction:
    """Return the points for a place; tied entries share the points of their places."""
    last_rank = field_place.rank - 1 + field_place.tied_count
    return (
        sum(points_by_place[field_place.rank - 1 : last_rank], Fraction())
        / field_place.tied_count
    )


def _compute_places(evening: LadderEvening, ladder_rule: LadderRule) -> dict[int, FieldPlace]:
    """Return each entry's place in its field, by the entry's index in `evening.entries`."""
    indexes_by_field: dict[str, list[int]] = defaultdict(list)
    for index, entry in enumerate(evening.entries):
        indexes_by_field[
            "" if ladder_rule.should_combine_fields else entry.ranked_group_code
        ].append(index)
    field_places_by_index: dict[int, FieldPlace] = {}
    for indexes in indexes_by_field.values():
        ranks_by_index = _rank_field_entries(
            {index: evening.entries[index] for index in indexes}, ladder_rule
        )
        field_places_by_index |= _compute_field_places(evening, ranks_by_index, ladder_rule)
    return field_places_by_index


def _compute_field_places(
    evening: LadderEvening, ranks_by_index: Mapping[int, int], ladder_rule: LadderRule
) -> dict[int, FieldPlace]:
    """Return the places in one field, with the numbers of tied and of beaten entries.

    Entries that the rule leaves out have no place.
    """
    counted_ranks_by_index = {
        index: rank
        for index, rank in ranks_by_index.items()
        if not _is_entry_ignored(evening.entries[index], ladder_rule)
    }
    entry_counts_by_rank = Counter(counted_ranks_by_index.values())
    field_place_by_rank, better_entry_count = {}, 0
    for rank in sorted(entry_counts_by_rank):
        tied_count = entry_counts_by_rank[rank]
        field_place_by_rank[rank] = FieldPlace(
            rank=1 + better_entry_count if ladder_rule.should_close_ranks else rank,
            tied_count=tied_count,
            beaten_entry_count=len(counted_ranks_by_index) - better_entry_count - tied_count,
            ranked_count=len(counted_ranks_by_index),
        )
        better_entry_count += tied_count
    return {index: field_place_by_rank[rank] for index, rank in counted_ranks_by_index.items()}


def _rank_field_entries(
    entries_by_index: Mapping[int, LadderEntry], ladder_rule: LadderRule
) -> dict[int, int]:
    """Return the place of every entry of one field, before the rule leaves entries out."""
    stored_ranks_by_index = {
        index: _get_stored_rank(entry, ladder_rule) for index, entry in entries_by_index.items()
    }
    ranks_by_index = {
        index: rank for index, rank in stored_ranks_by_index.items() if rank is not None
    }
    if len(ranks_by_index) == len(entries_by_index):
        return ranks_by_index
    scores_by_index = {
        index: _get_ranking_score(entry, ladder_rule)
        for index, entry in entries_by_index.items()
    }
    sorted_scores = sorted(
        (known_score for known_score in scores_by_index.values() if known_score is not None),
        reverse=True,
    )
    ranks_by_score: dict[Fraction, int] = {}
    for rank, score in enumerate(sorted_scores, start=1):
        ranks_by_score.setdefault(score, rank)
    for index, entry_score in scores_by_index.items():
        if entry_score is not None:
            ranks_by_index.setdefault(index, ranks_by_score[entry_score])
    return ranks_by_index


def _get_stored_rank(entry: LadderEntry, ladder_rule: LadderRule) -> int | None:
    """Return the entry's stored place; None if the ladder must rank the entry again."""
    if ladder_rule.should_combine_fields or (
        ladder_rule.has_handicap
        and not entry.is_handicap_exempt
        and _has_known_score(entry, ladder_rule)
    ):
        return None
    return entry.place


def _has_known_score(entry: LadderEntry, ladder_rule: LadderRule) -> bool:
    """Return whether the entry has the score to which a handicap is added."""
    return (
        entry.percent
        if ladder_rule.season_handicap_unit == rule.MEASURE_PERCENT
        else entry.plus
    ) is not None


def _get_ranking_score(entry: LadderEntry, ladder_rule: LadderRule) -> Fraction | None:
    """Return the number by which an entry is ranked in its field, or None if it is unknown.

    Without a handicap, it is the entry's score. With a handicap, or if fields are ranked
    together, it is the tricks above average per board, or the percentage.
    """
    if not ladder_rule.should_combine_fields and not ladder_rule.has_handicap:
        return entry.score
    if ladder_rule.season_handicap_unit == rule.MEASURE_PERCENT:
        return (
            None
            if entry.percent is None
            else entry.percent + find_entry_handicap(entry, ladder_rule)
        )
    plus_per_board = entry.plus_per_board
    return (
        None
        if plus_per_board is None
        else plus_per_board + find_entry_handicap(entry, ladder_rule)
    )


SortKey = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One line of a ladder: the person, pair or team, with its evenings, total and rank.

    The rank is 0 if the line is unranked.
    """

    subject: LadderSubject
    evening_values: tuple[EveningValue, ...]  # every evening, by date
    counted_indexes: frozenset[int]  # indexes of the evenings in the total
    total: Fraction
    rank: int = 0
    is_tied: bool = False
    missing_evening_count: int = 0  # the number of further evenings needed to be ranked

    @property
    def person_pks(self) -> tuple[int, ...]:
        """The primary keys of the line's players; empty for a team."""
        return () if isinstance(self.subject, str) else self.subject

    @property
    def row_key(self) -> str:
        """The identifier of the line in URLs."""
        return (
            f"team:{self.subject}"
            if isinstance(self.subject, str)
            else "-".join(map(str, self.subject))
        )

    @property
    def evening_count(self) -> int:
        """The number of evenings played that count towards the minimum.

        Evenings whose value is dropped from the total are included.
        """
        return sum(evening_value.can_be_counted for evening_value in self.evening_values)

    @property
    def counted_values(self) -> tuple[Fraction, ...]:
        """The evening values that the total is computed from, in descending order."""
        values = [
            self.evening_values[index].value or Fraction() for index in self.counted_indexes
        ]
        return tuple(sorted(values, reverse=True))

    @property
    def latest_value(self) -> Fraction | None:
        """The value of the latest evening that can count, or None."""
        return next(
            (
                evening_value.value
                for evening_value in reversed(self.evening_values)
                if evening_value.can_be_counted
            ),
            None,
        )


@dataclass(frozen=True, slots=True)
class LadderTable:
    """A complete ladder: ranked lines in the order of ranks, and unranked lines."""

    rule: LadderRule
    ranked_rows: tuple[LadderRow, ...]
    unranked_rows: tuple[LadderRow, ...]
    has_mixed_games: bool = False  # whether its evenings have points of different games

    @property
    def rows(self) -> tuple[LadderRow, ...]:
        """All lines, beginning with the ranked ones."""
        return self.ranked_rows + self.unranked_rows


def compute_ladder(evenings: Iterable[LadderEvening], ladder_rule: LadderRule) -> LadderTable:
    """Compute a ladder from the evenings of a season, which may be in any order."""
    values_by_subject: dict[LadderSubject, list[EveningValue]] = defaultdict(list)
    ordered_evenings = sorted(evenings, key=lambda evening: evening.sort_key)
    game_codes = list_ladder_games(ordered_evenings, ladder_rule)
    first_game_code = game_codes[0] if game_codes else ""
    for evening in ordered_evenings:
        for subject, evening_value in iter_evening_values(evening, ladder_rule):
            if (
                ladder_rule.measure == rule.MEASURE_SCORE
                and evening.game_code != first_game_code
                and not ladder_rule.should_mix_games
            ):
                evening_value = replace(evening_value, exclusion_reason=EXCLUDED_OTHER_GAME)
            values_by_subject[subject].append(evening_value)
    rows = [
        _build_row(subject, evening_values, ladder_rule)
        for subject, evening_values in values_by_subject.items()
    ]
    ranked_rows = [row for row in rows if row.evening_count >= ladder_rule.minimum]
    unranked_rows = [row for row in rows if row.evening_count < ladder_rule.minimum]
    return LadderTable(
        ladder_rule,
        tuple(_rank_rows(ranked_rows, ladder_rule.ties)),
        tuple(unranked_rows),
        len(game_codes) > 1,
    )


def list_ladder_games(evenings: Iterable[LadderEvening], ladder_rule: LadderRule) -> list[str]:
    """Return the codes of the games that a ladder counts, without repeats.

    The code is "" except for drives of a game with contracts. If games are not mixed, the
    ladder counts only the first game of the list.
    """
    return list(
        dict.fromkeys(
            evening.game_code
            for evening in evenings
            if _is_evening_counted(evening, ladder_rule)
        )
    )


def _build_row(
    subject: LadderSubject, evening_values: Sequence[EveningValue], ladder_rule: LadderRule
) -> LadderRow:
    countable_values = [
        (evening_value.value, index)
        for index, evening_value in enumerate(evening_values)
        if evening_value.value is not None and evening_value.can_be_counted
    ]
    # The sort is stable, so that of equal values the earlier evening counts.
    countable_values.sort(key=lambda value_and_index: value_and_index[0], reverse=True)
    counted_values = countable_values[
        : ladder_rule.get_counted_evening_count(len(countable_values))
    ]
    total = sum((value for value, _index in counted_values), Fraction())
    if ladder_rule.combine == rule.COMBINE_MEAN and counted_values:
        total /= len(counted_values)
    return LadderRow(
        subject=subject,
        evening_values=tuple(evening_values),
        counted_indexes=frozenset(index for _value, index in counted_values),
        total=total,
        missing_evening_count=max(0, ladder_rule.minimum - len(countable_values)),
    )


def _rank_rows(rows: Iterable[LadderRow], tie_breaks: Sequence[str]) -> list[LadderRow]:
    """Rank lines by total and then by each tie-break; lines still tied share a rank."""

    def build_sort_key(row: LadderRow) -> SortKey:
        return (
            (row.total,),
            *(_SORT_KEYS_BY_TIE_BREAK[tie_break](row) for tie_break in tie_breaks),
        )

    ranked_rows: list[LadderRow] = []
    for _sort_key, tied_group in groupby(
        sorted(rows, key=build_sort_key, reverse=True), key=build_sort_key
    ):
        tied_rows = list(tied_group)
        rank = len(ranked_rows) + 1
        ranked_rows += [
            LadderRow(
                row.subject,
                row.evening_values,
                row.counted_indexes,
                row.total,
                rank,
                len(tied_rows) > 1,
                row.missing_evening_count,
            )
            for row in tied_rows
        ]
    return ranked_rows


_SORT_KEYS_BY_TIE_BREAK: Mapping[str, Callable[[LadderRow], tuple[Fraction, ...]]] = {
    rule.TIE_BREAK_BEST_EVENINGS: lambda row: row.counted_values,
    rule.TIE_BREAK_EVENINGS_PLAYED: lambda row: (Fraction(row.evening_count),),
    rule.TIE_BREAK_LATEST_EVENING: lambda row: (
        () if row.latest_value is None else (row.latest_value,)
    ),
}
