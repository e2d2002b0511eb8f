"""The data of a person's own page: evenings, partners, and results by seat and by trump suit.

The number of queries is fixed, because the statistics of each evening are cached
(`seasons.people.services`). Only events that are over and public are included.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date as Date
from datetime import timedelta
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from boards.whist import Seat, Suit
from boards.whist.seats import Side
from clubs.evenings.recurrence import is_outside_supported_dates
from clubs.models import BookedPerson, Fixture, Player
from clubs.today import get_club_date
from drives.models import Drive
from exchange.calendars import build_calendar
from scoring.drawing.column_chart import ColumnChart, draw_column_chart
from scoring.drawing.scales import Bar, build_bar, find_largest_absolute_value
from scoring.models import Standing
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.current_round import find_current_round
from scoring.sheets.room_page import describe_seats
from seasons.calendar.sheets.calendar import (
    EveningSummary,
    annotate_head_counts,
    build_calendar_event,
    build_evening_summary,
    query_fixtures,
)
from seasons.grades.cells import (
    UNKNOWN_TRUMP,
    BoardSplit,
    BoardSplitAccumulator,
    EveningStatisticsCells,
)
from seasons.grades.compared_boards import SAME_DIRECTION_CONTESTS
from seasons.ladders.rules import LadderRow
from seasons.ladders.season_tables import load_ladder_tables
from seasons.people.models import EntryFigures
from seasons.people.sheets.records import (
    build_chart_column,
    describe_chart,
    load_statistics,
    query_public_entries,
)
from server import formatting
from tournaments.models import Entry, EntryPlayer, Session

MAX_LISTED_EVENINGS = 20
"""The maximum number of evenings listed on the page; the newest ones are listed."""
SEAT_ORDER = ("N", "E", "S", "W", "NS", "EW")
TRUMP_ORDER = ("S", "H", "D", "C", UNKNOWN_TRUMP)
EVENING_FIELDS = (
    *("event", "event__slug", "event__name", "event__date", "number", "pk"),
    *("event__contest", "event__ranking__version"),
)
UPCOMING_PERIOD = timedelta(days=62)
MAX_UNBOOKED_EVENINGS = 8
"""The maximum number of upcoming evenings on the page, without the booked ones."""


class PersonEvening(NamedTuple):
    """One evening of the person, with the rank, the scores and the tricks above average."""

    event_pk: int  # the primary key
    slug: str
    name: str
    date: Date
    entry_number: int
    entry_pk: int  # the primary key
    contest: str
    standings_version: int | None
    partners: str = ""
    rank: int | None = None
    is_tied: bool = False
    score: Fraction | None = None
    percent: Fraction | None = None
    board_count: int = 0
    tricks_above: Fraction | None = None

    @property
    def tricks_per_board(self) -> Fraction | None:
        """The average of the tricks above the other tables, per board."""
        if self.tricks_above is None or not self.board_count:
            return None
        return self.tricks_above / self.board_count


@dataclass(frozen=True, slots=True)
class NamedBoardSplit:
    """The person's results with one partner, in one seat or in one trump suit."""

    name: str
    split: BoardSplit
    bar: Bar | None = None


@dataclass(frozen=True, slots=True)
class OwnPage:
    """The content of the page; the splits of each kind add up exactly to `overall_split`."""

    overall_split: BoardSplit | None
    evenings: tuple[PersonEvening, ...]
    partners: tuple[NamedBoardSplit, ...]
    seats: tuple[NamedBoardSplit, ...]
    trumps: tuple[NamedBoardSplit, ...]
    outdated_event_pks: tuple[int, ...]
    """The keys of events with missing or outdated statistics."""

    @property
    def listed_evenings(self) -> tuple[PersonEvening, ...]:
        """The evenings listed on the page."""
        return self.evenings[:MAX_LISTED_EVENINGS]

    @property
    def chart(self) -> ColumnChart | None:
        """The chart of the plus/minus of the listed evenings, from the oldest to the newest."""
        return draw_column_chart(
            [
                build_chart_column(evening.date, evening.name, evening.tricks_above)
                for evening in reversed(self.listed_evenings)
                if evening.tricks_above is not None
            ]
        )

    @property
    def chart_description(self) -> str:
        """The text that describes the chart to a screen reader."""
        return describe_chart(
            [
                evening.tricks_above
                for evening in self.listed_evenings
                if evening.tricks_above is not None
            ]
        )


PartnerKeysAndNames = tuple[tuple[int, ...], str]
"""The partners at one evening: the sorted primary keys, and the names as one text."""


