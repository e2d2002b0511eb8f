"""The bookings file, `whist-bookings/1`: exported by one server, and imported by another."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Date
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.db import transaction
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.audit import Actor
from clubs.evenings.bookings import load_bookings
from clubs.evenings.recurrence import format_date_range_error, is_outside_supported_dates
from clubs.evenings.services import NewPerson
from clubs.evenings.services.booking_import import (
    BookingImportResult,
    RemoteBooking,
    import_bookings,
)
from clubs.evenings.services.fixtures import create_fixture_with_evening
from clubs.file_fields import Day, UnusableFile, build_line_reader
from clubs.models import BookedPerson, Booking, Club, Fixture, Player
from clubs.names.tidy import build_name_key
from server.json_reader.formats import (
    JsonKey,
    build_list_reader,
    read_document,
    report_duplicates,
)
from server.json_reader.problems import JsonPath, Problems
from server.json_reader.values import build_converting_reader
from server.plain_values import pick_values

BOOKING_FILE_FORMAT = "whist-bookings/1"
MAX_BOOKING_FILE_BYTES = 2_000_000
MAX_EVENINGS, MAX_BOOKINGS, MAX_BOOKINGS_PER_EVENING = 100, 3_000, 500


Uid = Annotated[
    str,
    build_converting_reader(
        lambda value: str(UUID(value)),
        build_line_reader(40),
        gettext_noop("This isn’t a valid uid."),
    ),
]


def _read_datetime(value: Any, json_path: JsonPath) -> Any:
    """Read a date and time, which must have a time zone."""
    datetime_text = build_line_reader(40)(value, json_path)
    if datetime_text is None:
        return None
    try:
        parsed_datetime = parse_datetime(datetime_text)
    except ValueError:
        parsed_datetime = None
    if parsed_datetime is None or parsed_datetime.tzinfo is None:
        return json_path.report(_("Enter a time such as 2026-03-10T19:00:00+00:00."))
    return (
        json_path.report(format_date_range_error())
        if is_outside_supported_dates(parsed_datetime.date())
        else parsed_datetime
    )


@dataclass(frozen=True, slots=True)
class BookingFileClub:
    """The club in a bookings file, identified by its uid or its name."""

    uid: Annotated[str, build_line_reader(40)]
    name: Annotated[str, build_line_reader(100)]


@dataclass(frozen=True, slots=True)
class BookingFilePerson:
    """A person of a booking in the file; a player also has a uid or a membership number."""

    name: Annotated[str, build_line_reader(80)]
    accepted: bool
    number: Annotated[str, build_line_reader(20)] = ""
    uid: Annotated[str, build_line_reader(40)] = ""


@dataclass(frozen=True, slots=True)
class BookingFileBooking:
    """A booking of an evening in the file, with its people and options.

    The fields are the keys of the file. `place` is whether the booking has a place, and `seeks`
    whether the person is looking for a partner.
    """

    uid: Uid
    made: Annotated[datetime, _read_datetime]
    place: bool
    host: bool
    sits_north: bool
    needs_host: bool
    seeks: bool
    people: tuple[BookingFilePerson, ...]
    team: Annotated[str, build_line_reader(60)] = ""


@dataclass(frozen=True, slots=True)
class BookingFileEvening:
    """An evening in the file, with its bookings."""

    uid: Uid
    day: Annotated[Day, JsonKey("date")]
    bookings: Annotated[
        tuple[BookingFileBooking, ...],
        build_list_reader(BookingFileBooking, max_length=MAX_BOOKINGS_PER_EVENING),
    ]
    title: Annotated[str, build_line_reader(100)] = ""


@dataclass(frozen=True, slots=True)
class BookingFile:
    """The complete bookings file: the club and its evenings."""

    club: BookingFileClub
    evenings: Annotated[
        tuple[BookingFileEvening, ...],
        build_list_reader(BookingFileEvening, max_length=MAX_EVENINGS),
    ]

    def validate(self, json_path: JsonPath) -> None:
        """Report too many bookings, and each uid of two evenings or of two bookings."""
        if sum(len(evening_data.bookings) for evening_data in self.evenings) > MAX_BOOKINGS:
            json_path.get_key_path("evenings").report(
                _("The file has more than 3,000 bookings. Split it into smaller files.")
            )
            return
        evenings = json_path.iter_items("evenings", self.evenings)
        report_duplicates(
            (item_path.get_key_path("uid"), evening_data.uid)
            for item_path, evening_data in evenings
        )
        report_duplicates(
            (item_path.get_key_path("uid"), booking_data.uid)
            for item_path, booking_data in self.iter_bookings_with_position(json_path)
        )

    def iter_bookings_with_position(
        self, json_path: JsonPath
    ) -> Iterator[tuple[JsonPath, BookingFileBooking]]:
        """Yield each booking of the file, with the position of the booking in the JSON data."""
        for item_path, evening in json_path.iter_items("evenings", self.evenings):
            yield from item_path.iter_items("bookings", evening.bookings)


def build_bookings_document(club: Club, first_day: Date) -> dict[str, Any]:
    """Return the content of a bookings file with the club's evenings since a date."""
    fixtures = Fixture.objects.filter(evening__club=club, evening__date__gte=first_day)
    fixtures = (
        fixtures.filter(bookings__isnull=False).select_related("evening__club").distinct()
    )
    return {
        "format": BOOKING_FILE_FORMAT,
        "club": pick_values(club, "uid", "name"),
        "evenings": [_build_evening_data(fixture) for fixture in fixtures],
    }


