"""The handicaps of people and the handicap rankings of evenings, for pages, PDFs and files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Date
from datetime import timedelta

from django.utils.translation import gettext as _

from clubs.models import Player
from clubs.name_order import sort_by_name
from clubs.privacy import has_public_page
from clubs.today import get_club_date
from drives.models import Drive
from exchange.data_tables import Cell, DataTable, ExactNumber
from scoring.standings_engine.overall_order import load_placed_entries, load_strata
from scoring.standings_engine.prizes import rank_by_stratum
from seasons.ladders.activity_evenings import find_activity_slug
from seasons.ladders.models import Season
from seasons.ladders.rules.handicaps import (
    HANDICAP_CONTESTS,
    HANDICAP_TOO_FEW_RESULTS,
    DatedHandicap,
    HandicapLine,
    HandicapTerms,
    rank_entries_with_handicaps,
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

    player_pk: int
    name: str
    handicap: DatedHandicap
    explanation: str
    result_texts: tuple[tuple[Date, str, str], ...]  # day, evening and value, newest first

    @property
    def handicap_text(self) -> str:
        """The handicap as text, with its sign and two decimals."""
        return formatting.ColumnFormat(has_decimals=True, has_sign=True).format_number(
            self.handicap.value
        )

    @property
    def evening_count(self) -> int:
        """The number of evenings from which the handicap was computed."""
        return len(self.handicap.used_results)

    @property
    def is_newcomer(self) -> bool:
        """Whether the person is a newcomer, with too few evenings for a computed handicap."""
        return self.handicap.source_code == HANDICAP_TOO_FEW_RESULTS


@dataclass(frozen=True, slots=True)
class EveningWithRanking:
    """An evening in the list of evenings that have a handicap ranking."""

    evening_key: str
    name: str
    day: Date
    is_played_here: bool  # False if the evening was imported


@dataclass(frozen=True, slots=True)
class HandicapRankingLine:
    """An entry's line in an evening's handicap ranking, with names and explanations."""

    person_names: tuple[str, ...]
    line: HandicapLine
    explanations: tuple[str, ...]

    @property
    def names(self) -> str:
        """The names of the entry's people, joined to one text."""
        return " & ".join(self.person_names)

    @property
    def sorted_names(self) -> list[str]:
        """The names of the entry's people in alphabetical order."""
        return sorted(self.person_names)

    @property
    def side(self) -> str:
        """The section and direction of the entry's field; "" if there is only one field."""
        ranked_group_code = self.line.entry.ranked_group_code
        section_letter = ranked_group_code.removesuffix("NS").removesuffix("EW")
        direction = ranked_group_code.removeprefix(section_letter)
        side_label = {"NS": _("N-S"), "EW": _("E-W")}.get(direction, "")
        return f"{section_letter} {side_label}".strip()

    @property
    def rank_text(self) -> str:
        """The entry's rank with handicap as text."""
        return formatting.format_rank(self.line.rank, is_tied=self.line.is_tied)


@dataclass(frozen=True, slots=True)
class StratumPlace:
    """An entry's line in the ranking of a stratum: its ranks with and without handicap."""

    rank: int
    is_tied: bool
    names: str
    stratum_name: str  # the entry's own stratum
    line: HandicapLine
    rank_without_handicap: int | None

    @property
    def rank_text(self) -> str:
        """The entry's rank with handicap as text."""
        return formatting.format_rank(self.rank, is_tied=self.is_tied)


@dataclass(frozen=True, slots=True)
class HandicapStratum:
    """The handicap ranking of a stratum, which also ranks the entries of all lower strata."""

    name: str
    covered_names: str  # the names of this stratum and of all lower ones
    rows: tuple[StratumPlace, ...]


