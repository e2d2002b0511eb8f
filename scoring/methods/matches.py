"""Match scoring of pairs, with a match between every two pairs that had the same cards."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from django.utils.translation import ngettext

from boards.whist.seats import Side
from scoring.methods.method import Explainer, Method
from scoring.methods.result_line import LineSide, ResultLine, Tricks, iter_line_sides
from scoring.methods.same_cards import count_half_wins
from scoring.methods.steps import Figure, Step
from server.translation import gettext_noop

HALF = Fraction(1, 2)
ZERO = Fraction()


class Match(NamedTuple):
    """The deals on which two entries had the same cards, and the first entry's net tricks."""

    first: int
    second: int
    key: int
    deals: int
    net_tricks: Fraction


def score_matches(lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each pair 1 for every match won and a half for every level match.

    A match is between two pairs that had the same cards, who are not opponents at the table. A
    deal that counts as the average at either table is left out.

    Guarantee: all scores add up to the number of matches.

    Source: Foster, Complete Hoyle, Duplicate Whist.
    """
    scores = {
        entry: ZERO for line_side in iter_line_sides(lines) for entry in line_side.entries
    }
    if all(len(line_side.entries) == 1 for line_side in iter_line_sides(lines)):
        halves = count_half_wins(iter_line_sides(lines))
        return scores | {entry: Fraction(count, 2) for entry, count in halves.items()}
    for match in list_matches(lines):
        scores[match.first] += compute_match_value(match.net_tricks)
        scores[match.second] += compute_match_value(-match.net_tricks)
    return scores


def list_matches(
    lines: Sequence[ResultLine], *, among_entries: Collection[int] | None = None
) -> list[Match]:
    """List every match, the lower entry first, with the net tricks of the first pair.

    With `among_entries`, list only matches between two of these entries. The list is long in a
    large field, so scores are not computed from it.
    """
    matches = _collect_matches(_iter_comparisons(_group_compared_sides(lines, among_entries)))
    if among_entries is None:
        return matches
    return [
        match
        for match in matches
        if match.first in among_entries and match.second in among_entries
    ]


def compute_net_tricks(lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Add up each entry's net tricks over its matches: the tie-break of match scoring."""
    nets = {entry: ZERO for line_side in iter_line_sides(lines) for entry in line_side.entries}
    for same_cards in _group_compared_sides(lines).values():
        for line_side, net in zip(same_cards, _iter_net_tricks(same_cards), strict=True):
            for entry in line_side.entries:
                nets[entry] += net
    return nets


def build_explainer(lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains an entry's score match by match."""
    sides_by_place = _group_compared_sides(lines)
    places: dict[int, list[tuple[int, Side, int]]] = defaultdict(list)
    for place, same_cards in sides_by_place.items():
        for entry in {entry for line_side in same_cards for entry in line_side.entries}:
            places[entry].append(place)

    def explain(entry: int) -> Step:
        matches = _collect_matches(
            (line, other)
            for place in places.get(entry, ())
            for line in sides_by_place[place]
            if entry in line.entries
            for other in sides_by_place[place]
            if not _share_an_entry(line, other)
        )
        return explain_matches(matches, entry)

    return explain


def explain_matches(matches: Sequence[Match], entry: int) -> Step:
    """Explain an entry's score from its matches."""
    steps = [
        _explain_match(match, entry)
        for match in matches
        if entry in (match.first, match.second)
    ]
    amount = sum((step.amount for step in steps), ZERO)
    sentence = ngettext(
        "{score} of {matches} match. A tied match counts half.",
        "{score} of {matches} matches. A tied match counts half.",
        len(steps),
    )
    return Step(amount, sentence, {"score": amount, "matches": len(steps)}, tuple(steps))


def compute_match_value(net: Fraction) -> Fraction:
    """Return the value of a match for the side with these net tricks."""
    if net == 0:
        return HALF
    return Fraction(int(net > 0))


def _group_compared_sides(
    lines: Sequence[ResultLine], among_entries: Collection[int] | None = None
) -> dict[tuple[int, Side, int], list[LineSide]]:
    """Group the line sides that are compared: those with the same cards, without averages."""
    sides_by_place: dict[tuple[int, Side, int], list[LineSide]] = defaultdict(list)
    for line_side in iter_line_sides(lines):
        is_included = among_entries is None or any(
            entry in among_entries for entry in line_side.entries
        )
        if is_included and line_side.tricks is not None:
            sides_by_place[line_side.deal, line_side.side, line_side.match].append(line_side)
    return sides_by_place


def _iter_comparisons(
    sides_by_place: Mapping[tuple[int, Side, int], Sequence[LineSide]],
) -> Iterator[tuple[LineSide, LineSide]]:
    for same_cards in sides_by_place.values():
        for one_side, other in combinations(same_cards, 2):
            if not _share_an_entry(one_side, other):
                yield one_side, other


def _share_an_entry(line_side: LineSide, other: LineSide) -> bool:
    """Return whether an entry is on both sides; a player has no match against himself or a
    partner.
    """
    return any(entry in other.entries for entry in line_side.entries)


def _collect_matches(comparisons: Iterable[tuple[LineSide, LineSide]]) -> list[Match]:
    nets: dict[tuple[int, int, int], list[Tricks]] = defaultdict(list)
    for one_side, other in comparisons:
        net = (one_side.tricks or 0) - (other.tricks or 0)
        for own_entry in one_side.entries:
            for other_entry in other.entries:
                low, high, sign = (
                    (own_entry, other_entry, net)
                    if own_entry < other_entry
                    else (other_entry, own_entry, -net)
                )
                nets[low, high, one_side.match].append(sign)
    return [
        Match(low, high, key, len(net_tricks), Fraction(sum(net_tricks)))
        for (low, high, key), net_tricks in sorted(nets.items())
    ]


def _iter_net_tricks(same_cards: Sequence[LineSide]) -> Iterator[Tricks]:
    """Yield each side's net tricks against all other sides with the same cards."""
    of_entry: dict[int, list[int]] = defaultdict(list)
    for index, line_side in enumerate(same_cards):
        for entry in line_side.entries:
            of_entry[entry].append(index)
    weighted_tricks = [
        (len(each.entries), (each.tricks or 0) * len(each.entries)) for each in same_cards
    ]
    entries, tricks = (sum(column) for column in zip(*weighted_tricks, strict=True))
    for line_side in same_cards:
        own_indexes = {index for entry in line_side.entries for index in of_entry[entry]}
        others = entries - sum(weighted_tricks[index][0] for index in own_indexes)
        tricks_of_others = tricks - sum(weighted_tricks[index][1] for index in own_indexes)
        yield (line_side.tricks or 0) * others - tricks_of_others


def _explain_match(match: Match, entry: int) -> Step:
    net, other = (
        (match.net_tricks, match.second)
        if entry == match.first
        else (-match.net_tricks, match.first)
    )
    match_value = compute_match_value(net)
    sentence = ngettext(
        "Against {other:entry}, {deals} deal compared: {net:signed}, worth {worth}.",
        "Against {other:entry}, {deals} deals compared: {net:signed}, worth {worth}.",
        match.deals,
    )
    figures: dict[str, Figure] = {
        "other": other,
        "deals": match.deals,
        "net": net,
        "worth": match_value,
    }
    return Step(match_value, sentence, figures)


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
    signed=False,
    source=gettext_noop("Foster, Complete Hoyle, Duplicate Whist"),
    guarantee=gettext_noop("All scores add up to the number of matches."),
    contests=("pairs",),
    score=score_matches,
    explainer=build_explainer,
)
