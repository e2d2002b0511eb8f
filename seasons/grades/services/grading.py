"""Incremental computation of grades from a club's evenings, one time slice at a time.

It runs outside a transaction: on SQLite a transaction that waits to write blocks all other
writers. The results are stored in a short one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date as Date
from datetime import timedelta
from math import sqrt
from time import monotonic

from django.db import transaction
from django.utils import timezone

from clubs.models import Club, Player
from clubs.today import get_club_date
from seasons.grades.club_plays import (
    EVENTS_A_QUERY,
    Row,
    evenings_of,
    graded_events,
    is_behind_of,
    made_from,
    mark_of,
    stamps_of,
)
from seasons.grades.models import (
    Grade,
    GradeBook,
    GradeCheckpoint,
    GradeConstants,
    GradeEvening,
    GradeStep,
    Why,
)
from seasons.grades.rating import Club as Known
from seasons.grades.rating import Constants, Shown, facts_of, shown_grades, take_in
from seasons.grades.rating.evenings import Facts
from seasons.grades.rating.fitting import GRID, LEAST_EVENINGS, likelihood
from seasons.grades.rating.keeping import club_data, facts_data, read_club, read_facts
from seasons.grades.rating.showing import Told, tell
from seasons.grades.services.settings import put_constants

SLICE = 5.0
"""The length of a time slice in seconds; after it, other tasks in the queue run."""
SAME = 1e-9
"""The tolerance below which two numbers of an evening count as equal."""
_FIGURES = (
    *("boards", "expected", "expected_sd", "made", "mean", "sd", "all_boards", "column"),
    *("shown", "range", "word", "is_pair", "partner_id"),
)
SELDOM = timedelta(days=80)
"""The minimum time between automatic fits, which matters for clubs with short seasons."""
A_YEAR = timedelta(days=365)
TRIES = (*GRID, Constants())
"""The constants that a fit tries: all points of the grid, then the default constants.

