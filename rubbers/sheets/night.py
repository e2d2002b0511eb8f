"""The overview of a night: its tables and its standings."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from rubbers.held import HeldNight
from rubbers.rubber.night import Tally
from rubbers.sheets.marker import Marker, Names, marker
from rubbers.sheets.terms import changed_words
from rubbers.sheets.words import signed


@dataclass(frozen=True, slots=True)
class LineOfStanding:
    """One line of the standings."""

    number: int
    name: str
    rank: int
    tied: bool
    points: str
    rubbers: str
    """Rubbers won of those played."""
    games: str


@dataclass(frozen=True, kw_only=True)
class NightSheet:
    """A night: its code and terms, its tables and its standings."""

    code: str
    terms: tuple[str, ...]
    """The terms in which the house differs from its code."""
    tables: tuple[Marker, ...]
    lines: tuple[LineOfStanding, ...]
    has_rubbers: bool
    is_closed: bool


def night_sheet(held: HeldNight, names: Names) -> NightSheet:
    """Return the overview of a night."""
    return NightSheet(
        code=str(held.code.title),
        terms=tuple(changed_words(held.code, held.row.terms)),
        tables=tuple(marker(held, table, names) for table in held.tables.values()),
        lines=tuple(_line(held, each, names) for each in held.standing),
        has_rubbers=held.terms.best_of is not None,
        is_closed=held.row.is_closed,
    )


def _line(held: HeldNight, tally: Tally, names: Names) -> LineOfStanding:
    number = int(tally.player)
    won = _("%(won)s of %(played)s")
    return LineOfStanding(
        number=number,
        name=names(held.people[number]),
        rank=tally.rank,
        tied=tally.tied,
        points=signed(tally.points),
        rubbers=won % {"won": tally.rubbers_won, "played": tally.rubbers},
        games=won % {"won": tally.games_won, "played": tally.games},
    )