def _build_evening_data(fixture: Fixture) -> dict[str, Any]:
    return {
        **pick_values(fixture, uid="uid", date="evening.date", title="evening.title"),
        "bookings": [
            _build_booking_data(booking)
            for booking in load_bookings(fixture)
            if booking.people.all()
        ],
    }


def _build_booking_data(booking: Booking) -> dict[str, Any]:
    return {
        **pick_values(booking, uid="uid", made="made_at", place="has_place", host="is_host"),
        **pick_values(booking, "team", "sits_north", "needs_host", "seeks"),
        "people": [_build_person_data(person) for person in booking.people.all()],
    }


def _build_person_data(person: BookedPerson) -> dict[str, Any]:
    membership_number = person.player.number if person.player else ""
    uid = str(person.player.uid) if person.player else ""
    return {
        "name": person.full_name,
        "number": membership_number,
        "uid": uid,
        "accepted": person.accepted,
    }


@transaction.atomic
def import_booking_file(*, document: bytes, club: Club, by: Actor) -> BookingImportResult:
    """Import a bookings file into a club; atomic.

    Raises UnusableFile with the problems of the file.
    """
    if len(document) > MAX_BOOKING_FILE_BYTES:
        raise UnusableFile([_("The file is larger than 2 MB. Choose another file.")])
    booking_file = read_document(
        document,
        BookingFile,
        UnusableFile,
        format=BOOKING_FILE_FORMAT,
        should_ignore_unknown_keys=True,
    )
    json_path = JsonPath("", Problems(UnusableFile))
    if booking_file.club.uid != str(club.uid) and booking_file.club.name != club.name:
        json_path.get_key_path("club").report(_("These bookings are for another club."))
    people_by_booking = _find_people(booking_file, _PlayerIndex.from_club(club), json_path)
    json_path.problems.raise_if_any()
    fixtures = _match_fixtures(booking_file.evenings, club)
    _check_no_moved_bookings(booking_file, fixtures, club, json_path)
    import_result = BookingImportResult()
    for evening_data, existing_fixture in zip(booking_file.evenings, fixtures, strict=True):
        fixture = existing_fixture or _create_fixture(club, evening_data)
        remote_bookings = [
            _build_remote_booking(booking_data, people_by_booking[booking_data.uid])
            for booking_data in evening_data.bookings
        ]
        evening_result = import_bookings(
            fixture=fixture, remote_bookings=remote_bookings, by=by
        )
        import_result.new_count += evening_result.new_count
        import_result.changed_count += evening_result.changed_count
        import_result.cancelled_booking_count += evening_result.cancelled_booking_count
        import_result.skipped_names += evening_result.skipped_names
    return import_result


def _build_remote_booking(
    booking_data: BookingFileBooking, people: tuple[NewPerson, ...]
) -> RemoteBooking:
    return RemoteBooking(
        uid=booking_data.uid,
        made_at=booking_data.made,
        people=people,
        has_place=booking_data.place,
        is_host=booking_data.host,
        team=booking_data.team,
        sits_north=booking_data.sits_north,
        needs_host=booking_data.needs_host,
        seeks=booking_data.seeks,
    )


def _match_fixtures(
    evenings_data: Sequence[BookingFileEvening], club: Club
) -> list[Fixture | None]:
    """Return the club's matching fixture for each evening of a file; None if there is none.

    Evenings are matched by uid, else by date and title. No fixture is used twice. If two
    fixtures have the same date and title, the one that already has some of the bookings is
    used.
    """
    club_fixtures = Fixture.objects.filter(evening__club=club).select_related("evening__club")
    fixtures_by_uid = {
        str(fixture.uid): fixture
        for fixture in club_fixtures.filter(
            uid__in=[evening_data.uid for evening_data in evenings_data]
        )
    }
    used_fixture_pks = {fixture.pk for fixture in fixtures_by_uid.values()}
    candidates_by_day_and_title: dict[tuple[Date, str], list[Fixture]] = defaultdict(list)
    for fixture in club_fixtures.filter(
        evening__date__in={evening_data.day for evening_data in evenings_data}
    ):
        evening = fixture.evening
        candidates_by_day_and_title[evening.date, evening.title].append(fixture)
    fixture_pks_by_booking = _load_fixture_pks_by_booking(evenings_data, club)
    fixtures: list[Fixture | None] = []
    for evening_data in evenings_data:
        candidates = [
            fixture
            for fixture in candidates_by_day_and_title[evening_data.day, evening_data.title]
            if fixture.pk not in used_fixture_pks
        ]
        fixture_pks_with_bookings = {
            fixture_pks_by_booking.get(booking_data.uid)
            for booking_data in evening_data.bookings
        }
        candidates.sort(key=lambda fixture: fixture.pk not in fixture_pks_with_bookings)
        matching_fixture = fixtures_by_uid.get(evening_data.uid) or next(iter(candidates), None)
        used_fixture_pks |= {matching_fixture.pk} if matching_fixture else set()
        fixtures.append(matching_fixture)
    return fixtures