def load_own_page(player: Player) -> OwnPage:
    """Load the content of a person's own page, in five queries."""
    public_entries = query_public_entries(player).order_by("-event__date", "-event_id")
    evenings = [PersonEvening(*row) for row in public_entries.values_list(*EVENING_FIELDS)]
    standings_by_entry = _load_standings(player)
    entry_pks = {evening.entry_pk for evening in evenings}
    statistics_by_entry = load_statistics(EntryFigures.objects.filter(entry__players=player))
    own_statistics_by_entry = {
        entry_pk: version_and_cells
        for entry_pk, version_and_cells in statistics_by_entry.items()
        if entry_pk in entry_pks
    }
    partners_by_entry = _load_partners(evenings, own_statistics_by_entry, player)
    own_evenings = [
        _build_evening(evening, standings_by_entry, own_statistics_by_entry, partners_by_entry)
        for evening in evenings
    ]
    splits_by_kind = _split_boards(evenings, own_statistics_by_entry, partners_by_entry)
    overall_splits = splits_by_kind.pop("whole")
    max_mean = find_largest_absolute_value(
        split.mean
        for kind_splits in splits_by_kind.values()
        for split in kind_splits
        if split.has_enough_boards
    )
    return OwnPage(
        overall_split=overall_splits[0] if overall_splits else None,
        evenings=tuple(own_evenings),
        partners=tuple(
            _build_named_split(_format_partner(split.split_key), split, max_mean)
            for split in splits_by_kind["partner"]
        ),
        seats=_build_named_splits(splits_by_kind["seat"], SEAT_ORDER, _format_seat, max_mean),
        trumps=_build_named_splits(
            splits_by_kind["trump"], TRUMP_ORDER, _format_trump, max_mean
        ),
        outdated_event_pks=tuple(
            evening.event_pk
            for evening in evenings
            if evening.contest in SAME_DIRECTION_CONTESTS
            and own_statistics_by_entry.get(evening.entry_pk, (None,))[0]
            != evening.standings_version
        ),
    )


def _split_boards(
    evenings: Sequence[PersonEvening],
    statistics_by_entry: Mapping[int, tuple[int, EveningStatisticsCells]],
    partners_by_entry: Mapping[int, PartnerKeysAndNames],
) -> dict[str, list[BoardSplit]]:
    """Return the splits by kind: "whole" (all boards), "partner", "seat" and "trump"."""
    split_kinds = ("whole", "partner", "seat", "trump")
    accumulator_by_kind = {split_kind: BoardSplitAccumulator() for split_kind in split_kinds}
    for evening in evenings:
        if evening.entry_pk not in statistics_by_entry:
            continue
        _version, evening_cells = statistics_by_entry[evening.entry_pk]
        for cell in evening_cells.cells:
            partner_entry_pk, seat_code, trump_code = cell[:3]
            partners = partners_by_entry.get(partner_entry_pk or evening.entry_pk, ((), ""))
            split_keys = ("", partners, seat_code, trump_code)
            for split_kind, split_key in zip(split_kinds, split_keys, strict=True):
                accumulator_by_kind[split_kind].add(
                    split_key, evening.event_pk, evening_cells.denominator, cell
                )
    return {kind: accumulator_by_kind[kind].list_splits() for kind in split_kinds}


def _load_standings(player: Player) -> dict[int, tuple[Any, ...]]:
    standings = Standing.objects.filter(entry__players=player).order_by()
    columns = ("entry", "rank", "tied", "score", "percent", "boards")
    return {row[0]: row[1:] for row in standings.values_list(*columns)}


def _load_partners(
    evenings: Sequence[PersonEvening],
    statistics_by_entry: Mapping[int, tuple[int, EveningStatisticsCells]],
    player: Player,
) -> dict[int, PartnerKeysAndNames]:
    """Return the partners at each evening, by the primary key of the person's entry.

    In an event of single players, the key is that of the partner's entry.
    """
    partner_entry_pks = {
        cell[0]
        for _version, evening_cells in statistics_by_entry.values()
        for cell in evening_cells.cells
        if cell[0]
    }
    player_entries = Entry.objects.filter(players=player).values("pk")
    shown_entries_filter = Q(entry__in=player_entries) | Q(entry__in=partner_entry_pks)
    entry_players = EntryPlayer.objects.filter(shown_entries_filter).order_by("entry", "order")
    partner_pks_by_entry: dict[int, list[int]] = defaultdict(list)
    for entry_pk, partner_pk in entry_players.values_list("entry", "player"):
        if partner_pk != player.pk:
            partner_pks_by_entry[entry_pk].append(partner_pk)
    all_partner_pks = set(chain.from_iterable(partner_pks_by_entry.values()))
    partners_by_pk = Player.objects.only("name", "shown").in_bulk(all_partner_pks)
    return {
        entry_pk: (
            tuple(sorted(partner_pks)),
            " & ".join(partners_by_pk[partner_pk].shown_name for partner_pk in partner_pks),
        )
        for entry_pk, partner_pks in partner_pks_by_entry.items()
    }