The best point of the grid is compared with the default constants.
"""


@dataclass(slots=True)
class _Run:
    """The results of one slice before they are stored."""

    known: Known
    done: int  # evenings that are in `known`
    began: int  # evenings that were in it before
    facts: list[GradeEvening] = field(default_factory=list)
    told: list[tuple[Row, list[Told]]] = field(default_factory=list)
    quarters: list[tuple[int, dict[str, object]]] = field(default_factory=list)


def work_grades_out(club: Club, *, anew: bool = False, seconds: float = SLICE) -> bool:
    """Compute a club's grades for some seconds; return True if there is more to do.

    It continues from the last checkpoint before the first changed evening, so a correction only
    recomputes later evenings. `anew` deletes all checkpoints and all stored input first.
    """
    book = GradeBook.objects.filter(club=club, is_on=True).select_related("club").first()
    if book is None:
        return False
    if anew:
        GradeEvening.objects.filter(event__club=club).delete()
        book.checkpoints.all().delete()
    mark, rows = mark_of(club), graded_events(club)
    stamps = stamps_of(book, rows)
    if not anew and not is_behind_of(book, stamps):
        if book.why or book.mark != mark:  # it was changed and changed back
            now = GradeBook.objects.filter(pk=book.pk, stamp=book.stamp)
            now.update(why="", because=None, mark=mark)
        return False
    run = _start(book, stamps)
    _begin(book, rows)
    _go_on(run, rows, seconds)
    return _store(book, run, rows, stamps, mark)


def facts_in_order(rows: Sequence[Row]) -> Iterable[tuple[Row, Facts | None, bool]]:
    """Yield each event, its input to grades, and whether the input was just computed.

    The input is read from the database if it is stored and valid.
    """
    for start in range(0, len(rows), EVENTS_A_QUERY):
        some = rows[start : start + EVENTS_A_QUERY]
        kept = {
            event: facts
            for event, stamp, facts in GradeEvening.objects.filter(
                event__in=[row.pk for row in some]
            ).values_list("event", "stamp", "facts")
            if stamp == made_from(next(row for row in some if row.pk == event))
        }
        lacking = [row for row in some if row.pk not in kept]
        made = {
            row.pk: facts_of(evening)
            for row, evening in zip(lacking, evenings_of(lacking), strict=True)
        }
        for row in some:
            if row.pk in made:
                yield row, made[row.pk], True
            else:
                facts = kept[row.pk]
                yield row, facts and read_facts(facts), False


def _start(book: GradeBook, stamps: Sequence[str]) -> _Run:
    """Find the last checkpoint whose evenings are all unchanged."""
    there = book.checkpoints.values_list("pk", "evenings", "stamp")
    good = [
        (evenings, pk)
        for pk, evenings, stamp in there
        if evenings < len(stamps) and stamps[evenings] == stamp
    ]
    if not good:
        return _Run(Known(Constants(book.s0, book.tau, book.q)), 0, 0)
    evenings, pk = max(good)
    return _Run(read_club(book.checkpoints.get(pk=pk).state), evenings, evenings)


def _begin(book: GradeBook, rows: Sequence[Row]) -> None:
    """Store the reason why existing grades are recomputed, unless one is stored already."""
    if book.why or not book.stamp:
        return
    there = dict(
        GradeEvening.objects.filter(event__club=book.club).values_list("event", "stamp")
    )
    book.why, book.because_id = _reason(there, rows)
    GradeBook.objects.filter(pk=book.pk).update(why=book.why, because=book.because_id)


def _reason(there: dict[int, str], rows: Sequence[Row]) -> tuple[Why, int | None]:
    """Return why grades are recomputed, and the first changed evening.

    If no evening has changed, the reason is a change of the constants.
    """
    for number, row in enumerate(rows):
        kept = there.get(row.pk)
        if kept == made_from(row):
            continue
        if kept is None:
            is_newest = not any(each.pk in there for each in rows[number:])
            return (Why.PLAYED if is_newest else Why.EVENINGS), row.pk
        results, people, place_in_order, _made_by = kept.split(" ")
        if people != row.people:
            return Why.PEOPLE, row.pk
        if results != row.results:
            return Why.CORRECTED, row.pk
        is_moved = place_in_order != f"{row.day}/{row.slug}"
        return (Why.EVENINGS, row.pk) if is_moved else (Why.PROGRAM, None)
    if there.keys() - {row.pk for row in rows}:
        return Why.EVENINGS, None
    return Why.CONSTANTS, None


def _go_on(run: _Run, rows: Sequence[Row], seconds: float) -> None:
    """Process evenings until the time slice ends, but at least one."""
    end = monotonic() + seconds
    for row, facts, is_new in facts_in_order(rows[run.done :]):
        if is_new:
            kept = None if facts is None else facts_data(facts)
            run.facts.append(GradeEvening(event_id=row.pk, stamp=made_from(row), facts=kept))
        if facts is not None:
            run.told.append((row, tell(run.known, facts, take_in(run.known, facts))))
        run.done += 1
        if run.done < len(rows) and _is_last(rows, run.done):
            run.quarters.append((run.done, club_data(run.known)))
        if monotonic() > end:
            return


def _is_last(rows: Sequence[Row], evenings: int) -> bool:
    """Return whether an evening, given by its number, is the last of its quarter."""
    return _quarter(rows[evenings - 1].day) != _quarter(rows[evenings].day)


def _quarter(day: Date) -> tuple[int, int]:
    return day.year, (day.month - 1) // 3


@transaction.atomic
def _store(
    book: GradeBook, run: _Run, rows: Sequence[Row], stamps: Sequence[str], mark: str
) -> bool:
    """Store the results of a slice; return whether there is more to do.

    If the constants have changed since, nothing is stored.
    """
    now = GradeBook.objects.select_for_update().filter(pk=book.pk, is_on=True).first()
    if now is None:
        return False
    if (now.s0, now.tau, now.q) != (book.s0, book.tau, book.q):
        return True
    _store_facts(run.facts)
    _store_checkpoints(book, run, rows, stamps)
    _store_steps(book, run.told)
    if run.done < len(rows):
        return True
    _store_grades(book, run.known)
    book.stamp, book.mark, book.evenings = stamps[-1], mark, len(rows)
    book.noise, book.made_at = run.known.noise, timezone.now()
    book.why, book.because = "", None
    fields = ["stamp", "mark", "evenings", "noise", "made_at", "why", "because"]
    book.save(update_fields=fields)
    return False


def _store_facts(facts: Sequence[GradeEvening]) -> None:
    GradeEvening.objects.filter(event__in=[each.event_id for each in facts]).delete()
    GradeEvening.objects.bulk_create(facts)


def _store_checkpoints(
    book: GradeBook, run: _Run, rows: Sequence[Row], stamps: Sequence[str]
) -> None:
    """Store the new checkpoints; delete invalid ones and the previous last one."""
    if 0 < run.began < len(rows) and _is_last(rows, run.began):
        book.checkpoints.filter(evenings=run.began).update(is_quarter=True)
    quarters = [*run.quarters]
    if not quarters or quarters[-1][0] != run.done:
        quarters.append((run.done, club_data(run.known)))
    new = {evenings for evenings, _state in quarters}
    gone = [
        pk
        for pk, evenings, stamp, is_quarter in book.checkpoints.values_list(
            "pk", "evenings", "stamp", "is_quarter"
        )
        if evenings in new
        or not is_quarter
        or evenings >= len(stamps)
        or stamps[evenings] != stamp
    ]
    book.checkpoints.filter(pk__in=gone).delete()
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


def _store_steps(book: GradeBook, told: Sequence[tuple[Row, list[Told]]]) -> None:
    """Add new and changed steps, with the reason; earlier rows are never changed."""
    there = _people_there(book)
    kept = _steps_there(book, [row.pk for row, _people in told])
    new = []
    for row, people in told:
        for each in people:
            if int(each.person) in there:
                step = _step(book, row, each, there)
                before = kept.pop((row.pk, step.player_id), None)
                if before is None or not _is_same(before, step):
                    new.append(_with_reason(book, step, before))
    # people whom a correction removed from the event
    new += [_with_reason(book, _gone(each), each) for each in kept.values() if each.boards]
    GradeStep.objects.bulk_create(new, batch_size=500)


def _steps_there(book: GradeBook, events: Sequence[int]) -> dict[tuple[int, int], GradeStep]:
    """Return the current steps by event and player."""
    found: dict[tuple[int, int], GradeStep] = {}
    for start in range(0, len(events), EVENTS_A_QUERY):
        rows = GradeStep.objects.filter(
            book=book, event__in=events[start : start + EVENTS_A_QUERY]
        )
        found |= {(step.event_id, step.player_id): step for step in rows.order_by("pk")}
    return found


def _gone(before: GradeStep) -> GradeStep:
    step = GradeStep(**{name: getattr(before, name) for name in _FIGURES})
    step.book_id, step.event_id = before.book_id, before.event_id
    step.player_id, step.boards = before.player_id, 0
    step.shown = step.range = None
    return step


def _step(book: GradeBook, row: Row, told: Told, there: set[int]) -> GradeStep:
    shown = told.shown
    partner = int(told.partners[0]) if len(told.partners) == 1 else None
    return GradeStep(
        book=book,
        player_id=int(told.person),
        event_id=row.pk,
        partner_id=partner if partner in there else None,
        boards=told.boards,
        expected=told.expected,
        expected_sd=told.expected_sd,
        made=told.made,
        mean=told.mean,
        sd=told.sd,
        all_boards=told.all_boards,
        column=told.column,
        shown=shown.grade if shown else None,
        range=shown.range if shown else None,
        word=shown.word if shown else "",
        is_pair=shown is not None and len(shown.who) > 1,
    )


def _with_reason(book: GradeBook, step: GradeStep, before: GradeStep | None) -> GradeStep:
    if before is not None:
        step.why = book.why if book.why not in ("", Why.PLAYED) else Why.EVENINGS
        step.because_id = book.because_id
    return step


def _is_same(one: GradeStep, other: GradeStep) -> bool:
    """Return whether two steps have equal numbers."""
    for name in _FIGURES:
        a, b = getattr(one, name), getattr(other, name)
        if isinstance(a, float) and isinstance(b, float):
            if abs(a - b) > SAME * max(1.0, abs(a)):
                return False
        elif a != b:
            return False
    return True


def _people_there(book: GradeBook) -> set[int]:
    """Return the people of the club whose data may be stored."""
    rows = Player.objects.filter(club=book.club_id, forgotten_on=None)
    rows = rows.exclude(shown=Player.Shown.UNKNOWN)
    return set(rows.values_list("pk", flat=True))


def _store_grades(book: GradeBook, known: Known) -> None:
    """Store everyone's grade, and the part of it that may be shown."""
    there = _people_there(book)
    shown: dict[str, Shown] = {}
    pairs = sorted(known.together, key=lambda pair: (-known.together[pair], pair))
    for each in shown_grades(known, pairs):
        if all(int(person) in there for person in each.who):
            for person in each.who:
                shown.setdefault(person, each)
    book.grades.all().delete()
    Grade.objects.bulk_create(
        _grade(book, known, person, shown.get(person))
        for person in sorted(known.column)
        if int(person) in there
    )


