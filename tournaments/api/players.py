"""API: list, add, correct and remove a club's players, for its directors."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.models import Club, Consent, Player
from clubs.services.people import DETAIL_FIELDS, update_person
from server.api.endpoints import (
    build_choice_field,
    describe_operation,
    endpoint,
    paginate,
    validate_body,
)
from tournaments import services


class ConsentAnswer(serializers.Serializer[Any]):
    """What a person has agreed to, or has not."""

    what = serializers.CharField(help_text="mail: results by e-mail; contact: shown to members")
    given = serializers.BooleanField()
    at = serializers.DateTimeField()


class PlayerAnswer(serializers.Serializer[Any]):
    """A player, as the club's directors know him."""

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
    consents = ConsentAnswer(many=True)


class NewPlayer(serializers.Serializer[Any]):
    """A player's name, and what everybody sees of it."""

    name = serializers.CharField(max_length=80)
    shown = build_choice_field(Player.list_shown_choices(), default=Player.Shown.NAME.value)


class PlayerChanges(serializers.Serializer[Any]):
    """What may be put right; what is left out stays."""

    name = serializers.CharField(max_length=80, required=False)
    shown = build_choice_field(Player.list_shown_choices(), required=False)
    number = serializers.CharField(max_length=20, required=False, allow_blank=True)
    kind = build_choice_field(Player.Kind.choices, required=False)
    joined = serializers.DateField(required=False, allow_null=True)
    left = serializers.DateField(required=False, allow_null=True)
    email = serializers.EmailField(required=False, allow_blank=True)
    phone = serializers.CharField(max_length=40, required=False, allow_blank=True)
    agrees_mail = serializers.BooleanField(required=False, allow_null=True)
    agrees_contact = serializers.BooleanField(required=False, allow_null=True)


@describe_operation("GET", "players", PlayerAnswer, paged=True, refused=(401, 404))
@describe_operation(
    "POST", "player_add", PlayerAnswer, request=NewPlayer, refused=(400, 401, 404)
)
@endpoint("GET", "POST", public=False)
def players(request: Request, slug: str) -> Response:
    """List a club's players by name; or add one, who is returned if he is there already."""
    club = get_object_or_404(access.list_directed_clubs(request), slug=slug)
    if request.method == "GET":
        return paginate(request, _query_players(club), PlayerAnswer)
    made = services.add_player(club=club, **validate_body(NewPlayer, request), by=request.user)
    return Response(PlayerAnswer(made).data)


@describe_operation(
    "PATCH", "player_change", PlayerAnswer, request=PlayerChanges, refused=(400, 401, 404)
)
@describe_operation("DELETE", "player_remove", refused=(400, 401, 404))
@endpoint("PATCH", "DELETE", public=False)
def player(request: Request, slug: str, pk: int) -> Response:
    """Put a name right everywhere, say who sees it, or take out one who never played."""
    club = get_object_or_404(access.list_directed_clubs(request), slug=slug)
    found = get_object_or_404(_query_players(club), pk=pk)
    if request.method == "DELETE":
        services.remove_player(player=found, by=request.user)
        return Response(status=204)
    given = validate_body(PlayerChanges, request)
    _update_player(found, given, request)
    return Response(PlayerAnswer(_query_players(club).get(pk=pk)).data)


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
        details={key: input_data[key] for key in DETAIL_FIELDS if key in input_data},
        consents={
            what: input_data[f"agrees_{what}"]
            for what in Consent.What.values
            if f"agrees_{what}" in input_data
        },
        by=request.user,
    )


def _query_players(club: Club) -> QuerySet[Player]:
    return Player.objects.filter(club=club).prefetch_related("consents").order_by("name", "pk")
