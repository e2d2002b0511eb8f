"""What is ahead of one person: tonight's seat, the evenings that can be booked, the ladders."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.evenings.recurrence import is_far
from clubs.models import BookedPerson, Fixture, Player
from clubs.today import today_at
from drives.models import Drive
from exchange.calendars import calendar_of
from scoring.sheets.room_page import seats_in_words
from scoring.sheets.round_now import round_now
from scoring.sittings import read_sittings
from seasons.calendar.sheets.calendar import (
    CalendarLine,
    calendar_day,
    calendar_line,
    fixtures_of,
    with_heads,
)
from seasons.ladders.rules import LadderRow
from seasons.ladders.season_tables import tables_of
from server import formatting
from tournaments.models import Entry, Session

AHEAD = timedelta(days=62)
MAX_NEXT_EVENINGS = 8
"""So many of the next evenings stand on the page; those booked all do."""


@dataclass(frozen=True, slots=True)
class Tonight:
    """One evening of today: `round` 0 is before play; `seat` is "" while none is known."""

    name: str
    event: str
    drive: str
    number: int
    round: int
    seat: str
    entry: str


@dataclass(frozen=True, slots=True)
class OwnEveningAhead:
    """An evening to come, and how somebody stands in it."""

    line: CalendarLine
    is_booked: bool
    has_place: bool
    must_answer: bool
    partners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OwnLadder:
    """Somebody's best line in one ladder; `place` is "" where there is no rank."""

    name: str
    season: str
    slugs: tuple[str, str, str]
    place: str
    among: int
    total: str
    evenings: int
    needs: int
    line: str
    """What opens the total, "" where the person has no line."""


def tonight(player: Player) -> list[Tonight]:
    """Where somebody sits today: in the round that is on, else in the first one."""
    today = today_at(player.club)
    entries = Entry.objects.filter(
        players=player,
        event__put_away_at=None,
        event__is_rehearsal=False,
        event__sessions__evening__date=today,
    )
    found = [
        _seated(entry, session)
        for entry in entries.select_related("event").distinct()
        for session in entry.event.sessions.filter(evening__date=today).exclude(
            state=Session.State.CLOSED
        )
    ]
    drives = Drive.objects.listed().filter(players__player=player, evening__date=today)
    for drive in drives.exclude(state=Drive.State.CLOSED).distinct():
        found.append(Tonight(drive.name, "", drive.slug, 0, 0, "", ""))
    return found


def _seated(entry: Entry, session: Session) -> Tonight:
    seated = read_sittings(session)
    is_open = session.state == Session.State.OPEN
    at = round_now(seated).round if is_open else 0
    seat = seats_in_words(seated, max(at, 1)).get(entry.pk, "")
    event = entry.event
    return Tonight(event.name, event.slug, "", entry.number, at, seat, entry.name)


def ahead(player: Player) -> list[OwnEveningAhead]:
    """The next evenings of the club, with the person's bookings; four questions."""
    today = today_at(player.club)
    mine = {each.fixture_id: each for each in _booked(player)}
    near = Q(evening__date__lte=today + AHEAD, cancelled_at=None) | Q(pk__in=mine)
    rows = fixtures_of(player.club).filter(near, evening__date__gte=today)
    lines = [
        _ahead(calendar_line(each), mine.get(each.pk), player) for each in with_heads(rows)
    ]
    free = [each for each in lines if not each.is_booked][:MAX_NEXT_EVENINGS]
    return [each for each in lines if each.is_booked or each in free]


def _booked(player: Player) -> Sequence[BookedPerson]:
    today = today_at(player.club)
    rows = BookedPerson.objects.filter(player=player, fixture__evening__date__gte=today)
    return list(rows.select_related("booking").prefetch_related("booking__people__player"))


def _ahead(line: CalendarLine, mine: BookedPerson | None, player: Player) -> OwnEveningAhead:
    if mine is None:
        return OwnEveningAhead(line, False, False, False, ())
    others = [each for each in mine.booking.people.all() if each.player_id != player.pk]
    return OwnEveningAhead(
        line=line,
        is_booked=True,
        has_place=mine.booking.has_place,
        must_answer=not mine.accepted,
        partners=tuple(each.full_name for each in others),
    )


def own_fixtures(player: Player) -> list[tuple[Fixture, bool]]:
    """The evenings that somebody has booked, for an own calendar, and whether with a place."""
    rows = {each.fixture_id: each.booking.has_place for each in _booked(player)}
    fixtures = fixtures_of(player.club).filter(pk__in=rows)
    return [(each, rows[each.pk]) for each in fixtures]


def own_ladders(player: Player) -> list[OwnLadder]:
    """Somebody's places in the ladders of the club's newest season."""
    season = player.club.seasons.order_by("-last_day", "-pk").first()
    if season is None:
        return []
    season.club = player.club
    found = []
    for row, table in tables_of(season):
        mine = [each for each in table.rows if player.pk in each.people]
        best = min(mine, key=lambda each: each.rank or len(table.rows) + 1, default=None)
        slugs = (player.club.slug, season.slug, row.slug)
        found.append(
            OwnLadder(
                name=row.name,
                season=season.name,
                slugs=slugs,
                place=formatting.format_rank(best.rank, tied=best.tied)
                if best and best.rank
                else "",
                among=len(table.ranked),
                total=_written(best.total, table.ranked) if best else "",
                evenings=best.evenings if best else 0,
                needs=best.needs if best else 0,
                line=best.key if best else "",
            )
        )
    return found


def _written(total: Fraction, ranked: Sequence[LadderRow]) -> str:
    is_signed = any(each.total < 0 for each in ranked)
    return formatting.column_format([each.total for each in ranked], sign=is_signed).write(
        total
    )


def own_calendar_file(player: Player, base: str) -> bytes:
    """Write the evenings; who waits reads so, and the page behind each is the own booking.

    The names of evenings are those of the club's calendar, so that no evening stands twice in
    a calendar that follows both. A far day, as an older version took it, is left out there
    and here: no program reads it.
    """
    club = player.club
    days = []
    for fixture, has_place in own_fixtures(player):
        if is_far(fixture.evening.date):
            continue
        day = calendar_day(fixture, base)
        words = _("You have a place.") if has_place else _("You are on the waiting list.")
        address = f"{base}{reverse('me_booking', args=[fixture.uid])}"
        days.append(replace(day, text=words, url=address))
    name = _("%(club)s: my evenings") % {"club": club.name}
    return calendar_of(name, club.zone, days)