def _load_fixture_pks_by_booking(
    evenings_data: Sequence[BookingFileEvening], club: Club
) -> dict[str, int]:
    """Return the fixture of each booking of the file that the club already has."""
    stored_bookings = Booking.objects.filter(
        fixture__evening__club=club,
        uid__in=[
            booking_data.uid
            for evening_data in evenings_data
            for booking_data in evening_data.bookings
        ],
    )
    return {str(uid): pk for uid, pk in stored_bookings.values_list("uid", "fixture")}


def _check_no_moved_bookings(
    booking_file: BookingFile,
    fixtures: Sequence[Fixture | None],
    club: Club,
    json_path: JsonPath,
) -> None:
    """Raise UnusableFile if a booking of the file already belongs to another evening."""
    evening_indexes_by_uid = {
        booking_data.uid: evening_index
        for evening_index, evening_data in enumerate(booking_file.evenings)
        for booking_data in evening_data.bookings
    }
    stored_bookings = Booking.objects.filter(uid__in=evening_indexes_by_uid.keys())
    fixtures_by_booking = {
        str(stored_booking.uid): stored_booking.fixture
        for stored_booking in stored_bookings.select_related("fixture__evening__club")
    }
    for item_path, booking_data in booking_file.iter_bookings_with_position(json_path):
        current_fixture = fixtures_by_booking.get(booking_data.uid)
        target_fixture = fixtures[evening_indexes_by_uid[booking_data.uid]]
        if current_fixture is None or current_fixture == target_fixture:
            continue
        message = _("Another club here has this booking. Create the file again.")
        if current_fixture.club == club:
            message = _(
                "This booking is already in another evening here, "
                "%(evening)s. Remove it there, then import the bookings "
                "again."
            )
        item_path.get_key_path("uid").report(message, evening=current_fixture)
    json_path.problems.raise_if_any()


@dataclass(frozen=True, slots=True)
class _PlayerIndex:
    """An index of a club's players by uid, number and name, read once for a whole file."""

    players_by_uid: Mapping[str, Player]
    players_by_number: Mapping[str, Player]
    players_by_name: Mapping[str, Player]

    @classmethod
    def from_club(cls, club: Club) -> "_PlayerIndex":
        # A dict keeps the last of equal keys. In reversed order, this is the first player.
        players = list(club.players.all())[::-1]
        return cls(
            {str(player.uid): player for player in players},
            {player.number: player for player in players if player.number},
            {build_name_key(player.name): player for player in players},
        )

    def find_person(self, person: BookingFilePerson) -> NewPerson:
        """Return the player with this person's uid, number or name, tried in this order.

        A person who is not a player of the club is returned as a guest.
        """
        player_by_number = self.players_by_number.get(person.number)
        player = (
            self.players_by_uid.get(person.uid)
            or player_by_number
            or self.players_by_name.get(build_name_key(person.name))
        )
        return NewPerson(
            player=player, name="" if player else person.name, has_accepted=person.accepted
        )


def _find_people(
    booking_file: BookingFile, players: _PlayerIndex, json_path: JsonPath
) -> dict[str, tuple[NewPerson, ...]]:
    """Return the people of each booking in the file, by the booking's uid."""
    people_by_booking = {}
    for item_path, booking_data in booking_file.iter_bookings_with_position(json_path):
        people = tuple(map(players.find_person, booking_data.people))
        if not 0 < len(people) <= 6 or len({person.key for person in people}) < len(people):
            item_path.get_key_path("people").report(
                _("A booking needs one to six different people.")
            )
        people_by_booking[booking_data.uid] = people
    return people_by_booking


def _create_fixture(club: Club, evening_data: BookingFileEvening) -> Fixture:
    """Add an evening of the file to the calendar; it keeps its uid unless the uid is in use."""
    is_uid_used = Fixture.objects.filter(uid=evening_data.uid).exists()
    fixture_values = {
        "date": evening_data.day,
        "start": None,
        "place": "",
        "title": evening_data.title,
    }
    uid_values = {} if is_uid_used else {"uid": evening_data.uid}
    return create_fixture_with_evening(club, fixture_values, **uid_values)
