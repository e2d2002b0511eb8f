"""The rules that decide who sees a grade.

People always see their own grade. Others see a grade if the settings of both the club and the
person allow this.
"""

from collections import defaultdict
from fractions import Fraction

from django.db.models import Case, Q, QuerySet, When

from clubs.models import Club, Player
from clubs.privacy import has_public_page
from seasons.grades.models import Grade, GradeBook, GradeStep, HiddenGrade
from seasons.grades.rating.shown_grades import BOARDS_PER_EVENING
from tournaments.models import Event

PLAYER_SHOWS_GRADE_CONDITION = Q(player__shown=Player.Shown.NAME, player__hidden_grade=None)
NO_PARTNER_CONDITION = Q(partner=None)
PARTNER_SHOWS_GRADE_CONDITION = Q(partner__shown=Player.Shown.NAME, partner__hidden_grade=None)
"""The query condition for grades of pairs whose partner also shows the grade."""


def get_grade_book(club: Club | int) -> GradeBook | None:
    """Return a club's settings for grades; None if grades are off."""
    grade_books = GradeBook.objects.filter(club=club, is_on=True)
    return grade_books.select_related("club", "because").first()


def query_public_grades(club: Club) -> QuerySet[Grade]:
    """Return the queryset of a club's public grades, sorted by name.

    The order by name does not reveal a ranking.
    """
    grade_book = get_grade_book(club)
    if grade_book is None or grade_book.seen != GradeBook.Visibility.ALL:
        return Grade.objects.none()
    return _query_visible_grades(grade_book)


def query_grades_for_member(player: Player, grade_book: GradeBook) -> QuerySet[Grade]:
    """Return the queryset of other people's grades that a member sees on their own page."""
    if grade_book.seen == GradeBook.Visibility.SELF or player.kind != Player.Kind.MEMBER:
        return Grade.objects.none()
    return _query_visible_grades(grade_book).exclude(player=player)


def is_grade_public(player: Player) -> bool:
    """Return whether everyone may see a person's grade."""
    grade_book = get_grade_book(player.club_id)
    return (
        grade_book is not None
        and grade_book.seen == GradeBook.Visibility.ALL
        and has_public_page(player)
        and not HiddenGrade.objects.filter(player=player).exists()
    )


def is_step_public(grade_step: GradeStep) -> bool:
    """Return whether the grade in this step may be shown to all who may see the person's grade.

    The grade of a pair is visible only if both people show their grades.
    """
    partner = grade_step.partner
    return not grade_step.is_pair or (
        partner is not None
        and has_public_page(partner)
        and not hasattr(partner, "hidden_grade")
    )


def load_public_grades(club: Club) -> dict[int, list[tuple[str, Fraction | None]]]:
    """Return the public grades of a club after each day, by player primary key.

    Each item is a day and the grade in tricks per board. As on pages, grades are rounded to
    tenths of a trick over 24 boards. The grade is None if the player had none after that day.
    """
    grade_book = get_grade_book(club)
    if grade_book is None or grade_book.seen != GradeBook.Visibility.ALL:
        return {}
    # First find the current step of each event, then check whether it is visible. An older
    # visible step must not replace a newer hidden one.
    listed_events = Event.objects.filter(club=club).exclude_hidden().filter_finished()
    grade_steps = grade_book.steps.filter(
        PLAYER_SHOWS_GRADE_CONDITION, event__in=listed_events
    ).annotate(
        tells=Case(
            When(Q(is_pair=False) | PARTNER_SHOWS_GRADE_CONDITION, then=True), default=False
        )
    )
    newest_grades_by_player = {}
    columns = ("event__date", "event__slug", "shown", "boards", "tells")
    for player_pk, event_pk, day, *step_values in grade_steps.order_by("pk").values_list(
        "player", "event", *columns
    ):
        newest_grades_by_player[player_pk, event_pk] = (day.isoformat(), *step_values)
    grades_by_player: dict[int, dict[str, Fraction | None]] = defaultdict(dict)
    for (player_pk, _event_pk), (day, _slug, shown_grade, board_count, is_public) in sorted(
        newest_grades_by_player.items(),
        key=lambda key_and_grade: (key_and_grade[1][:2], key_and_grade[0]),
    ):
        if not (board_count and is_public):
            continue
        rounded_grade = (
            None
            if shown_grade is None
            else Fraction(round(10 * shown_grade), 10 * BOARDS_PER_EVENING)
        )
        grades_by_player[player_pk][day] = rounded_grade
    return {
        player_pk: list(grades_by_day.items())
        for player_pk, grades_by_day in grades_by_player.items()
    }


def compute_public_grades_version(club: Club) -> str:
    """Return a text that changes with the public grades of a club, in two queries."""
    grade_book = get_grade_book(club)
    if grade_book is None:
        return ""
    hidden_grades = HiddenGrade.objects.filter(player__club=club).order_by("player")
    hidden_player_pks = ",".join(map(str, hidden_grades.values_list("player", flat=True)))
    constants_text = f"{grade_book.s0} {grade_book.tau} {grade_book.q}"
    return f"{grade_book.seen} {grade_book.stamp} {constants_text} {hidden_player_pks}"


def _query_visible_grades(grade_book: GradeBook) -> QuerySet[Grade]:
    grades = grade_book.grades.filter(
        PLAYER_SHOWS_GRADE_CONDITION & (NO_PARTNER_CONDITION | PARTNER_SHOWS_GRADE_CONDITION),
        shown__isnull=False,
    )
    return grades.select_related("player", "partner").order_by("player__plain", "player")
