"""API views of a drive's players: arrivals, departures, substitutes and preferences."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.activities.secrecy import format_public_name
from drives import drive_access, services
from drives.api.serializers import (
    DepartureSerializer,
    DrivePlayerChangesSerializer,
    DrivePlayerSerializer,
    KeptApartSerializer,
    LatePlayerSerializer,
    SubstituteSerializer,
)
from drives.models import Drive, DrivePlayer
from drives.sheets.people import build_person
from drives.snapshot import load_drive_snapshot
from server.api.endpoints import describe_operation, endpoint, validate_body


def _build_players_data(slug: str) -> list[dict[str, Any]]:
    snapshot = load_drive_snapshot(drive_access.load_public_drive_access(slug).drive)
    people = [
        build_person(snapshot, player_number, format_public_name)
        for player_number in snapshot.player_by_number
    ]
    return list(DrivePlayerSerializer(people, many=True).data)


def _find_player(drive: Drive, player_number: int) -> DrivePlayer:
    drive_players = drive.players.select_related("drive__club", "drive__evening", "player")
    return get_object_or_404(drive_players, number=player_number)


@describe_operation("GET", "drive_players", DrivePlayerSerializer(many=True))
@describe_operation(
    "POST", "drive_late", DrivePlayerSerializer(many=True), request=LatePlayerSerializer
)
@endpoint("GET", "POST")
def list_or_add_players(request: Request, slug: str) -> Response:
    """List the players, or add one: a late player if the first round is drawn."""
    if request.method == "POST":
        drive = drive_access.load_director_drive_access(request, slug).drive
        input_data = validate_body(LatePlayerSerializer, request)
        applies_to_current_round = input_data.pop("now")
        new_player = services.NewPlayer(**input_data)
        if drive.at_round:
            services.add_late_player(
                drive=drive,
                new_player=new_player,
                applies_to_current_round=applies_to_current_round,
                by=request.user,
            )
        else:
            services.add_players(drive=drive, new_players=[new_player], by=request.user)
    return Response(_build_players_data(slug))


@describe_operation(
    "PATCH",
    "drive_player_change",
    DrivePlayerSerializer(many=True),
    request=DrivePlayerChangesSerializer,
)
@endpoint("PATCH")
def change_player(request: Request, slug: str, number: int) -> Response:
    """Change the name on a card, or other data of its holder."""
    player = _find_player(drive_access.load_director_drive_access(request, slug).drive, number)
    changes = validate_body(DrivePlayerChangesSerializer, request)
    if "name" in changes:
        new_player = services.NewPlayer(name=changes.pop("name"))
        services.name_player(player=player, new_player=new_player, by=request.user)
    if "stays_seated" in changes:
        services.set_player_stationary(
            player=player, is_stationary=changes.pop("stays_seated"), by=request.user
        )
    if changes:
        services.update_player(player=player, by=request.user, **changes)
    return Response(_build_players_data(slug))


@describe_operation(
    "POST", "drive_leave", DrivePlayerSerializer(many=True), request=DepartureSerializer
)
@endpoint("POST")
def remove_player(request: Request, slug: str, number: int) -> Response:
    """Remove a player who withdraws."""
    player = _find_player(drive_access.load_director_drive_access(request, slug).drive, number)
    input_data = validate_body(DepartureSerializer, request)
    services.remove_player(
        player=player, applies_to_current_round=input_data["now"], by=request.user
    )
    return Response(_build_players_data(slug))


@describe_operation(
    "POST", "drive_substitute", DrivePlayerSerializer(many=True), request=SubstituteSerializer
)
@endpoint("POST")
def substitute_player(request: Request, slug: str, number: int) -> Response:
    """Replace a player in all later seats, with or without the score so far."""
    player = _find_player(drive_access.load_director_drive_access(request, slug).drive, number)
    input_data = validate_body(SubstituteSerializer, request)
    takes_score = input_data.pop("takes_score")
    new_player = services.NewPlayer(**input_data)
    services.substitute_player(
        player=player,
        new_player=new_player,
        should_take_over_score=takes_score,
        by=request.user,
    )
    return Response(_build_players_data(slug))


@describe_operation(
    "PUT", "drive_apart", DrivePlayerSerializer(many=True), request=KeptApartSerializer
)
@endpoint("PUT")
def change_kept_apart_pair(request: Request, slug: str) -> Response:
    """Set or remove the preference that two players are never partners."""
    drive = drive_access.load_director_drive_access(request, slug).drive
    input_data = validate_body(KeptApartSerializer, request)
    services.set_pair_kept_apart(
        drive=drive,
        player_number=input_data["one"],
        other_player_number=input_data["other"],
        is_kept_apart=input_data["apart"],
        by=request.user,
    )
    return Response(_build_players_data(slug))
