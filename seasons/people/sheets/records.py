"""A player's record over many evenings: ranks, scores, partners, and results by direction.

The direction is the player's actual seat on each board, after arrow switches and changes of
seats. `compute_entry_boards` of the grades defines the tricks above or below average.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Date
from fractions import Fraction

from django.db.models import Count, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist import Side
from clubs.models import Player
from clubs.privacy import has_public_page
from scoring.drawing.column_chart import ColumnChart, draw_column_chart
from scoring.drawing.scales import Bar, build_bar, find_largest_absolute
from scoring.models import Ranking, Standing
from scoring.standings_engine.scores import find_method
from seasons.grades.cells import EveningCells
from seasons.grades.compared_boards import COMPARED_CONTESTS
from seasons.people.models import EntryFigures
from server import formatting
from tournaments.models import Entry, EntryPlayer, Event

MAX_EVENINGS = 100
"""The maximum number of evenings in a record; it has the newest ones."""
FIRST_MONTH = 9
MAX_FORM_EVENINGS = 5
"""The number of newest evenings from which a player's current form is computed."""


@dataclass(frozen=True, slots=True)
class PlayerEvening:
    """One event of a player, with the entry's rank and scores."""

    slug: str
    name: str
    date: Date
    number: int
    entry: str
    method: str
    rank: int | None
    tied: bool
    boards: int
    among: int
    score: Fraction | None
    percent: Fraction | None
    above: Fraction | None
    """The player's tricks above the averages over all sessions, without penalties and carry-
    over.

    It is None for a team.
    """


@dataclass(frozen=True, slots=True)
class SideRecord:
    """A player's number of boards and tricks above average in one direction."""

    side: Side
    boards: int
    above: Fraction  # the averages, in tricks a board


@dataclass(frozen=True, slots=True)
class Partner:
    """A player's partner: the evenings played together, and the tricks above average."""

    name: str
    player: int | None  # the primary key; None without a public page
    evenings: int
    above: Fraction | None


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A player's evenings, the newest first, with the partners and the results by direction."""

    name: str
    evenings: tuple[PlayerEvening, ...]
    partners: tuple[Partner, ...]
    sides: tuple[SideRecord, ...]
    behind: tuple[int, ...] = ()
    """The primary keys of events whose statistics are missing or older than a correction."""


@dataclass(frozen=True, slots=True, order=True)
class ClubYear:
    """A club's year, from 1 September to 31 August."""

    begins: int  # the year of its 1 September

    @property
    def name(self) -> str:
        """The usual name of the season, such as "2026/27"."""
        return f"{self.begins}/{(self.begins + 1) % 100:02}"


def find_club_year(day: Date) -> ClubYear:
    """Return the season that contains a day."""
    return ClubYear(day.year if day.month >= FIRST_MONTH else day.year - 1)


def list_club_years(player: Player) -> list[ClubYear]:
    """List the seasons in which a player has public evenings, newest first."""
    days = query_public_entries(player).values_list("event__date", flat=True)
    return sorted({find_club_year(day) for day in days}, reverse=True)


def load_player_record(player: Player, season: ClubYear | None = None) -> PlayerRecord:
    """Return a player's public record in one season, or in all seasons if `season` is None.

    It has the events that are over and whose standings are public, at most MAX_EVENINGS.
    """
    entries = query_public_entries(player).select_related("event__terms")
    if season is not None:
        first = Date(season.begins, FIRST_MONTH, 1)
        entries = entries.filter(event__date__range=(first, Date(first.year + 1, 8, 31)))
    entry_rows = list(entries.order_by("-event__date", "-event_id")[:MAX_EVENINGS])
    cells_by_event, behind = _load_statistics_by_event(entry_rows)
    above = {event: cells.above for event, cells in cells_by_event.items() if cells.cells}
    return PlayerRecord(
        name=player.shown_name,
        evenings=tuple(_iter_evenings(entry_rows, above)),
        partners=tuple(_iter_partners(player, entry_rows, above)),
        sides=tuple(_iter_sides(cells_by_event.values())),
        behind=behind,
    )


