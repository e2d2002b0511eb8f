"""The handicaps of people, and handicap rankings of evenings, as data for pages, PDFs and
files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Date
from datetime import timedelta

from django.utils.translation import gettext as _

from clubs.models import Player
from clubs.name_folding import fold_name
from clubs.privacy import has_public_page
from clubs.today import get_club_date
from drives.models import Drive
from exchange.data_tables import Cell, DataTable, ExactNumber
from scoring.standings_engine.overall_order import load_placed_entries, load_strata
from scoring.standings_engine.prizes import rank_by_stratum
from seasons.ladders.evenings_without_trays import find_activity_slug
from seasons.ladders.models import Season
from seasons.ladders.rules.handicaps import (
    HANDICAP_CONTESTS,
    TOO_FEW_RESULTS,
    HandicapLine,
    HandicapTerms,
    OwnHandicap,
    rank_with_handicaps,
)
from seasons.ladders.rules.words import (
    explain_entry_handicap,
    explain_handicap,
    explain_handicap_score,
    format_exact,
)
from seasons.ladders.season_evenings import load_season_evenings
from seasons.ladders.season_tables import SeasonHandicaps, add_handicaps, load_handicap_input
from server import formatting
from tournaments.models import Event
from tournaments.stages.strata import rank_strata


@dataclass(frozen=True, slots=True)
class PersonHandicap:
    """A person's current handicap, with the results and the explanation of its computation."""

    player: int
    name: str
    own: OwnHandicap
    how: str
    singles: tuple[tuple[Date, str, str], ...]

    @property
    def written(self) -> str:
        """The handicap as text, with its sign and two decimals."""
        return formatting.ColumnFormat(decimal=True, sign=True).write(self.own.value)

    @property
    def evenings(self) -> int:
        """The number of evenings from which the handicap was computed."""
        return len(self.own.singles)

    @property
    def is_new(self) -> bool:
        """Whether the person is a newcomer, with too few evenings for a computed handicap."""
        return self.own.how == TOO_FEW_RESULTS


@dataclass(frozen=True, slots=True)
class RankedEvening:
    """An evening in the list of evenings that have a handicap ranking."""

    key: str
    name: str
    day: Date
    is_played_here: bool


@dataclass(frozen=True, slots=True)
class RankedWithHandicap:
    """An entry's line in an evening's handicap ranking, with names and explanations."""

    who: tuple[str, ...]
    line: HandicapLine
    how: tuple[str, ...]

    @property
    def names(self) -> str:
        """The names of the entry's people, joined to one text."""
        return " & ".join(self.who)

    @property
    def sorted_names(self) -> list[str]:
        """The names of the entry's people in alphabetical order."""
        return sorted(self.who)

    @property
    def side(self) -> str:
        """The section and direction of the entry's field; "" if there is only one field."""
        field = self.line.entry.field
        section = field.removesuffix("NS").removesuffix("EW")
        sides = {"NS": _("N-S"), "EW": _("E-W")}
        return f"{section} {sides.get(field.removeprefix(section), '')}".strip()

    @property
    def place(self) -> str:
        """The entry's rank with handicap as text."""
        return formatting.format_rank(self.line.rank, tied=self.line.tied)


@dataclass(frozen=True, slots=True)
class StratumPlace:
    """An entry's line in the ranking of a stratum: its ranks with and without handicap."""

    rank: int
    tied: bool
    names: str
    own: str  # the entry's own stratum
    line: HandicapLine
    scratch: int | None

    @property
    def place(self) -> str:
        """The entry's rank with handicap as text."""
        return formatting.format_rank(self.rank, tied=self.tied)


@dataclass(frozen=True, slots=True)
class HandicapStratum:
    """The handicap ranking of a stratum, which also ranks the entries of all lower strata."""

    name: str
    words: str
    rows: tuple[StratumPlace, ...]


@dataclass(frozen=True, slots=True)
class HandicapRanking:
    """An evening ranked with handicaps, with the places without handicap for comparison."""

    season: Season
    key: str
    name: str
    day: Date
    figure: str
    lines: tuple[RankedWithHandicap, ...]
    is_played_here: bool
    strata: tuple[HandicapStratum, ...] = ()

    @property
    def title(self) -> str:
        """The title of the ranking on pages and PDFs."""
        return _("%(evening)s, with handicap") % {"evening": self.name}


