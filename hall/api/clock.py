"""The API of the round clock: public to read, for directors to change."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

import clubs.evenings.services
from clubs.api.shapes import ClockAnswer, Minutes, RoundLength
from clubs.audit import Actor
from hall.room import services
from hall.room.clock import build_clock_face
from scoring import page_loaders
from server.api.endpoints import Nothing, View, describe_operation, endpoint, validate_body
from tournaments.models import Session


class Pace(RoundLength):
    """How long a round and a move between rounds are, in minutes."""

    moving = serializers.IntegerField(min_value=0, max_value=60)


class Beginning(serializers.Serializer[Any]):
    """The round with which a clock begins; nothing goes on after a pause."""

    round = serializers.IntegerField(min_value=1, max_value=1000, default=1)


@describe_operation("GET", "clock", ClockAnswer)
@describe_operation("PUT", "clock_set", ClockAnswer, request=Pace)
@endpoint("GET", "PUT")
def clock(request: Request, slug: str, number: int) -> Response:
    """Show the round clock; or say how long a round and a move are."""
    if request.method == "GET":
        session = page_loaders.load_session(page_loaders.public_event(slug).at(number))
        return Response(ClockAnswer(build_clock_face(session)).data)
    session = _get_directed_session(request, slug, number)
    clubs.evenings.services.set_clock(
        **_get_clock_context(session, request.user), **validate_body(Pace, request)
    )
    return _build_response(request, slug, number)


@describe_operation("POST", "clock_start", ClockAnswer, request=Beginning)
@endpoint("POST")
def start(request: Request, slug: str, number: int) -> Response:
    """Begin a round now, or go on after a pause."""
    session, input_data = (
        _get_directed_session(request, slug, number),
        validate_body(Beginning, request),
    )
    services.start_clock(session=session, round_=input_data["round"], by=request.user)
    return _build_response(request, slug, number)


@describe_operation("POST", "clock_add", ClockAnswer, request=Minutes)
@endpoint("POST")
def add(request: Request, slug: str, number: int) -> Response:
    """Make the round or the move that is on longer or shorter; it ends now at the soonest."""
    session, input_data = (
        _get_directed_session(request, slug, number),
        validate_body(Minutes, request),
    )
    services.add_to_clock(session=session, minutes=input_data["minutes"], by=request.user)
    return _build_response(request, slug, number)


def _build_clock_view(name: str, says: str, act: Callable[..., object]) -> View:
    """Return the view of a clock operation without parameters."""

    def view(request: Request, slug: str, number: int) -> Response:
        session = _get_directed_session(request, slug, number)
        validate_body(Nothing, request)
        act(session, request.user)
        return _build_response(request, slug, number)

    view.__name__, view.__doc__ = name, says
    describe = describe_operation("POST", f"clock_{name}", ClockAnswer, request=None)
    described_view: View = describe(endpoint("POST")(view))
    return described_view


pause = _build_clock_view(
    "pause",
    "Stop the clock where it stands.",
    lambda session, by: clubs.evenings.services.pause_clock(**_get_clock_context(session, by)),
)
end = _build_clock_view(
    "end",
    "End the round, or the move, that is on now.",
    lambda session, by: services.end_phase(session=session, by=by),
)
reset = _build_clock_view(
    "reset",
    "Take the clock's start back.",
    lambda session, by: clubs.evenings.services.reset_clock(**_get_clock_context(session, by)),
)


def _get_clock_context(session: Session, by: Actor) -> dict[str, Any]:
    return {"evening": session.evening, "about": session.event, "by": by}


def _get_directed_session(request: Request, slug: str, number: int) -> Session:
    return page_loaders.load_session(page_loaders.director_event(request, slug).at(number))


def _build_response(request: Request, slug: str, number: int) -> Response:
    return Response(
        ClockAnswer(build_clock_face(_get_directed_session(request, slug, number))).data
    )
