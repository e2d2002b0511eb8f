"""What runs beside the scores, for programs: a clock, the tables' addresses, a rehearsal.

A rubber night's tables get their addresses here too.
"""

from collections.abc import Callable, Iterable
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.shapes import ClockAnswer, Minutes, RoundLength, TableLinkAnswer
from clubs.audit import Actor
from clubs.models import TableLink
from drives import services, visits
from drives.api.shapes import DriveAnswer
from drives.models import Drive
from drives.services import clock as clocks
from drives.services import rehearsing, rubbers
from drives.sheets.clock import clock_of
from server.api.frame import Nothing, View, answers, done, endpoint, taken

DIRECTED = answers(ClockAnswer, 400, 401, 403, 404)
LINKS = answers(TableLinkAnswer(many=True), 401, 403, 404)
LINKS_MADE = answers(TableLinkAnswer(many=True), 400, 401, 403, 404)
DRIVEN = answers(DriveAnswer, 400, 401, 403, 404)


@extend_schema(methods=["GET"], operation_id="drive_clock", responses=answers(ClockAnswer, 404))
@extend_schema(
    methods=["PUT"], operation_id="drive_clock_set", request=RoundLength, responses=DIRECTED
)
@endpoint("GET", "PUT")
def clock(request: Request, slug: str) -> Response:
    """Show the clock of the round in play; or say how many minutes a round has."""
    if request.method == "GET":
        return _face(visits.public_drive(slug).drive)
    found = visits.director_drive(request, slug).drive
    clocks.set_minutes(drive=found, by=request.user, **taken(RoundLength, request))
    return _face(found)


def _face(drive: Drive) -> Response:
    return Response(ClockAnswer(clock_of(drive)).data)


@extend_schema(operation_id="drive_clock_add", request=Minutes, responses=DIRECTED)
@endpoint("POST")
def clock_add(request: Request, slug: str) -> Response:
    """Make the round in play longer or shorter; it ends now at the soonest."""
    found = visits.director_drive(request, slug).drive
    clocks.add_minutes(drive=found, by=request.user, **taken(Minutes, request))
    return _face(found)


def _acting(
    name: str,
    says: str,
    act: Callable[[Drive, Actor], object],
    told: Callable[[Drive], Response],
    described: Any,
) -> View:
    """Make the address of an act that needs no words."""

    def view(request: Request, slug: str) -> Response:
        found = visits.director_drive(request, slug).drive
        taken(Nothing, request)
        act(found, request.user)
        return told(found)

    view.__name__, view.__doc__ = name, says
    about = extend_schema(operation_id=f"drive_{name}", request=None, responses=described)
    made: View = about(endpoint("POST")(view))
    return made


clock_start = _acting(
    "clock_start",
    "Begin the round in play by the clock now, or go on after a pause.",
    lambda drive, by: clocks.start_clock(drive=drive, by=by),
    _face,
    DIRECTED,
)
clock_pause = _acting(
    "clock_pause",
    "Stop the clock where it stands.",
    lambda drive, by: clocks.pause_clock(drive=drive, by=by),
    _face,
    DIRECTED,
)
clock_stop = _acting(
    "clock_stop",
    "Play without a clock from now on.",
    lambda drive, by: clocks.stop_clock(drive=drive, by=by),
    _face,
    DIRECTED,
)


@extend_schema(methods=["GET"], operation_id="drive_table_links", responses=LINKS)
@extend_schema(
    methods=["POST"],
    operation_id="drive_table_links_make",
    request=None,
    responses=LINKS_MADE,
)
@endpoint("GET", "POST", public=False)
def links(request: Request, slug: str) -> Response:
    """List the addresses of the tables that answer; or give every table one."""
    found = visits.director_drive(request, slug).drive
    if request.method == "POST":
        taken(Nothing, request)
        services.make_table_links(drive=found, by=request.user)
    return _listed(found.evening.table_links.all())


def _listed(rows: Iterable[TableLink]) -> Response:
    live = sorted((each for each in rows if each.revoked_at is None), key=lambda at: at.table)
    return Response(TableLinkAnswer([each for each in live if each.path], many=True).data)


@extend_schema(operation_id="drive_table_link_revoke", responses=done(401, 403, 404))
@endpoint("DELETE")
def link(request: Request, slug: str, pk: int) -> Response:
    """Take a table's address back: it answers no more."""
    drive = visits.director_drive(request, slug).drive
    found = get_object_or_404(TableLink, pk=pk, evening=drive.evening_id)
    services.revoke_table_links(drive=drive, links=[found.pk], by=request.user)
    return Response(status=204)


@extend_schema(methods=["GET"], operation_id="rubber_links", responses=LINKS)
@extend_schema(
    methods=["POST"], operation_id="rubber_links_make", request=None, responses=LINKS_MADE
)
@endpoint("GET", "POST", public=False)
def rubber_links(request: Request, slug: str) -> Response:
    """List the addresses of a night's tables that answer; or give every table one."""
    night = visits.director_night(request, slug).night
    if request.method == "POST":
        taken(Nothing, request)
        rubbers.make_marker_links(night=night, by=request.user)
    return _listed(night.evening.table_links.all() if night.evening else ())


@extend_schema(operation_id="rubber_link_revoke", responses=done(401, 403, 404))
@endpoint("DELETE")
def rubber_link(request: Request, slug: str, pk: int) -> Response:
    """Take the address of a night's table back: it answers no more."""
    night = visits.director_night(request, slug).night
    found = get_object_or_404(TableLink, pk=pk, evening__rubber_night=night)
    rubbers.revoke_marker_links(night=night, links=[found.pk], by=request.user)
    return Response(status=204)


@extend_schema(
    operation_id="drive_rehearse",
    request=None,
    responses={201: DriveAnswer} | DRIVEN,
)
@endpoint("POST")
def rehearse(request: Request, slug: str) -> Response:
    """Copy a drive to practise with; asked again it is the same copy."""
    found = visits.director_drive(request, slug).drive
    taken(Nothing, request)
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
    DRIVEN,
)
rehearsal_round = _acting(
    "rehearsal_round",
    "Let every table of a rehearsal enter what it has still to play in this round.",
    lambda drive, by: rehearsing.finish_round(drive=drive),
    _told,
    DRIVEN,
)
rehearsal_evening = _acting(
    "rehearsal_evening",
    "Play every planned round of a rehearsal; what is left is the close with its prizes.",
    lambda drive, by: rehearsing.finish_evening(drive=drive, by=by),
    _told,
    DRIVEN,
)


@extend_schema(operation_id="drive_rehearsal_discard", responses=done(400, 401, 403, 404))
@endpoint("DELETE")
def rehearsal(request: Request, slug: str) -> Response:
    """Throw a rehearsal away; a real drive never is."""
    found = visits.director_drive(request, slug).drive
    rehearsing.throw_drive_away(drive=found, by=request.user)
    return Response(status=204)
