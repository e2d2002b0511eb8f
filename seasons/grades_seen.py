"""Who may see whose grade: the person always, others as the club and the person let them."""

from django.db.models import Q, QuerySet

from clubs.models import Club, Player
from clubs.privacy import may_be_shown
from seasons.models import Grade, GradeBook, HiddenGrade

OPEN = Q(player__shown=Player.Shown.NAME, player__hidden_grade=None)
ALONE = Q(partner=None)
BOTH = Q(partner__shown=Player.Shown.NAME, partner__hidden_grade=None)
"""What two have together is shown where both would show their own."""


def book_of(club: Club | int) -> GradeBook | None:
    """A club's grades, if it keeps any."""
    rows = GradeBook.objects.filter(club=club, is_on=True)
    return rows.select_related("club", "because").first()


def seen_by_everybody(club: Club) -> QuerySet[Grade]:
    """The grades that everybody may see, by name; never in the order of the grades."""
    book = book_of(club)
    if book is None or book.seen != GradeBook.Seen.ALL:
        return Grade.objects.none()
    return _open(book)


def seen_by_member(player: Player, book: GradeBook) -> QuerySet[Grade]:
    """The grades of others that somebody may see on the own page."""
    if book.seen == GradeBook.Seen.SELF or player.kind != Player.Kind.MEMBER:
        return Grade.objects.none()
    return _open(book).exclude(player=player)


def is_for_everybody(player: Player) -> bool:
    """Whether everybody may see somebody's grade, and each evening of it."""
    book = book_of(player.club_id)
    return (
        book is not None
        and book.seen == GradeBook.Seen.ALL
        and may_be_shown(player)
        and not HiddenGrade.objects.filter(player=player).exists()
    )


def _open(book: GradeBook) -> QuerySet[Grade]:
    rows = book.grades.filter(OPEN & (ALONE | BOTH), shown__isnull=False)
    return rows.select_related("player", "partner").order_by("player__plain", "player")
