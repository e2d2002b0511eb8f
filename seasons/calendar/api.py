"""The API of the calendar; only directors of the club can see or create bookings."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.evenings import services
from clubs.models import Club, Fixture
from clubs.permissions import can_direct, get_club
from clubs.today import get_club_date
from seasons.calendar.booking_file import build_bookings_document
from seasons.calendar.booking_people import find_partner
from seasons.calendar.sheets.calendar import EveningSummary, list_upcoming_summaries
from server.api.dataclass_serializers import DataclassSerializer
from server.api.endpoints import (
    PAGE_PARAMETER,
    build_page_serializer,
    describe_responses,
    endpoint,
    paginate,
    validate_body,
)
from server.errors import PageNotFound


class CalendarEveningSerializer(DataclassSerializer):
    """One upcoming evening, with numbers and no names."""

    uid = serializers.UUIDField()

    class Meta:
        dataclass = EveningSummary
        fields = (
            *("uid", "date", "start", "title", "place", "series"),
            *("cancelled", "can_book", "places_left", "booked"),
        )
        sources = {"date": "day", "cancelled": "is_cancelled", "booked": "booked_count"}


class BookedPersonSerializer(serializers.Serializer[object]):
    """One person of a booking, as shown to directors."""

    name = serializers.CharField()
    number = serializers.CharField()
    uid = serializers.CharField()
    accepted = serializers.BooleanField()


class BookingSerializer(serializers.Serializer[object]):
    """One booking; `place` is false if it is on the waiting list."""

    uid = serializers.UUIDField()
    made = serializers.DateTimeField()  # when the booking was made
    place = serializers.BooleanField()  # whether the booking has a place (a published name)
    host = serializers.BooleanField()  # whether the person is a host without a partner
    team = serializers.CharField()
    sits_north = serializers.BooleanField()
    needs_host = serializers.BooleanField()
    seeks = serializers.BooleanField()  # whether the person is looking for a partner
    people = BookedPersonSerializer(many=True)


class BookedEveningSerializer(serializers.Serializer[object]):
    """An evening with its bookings."""

    uid = serializers.UUIDField()
    date = serializers.DateField()
    title = serializers.CharField()
    bookings = BookingSerializer(many=True)


class ClubNameSerializer(serializers.Serializer[object]):
    """A club's name, and its uid, which is the same on all servers."""

    uid = serializers.UUIDField()
    name = serializers.CharField()


class BookingsFileSerializer(serializers.Serializer[object]):
    """All bookings of upcoming evenings: a file of `whist-bookings/1`."""

    format = serializers.CharField()
    club = ClubNameSerializer()
    evenings = BookedEveningSerializer(many=True)


class NewBookingSerializer(serializers.Serializer[object]):
    """The people to book, by name. A name that no player of the club has becomes a guest."""

    people = serializers.ListField(
        child=serializers.CharField(max_length=80), min_length=1, max_length=6
    )
    team = serializers.CharField(max_length=60, required=False)
    sits_north = serializers.BooleanField(required=False)
    is_host = serializers.BooleanField(required=False)


class CreatedBookingSerializer(serializers.Serializer[object]):
    """The created booking; a repeated request returns the existing one."""

    uid = serializers.UUIDField()
    has_place = serializers.BooleanField()


@extend_schema(
    methods=["GET"],
    operation_id="calendar",
    parameters=[PAGE_PARAMETER],
    responses={200: build_page_serializer(CalendarEveningSerializer)}
    | describe_responses(None, 404),
)
@endpoint("GET")
def list_calendar(request: Request, slug: str) -> Response:
    """List the evenings of the next year by date."""
    return paginate(request, list_upcoming_summaries(get_club(slug)), CalendarEveningSerializer)


@extend_schema(
    methods=["GET"],
    operation_id="bookings",
    responses=describe_responses(BookingsFileSerializer, 401, 403, 404),
)
@endpoint("GET", is_public=False)
def list_bookings(request: Request, slug: str) -> Response:
    """Export the bookings with full names; only for directors of the club."""
    club = _get_club_as_director(request, slug)
    first_day = get_club_date(club) - timedelta(days=2)
    return Response(build_bookings_document(club, first_day))


@extend_schema(
    methods=["POST"],
    operation_id="booking_make",
    request=NewBookingSerializer,
    responses=describe_responses(CreatedBookingSerializer, 400, 401, 403, 404, 409),
)
@endpoint("POST", is_public=False)
def book_fixture(request: Request, slug: str, fixture: UUID) -> Response:
    """Book an evening for other people, as a director of the club."""
    club = _get_club_as_director(request, slug)
    club_fixtures = Fixture.objects.select_related("evening__club")
    fixture_row = club_fixtures.filter(evening__club=club, uid=fixture).first()
    if fixture_row is None:
        raise PageNotFound(_("Evening not found."))
    booking_values: dict[str, Any] = validate_body(NewBookingSerializer, request)
    entered_names = booking_values.pop("people")
    booking = services.create_booking(
        fixture=fixture_row,
        people=[find_partner(fixture_row, name, is_director=True) for name in entered_names],
        options=services.BookingOptions(**booking_values),
        is_director=True,
        by=request.user,
    )
    return Response({"uid": str(booking.uid), "has_place": booking.has_place})


def _get_club_as_director(request: Request, slug: str) -> Club:
    club = get_club(slug)
    if not can_direct(request.user, club):
        raise exceptions.PermissionDenied(_("You aren’t a director of this club."))
    return club
