"""Heatmaps of a movement's balance: of comparisons, and of meetings as opponents."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, product

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements import Balance, Contest, Movement

MAX_SHADE_LEVEL = 4
CountMatrix = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Shade:
    """All squares of one shade, as one SVG path; level 0 means a count of 0."""

    level: int
    path: str


@dataclass(frozen=True, slots=True)
class Heatmap:
    """A heatmap with a row and a column for each competitor; darker means more often.

    `text` describes the picture in words.
    """

    title: str
    text: str
    side_length: int
    shades: tuple[Shade, ...]


def build_comparison_heatmap(movement: Movement, balance: Balance) -> Heatmap:
    """Return the heatmap of the board groups that two competitors play the same way."""
    return _build_heatmap(
        _("Comparisons"), _describe_comparisons(balance), balance.same_side_counts
    )


def build_meeting_heatmap(movement: Movement, balance: Balance) -> Heatmap:
    """Return the heatmap of the rounds in which two competitors are opponents."""
    return _build_heatmap(
        _("Meetings"), _describe_meetings(balance), count_meetings(movement, balance)
    )


def count_meetings(movement: Movement, balance: Balance) -> list[list[int]]:
    """Return the number of rounds in which two competitors are opponents, as a matrix."""
    is_team_event = movement.contest is Contest.TEAMS
    meeting_counts: Counter[tuple[int, int]] = Counter()
    for meeting in movement.played_meetings:
        for ns_place, ew_place in product(meeting.ns, meeting.ew):
            pairing = (
                (movement.get_team_number(ns_place), movement.get_team_number(ew_place))
                if is_team_event
                else (ns_place, ew_place)
            )
            meeting_counts[pairing] += 1
            meeting_counts[pairing[::-1]] += 1
    return [
        [meeting_counts[competitor, opponent] for opponent in balance.competitors]
        for competitor in balance.competitors
    ]


def _build_heatmap(title: str, description: str, matrix: CountMatrix) -> Heatmap:
    highest_count = max((count for row in matrix for count in row), default=0)
    paths_by_level: dict[int, list[str]] = {level: [] for level in range(MAX_SHADE_LEVEL + 1)}
    for row_index, row in enumerate(matrix):
        levels = [
            -1 if row_index == column_index else _compute_shade_level(count, highest_count)
            for column_index, count in enumerate(row)
        ]
        for level, level_columns in groupby(range(len(row)), key=levels.__getitem__):
            column_indexes = list(level_columns)
            if level >= 0:
                paths_by_level[level].append(
                    f"M{column_indexes[0]} {row_index}.5h{len(column_indexes)}"
                )
    return Heatmap(
        title=title,
        text=description,
        side_length=len(matrix),
        shades=tuple(
            Shade(level, "".join(paths)) for level, paths in paths_by_level.items() if paths
        ),
    )


def _compute_shade_level(count: int, highest_count: int) -> int:
    """Return the shade of a count: 0 for zero, else 1 to 4 by the share of the maximum."""
    return max(count * MAX_SHADE_LEVEL // highest_count, 1) if count else 0


def _describe_comparisons(balance: Balance) -> str:
    spread = balance.comparison_spread
    if spread.minimum == spread.maximum:
        return ngettext(
            "Any two are compared on %(most)s set of boards.",
            "Any two are compared on %(most)s sets of boards.",
            spread.maximum,
        ) % {"most": spread.maximum}
    return _("Any two are compared on %(least)s–%(most)s sets of boards.") % {
        "least": spread.minimum,
        "most": spread.maximum,
    }


def _describe_meetings(balance: Balance) -> str:
    if not balance.unmet_pairings:
        return _("Everyone meets everyone they can.")
    unmet_counts = Counter(place for pairing in balance.unmet_pairings for place in pairing)
    highest_count = max(unmet_counts.values())
    placeholders = {
        "met": balance.met_pairing_count,
        "possible": balance.possible_pairing_count,
        "most": highest_count,
    }
    return (
        _("%(met)s of %(possible)s possible meetings. Each misses at most %(most)s.")
        % placeholders
    )
