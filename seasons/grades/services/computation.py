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
    compute_stamps,
    format_source_versions,
    iter_graded_evenings,
    list_graded_events,
    read_change_mark,
)
from seasons.grades.models import (
    Grade,
    GradeBook,
    GradeCheckpoint,
    GradeEvening,
    GradeStep,
    RecomputationReason,
)
from seasons.grades.rating import ClubState as Known
from seasons.grades.rating import (
    Constants,
    ShownGrade,
    compute_evening_input,
    list_shown_grades,
    update_by_input,
)
from seasons.grades.rating.evenings import EveningInput
from seasons.grades.rating.serialization import (
    deserialize_club,
    deserialize_evening,
    serialize_club,
    serialize_evening,
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

    state: Known
    done: int  # the number of evenings that `known` includes
    began: int  # the number of evenings that it included before the slice
    facts: list[GradeEvening] = field(default_factory=list)
    changes_by_event: list[tuple[GradedEvent, list[GradeChange]]] = field(default_factory=list)
    quarters: list[tuple[int, dict[str, object]]] = field(default_factory=list)


def compute_grades(
    club: Club, *, from_scratch: bool = False, seconds: float = SLICE_SECONDS
) -> bool:
    """Compute a club's grades for one time slice; return True if more slices are needed.

    The computation continues from the last checkpoint before the first changed event, so that
    a correction affects only later events. With `from_scratch`, all checkpoints and
    stored inputs are deleted first.
    """
    book = GradeBook.objects.filter(club=club, is_on=True).select_related("club").first()
    if book is None:
        return False
    if from_scratch:
        GradeEvening.objects.filter(event__club=club).delete()
        book.checkpoints.all().delete()
    mark, rows = read_change_mark(club), list_graded_events(club)
    stamps = compute_stamps(book, rows)
    if not from_scratch and not are_grades_outdated_by_stamps(book, stamps):
        if book.why or book.mark != mark:  # a change was undone before its recomputation
            now = GradeBook.objects.filter(pk=book.pk, stamp=book.stamp)
            now.update(why="", because=None, mark=mark)
        return False
    run = _load_last_checkpoint(book, stamps)
    _store_reason(book, rows)
    _process_evenings(run, rows, seconds)
    return _store_slice(book, run, rows, stamps, mark)


def iter_evening_inputs(
    rows: Sequence[GradedEvent],
) -> Iterable[tuple[GradedEvent, EveningInput | None, bool]]:
    """Yield each event with its input to grades, and whether the input was just computed.

    A valid stored input is loaded instead of computed. The input is None if no board was
    played twice.
    """
    for start in range(0, len(rows), MAX_EVENTS_PER_QUERY):
        batch = rows[start : start + MAX_EVENTS_PER_QUERY]
        stored_inputs = {
            event: evening_input
            for event, stamp, evening_input in GradeEvening.objects.filter(
                event__in=[row.pk for row in batch]
            ).values_list("event", "stamp", "facts")
            if stamp == format_source_versions(next(row for row in batch if row.pk == event))
        }
        missing_rows = [row for row in batch if row.pk not in stored_inputs]
        computed_inputs = {
            row.pk: compute_evening_input(evening)
            for row, evening in zip(
                missing_rows, iter_graded_evenings(missing_rows), strict=True
            )
        }
        for row in batch:
            if row.pk in computed_inputs:
                yield row, computed_inputs[row.pk], True
            else:
                evening_input = stored_inputs[row.pk]
                yield row, evening_input and deserialize_evening(evening_input), False


def _load_last_checkpoint(book: GradeBook, stamps: Sequence[str]) -> _SliceResults:
    """Return the state of the last valid checkpoint, or the initial state if there is none."""
    stored_checkpoints = book.checkpoints.values_list("pk", "evenings", "stamp")
    good = [
        (evenings, pk)
        for pk, evenings, stamp in stored_checkpoints
        if evenings < len(stamps) and stamps[evenings] == stamp
    ]
    if not good:
        return _SliceResults(Known(Constants(book.s0, book.tau, book.q)), 0, 0)
    evenings, pk = max(good)
    return _SliceResults(
        deserialize_club(book.checkpoints.get(pk=pk).state), evenings, evenings
    )


def _store_reason(book: GradeBook, rows: Sequence[GradedEvent]) -> None:
    """Store the reason for a recomputation, unless one is in progress already."""
    if book.why or not book.stamp:
        return
    stored_versions = dict(
        GradeEvening.objects.filter(event__club=book.club).values_list("event", "stamp")
    )
    book.why, book.because_id = _find_reason(stored_versions, rows)
    GradeBook.objects.filter(pk=book.pk).update(why=book.why, because=book.because_id)


def _find_reason(
    stored_versions: dict[int, str], rows: Sequence[GradedEvent]
) -> tuple[RecomputationReason, int | None]:
    """Return the reason for a recomputation, and the primary key of the first changed event.

    If no event has changed, the reason is a change of the constants.
    """
    for number, row in enumerate(rows):
        stored_version = stored_versions.get(row.pk)
        if stored_version == format_source_versions(row):
            continue
        if stored_version is None:
            is_newest = not any(later_row.pk in stored_versions for later_row in rows[number:])
            return (
                RecomputationReason.PLAYED if is_newest else RecomputationReason.EVENINGS
            ), row.pk
        results, people, place_in_order, _made_by = stored_version.split(" ")
        if people != row.people:
            return RecomputationReason.PEOPLE, row.pk
        if results != row.results:
            return RecomputationReason.CORRECTED, row.pk
        is_moved = place_in_order != f"{row.day}/{row.slug}"
        return (
            (RecomputationReason.EVENINGS, row.pk)
            if is_moved
            else (RecomputationReason.PROGRAM, None)
        )
    if stored_versions.keys() - {row.pk for row in rows}:
        return RecomputationReason.EVENINGS, None
    return RecomputationReason.CONSTANTS, None


def _process_evenings(run: _SliceResults, rows: Sequence[GradedEvent], seconds: float) -> None:
    """Process events until the time slice ends; at least one event is processed."""
    end = monotonic() + seconds
    for row, evening_input, is_new in iter_evening_inputs(rows[run.done :]):
        if is_new:
            serialized = None if evening_input is None else serialize_evening(evening_input)
            run.facts.append(
                GradeEvening(
                    event_id=row.pk, stamp=format_source_versions(row), facts=serialized
                )
            )
        if evening_input is not None:
            run.changes_by_event.append(
                (
                    row,
                    list_grade_changes(
                        run.state, evening_input, update_by_input(run.state, evening_input)
                    ),
                )
            )
        run.done += 1
        if run.done < len(rows) and _is_last_of_quarter(rows, run.done):
            run.quarters.append((run.done, serialize_club(run.state)))
        if monotonic() > end:
            return


def _is_last_of_quarter(rows: Sequence[GradedEvent], evenings: int) -> bool:
    """Return whether event number `evenings`, counted from 1, is the last of its quarter."""
    return _get_quarter(rows[evenings - 1].day) != _get_quarter(rows[evenings].day)


def _get_quarter(day: Date) -> tuple[int, int]:
    return day.year, (day.month - 1) // 3


@transaction.atomic
def _store_slice(
    book: GradeBook,
    run: _SliceResults,
    rows: Sequence[GradedEvent],
    stamps: Sequence[str],
    mark: str,
) -> bool:
    """Store the results of a time slice; return whether more slices are needed.

    If the constants changed during the slice, its results are discarded.
    """
    now = GradeBook.objects.select_for_update().filter(pk=book.pk, is_on=True).first()
    if now is None:
        return False
    if (now.s0, now.tau, now.q) != (book.s0, book.tau, book.q):
        return True
    _store_facts(run.facts)
    _store_checkpoints(book, run, rows, stamps)
    _store_steps(book, run.changes_by_event)
    if run.done < len(rows):
        return True
    _store_grades(book, run.state)
    book.stamp, book.mark, book.evenings = stamps[-1], mark, len(rows)
    book.noise, book.made_at = run.state.noise, timezone.now()
    book.why, book.because = "", None
    fields = ["stamp", "mark", "evenings", "noise", "made_at", "why", "because"]
    book.save(update_fields=fields)
    return False


def _store_facts(facts: Sequence[GradeEvening]) -> None:
    GradeEvening.objects.filter(event__in=[fact.event_id for fact in facts]).delete()
    GradeEvening.objects.bulk_create(facts)


def _store_checkpoints(
    book: GradeBook, run: _SliceResults, rows: Sequence[GradedEvent], stamps: Sequence[str]
) -> None:
    """Store the new checkpoints, and delete obsolete ones.

    A checkpoint is obsolete if an earlier event has changed. The previous latest checkpoint is
    also obsolete, unless it is the end of a quarter.
    """
    if 0 < run.began < len(rows) and _is_last_of_quarter(rows, run.began):
        book.checkpoints.filter(evenings=run.began).update(is_quarter=True)
    quarters = [*run.quarters]
    if not quarters or quarters[-1][0] != run.done:
        quarters.append((run.done, serialize_club(run.state)))
    new_checkpoints = {evenings for evenings, _state in quarters}
    obsolete_keys = [
        pk
        for pk, evenings, stamp, is_quarter in book.checkpoints.values_list(
            "pk", "evenings", "stamp", "is_quarter"
        )
        if evenings in new_checkpoints
        or not is_quarter
        or evenings >= len(stamps)
        or stamps[evenings] != stamp
    ]
    book.checkpoints.filter(pk__in=obsolete_keys).delete()
    ends = {evenings for evenings, _state in run.quarters}
    GradeCheckpoint.objects.bulk_create(
        GradeCheckpoint(
            book=book,
            evenings=evenings,
            stamp=stamps[evenings],
            is_quarter=evenings in ends,
            state=state,
        )
        for evenings, state in quarters
    )


def _store_steps(
    book: GradeBook, changes_by_event: Sequence[tuple[GradedEvent, list[GradeChange]]]
) -> None:
    """Add a row for each new or changed step; existing rows are not changed."""
    player_keys = _load_people(book)
    current_steps = _load_current_steps(book, [row.pk for row, _people in changes_by_event])
    new_steps = []
    for row, people in changes_by_event:
        for person in people:
            if int(person.person) in player_keys:
                step = _build_step(book, row, person, player_keys)
                before = current_steps.pop((row.pk, step.player_id), None)
                if before is None or not _has_equal_numbers(before, step):
                    new_steps.append(_set_reason(book, step, before))
    # Steps of people whom a correction removed from the event.
    new_steps += [
        _set_reason(book, _build_removed_step(current_step), current_step)
        for current_step in current_steps.values()
        if current_step.boards
    ]
    GradeStep.objects.bulk_create(new_steps, batch_size=500)


def _load_current_steps(
    book: GradeBook, events: Sequence[int]
) -> dict[tuple[int, int], GradeStep]:
    """Return the current step of each event and player."""
    steps_by_key: dict[tuple[int, int], GradeStep] = {}
    for start in range(0, len(events), MAX_EVENTS_PER_QUERY):
        rows = GradeStep.objects.filter(
            book=book, event__in=events[start : start + MAX_EVENTS_PER_QUERY]
        )
        steps_by_key |= {(step.event_id, step.player_id): step for step in rows.order_by("pk")}
    return steps_by_key


def _build_removed_step(before: GradeStep) -> GradeStep:
    step = GradeStep(**{name: getattr(before, name) for name in _COMPARED_FIELDS})
    step.book_id, step.event_id = before.book_id, before.event_id
    step.player_id, step.boards = before.player_id, 0
    step.shown = step.range = None
    return step


def _build_step(
    book: GradeBook, row: GradedEvent, change: GradeChange, player_keys: set[int]
) -> GradeStep:
    shown_grade = change.shown
    partner = int(change.partners[0]) if len(change.partners) == 1 else None
    return GradeStep(
        book=book,
        player_id=int(change.person),
        event_id=row.pk,
        partner_id=partner if partner in player_keys else None,
        boards=change.boards,
        expected=change.expected,
        expected_sd=change.expected_sd,
        made=change.made,
        mean=change.mean,
        sd=change.sd,
        all_boards=change.all_boards,
        column=change.column,
        shown=shown_grade.grade if shown_grade else None,
        range=shown_grade.range if shown_grade else None,
        word=shown_grade.word if shown_grade else "",
        is_pair=shown_grade is not None and len(shown_grade.who) > 1,
    )


def _set_reason(book: GradeBook, step: GradeStep, before: GradeStep | None) -> GradeStep:
    if before is not None:
        step.why = (
            book.why
            if book.why not in ("", RecomputationReason.PLAYED)
            else RecomputationReason.EVENINGS
        )
        step.because_id = book.because_id
    return step


def _has_equal_numbers(grade_step: GradeStep, other: GradeStep) -> bool:
    """Return whether two steps have the same values, within the tolerance."""
    for name in _COMPARED_FIELDS:
        a, b = getattr(grade_step, name), getattr(other, name)
        if isinstance(a, float) and isinstance(b, float):
            if abs(a - b) > EQUALITY_TOLERANCE * max(1.0, abs(a)):
                return False
        elif a != b:
            return False
    return True


def _load_people(book: GradeBook) -> set[int]:
    """Return the primary keys of the club's players whose grades may be stored."""
    rows = Player.objects.filter(club=book.club_id, forgotten_on=None)
    rows = rows.exclude(shown=Player.Shown.UNKNOWN)
    return set(rows.values_list("pk", flat=True))


def _store_grades(book: GradeBook, state: Known) -> None:
    """Replace all current grades of the club."""
    player_keys = _load_people(book)
    shown_grades: dict[str, ShownGrade] = {}
    pairs = sorted(state.together, key=lambda pair: (-state.together[pair], pair))
    for shown_grade in list_shown_grades(state, pairs):
        if all(int(person) in player_keys for person in shown_grade.who):
            for person in shown_grade.who:
                shown_grades.setdefault(person, shown_grade)
    book.grades.all().delete()
    Grade.objects.bulk_create(
        _build_grade(book, state, person, shown_grades.get(person))
        for person in sorted(state.column)
        if int(person) in player_keys
    )


def _build_grade(
    book: GradeBook, state: Known, person: str, shown_grade: ShownGrade | None
) -> Grade:
    mean, variance = state.get_strength(person)
    partners = [name for name in shown_grade.who if name != person] if shown_grade else []
    return Grade(
        book=book,
        player_id=int(person),
        partner_id=int(partners[0]) if partners else None,
        mean=mean,
        sd=sqrt(max(variance, 0.0)),
        boards=state.boards(person),
        column=state.column[person],
        shown=shown_grade.grade if shown_grade else None,
        range=shown_grade.range if shown_grade else None,
        word=shown_grade.word if shown_grade else "",
    )