def _load_statistics_by_event(
    entries: Iterable[Entry],
) -> tuple[dict[int, EveningCells], tuple[int, ...]]:
    """Return the entries' statistics by event, and the keys of events with old ones."""
    events = {
        entry_row.pk: entry_row.event_id
        for entry_row in entries
        if entry_row.event.contest in COMPARED_CONTESTS
    }
    statistics = load_statistics(EntryFigures.objects.filter(entry__in=events))
    cells_by_event = {events[entry]: cells for entry, (_version, cells) in statistics.items()}
    versions = {events[entry]: version for entry, (version, _kept) in statistics.items()}
    rankings = Ranking.objects.filter(event__in=events.values())
    behind = [
        event
        for event, version in rankings.values_list("event", "version")
        if versions.get(event) != version
    ]
    return cells_by_event, tuple(behind)


def load_statistics(rows: QuerySet[EntryFigures]) -> dict[int, tuple[int, EveningCells]]:
    """Return the cached statistics by the entry's primary key.

    Each value is the version of the standings and the statistics.
    """
    statistic_rows = rows.values_list("entry", "version", "parts", "cells")
    return {
        entry: (version, EveningCells(int(parts), tuple(map(tuple, cells))))
        for entry, version, parts, cells in statistic_rows
    }


def query_public_entries(player: Player) -> QuerySet[Entry]:
    """Return a person's entries in events that are over, listed and visible to players."""
    events = Event.objects.filter(club=player.club_id).public()
    return Entry.objects.filter(players=player, event__in=events)


def _iter_evenings(
    entries: Sequence[Entry], above: Mapping[int, Fraction]
) -> Iterable[PlayerEvening]:
    standings = {
        standing.entry_id: standing for standing in Standing.objects.filter(entry__in=entries)
    }
    rankings = {standing.ranking_id for standing in standings.values()}
    field = ("ranking", "section", "field")
    sizes = {
        tuple(row[:3]): row[3]
        for row in Standing.objects.filter(ranking__in=rankings)
        .values_list(*field)
        .annotate(Count("pk"))
        .order_by()
    }
    for entry in entries:
        event, standing = entry.event, standings.get(entry.pk)
        yield PlayerEvening(
            slug=event.slug,
            name=event.name,
            date=event.date,
            number=entry.number,
            entry=entry.name,
            method=find_method(event).name,
            rank=standing.rank if standing and standing.boards else None,
            tied=standing.tied if standing else False,
            boards=standing.boards if standing else 0,
            among=sizes[standing.ranking_id, standing.section, standing.field]
            if standing
            else 0,
            score=Fraction(standing.score) if standing else None,
            percent=Fraction(standing.percent) if standing and standing.percent else None,
            above=above.get(event.pk),
        )


def _iter_partners(
    player: Player, entries: Sequence[Entry], above: Mapping[int, Fraction]
) -> Iterable[Partner]:
    """Yield a player's partners in pairs events, the most frequent first."""
    pairs = {
        entry.pk: entry.event_id
        for entry in entries
        if entry.event.contest == Event.Contest.PAIRS
    }
    rows = EntryPlayer.objects.filter(entry__in=pairs).exclude(player=player)
    events_by_partner: dict[Player, list[int]] = defaultdict(list)
    for row in rows.select_related("player__club"):
        events_by_partner[row.player].append(pairs[row.entry_id])
    order = sorted(
        events_by_partner.items(), key=lambda item: (-len(item[1]), item[0].shown_name)
    )
    for other, events in order:
        known_values = [above[event] for event in events if event in above]
        yield Partner(
            name=other.shown_name,
            player=other.pk if has_public_page(other) else None,
            evenings=len(events),
            above=sum(known_values, Fraction()) if known_values else None,
        )


def _iter_sides(all_cells: Iterable[EveningCells]) -> Iterable[SideRecord]:
    """Yield the player's boards and tricks above average in each direction."""
    boards: dict[Side, int] = defaultdict(int)
    above: dict[Side, Fraction] = defaultdict(Fraction)
    for all_cell in all_cells:
        for _partner, seat, _trump, count, parts, _squares in all_cell.cells:
            side = Side.NS if seat in ("NS", "N", "S") else Side.EW
            boards[side] += count
            above[side] += Fraction(parts, all_cell.parts)
    for side in Side:
        if boards[side]:
            yield SideRecord(side, boards[side], above[side] / boards[side])


@dataclass(frozen=True, slots=True)
class RecordHighlight:
    """One highlight of a player's page: its title, its number as text, and a note."""

    title: str
    figure: str
    note: str


