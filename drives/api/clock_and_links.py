"""API views of a drive's clock, table links and rehearsal."""

from collections.abc import Callable

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.activities.services import revoke_table_links
from clubs.api.serializers import (
    ClockSerializer,
    MinutesSerializer,
    RoundLengthSerializer,
    TableLinkSerializer,
    build_table_links_response,
)
from clubs.audit import Actor
from clubs.models import TableLink
from drives import drive_access, services
from drives.api.serializers import DriveSerializer
from drives.models import Drive
from drives.services import clock as clocks
from drives.services import rehearsal
from drives.sheets.clock import load_clock
from server.api.endpoints import (
    EmptySerializer,
    SerializerClass,
    ViewFunction,
    describe_operation,
    endpoint,
    validate_body,
)


@describe_operation("GET", "drive_clock", ClockSerializer)
@describe_operation("PUT", "drive_clock_set", ClockSerializer, request=RoundLengthSerializer)
@endpoint("GET", "PUT")
def show_or_set_clock(request: Request, slug: str) -> Response:
    """Show the clock of the round in play, or set the minutes of a round."""
    if request.method == "GET":
        return _build_clock_response(drive_access.load_public_drive_access(slug).drive)
    drive = drive_access.load_director_drive_access(request, slug).drive
    clocks.set_round_minutes(
        drive=drive, by=request.user, **validate_body(RoundLengthSerializer, request)
    )
    return _build_clock_response(drive)


def _build_clock_response(drive: Drive) -> Response:
    return Response(ClockSerializer(load_clock(drive)).data)


@describe_operation("POST", "drive_clock_add", ClockSerializer, request=MinutesSerializer)
@endpoint("POST")
def extend_round(request: Request, slug: str) -> Response:
    """Add minutes to the round in play, or take some off. The new end is never in the past."""
    drive = drive_access.load_director_drive_access(request, slug).drive
    clocks.add_minutes(
        drive=drive, by=request.user, **validate_body(MinutesSerializer, request)
    )
    return _build_clock_response(drive)


def _build_action_view(
    view_name: str,
    description: str,
    action: Callable[[Drive, Actor], object],
    build_response: Callable[[Drive], Response],
    serializer: SerializerClass,
) -> ViewFunction:
    """Build the view of an action that has no arguments.

    `view_name` is the name of the view and of the operation (`drive_<name>`). `description` is
    the view's docstring, which the API description shows.
    """

    def view(request: Request, slug: str) -> Response:
        drive = drive_access.load_director_drive_access(request, slug).drive
        validate_body(EmptySerializer, request)
        action(drive, request.user)
        return build_response(drive)

    view.__name__, view.__doc__ = view_name, description
    describe_view = describe_operation("POST", f"drive_{view_name}", serializer, request=None)
    decorated_view: ViewFunction = describe_view(endpoint("POST")(view))
    return decorated_view


start_clock = _build_action_view(
    "clock_start",
    "Start the clock of the round in play, or resume it after a pause.",
    lambda drive, by: clocks.start_clock(drive=drive, by=by),
    _build_clock_response,
    ClockSerializer,
)
pause_clock = _build_action_view(
    "clock_pause",
    "Pause the clock.",
    lambda drive, by: clocks.pause_clock(drive=drive, by=by),
    _build_clock_response,
    ClockSerializer,
)
stop_clock = _build_action_view(
    "clock_stop",
    "Turn the clock off.",
    lambda drive, by: clocks.stop_clock(drive=drive, by=by),
    _build_clock_response,
    ClockSerializer,
)


@describe_operation(
    "GET", "drive_table_links", TableLinkSerializer(many=True), error_statuses=(401, 403, 404)
)
@describe_operation(
    "POST", "drive_table_links_make", TableLinkSerializer(many=True), request=None
)
@endpoint("GET", "POST", is_public=False)
def list_or_create_links(request: Request, slug: str) -> Response:
    """List the links of the tables, or create a link for every table that has none."""
    drive = drive_access.load_director_drive_access(request, slug).drive
    if request.method == "POST":
        validate_body(EmptySerializer, request)
        services.create_table_links(drive=drive, by=request.user)
    return build_table_links_response(drive.evening)


@describe_operation("DELETE", "drive_table_link_revoke", error_statuses=(401, 403, 404))
@endpoint("DELETE")
def revoke_link(request: Request, slug: str, pk: int) -> Response:
    """Revoke the link of a table."""
    drive = drive_access.load_director_drive_access(request, slug).drive
    link = get_object_or_404(TableLink, pk=pk, evening=drive.evening_id)
    revoke_table_links(activity=drive, links=[link.pk], by=request.user)
    return Response(status=204)


@describe_operation("POST", "drive_rehearse", DriveSerializer, request=None, is_created=True)
@endpoint("POST")
def start_rehearsal(request: Request, slug: str) -> Response:
    """Copy a drive for practice; idempotent: a second request returns the same copy."""
    drive = drive_access.load_director_drive_access(request, slug).drive
    validate_body(EmptySerializer, request)
    rehearsal_count_before = Drive.objects.filter(club=drive.club, is_rehearsal=True).count()
    rehearsal_copy = rehearsal.create_rehearsal(drive=drive, by=request.user)
    rehearsal_count_after = Drive.objects.filter(club=drive.club, is_rehearsal=True).count()
    return Response(
        DriveSerializer(rehearsal_copy).data,
        status=201 if rehearsal_count_after > rehearsal_count_before else 200,
    )


def _build_drive_response(drive: Drive) -> Response:
    return Response(
        DriveSerializer(drive_access.load_public_drive_access(drive.slug).drive).data
    )


enter_rehearsal_hands = _build_action_view(
    "rehearsal_tick",
    "Enter the next hand at some tables of a rehearsal.",
    lambda drive, by: rehearsal.enter_due_hands(drive=drive),
    _build_drive_response,
    DriveSerializer,
)
finish_rehearsal_round = _build_action_view(
    "rehearsal_round",
    "Enter all remaining hands of this round of a rehearsal.",
    lambda drive, by: rehearsal.finish_round(drive=drive),
    _build_drive_response,
    DriveSerializer,
)
finish_rehearsal_evening = _build_action_view(
    "rehearsal_evening",
    "Play all planned rounds of a rehearsal, up to the close.",
    lambda drive, by: rehearsal.play_remaining_rounds(drive=drive, by=by),
    _build_drive_response,
    DriveSerializer,
)


@describe_operation("DELETE", "drive_rehearsal_discard")
@endpoint("DELETE")
def discard_rehearsal(request: Request, slug: str) -> Response:
    """Delete a rehearsal; a real drive cannot be deleted."""
    drive = drive_access.load_director_drive_access(request, slug).drive
    rehearsal.delete_rehearsal(drive=drive, by=request.user)
    return Response(status=204)
