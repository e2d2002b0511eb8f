"""The head of a paper: a club's name, or its short one where space is short."""

from printing.box import MM, Box
from printing.headings import choose_club_name
from printing.identity import use_identity

LONG = "Riverside and District Duplicate Whist Club"
WIDE, NARROW = Box(0, 0, 120 * MM, 10 * MM), Box(0, 0, 30 * MM, 10 * MM)


def test_a_narrow_paper_bears_the_short_name_and_a_wide_one_the_whole() -> None:
    with use_identity(b"", "Riverside"):
        assert choose_club_name(LONG, WIDE, 11) == LONG
        assert choose_club_name(LONG, NARROW, 11) == "Riverside"
        assert choose_club_name("Whist", NARROW, 11) == "Whist"
    assert choose_club_name(LONG, NARROW, 11) == LONG  # a club without one, and no other club's


def test_each_club_s_papers_bear_their_own() -> None:
    with use_identity(b"", "River"):
        with use_identity(b"", ""):
            assert choose_club_name(LONG, NARROW, 11) == LONG
        assert choose_club_name(LONG, NARROW, 11) == "River"
