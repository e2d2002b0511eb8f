"""The sections of a person's own page, in the order in which the page shows them.

The template of a section gets the section's data in the variable `read`. A section must use a
fixed number of queries, because a person may have ten years of evenings.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from seasons.grades.sheets import build_grade_section
from seasons.ladders.season_tables import load_season_terms
from seasons.ladders.sheets.handicaps import PersonHandicap, load_person_handicap
from seasons.people.sheets.own_page import (
    list_own_ladders,
    list_todays_seats,
    list_upcoming_evenings,
)
from seasons.people.sheets.score_queries import list_queryable_events


@dataclass(frozen=True, slots=True)
class PageSection:
    """One section of the page: the title, the function that loads the data, the template."""

    section_key: str
    title: Promise
    load_data: Callable[[Player], object]
    template: str
    is_hidden_if_empty: bool = False
    """Whether the page leaves out the section if there are no data."""


def load_current_handicap(player: Player) -> PersonHandicap | None:
    """Return a person's handicap in the club's newest season; None without a handicap."""
    season = player.club.seasons.order_by("-last_day", "-pk").first()
    handicap_terms = load_season_terms(season) if season else None
    return (
        load_person_handicap(season, handicap_terms, player)
        if season and handicap_terms
        else None
    )


def load_sections(player: Player) -> list[tuple[PageSection, object]]:
    """Return the sections of a person's own page, each with its data.

    Sections that are hidden if empty are left out if they have no data.
    """
    sections_with_data = [(section, section.load_data(player)) for section in PAGE_SECTIONS]
    return [
        (section, section_data)
        for section, section_data in sections_with_data
        if section_data or not section.is_hidden_if_empty
    ]


PAGE_SECTIONS: tuple[PageSection, ...] = (
    PageSection(
        "tonight",
        _("Tonight"),
        list_todays_seats,
        "seasons/me/_tonight.html",
        is_hidden_if_empty=True,
    ),
    PageSection(
        "queries",
        _("If a score is wrong"),
        list_queryable_events,
        "seasons/me/_queries.html",
        is_hidden_if_empty=True,
    ),
    PageSection(
        "ahead", _("Upcoming evenings"), list_upcoming_evenings, "seasons/me/_ahead.html"
    ),
    PageSection(
        "grade",
        _("Grade"),
        build_grade_section,
        "seasons/me/_grade.html",
        is_hidden_if_empty=True,
    ),
    PageSection(
        "ladders",
        _("Ladders"),
        list_own_ladders,
        "seasons/me/_ladders.html",
        is_hidden_if_empty=True,
    ),
    PageSection(
        "handicap",
        _("Handicap"),
        load_current_handicap,
        "seasons/me/_handicap.html",
        is_hidden_if_empty=True,
    ),
)
