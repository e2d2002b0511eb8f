"""API: add, rename and remove entries."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from server.api.endpoints import describe_operation, endpoint, paginate, validate_body
from tournaments import event_access, services
from tournaments.models import Entry, Event

MAX_PLAYERS = 8


class EntrySerializer(serializers.Serializer[Any]):
    """An entry with its players, in the order of its name."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    players = serializers.SerializerMethodField()

    def get_players(self, entry: Entry) -> list[str]:
        """Return the names of the players, from prefetched rows."""
        return [membership.player.shown_name for membership in entry.memberships.all()]


class EntryNamesSerializer(serializers.Serializer[Any]):
    """The names of an entry's players."""

    names = serializers.ListField(
        child=serializers.CharField(max_length=80), min_length=1, max_length=MAX_PLAYERS
    )
    name = serializers.CharField(
        max_length=100,
        required=False,
        allow_blank=True,
        help_text="a team's own name; else it is called by its players",
    )


@describe_operation("GET", "entries", EntrySerializer, is_paginated=True)
@describe_operation(
    "POST", "entry_create", EntrySerializer, request=EntryNamesSerializer, is_created=True
)
@endpoint("GET", "POST")
def list_or_add_entries(request: Request, slug: str) -> Response:
    """List the entries of an event, or add one.

    Adding the same players again returns their entry with status 200.
    """
    if request.method == "POST":
        return _create_entry(request, slug)
    event = event_access.load_public_event(slug).event
    event_entries = event.entries.prefetch_related("memberships__player")
    return paginate(request, event_entries, EntrySerializer)


@describe_operation("GET", "entry", EntrySerializer)
@describe_operation("PUT", "entry_rename", EntrySerializer, request=EntryNamesSerializer)
@describe_operation("DELETE", "entry_remove")
@endpoint("GET", "PUT", "DELETE")
def show_or_change_entry(request: Request, slug: str, number: int) -> Response:
    """Show an entry, change its names, or remove it and renumber the later entries."""
    if request.method == "GET":
        entry = _get_entry(event_access.load_public_event(slug).event.pk, number)
        return Response(EntrySerializer(entry).data)
    event = event_access.load_director_event(request, slug).event
    entry = _get_entry(event.pk, number)
    if request.method == "DELETE":
        services.remove_entry(entry=entry, by=request.user)
        return Response(status=204)
    input_data = validate_body(EntryNamesSerializer, request)
    services.rename_entry(
        entry=entry, **_build_entry_arguments(event, input_data), by=request.user
    )
    return Response(EntrySerializer(_get_entry(event.pk, number)).data)


def _create_entry(request: Request, slug: str) -> Response:
    event = event_access.load_director_event(request, slug).event
    input_data = validate_body(EntryNamesSerializer, request)
    existing_pks = set(event.entries.values_list("pk", flat=True))
    new_entry = services.create_entry(
        event=event, **_build_entry_arguments(event, input_data), by=request.user
    )
    response_data = EntrySerializer(_get_entry(event.pk, new_entry.number)).data
    return Response(response_data, status=200 if new_entry.pk in existing_pks else 201)


def _build_entry_arguments(event: Event, input_data: dict[str, Any]) -> dict[str, Any]:
    """Return a request's player names and team name as keyword arguments of a service."""
    if input_data.get("name") and event.contest != Event.Contest.TEAMS:
        raise exceptions.ValidationError({"name": [_("Only teams can have a name.")]})
    return {"names": input_data["names"], "name": input_data.get("name", "")}


def _get_entry(event_pk: int, entry_number: int) -> Entry:
    entries = Entry.objects.select_related("event__club").prefetch_related(
        "memberships__player"
    )
    return get_object_or_404(entries, event=event_pk, number=entry_number)
