"""The ladders of a season as they stand, kept while what they are made of is the same."""

from collections.abc import Sequence
from fractions import Fraction
from threading import Lock

from clubs.audit import Subject
from scoring.models import Ranking
from seasons.grades.visibility import grades_mark
from seasons.ladders.models import Ladder, Season
from seasons.ladders.rules import LadderRule, LadderTable, ladder, rule_of
from seasons.ladders.rules.handicaps import GRADES, HandicapTerms
from seasons.ladders.rules.rule import PERCENT, PLUS, PLUS_A_BOARD
from seasons.ladders.season_drives import drives_of
from seasons.ladders.season_evenings import counted_between, season_evenings
from seasons.ladders.season_handicaps import first_asked, terms_of_season, with_handicaps
from seasons.ladders.season_rubbers import nights_of
from server.public_versions import read_versions

KEPT_TABLES = 40
"""Ladders that a process keeps at hand."""
Key = tuple[object, ...]
_KEPT: dict[tuple[Key, str], LadderTable] = {}
_LOCK = Lock()


def figures_for(of: LadderRule) -> frozenset[str]:
    """The figures that a rule asks for beside places and scores."""
    found = {PERCENT} if of.measure == PERCENT else set()
    if of.measure in (PLUS, PLUS_A_BOARD) or of.across or of.handicaps:
        found.add(PLUS)
    if of.handicap:
        found.add(of.handicap)
    return frozenset(found)


def tables_of(season: Season) -> list[tuple[Ladder, LadderTable]]:
    """Every ladder of a season with its table; the evenings are read once."""
    rows = list(season.ladders.prefetch_related("handicaps"))
    terms = terms_of_season(season)
    rules = [rule_of_ladder(row, terms) for row in rows]
    return list(zip(rows, _tables(season, rules, terms), strict=True))


def rule_of_ladder(row: Ladder, terms: HandicapTerms | None) -> LadderRule:
    """Read a ladder's rule; what is stored was checked before."""
    handicaps = {each.player_id: Fraction(each.a_board) for each in row.handicaps.all()}
    made = rule_of(row.rule, handicaps, terms.figure if terms else "")
    assert isinstance(made, LadderRule), made
    return made


def ladder_of(row: Ladder) -> LadderTable:
    """Ask the question that a ladder is."""
    terms = terms_of_season(row.season)
    return _tables(row.season, [rule_of_ladder(row, terms)], terms)[0]


def _tables(
    season: Season, rules: Sequence[LadderRule], terms: HandicapTerms | None
) -> list[LadderTable]:
    """Make the tables of rules, or give those that were made of the very same.

    Every change that may alter a table increases the version of the club, the season, an event
    or a drive in its own transaction (`server.public_versions`), or writes a new version of
    standings: so a table that was made at the current versions is current.
    """
    taken = terms if any(of.handicap for of in rules) else None
    at = _state(season, taken)
    found = {repr(of): _kept_table(at, repr(of)) for of in rules}
    lacking = [of for of in rules if found[repr(of)] is None]
    if lacking:
        figures = frozenset[str]().union(*(figures_for(each) for each in lacking))
        evenings = season_evenings(season, figures)
        if taken is not None:
            evenings = with_handicaps(season, taken, evenings)
        for of in lacking:
            found[repr(of)] = _keep_table(at, repr(of), ladder(evenings, of))
    return [table for of in rules if (table := found[repr(of)]) is not None]


def _state(season: Season, taken: HandicapTerms | None) -> Key:
    """All that a season's tables are made from, by keys, versions and numbers.

    A handicap is found from evenings before the season too, and from all that came with others.
    """
    first = season.first_day if taken is None else first_asked(season.first_day, taken)
    events = list(counted_between(season.club_id, first, season.last_day).only("slug", "uid"))
    versions = Ranking.objects.filter(event__in=events).order_by("event")
    seasons = [season] if taken is None else list(season.club.seasons.all())
    without_trays: list[Subject] = [*drives_of(season), *nights_of(season)]
    things: list[Subject] = [season.club, *seasons, *events, *without_trays]
    return (
        str(season.uid),
        (season.first_day, season.last_day),
        taken,
        grades_mark(season.club) if taken is not None and taken.source == GRADES else "",
        tuple(versions.values_list("event", "event__uid", "version")),
        tuple(sorted(read_versions(each.audit_key for each in things).items())),
    )


def _kept_table(at: Key, rule: str) -> LadderTable | None:
    with _LOCK:
        return _KEPT.get((at, rule))


def _keep_table(at: Key, rule: str, table: LadderTable) -> LadderTable:
    with _LOCK:
        _KEPT[at, rule] = table
        while len(_KEPT) > KEPT_TABLES:
            del _KEPT[next(iter(_KEPT))]
    return table
