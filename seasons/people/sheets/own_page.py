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
from typing import Any, NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from boards.whist import Seat, Suit
from boards.whist.seats import Side
from clubs.evenings.recurrence import is_too_far
from clubs.models import BookedPerson, Fixture, Player
from clubs.today import get_club_date
from drives.models import Drive
from exchange.calendars import build_calendar
from scoring.drawing.column_chart import ColumnChart, draw_column_chart
from scoring.drawing.scales import Bar, build_bar, find_largest_absolute
from scoring.models import Standing
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.current_round import find_current_round
from scoring.sheets.room_page import describe_seats
from seasons.calendar.sheets.calendar import (
    CalendarLine,
    annotate_head_counts,
    build_calendar_day,
    build_calendar_line,
    query_fixtures,
)
from seasons.grades.cells import UNKNOWN_TRUMP, BoardSplit, EveningCells, SplitSums
from seasons.grades.compared_boards import COMPARED_CONTESTS
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
MAX_NEXT_EVENINGS = 8
"""The maximum number of upcoming evenings on the page that the person has not booked.

All booked evenings are shown in addition.
"""


class OwnEvening(NamedTuple):
    """One evening of the person: date, rank, size of the field, and tricks above average."""

    event: int
    slug: str
    name: str
    date: Date
    number: int
    entry: int
    contest: str
    version: int | None
    partners: str = ""
    rank: int | None = None
    tied: bool = False
    score: Fraction | None = None
    percent: Fraction | None = None
    boards: int = 0
    above: Fraction | None = None

    @property
    def a_board(self) -> Fraction | None:
        """The average number of tricks a board above the others."""
        return self.above / self.boards if self.above is not None and self.boards else None


@dataclass(frozen=True, slots=True)
class NamedSplit:
    """The person's results with one partner, in one seat or in one trump suit."""

    name: str
    split: BoardSplit
    bar: Bar | None = None


@dataclass(frozen=True, slots=True)
class OwnPage:
    """The content of the page; each table of splits adds up exactly to `whole`."""

    whole: BoardSplit | None
    evenings: tuple[OwnEvening, ...]
    partners: tuple[NamedSplit, ...]
    seats: tuple[NamedSplit, ...]
    trumps: tuple[NamedSplit, ...]
    behind: tuple[int, ...]
    """The keys of events with missing or outdated statistics."""

    @property
    def listed(self) -> tuple[OwnEvening, ...]:
        """The evenings listed on the page."""
        return self.evenings[:MAX_LISTED_EVENINGS]

    @property
    def drawing(self) -> ColumnChart | None:
        """The chart of the plus/minus of the listed evenings, from the oldest to the newest."""
        return draw_column_chart(
            [
                build_chart_column(evening.date, evening.name, evening.above)
                for evening in reversed(self.listed)
                if evening.above is not None
            ]
        )

    @property
    def words(self) -> str:
        """The description of the chart."""
        return describe_chart(
            [evening.above for evening in self.listed if evening.above is not None]
        )


Who = tuple[tuple[int, ...], str]


def load_own_page(player: Player) -> OwnPage:
    """Return a person's evenings that are over and public, with sums; five queries."""
    rows = (
        query_public_entries(player)
        .order_by("-event__date", "-event_id")
        .values_list(*EVENING_FIELDS)
    )
    evenings = [OwnEvening(*row) for row in rows]
    standings = _load_standings(player)
    entry_keys = {evening.entry for evening in evenings}
    statistics_by_entry = load_statistics(EntryFigures.objects.filter(entry__players=player))
    own_statistics = {
        entry: row for entry, row in statistics_by_entry.items() if entry in entry_keys
    }
    names = _load_partners(evenings, own_statistics, player)
    lines = [_build_evening(evening, standings, own_statistics, names) for evening in evenings]
    sums = _sum_boards(evenings, own_statistics, names)
    splits = {kind: sum_.splits() for kind, sum_ in sums.items()}
    all_boards = splits.pop("whole")
    max_mean = find_largest_absolute(
        split.mean for kind in splits.values() for split in kind if split.is_enough
    )
    return OwnPage(
        whole=all_boards[0] if all_boards else None,
        evenings=tuple(lines),
        partners=tuple(
            _name_split(_format_partner(split.key), split, max_mean)
            for split in splits["partner"]
        ),
        seats=tuple(_name_splits(splits["seat"], SEAT_ORDER, _format_seat, max_mean)),
        trumps=tuple(_name_splits(splits["trump"], TRUMP_ORDER, _format_trump, max_mean)),
        behind=tuple(
            evening.event
            for evening in evenings
            if evening.contest in COMPARED_CONTESTS
            and own_statistics.get(evening.entry, (None,))[0] != evening.version
        ),
    )


