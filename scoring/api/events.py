"""API: events: everyone may read them, a club's directors create and change them."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

import scoring.services
from clubs import access
from clubs.models import Club
from scoring import page_loaders
from scoring.api.method_choice import POINTS_HELP, MethodChoice
from scoring.services.events import build_edit_arguments
from server.api.endpoints import (
    build_choice_field,
    describe_operation,
    endpoint,
    paginate,
    validate_body,
)
from tournaments.models import MAX_POINTS_LIMIT, Event


class SessionState(serializers.Serializer[Any]):
    """Which sessions an event has, and what they are doing."""

    number = serializers.IntegerField()
    state = serializers.CharField(help_text="planned, open or closed")


class EventAnswer(serializers.Serializer[Any]):
    """An event."""

    slug = serializers.CharField(help_text="its address")
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
        allow_null=True, help_text=f"{POINTS_HELP}; null where results are tricks"
    )
    state = serializers.CharField(help_text="planned, open or closed")
    sessions = SessionState(source="sessions.all", many=True)


class NewEvent(serializers.Serializer[Any]):
    """The data for creating an event."""

    name = serializers.CharField(max_length=100)
    date = serializers.DateField(help_text="as 2026-03-10")
    club = serializers.CharField(
        max_length=50, required=False, help_text="may be left out by who directs one club"
    )
    contest = build_choice_field(Event.Contest.choices, default=Event.Contest.PAIRS.value)
    method = MethodChoice(
        required=False, help_text="the contest's usual one where nothing is said"
    )
    standings_shown = build_choice_field(Event.Shown.choices, default=Event.Shown.ALWAYS.value)
    paper_size = build_choice_field(Event.PaperSize.choices, default=Event.PaperSize.A4.value)
    most_points = serializers.IntegerField(
        min_value=1, max_value=MAX_POINTS_LIMIT, required=False, help_text=POINTS_HELP
    )
    key = serializers.CharField(
        max_length=40, required=False, help_text="the same key sent twice makes one event"
    )


class EventChanges(serializers.Serializer[Any]):
    """What may change about an event; what is left out stays."""

    name = serializers.CharField(max_length=100, required=False)
    date = serializers.DateField(required=False)
    method = MethodChoice(required=False)
    standings_shown = build_choice_field(Event.Shown.choices, required=False)
    paper_size = build_choice_field(Event.PaperSize.choices, required=False)


@describe_operation("GET", "events", EventAnswer, paged=True)
@describe_operation(
    "POST", "event_create", EventAnswer, request=NewEvent, created=True, refused=(400, 401, 403)
)
@endpoint("GET", "POST")
def events(request: Request) -> Response:
    """List all events, the newest first; or make one."""
    if request.method == "POST":
        return _create_event(request)
    return paginate(
        request,
        Event.objects.exclude_hidden().with_sessions().select_related("terms"),
        EventAnswer,
    )


@describe_operation("GET", "event", EventAnswer)
@describe_operation("PATCH", "event_change", EventAnswer, request=EventChanges)
@endpoint("GET", "PATCH")
def event(request: Request, slug: str) -> Response:
    """Show one event; or change its name, date, scoring, or what players see."""
    if request.method == "PATCH":
        visit = page_loaders.director_event(request, slug)
        event = visit.event
        arguments = build_edit_arguments(event) | validate_body(EventChanges, request)
        scoring.services.edit_event(event=event, by=request.user, **arguments)
    return Response(_build_event(slug))


def _build_event(slug: str) -> dict[str, Any]:
    """Return the API representation of an event."""
    return dict(EventAnswer(page_loaders.public_event(slug).event).data)


def _create_event(request: Request) -> Response:
    input_data = validate_body(NewEvent, request)
    created_event = scoring.services.create_event(
        club=_find_club(request, input_data.pop("club", None)),
        form_key=input_data.pop("key", None),
        by=request.user,
        **input_data,
    )
    return Response(_build_event(created_event.slug), status=201)


def _find_club(request: Request, slug: str | None) -> Club:
    """Return the club that is named, or the only one that the login directs."""
    clubs = list(access.list_directed_clubs(request))
    matching_clubs = [club for club in clubs if slug in (None, club.slug)]
    if not matching_clubs:
        raise PermissionDenied(_("You don't direct a club of this name."))
    if len(matching_clubs) > 1:
        slugs = ", ".join(club.slug for club in matching_clubs)
        raise exceptions.ValidationError(
            {"club": [_("Choose a club: %(clubs)s.") % {"clubs": slugs}]}
        )
    return matching_clubs[0]
