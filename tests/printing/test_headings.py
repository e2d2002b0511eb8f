"""The heading of a paper is the club's name, or its short name if space is limited."""

from printing.box import MM, Box
from printing.headings import choose_club_name
from printing.identity import use_club_identity

LONG_NAME = "Riverside and District Duplicate Whist Club"
WIDE_BOX, NARROW_BOX = Box(0, 0, 120 * MM, 10 * MM), Box(0, 0, 30 * MM, 10 * MM)


def test_narrow_paper_shows_short_club_name_and_wide_paper_full_name() -> None:
    with use_club_identity(b"", "Riverside"):
        assert choose_club_name(LONG_NAME, WIDE_BOX, 11) == LONG_NAME
        assert choose_club_name(LONG_NAME, NARROW_BOX, 11) == "Riverside"
        assert choose_club_name("Whist", NARROW_BOX, 11) == "Whist"
    # a club without a short name doesn't get that of another club
    assert choose_club_name(LONG_NAME, NARROW_BOX, 11) == LONG_NAME


def test_papers_of_each_club_show_its_own_heading() -> None:
    with use_club_identity(b"", "River"):
        with use_club_identity(b"", ""):
            assert choose_club_name(LONG_NAME, NARROW_BOX, 11) == LONG_NAME
        assert choose_club_name(LONG_NAME, NARROW_BOX, 11) == "River"
