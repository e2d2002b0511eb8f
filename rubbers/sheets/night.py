"""A night at a glance: its tables, and how everybody stands."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from rubbers.held import HeldNight
from rubbers.rubber.night import Tally
from rubbers.sheets.marker import Marker, Names, marker
from rubbers.sheets.terms import changed_words
from rubbers.sheets.words import signed


@dataclass(frozen=True, slots=True)
class LineOfStanding:
    """One line of the standing."""

    number: int
    name: str
    rank: int
    tied: bool
    points: str
    rubbers: str
    """Won of those played."""
    games: str


@dataclass(frozen=True, kw_only=True)
class NightSheet:
    """A night: what it is played by, its tables and its standing."""

    code: str
    terms: tuple[str, ...]
    """In what the house differs from its code."""
    tables: tuple[Marker, ...]
    lines: tuple[LineOfStanding, ...]
    has_rubbers: bool
    is_closed: bool


def night_sheet(held: HeldNight, names: Names) -> NightSheet:
    """Everything of a night."""
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