def _sum_boards(
    evenings: Sequence[OwnEvening],
    statistics: Mapping[int, tuple[int, EveningCells]],
    names: Mapping[int, Who],
) -> dict[str, SplitSums]:
    """Return the sums over all boards, and those by partner, by seat and by trump suit."""
    sums = {kind: SplitSums() for kind in ("whole", "partner", "seat", "trump")}
    for evening in evenings:
        if evening.entry not in statistics:
            continue
        _version, evening_cells = statistics[evening.entry]
        for cell in evening_cells.cells:
            partner_key, seat, trump = cell[:3]
            partner = names.get(partner_key or evening.entry, ((), ""))
            keys = {"whole": "", "partner": partner, "seat": seat, "trump": trump}
            for kind, key in keys.items():
                sums[kind].add(key, evening.event, evening_cells.parts, cell)
    return sums


def _load_standings(player: Player) -> dict[int, tuple[Any, ...]]:
    rows = Standing.objects.filter(entry__players=player).order_by()
    columns = ("entry", "rank", "tied", "score", "percent", "boards")
    return {row[0]: row[1:] for row in rows.values_list(*columns)}


def _load_partners(
    evenings: Sequence[OwnEvening],
    statistics: Mapping[int, tuple[int, EveningCells]],
    player: Player,
) -> dict[int, Who]:
    """Return the names of a person's partners at each evening, by the primary key of an entry.

    The key is that of the person's entry. In an event of single players it is that of the
    partner's own entry.
    """
    single = {
        cell[0]
        for _version, evening_cells in statistics.values()
        for cell in evening_cells.cells
        if cell[0]
    }
    mine = Entry.objects.filter(players=player).values("pk")
    rows = EntryPlayer.objects.filter(Q(entry__in=mine) | Q(entry__in=single))
    people_by_entry: dict[int, list[int]] = defaultdict(list)
    for entry, partner_key in rows.order_by("entry", "order").values_list("entry", "player"):
        if partner_key != player.pk:
            people_by_entry[entry].append(partner_key)
    people = Player.objects.only("name", "shown").in_bulk(
        {
            partner_key
            for partner_keys in people_by_entry.values()
            for partner_key in partner_keys
        }
    )
    return {
        entry: (
            tuple(sorted(partner_keys)),
            " & ".join(people[partner_key].shown_name for partner_key in partner_keys),
        )
        for entry, partner_keys in people_by_entry.items()
    }


def _build_evening(
    own_evening: OwnEvening,
    standings: Mapping[int, tuple[Any, ...]],
    statistics: Mapping[int, tuple[int, EveningCells]],
    names: Mapping[int, Who],
) -> OwnEvening:
    evening = own_evening._replace(partners=names.get(own_evening.entry, ((), ""))[1])
    if own_evening.entry in standings:
        rank, tied, score, percent, boards = standings[own_evening.entry]
        evening = evening._replace(
            rank=rank if boards else None,
            tied=tied,
            score=Fraction(score),
            percent=Fraction(percent) if percent else None,
        )
    if (
        own_evening.entry in statistics
        and (evening_cells := statistics[own_evening.entry][1]).cells
    ):
        evening = evening._replace(boards=evening_cells.boards, above=evening_cells.above)
    return evening


def _name_splits(
    splits: Sequence[BoardSplit], order: Sequence[str], name: Any, max_mean: Fraction
) -> list[NamedSplit]:
    sorted_splits = sorted(splits, key=lambda split: order.index(str(split.key)))
    return [
        _name_split(name(str(sorted_split.key)), sorted_split, max_mean)
        for sorted_split in sorted_splits
    ]


def _name_split(name: str, split: BoardSplit, max_mean: Fraction) -> NamedSplit:
    """Add a name and a bar, on the scale of all splits, to a split with enough boards."""
    return NamedSplit(name, split, build_bar(split.mean, max_mean) if split.is_enough else None)


def _format_partner(key: object) -> str:
    name = key[1] if isinstance(key, tuple) else ""
    return str(name) or _("no partner")


def _format_seat(key: str) -> str:
    return Side(key).word if key in ("NS", "EW") else Seat(key).word


def _format_trump(key: str) -> str:
    return _("unknown") if key == UNKNOWN_TRUMP else Suit(key).word


@dataclass(frozen=True, slots=True)
class PlaceToday:
    """A person's seat at one evening of today.

    `round` is 0 before play starts; `seat` is "" while it is unknown.
    """

    name: str
    event: str
    drive: str
    number: int
    round: int
    seat: str
    entry: str


@dataclass(frozen=True, slots=True)
class UpcomingEvening:
    """An upcoming evening of the club, with the state of the person's booking."""

    line: CalendarLine
    is_booked: bool
    has_place: bool
    must_answer: bool
    partners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OwnLadder:
    """A person's best row in one ladder; `place` is "" if the row is unranked."""

    name: str
    season: str
    slugs: tuple[str, str, str]
    place: str
    among: int
    total: str
    evenings: int
    needs: int
    line: str
    """The key of the row in the URL that explains its total; "" if the person has no row."""


def list_places_today(player: Player) -> list[PlaceToday]:
    """Return a person's seats today: in the current round, or in round 1 before play."""
    today = get_club_date(player.club)
    entries = Entry.objects.filter(
        players=player,
        event__put_away_at=None,
        event__is_rehearsal=False,
        event__sessions__evening__date=today,
    )
    places = [
        _build_seated_place(entry, session)
        for entry in entries.select_related("event").distinct()
        for session in entry.event.sessions.filter(evening__date=today).exclude(
            state=Session.State.CLOSED
        )
    ]
    drives = Drive.objects.exclude_hidden().filter(players__player=player, evening__date=today)
    for drive in drives.exclude(state=Drive.State.CLOSED).distinct():
        places.append(PlaceToday(drive.name, "", drive.slug, 0, 0, "", ""))
    return places


