"""A player's record over many evenings: ranks, scores, partners, and results by direction.

The direction is that of the player's actual seat on each board, after arrow switches and
changes of seats. For the tricks above average, see `compute_entry_boards`.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Date
from fractions import Fraction

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist import Side
from clubs.models import Player
from clubs.privacy import has_public_page
from scoring.drawing.column_chart import ColumnChart, draw_column_chart
from scoring.drawing.scales import Bar, build_bar, find_largest_absolute_value
from scoring.models import Ranking, Standing
from scoring.standings_engine.scores import find_scoring_method
from seasons.grades.cells import EveningStatisticsCells
from seasons.grades.compared_boards import SAME_DIRECTION_CONTESTS
from seasons.people.models import EntryFigures
from server import formatting
from server.dates import format_date
from tournaments.models import Entry, EntryPlayer, Event

MAX_EVENINGS = 100
"""The maximum number of evenings in a record; the newest ones are included."""
CLUB_YEAR_FIRST_MONTH = 9  # September, the first month of a club's year
MAX_RECENT_FORM_EVENINGS = 5
"""The number of newest evenings from which a player's current form is computed."""


@dataclass(frozen=True, slots=True)
class PlayerEvent:
    """One event of a player, with the entry's rank and scores."""

    slug: str
    name: str
    date: Date
    entry_number: int
    entry_name: str
    method_name: str
    rank: int | None
    is_tied: bool
    board_count: int
    ranked_count: int
    score: Fraction | None
    percent: Fraction | None
    tricks_above_average: Fraction | None
    """The player's tricks above average in all sessions, without penalties and carry-over.

    None for a team.
    """

    @property
    def rank_text(self) -> str:
        """The rank as text; "–" if the entry has no rank or no board."""
        has_rank = self.rank is not None and self.board_count > 0
        return formatting.format_rank(self.rank or 0, is_tied=self.is_tied, has_rank=has_rank)


@dataclass(frozen=True, slots=True)
class SideRecord:
    """A player's number of boards and tricks above average in one direction."""

    side: Side
    board_count: int
    tricks_above_average_per_board: Fraction  # per board


@dataclass(frozen=True, slots=True)
class Partner:
    """A player's partner: the evenings played together, and the tricks above average."""

    name: str
    player_pk: int | None  # the primary key; None without a public page
    evening_count: int
    tricks_above_average: Fraction | None


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A player's evenings, the newest first, with the partners and the results by direction."""

    name: str
    evenings: tuple[PlayerEvent, ...]
    partners: tuple[Partner, ...]
    sides: tuple[SideRecord, ...]
    outdated_event_pks: tuple[int, ...] = ()
    """The primary keys of events whose statistics are missing or older than a correction."""


@dataclass(frozen=True, slots=True, order=True)
class ClubYear:
    """A club's year, from 1 September to 31 August."""

    start_year: int  # the year of its 1 September

    @property
    def name(self) -> str:
        """The usual name of the year, such as "2026/27"."""
        return f"{self.start_year}/{(self.start_year + 1) % 100:02}"


def find_club_year(day: Date) -> ClubYear:
    """Return the club's year that contains a day."""
    return ClubYear(day.year if day.month >= CLUB_YEAR_FIRST_MONTH else day.year - 1)


def list_club_years(player: Player) -> list[ClubYear]:
    """List the years in which a player has public evenings, newest first."""
    days = query_public_entries(player).values_list("event__date", flat=True)
    return sorted({find_club_year(day) for day in days}, reverse=True)


