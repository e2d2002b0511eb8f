"""Tie-breaks that an event may use: numbers that order entries with equal scores."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError
from scoring.methods import matches as pair_matches
from scoring.methods import opponents, teams
from scoring.methods.comparing import compared
from scoring.methods.lines import Line, stands
from scoring.methods.matches import Match, won
from scoring.methods.ranking import Figures
from server.translation import TranslatedField, gettext_noop

NOTHING = Fraction()


class UnknownTieBreak(WhistError, ValueError):
    """Raised for the name of a tie-break that does not exist."""

    code = "unknown_tie_break"


@dataclass(frozen=True)
class TieBreak:
    """A number that orders level entries; a higher number is better."""

    name: str
    prepare: Callable[[Sequence[Line]], Figures]
    title: TranslatedField = TranslatedField()
    title_in_points: str = ""
    """Its title where points are counted; empty if the title does not name tricks."""
    of_totals: bool = False
    """Whether it is computed from all scores, which the standings pass in."""


def tie_breaks(
    names: Iterable[str],
    lines: Sequence[Line],
    corrected: Mapping[int, Fraction] | None = None,
) -> dict[str, Figures]:
    """Prepare the tie-breaks of an event, in its order, for `ranking.rank`.

    `corrected` are the corrected totals of all entries, for the tie-break that reads them.
    """
    found: dict[str, Figures] = {}
    for name in names:
        known = _known(name)
        found[name] = _reading(corrected or {}) if known.of_totals else known.prepare(lines)
    return found


def _reading(figures: Mapping[int, Fraction]) -> Figures:
    return lambda level: {entry: figures.get(entry, NOTHING) for entry in level}


def matches_won(lines: Sequence[Line]) -> Mapping[int, Fraction]:
    """Count the matches each entry won; a level match counts a half."""
    met = teams.played_matches(lines)
    if not met:
        return pair_matches.matches(lines)
    wins: dict[int, Fraction] = defaultdict(Fraction)
    for match in met:
        wins[match.first] += won(match.net)
        wins[match.second] += won(-match.net)
    return wins


def net_tricks(lines: Sequence[Line]) -> Mapping[int, Fraction]:
    """Add up each entry's net tricks over all its matches."""
    met = teams.played_matches(lines)
    return _nets(met) if met else pair_matches.net_tricks(lines)


def tops(lines: Sequence[Line]) -> Mapping[int, Fraction]:
    """Count the deals on which no entry with the same cards did better; a tie is shared."""
    on_deals = compared(lines)
    counts: dict[int, Fraction] = defaultdict(Fraction)
    for stand in stands(lines):
        scores = on_deals[stand.deal][stand.side == "EW"].counts
        if stand.tricks is not None and stand.tricks == max(scores):
            for entry in stand.entries:
                counts[entry] += Fraction(1, scores[stand.tricks])
    return counts


def between_them(lines: Sequence[Line]) -> Figures:
    """Add up each entry's net tricks in its matches with the other level entries."""
    met = teams.played_matches(lines)

    def figures(level: Collection[int]) -> Mapping[int, Fraction]:
        among = set(level)
        found = (
            [it for it in met if it.first in among and it.second in among]
            if met
            else pair_matches.played_matches(lines, among=among)
        )
        nets = _nets(found)
        return {entry: nets.get(entry, NOTHING) for entry in level}

    return figures


def _once(whole: Callable[[Sequence[Line]], Mapping[int, Fraction]]) -> Callable[..., Figures]:
    """Compute a number for all entries once, when it is first needed."""

    def prepare(lines: Sequence[Line]) -> Figures:
        @cache
        def found() -> Mapping[int, Fraction]:
            return whole(lines)

        return lambda level: {entry: found().get(entry, NOTHING) for entry in level}

    return prepare


TIE_BREAKS: dict[str, TieBreak] = {
    it.name: it
    for it in (
        TieBreak("matches", _once(matches_won), gettext_noop("Matches won")),
        TieBreak(
            "net_tricks",
            _once(net_tricks),
            gettext_noop("Net tricks"),
            gettext_noop("Net points"),
        ),
        TieBreak("tops", _once(tops), gettext_noop("Tops")),
        TieBreak("between_them", between_them, gettext_noop("The result between them")),
        TieBreak(
            "corrected",
            lambda lines: _reading({}),
            gettext_noop("Corrected total"),
            of_totals=True,
        ),
        TieBreak("met", opponents.between_two, gettext_noop("The match between the two")),
        TieBreak("boards_won", _once(opponents.boards_won), gettext_noop("Boards won")),
    )
}


def titles(*, in_points: bool = False) -> dict[str, str]:
    """Return the titles of the tie-breaks, by name."""
    return {
        name: _(it.title_in_points) if in_points and it.title_in_points else it.title
        for name, it in TIE_BREAKS.items()
    }


def _known(name: str) -> TieBreak:
    if name not in TIE_BREAKS:
        raise UnknownTieBreak(
            _("There is no tie-break %(name)s; choose from %(names)s.")
            % {"name": name, "names": ", ".join(TIE_BREAKS)}
        )
    return TIE_BREAKS[name]


def _nets(found: Iterable[Match]) -> Mapping[int, Fraction]:
    nets: dict[int, Fraction] = defaultdict(Fraction)
    for match in found:
        nets[match.first] += match.net
        nets[match.second] -= match.net
    return nets
