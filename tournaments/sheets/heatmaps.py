"""Heatmaps of a movement's balance: of comparisons, and of meetings as opponents."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, product

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements import Balance, Contest, Movement

MAX_SHADE = 4
Square = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Shade:
    """All squares of one shade, as one SVG path; level 0 means never."""

    level: int
    path: str


@dataclass(frozen=True, slots=True)
class Heatmap:
    """A heatmap with a row and a column for each competitor; darker means more often.

    `text` describes the picture in words.
    """

    title: str
    text: str
    side: int
    shades: tuple[Shade, ...]


def build_comparison_heatmap(movement: Movement, balance: Balance) -> Heatmap:
    """Return the heatmap of the board groups that two competitors play the same way."""
    return _build_heatmap(_("Comparisons"), _describe_comparisons(balance), balance.same)


def build_meeting_heatmap(movement: Movement, balance: Balance) -> Heatmap:
    """Return the heatmap of the rounds in which two competitors are opponents."""
    return _build_heatmap(
        _("Meetings"), _describe_meetings(balance), count_meetings(movement, balance)
    )


def count_meetings(movement: Movement, balance: Balance) -> list[list[int]]:
    """Return the number of rounds in which two competitors are opponents, as a matrix."""
    teams = movement.contest is Contest.TEAMS
    counts: Counter[tuple[int, int]] = Counter()
    for meeting in movement.played:
        for one, other in product(meeting.ns, meeting.ew):
            couple = (movement.team(one), movement.team(other)) if teams else (one, other)
            counts[couple] += 1
            counts[couple[::-1]] += 1
    return [[counts[a, b] for b in balance.competitors] for a in balance.competitors]


def _build_heatmap(title: str, text: str, square: Square) -> Heatmap:
    highest_count = max((number for row in square for number in row), default=0)
    strokes: dict[int, list[str]] = {level: [] for level in range(MAX_SHADE + 1)}
    for line, row in enumerate(square):
        levels = [
            -1 if line == at else _shade_level(value, highest_count)
            for at, value in enumerate(row)
        ]
        for level, run in groupby(range(len(row)), key=levels.__getitem__):
            columns = list(run)
            if level >= 0:
                strokes[level].append(f"M{columns[0]} {line}.5h{len(columns)}")
    return Heatmap(
        title=title,
        text=text,
        side=len(square),
        shades=tuple(Shade(level, "".join(parts)) for level, parts in strokes.items() if parts),
    )


def _shade_level(number: int, most: int) -> int:
    """Return the shade from 1 to 4 for a number compared with the largest one; 0 for never."""
    return max(number * MAX_SHADE // most, 1) if number else 0


def _describe_comparisons(balance: Balance) -> str:
    spread = balance.comparisons
    if spread.least == spread.most:
        return ngettext(
            "Any two are compared on %(most)s set of boards.",
            "Any two are compared on %(most)s sets of boards.",
            spread.most,
        ) % {"most": spread.most}
    return _("Two are compared on %(least)s to %(most)s sets of boards.") % {
        "least": spread.least,
        "most": spread.most,
    }


def _describe_meetings(balance: Balance) -> str:
    if not balance.unmet:
        return _("Everyone meets everyone they can.")
    unmet_counts = Counter(place for couple in balance.unmet for place in couple)
    highest_count = max(unmet_counts.values())
    placeholders = {"met": balance.met, "possible": balance.possible, "most": highest_count}
    return (
        _("%(met)s of %(possible)s possible meetings. Each misses at most %(most)s.")
        % placeholders
    )
