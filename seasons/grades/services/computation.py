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
    are_grades_outdated_by_stamps,
    compute_change_fingerprint,
    compute_stamps,
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
    update_ratings_by_input,
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
_COMPARED_FIELDS = (
    *("boards", "expected", "expected_sd", "made", "mean", "sd", "all_boards", "column"),
    *("shown", "range", "word", "is_pair", "partner_id"),
)


@dataclass(slots=True)
class _SliceResults:
    """The results of one time slice before they are stored."""

    club_ratings: ClubRatings
    included_count: int  # the number of evenings that `club_ratings` includes
    initial_count: int  # the same number before the slice
    evening_rows: list[GradeEvening] = field(default_factory=list)
    changes_by_event: list[tuple[GradedEvent, list[GradeChange]]] = field(default_factory=list)
    # (number of evenings, serialized state) at the end of each quarter in the slice
    quarter_states: list[tuple[int, dict[str, object]]] = field(default_factory=list)


def compute_grades(
    club: Club, *, should_recompute_all: bool = False, seconds: float = SLICE_SECONDS
) -> bool:
    """Compute a club's grades for one time slice; return True if more slices are needed.

    The computation continues from the last checkpoint before the first changed event, so that
    a correction affects only later events. With `should_recompute_all`, all checkpoints and
    stored inputs are deleted first.
    """
    book = GradeBook.objects.filter(club=club, is_on=True).select_related("club").first()
    if book is None:
        return False
    if should_recompute_all:
        GradeEvening.objects.filter(event__club=club).delete()
        book.checkpoints.all().delete()
    mark, events = compute_change_fingerprint(club), list_graded_events(club)
    stamps = compute_stamps(book, events)
    if not should_recompute_all and not are_grades_outdated_by_stamps(book, stamps):
        if book.why or book.mark != mark:  # a change was undone before its recomputation
            unchanged_book = GradeBook.objects.filter(pk=book.pk, stamp=book.stamp)
            unchanged_book.update(why="", because=None, mark=mark)
        return False
    slice_results = _load_last_checkpoint(book, stamps)
    _store_recomputation_reason(book, events)
    _process_evenings(slice_results, events, seconds)
    return _store_computed_evenings(book, slice_results, events, stamps, mark)


def iter_evening_inputs(
    events: Sequence[GradedEvent],
) -> Iterable[tuple[GradedEvent, EveningInput | None, bool]]:
    """Yield each event with its input to grades, and whether the input was just computed.

    A valid stored input is loaded instead of computed. The input is None if no board was
    played twice.
    """
    for start in range(0, len(events), MAX_EVENTS_PER_QUERY):
        batch = events[start : start + MAX_EVENTS_PER_QUERY]
        stored_inputs = {
            event_key: serialized_input
            for event_key, stamp, serialized_input in GradeEvening.objects.filter(
                event__in=[graded_event.pk for graded_event in batch]
            ).values_list("event", "stamp", "facts")
            if stamp
            == format_source_versions(
                next(graded_event for graded_event in batch if graded_event.pk == event_key)
            )
        }
        missing_events = [
            graded_event for graded_event in batch if graded_event.pk not in stored_inputs
        ]
        computed_inputs = {
            graded_event.pk: compute_evening_input(evening)
            for graded_event, evening in zip(
                missing_events, iter_graded_evenings(missing_events), strict=True
            )
        }
        for graded_event in batch:
            if graded_event.pk in computed_inputs:
                yield graded_event, computed_inputs[graded_event.pk], True
            else:
                serialized_input = stored_inputs[graded_event.pk]
                evening_input = serialized_input and deserialize_evening_input(serialized_input)
                yield graded_event, evening_input, False


def _load_last_checkpoint(book: GradeBook, stamps: Sequence[str]) -> _SliceResults:
    """Return the state of the last valid checkpoint, or the initial state if there is none."""
    stored_checkpoints = book.checkpoints.values_list("pk", "evenings", "stamp")
    valid_checkpoints = [
        (evening_count, checkpoint_key)
        for checkpoint_key, evening_count, stamp in stored_checkpoints
        if evening_count < len(stamps) and stamps[evening_count] == stamp
    ]
    if not valid_checkpoints:
        return _SliceResults(ClubRatings(GradeModelConstants(book.s0, book.tau, book.q)), 0, 0)
    evening_count, checkpoint_key = max(valid_checkpoints)
    return _SliceResults(
        deserialize_club_ratings(book.checkpoints.get(pk=checkpoint_key).state),
        evening_count,
        evening_count,
    )


