"""The background task that computes a club's grades and fits the grade constants."""

from django.utils.translation import gettext_lazy

from clubs.models import Club
from seasons.grades.club_plays import are_grades_outdated
from seasons.grades.models import GradeBook
from seasons.grades.services.computation import compute_grades
from seasons.grades.services.constants_fit import fit_constants, is_fit_due
from server.jobs.kinds import JobKind, Lane, build_column_describer


def compute_club_grades(club_id: int) -> bool:
    """Compute a club's grades for one time slice or, if they are current, fit the constants.

    Returns whether more slices are needed.
    """
    club = Club.objects.filter(pk=club_id).first()
    if club is None:
        return False
    if compute_grades(club) or fit_constants(club):
        return True
    book = GradeBook.objects.filter(club=club, is_on=True).select_related("club").first()
    # the fit may have changed the constants
    return book is not None and are_grades_outdated(book)


def list_outdated_club_pks() -> list[int]:
    """Return the primary keys of clubs whose grades are outdated or that need a new fit."""
    books = GradeBook.objects.filter(is_on=True).select_related("club")
    return [book.club_id for book in books if are_grades_outdated(book) or is_fit_due(book)]


GRADES_JOB = JobKind(
    "grades",
    title=gettext_lazy("grades of a club"),
    lane=Lane.LATER,
    time_limit=120,
    run=compute_club_grades,
    find_missing_job_keys=list_outdated_club_pks,
    describe_subject=build_column_describer(Club.objects),
    find_club=lambda club_id: club_id,
)
KINDS = (GRADES_JOB,)