@dataclass(frozen=True, slots=True)
class HandicapRanking:
    """An evening ranked with handicaps, with the places without handicap for comparison."""

    season: Season
    key: str
    name: str
    day: Date
    figure: str
    lines: tuple[HandicapRankingLine, ...]
    is_played_here: bool
    strata: tuple[HandicapStratum, ...] = ()

    @property
    def title(self) -> str:
        """The title of the ranking on pages and PDFs."""
        return _("%(evening)s, with handicap") % {"evening": self.name}


def list_current_handicaps(
    season: Season, handicap_terms: HandicapTerms, *, has_full_names: bool = False
) -> list[PersonHandicap]:
    """List the handicaps that people have today, sorted by name.

    Hidden people are left out unless `has_full_names` is set. After the end of the season, the
    list shows the handicaps of the day after the season's last day.
    """
    day = max(get_club_date(season.club), season.first_day)
    if day > season.last_day:  # the handicap of a day uses only earlier days
        day = season.last_day + timedelta(days=1)
    handicap_input = load_handicap_input(season, handicap_terms, day, day)
    players_by_pk = _load_players_by_pk(season, handicap_input)
    handicaps_by_player = handicap_input.compute_field_handicaps(players_by_pk, day.isoformat())
    person_handicaps = [
        _build_person_handicap(
            player,
            handicaps_by_player[player_pk],
            handicap_terms,
            handicap_input.director_reasons_by_person.get(player_pk, "")
            if has_full_names
            else "",
        )
        for player_pk, player in players_by_pk.items()
        if has_full_names or has_public_page(player)
    ]
    return sort_by_name(person_handicaps, lambda person_handicap: person_handicap.name)


def load_person_handicap(
    season: Season, handicap_terms: HandicapTerms, player: Player
) -> PersonHandicap | None:
    """Return a person's current handicap, or None if the person has no results."""
    person_handicaps = list_current_handicaps(season, handicap_terms, has_full_names=True)
    return next(
        (
            person_handicap
            for person_handicap in person_handicaps
            if person_handicap.player_pk == player.pk
        ),
        None,
    )


def list_ranked_evenings(season: Season) -> list[EveningWithRanking]:
    """List the evenings of a season that have a handicap ranking, the newest first."""
    return [
        EveningWithRanking(
            evening_key=season_evening.key,
            name=season_evening.name,
            day=Date.fromisoformat(season_evening.day),
            is_played_here=not season_evening.is_imported,
        )
        for season_evening in reversed(load_season_evenings(season))
        if season_evening.contest in HANDICAP_CONTESTS and season_evening.entries
    ]


def load_handicap_ranking(
    season: Season,
    handicap_terms: HandicapTerms,
    evening_key: str,
    *,
    has_full_names: bool = False,
) -> HandicapRanking | None:
    """Return the handicap ranking of an evening; None if the season has no such evening."""
    evenings = load_season_evenings(season, [handicap_terms.figure])
    matching_evenings = [
        evening
        for evening in evenings
        if evening.key == evening_key and evening.contest in HANDICAP_CONTESTS
    ]
    if not matching_evenings:
        return None
    (evening,) = add_handicaps(season, handicap_terms, matching_evenings[:1])
    day = Date.fromisoformat(evening.day)
    handicap_input = load_handicap_input(season, handicap_terms, day, day)
    player_pks = {player_pk for entry in evening.entries for player_pk in entry.person_pks}
    players_by_pk = Player.objects.in_bulk(player_pks)
    handicaps_by_player = handicap_input.compute_field_handicaps(player_pks, evening.day)
    handicap_lines = rank_entries_with_handicaps(evening, handicap_terms.figure)
    ranked_lines = [
        _build_line(
            handicap_line,
            players_by_pk,
            handicaps_by_player,
            handicap_terms,
            has_full_names=has_full_names,
        )
        for handicap_line in handicap_lines
    ]
    index_by_side = {
        side: index
        for index, side in enumerate(
            dict.fromkeys(ranked_line.side for ranked_line in ranked_lines)
        )
    }
    ranked_lines.sort(
        key=lambda ranked_line: (
            index_by_side[ranked_line.side],
            ranked_line.line.rank,
            ranked_line.names,
        )
    )
    is_local_event = not evening.is_imported and not find_activity_slug(Drive, evening)
    return HandicapRanking(
        season=season,
        key=evening.key,
        name=evening.name,
        day=day,
        figure=handicap_terms.figure,
        lines=tuple(ranked_lines),
        is_played_here=is_local_event,
        strata=_build_strata(season, evening.key, ranked_lines) if is_local_event else (),
    )