def _build_seated_place(entry: Entry, session: Session) -> PlaceToday:
    seated = load_session_snapshot(session)
    is_open = session.state == Session.State.OPEN
    at = find_current_round(seated).round if is_open else 0
    seat = describe_seats(seated, max(at, 1)).get(entry.pk, "")
    event = entry.event
    return PlaceToday(event.name, event.slug, "", entry.number, at, seat, entry.name)


def list_upcoming_evenings(player: Player) -> list[UpcomingEvening]:
    """Return the next evenings of the club, with the person's bookings; four queries."""
    today = get_club_date(player.club)
    own_bookings = {booking.fixture_id: booking for booking in _load_bookings(player)}
    near_lines = Q(evening__date__lte=today + UPCOMING_PERIOD, cancelled_at=None) | Q(
        pk__in=own_bookings
    )
    rows = query_fixtures(player.club).filter(near_lines, evening__date__gte=today)
    lines = [
        _build_upcoming_evening(
            build_calendar_line(fixture), own_bookings.get(fixture.pk), player
        )
        for fixture in annotate_head_counts(rows)
    ]
    unbooked = [line for line in lines if not line.is_booked][:MAX_NEXT_EVENINGS]
    return [line for line in lines if line.is_booked or line in unbooked]


def _load_bookings(player: Player) -> Sequence[BookedPerson]:
    today = get_club_date(player.club)
    rows = BookedPerson.objects.filter(player=player, fixture__evening__date__gte=today)
    return list(rows.select_related("booking").prefetch_related("booking__people__player"))


def _build_upcoming_evening(
    line: CalendarLine, own_booking: BookedPerson | None, player: Player
) -> UpcomingEvening:
    if own_booking is None:
        return UpcomingEvening(line, False, False, False, ())
    partners = [
        person for person in own_booking.booking.people.all() if person.player_id != player.pk
    ]
    return UpcomingEvening(
        line=line,
        is_booked=True,
        has_place=own_booking.booking.has_place,
        must_answer=not own_booking.accepted,
        partners=tuple(partner.full_name for partner in partners),
    )


def list_booked_fixtures(player: Player) -> list[tuple[Fixture, bool]]:
    """Return a person's booked evenings, each with whether the person has a place."""
    rows = {booking.fixture_id: booking.booking.has_place for booking in _load_bookings(player)}
    fixtures = query_fixtures(player.club).filter(pk__in=rows)
    return [(fixture, rows[fixture.pk]) for fixture in fixtures]


def list_own_ladders(player: Player) -> list[OwnLadder]:
    """Return a person's best row in each ladder of the club's newest season."""
    season = player.club.seasons.order_by("-last_day", "-pk").first()
    if season is None:
        return []
    season.club = player.club
    own_ladders = []
    for row, table in load_ladder_tables(season):
        own_rows = [row_ for row_ in table.rows if player.pk in row_.people]
        best = min(
            own_rows, key=lambda own_row: own_row.rank or len(table.rows) + 1, default=None
        )
        slugs = (player.club.slug, season.slug, row.slug)
        own_ladders.append(
            OwnLadder(
                name=row.name,
                season=season.name,
                slugs=slugs,
                place=formatting.format_rank(best.rank, tied=best.tied)
                if best and best.rank
                else "",
                among=len(table.ranked),
                total=_format_total(best.total, table.ranked) if best else "",
                evenings=best.evenings if best else 0,
                needs=best.needs if best else 0,
                line=best.key if best else "",
            )
        )
    return own_ladders


def _format_total(total: Fraction, ranked_rows: Sequence[LadderRow]) -> str:
    is_signed = any(ranked_row.total < 0 for ranked_row in ranked_rows)
    return formatting.choose_column_format(
        [ranked_row.total for ranked_row in ranked_rows], with_sign=is_signed
    ).write(total)


def build_own_calendar_file(player: Player, base: str) -> bytes:
    """Return a person's booked evenings as an iCalendar file, with links to the bookings.

    Bookings on a waiting list are marked. Evenings have the same UIDs as in the club's
    calendar. A client that subscribes to both calendars therefore shows each evening once.
    Both calendars leave out dates so far away that no calendar client reads them; an older
    version accepted such dates.
    """
    club = player.club
    days = []
    for fixture, has_place in list_booked_fixtures(player):
        if is_too_far(fixture.evening.date):
            continue
        day = build_calendar_day(fixture, base)
        words = _("You have a place.") if has_place else _("You are on the waiting list.")
        address = f"{base}{reverse('me_booking', args=[fixture.uid])}"
        days.append(replace(day, text=words, url=address))
    name = _("%(club)s: my evenings") % {"club": club.name}
    return build_calendar(name, club.zone, days)
