"""Match scoring of pairs, with a match between every two pairs that had the same cards."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from django.utils.translation import ngettext

from boards.whist.seats import Side
from scoring.methods.method import Explainer, Method
from scoring.methods.result_line import ResultLine, ResultSide, Tricks, iter_result_sides
from scoring.methods.same_cards import count_half_wins
from scoring.methods.steps import PlaceholderValue, Step
from server.translation import gettext_noop

HALF = Fraction(1, 2)
ZERO = Fraction()


class Match(NamedTuple):
    """The comparison of two entries on all deals on which both had the same cards."""

    first_entry_number: int
    second_entry_number: int
    match_number: int
    deal_count: int  # the number of deals compared
    net_tricks: Fraction  # of the first entry


def score_matches(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each pair 1 for every match won and a half for every level match.

    A match is between two pairs that had the same cards at different tables. A deal that
    counts as the average at either table is left out.

    Guarantee: all scores add up to the number of matches.

    Source: Foster, Complete Hoyle, Duplicate Whist.
    """
    scores_by_entry = {
        entry_number: ZERO
        for result_side in iter_result_sides(result_lines)
        for entry_number in result_side.entries
    }
    if all(len(result_side.entries) == 1 for result_side in iter_result_sides(result_lines)):
        half_wins_by_entry = count_half_wins(iter_result_sides(result_lines))
        return scores_by_entry | {
            entry_number: Fraction(half_win_count, 2)
            for entry_number, half_win_count in half_wins_by_entry.items()
        }
    for match in list_matches(result_lines):
        scores_by_entry[match.first_entry_number] += compute_match_value(match.net_tricks)
        scores_by_entry[match.second_entry_number] += compute_match_value(-match.net_tricks)
    return scores_by_entry


def list_matches(
    result_lines: Sequence[ResultLine], *, among_entries: Collection[int] | None = None
) -> list[Match]:
    """List every match, the lower entry first, with the net tricks of the first pair.

    With `among_entries`, list only matches between two of these entries. A large field has so
    many matches that scores are not computed from this list.
    """
    matches = _collect_matches(
        _iter_comparisons(_group_sides_by_deal(result_lines, among_entries))
    )
    if among_entries is None:
        return matches
    return [
        match
        for match in matches
        if match.first_entry_number in among_entries
        and match.second_entry_number in among_entries
    ]