def load_player_record(player: Player, club_year: ClubYear | None = None) -> PlayerRecord:
    """Return a player's public record in one club year, or in all years if it is None.

    The record has the newest MAX_EVENINGS events that are over and whose standings are public.
    """
    public_entries = query_public_entries(player).select_related("event__terms")
    if club_year is not None:
        first_day = Date(club_year.start_year, CLUB_YEAR_FIRST_MONTH, 1)
        public_entries = public_entries.filter(
            event__date__range=(first_day, Date(first_day.year + 1, 8, 31))
        )
    entries = list(public_entries.order_by("-event__date", "-event_id")[:MAX_EVENINGS])
    cells_by_event, outdated_event_pks = _load_statistics_by_event(entries)
    tricks_above_average_by_event = {
        event_pk: cells.tricks_above
        for event_pk, cells in cells_by_event.items()
        if cells.cells
    }
    return PlayerRecord(
        name=player.shown_name,
        evenings=tuple(_iter_player_events(entries, tricks_above_average_by_event)),
        partners=tuple(_iter_partners(player, entries, tricks_above_average_by_event)),
        sides=tuple(_iter_side_records(cells_by_event.values())),
        outdated_event_pks=outdated_event_pks,
    )


def _load_statistics_by_event(
    entries: Iterable[Entry],
) -> tuple[dict[int, EveningStatisticsCells], tuple[int, ...]]:
    """Return the statistics by event, and the keys of events whose statistics are outdated."""
    event_pks_by_entry = {
        entry.pk: entry.event_id
        for entry in entries
        if entry.event.contest in SAME_DIRECTION_CONTESTS
    }
    statistics_by_entry = load_statistics(
        EntryFigures.objects.filter(entry__in=event_pks_by_entry)
    )
    cells_by_event = {
        event_pks_by_entry[entry_pk]: cells
        for entry_pk, (_version, cells) in statistics_by_entry.items()
    }
    versions_by_event = {
        event_pks_by_entry[entry_pk]: version
        for entry_pk, (version, _cells) in statistics_by_entry.items()
    }
    rankings = Ranking.objects.filter(event__in=event_pks_by_entry.values())
    outdated_event_pks = [
        event_pk
        for event_pk, version in rankings.values_list("event", "version")
        if versions_by_event.get(event_pk) != version
    ]
    return cells_by_event, tuple(outdated_event_pks)


def load_statistics(
    statistics_queryset: QuerySet[EntryFigures],
) -> dict[int, tuple[int, EveningStatisticsCells]]:
    """Return the cached statistics by the entry's primary key.

    Each value is the version of the standings and the statistics.
    """
    statistics_rows = statistics_queryset.values_list("entry", "version", "parts", "cells")
    return {
        entry_pk: (
            version,
            EveningStatisticsCells(int(denominator_text), tuple(map(tuple, cells))),
        )
        for entry_pk, version, denominator_text, cells in statistics_rows
    }


def query_public_entries(player: Player) -> QuerySet[Entry]:
    """Return a person's entries in events that are over, listed and visible to players."""
    events = Event.objects.filter(club=player.club_id).public()
    return Entry.objects.filter(players=player, event__in=events)


def _iter_player_events(
    entries: Sequence[Entry], tricks_above_average_by_event: Mapping[int, Fraction]
) -> Iterable[PlayerEvent]:
    standings_by_entry = {
        standing.entry_id: standing for standing in Standing.objects.filter(entry__in=entries)
    }
    ranking_pks = {standing.ranking_id for standing in standings_by_entry.values()}
    field_columns = ("ranking", "section", "field")
    entry_counts_by_field = {
        (ranking_pk, section, field): entry_count
        for ranking_pk, section, field, entry_count in Standing.objects.filter(
            ranking__in=ranking_pks
        )
        .values_list(*field_columns)
        .annotate(Count("pk"))
        .order_by()
    }
    for entry in entries:
        event, standing = entry.event, standings_by_entry.get(entry.pk)
        yield PlayerEvent(
            slug=event.slug,
            name=event.name,
            date=event.date,
            entry_number=entry.number,
            entry_name=entry.name,
            method_name=find_scoring_method(event).name,
            rank=standing.rank if standing and standing.boards else None,
            is_tied=standing.tied if standing else False,
            board_count=standing.boards if standing else 0,
            ranked_count=entry_counts_by_field[
                standing.ranking_id, standing.section, standing.field
            ]
            if standing
            else 0,
            score=Fraction(standing.score) if standing else None,
            percent=Fraction(standing.percent) if standing and standing.percent else None,
            tricks_above_average=tricks_above_average_by_event.get(event.pk),
        )


