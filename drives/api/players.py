"""API views of a drive's players: arrivals, departures, substitutes and wishes."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.activities.secrecy import shown
from drives import services, visits
from drives.api.shapes import (
    ApartShape,
    Late,
    Leaving,
    PersonAnswer,
    PlayerChange,
    Substituting,
)
from drives.held import read_drive
from drives.models import Drive, DrivePlayer
from drives.sheets.people import person
from server.api.frame import endpoint, operation, validated


def _shown(slug: str) -> list[dict[str, Any]]:
    held = read_drive(visits.public_drive(slug).drive)
    people = [person(held, number, shown) for number in held.players]
    return list(PersonAnswer(people, many=True).data)


def _player(drive: Drive, number: int) -> DrivePlayer:
    rows = drive.players.select_related("drive__club", "drive__evening", "player")
    return get_object_or_404(rows, number=number)


@operation("GET", "drive_players", PersonAnswer(many=True))
@operation("POST", "drive_late", PersonAnswer(many=True), request=Late)
@endpoint("GET", "POST")
def players(request: Request, slug: str) -> Response:
    """List who plays; or add somebody, who comes late once the first round is drawn."""
    if request.method == "POST":
        found = visits.director_drive(request, slug).drive
        given = validated(Late, request)
        at_once = given.pop("now")
        new = services.NewPlayer(**given)
        if found.at_round:
            services.come_late(drive=found, new=new, now=at_once, by=request.user)
        else:
            services.add_players(drive=found, new=[new], by=request.user)
    return Response(_shown(slug))


@operation("PATCH", "drive_player_change", PersonAnswer(many=True), request=PlayerChange)
@endpoint("PATCH")
def player(request: Request, slug: str, number: int) -> Response:
    """Put a name to a card, or say more of its holder."""
    row = _player(visits.director_drive(request, slug).drive, number)
    given = validated(PlayerChange, request)
    if "name" in given:
        new = services.NewPlayer(name=given.pop("name"))
        services.name_player(player=row, new=new, by=request.user)
    if "stays_seated" in given:
        services.stay_seated(player=row, stays=given.pop("stays_seated"), by=request.user)
    if given:
        services.describe_player(player=row, by=request.user, **given)
    return Response(_shown(slug))


@operation("POST", "drive_leave", PersonAnswer(many=True), request=Leaving)
@endpoint("POST")
def leave(request: Request, slug: str, number: int) -> Response:
    """Let somebody leave."""
    row = _player(visits.director_drive(request, slug).drive, number)
    services.leave(player=row, by=request.user, **validated(Leaving, request))
    return Response(_shown(slug))


@operation("POST", "drive_substitute", PersonAnswer(many=True), request=Substituting)
@endpoint("POST")
def substitute(request: Request, slug: str, number: int) -> Response:
    """Let somebody take over a player's seats, with the score or without."""
    row = _player(visits.director_drive(request, slug).drive, number)
    given = validated(Substituting, request)
    takes = given.pop("takes_score")
    new = services.NewPlayer(**given)
    services.substitute(player=row, new=new, takes_score=takes, by=request.user)
    return Response(_shown(slug))


@operation("PUT", "drive_apart", PersonAnswer(many=True), request=ApartShape)
@endpoint("PUT")
def apart(request: Request, slug: str) -> Response:
    """Keep two apart, or no more."""
    found = visits.director_drive(request, slug).drive
    services.keep_apart(drive=found, by=request.user, **validated(ApartShape, request))
    return Response(_shown(slug))
