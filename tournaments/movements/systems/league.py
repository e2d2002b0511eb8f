"""The League's match of two teams of four: six sets in which partners change within a team."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import gettext_noop
from tournaments.movements.formatting import join_names
from tournaments.movements.meetings import (
    Contest,
    Meeting,
    make_ns_and_ew_labels,
    make_pair_meeting,
)
from tournaments.movements.schedule import Movement, UnplayableMovement
from tournaments.movements.systems.system import MovementSystem, SizeUnit

LINE_UPS = (
    ("AB", "WX", "YZ", "CD"),
    ("AB", "YZ", "WX", "CD"),
    ("AC", "WY", "XZ", "BD"),
    ("AC", "XZ", "WY", "BD"),
    ("AD", "XY", "WZ", "BC"),
    ("AD", "WZ", "XY", "BC"),
)
"""The players of each of the six sets: table 1 N-S, table 1 E-W, table 2 N-S, table 2 E-W.

Team 1 is A B C D, team 2 is W X Y Z.

Source: R. F. Foster, *Complete Hoyle*, duplicate whist.
"""

PLACE_LABELS = ("1NS", "2EW", "2NS", "1EW")
"""The places of the four line-ups; the two players of a place stay together during a set."""

EXCHANGE_ANNOUNCEMENT = gettext_noop("The two tables exchange the boards of each set.")
THREE_SETS_DOWNSIDE = gettext_noop(
    "In three sets not everyone meets. A never plays against Z, and some opponents meet "
    "once, others twice. Six sets are balanced."
)


def build_league_fours(
    team_count: int = 2, sets: int | None = None, rounds: int | None = None
) -> Movement:
    """Build the match of two teams of four over six sets.

    The tables exchange the boards of each set. Over six sets, every partnership plays twice and
    every two opponents meet three times. Clubs usually play three sets (the 1st, 3rd and 5th),
    which are not balanced. A set is a round, so `sets` and `rounds` have the same meaning.

    Source: R. F. Foster, *Complete Hoyle*, duplicate whist, League match.
    """
    set_count = len(list_line_ups(sets or rounds or 6))
    return Movement(
        name="league-fours",
        title=ngettext("League match, %(sets)s set", "League match, %(sets)s sets", set_count)
        % {"sets": set_count},
        contest=Contest.TEAMS,
        meetings=tuple(
            meeting
            for set_number in range(1, set_count + 1)
            for meeting in _build_set_meetings(set_number, team_count)
        ),
        labels=make_ns_and_ew_labels(team_count, team_count),
        allows_sharing=True,
    )


def list_line_ups(set_count: int = 6) -> Sequence[tuple[str, str, str, str]]:
    """Return the line-up of each set: of all six, or of the 1st, 3rd and 5th."""
    if set_count == 6:
        return LINE_UPS
    if set_count == 3:
        return LINE_UPS[::2]
    message = _("Choose 6 or 3 sets for a League match, not %(sets)s.")
    raise UnplayableMovement(message % {"sets": set_count})


def list_line_up_announcements(set_count: int = 6) -> list[str]:
    """Return a sentence with the line-up of each set."""
    return [
        describe_set_line_up(set_number, set_count)
        for set_number in range(1, len(list_line_ups(set_count)) + 1)
    ]


def count_league_sets(round_count: int) -> int:
    """Return the number of sets in a match.

    An extra round that makes up boards is not a set.
    """
    return 6 if round_count >= 6 else 3


def find_line_up(place_label: str, round_number: int, board_group: int, set_count: int) -> str:
    """Return the letters of the two players at a place, or "" if the place is empty.

    Players keep their place at any table and on any side. Boards made up after the last set are
    played with the line-up of their own set.
    """
    set_number = round_number if round_number <= set_count else board_group
    if place_label not in PLACE_LABELS or not 1 <= set_number <= set_count:
        return ""
    return list_line_ups(set_count)[set_number - 1][PLACE_LABELS.index(place_label)]


def describe_set_line_up(set_number: int, set_count: int = 6) -> str:
    """Return a sentence with the line-up of one set."""
    return format_set_line_up(set_number, list_line_ups(set_count)[set_number - 1])


def format_set_line_up(set_number: int, pair_letters: Sequence[str]) -> str:
    """Return a sentence with the pairs of a set: table 1 N-S and E-W, table 2 N-S and E-W."""
    message = _(
        "Set %(set)s: table 1 has %(ns1)s N-S against %(ew1)s E-W, table 2 has %(ns2)s N-S "
        "against %(ew2)s E-W."
    )
    placeholders_and_pairs = zip(("ns1", "ew1", "ns2", "ew2"), pair_letters, strict=True)
    return message % {
        "set": set_number,
        **{
            placeholder: join_names(letters_of_pair)
            for placeholder, letters_of_pair in placeholders_and_pairs
        },
    }


def _build_set_meetings(set_number: int, team_count: int) -> tuple[Meeting, Meeting]:
    return (
        make_pair_meeting(set_number, 1, 1, team_count + 2, set_number),
        make_pair_meeting(set_number, 2, 2, team_count + 1, set_number),
    )


LEAGUE_FOURS_SYSTEM = MovementSystem(
    name="league-fours",
    title=gettext_noop("League match of two teams"),
    contest=Contest.TEAMS,
    unit=SizeUnit.TEAMS,
    sizes=gettext_noop("2 teams"),
    fits_size=lambda team_count: team_count == 2,
    build_movement=build_league_fours,
    source=gettext_noop("R. F. Foster, Complete Hoyle, duplicate whist, League match"),
    remarks=gettext_noop(
        "six sets are balanced, three are not, and both tables play the same boards"
    ),
    options=("sets", "rounds"),
    list_announcements=lambda movement: [
        *list_line_up_announcements(movement.round_count),
        _(EXCHANGE_ANNOUNCEMENT),
    ],
)
