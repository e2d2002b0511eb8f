"""API views of drives: list, create, change and close."""

from datetime import date as Date
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import permissions
from clubs.activities.secrecy import format_public_name
from clubs.api.activities import (
    SecretSerializer,
    build_secret_response,
    create_activity,
    import_activity,
)
from drives import drive_access, services
from drives.api.serializers import (
    ClosingSerializer,
    CurrentRoundSerializer,
    DriveChangesSerializer,
    DriveSerializer,
    NewDriveSerializer,
    PlayerRestsSerializer,
)
from drives.files.export import export_drive
from drives.ledger import count_rests_by_player
from drives.models import Drive
from drives.sheets.desk import build_desk_page_data
from drives.snapshot import DriveSnapshot, load_drive_snapshot
from server.api.endpoints import (
    EmptySerializer,
    describe_operation,
    endpoint,
    paginate,
    validate_body,
)


@describe_operation("GET", "drives", DriveSerializer, is_paginated=True)
@describe_operation(
    "POST", "drive_begin", DriveSerializer, request=NewDriveSerializer, is_created=True
)
@endpoint("GET", "POST")
def list_or_create_drives(request: Request) -> Response:
    """List the drives, or create one and draw its first round unless `starts` is false."""
    if request.method == "GET":
        drives = Drive.objects.exclude_hidden().select_related("club", "evening")
        return paginate(request, drives, DriveSerializer)
    input_data = validate_body(NewDriveSerializer, request)
    player_count = input_data.pop("count", 0)
    players = [
        services.NewPlayer(**player_data) for player_data in input_data.pop("players", [])
    ]
    input_data["is_started"] = input_data.pop("starts", True)
    input_data["players"] = players + [services.NewPlayer()] * max(
        0, player_count - len(players)
    )
    return create_activity(
        request, DriveSerializer, input_data, Drive.objects.all(), services.create_drive
    )


@describe_operation("GET", "drive", DriveSerializer)
@describe_operation("PATCH", "drive_change", DriveSerializer, request=DriveChangesSerializer)
@endpoint("GET", "PATCH")
def show_or_change_drive(request: Request, slug: str) -> Response:
    """Show a drive, or change its terms."""
    if request.method == "GET":
        return Response(DriveSerializer(drive_access.load_public_drive_access(slug).drive).data)
    drive = drive_access.load_director_drive_access(request, slug).drive
    changes = validate_body(DriveChangesSerializer, request)
    if "rounds" in changes:
        drive = services.set_round_count(
            drive=drive, round_count=changes.pop("rounds"), by=request.user
        )
    if changes:
        drive = services.change_terms(drive=drive, by=request.user, **changes)
    return Response(DriveSerializer(drive).data)


@describe_operation("GET", "drive_now", CurrentRoundSerializer)
@endpoint("GET")
def show_current_round(request: Request, slug: str) -> Response:
    """Show the round in play: the tables without a score, the players who sit out, and the call
    of moves.
    """
    return Response(
        build_current_round_data(
            load_drive_snapshot(drive_access.load_public_drive_access(slug).drive)
        )
    )


def build_current_round_data(snapshot: DriveSnapshot) -> dict[str, Any]:
    """Return the round in play in the format of the API."""
    return dict(CurrentRoundSerializer(build_desk_page_data(snapshot, format_public_name)).data)


@describe_operation("POST", "drive_close", DriveSerializer, request=ClosingSerializer)
@endpoint("POST")
def close_drive(request: Request, slug: str) -> Response:
    """Close a drive: award the prizes and publish the secret."""
    drive = drive_access.load_director_drive_access(request, slug).drive
    closed_drive = services.close_drive(
        drive=drive, by=request.user, **validate_body(ClosingSerializer, request)
    )
    return Response(DriveSerializer(closed_drive).data)


@describe_operation("POST", "drive_reopen", DriveSerializer, request=EmptySerializer)
@endpoint("POST")
def reopen_drive(request: Request, slug: str) -> Response:
    """Reopen a closed drive."""
    drive = drive_access.load_director_drive_access(request, slug).drive
    return Response(DriveSerializer(services.reopen_drive(drive=drive, by=request.user)).data)


@describe_operation("POST", "drive_undo", DriveSerializer, request=EmptySerializer)
@endpoint("POST")
def undo_last_act(request: Request, slug: str) -> Response:
    """Undo the last act that can be undone, except acts of phones and new links."""
    drive = drive_access.load_director_drive_access(request, slug).drive
    services.undo_last_act(drive=drive, by=request.user)
    return Response(DriveSerializer(drive_access.load_public_drive_access(slug).drive).data)


@describe_operation("GET", "drive_secret", SecretSerializer, error_statuses=(400, 404))
@endpoint("GET")
def show_secret(request: Request, slug: str) -> Response:
    """Show the secret of a closed drive, from which all its draws can be repeated."""
    return build_secret_response(drive_access.load_public_drive_access(slug).drive)


@describe_operation("GET", "drive_file", OpenApiTypes.OBJECT, error_statuses=(401, 403, 404))
@endpoint("GET", is_public=False)
def export_file(request: Request, slug: str) -> Response:
    """Export a drive as a file; an open drive's file has no secret."""
    drive = drive_access.load_director_drive_access(request, slug).drive
    return Response(export_drive(load_drive_snapshot(drive), should_include_secret=False))


@describe_operation(
    "POST",
    "drive_import",
    DriveSerializer,
    request=OpenApiTypes.OBJECT,
    is_created=True,
)
@endpoint("POST", is_public=False)
def import_file(request: Request, slug: str) -> Response:
    """Import a drive's file into a club; idempotent."""
    return import_activity(request, slug, DriveSerializer, services.import_drive)


@describe_operation(
    "GET", "drive_rests", PlayerRestsSerializer(many=True), error_statuses=(401, 404)
)
@endpoint("GET", is_public=False)
def show_sit_out_counts(request: Request, slug: str, year: int) -> Response:
    """List how many rounds each player sat out in the club's closed drives of a year."""
    club = get_object_or_404(permissions.list_directed_clubs(request), slug=slug)
    if not 1800 <= year <= 9998:
        raise Http404
    rest_count_by_player = count_rests_by_player(
        club, start_date=Date(year, 1, 1), end_date=Date(year + 1, 1, 1)
    )
    players_by_id = club.players.in_bulk(list(rest_count_by_player))
    rests_data: list[dict[str, Any]] = [
        {
            "player": player.uid,
            "name": player.shown_name,
            "rests": rest_count_by_player[player_id],
        }
        for player_id, player in sorted(players_by_id.items(), key=lambda pair: pair[1].name)
    ]
    return Response(PlayerRestsSerializer(rests_data, many=True).data)
