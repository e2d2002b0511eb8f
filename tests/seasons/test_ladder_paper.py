"""Test a printed ladder: its rule at any length, and its heading."""

from datetime import date
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club
from printing.identity import use_club_identity
from seasons.ladders import papers
from seasons.ladders.models import Ladder, Season
from seasons.ladders.sheets.ladders import LadderLine, LadderSheet
from seasons.people import papers as link_cards
from tests.factories import LadderFactory, SeasonFactory
from tests.scoring.papers import reading

pytestmark = pytest.mark.slow

LONG_CLUB_NAME = "The Royal Riverside & Upper Wensleydale Duplicate Whist Club of 1897"


def build_sheet(lines: int, rule: str) -> LadderSheet:
    season = Season(club=Club(name=LONG_CLUB_NAME), name="2026/27", last_day=date(2027, 5, 30))
    return LadderSheet(
        ladder=Ladder(season=season, name="Championship"),
        rule=rule,
        totals_heading="plus in IMP",
        ranked=tuple(
            LadderLine((f"Player {number}",), number, False, 9, 9, Fraction(-number, 3), 0)
            for number in range(1, lines + 1)
        ),
        unranked=(),
        warning="",
        evening_count=9,
        has_signed_totals=True,
        latest_day=None,
    )


@pytest.mark.parametrize("paper_size", ["A4", "Letter"])
@pytest.mark.parametrize("word_count", [10, 60, 140])
def test_complete_rule_is_printed_below_full_page_without_overlap(
    paper_size, word_count
) -> None:
    rule = " ".join(f"word{number}" for number in range(word_count))
    for lines in range(20, 30):
        pdf = papers.draw_ladder(build_sheet(lines, rule), paper_size=paper_size)
        assert rule.split()[-1] in reading.read_texts(pdf)[-1]
        for page in reading.read_pages(pdf):
            assert reading.list_outside_marks(page) == []
            assert reading.list_collisions(page) == []


def test_heading_of_totals_keeps_capitals() -> None:
    assert (
        "Plus in IMP"
        in reading.read_texts(papers.draw_ladder(build_sheet(3, "Every evening counts.")))[0]
    )


def test_empty_ladder_shows_message_instead_of_table() -> None:
    (page,) = reading.read_texts(papers.draw_ladder(build_sheet(0, "Every evening counts.")))
    assert "No standings yet" in page
    assert "Every evening counts." in page
    assert "Place" not in page


def test_narrow_papers_of_season_show_short_club_name() -> None:
    with use_club_identity(b"", "Riverside"):
        (card,) = reading.read_texts(
            link_cards.draw_link_cards(LONG_CLUB_NAME, [("Ann", "https://x.example/me/1/")])
        )
        (ladder_text,) = reading.read_texts(
            papers.draw_ladder(build_sheet(3, "Every evening counts."))
        )
    assert "Riverside" in card
    assert LONG_CLUB_NAME not in card
    assert "Riverside" in ladder_text
    assert LONG_CLUB_NAME not in ladder_text


@pytest.mark.django_db
def test_club_logo_and_short_name_apply_to_all_its_papers() -> None:
    """The ladder's own view sets them: its paper once had neither logo nor short name."""
    season = SeasonFactory(club__name=LONG_CLUB_NAME, club__short_name="Riverside")
    row = LadderFactory(season=season)
    assert season.club.paper_branding == (b"", "Riverside")
    ladder_url = reverse("ladder_pdf", args=[season.club.slug, season.slug, row.slug])
    text = " ".join(reading.read_texts(Client().get(ladder_url).content))
    assert "Riverside" in text
    assert LONG_CLUB_NAME not in text
