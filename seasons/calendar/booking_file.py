"""The bookings file, `whist-bookings/1`: exported by one server, and imported by another."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Date
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from boards.whist import WhistError
from clubs import audit
from clubs.audit import Actor
from clubs.club_server import check_token, complete_club_address, make_requester
from clubs.evenings.bookings import load_bookings
from clubs.evenings.recurrence import format_far_error, is_too_far
from clubs.evenings.services import NewPerson
from clubs.evenings.services.booking_import import (
    BookingImportResult,
    RemoteBooking,
    import_bookings,
)
from clubs.evenings.services.fixtures import create_announced_fixture
from clubs.file_fields import Day, UnusableFile, read_line
from clubs.models import BookedPerson, Booking, Club, Fixture, Player
from clubs.names.tidy import build_name_key
from seasons.calendar.models import BookingFetch
from server.jobs.kinds import JobKind, Lane, describe_by_column, find_club_by_column
from server.jobs.outbox import enqueue
from server.json_reader.formats import Key, read_document, report_duplicates
from server.json_reader.problems import JsonPlace, Problems
from server.json_reader.values import convert_with
from server.logins.secret_encryption import WrongKey, decrypt_secret, encrypt_secret
from server.models import User
from server.plain_values import pick_values

FORMAT = "whist-bookings/1"
MAX_BOOKING_FILE_BYTES = 2_000_000
REQUEST_TIMEOUT_SECONDS = 30.0
MAX_PROBLEMS = 5
TASK_TIME_LIMIT_SECONDS = 120
"""The time limit of the fetch task.

It is longer than the timeout of the request, which does not include the DNS lookup.
"""


Uid = Annotated[
    str,
    convert_with(
        lambda value: str(UUID(value)), read_line(40), gettext_noop("This isn't a valid uid.")
    ),
]


def _read_moment(value: Any, at: JsonPlace) -> Any:
    """Read a date and time, which must have a time zone."""
    moment_text = read_line(40)(value, at)
    if moment_text is None:
        return None
    try:
        parsed = parse_datetime(moment_text)
    except ValueError:
        parsed = None
    if parsed is None or parsed.tzinfo is None:
        return at.report(_("Enter a time such as 2026-03-10T19:00:00+00:00."))
    return at.report(format_far_error()) if is_too_far(parsed.date()) else parsed


@dataclass(frozen=True, slots=True)
class FiledClub:
    """The club in a bookings file, identified by its uid or its name."""

    uid: Annotated[str, read_line(40)]
    name: Annotated[str, read_line(100)]


@dataclass(frozen=True, slots=True)
class FiledPerson:
    """A person of a booking in the file; a player also has a uid or a membership number."""

    name: Annotated[str, read_line(80)]
    accepted: bool
    number: Annotated[str, read_line(20)] = ""
    uid: Annotated[str, read_line(40)] = ""


@dataclass(frozen=True, slots=True)
class FiledBooking:
    """A booking of an evening in the file, with its people and options."""

    uid: Uid
    made: Annotated[datetime, _read_moment]
    place: bool
    host: bool
    sits_north: bool
    needs_host: bool
    seeks: bool
    people: tuple[FiledPerson, ...]
    team: Annotated[str, read_line(60)] = ""


@dataclass(frozen=True, slots=True)
class FiledEvening:
    """An evening in the file, with its bookings."""

    uid: Uid
    day: Annotated[Day, Key("date")]
    bookings: tuple[FiledBooking, ...]
    title: Annotated[str, read_line(100)] = ""


@dataclass(frozen=True, slots=True)
class BookingFile:
    """The complete bookings file: the club and its evenings."""

    club: FiledClub
    evenings: tuple[FiledEvening, ...]

    def validate(self, at: JsonPlace) -> None:
        """Report each uid that is used by two evenings or by two bookings."""
        evenings = at.items("evenings", self.evenings)
        report_duplicates((place.key("uid"), filed.uid) for place, filed in evenings)
        report_duplicates(
            (place.key("uid"), filed.uid) for place, filed in self.placed_bookings(at)
        )

    def placed_bookings(self, at: JsonPlace) -> Iterator[tuple[JsonPlace, FiledBooking]]:
        """Yield the bookings of all evenings, each with its position in the file."""
        for place, evening in at.items("evenings", self.evenings):
            yield from place.items("bookings", evening.bookings)


def build_bookings_document(club: Club, since: Date) -> dict[str, Any]:
    """Return the content of a bookings file with the club's evenings since a date."""
    rows = Fixture.objects.filter(evening__club=club, evening__date__gte=since)
    rows = rows.filter(bookings__isnull=False).distinct().select_related("evening__club")
    return {
        "format": FORMAT,
        "club": pick_values(club, "uid", "name"),
        "evenings": [_build_evening_data(row) for row in rows],
    }