def _iter_partners(
    player: Player,
    entries: Sequence[Entry],
    tricks_above_average_by_event: Mapping[int, Fraction],
) -> Iterable[Partner]:
    """Yield a player's partners in pairs events, the most frequent first."""
    event_pks_by_entry = {
        entry.pk: entry.event_id
        for entry in entries
        if entry.event.contest == Event.Contest.PAIRS
    }
    entry_players = EntryPlayer.objects.filter(entry__in=event_pks_by_entry).exclude(
        player=player
    )
    event_pks_by_partner: dict[Player, list[int]] = defaultdict(list)
    for entry_player in entry_players.select_related("player__club"):
        event_pks_by_partner[entry_player.player].append(
            event_pks_by_entry[entry_player.entry_id]
        )
    partners_and_events = sorted(
        event_pks_by_partner.items(), key=lambda item: (-len(item[1]), item[0].shown_name)
    )
    for partner, event_pks in partners_and_events:
        known_tricks_above_average = [
            tricks_above_average_by_event[event_pk]
            for event_pk in event_pks
            if event_pk in tricks_above_average_by_event
        ]
        yield Partner(
            name=partner.shown_name,
            player_pk=partner.pk if has_public_page(partner) else None,
            evening_count=len(event_pks),
            tricks_above_average=sum(known_tricks_above_average, Fraction())
            if known_tricks_above_average
            else None,
        )


def _iter_side_records(all_cells: Iterable[EveningStatisticsCells]) -> Iterable[SideRecord]:
    """Yield the player's boards and tricks above average in each direction."""
    boards_by_side: dict[Side, int] = defaultdict(int)
    tricks_above_average_by_side: dict[Side, Fraction] = defaultdict(Fraction)
    for evening_cells in all_cells:
        for (
            _partner,
            seat_code,
            _trump,
            board_count,
            numerator,
            _squares,
        ) in evening_cells.cells:
            side = Side.NS if seat_code in ("NS", "N", "S") else Side.EW
            boards_by_side[side] += board_count
            tricks_above_average_by_side[side] += Fraction(numerator, evening_cells.denominator)
    for side in Side:
        if boards_by_side[side]:
            yield SideRecord(
                side,
                boards_by_side[side],
                tricks_above_average_by_side[side] / boards_by_side[side],
            )


@dataclass(frozen=True, slots=True)
class RecordHighlight:
    """One highlight of a player's page: its title, its number as text, and a note."""

    title: str
    value_text: str
    note: str


@dataclass(frozen=True, slots=True)
class PartnerRow:
    """A partner, the average per evening, and a bar with the same scale for all partners."""

    partner: Partner
    average: Fraction | None
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class EveningRow:
    """An evening, and a bar for its tricks above average on the same scale for all evenings."""

    evening: PlayerEvent
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """The content of a player's page for a season.

    `average` is in tricks an evening; it is None without comparable results.
    """

    average: Fraction | None
    compared_evening_count: int
    chart: ColumnChart | None
    chart_description: str
    highlights: tuple[RecordHighlight, ...]
    partners: tuple[PartnerRow, ...]
    evenings: tuple[EveningRow, ...]


def build_season_page(player_record: PlayerRecord) -> SeasonPage:
    """Prepare a player's record for display."""
    compared_evenings = [
        (evening, evening.tricks_above_average)
        for evening in player_record.evenings
        if evening.tricks_above_average is not None
    ]
    tricks_above_average_values = [
        tricks_above_average for _evening, tricks_above_average in compared_evenings
    ]
    largest_tricks_above_average = find_largest_absolute_value(tricks_above_average_values)
    return SeasonPage(
        average=_compute_average(tricks_above_average_values),
        compared_evening_count=len(tricks_above_average_values),
        chart=draw_column_chart(
            [
                build_chart_column(evening.date, evening.name, tricks_above_average)
                for evening, tricks_above_average in reversed(compared_evenings)
            ]
        ),
        chart_description=describe_chart(tricks_above_average_values),
        highlights=tuple(_build_highlights(player_record, compared_evenings)),
        partners=tuple(_build_partner_rows(player_record.partners)),
        evenings=tuple(
            EveningRow(
                evening,
                None
                if evening.tricks_above_average is None
                else build_bar(evening.tricks_above_average, largest_tricks_above_average),
            )
            for evening in player_record.evenings
        ),
    )