def _grade(book: GradeBook, known: Known, person: str, shown: Shown | None) -> Grade:
    mean, variance = known.of(person)
    others = [each for each in shown.who if each != person] if shown else []
    return Grade(
        book=book,
        player_id=int(person),
        partner_id=int(others[0]) if others else None,
        mean=mean,
        sd=sqrt(max(variance, 0.0)),
        boards=known.boards(person),
        column=known.column[person],
        shown=shown.grade if shown else None,
        range=shown.range if shown else None,
        word=shown.word if shown else "",
    )


Cause = GradeConstants.Cause


def cause_now(book: GradeBook) -> str:
    """Return the reason why a fit is due; "" if none is due.

    A fit is due after the club's first evenings and after each season. A club without seasons
    is fitted once a year.
    """
    if book.evenings < LEAST_EVENINGS or book.made_at is None:
        return ""
    last = book.constants.exclude(done_at=None).last()
    if last is None or last.done_at is None:
        return Cause.FIRST
    age = timezone.now() - last.done_at
    if age < SELDOM:
        return ""
    today = get_club_date(book.club)
    since = timezone.localdate(last.done_at, timezone=book.club.zone)
    seasons = book.club.seasons.all()
    over = seasons.filter(last_day__lt=today, last_day__gte=since).exists()
    return Cause.SEASON if over or (age >= A_YEAR and not seasons.exists()) else ""


