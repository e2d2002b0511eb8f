"""The stored results and rulings of an event, from which its result lines are made."""

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from scoring.models import Outcome, Result, Ruling
from tournaments.models import Event

REPLACING_RULING_KINDS = (Ruling.Kind.AVERAGE, Ruling.Kind.ADJUSTED)
"""The kinds of rulings that replace a result."""


class ResultRow(NamedTuple):
    """One stored result."""

    pk: int
    sitting_id: int  # the key of the sitting
    board_number: int
    deal_number: int  # 1 for the original deal of the board, 2 for its first new deal
    outcome: str
    ns_value: int | None  # the value for N-S: tricks, or points won less points lost
    ns_points_won: int | None = None  # the points that N-S won


def load_result_rows(event: Event, section_ids: Collection[int] | None) -> Iterator[ResultRow]:
    """Yield the stored results of an event, or those of some sections, sorted by board."""
    results = Result.objects.order_by("board", "sitting", "deal")
    if section_ids is None:
        results = results.filter(sitting__section__session__event=event)
    else:
        results = results.filter(sitting__section__in=section_ids)
    if not event.is_scored_in_points:
        rows = results.values_list("pk", "sitting", "board", "deal", "outcome", "ns_tricks")
        yield from itertools.starmap(ResultRow, rows)
        return
    for result in results:
        yield ResultRow(
            result.pk,
            result.sitting_id,
            result.board,
            result.deal,
            result.outcome,
            result.written_score.ns_value,
            result.ns_points,
        )


def load_rulings_in_force(event: Event) -> list[Ruling]:
    """Return the rulings of an event that are in force; one query."""
    rulings = Ruling.objects.exclude_withdrawn().filter(session__event=event)
    return list(rulings.select_related("result", "entry", "session"))


def select_penalties(rulings: Iterable[Ruling]) -> list[Ruling]:
    """Return the rulings that are penalties against an entry, not about a result."""
    return [ruling for ruling in rulings if ruling.result is None and ruling.entry is not None]


def find_entered_plays(
    rows: Iterable[ResultRow],
    rulings_by_result: Mapping[int, Sequence[Ruling]],
    *,
    should_include_voided_plays: bool = True,
) -> set[tuple[int, int]]:
    """Return the plays (sitting and board) with a result, or a ruling that replaces one.

    `should_include_voided_plays` adds plays whose only result was voided by a new deal.
    """
    latest_row_by_play = {(row.sitting_id, row.board_number): row for row in rows}
    entered_plays = set()
    for play, row in latest_row_by_play.items():
        ruling_kinds = {ruling.kind for ruling in rulings_by_result.get(row.pk, ())}
        is_void = Ruling.Kind.NEW_DEAL in ruling_kinds and not should_include_voided_plays
        if ruling_kinds & {*REPLACING_RULING_KINDS} or (
            row.outcome != Outcome.CLEARED and not is_void
        ):
            entered_plays.add(play)
    return entered_plays
