"""The sections of a person's own page, in the order of the page.

Each section is read for one person, and its template gets the data as `read`. A section must
use a fixed number of queries, so that the page stays fast after ten years.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from seasons.grades.sheets import grade_section
from seasons.ladders.season_tables import terms_of_season
from seasons.ladders.sheets.handicaps import PersonHandicap, person_handicap
from seasons.people.sheets.own_page import ahead, own_ladders, tonight


@dataclass(frozen=True, slots=True)
class Section:
    """One section: its title, the function that reads its data, and its template."""

    key: str
    title: Promise
    read: Callable[[Player], object]
    template: str
    is_silent: bool = False
    """Whether the section is left out if it has no data."""


def handicap_of(player: Player) -> PersonHandicap | None:
    """Return a person's handicap in the club's newest season; None if there is no handicap."""
    season = player.club.seasons.order_by("-last_day", "-pk").first()
    terms = terms_of_season(season) if season else None
    return person_handicap(season, terms, player) if season and terms else None


def sections_of(player: Player) -> list[tuple[Section, object]]:
    """Return the sections of a person, each with its data."""
    read = [(each, each.read(player)) for each in SECTIONS]
    return [(each, found) for each, found in read if found or not each.is_silent]


SECTIONS: tuple[Section, ...] = (
    Section("tonight", _("Tonight"), tonight, "seasons/me/_tonight.html", is_silent=True),
    Section("ahead", _("Evenings to come"), ahead, "seasons/me/_ahead.html"),
    Section("grade", _("Grade"), grade_section, "seasons/me/_grade.html"),
    Section("ladders", _("Ladders"), own_ladders, "seasons/me/_ladders.html"),
    Section(
        "handicap", _("Handicap"), handicap_of, "seasons/me/_handicap.html", is_silent=True
    ),
)