def list_current_handicaps(
    season: Season, terms: HandicapTerms, *, in_full: bool = False
) -> list[PersonHandicap]:
    """List the handicaps that people have today, sorted by name.

    Hidden people are left out unless `in_full` is set. After the season, the list shows the
    handicaps on the day after its last day.
    """
    day = max(get_club_date(season.club), season.first_day)
    if day > season.last_day:  # so that the last day counts too
        day = season.last_day + timedelta(days=1)
    handicap_input = load_handicap_input(season, terms, day, day)
    people = _load_people(season, handicap_input)
    handicaps = handicap_input.compute_for_field(people, day.isoformat())
    rows = [
        _build_person_handicap(
            player,
            handicaps[key],
            terms,
            handicap_input.reasons.get(key, "") if in_full else "",
        )
        for key, player in people.items()
        if in_full or has_public_page(player)
    ]
    return sorted(rows, key=lambda row: fold_name(row.name))


def load_person_handicap(
    season: Season, terms: HandicapTerms, player: Player
) -> PersonHandicap | None:
    """Return a person's current handicap, or None if the person has no results."""
    rows = list_current_handicaps(season, terms, in_full=True)
    return next((row for row in rows if row.player == player.pk), None)


def list_ranked_evenings(season: Season) -> list[RankedEvening]:
    """List the evenings of a season that have a handicap ranking, the newest first."""
    return [
        RankedEvening(
            key=season_evening.key,
            name=season_evening.name,
            day=Date.fromisoformat(season_evening.day),
            is_played_here=not season_evening.is_from_elsewhere,
        )
        for season_evening in reversed(load_season_evenings(season))
        if season_evening.contest in HANDICAP_CONTESTS and season_evening.entries
    ]


def load_handicap_ranking(
    season: Season, terms: HandicapTerms, key: str, *, in_full: bool = False
) -> HandicapRanking | None:
    """Return the handicap ranking of an evening; None if the season has no such evening."""
    played = load_season_evenings(season, [terms.figure])
    matching_evenings = [
        item for item in played if item.key == key and item.contest in HANDICAP_CONTESTS
    ]
    if not matching_evenings:
        return None
    (evening,) = add_handicaps(season, terms, matching_evenings[:1])
    day = Date.fromisoformat(evening.day)
    handicap_input = load_handicap_input(season, terms, day, day)
    keys = {person for entry in evening.entries for person in entry.people}
    people = Player.objects.in_bulk(keys)
    handicaps = handicap_input.compute_for_field(keys, evening.day)
    lines = rank_with_handicaps(evening, terms.figure)
    rows = [_build_line(line, people, handicaps, terms, in_full=in_full) for line in lines]
    order = {
        item: number for number, item in enumerate(dict.fromkeys(row.side for row in rows))
    }
    rows.sort(key=lambda row: (order[row.side], row.line.rank, row.names))
    is_here = not evening.is_from_elsewhere and not find_activity_slug(Drive, evening)
    return HandicapRanking(
        season=season,
        key=evening.key,
        name=evening.name,
        day=day,
        figure=terms.figure,
        lines=tuple(rows),
        is_played_here=is_here,
        strata=_build_strata(season, evening.key, rows) if is_here else (),
    )


def _build_strata(
    season: Season, key: str, rows: Sequence[RankedWithHandicap]
) -> tuple[HandicapStratum, ...]:
    """Return the handicap ranking of each stratum of an event, the highest first."""
    events = Event.objects.select_related("strata", "terms")
    event = events.filter(club=season.club_id, slug=key, strata__isnull=False).first()
    if event is None:
        return ()
    rows_by_number = {row.line.entry.number: row for row in rows}
    strata = load_strata(event)
    scratch = rank_by_stratum(event, load_placed_entries(event))
    strengths = {number: row.line.strength for number, row in rows_by_number.items()}
    lists = rank_strata(strengths, strata, list(scratch))
    names = list(lists)
    return tuple(
        HandicapStratum(
            name=name,
            words=", ".join(names[at:]),
            rows=_build_stratum_rows(
                lines, {entry: rank for rank, entry in scratch[name]}, rows_by_number, strata
            ),
        )
        for at, (name, lines) in enumerate(lists.items())
    )


def _build_stratum_rows(
    lines: Sequence[tuple[int, int]],
    scratch: Mapping[int, int],
    rows_by_number: Mapping[int, RankedWithHandicap],
    strata: Mapping[int, str],
) -> tuple[StratumPlace, ...]:
    ranks = [rank for rank, _entry in lines]
    return tuple(
        StratumPlace(
            rank=rank,
            tied=ranks.count(rank) > 1,
            names=rows_by_number[entry].names,
            own=strata[entry],
            line=rows_by_number[entry].line,
            scratch=scratch.get(entry),
        )
        for rank, entry in lines
    )


