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
from scoring.methods.ranking import TieBreakFunction
from scoring.methods.result_line import ResultLine, iter_result_sides
from server.translation import TranslatedField, gettext_noop

ZERO = Fraction()


class UnknownTieBreak(WhistError, ValueError):
    """Raised for the name of a tie-break that does not exist."""

    code = "unknown_tie_break"


@dataclass(frozen=True)
class TieBreak:
    """A number that ranks entries with equal scores; a higher number is better."""

    name: str
    build_function: Callable[[Sequence[ResultLine]], TieBreakFunction]
    title: TranslatedField = TranslatedField()
    title_in_points: str = ""
    """The title in an event scored in points; empty if `title` does not mention tricks."""
    needs_corrected_totals: bool = False
    """Whether the values are the corrected totals, which the standings pass in."""


def build_tie_break_functions(
    tie_break_names: Iterable[str],
    result_lines: Sequence[ResultLine],
    corrected_totals_by_entry: Mapping[int, Fraction] | None = None,
) -> dict[str, TieBreakFunction]:
    """Build the functions for `ranking.rank_entries`, in the order of `tie_break_names`.

    `corrected_totals_by_entry` has the corrected totals of all entries, for the tie-break that
    needs them.
    """
    functions_by_name: dict[str, TieBreakFunction] = {}
    for name in tie_break_names:
        tie_break = _find_tie_break(name)
        functions_by_name[name] = (
            _build_value_lookup(corrected_totals_by_entry or {})
            if tie_break.needs_corrected_totals
            else tie_break.build_function(result_lines)
        )
    return functions_by_name


def _build_value_lookup(values_by_entry: Mapping[int, Fraction]) -> TieBreakFunction:
    return lambda tied_entries: {
        entry_number: values_by_entry.get(entry_number, ZERO) for entry_number in tied_entries
    }


def count_matches_won(result_lines: Sequence[ResultLine]) -> Mapping[int, Fraction]:
    """Count the matches each entry won; a level match counts a half."""
    team_matches = teams.list_team_matches(result_lines)
    if not team_matches:
        return pair_matches.score_matches(result_lines)
    wins_by_entry: dict[int, Fraction] = defaultdict(Fraction)
    for match in team_matches:
        wins_by_entry[match.first_entry_number] += compute_match_value(match.net_tricks)
        wins_by_entry[match.second_entry_number] += compute_match_value(-match.net_tricks)
    return wins_by_entry


def compute_net_tricks(result_lines: Sequence[ResultLine]) -> Mapping[int, Fraction]:
    """Add up each entry's net tricks over all its matches."""
    team_matches = teams.list_team_matches(result_lines)
    return (
        _add_up_net_tricks(team_matches)
        if team_matches
        else pair_matches.compute_net_tricks(result_lines)
    )


def count_tops(result_lines: Sequence[ResultLine]) -> Mapping[int, Fraction]:
    """Count the deals on which no entry with the same cards did better.

    If n entries are equal best on a deal, each gets 1/n.
    """
    comparisons_by_deal = compare_deals(result_lines)
    tops_by_entry: dict[int, Fraction] = defaultdict(Fraction)
    for result_side in iter_result_sides(result_lines):
        table_counts = comparisons_by_deal[result_side.deal_number][
            result_side.side == "EW"
        ].table_counts_by_tricks
        if result_side.tricks is not None and result_side.tricks == max(table_counts):
            for entry_number in result_side.entries:
                tops_by_entry[entry_number] += Fraction(1, table_counts[result_side.tricks])
    return tops_by_entry


def build_head_to_head_tie_break(result_lines: Sequence[ResultLine]) -> TieBreakFunction:
    """Return a tie-break by the net tricks in the matches between the tied entries."""
    team_matches = teams.list_team_matches(result_lines)

    def compute_values(tied_entries: Collection[int]) -> Mapping[int, Fraction]:
        compared_entries = set(tied_entries)
        matches_between_tied_entries = (
            [
                match
                for match in team_matches
                if match.first_entry_number in compared_entries
                and match.second_entry_number in compared_entries
            ]
            if team_matches
            else pair_matches.list_matches(result_lines, among_entries=compared_entries)
        )
        net_tricks_by_entry = _add_up_net_tricks(matches_between_tied_entries)
        return {
            entry_number: net_tricks_by_entry.get(entry_number, ZERO)
            for entry_number in tied_entries
        }

    return compute_values


def _build_cached_function_builder(
    compute_values: Callable[[Sequence[ResultLine]], Mapping[int, Fraction]],
) -> Callable[..., TieBreakFunction]:
    """Return a `build_function` that calls `compute_values` once, when first needed."""

    def build_function(result_lines: Sequence[ResultLine]) -> TieBreakFunction:
        @cache
        def compute_all_values() -> Mapping[int, Fraction]:
            return compute_values(result_lines)

        return lambda tied_entries: {
            entry_number: compute_all_values().get(entry_number, ZERO)
            for entry_number in tied_entries
        }

    return build_function


TIE_BREAKS_BY_NAME: dict[str, TieBreak] = {
    tie_break.name: tie_break
    for tie_break in (
        TieBreak(
            "matches",
            _build_cached_function_builder(count_matches_won),
            gettext_noop("Matches won"),
        ),
        TieBreak(
            "net_tricks",
            _build_cached_function_builder(compute_net_tricks),
            gettext_noop("Net tricks"),
            gettext_noop("Net points"),
        ),
        TieBreak("tops", _build_cached_function_builder(count_tops), gettext_noop("Tops")),
        TieBreak(
            "between_them", build_head_to_head_tie_break, gettext_noop("Head-to-head result")
        ),
        TieBreak(
            "corrected",
            lambda result_lines: _build_value_lookup({}),
            gettext_noop("Corrected total"),
            needs_corrected_totals=True,
        ),
        TieBreak(
            "met", opponents.build_direct_match_tie_break, gettext_noop("Head-to-head match")
        ),
        TieBreak(
            "boards_won",
            _build_cached_function_builder(opponents.count_boards_won),
            gettext_noop("Boards won"),
        ),
    )
}


def map_tie_break_titles(*, is_in_points: bool = False) -> dict[str, str]:
    """Return the titles of the tie-breaks, by name."""
    return {
        name: _(tie_break.title_in_points)
        if is_in_points and tie_break.title_in_points
        else tie_break.title
        for name, tie_break in TIE_BREAKS_BY_NAME.items()
    }


def _find_tie_break(name: str) -> TieBreak:
    if name not in TIE_BREAKS_BY_NAME:
        raise UnknownTieBreak(
            _("Tie-break %(name)s not found. Choose from %(names)s.")
            % {"name": name, "names": ", ".join(TIE_BREAKS_BY_NAME)}
        )
    return TIE_BREAKS_BY_NAME[name]


def _add_up_net_tricks(matches: Iterable[Match]) -> Mapping[int, Fraction]:
    net_tricks_by_entry: dict[int, Fraction] = defaultdict(Fraction)
    for match in matches:
        net_tricks_by_entry[match.first_entry_number] += match.net_tricks
        net_tricks_by_entry[match.second_entry_number] -= match.net_tricks
    return net_tricks_by_entry
