"""API views of drives: list, create, change and close."""

from datetime import date as Date
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.activities.secrecy import format_public_name
from clubs.api.activities import (
    SecretAnswer,
    build_secret_response,
    create_activity,
    import_activity,
)
from drives import services, visits
from drives.api.shapes import (
    ChangedTerms,
    Closing,
    DriveAnswer,
    NewDrive,
    NowAnswer,
    RestsAnswer,
)
from drives.files.export import export_drive
from drives.ledger import count_rests
from drives.models import Drive
from drives.sheets.desk import build_desk
from drives.snapshot import DriveSnapshot, load_drive
from server.api.endpoints import Nothing, describe_operation, endpoint, paginate, validate_body


@describe_operation("GET", "drives", DriveAnswer, paged=True)
@describe_operation("POST", "drive_begin", DriveAnswer, request=NewDrive, created=True)
@endpoint("GET", "POST")
def list_or_create_drives(request: Request) -> Response:
    """List the drives; or begin one, which draws its first round unless told not to."""
    if request.method == "GET":
        rows = Drive.objects.exclude_hidden().select_related("club", "evening")
        return paginate(request, rows, DriveAnswer)
    given = validate_body(NewDrive, request)
    count = given.pop("count", 0)
    new = [services.NewPlayer(**each) for each in given.pop("players", [])]
    given["players"] = new + [services.NewPlayer()] * max(0, count - len(new))
    return create_activity(
        request, DriveAnswer, given, Drive.objects.all(), services.create_drive
    )


@describe_operation("GET", "drive", DriveAnswer)
@describe_operation("PATCH", "drive_change", DriveAnswer, request=ChangedTerms)
@endpoint("GET", "PATCH")
def show_or_change_drive(request: Request, slug: str) -> Response:
    """Show a drive; or change its terms."""
    if request.method == "GET":
        return Response(DriveAnswer(visits.public_drive(slug).drive).data)
    drive = visits.director_drive(request, slug).drive
    given = validate_body(ChangedTerms, request)
    if "rounds" in given:
        drive = services.set_round_count(
            drive=drive, rounds=given.pop("rounds"), by=request.user
        )
    if given:
        drive = services.change_terms(drive=drive, by=request.user, **given)
    return Response(DriveAnswer(drive).data)


@describe_operation("GET", "drive_now", NowAnswer)
@endpoint("GET")
def show_current_round(request: Request, slug: str) -> Response:
    """Show the round in play: who is still to come, who rests, and what to call."""
    return Response(build_current_round(load_drive(visits.public_drive(slug).drive)))


def build_current_round(snapshot: DriveSnapshot) -> dict[str, Any]:
    """Return the round in play as the API shows it."""
    return dict(NowAnswer(build_desk(snapshot, format_public_name)).data)


@describe_operation("POST", "drive_close", DriveAnswer, request=Closing)
@endpoint("POST")
def close(request: Request, slug: str) -> Response:
    """Close a drive: the prizes are given, and the secret is told."""
    drive = visits.director_drive(request, slug).drive
    closed = services.close_drive(
        drive=drive, by=request.user, **validate_body(Closing, request)
    )
    return Response(DriveAnswer(closed).data)


@describe_operation("POST", "drive_reopen", DriveAnswer, request=Nothing)
@endpoint("POST")
def reopen(request: Request, slug: str) -> Response:
    """Open a closed drive again."""
    drive = visits.director_drive(request, slug).drive
    return Response(DriveAnswer(services.reopen_drive(drive=drive, by=request.user)).data)


@describe_operation("POST", "drive_undo", DriveAnswer, request=Nothing)
@endpoint("POST")
def undo_last(request: Request, slug: str) -> Response:
    """Take the last act back that can be taken back."""
    drive = visits.director_drive(request, slug).drive
    services.undo_last_act(drive=drive, by=request.user)
    return Response(DriveAnswer(visits.public_drive(slug).drive).data)


@describe_operation("GET", "drive_secret", SecretAnswer, refused=(400, 404))
@endpoint("GET")
def show_secret(request: Request, slug: str) -> Response:
    """Tell the secret of a closed drive, from which everything was drawn."""
    return build_secret_response(visits.public_drive(slug).drive)


@describe_operation("GET", "drive_file", OpenApiTypes.OBJECT, refused=(401, 403, 404))
@endpoint("GET", public=False)
def export_file(request: Request, slug: str) -> Response:
    """Hand out the drive's file; the secret is left out until the drive is closed."""
    drive = visits.director_drive(request, slug).drive
    return Response(export_drive(load_drive(drive), sealed=False))


@describe_operation(
    "POST",
    "drive_import",
    DriveAnswer,
    request=OpenApiTypes.OBJECT,
    created=True,
    refused=(400, 401, 404),
)
@endpoint("POST", public=False)
def import_file(request: Request, slug: str) -> Response:
    """Store a drive's file in a club; sent twice it is the same drive."""
    return import_activity(request, slug, DriveAnswer, services.import_drive)


@describe_operation("GET", "drive_rests", RestsAnswer(many=True), refused=(401, 404))
@endpoint("GET", public=False)
def show_rests(request: Request, slug: str, year: int) -> Response:
    """How often each player rested in the club's closed drives of a year."""
    club = get_object_or_404(access.list_directed_clubs(request), slug=slug)
    if not 1800 <= year <= 9998:
        raise Http404
    counted = count_rests(club, since=Date(year, 1, 1), until=Date(year + 1, 1, 1))
    people = club.players.in_bulk(list(counted))
    rows: list[dict[str, Any]] = [
        {"player": each.uid, "name": each.shown_name, "rests": counted[key]}
        for key, each in sorted(people.items(), key=lambda one: one[1].name)
    ]
    return Response(RestsAnswer(rows, many=True).data)