def is_wanted(book: GradeBook) -> bool:
    """Return whether a fit is in progress or due."""
    return book.constants.filter(done_at=None).exists() or bool(cause_now(book))


def fit_constants(club: Club, *, seconds: float = SLICE) -> bool:
    """Try some constants of the grid on all evenings; return True if there is more to do.

    Tried constants are stored with the fit; if an evening was changed or added, the fit
    restarts. With fewer than twenty usable evenings, the default constants stay.
    """
    book = GradeBook.objects.filter(club=club, is_on=True).select_related("club").first()
    fit = _under_way(book) if book else None
    if book is None or fit is None:
        return False
    rows = graded_events(club)
    stamp = stamps_of(GradeBook(), rows)[-1]
    found = [facts for _row, facts, _is_new in facts_in_order(rows) if facts is not None]
    tried = list(fit.tried) if fit.stamp == stamp else []
    if len(found) >= LEAST_EVENINGS:
        _try(found, tried, seconds)
    return _store_fit(fit, found, stamp, tried)


def _under_way(book: GradeBook) -> GradeConstants | None:
    """Return the fit in progress; start one that is due."""
    with transaction.atomic():
        GradeBook.objects.select_for_update().get(pk=book.pk)
        fit = book.constants.filter(done_at=None).first()
        if fit is None and (cause := cause_now(book)):
            fit = GradeConstants.objects.create(book=book, cause=cause)
        return fit


def _try(found: list[Facts], tried: list[float], seconds: float) -> None:
    """Try points of the grid until the time slice ends, but at least one."""
    end = monotonic() + seconds
    while len(tried) < len(TRIES):
        tried.append(likelihood(found, TRIES[len(tried)]))
        if monotonic() > end:
            return


@transaction.atomic
def _store_fit(fit: GradeConstants, found: list[Facts], stamp: str, tried: list[float]) -> bool:
    book = GradeBook.objects.select_for_update().get(pk=fit.book_id)
    now = book.constants.select_for_update().filter(pk=fit.pk, done_at=None).first()
    if now is None or not book.is_on:  # it was ended in the meantime
        return False
    now.stamp, now.tried, now.evenings = stamp, tried, len(found)
    if found[LEAST_EVENINGS - 1 :] and len(tried) < len(TRIES):
        now.save()
        return True
    best = Constants()
    if tried:
        place = max(range(len(GRID)), key=lambda each: tried[each])
        best, now.gain = GRID[place], tried[place] - tried[-1]
    now.tried = []
    put_constants(book, now, best)
    return False