def _build_evening_data(fixture: Fixture) -> dict[str, Any]:
    return {
        **pick_values(fixture, uid="uid", date="evening.date", title="evening.title"),
        "bookings": [
            _build_booking_data(row) for row in load_bookings(fixture) if row.people.all()
        ],
    }


def _build_booking_data(row: Booking) -> dict[str, Any]:
    return {
        **pick_values(row, uid="uid", made="made_at", place="has_place", host="is_host"),
        **pick_values(row, "team", "sits_north", "needs_host", "seeks"),
        "people": [_build_person_data(person) for person in row.people.all()],
    }


def _build_person_data(person: BookedPerson) -> dict[str, Any]:
    number = person.player.number if person.player else ""
    uid = str(person.player.uid) if person.player else ""
    return {"name": person.full_name, "number": number, "uid": uid, "accepted": person.accepted}


@transaction.atomic
def import_booking_file(*, document: bytes, club: Club, by: Actor) -> BookingImportResult:
    """Import a bookings file into a club; atomic.

    Raises UnusableFile with the problems of the file.
    """
    if len(document) > MAX_BOOKING_FILE_BYTES:
        raise UnusableFile([_("The file is larger than 2 MB. Choose another file.")])
    file = read_document(
        document, BookingFile, UnusableFile, format=FORMAT, allow_unknown_keys=True
    )
    at = JsonPlace("", Problems(UnusableFile))
    if file.club.uid != str(club.uid) and file.club.name != club.name:
        at.key("club").report(_("These bookings are for another club."))
    people = _find_people(file, _PlayerIndex.of(club), at)
    at.problems.raise_if_any()
    fixtures = _match_fixtures(file.evenings, club)
    _refuse_moved_bookings(file, fixtures, club, at)
    import_result = BookingImportResult()
    for evening, same in zip(file.evenings, fixtures, strict=True):
        fixture = same or _create_fixture(club, evening)
        booking_groups = [_to_fetched_booking(row, people[row.uid]) for row in evening.bookings]
        booking_import_result = import_bookings(
            fixture=fixture, remote_bookings=booking_groups, by=by
        )
        import_result.new_count, import_result.changed_count = (
            import_result.new_count + booking_import_result.new_count,
            import_result.changed_count + booking_import_result.changed_count,
        )
        import_result.cancelled_count += booking_import_result.cancelled_count
        import_result.skipped_names += booking_import_result.skipped_names
    return import_result


def _to_fetched_booking(row: FiledBooking, people: tuple[NewPerson, ...]) -> RemoteBooking:
    return RemoteBooking(
        uid=row.uid,
        made_at=row.made,
        people=people,
        has_place=row.place,
        is_host=row.host,
        team=row.team,
        sits_north=row.sits_north,
        needs_host=row.needs_host,
        seeks=row.seeks,
    )