@dataclass(frozen=True, slots=True)
class PartnerRow:
    """A partner with the average per evening, and a bar on the scale of all partners."""

    partner: Partner
    average: Fraction | None
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class EveningRow:
    """An evening with a bar on the scale of all evenings."""

    evening: PlayerEvening
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """The content of a player's page for a season.

    `average` is in tricks an evening; it is None without comparable results.
    """

    average: Fraction | None
    counted: int
    drawing: ColumnChart | None
    words: str
    facts: tuple[RecordHighlight, ...]
    partners: tuple[PartnerRow, ...]
    evenings: tuple[EveningRow, ...]


def build_season_page(record: PlayerRecord) -> SeasonPage:
    """Prepare a player's record for display."""
    lines = [
        (evening, evening.above) for evening in record.evenings if evening.above is not None
    ]
    gaps = [above for _evening, above in lines]
    max_gap = find_largest_absolute(gaps)
    return SeasonPage(
        average=_compute_average(gaps),
        counted=len(gaps),
        drawing=draw_column_chart(
            [
                build_chart_column(evening_.date, evening_.name, above)
                for evening_, above in reversed(lines)
            ]
        ),
        words=describe_chart(gaps),
        facts=tuple(_build_highlights(record, lines)),
        partners=tuple(_build_partner_rows(record.partners)),
        evenings=tuple(
            EveningRow(
                evening, None if evening.above is None else build_bar(evening.above, max_gap)
            )
            for evening in record.evenings
        ),
    )


def _compute_average(gaps: Sequence[Fraction]) -> Fraction | None:
    return sum(gaps, Fraction()) / len(gaps) if gaps else None


def build_chart_column(date: Date, name: str, above: Fraction) -> tuple[str, Fraction, str]:
    """Return the label, the plus/minus and the text of an evening's column."""
    words = f"{date_format(date, 'j M')}, {name}: {formatting.format_signed(above)}"
    return date_format(date, "M"), above, words


def describe_chart(gaps: Sequence[Fraction]) -> str:
    """Describe the chart in a sentence; "" if there are no evenings."""
    if not gaps:
        return ""
    return ngettext(
        "%(count)d evening, %(above)d above average, from %(least)s to %(most)s.",
        "%(count)d evenings, %(above)d above average, from %(least)s to %(most)s.",
        len(gaps),
    ) % {
        "count": len(gaps),
        "above": sum(1 for gap in gaps if gap > 0),
        "least": formatting.format_signed(min(gaps)),
        "most": formatting.format_signed(max(gaps)),
    }


def _build_highlights(
    record: PlayerRecord, compared_evenings: Sequence[tuple[PlayerEvening, Fraction]]
) -> list[RecordHighlight]:
    ranked_evenings = [evening for evening in record.evenings if evening.rank is not None]
    highlights = []
    if ranked_evenings:
        won = sum(1 for ranked_evening in ranked_evenings if ranked_evening.rank == 1)
        highlights.append(
            RecordHighlight(
                _("Evenings won"), str(won), _("of %(count)d") % {"count": len(ranked_evenings)}
            )
        )
    if compared_evenings:
        best, above = max(
            compared_evenings,
            key=lambda compared_evening: (compared_evening[1], compared_evening[0].date),
        )
        highlights.append(
            RecordHighlight(
                _("Best evening"),
                formatting.format_signed(above),
                date_format(best.date, "j M"),
            )
        )
    if len(compared_evenings) > MAX_FORM_EVENINGS:
        last = _compute_average(
            [above for _evening, above in compared_evenings[:MAX_FORM_EVENINGS]]
        )
        highlights.append(
            RecordHighlight(
                _("Last five average"), formatting.format_signed(last), _("per evening")
            )
        )
    boards = sum(side.boards for side in record.sides)
    if boards:
        highlights.append(RecordHighlight(_("Boards"), str(boards), _("compared")))
    return highlights


def _build_partner_rows(partners: Sequence[Partner]) -> list[PartnerRow]:
    averages = [
        None if partner.above is None else partner.above / partner.evenings
        for partner in partners
    ]
    max_average = find_largest_absolute(
        average_ for average_ in averages if average_ is not None
    )
    return [
        PartnerRow(
            partner, average, None if average is None else build_bar(average, max_average)
        )
        for partner, average in zip(partners, averages, strict=True)
    ]
