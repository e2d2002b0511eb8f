"""Background tasks for grades, one time slice at a time."""

from django.utils.translation import gettext_lazy

from clubs.models import Club
from seasons.grades.club_plays import is_behind
from seasons.grades.models import GradeBook
from seasons.grades.services.grading import fit_constants, is_wanted, work_grades_out
from server.jobs.kinds import Kind, Lane, name_of


def work_clubs_grades_out(club_id: int) -> bool:
    """Run one slice for a club: first its grades, then a fit of the constants."""
    club = Club.objects.filter(pk=club_id).first()
    if club is None:
        return False
    if work_grades_out(club) or fit_constants(club):
        return True
    book = GradeBook.objects.filter(club=club, is_on=True).select_related("club").first()
    return book is not None and is_behind(book)  # by the constants that were just fitted


def clubs_behind() -> list[int]:
    """List the clubs whose grades are outdated or due for a fit."""
    books = GradeBook.objects.filter(is_on=True).select_related("club")
    return [book.club_id for book in books if is_behind(book) or is_wanted(book)]


GRADES = Kind(
    "grades",
    title=gettext_lazy("grades of a club to be worked out"),
    lane=Lane.LATER,
    time_limit=120,
    run=work_clubs_grades_out,
    find_missing=clubs_behind,
    describe=name_of(Club.objects),
    club_of=lambda club_id: club_id,
)
KINDS = (GRADES,)
