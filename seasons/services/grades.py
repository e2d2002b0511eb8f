"""Grades of a club: switched on and off, and worked out anew from all its evenings."""

from collections import Counter
from math import sqrt

from django.db import transaction
from django.utils import timezone

from clubs import audit
from clubs.audit import Actor
from clubs.models import Club
from seasons.club_plays import evenings_of, graded_events, stamp_of
from seasons.grades import Club as Known
from seasons.grades import Constants, GradedEvening, Shown, grade_evening, shown_grades
from seasons.grades.evenings import Unit
from seasons.models import Grade, GradeBook


@transaction.atomic
def set_grades(*, club: Club, is_on: bool, seen: str = "", by: Actor) -> GradeBook:
    """Keep grades of a club's people, or no more; off, every figure of them is thrown away.

    `seen` says who sees them, "" leaves it. They are worked out soon, in the background. The
    same press the other way is what takes it back.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    book, _made = GradeBook.objects.get_or_create(club=club, defaults={"is_on": False})
    before = {"is_on": book.is_on, "seen": book.seen}
    book.is_on, book.seen = is_on, seen or book.seen
    after = {"is_on": book.is_on, "seen": book.seen}
    if before == after:
        return book
    if not is_on:
        book.grades.all().delete()
        book.stamp = ""
    book.full_clean()
    book.save()
    audit.record(by, "grades.set", subject=club, before=before, after=after)
    return book


@transaction.atomic
def work_grades_out(club: Club, *, anew: bool = False) -> bool:
    """Work grades out from the first evening on, unless they are those of the standings now.

    They are found from all evenings each time: so one that was corrected is in every figure
    after it. Returns whether anything was done.
    """
    book = GradeBook.objects.select_for_update().filter(club=club, is_on=True).first()
    if book is None:
        return False
    if not anew and not is_behind(book):
        return False
    events = graded_events(club)
    known = Known(Constants(book.s0, book.tau, book.q))
    together: Counter[Unit] = Counter()
    for evening in evenings_of(events):
        grade_evening(known, evening)
        together.update(_units(evening))
    _keep(book, known, together)
    book.stamp = stamp_of(club, events)
    book.evenings, book.noise = len(events), known.noise
    book.made_at = timezone.now()
    book.save()
    return True


def is_behind(book: GradeBook) -> bool:
    """Whether grades are not those of the standings of today."""
    is_there = book.grades.exists() or not book.evenings  # not where a club has just come
    return not is_there or book.stamp != stamp_of(book.club, graded_events(book.club))


def _units(evening: GradedEvening) -> Counter[Unit]:
    return Counter(unit for play in evening.plays for unit in (play.ns, play.ew))


def _keep(book: GradeBook, known: Known, together: Counter[Unit]) -> None:
    """Write everybody's figures down, and what of them may be shown."""
    shown: dict[str, Shown] = {}
    for each in shown_grades(known, [pair for pair, _plays in together.most_common()]):
        for person in each.who:
            shown.setdefault(person, each)
    there = {str(pk) for pk in book.club.players.values_list("pk", flat=True)}
    book.grades.all().delete()
    Grade.objects.bulk_create(
        _grade(book, known, person, shown.get(person))
        for person in sorted(known.column)
        if person in there
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