def _build_evening(
    own_evening: PersonEvening,
    standings_by_entry: Mapping[int, tuple[Any, ...]],
    statistics_by_entry: Mapping[int, tuple[int, EveningStatisticsCells]],
    partners_by_entry: Mapping[int, PartnerKeysAndNames],
) -> PersonEvening:
    entry_pk = own_evening.entry_pk
    _partner_pks, partner_names = partners_by_entry.get(entry_pk, ((), ""))
    evening = own_evening._replace(partners=partner_names)
    if entry_pk in standings_by_entry:
        rank, is_tied, score, percent, board_count = standings_by_entry[entry_pk]
        evening = evening._replace(
            rank=rank if board_count else None,
            is_tied=is_tied,
            score=Fraction(score),
            percent=Fraction(percent) if percent else None,
        )
    _version, evening_cells = statistics_by_entry.get(entry_pk, (None, None))
    if evening_cells is not None and evening_cells.cells:
        evening = evening._replace(
            board_count=evening_cells.board_count, tricks_above=evening_cells.tricks_above
        )
    return evening


def _build_named_splits(
    splits: Sequence[BoardSplit],
    key_order: Sequence[str],
    format_name: Any,
    max_mean: Fraction,
) -> tuple[NamedBoardSplit, ...]:
    sorted_splits = sorted(splits, key=lambda split: key_order.index(str(split.split_key)))
    return tuple(
        _build_named_split(format_name(str(sorted_split.split_key)), sorted_split, max_mean)
        for sorted_split in sorted_splits
    )


def _build_named_split(name: str, split: BoardSplit, max_mean: Fraction) -> NamedBoardSplit:
    """Return a split with its name and a bar; the bar is None if there are too few boards."""
    bar = build_bar(split.mean, max_mean) if split.has_enough_boards else None
    return NamedBoardSplit(name, split, bar)


def _format_partner(partner_key: object) -> str:
    name = partner_key[1] if isinstance(partner_key, tuple) else ""
    return str(name) or _("no partner")


def _format_seat(seat_code: str) -> str:
    return Side(seat_code).word if seat_code in ("NS", "EW") else Seat(seat_code).word


def _format_trump(trump_code: str) -> str:
    return _("unknown") if trump_code == UNKNOWN_TRUMP else Suit(trump_code).word


@dataclass(frozen=True, slots=True)
class TodaysSeat:
    """A person's seat at one evening of today."""

    name: str
    event_slug: str  # "" for a drive
    drive_slug: str  # "" for an event
    entry_number: int  # 0 for a drive
    round_number: int  # 0 before play starts
    seat_text: str  # "" while the seat is unknown
    entry_name: str  # the name of the entry


@dataclass(frozen=True, slots=True)
class UpcomingEvening:
    """An upcoming evening of the club, with the state of the person's booking."""

    summary: EveningSummary
    is_booked: bool
    has_place: bool
    must_answer: bool
    partners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OwnLadderRow:
    """A person's best row in one ladder; `rank_text` is "" if the row is unranked."""

    name: str
    season_name: str
    slugs: tuple[str, str, str]
    rank_text: str
    ranked_count: int
    total: str
    evening_count: int
    missing_evening_count: int
    row_key: str
    """The key of the row in the URL that explains its total; "" if the person has no row."""


def list_todays_seats(player: Player) -> list[TodaysSeat]:
    """Return a person's seats of today: before play those of round 1, then the current ones."""
    today = get_club_date(player.club)
    entries = Entry.objects.filter(
        players=player,
        event__put_away_at=None,
        event__is_rehearsal=False,
        event__sessions__evening__date=today,
    )
    todays_seats = [
        _build_todays_seat(entry, session)
        for entry in entries.select_related("event").distinct()
        for session in entry.event.sessions.filter(evening__date=today).exclude(
            state=Session.State.CLOSED
        )
    ]
    drives = Drive.objects.exclude_hidden().filter(players__player=player, evening__date=today)
    for drive in drives.exclude(state=Drive.State.CLOSED).distinct():
        todays_seats.append(TodaysSeat(drive.name, "", drive.slug, 0, 0, "", ""))
    return todays_seats


def _build_todays_seat(entry: Entry, session: Session) -> TodaysSeat:
    snapshot = load_session_snapshot(session)
    is_session_open = session.state == Session.State.OPEN
    round_number = find_current_round(snapshot).round_number if is_session_open else 0
    seat_text = describe_seats(snapshot, max(round_number, 1)).get(entry.pk, "")
    event = entry.event
    return TodaysSeat(
        event.name, event.slug, "", entry.number, round_number, seat_text, entry.name
    )


