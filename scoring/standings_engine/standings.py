"""The stored standings of an event, for directors and for the public."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone

from scoring.methods import Placing
from scoring.models import Ranking, Standing
from scoring.standings_engine.field_averages import find_subtracted_average
from scoring.standings_engine.field_ranking import FieldKey, rank_groups
from scoring.standings_engine.incremental import build_event_tallies
from scoring.standings_engine.result_lines import EventTally
from scoring.standings_engine.scores import (
    ZERO,
    ScoredEvent,
    compute_scores_from_tally,
    has_equal_board_counts,
)
from scoring.standings_engine.seats import load_seats
from server.public_versions import bump_version
from tournaments.models import Entry, Event, Section, Session
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME, count_planned_rounds


@transaction.atomic
def update_standings(event: Event) -> Ranking:
    """Recompute and store an event's standings; idempotent.

    The revision is read before the results. If a result is entered during the computation, the
    standings stay marked as out of date, and the job for that result recomputes them.
    """
    ranking = _lock_ranking(event)
    event = ranking.event  # this row was loaded together with the event's current terms
    revision = compute_revision(event)
    if ranking.public_version and ranking.revision == revision:
        return ranking
    (complete_tally, public_tally), seats_by_entry = (
        build_event_tallies(event),
        load_seats(event),
    )
    entry_id_by_number = dict(Entry.objects.filter(event=event).values_list("number", "pk"))
    _write_rows(
        ranking,
        [
            {"entry_id": entry_id_by_number[entry_number], **field_values}
            for entry_number, field_values in _iter_standing_rows(
                event, compute_scores_from_tally(event, complete_tally, seats_by_entry)
            )
        ],
    )
    ranking.revision = revision
    ranking.version += 1
    public_standings = (
        None
        if public_tally is None
        else _build_public_standings(
            event, compute_scores_from_tally(event, public_tally, seats_by_entry)
        )
    )
    if public_standings is None or public_standings != ranking.public:
        ranking.public_version = ranking.version
    ranking.public = public_standings
    for field_name, field_value in _build_completeness_fields(event, complete_tally).items():
        setattr(ranking, field_name, field_value)
    ranking.computed_at = timezone.now()
    ranking.save()
    bump_version(event.audit_key)
    return ranking


def _lock_ranking(event: Event) -> Ranking:
    """Lock an event's ranking row, creating it if needed: two workers can compute one event."""
    locked_rankings = Ranking.objects.select_for_update(of=("self",)).filter(event=event)
    ranking = locked_rankings.select_related("event__terms", "event__final__stage").first()
    if ranking is None:
        Ranking.objects.bulk_create([Ranking(event_id=event.pk)], ignore_conflicts=True)
        return _lock_ranking(event)
    prefetch_related_objects([ranking], "event__sessions")
    return ranking


def _write_rows(ranking: Ranking, new_rows: list[dict[str, Any]]) -> None:
    """Replace the stored rows that differ from `new_rows`; equal rows are not written.

    Rows are ordered by key. A changed row is deleted and created with the same key, so in a
    large event a new result rewrites only its own section.
    """
    field_names = ("entry_id", *(new_rows[0] if new_rows else ()))
    existing_rows = list(
        ranking.standings.order_by("pk").values("pk", *dict.fromkeys(field_names))
    )
    if len(existing_rows) != len(new_rows):
        ranking.standings.all().delete()
        Standing.objects.bulk_create(
            Standing(ranking=ranking, **new_row) for new_row in new_rows
        )
        return
    changed_rows_by_pk = {
        existing_row["pk"]: new_row
        for existing_row, new_row in zip(existing_rows, new_rows, strict=True)
        if any(
            existing_row[field_name] != new_value for field_name, new_value in new_row.items()
        )
    }
    ranking.standings.filter(pk__in=changed_rows_by_pk).delete()
    Standing.objects.bulk_create(
        Standing(pk=standing_id, ranking=ranking, **field_values)
        for standing_id, field_values in changed_rows_by_pk.items()
    )


def compute_revision(event: Event) -> int:
    """Return the number of writes so far that could have changed the event's scores."""
    return sum(Session.objects.filter(event=event).values_list("revision", flat=True))


def _build_public_standings(event: Event, scored_event: ScoredEvent) -> dict[str, Any]:
    """Return the public standings as JSON, while some results are hidden."""
    standing_rows = [
        {"entry": entry_number, **field_values}
        for entry_number, field_values in _iter_standing_rows(event, scored_event)
    ]
    return {"rows": standing_rows, **_build_completeness_fields(event, scored_event.tally)}


