"""Tie-breaks that an event may name: figures that part entries whose scores are level."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from boards.whist.errors import WhistError
from scoring.methods import matches as pair_matches
from scoring.methods import teams
from scoring.methods.comparing import compared
from scoring.methods.lines import Line, stands
from scoring.methods.matches import Match, won
from scoring.methods.ranking import Figures

NOTHING = Fraction()


class UnknownTieBreak(WhistError, ValueError):
    """A tie-break that no event can name."""

    code = "unknown_tie_break"


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A figure that parts level entries: more is better."""

    name: str
    title: str
    figures: Callable[[Sequence[Line], Collection[int]], Mapping[int, Fraction]]


def tie_breaks(names: Iterable[str], lines: Sequence[Line]) -> dict[str, Figures]:
    """Prepare the tie-breaks that an event names, in its order, for `ranking.rank`."""
    return {name: partial(_known(name).figures, lines) for name in names}


def matches_won(lines: Sequence[Line], level: Collection[int]) -> dict[int, Fraction]:
    """Count the matches each entry won, a level one half."""
    wins = dict.fromkeys(level, NOTHING)
    for match in _all_matches(lines):
        for entry, net in ((match.first, match.net), (match.second, -match.net)):
            if entry in wins:
                wins[entry] += won(net)
    return wins


def net_tricks(lines: Sequence[Line], level: Collection[int]) -> dict[int, Fraction]:
    """Add up the tricks each entry is ahead over all its matches."""
    return _nets(_all_matches(lines), level)


def between_them(lines: Sequence[Line], level: Collection[int]) -> dict[int, Fraction]:
    """Add up the tricks each entry is ahead in its matches with the others that are level."""
    among = [it for it in _all_matches(lines) if it.first in level and it.second in level]
    return _nets(among, level)


def tops(lines: Sequence[Line], level: Collection[int]) -> dict[int, Fraction]:
    """Count the deals on which nobody holding the same cards did better; a tie is shared."""
    on_deals = compared(lines)
    counts: dict[int, Fraction] = defaultdict(Fraction)
    for stand in stands(lines):
        scores = on_deals[stand.deal][stand.side == "EW"].counts
        if stand.tricks is not None and stand.tricks == max(scores):
            for entry in stand.entries:
                counts[entry] += Fraction(1, scores[stand.tricks])
    return {entry: counts[entry] for entry in level}


TIE_BREAKS: dict[str, TieBreak] = {
    "matches": TieBreak("matches", "Matches won", matches_won),
    "net_tricks": TieBreak("net_tricks", "Net tricks", net_tricks),
    "tops": TieBreak("tops", "Tops", tops),
    "between_them": TieBreak("between_them", "The result between them", between_them),
}


def _known(name: str) -> TieBreak:
    if name not in TIE_BREAKS:
        raise UnknownTieBreak(
            f"There is no tie-break {name}; choose from {', '.join(TIE_BREAKS)}."
        )
    return TIE_BREAKS[name]


def _all_matches(lines: Sequence[Line]) -> list[Match]:
    """List team matches where teams sat both ways, and otherwise those of same cards."""
    return teams.played_matches(lines) or pair_matches.played_matches(lines)


def _nets(found: Iterable[Match], level: Collection[int]) -> dict[int, Fraction]:
    nets = dict.fromkeys(level, NOTHING)
    for match in found:
        for entry, net in ((match.first, match.net), (match.second, -match.net)):
            if entry in nets:
                nets[entry] += net
    return nets
