"""Bookings as a file, `whist-bookings/1`: written by the club's server, read where it plays."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from datetime import date as Date
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.evenings.bookings import bookings_of
from clubs.evenings.recurrence import far_words, is_far
from clubs.evenings.services import Who
from clubs.evenings.services.fetching import Fetched, FetchedBooking, fetch_bookings
from clubs.evenings.services.fixtures import announce
from clubs.models import BookedPerson, Booking, Club, Fixture, Player
from clubs.names.tidy import name_key
from seasons.groups import Faults, Group, UnusableFile, decoded, twice

FORMAT = "whist-bookings/1"
MAX_BYTES = 2_000_000
AT = datetime(2000, 1, 1, tzinfo=UTC)
"""What stands for a moment that is at fault, so that reading goes on to the next fault."""


def bookings_document(club: Club, since: Date) -> dict[str, Any]:
    """The bookings of a club's evenings from a day on, for whoever directs the club."""
    rows = Fixture.objects.filter(evening__club=club, evening__date__gte=since)
    rows = rows.filter(bookings__isnull=False).distinct().select_related("evening__club")
    return {
        "format": FORMAT,
        "club": {"uid": str(club.uid), "name": club.name},
        "evenings": [_evening(each) for each in rows],
    }


def _evening(fixture: Fixture) -> dict[str, Any]:
    return {
        "uid": str(fixture.uid),
        "date": fixture.evening.date.isoformat(),
        "title": fixture.evening.title,
        "bookings": [_booking(row) for row in bookings_of(fixture) if row.people.all()],
    }


def _booking(row: Booking) -> dict[str, Any]:
    return {
        "uid": str(row.uid),
        "made": row.made_at.isoformat(),
        "place": row.has_place,
        "host": row.is_host,
        "team": row.team,
        "sits_north": row.sits_north,
        "needs_host": row.needs_host,
        "seeks": row.seeks,
        "people": [_person(each) for each in row.people.all()],
    }


def _person(each: BookedPerson) -> dict[str, Any]:
    number = each.player.number if each.player else ""
    uid = str(each.player.uid) if each.player else ""
    return {"name": each.full_name, "number": number, "uid": uid, "accepted": each.accepted}


@transaction.atomic
def bring_bookings(*, document: bytes, club: Club, by: Actor) -> Fetched:
    """Read a file of bookings into a club; all of it or nothing. Raises UnusableFile."""
    if len(document) > MAX_BYTES:
        raise UnusableFile([_("The file is larger than 2 MB. Choose another file.")])
    faults = Faults()
    whole = Group(decoded(document), "", faults)
    if whole.text("format", longest=40) != FORMAT:
        faults.add("format", _("This is not a file of bookings."))
    of = whole.group("club")
    if (
        of.text("uid", longest=40) != str(club.uid)
        and of.text("name", longest=100) != club.name
    ):
        faults.add("club", _("These bookings are of another club."))
    players = _Players.of(club)
    found = [_read_evening(each, players) for each in whole.groups("evenings")]
    twice(faults, ((f"evenings[{n}].uid", each[0]) for n, each in enumerate(found)))
    twice(faults, ((path, uid) for path, uid, _n in _uids(found)))
    faults.refuse()
    standing = _standing(found, club)
    _refuse_elsewhere(found, standing, club, faults)
    told = Fetched()
    for each, same in zip(found, standing, strict=True):
        fixture = same or _announced(club, each)
        one = fetch_bookings(fixture=fixture, found=each[3], by=by)
        told.new, told.changed = told.new + one.new, told.changed + one.changed
        told.gone += one.gone
        told.skipped += one.skipped
    return told


Evening = tuple[str, Date, str, list[FetchedBooking]]


def _standing(found: Sequence[Evening], club: Club) -> list[Fixture | None]:
    """The evening here of each of a file: by its uid, else by its day and name.

    No two are one here: a club may play twice a day under one name, and then the one that has
    some of these bookings already is meant.
    """
    rows = Fixture.objects.filter(evening__club=club).select_related("evening__club")
    named = {str(row.uid): row for row in rows.filter(uid__in=[each[0] for each in found])}
    taken = {row.pk for row in named.values()}
    standing: list[Fixture | None] = []
    for uid, day, title, bookings in found:
        alike = rows.filter(evening__date=day, evening__title=title).exclude(pk__in=taken)
        known = alike.filter(bookings__uid__in=[each.uid for each in bookings])
        same = named.get(uid) or known.first() or alike.first()
        taken |= {same.pk} if same else set()
        standing.append(same)
    return standing