def compute_net_tricks(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Add up each entry's net tricks over its matches: the tie-break of match scoring."""
    net_tricks_by_entry = {
        entry_number: ZERO
        for result_side in iter_result_sides(result_lines)
        for entry_number in result_side.entries
    }
    for compared_sides in _group_sides_by_deal(result_lines).values():
        for result_side, net_tricks in zip(
            compared_sides, _iter_net_tricks(compared_sides), strict=True
        ):
            for entry_number in result_side.entries:
                net_tricks_by_entry[entry_number] += net_tricks
    return net_tricks_by_entry


def build_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains an entry's score match by match."""
    sides_by_comparison = _group_sides_by_deal(result_lines)
    comparisons_by_entry: dict[int, list[tuple[int, Side, int]]] = defaultdict(list)
    for comparison_key, compared_sides in sides_by_comparison.items():
        for entry_number in {
            entry for result_side in compared_sides for entry in result_side.entries
        }:
            comparisons_by_entry[entry_number].append(comparison_key)

    def explain_entry(entry_number: int) -> Step:
        matches = _collect_matches(
            (result_side, other_side)
            for comparison_key in comparisons_by_entry.get(entry_number, ())
            for result_side in sides_by_comparison[comparison_key]
            if entry_number in result_side.entries
            for other_side in sides_by_comparison[comparison_key]
            if not _has_common_entry(result_side, other_side)
        )
        return explain_matches(matches, entry_number)

    return explain_entry


def explain_matches(matches: Sequence[Match], entry_number: int) -> Step:
    """Explain an entry's score from its matches."""
    steps = [
        _explain_match(match, entry_number)
        for match in matches
        if entry_number in (match.first_entry_number, match.second_entry_number)
    ]
    amount = sum((step.amount for step in steps), ZERO)
    sentence = ngettext(
        "{score} of {matches} match. A tied match counts half.",
        "{score} of {matches} matches. A tied match counts half.",
        len(steps),
    )
    return Step(amount, sentence, {"score": amount, "matches": len(steps)}, tuple(steps))


def compute_match_value(net_tricks: Fraction) -> Fraction:
    """Return the value of a match for the side with these net tricks."""
    if net_tricks == 0:
        return HALF
    return Fraction(int(net_tricks > 0))


def _group_sides_by_deal(
    result_lines: Sequence[ResultLine], among_entries: Collection[int] | None = None
) -> dict[tuple[int, Side, int], list[ResultSide]]:
    """Group line sides by (deal, side, match), except those that count as the average."""
    sides_by_comparison: dict[tuple[int, Side, int], list[ResultSide]] = defaultdict(list)
    for result_side in iter_result_sides(result_lines):
        is_included = among_entries is None or any(
            entry_number in among_entries for entry_number in result_side.entries
        )
        if is_included and result_side.tricks is not None:
            sides_by_comparison[
                result_side.deal_number, result_side.side, result_side.match_number
            ].append(result_side)
    return sides_by_comparison


def _iter_comparisons(
    sides_by_comparison: Mapping[tuple[int, Side, int], Sequence[ResultSide]],
) -> Iterator[tuple[ResultSide, ResultSide]]:
    for compared_sides in sides_by_comparison.values():
        for first_side, second_side in combinations(compared_sides, 2):
            if not _has_common_entry(first_side, second_side):
                yield first_side, second_side


def _has_common_entry(result_side: ResultSide, other_side: ResultSide) -> bool:
    """Return whether an entry is on both line sides. An entry has no match with itself."""
    return any(entry_number in other_side.entries for entry_number in result_side.entries)


def _collect_matches(comparisons: Iterable[tuple[ResultSide, ResultSide]]) -> list[Match]:
    net_tricks_by_match: dict[tuple[int, int, int], list[Tricks]] = defaultdict(list)
    for first_side, second_side in comparisons:
        net_tricks = (first_side.tricks or 0) - (second_side.tricks or 0)
        for own_entry_number in first_side.entries:
            for other_entry_number in second_side.entries:
                lower_entry_number, higher_entry_number, signed_tricks = (
                    (own_entry_number, other_entry_number, net_tricks)
                    if own_entry_number < other_entry_number
                    else (other_entry_number, own_entry_number, -net_tricks)
                )
                net_tricks_by_match[
                    lower_entry_number, higher_entry_number, first_side.match_number
                ].append(signed_tricks)
    return [
        Match(
            lower_entry_number,
            higher_entry_number,
            match_number,
            len(deal_net_tricks),
            Fraction(sum(deal_net_tricks)),
        )
        for (lower_entry_number, higher_entry_number, match_number), deal_net_tricks in sorted(
            net_tricks_by_match.items()
        )
    ]


def _iter_net_tricks(compared_sides: Sequence[ResultSide]) -> Iterator[Tricks]:
    """Yield each side's net tricks against all other sides with the same cards."""
    indexes_by_entry: dict[int, list[int]] = defaultdict(list)
    for index, result_side in enumerate(compared_sides):
        for entry_number in result_side.entries:
            indexes_by_entry[entry_number].append(index)
    entry_counts_and_tricks = [
        (len(result_side.entries), (result_side.tricks or 0) * len(result_side.entries))
        for result_side in compared_sides
    ]
    entry_count, trick_total = (
        sum(summands) for summands in zip(*entry_counts_and_tricks, strict=True)
    )
    for result_side in compared_sides:
        own_side_indexes = {
            index
            for entry_number in result_side.entries
            for index in indexes_by_entry[entry_number]
        }
        other_entry_count = entry_count - sum(
            entry_counts_and_tricks[index][0] for index in own_side_indexes
        )
        other_trick_total = trick_total - sum(
            entry_counts_and_tricks[index][1] for index in own_side_indexes
        )
        yield (result_side.tricks or 0) * other_entry_count - other_trick_total


def _explain_match(match: Match, entry_number: int) -> Step:
    net_tricks, other_entry_number = (
        (match.net_tricks, match.second_entry_number)
        if entry_number == match.first_entry_number
        else (-match.net_tricks, match.first_entry_number)
    )
    match_value = compute_match_value(net_tricks)
    sentence = ngettext(
        "Against {other:entry}, {deals} deal compared: {net:signed}, worth {worth}.",
        "Against {other:entry}, {deals} deals compared: {net:signed}, worth {worth}.",
        match.deal_count,
    )
    placeholder_values: dict[str, PlaceholderValue] = {
        "other": other_entry_number,
        "deals": match.deal_count,
        "net": net_tricks,
        "worth": match_value,
    }
    return Step(match_value, sentence, placeholder_values)


METHOD = Method(
    name="matches",
    code="matches",
    title=gettext_noop("Matches won"),
    label=gettext_noop("matches"),
    explanation=gettext_noop(
        "Matches: 1 for each win and half for each tie. Pairs are "
        "matched with those who held the same cards, teams with "
        "their opponents."
    ),
    unit=gettext_noop("matches"),
    heading=gettext_noop("Matches"),
    short_heading=gettext_noop("Matches"),
    caption=gettext_noop("Matches won"),
    is_signed=False,
    source=gettext_noop("Foster, Complete Hoyle, Duplicate Whist"),
    guarantee=gettext_noop("All scores add up to the number of matches."),
    contests=("pairs",),
    score=score_matches,
    build_explainer=build_explainer,
)
