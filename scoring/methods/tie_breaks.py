"""The tie-breaks that an event can use: numbers that rank entries with equal scores."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError
from scoring.methods import matches as pair_matches
from scoring.methods import opponents, teams
from scoring.methods.deal_comparison import compare_deals
from scoring.methods.matches import Match, compute_match_value
from scoring.methods.ranking import TieBreakValues
from scoring.methods.result_line import ResultLine, iter_line_sides
from server.translation import TranslatedField, gettext_noop

ZERO = Fraction()


class UnknownTieBreak(WhistError, ValueError):
    """Raised for the name of a tie-break that does not exist."""

    code = "unknown_tie_break"


@dataclass(frozen=True)
class TieBreak:
    """A number that ranks level entries; a higher number is better."""

    name: str
    prepare: Callable[[Sequence[ResultLine]], TieBreakValues]
    title: TranslatedField = TranslatedField()
    title_in_points: str = ""
    """Its title where points are counted; empty if the title does not name tricks."""
    needs_corrected_totals: bool = False
    """Whether it is computed from the corrected totals of all entries, which the standings
    pass
    in.
    """


def prepare_tie_breaks(
    names: Iterable[str],
    lines: Sequence[ResultLine],
    corrected: Mapping[int, Fraction] | None = None,
) -> dict[str, TieBreakValues]:
    """Prepare the tie-breaks of an event, in its order, for `ranking.rank_entries`.

    `corrected` are the corrected totals of all entries, for the tie-break that needs them.
    """
    values_by_tie_break: dict[str, TieBreakValues] = {}
    for name in names:
        tie_break = _find_tie_break(name)
        values_by_tie_break[name] = (
            _select_values(corrected or {})
            if tie_break.needs_corrected_totals
            else tie_break.prepare(lines)
        )
    return values_by_tie_break


def _select_values(figures: Mapping[int, Fraction]) -> TieBreakValues:
    return lambda level: {entry: figures.get(entry, ZERO) for entry in level}


def count_matches_won(lines: Sequence[ResultLine]) -> Mapping[int, Fraction]:
    """Count the matches each entry won; a level match counts a half."""
    team_matches = teams.list_team_matches(lines)
    if not team_matches:
        return pair_matches.score_matches(lines)
    wins: dict[int, Fraction] = defaultdict(Fraction)
    for match in team_matches:
        wins[match.first] += compute_match_value(match.net_tricks)
        wins[match.second] += compute_match_value(-match.net_tricks)
    return wins


def compute_net_tricks(lines: Sequence[ResultLine]) -> Mapping[int, Fraction]:
    """Add up each entry's net tricks over all its matches."""
    team_matches = teams.list_team_matches(lines)
    return (
        _add_up_net_tricks(team_matches)
        if team_matches
        else pair_matches.compute_net_tricks(lines)
    )


def count_tops(lines: Sequence[ResultLine]) -> Mapping[int, Fraction]:
    """Count the deals on which no entry with the same cards did better; a tie is shared."""
    comparisons = compare_deals(lines)
    tops_by_entry: dict[int, Fraction] = defaultdict(Fraction)
    for line_side in iter_line_sides(lines):
        scores = comparisons[line_side.deal][line_side.side == "EW"].counts
        if line_side.tricks is not None and line_side.tricks == max(scores):
            for entry in line_side.entries:
                tops_by_entry[entry] += Fraction(1, scores[line_side.tricks])
    return tops_by_entry


def prepare_matches_between(lines: Sequence[ResultLine]) -> TieBreakValues:
    """Add up each entry's net tricks in its matches with the other level entries."""
    team_matches = teams.list_team_matches(lines)

    def figures(level: Collection[int]) -> Mapping[int, Fraction]:
        field_entries = set(level)
        matches_between = (
            [
                match
                for match in team_matches
                if match.first in field_entries and match.second in field_entries
            ]
            if team_matches
            else pair_matches.list_matches(lines, among_entries=field_entries)
        )
        nets = _add_up_net_tricks(matches_between)
        return {entry: nets.get(entry, ZERO) for entry in level}

    return figures


def _compute_once(
    compute_values: Callable[[Sequence[ResultLine]], Mapping[int, Fraction]],
) -> Callable[..., TieBreakValues]:
    """Compute a number for all entries only once, when it is first needed."""

    def prepare(lines: Sequence[ResultLine]) -> TieBreakValues:
        @cache
        def compute() -> Mapping[int, Fraction]:
            return compute_values(lines)

        return lambda level: {entry: compute().get(entry, ZERO) for entry in level}

    return prepare


TIE_BREAKS: dict[str, TieBreak] = {
    it.name: it
    for it in (
        TieBreak("matches", _compute_once(count_matches_won), gettext_noop("Matches won")),
        TieBreak(
            "net_tricks",
            _compute_once(compute_net_tricks),
            gettext_noop("Net tricks"),
            gettext_noop("Net points"),
        ),
        TieBreak("tops", _compute_once(count_tops), gettext_noop("Tops")),
        TieBreak("between_them", prepare_matches_between, gettext_noop("Result between them")),
        TieBreak(
            "corrected",
            lambda lines: _select_values({}),
            gettext_noop("Corrected total"),
            needs_corrected_totals=True,
        ),
        TieBreak("met", opponents.prepare_direct_match, gettext_noop("Match between the two")),
        TieBreak(
            "boards_won", _compute_once(opponents.count_boards_won), gettext_noop("Boards won")
        ),
    )
}


def map_tie_break_titles(*, in_points: bool = False) -> dict[str, str]:
    """Return the titles of the tie-breaks, by name."""
    return {
        name: _(tie_break.title_in_points)
        if in_points and tie_break.title_in_points
        else tie_break.title
        for name, tie_break in TIE_BREAKS.items()
    }


def _find_tie_break(name: str) -> TieBreak:
    if name not in TIE_BREAKS:
        raise UnknownTieBreak(
            _("Tie-break %(name)s not found. Choose from %(names)s.")
            % {"name": name, "names": ", ".join(TIE_BREAKS)}
        )
    return TIE_BREAKS[name]


def _add_up_net_tricks(matches: Iterable[Match]) -> Mapping[int, Fraction]:
    nets: dict[int, Fraction] = defaultdict(Fraction)
    for match in matches:
        nets[match.first] += match.net_tricks
        nets[match.second] -= match.net_tricks
    return nets
