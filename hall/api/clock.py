"""The API of the round clock, which anyone can read and directors can change."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

import clubs.evenings.services
from clubs.api.serializers import ClockSerializer, MinutesSerializer, RoundLengthSerializer
from clubs.audit import Actor
from hall.room import services
from hall.room.clock import build_clock_face
from scoring import page_loaders
from server.api.endpoints import (
    EmptySerializer,
    ViewFunction,
    describe_operation,
    endpoint,
    validate_body,
)
from tournaments.models import Session


class PaceSerializer(RoundLengthSerializer):
    """The length of a round and of a move between rounds, in minutes."""

    moving = serializers.IntegerField(min_value=0, max_value=60)


class ClockStartSerializer(serializers.Serializer[Any]):
    """The round with which the clock starts; it is ignored after a pause."""

    round = serializers.IntegerField(min_value=1, max_value=1000, default=1)


@describe_operation("GET", "clock", ClockSerializer)
@describe_operation("PUT", "clock_set", ClockSerializer, request=PaceSerializer)
@endpoint("GET", "PUT")
def show_or_change_clock(request: Request, slug: str, number: int) -> Response:
    """Return the round clock, or set the length of rounds and moves."""
    if request.method == "GET":
        session = page_loaders.load_session(
            page_loaders.load_public_event(slug).with_session(number)
        )
        return Response(ClockSerializer(build_clock_face(session)).data)
    session = _load_director_session(request, slug, number)
    clubs.evenings.services.set_clock(
        **_get_clock_arguments(session, request.user), **validate_body(PaceSerializer, request)
    )
    return _build_clock_response(request, slug, number)


@describe_operation("POST", "clock_start", ClockSerializer, request=ClockStartSerializer)
@endpoint("POST")
def start_clock(request: Request, slug: str, number: int) -> Response:
    """Start the clock with a round now, or resume it after a pause."""
    session, input_data = (
        _load_director_session(request, slug, number),
        validate_body(ClockStartSerializer, request),
    )
    services.start_clock(session=session, round_number=input_data["round"], by=request.user)
    return _build_clock_response(request, slug, number)


@describe_operation("POST", "clock_add", ClockSerializer, request=MinutesSerializer)
@endpoint("POST")
def add_to_clock(request: Request, slug: str, number: int) -> Response:
    """Add minutes to the current round or move, which ends now at the earliest."""
    session, input_data = (
        _load_director_session(request, slug, number),
        validate_body(MinutesSerializer, request),
    )
    services.add_minutes_to_clock(
        session=session, minutes=input_data["minutes"], by=request.user
    )
    return _build_clock_response(request, slug, number)


def _build_clock_view(
    operation_name: str, description: str, perform_act: Callable[..., object]
) -> ViewFunction:
    """Return the view of a clock operation without parameters."""

    def view(request: Request, slug: str, number: int) -> Response:
        session = _load_director_session(request, slug, number)
        validate_body(EmptySerializer, request)
        perform_act(session, request.user)
        return _build_clock_response(request, slug, number)

    view.__name__, view.__doc__ = operation_name, description
    decorate = describe_operation(
        "POST", f"clock_{operation_name}", ClockSerializer, request=None
    )
    described_view: ViewFunction = decorate(endpoint("POST")(view))
    return described_view


pause_clock = _build_clock_view(
    "pause",
    "Pause the clock.",
    lambda session, by: clubs.evenings.services.pause_clock(
        **_get_clock_arguments(session, by)
    ),
)
end_phase = _build_clock_view(
    "end",
    "End the current round or move now.",
    lambda session, by: services.end_phase(session=session, by=by),
)
reset_clock = _build_clock_view(
    "reset",
    "Reset the clock to its state before the start.",
    lambda session, by: clubs.evenings.services.reset_clock(
        **_get_clock_arguments(session, by)
    ),
)


def _get_clock_arguments(session: Session, by: Actor) -> dict[str, Any]:
    return {"evening": session.evening, "subject": session.event, "by": by}


def _load_director_session(request: Request, slug: str, session_number: int) -> Session:
    return page_loaders.load_session(
        page_loaders.load_director_event(request, slug).with_session(session_number)
    )


def _build_clock_response(request: Request, slug: str, session_number: int) -> Response:
    return Response(
        ClockSerializer(
            build_clock_face(_load_director_session(request, slug, session_number))
        ).data
    )