def _load_people(season: Season, season_handicaps: SeasonHandicaps) -> dict[int, Player]:
    keys = {*season_handicaps.results_by_person, *season_handicaps.by_hand}
    return dict(Player.objects.filter(club=season.club_id).in_bulk(keys))


def _build_person_handicap(
    player: Player, own_handicap: OwnHandicap, terms: HandicapTerms, reason: str
) -> PersonHandicap:
    sentences = [
        explain_handicap(own_handicap, terms),
        reason and _("Reason: %(why)s") % {"why": reason},
    ]
    return PersonHandicap(
        player=player.pk,
        name=player.name,
        own=own_handicap,
        how=" ".join(sentence for sentence in sentences if sentence),
        singles=tuple(
            (Date.fromisoformat(single.day), single.name, format_exact(single.value))
            for single in reversed(own_handicap.singles)
        ),
    )


def _build_line(
    line: HandicapLine,
    people: Mapping[int, Player],
    handicaps: Mapping[int, OwnHandicap],
    terms: HandicapTerms,
    *,
    in_full: bool,
) -> RankedWithHandicap:
    known_people: Sequence[Player] = [people[key] for key in line.entry.people]
    names = tuple(
        known_person.name if in_full else known_person.shown_name
        for known_person in known_people
    )
    is_open = in_full or all(has_public_page(known_person) for known_person in known_people)
    sentences = [explain_handicap_score(line, terms)]
    if is_open:
        person_values = [handicaps[key].value for key in line.entry.people]
        sentences.append(explain_entry_handicap(names, person_values, line.handicap))
    return RankedWithHandicap(
        who=names or (_("Not in the players list"),), line=line, how=tuple(sentences)
    )


def format_people(rows: Sequence[PersonHandicap]) -> list[str]:
    """Return the list of handicaps as lines of plain text."""
    widest = max((len(row.name) for row in rows), default=0)
    return [f"{row.name:<{widest}}  {row.written:>6}  {row.how}" for row in rows]


def format_ranking(sheet: HandicapRanking) -> list[str]:
    """Return an evening's handicap ranking as lines of plain text."""
    widest = max((len(row.names) for row in sheet.lines), default=0)
    number_format = formatting.choose_column_format(
        (row.line.total for row in sheet.lines), with_sign=True
    )
    return [
        f"{sheet.season}: {sheet.title}",
        *(
            f"{row.side:>4}  {row.place:>4}  {row.names:<{widest}}"
            f"  {number_format.write(row.line.total):>8}  {row.how[0]}"
            for row in sheet.lines
        ),
    ]


def build_people_table(rows: Sequence[PersonHandicap]) -> DataTable:
    """Return the list of handicaps as a table for file export."""
    keys = ("who", "handicap", "handicap_exact", "how", "mean_exact", "evenings")
    cells: list[list[Cell]] = [
        [
            row.name,
            row.own.value,
            ExactNumber(row.own.value),
            row.own.how,
            ExactNumber(row.own.mean),
            len(row.own.singles),
        ]
        for row in rows
    ]
    return DataTable(name="handicaps", keys=keys, rows=cells)


def build_ranking_table(sheet: HandicapRanking) -> DataTable:
    """Return an evening's handicap ranking as a table for file export.

    It has columns for rounded and for exact numbers.
    """
    keys = (
        *("field", "rank", "tied", "who", "place", "boards", "score", "handicap", "value"),
        *("score_exact", "value_exact"),
        *(f"rank_{stratum.name}" for stratum in sheet.strata),
    )
    ranks = [
        {row.line.entry.number: row.rank for row in stratum.rows} for stratum in sheet.strata
    ]
    cells: list[list[Cell]] = [
        [
            row.line.entry.field,
            row.line.rank,
            "yes" if row.line.tied else "no",
            row.names,
            row.line.entry.place,
            row.line.entry.boards,
            row.line.base,
            row.line.handicap,
            row.line.total,
            ExactNumber(row.line.base),
            ExactNumber(row.line.total),
            *(stratum_ranks.get(row.line.entry.number) for stratum_ranks in ranks),
        ]
        for row in sheet.lines
    ]
    return DataTable(name=sheet.title, keys=keys, rows=cells)