def _match_fixtures(filed_evenings: Sequence[FiledEvening], club: Club) -> list[Fixture | None]:
    """Return the club's matching fixture for each evening of a file; None if there is none.

    Evenings are matched by uid, else by date and title. No fixture is used twice. If two
    fixtures have the same date and title, the one that already has some of the bookings is
    used.
    """
    rows = Fixture.objects.filter(evening__club=club).select_related("evening__club")
    fixtures_by_uid = {
        str(row.uid): row
        for row in rows.filter(uid__in=[filed_evening.uid for filed_evening in filed_evenings])
    }
    used_keys = {row.pk for row in fixtures_by_uid.values()}
    fixtures: list[Fixture | None] = []
    for filed_evening in filed_evenings:
        candidates = rows.filter(
            evening__date=filed_evening.day, evening__title=filed_evening.title
        )
        candidates = candidates.exclude(pk__in=used_keys)
        candidates_with_bookings = candidates.filter(
            bookings__uid__in=[row.uid for row in filed_evening.bookings]
        )
        match = (
            fixtures_by_uid.get(filed_evening.uid)
            or candidates_with_bookings.first()
            or candidates.first()
        )
        used_keys |= {match.pk} if match else set()
        fixtures.append(match)
    return fixtures


def _refuse_moved_bookings(
    file: BookingFile, fixture_rows: Sequence[Fixture | None], club: Club, at: JsonPlace
) -> None:
    """Raise UnusableFile if a booking of the file already belongs to another evening."""
    positions_by_uid = {
        row.uid: position
        for position, evening in enumerate(file.evenings)
        for row in evening.bookings
    }
    rows = Booking.objects.filter(uid__in=positions_by_uid.keys())
    club_fixtures = {
        str(row.uid): row.fixture for row in rows.select_related("fixture__evening__club")
    }
    for place, row in file.placed_bookings(at):
        other_evening = club_fixtures.get(row.uid)
        if other_evening is None or other_evening == fixture_rows[positions_by_uid[row.uid]]:
            continue
        message = _("Another club here has this booking. Create the file again.")
        if other_evening.club == club:
            message = _(
                "This booking is already in another evening here, "
                "%(evening)s. Remove it there, then import the bookings "
                "again."
            )
        place.key("uid").report(message, evening=other_evening)
    at.problems.raise_if_any()


@dataclass(frozen=True, slots=True)
class _PlayerIndex:
    """An index of a club's players by uid, number and name, read once for a whole file."""

    by_uid: Mapping[str, Player]
    by_number: Mapping[str, Player]
    by_name: Mapping[str, Player]

    @classmethod
    def of(cls, club: Club) -> "_PlayerIndex":
        rows = list(club.players.all())[::-1]  # of duplicates the first one counts
        return cls(
            {str(row.uid): row for row in rows},
            {row.number: row for row in rows if row.number},
            {build_name_key(row.name): row for row in rows},
        )

    def find(self, person: FiledPerson) -> NewPerson:
        """Return the player with this person's uid, number or name, tried in this order.

        A person who is not a player of the club is returned as a guest.
        """
        by_number = self.by_number.get(person.number)
        player = (
            self.by_uid.get(person.uid)
            or by_number
            or self.by_name.get(build_name_key(person.name))
        )
        return NewPerson(
            player=player, name="" if player else person.name, accepted=person.accepted
        )


def _find_people(
    file: BookingFile, players: _PlayerIndex, at: JsonPlace
) -> dict[str, tuple[NewPerson, ...]]:
    """Return the people of each booking in the file, by the booking's uid."""
    people_by_booking = {}
    for place, row in file.placed_bookings(at):
        people = tuple(map(players.find, row.people))
        if not 0 < len(people) <= 6 or len({person.key for person in people}) < len(people):
            place.key("people").report(_("A booking needs one to six different people."))
        people_by_booking[row.uid] = people
    return people_by_booking


def _create_fixture(club: Club, evening: FiledEvening) -> Fixture:
    """Add an evening of the file to the club's calendar, with the file's uid if it is not used
    yet.
    """
    is_uid_used = Fixture.objects.filter(uid=evening.uid).exists()
    values = {"date": evening.day, "start": None, "place": "", "title": evening.title}
    uid_values = {} if is_uid_used else {"uid": evening.uid}
    return create_announced_fixture(club, values, **uid_values)