def _uids(found: Sequence[Evening]) -> Iterator[tuple[str, str, int]]:
    """The uid of every booking of a file with its path, and which evening it is of."""
    for n, evening in enumerate(found):
        for m, each in enumerate(evening[3]):
            yield f"evenings[{n}].bookings[{m}].uid", each.uid, n


def _refuse_elsewhere(
    found: Sequence[Evening], standing: Sequence[Fixture | None], club: Club, faults: Faults
) -> None:
    """Raise UnusableFile for bookings that stand on another evening here."""
    rows = Booking.objects.filter(uid__in=[uid for _path, uid, _n in _uids(found)])
    fixtures = {
        str(row.uid): row.fixture for row in rows.select_related("fixture__evening__club")
    }
    for path, uid, n in _uids(found):
        other = fixtures.get(uid)
        if other is None or other == standing[n]:
            continue
        words = _("This booking is another club's here. Make the file again.")
        if other.club == club:
            words = _(
                "This booking is of another evening here, %(evening)s. Take it out there and "
                "fetch the bookings again."
            )
        faults.add(path, words % {"evening": other})
    faults.refuse()


@dataclass(frozen=True, slots=True)
class _Players:
    """A club's players by what a file may name them with; read once for a whole file."""

    by_uid: Mapping[str, Player]
    by_number: Mapping[str, Player]
    by_name: Mapping[str, Player]

    @classmethod
    def of(cls, club: Club) -> "_Players":
        rows = list(club.players.all())[::-1]  # of two alike the first in the list counts
        return cls(
            {str(each.uid): each for each in rows},
            {each.number: each for each in rows if each.number},
            {name_key(each.name): each for each in rows},
        )

    def find(self, uid: str, number: str, name: str) -> Player | None:
        """Find a player by the uid, else by the number, else by the name."""
        by_number = self.by_number.get(number)
        return self.by_uid.get(uid) or by_number or self.by_name.get(name_key(name))


def _read_evening(group: Group, players: _Players) -> Evening:
    uid = _uid(group)
    day = group.day("date")
    title = group.text("title", longest=100, required=False)
    bookings = [_read_booking(each, players) for each in group.groups("bookings")]
    return uid, day or Date.min, title, bookings


def _read_booking(group: Group, players: _Players) -> FetchedBooking:
    made = group.text("made", longest=40)
    at = parse_datetime(made) if made else None
    if at is None or at.tzinfo is None:
        group.fault("made", _("Write a moment as 2026-03-10T19:00:00+00:00."))
        at = AT
    elif is_far(at.date()):
        group.fault("made", far_words())
        at = AT
    people = tuple(_read_person(each, players) for each in group.groups("people"))
    if not 0 < len(people) <= 6 or len({each.key for each in people}) < len(people):
        group.fault("people", _("A booking is of one to six people, each once."))
    return FetchedBooking(
        uid=_uid(group),
        made_at=at,
        people=people,
        has_place=group.flag("place"),
        is_host=group.flag("host"),
        team=group.text("team", longest=60, required=False),
        sits_north=group.flag("sits_north"),
        needs_host=group.flag("needs_host"),
        seeks=group.flag("seeks"),
    )


def _read_person(group: Group, players: _Players) -> Who:
    """A person of a booking: the club's player by the uid, the number or the name."""
    name = group.text("name", longest=80)
    number = group.text("number", longest=20, required=False)
    uid = group.text("uid", longest=40, required=False)
    accepted = group.flag("accepted")
    found = players.find(uid, number, name) if name else None
    return Who(player=found, name="" if found else name, accepted=accepted)


def _uid(group: Group) -> str:
    text = group.text("uid", longest=40)
    try:
        return str(UUID(text)) if text else ""
    except ValueError:
        group.fault("uid", _("This is not a uid."))
        return ""


def _announced(club: Club, evening: Evening) -> Fixture:
    """Put an evening that is not here into the calendar, with the server's uid if free."""
    uid, day, title, _rows = evening
    taken = Fixture.objects.filter(uid=uid).exists()
    values = {"date": day, "start": None, "place": "", "title": title}
    given = {} if taken else {"uid": uid}
    return announce(club, values, **given)
