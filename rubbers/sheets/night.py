"""The overview of a night: its tables and its standings, as data for pages and the API."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from rubbers.rubber.night import MemberTotals
from rubbers.sheets.marker import MarkerPageData, PlayerNameFormatter, build_marker_page_data
from rubbers.sheets.terms import describe_term_changes
from rubbers.sheets.words import format_signed
from rubbers.snapshot import NightSnapshot


@dataclass(frozen=True, slots=True)
class NightStandingLine:
    """A player's line in the standings of a night."""

    number: int
    name: str
    rank: int
    is_tied: bool
    points_text: str
    rubbers_text: str
    """The number of rubbers won, of the number played, e.g. "2 of 3"."""
    games_text: str


@dataclass(frozen=True, kw_only=True)
class NightSheet:
    """A night: its code and the club's terms, its tables and its standings."""

    law_code_title: str
    changed_terms: tuple[str, ...]
    """A text for each term that the club has changed from the code."""
    tables: tuple[MarkerPageData, ...]
    standing_lines: tuple[NightStandingLine, ...]
    has_rubbers: bool
    is_closed: bool


def build_night_sheet(snapshot: NightSnapshot, format_name: PlayerNameFormatter) -> NightSheet:
    """Return the overview of a night."""
    return NightSheet(
        law_code_title=str(snapshot.code.title),
        changed_terms=tuple(describe_term_changes(snapshot.code, snapshot.row.terms)),
        tables=tuple(
            build_marker_page_data(snapshot, table, format_name)
            for table in snapshot.tables.values()
        ),
        standing_lines=tuple(
            _build_standing_line(snapshot, totals, format_name) for totals in snapshot.standings
        ),
        has_rubbers=snapshot.terms.best_of is not None,
        is_closed=snapshot.row.is_closed,
    )


def _build_standing_line(
    snapshot: NightSnapshot, totals: MemberTotals, format_name: PlayerNameFormatter
) -> NightStandingLine:
    player_number = int(totals.player_key)
    won_of_played_template = _("%(won)s of %(played)s")
    return NightStandingLine(
        number=player_number,
        name=format_name(snapshot.players[player_number]),
        rank=totals.rank,
        is_tied=totals.is_tied,
        points_text=format_signed(totals.points),
        rubbers_text=won_of_played_template
        % {"won": totals.rubbers_won, "played": totals.rubbers},
        games_text=won_of_played_template % {"won": totals.games_won, "played": totals.games},
    )
