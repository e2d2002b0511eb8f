"""The services that change a club's settings for grades, or hide a person's grade."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.whist import WhistError
from clubs import audit
from clubs.audit import Actor
from clubs.models import Club, Player
from clubs.services.people import check_not_erased
from seasons.grades.models import GradeBook, GradeConstants, HiddenGrade, RecomputationReason
from seasons.grades.rating import GradeModelConstants


class GradesRefused(WhistError):
    """A change of the grade settings is not possible; the user sees the message."""

    code = "grades_refused"


@transaction.atomic
def set_grades_enabled(
    *, club: Club, is_on: bool, visibility: str = "", by: Actor
) -> GradeBook:
    """Turn a club's grades on or off; turning them off deletes all grades.

    An empty `visibility` leaves the setting unchanged. A background task computes the grades.
    A call with the previous values undoes the change.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    grade_book, _is_new = GradeBook.objects.get_or_create(club=club, defaults={"is_on": False})
    old_values = {"is_on": grade_book.is_on, "seen": grade_book.seen}
    grade_book.is_on, grade_book.seen = is_on, visibility or grade_book.seen
    new_values = {"is_on": grade_book.is_on, "seen": grade_book.seen}
    if old_values == new_values:
        return grade_book
    if not is_on:
        for related_manager in (grade_book.grades, grade_book.steps, grade_book.checkpoints):
            related_manager.all().delete()
        grade_book.constants.filter(done_at=None).delete()
        grade_book.stamp = grade_book.mark = grade_book.why = ""
        grade_book.because, grade_book.evenings = None, 0
    grade_book.full_clean()
    grade_book.save()
    audit.record(by, "grades.set", subject=club, before=old_values, after=new_values)
    return grade_book


@transaction.atomic
def hide_grade(*, player: Player, is_hidden: bool, by: Actor) -> None:
    """Hide a person's grade from everyone else, or show it again."""
    player = Player.objects.select_for_update().select_related("club").get(pk=player.pk)
    check_not_erased(player)
    if HiddenGrade.objects.filter(player=player).exists() == is_hidden:
        return
    if is_hidden:
        HiddenGrade.objects.create(player=player)
    else:
        HiddenGrade.objects.filter(player=player).delete()
    action = "grades.hidden" if is_hidden else "grades.unhidden"
    audit.record(by, action, subject=player.club, where={"name": player.name})


@transaction.atomic
def queue_fit(*, club: Club, by: Actor) -> GradeConstants:
    """Queue a fit of the grade constants, or return the fit that is already in progress."""
    grade_book = _get_grade_book(club)
    pending_fit = grade_book.constants.filter(done_at=None).first()
    if pending_fit is not None:
        return pending_fit
    fit = GradeConstants.objects.create(
        book=grade_book,
        cause=GradeConstants.FitCause.OWNER,
        asked_by=audit.format_author_key(by),
    )
    audit.record(by, "grades.fit", subject=club)
    return fit


def set_constants(
    grade_book: GradeBook, fit: GradeConstants, constants: GradeModelConstants
) -> None:
    """Use new constants for a club's grades, and record their date and reason."""
    fit.s0, fit.tau, fit.q = constants.s0, constants.tau, constants.q
    fit.done_at = timezone.now()
    fit.save()
    if constants == GradeModelConstants(grade_book.s0, grade_book.tau, grade_book.q):
        return
    grade_book.s0, grade_book.tau, grade_book.q = constants.s0, constants.tau, constants.q
    grade_book.why, grade_book.because = RecomputationReason.CONSTANTS_CHANGED, None
    grade_book.save(update_fields=["s0", "tau", "q", "why", "because"])


def _get_grade_book(club: Club) -> GradeBook:
    grade_book = GradeBook.objects.select_for_update().filter(club=club, is_on=True).first()
    if grade_book is None:
        raise GradesRefused(_("This club doesn’t keep grades."))
    return grade_book