class BookingFetchFailed(WhistError):
    """An error that is raised if the bookings could not be fetched; its text is the reason."""

    code = "not_fetched"


def download_bookings(address: str, token: str) -> bytes:
    """Download a club's bookings file; `address` is the URL of the club's API.

    Raises WhistError with the reason for a failure.
    """
    response = make_requester(address, token, seconds=REQUEST_TIMEOUT_SECONDS)(
        "GET", "bookings/", None
    )
    if response.status != 200:
        raise BookingFetchFailed(response.refusal_message)
    return json.dumps(response.data).encode()


State = BookingFetch.State


@transaction.atomic
def queue_fetch(*, club: Club, server: str, token: str, by: Actor) -> BookingFetch:
    """Queue a fetch of a club's bookings; it replaces an earlier fetch that is still queued.

    The token is stored encrypted until the worker has used it. Raises DestinationRefused for
    an invalid address or token.
    """
    address, sealed = (
        complete_club_address(server, club.slug),
        encrypt_secret(check_token(token)),
    )
    Club.objects.select_for_update().get(pk=club.pk)  # a double click races here
    row, _is_new = BookingFetch.objects.update_or_create(
        club=club,
        defaults={
            "address": address,
            "sealed_token": sealed,
            "state": State.WANTED,
            "by": audit.format_author_key(by),
            "asked_at": timezone.now(),
            "counts": {},
            "skipped": [],
            "problems": [],
        },
    )
    enqueue(BOOKING_FETCH_JOB, row.pk)
    return row


def run_fetch(pk: int) -> None:
    """Run a queued fetch and import its bookings; do nothing if the fetch is already done."""
    row = BookingFetch.objects.select_related("club").filter(pk=pk, state=State.WANTED).first()
    if row is None:
        return
    try:
        document = download_bookings(row.address, decrypt_secret(row.sealed_token))
        by = User.objects.filter(username=row.by).first()
        import_result = import_booking_file(document=document, club=row.club, by=by)
    except WrongKey:
        _store_outcome(
            row, State.FAILED, problems=[_("The token can't be read. Enter it again.")]
        )
    except WhistError as error:
        problems = getattr(error, "problems", None) or [str(error)]
        _store_outcome(
            row, State.FAILED, problems=[str(problem) for problem in problems[:MAX_PROBLEMS]]
        )
    else:
        counts = {
            "new": import_result.new_count,
            "changed": import_result.changed_count,
            "gone": import_result.cancelled_count,
        }
        _store_outcome(
            row, State.DONE, counts=counts, skipped=list(import_result.skipped_names)
        )


def _store_outcome(row: BookingFetch, state: str, **values: object) -> None:
    """Store the outcome of a fetch, unless a newer fetch has been queued since then."""
    same = BookingFetch.objects.filter(pk=row.pk, sealed_token=row.sealed_token)
    same.update(state=state, sealed_token="", **values)


def _mark_failed(pk: int, error: str) -> None:
    rows = BookingFetch.objects.filter(pk=pk, state=State.WANTED)
    rows.update(state=State.FAILED, sealed_token="", problems=[error])


def _list_unfinished() -> Iterable[int]:
    return list(BookingFetch.objects.filter(state=State.WANTED).values_list("pk", flat=True))


BOOKING_FETCH_JOB = JobKind(
    "bookings_fetched",
    title=gettext_lazy("booking import from the club's server"),
    lane=Lane.LATER,  # a slow server must not hold up papers and standings
    time_limit=TASK_TIME_LIMIT_SECONDS,
    run=run_fetch,
    find_missing=_list_unfinished,
    on_failure=_mark_failed,
    describe=describe_by_column(BookingFetch.objects, "club__name"),
    find_club=find_club_by_column(BookingFetch.objects),
)
