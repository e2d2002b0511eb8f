"""The sections of a person's own page that rooms add: one record each, in their order.

A section is read for one person and drawn by its template, to which it is `read`. Whoever adds
one keeps to a fixed number of questions: the page has to answer at once after ten years.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from seasons.models import GradeBook, Ladder


@dataclass(frozen=True, slots=True)
class Section:
    """One section: what stands over it, what is read for it, and what draws it."""

    key: str
    title: Promise
    read: Callable[[Player], object]
    template: str


def ladders_of(player: Player) -> list[Ladder]:
    """The ladders of the club's newest season; each total is one press away."""
    newest = player.club.seasons.order_by("-last_day", "-pk").values("pk")[:1]
    rows = Ladder.objects.filter(season__in=list(newest.values_list("pk", flat=True)))
    return list(rows.select_related("season__club"))


def grade_of(player: Player) -> dict[str, object] | None:
    """The grade of a person, and those of others where the club lets members see them."""
    book = GradeBook.objects.filter(club=player.club_id, is_on=True).first()
    if book is None:
        return None
    rows = book.grades.select_related("player", "partner")
    known = Q(shown__isnull=False, player__shown=Player.Shown.NAME, partner=None)
    is_open = book.seen == GradeBook.Seen.MEMBERS and player.kind == Player.Kind.MEMBER
    found = list(rows.filter(Q(player=player) | known if is_open else Q(player=player)))
    others = [each for each in found if each.player_id != player.pk]
    return {
        "own": next((each for each in found if each.player_id == player.pk), None),
        "others": sorted(others, key=lambda each: each.player.plain),
        "made_at": book.made_at,
    }


SECTIONS: tuple[Section, ...] = (
    Section("grade", _("Grade"), grade_of, "seasons/me/_grade.html"),
    Section("ladders", _("Ladders"), ladders_of, "seasons/me/_ladders.html"),
)