def _build_completeness_fields(event: Event, tally: EventTally) -> dict[str, Any]:
    """Return whether results are missing or provisional, as values of fields of `Ranking`."""
    is_complete = tally.expected_result_count > 0 and tally.missing_result_count == 0
    return {
        "missing": tally.missing_result_count,
        "provisional": len(tally.plays_with_open_rulings),
        "complete": is_complete and not has_undrawn_rounds(event),
    }


def has_undrawn_rounds(event: Event) -> bool:
    """Return whether an open session has a planned round that is not drawn yet."""
    drawn_sections = Section.objects.filter(
        session__event=event, session__state=Session.State.OPEN, movement=DRAWN_MOVEMENT_NAME
    ).values_list("options", "rounds")
    return any(
        drawn_round_count < count_planned_rounds(options, drawn_round_count)
        for options, drawn_round_count in drawn_sections
    )


def _iter_standing_rows(
    event: Event, scored_event: ScoredEvent
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each entry's number with the fields of its `Standing`."""
    fields_and_placings = rank_groups(event, scored_event)
    winner_numbers = _find_overall_winners(event, fields_and_placings, scored_event)
    for (section_letter, field_side), placings in fields_and_placings:
        entry_numbers = [placing.entry_number for placing in placings]
        average = find_subtracted_average(scored_event, field_side, entry_numbers)
        for placing in placings:
            entry_number = placing.entry_number
            yield (
                entry_number,
                {
                    "section": section_letter,
                    "field": field_side,
                    "average": "" if average is None else str(average),
                    "label": scored_event.seats_by_entry[entry_number].label,
                    "rank": placing.rank,
                    "tied": placing.is_tied,
                    "score": str(placing.score),
                    "percent": str(scored_event.ranking_value_by_entry.get(entry_number, ZERO))
                    if scored_event.is_ranked_by_percentage
                    else "",
                    "tricks": str(scored_event.trick_totals_by_entry[entry_number]),
                    "boards": scored_event.board_counts_by_entry.get(entry_number, 0),
                    "penalty": _format_fraction(
                        scored_event.penalties_by_entry.get(entry_number)
                    ),
                    "carried": _format_fraction(
                        scored_event.carried_scores_by_entry.get(entry_number)
                    ),
                    "broken_by": placing.deciding_tie_break,
                    "wins_overall": entry_number in winner_numbers,
                    "corrected": _format_entry_score(
                        scored_event.corrected_totals_by_entry, entry_number
                    ),
                    "a_board": _format_entry_score(
                        scored_event.scores_per_board_by_entry, entry_number
                    ),
                },
            )


def _find_overall_winners(
    event: Event,
    fields_and_placings: Iterable[tuple[FieldKey, list[Placing]]],
    scored_event: ScoredEvent,
) -> set[int]:
    """Return the entries with the largest score above the average of their field (Foster)."""
    if not scored_event.tally.pools_by_key or not (
        _is_event_over(event, scored_event) or _has_comparable_scores(scored_event)
    ):
        return set()
    ranking_value_by_entry: dict[int, Fraction] = {}
    for _, placings in fields_and_placings:
        field_ranking_values = {
            placing.entry_number: scored_event.ranking_value_by_entry.get(
                placing.entry_number, ZERO
            )
            for placing in placings
        }
        mean = (
            _compute_mean(list(field_ranking_values.values()))
            if scored_event.method.is_score_total
            else None
        )
        ranking_value_by_entry |= {
            entry_number: ranking_value - (mean or ZERO)
            for entry_number, ranking_value in field_ranking_values.items()
        }
    best_ranking_value = max(ranking_value_by_entry.values(), default=None)
    return {
        entry_number
        for entry_number, ranking_value in ranking_value_by_entry.items()
        if ranking_value == best_ranking_value
    }


def _is_event_over(event: Event, scored_event: ScoredEvent) -> bool:
    is_closed = all(session.state == Session.State.CLOSED for session in event.sessions.all())
    return is_closed and not scored_event.tally.missing_result_count


def _has_comparable_scores(scored_event: ScoredEvent) -> bool:
    return has_equal_board_counts(
        scored_event.board_counts_by_entry, scored_event.seats_by_entry
    )


def _compute_mean(numbers: list[Fraction]) -> Fraction | None:
    return sum(numbers, Fraction()) / len(numbers) if numbers else None


def _format_entry_score(scores_by_entry: Mapping[int, Fraction], entry_number: int) -> str:
    return str(scores_by_entry.get(entry_number, ZERO)) if scores_by_entry else ""


def _format_fraction(number: Fraction | None) -> str:
    return str(number) if number else ""