def _store_recomputation_reason(book: GradeBook, events: Sequence[GradedEvent]) -> None:
    """Store the reason for a recomputation, unless one is in progress already."""
    if book.why or not book.stamp:
        return
    stored_versions = dict(
        GradeEvening.objects.filter(event__club=book.club).values_list("event", "stamp")
    )
    book.why, book.because_id = _find_reason(stored_versions, events)
    GradeBook.objects.filter(pk=book.pk).update(why=book.why, because=book.because_id)


def _find_reason(
    stored_versions: dict[int, str], events: Sequence[GradedEvent]
) -> tuple[RecomputationReason, int | None]:
    """Return the reason for a recomputation, and the primary key of the first changed event.

    If no event has changed, the reason is a change of the constants.
    """
    for index, event in enumerate(events):
        stored_version = stored_versions.get(event.pk)
        if stored_version == format_source_versions(event):
            continue
        if stored_version is None:
            is_newest = not any(
                later_event.pk in stored_versions for later_event in events[index:]
            )
            return (
                RecomputationReason.PLAYED
                if is_newest
                else RecomputationReason.EVENINGS_CHANGED
            ), event.pk
        results_version, people_version, day_and_slug, _program_version = stored_version.split(
            " "
        )
        if people_version != event.people_version:
            return RecomputationReason.PLAYER_CHANGED, event.pk
        if results_version != event.results_version:
            return RecomputationReason.CORRECTED, event.pk
        is_moved = day_and_slug != f"{event.day}/{event.slug}"
        return (
            (RecomputationReason.EVENINGS_CHANGED, event.pk)
            if is_moved
            else (RecomputationReason.PROGRAM_UPDATED, None)
        )
    if stored_versions.keys() - {event.pk for event in events}:
        return RecomputationReason.EVENINGS_CHANGED, None
    return RecomputationReason.CONSTANTS_CHANGED, None


def _process_evenings(
    slice_results: _SliceResults, events: Sequence[GradedEvent], seconds: float
) -> None:
    """Process events until the time slice ends; at least one event is processed."""
    end_time = monotonic() + seconds
    for event, evening_input, is_new in iter_evening_inputs(
        events[slice_results.included_count :]
    ):
        if is_new:
            evening_data = (
                None if evening_input is None else serialize_evening_input(evening_input)
            )
            slice_results.evening_rows.append(
                GradeEvening(
                    event_id=event.pk,
                    stamp=format_source_versions(event),
                    facts=evening_data,
                )
            )
        if evening_input is not None:
            slice_results.changes_by_event.append(
                (
                    event,
                    list_grade_changes(
                        slice_results.club_ratings,
                        evening_input,
                        update_ratings_by_input(slice_results.club_ratings, evening_input),
                    ),
                )
            )
        slice_results.included_count += 1
        if slice_results.included_count < len(events) and _is_last_of_quarter(
            events, slice_results.included_count
        ):
            slice_results.quarter_states.append(
                (
                    slice_results.included_count,
                    serialize_club_ratings(slice_results.club_ratings),
                )
            )
        if monotonic() > end_time:
            return


def _is_last_of_quarter(events: Sequence[GradedEvent], evening_number: int) -> bool:
    """Return whether an event is the last of its quarter; `evening_number` counts from 1."""
    return _get_quarter(events[evening_number - 1].day) != _get_quarter(
        events[evening_number].day
    )


def _get_quarter(day: Date) -> tuple[int, int]:
    return day.year, (day.month - 1) // 3


