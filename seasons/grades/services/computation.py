"""The incremental computation of a club's grades in the background, in short time slices.

The computation runs outside a transaction: on SQLite, a long transaction would block all other
writers. The results of a slice are stored in a short transaction.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date as Date
from math import sqrt
from time import monotonic

from django.db import transaction
from django.utils import timezone

from clubs.models import Club, Player
from seasons.grades.club_plays import (
    MAX_EVENTS_PER_QUERY,
    GradedEvent,
    are_grades_outdated_by_hashes,
    compute_change_fingerprint,
    compute_input_hashes,
    format_source_versions,
    iter_graded_evenings,
    list_graded_events,
)
from seasons.grades.models import (
    Grade,
    GradeBook,
    GradeCheckpoint,
    GradeEvening,
    GradeStep,
    RecomputationReason,
)
from seasons.grades.rating import (
    ClubRatings,
    GradeModelConstants,
    ShownGrade,
    compute_evening_input,
    list_shown_grades,
    update_ratings_from_input,
)
from seasons.grades.rating.evenings import EveningInput
from seasons.grades.rating.serialization import (
    deserialize_club_ratings,
    deserialize_evening_input,
    serialize_club_ratings,
    serialize_evening_input,
)
from seasons.grades.rating.shown_grades import GradeChange, list_grade_changes

SLICE_SECONDS = 5.0
"""The length of a time slice in seconds; other tasks of the worker run between slices."""
EQUALITY_TOLERANCE = 1e-9
"""The relative tolerance within which two numbers are treated as equal."""
_COMPARED_STEP_FIELDS = (
    *("boards", "expected", "expected_sd", "made", "mean", "sd", "all_boards", "column"),
    *("shown", "range", "word", "is_pair", "partner_id"),
)


@dataclass(slots=True)
class _SliceResults:
    """The results of one time slice before they are stored."""

    club_ratings: ClubRatings
    included_evening_count: int  # the number of evenings that `club_ratings` includes
    initial_count: int  # the same number before the slice
    evening_rows: list[GradeEvening] = field(default_factory=list)
    changes_by_event: list[tuple[GradedEvent, list[GradeChange]]] = field(default_factory=list)
    # (number of evenings, serialized state) at the end of each quarter in the slice
    quarter_end_states: list[tuple[int, dict[str, object]]] = field(default_factory=list)


def compute_grades(
    club: Club, *, should_recompute_all: bool = False, slice_seconds: float = SLICE_SECONDS
) -> bool:
    """Compute a club's grades for one time slice; return True if more slices are needed.

    The computation continues from the last checkpoint before the first changed event, so that
    a correction affects only later events. With `should_recompute_all`, all checkpoints and
    stored inputs are deleted first.
    """
    grade_book = GradeBook.objects.filter(club=club, is_on=True).select_related("club").first()
    if grade_book is None:
        return False
    if should_recompute_all:
        GradeEvening.objects.filter(event__club=club).delete()
        grade_book.checkpoints.all().delete()
    change_fingerprint, events = compute_change_fingerprint(club), list_graded_events(club)
    input_hashes = compute_input_hashes(grade_book, events)
    if not should_recompute_all and not are_grades_outdated_by_hashes(grade_book, input_hashes):
        # A change may have been undone before its recomputation.
        if grade_book.why or grade_book.mark != change_fingerprint:
            unchanged_book = GradeBook.objects.filter(pk=grade_book.pk, stamp=grade_book.stamp)
            unchanged_book.update(why="", because=None, mark=change_fingerprint)
        return False
    slice_results = _load_last_checkpoint(grade_book, input_hashes)
    _store_recomputation_reason(grade_book, events)
    _grade_events(slice_results, events, slice_seconds)
    return _store_computed_evenings(
        grade_book, slice_results, events, input_hashes, change_fingerprint
    )


def iter_evening_inputs(
    events: Sequence[GradedEvent],
) -> Iterable[tuple[GradedEvent, EveningInput | None, bool]]:
    """Yield each event with its input to grades, and whether the input was just computed.

    A valid stored input is loaded instead of computed. The input is None if no board was
    played twice.
    """
    for start in range(0, len(events), MAX_EVENTS_PER_QUERY):
        batch = events[start : start + MAX_EVENTS_PER_QUERY]
        versions_by_event = {event.pk: format_source_versions(event) for event in batch}
        stored_evenings = GradeEvening.objects.filter(event__in=versions_by_event)
        stored_rows = stored_evenings.values_list("event", "stamp", "facts")
        stored_inputs_by_event = {
            event_pk: serialized_input
            for event_pk, stored_version, serialized_input in stored_rows
            if stored_version == versions_by_event[event_pk]
        }
        missing_events = [event for event in batch if event.pk not in stored_inputs_by_event]
        computed_inputs_by_event = {
            graded_event.pk: compute_evening_input(evening)
            for graded_event, evening in zip(
                missing_events, iter_graded_evenings(missing_events), strict=True
            )
        }
        for graded_event in batch:
            if graded_event.pk in computed_inputs_by_event:
                yield graded_event, computed_inputs_by_event[graded_event.pk], True
            else:
                serialized_input = stored_inputs_by_event[graded_event.pk]
                evening_input = serialized_input and deserialize_evening_input(serialized_input)
                yield graded_event, evening_input, False


def _load_last_checkpoint(grade_book: GradeBook, input_hashes: Sequence[str]) -> _SliceResults:
    """Return the state of the last valid checkpoint, or the initial state if there is none."""
    stored_checkpoints = grade_book.checkpoints.values_list("pk", "evenings", "stamp")
    valid_checkpoints = [
        (evening_count, checkpoint_pk)
        for checkpoint_pk, evening_count, stamp in stored_checkpoints
        if evening_count < len(input_hashes) and input_hashes[evening_count] == stamp
    ]
    if not valid_checkpoints:
        return _SliceResults(
            ClubRatings(GradeModelConstants(grade_book.s0, grade_book.tau, grade_book.q)), 0, 0
        )
    evening_count, checkpoint_pk = max(valid_checkpoints)
    return _SliceResults(
        deserialize_club_ratings(grade_book.checkpoints.get(pk=checkpoint_pk).state),
        evening_count,
        evening_count,
    )


def _store_recomputation_reason(grade_book: GradeBook, events: Sequence[GradedEvent]) -> None:
    """Store the reason for a recomputation, unless one is in progress already."""
    if grade_book.why or not grade_book.stamp:
        return
    stored_evenings = GradeEvening.objects.filter(event__club=grade_book.club)
    stored_versions = dict(stored_evenings.values_list("event", "stamp"))
    grade_book.why, grade_book.because_id = _find_recomputation_reason(stored_versions, events)
    GradeBook.objects.filter(pk=grade_book.pk).update(
        why=grade_book.why, because=grade_book.because_id
    )


def _find_recomputation_reason(
    stored_versions_by_event: dict[int, str], events: Sequence[GradedEvent]
) -> tuple[RecomputationReason, int | None]:
    """Return the reason for a recomputation, and the primary key of the first changed event.

    If no event has changed, the reason is a change of the constants.
    """
    for index, event in enumerate(events):
        stored_version = stored_versions_by_event.get(event.pk)
        if stored_version is None:
            if any(
                later_event.pk in stored_versions_by_event for later_event in events[index:]
            ):
                return RecomputationReason.EVENINGS_CHANGED, event.pk
            return RecomputationReason.PLAYED, event.pk
        if stored_version != format_source_versions(event):
            return _find_event_change_reason(stored_version, event)
    if stored_versions_by_event.keys() - {event.pk for event in events}:
        return RecomputationReason.EVENINGS_CHANGED, None
    return RecomputationReason.CONSTANTS_CHANGED, None


def _find_event_change_reason(
    stored_version: str, event: GradedEvent
) -> tuple[RecomputationReason, int | None]:
    """Return the reason for a recomputation after the stored version of this event."""
    source_versions = stored_version.split(" ")
    results_version, people_version, day_and_slug, _computation_version = source_versions
    if people_version != event.people_version:
        return RecomputationReason.PLAYER_CHANGED, event.pk
    if results_version != event.results_version:
        return RecomputationReason.CORRECTED, event.pk
    if day_and_slug != f"{event.day}/{event.slug}":
        return RecomputationReason.EVENINGS_CHANGED, event.pk
    return RecomputationReason.PROGRAM_UPDATED, None


def _grade_events(
    slice_results: _SliceResults, events: Sequence[GradedEvent], slice_seconds: float
) -> None:
    """Process events until the time slice ends; at least one event is processed."""
    end_time = monotonic() + slice_seconds
    for event, evening_input, is_new in iter_evening_inputs(
        events[slice_results.included_evening_count :]
    ):
        if is_new:
            evening_data = (
                None if evening_input is None else serialize_evening_input(evening_input)
            )
            source_versions = format_source_versions(event)
            slice_results.evening_rows.append(
                GradeEvening(event_id=event.pk, stamp=source_versions, facts=evening_data)
            )
        if evening_input is not None:
            results = update_ratings_from_input(slice_results.club_ratings, evening_input)
            changes = list_grade_changes(slice_results.club_ratings, evening_input, results)
            slice_results.changes_by_event.append((event, changes))
        slice_results.included_evening_count += 1
        included_count = slice_results.included_evening_count
        if included_count < len(events) and _is_last_event_of_quarter(events, included_count):
            quarter_state = serialize_club_ratings(slice_results.club_ratings)
            slice_results.quarter_end_states.append((included_count, quarter_state))
        if monotonic() > end_time:
            return


def _is_last_event_of_quarter(events: Sequence[GradedEvent], evening_number: int) -> bool:
    """Return whether an event is the last of its quarter; `evening_number` counts from 1."""
    return _get_quarter(events[evening_number - 1].day) != _get_quarter(
        events[evening_number].day
    )


def _get_quarter(day: Date) -> tuple[int, int]:
    return day.year, (day.month - 1) // 3


@transaction.atomic
def _store_computed_evenings(
    grade_book: GradeBook,
    slice_results: _SliceResults,
    events: Sequence[GradedEvent],
    input_hashes: Sequence[str],
    change_fingerprint: str,
) -> bool:
    """Store the results of a time slice; return whether more slices are needed.

    If the constants changed during the slice, its results are discarded.
    """
    current_book = (
        GradeBook.objects.select_for_update().filter(pk=grade_book.pk, is_on=True).first()
    )
    if current_book is None:
        return False
    if (current_book.s0, current_book.tau, current_book.q) != (
        grade_book.s0,
        grade_book.tau,
        grade_book.q,
    ):
        return True
    _store_evening_rows(slice_results.evening_rows)
    _store_checkpoints(grade_book, slice_results, events, input_hashes)
    _store_grade_steps(grade_book, slice_results.changes_by_event)
    if slice_results.included_evening_count < len(events):
        return True
    _store_grades(grade_book, slice_results.club_ratings)
    grade_book.stamp, grade_book.mark = input_hashes[-1], change_fingerprint
    grade_book.evenings, grade_book.made_at = len(events), timezone.now()
    grade_book.noise = slice_results.club_ratings.noise_variance
    grade_book.why, grade_book.because = "", None
    changed_fields = ["stamp", "mark", "evenings", "noise", "made_at", "why", "because"]
    grade_book.save(update_fields=changed_fields)
    return False


def _store_evening_rows(evening_rows: Sequence[GradeEvening]) -> None:
    GradeEvening.objects.filter(
        event__in=[evening_row.event_id for evening_row in evening_rows]
    ).delete()
    GradeEvening.objects.bulk_create(evening_rows)


def _store_checkpoints(
    grade_book: GradeBook,
    slice_results: _SliceResults,
    events: Sequence[GradedEvent],
    input_hashes: Sequence[str],
) -> None:
    """Store the new checkpoints, and delete obsolete ones.

    A checkpoint is obsolete if an earlier event has changed. The previous latest checkpoint is
    also obsolete, unless it is the end of a quarter.
    """
    initial_count = slice_results.initial_count
    if 0 < initial_count < len(events) and _is_last_event_of_quarter(events, initial_count):
        grade_book.checkpoints.filter(evenings=initial_count).update(is_quarter=True)
    included_count = slice_results.included_evening_count
    checkpoint_states = [*slice_results.quarter_end_states]
    if not checkpoint_states or checkpoint_states[-1][0] != included_count:
        last_state = serialize_club_ratings(slice_results.club_ratings)
        checkpoint_states.append((included_count, last_state))
    new_evening_counts = {evening_count for evening_count, _state in checkpoint_states}
    checkpoint_rows = grade_book.checkpoints.values_list(
        "pk", "evenings", "stamp", "is_quarter"
    )
    obsolete_checkpoint_pks = [
        checkpoint_pk
        for checkpoint_pk, evening_count, stamp, is_quarter in checkpoint_rows
        if evening_count in new_evening_counts
        or not is_quarter
        or evening_count >= len(input_hashes)
        or input_hashes[evening_count] != stamp
    ]
    grade_book.checkpoints.filter(pk__in=obsolete_checkpoint_pks).delete()
    quarter_end_evening_counts = {
        evening_count for evening_count, _state in slice_results.quarter_end_states
    }
    GradeCheckpoint.objects.bulk_create(
        GradeCheckpoint(
            book=grade_book,
            evenings=evening_count,
            stamp=input_hashes[evening_count],
            is_quarter=evening_count in quarter_end_evening_counts,
            state=checkpoint_state,
        )
        for evening_count, checkpoint_state in checkpoint_states
    )


def _store_grade_steps(
    grade_book: GradeBook, changes_by_event: Sequence[tuple[GradedEvent, list[GradeChange]]]
) -> None:
    """Add a row for each new or changed step; existing rows are not changed."""
    player_pks = _load_player_pks(grade_book)
    steps_by_event_and_player = _load_current_steps(
        grade_book, [event.pk for event, _changes in changes_by_event]
    )
    new_steps = []
    for event, changes in changes_by_event:
        for change in changes:
            if int(change.person_key) in player_pks:
                grade_step = _build_step(grade_book, event, change, player_pks)
                old_step = steps_by_event_and_player.pop((event.pk, grade_step.player_id), None)
                if old_step is None or not _has_equal_values(old_step, grade_step):
                    new_steps.append(
                        _set_recomputation_reason(grade_book, grade_step, old_step)
                    )
    # People whom a correction removed from the event get a step with 0 boards.
    new_steps += [
        _set_recomputation_reason(
            grade_book, _build_removed_player_step(current_step), current_step
        )
        for current_step in steps_by_event_and_player.values()
        if current_step.boards
    ]
    GradeStep.objects.bulk_create(new_steps, batch_size=500)


def _load_current_steps(
    grade_book: GradeBook, event_pks: Sequence[int]
) -> dict[tuple[int, int], GradeStep]:
    """Return the current steps of the given events by (event key, player key)."""
    steps_by_event_and_player: dict[tuple[int, int], GradeStep] = {}
    for start in range(0, len(event_pks), MAX_EVENTS_PER_QUERY):
        grade_steps = GradeStep.objects.filter(
            book=grade_book, event__in=event_pks[start : start + MAX_EVENTS_PER_QUERY]
        )
        steps_by_event_and_player |= {
            (grade_step.event_id, grade_step.player_id): grade_step
            for grade_step in grade_steps.order_by("pk")
        }
    return steps_by_event_and_player


def _build_removed_player_step(old_step: GradeStep) -> GradeStep:
    grade_step = GradeStep(
        **{field_name: getattr(old_step, field_name) for field_name in _COMPARED_STEP_FIELDS}
    )
    grade_step.book_id, grade_step.event_id = old_step.book_id, old_step.event_id
    grade_step.player_id, grade_step.boards = old_step.player_id, 0
    grade_step.shown = grade_step.range = None
    return grade_step


def _build_step(
    grade_book: GradeBook, event: GradedEvent, change: GradeChange, player_pks: set[int]
) -> GradeStep:
    shown_grade = change.shown_grade
    partner_pk = int(change.partner_keys[0]) if len(change.partner_keys) == 1 else None
    return GradeStep(
        book=grade_book,
        player_id=int(change.person_key),
        event_id=event.pk,
        partner_id=partner_pk if partner_pk in player_pks else None,
        boards=change.board_count,
        expected=change.expected_result,
        expected_sd=change.expected_sd,
        made=change.actual_result,
        mean=change.mean,
        sd=change.sd,
        all_boards=change.total_board_count,
        column=change.percentage_grade,
        shown=shown_grade.grade if shown_grade else None,
        range=shown_grade.range if shown_grade else None,
        word=shown_grade.reliability_word if shown_grade else "",
        is_pair=shown_grade is not None and len(shown_grade.person_keys) > 1,
    )


def _set_recomputation_reason(
    grade_book: GradeBook, grade_step: GradeStep, old_step: GradeStep | None
) -> GradeStep:
    if old_step is not None:
        grade_step.why = (
            grade_book.why
            if grade_book.why not in ("", RecomputationReason.PLAYED)
            else RecomputationReason.EVENINGS_CHANGED
        )
        grade_step.because_id = grade_book.because_id
    return grade_step


def _has_equal_values(grade_step: GradeStep, other_step: GradeStep) -> bool:
    """Return whether two steps have the same values, within the tolerance."""
    for field_name in _COMPARED_STEP_FIELDS:
        value, other_value = getattr(grade_step, field_name), getattr(other_step, field_name)
        if isinstance(value, float) and isinstance(other_value, float):
            if abs(value - other_value) > EQUALITY_TOLERANCE * max(1.0, abs(value)):
                return False
        elif value != other_value:
            return False
    return True


def _load_player_pks(grade_book: GradeBook) -> set[int]:
    """Return the primary keys of the club's players whose grades may be stored."""
    players = Player.objects.filter(club=grade_book.club_id, forgotten_on=None)
    players = players.exclude(shown=Player.Shown.UNKNOWN)
    return set(players.values_list("pk", flat=True))


