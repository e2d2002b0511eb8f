"""Small pictures of a movement's balance: who is compared with whom, and who meets whom."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, product

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements import Balance, Contest, Movement

DARKEST = 4
Square = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Shade:
    """All squares of one darkness, as the strokes of one SVG path; 0 means never."""

    level: int
    path: str


@dataclass(frozen=True, slots=True)
class Heat:
    """A square picture: a row and a column for each competitor, darker for more often.

    `text` describes the picture in words.
    """

    title: str
    text: str
    side: int
    shades: tuple[Shade, ...]


def compared(movement: Movement, figures: Balance) -> Heat:
    """Draw on how many board groups each two competitors sit the same way."""
    return _heat(_("Who is compared with whom"), _compared_words(figures), figures.same)


def met(movement: Movement, figures: Balance) -> Heat:
    """Draw how often each two competitors meet as opponents."""
    return _heat(_("Who meets whom"), _met_words(figures), meetings(movement, figures))


def meetings(movement: Movement, figures: Balance) -> list[list[int]]:
    """Count the rounds in which each two competitors oppose each other, by competitor."""
    teams = movement.contest is Contest.TEAMS
    counts: Counter[tuple[int, int]] = Counter()
    for meeting in movement.played:
        for one, other in product(meeting.ns, meeting.ew):
            couple = (movement.team(one), movement.team(other)) if teams else (one, other)
            counts[couple] += 1
            counts[couple[::-1]] += 1
    return [[counts[a, b] for b in figures.competitors] for a in figures.competitors]


def _heat(title: str, text: str, square: Square) -> Heat:
    most = max((number for row in square for number in row), default=0)
    strokes: dict[int, list[str]] = {level: [] for level in range(DARKEST + 1)}
    for line, row in enumerate(square):
        levels = [-1 if line == at else _level(each, most) for at, each in enumerate(row)]
        for level, run in groupby(range(len(row)), key=levels.__getitem__):
            columns = list(run)
            if level >= 0:
                strokes[level].append(f"M{columns[0]} {line}.5h{len(columns)}")
    return Heat(
        title=title,
        text=text,
        side=len(square),
        shades=tuple(Shade(level, "".join(parts)) for level, parts in strokes.items() if parts),
    )


def _level(number: int, most: int) -> int:
    """Return a darkness from 1 to 4 for a share of the maximum; 0 for never."""
    return max(number * DARKEST // most, 1) if number else 0


def _compared_words(figures: Balance) -> str:
    spread = figures.comparisons
    if spread.least == spread.most:
        return ngettext(
            "Every two are compared on %(most)s set of boards.",
            "Every two are compared on %(most)s sets of boards.",
            spread.most,
        ) % {"most": spread.most}
    return _("Two are compared on %(least)s to %(most)s sets of boards.") % {
        "least": spread.least,
        "most": spread.most,
    }


def _met_words(figures: Balance) -> str:
    if not figures.unmet:
        return _("Everybody meets everybody who can be met.")
    never = Counter(place for couple in figures.unmet for place in couple)
    most = max(never.values())
    words = {"met": figures.met, "possible": figures.possible, "most": most}
    return (
        _(
            "%(met)s of %(possible)s possible meetings take place; "
            "nobody misses more than %(most)s."
        )
        % words
    )