@transaction.atomic
def _store_computed_evenings(
    book: GradeBook,
    slice_results: _SliceResults,
    events: Sequence[GradedEvent],
    stamps: Sequence[str],
    mark: str,
) -> bool:
    """Store the results of a time slice; return whether more slices are needed.

    If the constants changed during the slice, its results are discarded.
    """
    current_book = GradeBook.objects.select_for_update().filter(pk=book.pk, is_on=True).first()
    if current_book is None:
        return False
    if (current_book.s0, current_book.tau, current_book.q) != (book.s0, book.tau, book.q):
        return True
    _store_evening_rows(slice_results.evening_rows)
    _store_checkpoints(book, slice_results, events, stamps)
    _store_grade_steps(book, slice_results.changes_by_event)
    if slice_results.included_count < len(events):
        return True
    _store_grades(book, slice_results.club_ratings)
    book.stamp, book.mark, book.evenings = stamps[-1], mark, len(events)
    book.noise, book.made_at = slice_results.club_ratings.noise, timezone.now()
    book.why, book.because = "", None
    changed_fields = ["stamp", "mark", "evenings", "noise", "made_at", "why", "because"]
    book.save(update_fields=changed_fields)
    return False


def _store_evening_rows(evening_rows: Sequence[GradeEvening]) -> None:
    GradeEvening.objects.filter(
        event__in=[evening_row.event_id for evening_row in evening_rows]
    ).delete()
    GradeEvening.objects.bulk_create(evening_rows)


def _store_checkpoints(
    book: GradeBook,
    slice_results: _SliceResults,
    events: Sequence[GradedEvent],
    stamps: Sequence[str],
) -> None:
    """Store the new checkpoints, and delete obsolete ones.

    A checkpoint is obsolete if an earlier event has changed. The previous latest checkpoint is
    also obsolete, unless it is the end of a quarter.
    """
    if 0 < slice_results.initial_count < len(events) and _is_last_of_quarter(
        events, slice_results.initial_count
    ):
        book.checkpoints.filter(evenings=slice_results.initial_count).update(is_quarter=True)
    states = [*slice_results.quarter_states]
    if not states or states[-1][0] != slice_results.included_count:
        states.append(
            (slice_results.included_count, serialize_club_ratings(slice_results.club_ratings))
        )
    new_counts = {evening_count for evening_count, _state in states}
    obsolete_keys = [
        checkpoint_key
        for checkpoint_key, evening_count, stamp, is_quarter in book.checkpoints.values_list(
            "pk", "evenings", "stamp", "is_quarter"
        )
        if evening_count in new_counts
        or not is_quarter
        or evening_count >= len(stamps)
        or stamps[evening_count] != stamp
    ]
    book.checkpoints.filter(pk__in=obsolete_keys).delete()
    quarter_end_evening_counts = {
        evening_count for evening_count, _state in slice_results.quarter_states
    }
    GradeCheckpoint.objects.bulk_create(
        GradeCheckpoint(
            book=book,
            evenings=evening_count,
            stamp=stamps[evening_count],
            is_quarter=evening_count in quarter_end_evening_counts,
            state=state,
        )
        for evening_count, state in states
    )


def _store_grade_steps(
    book: GradeBook, changes_by_event: Sequence[tuple[GradedEvent, list[GradeChange]]]
) -> None:
    """Add a row for each new or changed step; existing rows are not changed."""
    player_keys = _load_player_keys(book)
    current_steps = _load_current_steps(
        book, [event.pk for event, _changes in changes_by_event]
    )
    new_steps = []
    for event, changes in changes_by_event:
        for change in changes:
            if int(change.person) in player_keys:
                step = _build_step(book, event, change, player_keys)
                old_step = current_steps.pop((event.pk, step.player_id), None)
                if old_step is None or not _has_equal_values(old_step, step):
                    new_steps.append(_set_reason(book, step, old_step))
    # People whom a correction removed from the event get a step with 0 boards.
    new_steps += [
        _set_reason(book, _build_step_without_evening(current_step), current_step)
        for current_step in current_steps.values()
        if current_step.boards
    ]
    GradeStep.objects.bulk_create(new_steps, batch_size=500)


def _load_current_steps(
    book: GradeBook, event_keys: Sequence[int]
) -> dict[tuple[int, int], GradeStep]:
    """Return the current steps of the given events by (event key, player key)."""
    steps_by_key: dict[tuple[int, int], GradeStep] = {}
    for start in range(0, len(event_keys), MAX_EVENTS_PER_QUERY):
        steps = GradeStep.objects.filter(
            book=book, event__in=event_keys[start : start + MAX_EVENTS_PER_QUERY]
        )
        steps_by_key |= {(step.event_id, step.player_id): step for step in steps.order_by("pk")}
    return steps_by_key


