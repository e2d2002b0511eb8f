"""The sections of a person's own page that rooms add: one record each, in their order.

A section is read for one person and drawn by its template, to which it is `read`. Whoever adds
one keeps to a fixed number of questions: the page has to answer at once after ten years.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from seasons.models import Ladder


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


SECTIONS: tuple[Section, ...] = (
    Section("ladders", _("Ladders"), ladders_of, "seasons/me/_ladders.html"),
)