def _build_strata(
    season: Season, event_slug: str, ranked_lines: Sequence[HandicapRankingLine]
) -> tuple[HandicapStratum, ...]:
    """Return the handicap ranking of each stratum of an event, the highest first."""
    events = Event.objects.select_related("strata", "terms")
    event = events.filter(club=season.club_id, slug=event_slug, strata__isnull=False).first()
    if event is None:
        return ()
    lines_by_number = {
        ranked_line.line.entry.entry_number: ranked_line for ranked_line in ranked_lines
    }
    stratum_by_entry = load_strata(event)
    ranking_without_handicap_by_stratum = rank_by_stratum(event, load_placed_entries(event))
    strengths_by_number = {
        entry_number: ranked_line.line.strength
        for entry_number, ranked_line in lines_by_number.items()
    }
    ranks_and_entries_by_stratum = rank_strata(
        strengths_by_number, stratum_by_entry, list(ranking_without_handicap_by_stratum)
    )
    stratum_names = list(ranks_and_entries_by_stratum)
    return tuple(
        HandicapStratum(
            name=name,
            covered_names=", ".join(stratum_names[index:]),
            rows=_build_stratum_rows(
                ranks_and_entries,
                {
                    entry_number: rank
                    for rank, entry_number in ranking_without_handicap_by_stratum[name]
                },
                lines_by_number,
                stratum_by_entry,
            ),
        )
        for index, (name, ranks_and_entries) in enumerate(ranks_and_entries_by_stratum.items())
    )


def _build_stratum_rows(
    ranks_and_entries: Sequence[tuple[int, int]],
    unadjusted_ranks_by_number: Mapping[int, int],
    lines_by_number: Mapping[int, HandicapRankingLine],
    stratum_by_entry: Mapping[int, str],
) -> tuple[StratumPlace, ...]:
    ranks = [rank for rank, _entry in ranks_and_entries]
    return tuple(
        StratumPlace(
            rank=rank,
            is_tied=ranks.count(rank) > 1,
            names=lines_by_number[entry_number].names,
            stratum_name=stratum_by_entry[entry_number],
            line=lines_by_number[entry_number].line,
            rank_without_handicap=unadjusted_ranks_by_number.get(entry_number),
        )
        for rank, entry_number in ranks_and_entries
    )


def _load_players_by_pk(season: Season, season_handicaps: SeasonHandicaps) -> dict[int, Player]:
    player_pks = {
        *season_handicaps.results_by_person,
        *season_handicaps.director_handicaps_by_person,
    }
    return dict(Player.objects.filter(club=season.club_id).in_bulk(player_pks))


def _build_person_handicap(
    player: Player, own_handicap: DatedHandicap, handicap_terms: HandicapTerms, reason: str
) -> PersonHandicap:
    sentences = [
        explain_handicap(own_handicap, handicap_terms),
        reason and _("Reason: %(why)s") % {"why": reason},
    ]
    return PersonHandicap(
        player_pk=player.pk,
        name=player.name,
        handicap=own_handicap,
        explanation=" ".join(sentence for sentence in sentences if sentence),
        result_texts=tuple(
            (Date.fromisoformat(result.day), result.name, format_exact(result.score))
            for result in reversed(own_handicap.used_results)
        ),
    )


