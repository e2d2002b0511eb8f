"""The overview of a night: its tables and its standings."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from rubbers.rubber.night import MemberTotals
from rubbers.sheets.marker import Marker, PlayerNamer, build_marker
from rubbers.sheets.terms import describe_changes
from rubbers.sheets.words import format_signed
from rubbers.snapshot import NightSnapshot


@dataclass(frozen=True, slots=True)
class NightStandingLine:
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
    lines: tuple[NightStandingLine, ...]
    has_rubbers: bool
    is_closed: bool


def build_night_sheet(snapshot: NightSnapshot, names: PlayerNamer) -> NightSheet:
    """Return the overview of a night."""
    return NightSheet(
        code=str(snapshot.code.title),
        terms=tuple(describe_changes(snapshot.code, snapshot.row.terms)),
        tables=tuple(
            build_marker(snapshot, table, names) for table in snapshot.tables.values()
        ),
        lines=tuple(_build_line(snapshot, standing, names) for standing in snapshot.standings),
        has_rubbers=snapshot.terms.best_of is not None,
        is_closed=snapshot.row.is_closed,
    )


def _build_line(
    snapshot: NightSnapshot, tally: MemberTotals, names: PlayerNamer
) -> NightStandingLine:
    number = int(tally.player)
    won = _("%(won)s of %(played)s")
    return NightStandingLine(
        number=number,
        name=names(snapshot.players[number]),
        rank=tally.rank,
        tied=tally.tied,
        points=format_signed(tally.points),
        rubbers=won % {"won": tally.rubbers_won, "played": tally.rubbers},
        games=won % {"won": tally.games_won, "played": tally.games},
    )