def _store_grades(grade_book: GradeBook, club_ratings: ClubRatings) -> None:
    """Replace all current grades of the club."""
    player_pks = _load_player_pks(grade_book)
    shown_grades_by_person: dict[str, ShownGrade] = {}
    partnerships = sorted(
        club_ratings.board_counts_by_partnership,
        key=lambda pair: (-club_ratings.board_counts_by_partnership[pair], pair),
    )
    for shown_grade in list_shown_grades(club_ratings, partnerships):
        if all(int(person_key) in player_pks for person_key in shown_grade.person_keys):
            for person_key in shown_grade.person_keys:
                shown_grades_by_person.setdefault(person_key, shown_grade)
    grade_book.grades.all().delete()
    Grade.objects.bulk_create(
        _build_grade(
            grade_book, club_ratings, person_key, shown_grades_by_person.get(person_key)
        )
        for person_key in sorted(club_ratings.percentage_grades_by_person)
        if int(person_key) in player_pks
    )


def _build_grade(
    grade_book: GradeBook,
    club_ratings: ClubRatings,
    person_key: str,
    shown_grade: ShownGrade | None,
) -> Grade:
    mean, variance = club_ratings.get_strength(person_key)
    partner_keys = (
        [partner_key for partner_key in shown_grade.person_keys if partner_key != person_key]
        if shown_grade
        else []
    )
    return Grade(
        book=grade_book,
        player_id=int(person_key),
        partner_id=int(partner_keys[0]) if partner_keys else None,
        mean=mean,
        sd=sqrt(max(variance, 0.0)),
        boards=club_ratings.count_boards(person_key),
        column=club_ratings.percentage_grades_by_person[person_key],
        shown=shown_grade.grade if shown_grade else None,
        range=shown_grade.range if shown_grade else None,
        word=shown_grade.reliability_word if shown_grade else "",
    )