def list_upcoming_evenings(player: Player) -> list[UpcomingEvening]:
    """Return the next evenings of the club, with the person's bookings, in four queries."""
    today = get_club_date(player.club)
    person_by_fixture = {person.fixture_id: person for person in _load_booked_people(player)}
    upcoming_filter = Q(evening__date__lte=today + UPCOMING_PERIOD, cancelled_at=None)
    shown_filter = upcoming_filter | Q(pk__in=person_by_fixture)
    shown_fixtures = query_fixtures(player.club).filter(shown_filter, evening__date__gte=today)
    upcoming_evenings = [
        _build_upcoming_evening(
            build_evening_summary(fixture), person_by_fixture.get(fixture.pk), player
        )
        for fixture in annotate_head_counts(shown_fixtures)
    ]
    unbooked_evenings = [evening for evening in upcoming_evenings if not evening.is_booked]
    shown_unbooked_evenings = unbooked_evenings[:MAX_UNBOOKED_EVENINGS]
    return [
        evening
        for evening in upcoming_evenings
        if evening.is_booked or evening in shown_unbooked_evenings
    ]


def _load_booked_people(player: Player) -> Sequence[BookedPerson]:
    today = get_club_date(player.club)
    people = BookedPerson.objects.filter(player=player, fixture__evening__date__gte=today)
    return list(people.select_related("booking").prefetch_related("booking__people__player"))


def _build_upcoming_evening(
    summary: EveningSummary, booked_person: BookedPerson | None, player: Player
) -> UpcomingEvening:
    if booked_person is None:
        return UpcomingEvening(summary, False, False, False, ())
    partners = [
        person for person in booked_person.booking.people.all() if person.player_id != player.pk
    ]
    return UpcomingEvening(
        summary=summary,
        is_booked=True,
        has_place=booked_person.booking.has_place,
        must_answer=not booked_person.accepted,
        partners=tuple(partner.full_name for partner in partners),
    )


def list_booked_fixtures(player: Player) -> list[tuple[Fixture, bool]]:
    """Return a person's booked evenings, each with whether the person has a place."""
    has_place_by_fixture = {
        person.fixture_id: person.booking.has_place for person in _load_booked_people(player)
    }
    fixtures = query_fixtures(player.club).filter(pk__in=has_place_by_fixture)
    return [(fixture, has_place_by_fixture[fixture.pk]) for fixture in fixtures]


def list_own_ladders(player: Player) -> list[OwnLadderRow]:
    """Return a person's best row in each ladder of the club's newest season."""
    season = player.club.seasons.order_by("-last_day", "-pk").first()
    if season is None:
        return []
    season.club = player.club
    own_ladders = []
    for ladder, table in load_ladder_tables(season):
        player_rows = [row for row in table.rows if player.pk in row.person_pks]
        last_rank = len(table.rows) + 1
        best_row = min(player_rows, key=lambda row: row.rank or last_rank, default=None)
        own_ladders.append(
            OwnLadderRow(
                name=ladder.name,
                season_name=season.name,
                slugs=(player.club.slug, season.slug, ladder.slug),
                rank_text=formatting.format_rank(best_row.rank, is_tied=best_row.is_tied)
                if best_row and best_row.rank
                else "",
                ranked_count=len(table.ranked_rows),
                total=_format_total(best_row.total, table.ranked_rows) if best_row else "",
                evening_count=best_row.evening_count if best_row else 0,
                missing_evening_count=best_row.missing_evening_count if best_row else 0,
                row_key=best_row.row_key if best_row else "",
            )
        )
    return own_ladders


def _format_total(total: Fraction, ranked_rows: Sequence[LadderRow]) -> str:
    totals = [ranked_row.total for ranked_row in ranked_rows]
    has_negative_total = any(ranked_total < 0 for ranked_total in totals)
    column_format = formatting.choose_column_format(totals, has_sign=has_negative_total)
    return column_format.format_number(total)


def build_own_calendar_file(player: Player, base_url: str) -> bytes:
    """Return a person's booked evenings as an iCalendar file, with links to the bookings.

    Bookings on a waiting list are marked. Evenings have the same UIDs as in the club's
    calendar. A client that subscribes to both therefore shows each evening once. Dates
    that are too far away for calendar clients are left out.
    """
    club = player.club
    calendar_events = []
    for fixture, has_place in list_booked_fixtures(player):
        if is_outside_supported_dates(fixture.evening.date):
            continue
        calendar_event = build_calendar_event(fixture, base_url)
        status = _("You have a place.") if has_place else _("You are on the waiting list.")
        booking_url = f"{base_url}{reverse('me_booking', args=[fixture.uid])}"
        calendar_events.append(replace(calendar_event, description=status, url=booking_url))
    calendar_name = _("%(club)s: my evenings") % {"club": club.name}
    return build_calendar(calendar_name, club.zone, calendar_events)
