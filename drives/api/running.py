"""API views of a drive's clock, table links and rehearsal."""

from collections.abc import Callable

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.activities.services import revoke_table_links
from clubs.api.shapes import (
    ClockAnswer,
    Minutes,
    RoundLength,
    TableLinkAnswer,
    links_answer,
)
from clubs.audit import Actor
from clubs.models import TableLink
from drives import services, visits
from drives.api.shapes import DriveAnswer
from drives.models import Drive
from drives.services import clock as clocks
from drives.services import rehearsing
from drives.sheets.clock import clock_of
from server.api.frame import Nothing, Shape, View, endpoint, operation, validated


@operation("GET", "drive_clock", ClockAnswer)
@operation("PUT", "drive_clock_set", ClockAnswer, request=RoundLength)
@endpoint("GET", "PUT")
def clock(request: Request, slug: str) -> Response:
    """Show the clock of the round in play; or say how many minutes a round has."""
    if request.method == "GET":
        return _face(visits.public_drive(slug).drive)
    found = visits.director_drive(request, slug).drive
    clocks.set_minutes(drive=found, by=request.user, **validated(RoundLength, request))
    return _face(found)


def _face(drive: Drive) -> Response:
    return Response(ClockAnswer(clock_of(drive)).data)


@operation("POST", "drive_clock_add", ClockAnswer, request=Minutes)
@endpoint("POST")
def clock_add(request: Request, slug: str) -> Response:
    """Make the round in play longer or shorter; it ends now at the soonest."""
    found = visits.director_drive(request, slug).drive
    clocks.add_minutes(drive=found, by=request.user, **validated(Minutes, request))
    return _face(found)


def _acting(
    name: str,
    says: str,
    act: Callable[[Drive, Actor], object],
    told: Callable[[Drive], Response],
    answer: Shape,
) -> View:
    """Create the view of an action without arguments."""

    def view(request: Request, slug: str) -> Response:
        found = visits.director_drive(request, slug).drive
        validated(Nothing, request)
        act(found, request.user)
        return told(found)

    view.__name__, view.__doc__ = name, says
    about = operation("POST", f"drive_{name}", answer, request=None)
    made: View = about(endpoint("POST")(view))
    return made


clock_start = _acting(
    "clock_start",
    "Begin the round in play by the clock now, or go on after a pause.",
    lambda drive, by: clocks.start_clock(drive=drive, by=by),
    _face,
    ClockAnswer,
)
clock_pause = _acting(
    "clock_pause",
    "Stop the clock where it stands.",
    lambda drive, by: clocks.pause_clock(drive=drive, by=by),
    _face,
    ClockAnswer,
)
clock_stop = _acting(
    "clock_stop",
    "Play without a clock from now on.",
    lambda drive, by: clocks.stop_clock(drive=drive, by=by),
    _face,
    ClockAnswer,
)


@operation("GET", "drive_table_links", TableLinkAnswer(many=True), refused=(401, 403, 404))
@operation("POST", "drive_table_links_make", TableLinkAnswer(many=True), request=None)
@endpoint("GET", "POST", public=False)
def links(request: Request, slug: str) -> Response:
    """List the addresses of the tables that answer; or give every table one."""
    found = visits.director_drive(request, slug).drive
    if request.method == "POST":
        validated(Nothing, request)
        services.make_table_links(drive=found, by=request.user)
    return links_answer(found.evening)


@operation("DELETE", "drive_table_link_revoke", refused=(401, 403, 404))
@endpoint("DELETE")
def link(request: Request, slug: str, pk: int) -> Response:
    """Take a table's address back: it answers no more."""
    drive = visits.director_drive(request, slug).drive
    found = get_object_or_404(TableLink, pk=pk, evening=drive.evening_id)
    revoke_table_links(activity=drive, links=[found.pk], by=request.user)
    return Response(status=204)


@operation("POST", "drive_rehearse", DriveAnswer, request=None, created=True)
@endpoint("POST")
def rehearse(request: Request, slug: str) -> Response:
    """Copy a drive to practise with; asked again it is the same copy."""
    found = visits.director_drive(request, slug).drive
    validated(Nothing, request)
    known = Drive.objects.filter(club=found.club, is_rehearsal=True).count()
    made = rehearsing.rehearse_drive(drive=found, by=request.user)
    after = Drive.objects.filter(club=found.club, is_rehearsal=True).count()
    return Response(DriveAnswer(made).data, status=201 if after > known else 200)


def _told(drive: Drive) -> Response:
    return Response(DriveAnswer(visits.public_drive(drive.slug).drive).data)


rehearsal_tick = _acting(
    "rehearsal_tick",
    "Let some tables of a rehearsal enter their next hand.",
    lambda drive, by: rehearsing.play_on(drive=drive),
    _told,
    DriveAnswer,
)
rehearsal_round = _acting(
    "rehearsal_round",
    "Let every table of a rehearsal enter what it has still to play in this round.",
    lambda drive, by: rehearsing.finish_round(drive=drive),
    _told,
    DriveAnswer,
)
rehearsal_evening = _acting(
    "rehearsal_evening",
    "Play every planned round of a rehearsal; what is left is the close with its prizes.",
    lambda drive, by: rehearsing.finish_evening(drive=drive, by=by),
    _told,
    DriveAnswer,
)


@operation("DELETE", "drive_rehearsal_discard")
@endpoint("DELETE")
def rehearsal(request: Request, slug: str) -> Response:
    """Throw a rehearsal away; a real drive never is."""
    found = visits.director_drive(request, slug).drive
    rehearsing.throw_drive_away(drive=found, by=request.user)
    return Response(status=204)