def _compute_average(values: Sequence[Fraction]) -> Fraction | None:
    return sum(values, Fraction()) / len(values) if values else None


def build_chart_column(
    date: Date, name: str, tricks_above_average: Fraction
) -> tuple[str, Fraction, str]:
    """Return (label, tricks above average, description) for an evening's column of a chart."""
    day = format_date(date, "SHORT_DAY_MONTH")
    description = f"{day}, {name}: {formatting.format_signed(tricks_above_average)}"
    return format_date(date, "SHORT_MONTH"), tricks_above_average, description


def describe_chart(tricks_above_average_values: Sequence[Fraction]) -> str:
    """Describe the chart in a sentence; "" if there are no evenings."""
    if not tricks_above_average_values:
        return ""
    return ngettext(
        "%(count)d evening, %(above)d above average, from %(least)s to %(most)s.",
        "%(count)d evenings, %(above)d above average, from %(least)s to %(most)s.",
        len(tricks_above_average_values),
    ) % {
        "count": len(tricks_above_average_values),
        "above": sum(
            1
            for tricks_above_average in tricks_above_average_values
            if tricks_above_average > 0
        ),
        "least": formatting.format_signed(min(tricks_above_average_values)),
        "most": formatting.format_signed(max(tricks_above_average_values)),
    }


def _build_highlights(
    player_record: PlayerRecord, compared_evenings: Sequence[tuple[PlayerEvent, Fraction]]
) -> list[RecordHighlight]:
    ranked_evenings = [
        evening for evening in player_record.evenings if evening.rank is not None
    ]
    highlights = []
    if ranked_evenings:
        win_count = sum(1 for ranked_evening in ranked_evenings if ranked_evening.rank == 1)
        highlights.append(
            RecordHighlight(
                _("Evenings won"),
                str(win_count),
                _("of %(count)d") % {"count": len(ranked_evenings)},
            )
        )
    if compared_evenings:
        best_evening, tricks_above_average = max(
            compared_evenings,
            key=lambda compared_evening: (compared_evening[1], compared_evening[0].date),
        )
        highlights.append(
            RecordHighlight(
                _("Best evening"),
                formatting.format_signed(tricks_above_average),
                format_date(best_evening.date, "SHORT_DAY_MONTH"),
            )
        )
    if len(compared_evenings) > MAX_RECENT_FORM_EVENINGS:
        recent_average = _compute_average(
            [
                tricks_above_average
                for _evening, tricks_above_average in compared_evenings[
                    :MAX_RECENT_FORM_EVENINGS
                ]
            ]
        )
        highlights.append(
            RecordHighlight(
                _("Last five average"),
                formatting.format_signed(recent_average),
                _("per evening"),
            )
        )
    board_count = sum(side.board_count for side in player_record.sides)
    if board_count:
        highlights.append(RecordHighlight(_("Boards"), str(board_count), _("compared")))
    return highlights


def _build_partner_rows(partners: Sequence[Partner]) -> list[PartnerRow]:
    averages = [
        None
        if partner.tricks_above_average is None
        else partner.tricks_above_average / partner.evening_count
        for partner in partners
    ]
    largest_average = find_largest_absolute_value(
        average for average in averages if average is not None
    )
    return [
        PartnerRow(
            partner, average, None if average is None else build_bar(average, largest_average)
        )
        for partner, average in zip(partners, averages, strict=True)
    ]