def _build_line(
    handicap_line: HandicapLine,
    players_by_pk: Mapping[int, Player],
    handicaps_by_player: Mapping[int, DatedHandicap],
    handicap_terms: HandicapTerms,
    *,
    has_full_names: bool,
) -> HandicapRankingLine:
    entry_players: Sequence[Player] = [
        players_by_pk[player_pk] for player_pk in handicap_line.entry.person_pks
    ]
    person_names = tuple(
        player.name if has_full_names else player.shown_name for player in entry_players
    )
    are_names_visible = has_full_names or all(
        has_public_page(player) for player in entry_players
    )
    sentences = [explain_handicap_score(handicap_line, handicap_terms)]
    if are_names_visible:
        person_handicap_values = [
            handicaps_by_player[player_pk].value for player_pk in handicap_line.entry.person_pks
        ]
        sentences.append(
            explain_entry_handicap(person_names, person_handicap_values, handicap_line.handicap)
        )
    return HandicapRankingLine(
        person_names=person_names or (_("Not in the players list"),),
        line=handicap_line,
        explanations=tuple(sentences),
    )


def format_person_handicaps(rows: Sequence[PersonHandicap]) -> list[str]:
    """Return the list of handicaps as lines of plain text."""
    name_width = max((len(row.name) for row in rows), default=0)
    return [
        f"{row.name:<{name_width}}  {row.handicap_text:>6}  {row.explanation}" for row in rows
    ]


def format_handicap_ranking(ranking: HandicapRanking) -> list[str]:
    """Return an evening's handicap ranking as lines of plain text."""
    name_width = max((len(row.names) for row in ranking.lines), default=0)
    number_format = formatting.choose_column_format(
        (row.line.total for row in ranking.lines), has_sign=True
    )
    return [
        f"{ranking.season}: {ranking.title}",
        *(
            f"{row.side:>4}  {row.rank_text:>4}  {row.names:<{name_width}}"
            f"  {number_format.format_number(row.line.total):>8}  {row.explanations[0]}"
            for row in ranking.lines
        ),
    ]


def build_person_handicap_table(person_handicaps: Sequence[PersonHandicap]) -> DataTable:
    """Return the list of handicaps as a table for file export."""
    column_keys = ("who", "handicap", "handicap_exact", "how", "mean_exact", "evenings")
    cells: list[list[Cell]] = [
        [
            person_handicap.name,
            person_handicap.handicap.value,
            ExactNumber(person_handicap.handicap.value),
            person_handicap.handicap.source_code,
            ExactNumber(person_handicap.handicap.mean),
            len(person_handicap.handicap.used_results),
        ]
        for person_handicap in person_handicaps
    ]
    return DataTable(name="handicaps", column_keys=column_keys, rows=cells)


def build_handicap_ranking_table(ranking: HandicapRanking) -> DataTable:
    """Return an evening's handicap ranking as a table for file export.

    The table has columns for rounded and for exact numbers.
    """
    column_keys = (
        *("field", "rank", "tied", "who", "place", "boards", "score", "handicap", "value"),
        *("score_exact", "value_exact"),
        *(f"rank_{stratum.name}" for stratum in ranking.strata),
    )
    ranks_by_stratum = [
        {row.line.entry.entry_number: row.rank for row in stratum.rows}
        for stratum in ranking.strata
    ]
    cells: list[list[Cell]] = [
        [
            row.line.entry.ranked_group_code,
            row.line.rank,
            "yes" if row.line.is_tied else "no",
            row.names,
            row.line.entry.place,
            row.line.entry.board_count,
            row.line.base,
            row.line.handicap,
            row.line.total,
            ExactNumber(row.line.base),
            ExactNumber(row.line.total),
            *(
                ranks_by_entry_number.get(row.line.entry.entry_number)
                for ranks_by_entry_number in ranks_by_stratum
            ),
        ]
        for row in ranking.lines
    ]
    return DataTable(name=ranking.title, column_keys=column_keys, rows=cells)
