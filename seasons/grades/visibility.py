"""Visibility of grades: always for the person, for others as club and person allow."""

from collections import defaultdict
from fractions import Fraction

from django.db.models import Case, Q, QuerySet, When

from clubs.models import Club, Player
from clubs.privacy import has_public_page
from seasons.grades.models import Grade, GradeBook, GradeStep, HiddenGrade
from seasons.grades.rating.shown_grades import BOARDS_PER_EVENING
from tournaments.models import Event

PLAYER_SHOWS_GRADE = Q(player__shown=Player.Shown.NAME, player__hidden_grade=None)
NO_PARTNER = Q(partner=None)
PARTNER_SHOWS_GRADE = Q(partner__shown=Player.Shown.NAME, partner__hidden_grade=None)
"""The condition that the partner of a pair also shows the grade."""


def get_grade_book(club: Club | int) -> GradeBook | None:
    """Return a club's grade settings, or None if it has no grades."""
    rows = GradeBook.objects.filter(club=club, is_on=True)
    return rows.select_related("club", "because").first()


def query_public_grades(club: Club) -> QuerySet[Grade]:
    """Return the public grades, ordered by name so that the order reveals no ranking."""
    book = get_grade_book(club)
    if book is None or book.seen != GradeBook.Seen.ALL:
        return Grade.objects.none()
    return _query_open_grades(book)


def query_grades_for_member(player: Player, book: GradeBook) -> QuerySet[Grade]:
    """Return the grades of others that a person may see on their own page."""
    if book.seen == GradeBook.Seen.SELF or player.kind != Player.Kind.MEMBER:
        return Grade.objects.none()
    return _query_open_grades(book).exclude(player=player)


def is_grade_public(player: Player) -> bool:
    """Return whether a person's grade, and each evening of it, is public."""
    book = get_grade_book(player.club_id)
    return (
        book is not None
        and book.seen == GradeBook.Seen.ALL
        and has_public_page(player)
        and not HiddenGrade.objects.filter(player=player).exists()
    )


def is_step_public(row: GradeStep) -> bool:
    """Return whether the grade after an evening may be shown to everyone who sees the grade.

    A pair's grade is shown only if both players show their grades.
    """
    partner = row.partner
    return not row.is_pair or (
        partner is not None
        and has_public_page(partner)
        and not hasattr(partner, "hidden_grade")
    )


def load_public_grades(club: Club) -> dict[int, list[tuple[str, Fraction | None]]]:
    """Return the public grades by player: (day, tricks a board) for each day.

    A grade is rounded as shown, to tenths of a trick in 24 boards. It is None for a day without
    a grade.
    """
    book = get_grade_book(club)
    if book is None or book.seen != GradeBook.Seen.ALL:
        return {}
    # Choose the current row of an evening from all rows first, then check its visibility.
    there = Event.objects.filter(club=club).exclude_hidden().over()
    rows = book.steps.filter(PLAYER_SHOWS_GRADE, event__in=there).annotate(
        tells=Case(When(Q(is_pair=False) | PARTNER_SHOWS_GRADE, then=True), default=False)
    )
    newest = {}
    columns = ("event__date", "event__slug", "shown", "boards", "tells")
    for player, event, day, *row in rows.order_by("pk").values_list(
        "player", "event", *columns
    ):
        newest[player, event] = (day.isoformat(), *row)
    found: dict[int, dict[str, Fraction | None]] = defaultdict(dict)
    for (player, _event), (day, _slug, shown, boards, tells) in sorted(
        newest.items(), key=lambda each: (each[1][:2], each[0])
    ):
        if not (boards and tells):
            continue
        tenths = None if shown is None else Fraction(round(10 * shown), 10 * BOARDS_PER_EVENING)
        found[player][day] = tenths
    return {player: list(days.items()) for player, days in found.items()}


def read_public_grades_mark(club: Club) -> str:
    """Return a text that changes with the public grades; two queries."""
    book = get_grade_book(club)
    if book is None:
        return ""
    hidden = HiddenGrade.objects.filter(player__club=club).order_by("player")
    keys = ",".join(map(str, hidden.values_list("player", flat=True)))
    return f"{book.seen} {book.stamp} {book.s0} {book.tau} {book.q} {keys}"


def _query_open_grades(book: GradeBook) -> QuerySet[Grade]:
    rows = book.grades.filter(
        PLAYER_SHOWS_GRADE & (NO_PARTNER | PARTNER_SHOWS_GRADE), shown__isnull=False
    )
    return rows.select_related("player", "partner").order_by("player__plain", "player")
