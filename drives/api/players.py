"""API views of a drive's players: arrivals, departures, substitutes and wishes."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.activities.secrecy import format_public_name
from drives import services, visits
from drives.api.shapes import (
    ApartShape,
    Late,
    Leaving,
    PersonAnswer,
    PlayerChange,
    Substituting,
)
from drives.models import Drive, DrivePlayer
from drives.sheets.people import build_person
from drives.snapshot import load_drive
from server.api.endpoints import describe_operation, endpoint, validate_body


def _list_persons(slug: str) -> list[dict[str, Any]]:
    snapshot = load_drive(visits.public_drive(slug).drive)
    people = [build_person(snapshot, number, format_public_name) for number in snapshot.players]
    return list(PersonAnswer(people, many=True).data)


def _find_player(drive: Drive, number: int) -> DrivePlayer:
    rows = drive.players.select_related("drive__club", "drive__evening", "player")
    return get_object_or_404(rows, number=number)


@describe_operation("GET", "drive_players", PersonAnswer(many=True))
@describe_operation("POST", "drive_late", PersonAnswer(many=True), request=Late)
@endpoint("GET", "POST")
def list_or_add_players(request: Request, slug: str) -> Response:
    """List who plays; or add somebody, who comes late once the first round is drawn."""
    if request.method == "POST":
        drive = visits.director_drive(request, slug).drive
        given = validate_body(Late, request)
        at_once = given.pop("now")
        new = services.NewPlayer(**given)
        if drive.at_round:
            services.add_late_player(drive=drive, new=new, now=at_once, by=request.user)
        else:
            services.add_players(drive=drive, new=[new], by=request.user)
    return Response(_list_persons(slug))


@describe_operation(
    "PATCH", "drive_player_change", PersonAnswer(many=True), request=PlayerChange
)
@endpoint("PATCH")
def change_player(request: Request, slug: str, number: int) -> Response:
    """Put a name to a card, or say more of its holder."""
    row = _find_player(visits.director_drive(request, slug).drive, number)
    given = validate_body(PlayerChange, request)
    if "name" in given:
        new = services.NewPlayer(name=given.pop("name"))
        services.name_player(player=row, new=new, by=request.user)
    if "stays_seated" in given:
        services.set_stationary(player=row, stays=given.pop("stays_seated"), by=request.user)
    if given:
        services.update_player(player=row, by=request.user, **given)
    return Response(_list_persons(slug))


@describe_operation("POST", "drive_leave", PersonAnswer(many=True), request=Leaving)
@endpoint("POST")
def leave(request: Request, slug: str, number: int) -> Response:
    """Let somebody leave."""
    row = _find_player(visits.director_drive(request, slug).drive, number)
    services.remove_player(player=row, by=request.user, **validate_body(Leaving, request))
    return Response(_list_persons(slug))


@describe_operation("POST", "drive_substitute", PersonAnswer(many=True), request=Substituting)
@endpoint("POST")
def substitute(request: Request, slug: str, number: int) -> Response:
    """Let somebody take over a player's seats, with the score or without."""
    row = _find_player(visits.director_drive(request, slug).drive, number)
    given = validate_body(Substituting, request)
    takes = given.pop("takes_score")
    new = services.NewPlayer(**given)
    services.substitute_player(player=row, new=new, takes_score=takes, by=request.user)
    return Response(_list_persons(slug))


@describe_operation("PUT", "drive_apart", PersonAnswer(many=True), request=ApartShape)
@endpoint("PUT")
def change_kept_apart(request: Request, slug: str) -> Response:
    """Keep two apart, or no more."""
    drive = visits.director_drive(request, slug).drive
    services.set_kept_apart(drive=drive, by=request.user, **validate_body(ApartShape, request))
    return Response(_list_persons(slug))