def _build_step_without_evening(old_step: GradeStep) -> GradeStep:
    step = GradeStep(
        **{field_name: getattr(old_step, field_name) for field_name in _COMPARED_FIELDS}
    )
    step.book_id, step.event_id = old_step.book_id, old_step.event_id
    step.player_id, step.boards = old_step.player_id, 0
    step.shown = step.range = None
    return step


def _build_step(
    book: GradeBook, event: GradedEvent, change: GradeChange, player_keys: set[int]
) -> GradeStep:
    shown_grade = change.shown
    partner_key = int(change.partners[0]) if len(change.partners) == 1 else None
    return GradeStep(
        book=book,
        player_id=int(change.person),
        event_id=event.pk,
        partner_id=partner_key if partner_key in player_keys else None,
        boards=change.boards,
        expected=change.expected,
        expected_sd=change.expected_sd,
        made=change.made,
        mean=change.mean,
        sd=change.sd,
        all_boards=change.all_boards,
        column=change.percentage_grade,
        shown=shown_grade.grade if shown_grade else None,
        range=shown_grade.range if shown_grade else None,
        word=shown_grade.word if shown_grade else "",
        is_pair=shown_grade is not None and len(shown_grade.people) > 1,
    )


def _set_reason(book: GradeBook, step: GradeStep, old_step: GradeStep | None) -> GradeStep:
    if old_step is not None:
        step.why = (
            book.why
            if book.why not in ("", RecomputationReason.PLAYED)
            else RecomputationReason.EVENINGS_CHANGED
        )
        step.because_id = book.because_id
    return step


def _has_equal_values(step: GradeStep, other_step: GradeStep) -> bool:
    """Return whether two steps have the same values, within the tolerance."""
    for field_name in _COMPARED_FIELDS:
        value, other_value = getattr(step, field_name), getattr(other_step, field_name)
        if isinstance(value, float) and isinstance(other_value, float):
            if abs(value - other_value) > EQUALITY_TOLERANCE * max(1.0, abs(value)):
                return False
        elif value != other_value:
            return False
    return True


def _load_player_keys(book: GradeBook) -> set[int]:
    """Return the primary keys of the club's players whose grades may be stored."""
    players = Player.objects.filter(club=book.club_id, forgotten_on=None)
    players = players.exclude(shown=Player.Shown.UNKNOWN)
    return set(players.values_list("pk", flat=True))


def _store_grades(book: GradeBook, club_ratings: ClubRatings) -> None:
    """Replace all current grades of the club."""
    player_keys = _load_player_keys(book)
    shown_grades_by_person: dict[str, ShownGrade] = {}
    partnerships = sorted(
        club_ratings.joint_boards, key=lambda pair: (-club_ratings.joint_boards[pair], pair)
    )
    for shown_grade in list_shown_grades(club_ratings, partnerships):
        if all(int(person) in player_keys for person in shown_grade.people):
            for person in shown_grade.people:
                shown_grades_by_person.setdefault(person, shown_grade)
    book.grades.all().delete()
    Grade.objects.bulk_create(
        _build_grade(book, club_ratings, person, shown_grades_by_person.get(person))
        for person in sorted(club_ratings.percentage_grades)
        if int(person) in player_keys
    )


def _build_grade(
    book: GradeBook, club_ratings: ClubRatings, person: str, shown_grade: ShownGrade | None
) -> Grade:
    mean, variance = club_ratings.get_strength(person)
    partners = (
        [partner for partner in shown_grade.people if partner != person] if shown_grade else []
    )
    return Grade(
        book=book,
        player_id=int(person),
        partner_id=int(partners[0]) if partners else None,
        mean=mean,
        sd=sqrt(max(variance, 0.0)),
        boards=club_ratings.count_boards(person),
        column=club_ratings.percentage_grades[person],
        shown=shown_grade.grade if shown_grade else None,
        range=shown_grade.range if shown_grade else None,
        word=shown_grade.word if shown_grade else "",
    )
