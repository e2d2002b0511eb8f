"""The API of events, which anyone can read and directors can create and change."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

import scoring.services
from clubs import permissions
from clubs.models import Club
from scoring import page_loaders
from scoring.api.method_field import POINTS_HELP, MethodField
from scoring.services.events import build_edit_arguments
from server.api.endpoints import (
    build_choice_field,
    describe_operation,
    endpoint,
    paginate,
    validate_body,
)
from tournaments.models import MAX_POINTS_PER_BOARD, Event


class SessionStateSerializer(serializers.Serializer[Any]):
    """The number and the state of a session."""

    number = serializers.IntegerField()
    state = serializers.CharField(help_text="planned, open or closed")


class EventSerializer(serializers.Serializer[Any]):
    """An event with its sessions."""

    slug = serializers.CharField(help_text="identifies the event in URLs")
    name = serializers.CharField()
    date = serializers.DateField()
    club = serializers.CharField(source="club.slug")
    contest = serializers.CharField()
    method = serializers.CharField(source="terms.method")
    standings_shown = serializers.CharField(help_text="always, after (the session) or never")
    trumps = serializers.CharField(
        help_text="turned (a card is turned up), declared (at each table), or one suit for all "
        "boards: S, H, D or C"
    )
    most_points = serializers.IntegerField(
        allow_null=True, help_text=f"{POINTS_HELP}; null if results are tricks"
    )
    state = serializers.CharField(help_text="planned, open or closed")
    sessions = SessionStateSerializer(source="sessions.all", many=True)


class NewEventSerializer(serializers.Serializer[Any]):
    """The data for creating an event."""

    name = serializers.CharField(max_length=100)
    date = serializers.DateField(help_text="as 2026-03-10")
    club = serializers.CharField(
        max_length=50,
        required=False,
        help_text="optional for a login that directs only one club",
    )
    contest = build_choice_field(Event.Contest.choices, default=Event.Contest.PAIRS.value)
    method = MethodField(required=False, help_text="by default the contest's usual method")
    standings_shown = build_choice_field(
        Event.StandingsVisibility.choices, default=Event.StandingsVisibility.ALWAYS.value
    )
    paper_size = build_choice_field(Event.PaperSize.choices, default=Event.PaperSize.A4.value)
    most_points = serializers.IntegerField(
        min_value=1, max_value=MAX_POINTS_PER_BOARD, required=False, help_text=POINTS_HELP
    )
    key = serializers.CharField(
        max_length=40,
        required=False,
        help_text="idempotency key: the same key sent twice creates one event",
    )


class EventChangesSerializer(serializers.Serializer[Any]):
    """The changes of an event; omitted fields are not changed."""

    name = serializers.CharField(max_length=100, required=False)
    date = serializers.DateField(required=False)
    method = MethodField(required=False)
    standings_shown = build_choice_field(Event.StandingsVisibility.choices, required=False)
    paper_size = build_choice_field(Event.PaperSize.choices, required=False)


@describe_operation("GET", "events", EventSerializer, is_paginated=True)
@describe_operation(
    "POST",
    "event_create",
    EventSerializer,
    request=NewEventSerializer,
    is_created=True,
    error_statuses=(400, 401, 403),
)
@endpoint("GET", "POST")
def event_list(request: Request) -> Response:
    """List all events, newest first, or create one."""
    if request.method == "POST":
        return _create_event(request)
    return paginate(
        request,
        Event.objects.exclude_hidden().with_sessions().select_related("terms"),
        EventSerializer,
    )


@describe_operation("GET", "event", EventSerializer)
@describe_operation("PATCH", "event_change", EventSerializer, request=EventChangesSerializer)
@endpoint("GET", "PATCH")
def event_detail(request: Request, slug: str) -> Response:
    """Return an event, or change its name, date, scoring or visibility."""
    if request.method == "PATCH":
        access = page_loaders.load_director_event(request, slug)
        event = access.event
        arguments = build_edit_arguments(event) | validate_body(EventChangesSerializer, request)
        scoring.services.edit_event(event=event, by=request.user, **arguments)
    return Response(_build_event_data(slug))


def _build_event_data(slug: str) -> dict[str, Any]:
    """Return the API representation of an event."""
    return dict(EventSerializer(page_loaders.load_public_event(slug).event).data)


def _create_event(request: Request) -> Response:
    input_data = validate_body(NewEventSerializer, request)
    created_event = scoring.services.create_event(
        club=_find_club(request, input_data.pop("club", None)),
        form_key=input_data.pop("key", None),
        by=request.user,
        **input_data,
    )
    return Response(_build_event_data(created_event.slug), status=201)


def _find_club(request: Request, slug: str | None) -> Club:
    """Return the club with this slug, or by default the only club that the login directs."""
    clubs = list(permissions.list_directed_clubs(request))
    matching_clubs = [club for club in clubs if slug in (None, club.slug)]
    if not matching_clubs:
        raise PermissionDenied(_("You don’t direct a club with this name."))
    if len(matching_clubs) > 1:
        slugs = ", ".join(club.slug for club in matching_clubs)
        raise exceptions.ValidationError(
            {"club": [_("Choose a club: %(clubs)s.") % {"clubs": slugs}]}
        )
    return matching_clubs[0]
