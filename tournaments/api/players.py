"""API: list, add, correct and remove a club's players; for its directors."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import permissions
from clubs.models import Club, Consent, Player
from clubs.services.people import PRIVATE_FIELDS, update_person
from server.api.endpoints import (
    build_choice_field,
    describe_operation,
    endpoint,
    paginate,
    validate_body,
)
from tournaments import services


class ConsentSerializer(serializers.Serializer[Any]):
    """A person's consent or refusal for one purpose, which is in `what`."""

    what = serializers.CharField(help_text="mail: results by e-mail; contact: shown to members")
    given = serializers.BooleanField()
    at = serializers.DateTimeField()


class PlayerSerializer(serializers.Serializer[Any]):
    """A player with the details that the club's directors see."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    shown = serializers.CharField(help_text="what everybody sees: name, initials or nobody")
    number = serializers.CharField()
    kind = serializers.CharField(help_text="member, visitor or past")
    joined = serializers.DateField(allow_null=True)
    left = serializers.DateField(allow_null=True)
    email = serializers.CharField()
    phone = serializers.CharField()
    forgotten_on = serializers.DateField(allow_null=True)
    consents = ConsentSerializer(many=True)


class NewPlayerSerializer(serializers.Serializer[Any]):
    """A new player's name, and how much of it is public."""

    name = serializers.CharField(max_length=80)
    shown = build_choice_field(
        Player.list_public_name_choices(), default=Player.Shown.NAME.value
    )


class PlayerChangesSerializer(serializers.Serializer[Any]):
    """The details to change; omitted ones stay unchanged."""

    name = serializers.CharField(max_length=80, required=False)
    shown = build_choice_field(Player.list_public_name_choices(), required=False)
    number = serializers.CharField(max_length=20, required=False, allow_blank=True)
    kind = build_choice_field(Player.Kind.choices, required=False)
    joined = serializers.DateField(required=False, allow_null=True)
    left = serializers.DateField(required=False, allow_null=True)
    email = serializers.EmailField(required=False, allow_blank=True)
    phone = serializers.CharField(max_length=40, required=False, allow_blank=True)
    agrees_mail = serializers.BooleanField(required=False, allow_null=True)
    agrees_contact = serializers.BooleanField(required=False, allow_null=True)


@describe_operation(
    "GET", "players", PlayerSerializer, is_paginated=True, error_statuses=(401, 404)
)
@describe_operation(
    "POST",
    "player_add",
    PlayerSerializer,
    request=NewPlayerSerializer,
)
@endpoint("GET", "POST", is_public=False)
def list_or_add_players(request: Request, slug: str) -> Response:
    """List a club's players by name, or add one.

    If there is a player of that name, it is returned unchanged.
    """
    club = get_object_or_404(permissions.list_directed_clubs(request), slug=slug)
    if request.method == "GET":
        return paginate(request, _query_players(club), PlayerSerializer)
    new_player = services.add_player(
        club=club, **validate_body(NewPlayerSerializer, request), by=request.user
    )
    return Response(PlayerSerializer(new_player).data)


@describe_operation(
    "PATCH",
    "player_change",
    PlayerSerializer,
    request=PlayerChangesSerializer,
)
@describe_operation("DELETE", "player_remove")
@endpoint("PATCH", "DELETE", is_public=False)
def change_or_remove_player(request: Request, slug: str, pk: int) -> Response:
    """Show, change or remove a player.

    A name is changed everywhere. Only a player who never played can be removed.
    """
    club = get_object_or_404(permissions.list_directed_clubs(request), slug=slug)
    club_player = get_object_or_404(_query_players(club), pk=pk)
    if request.method == "DELETE":
        services.remove_player(player=club_player, by=request.user)
        return Response(status=204)
    input_data = validate_body(PlayerChangesSerializer, request)
    _update_player(club_player, input_data, request)
    return Response(PlayerSerializer(_query_players(club).get(pk=pk)).data)


@transaction.atomic
def _update_player(player: Player, input_data: dict[str, Any], request: Request) -> None:
    if "name" in input_data:
        services.rename_player(player=player, name=input_data["name"], by=request.user)
    if "shown" in input_data:
        services.set_player_visibility(
            player=player, shown=input_data["shown"], by=request.user
        )
    update_person(
        player=player,
        details={key: input_data[key] for key in PRIVATE_FIELDS if key in input_data},
        consents={
            consent_purpose: input_data[f"agrees_{consent_purpose}"]
            for consent_purpose in Consent.ConsentPurpose.values
            if f"agrees_{consent_purpose}" in input_data
        },
        by=request.user,
    )


def _query_players(club: Club) -> QuerySet[Player]:
    return Player.objects.filter(club=club).prefetch_related("consents").order_by("name", "pk")
