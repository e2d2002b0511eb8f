"""API: the evening: open and close its session, make boards."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

import scoring.services
import tournaments.services
from scoring import page_loaders
from scoring.api.serializers import BoardAnswer
from scoring.api.session_data import boards_of
from server.api.endpoints import (
    Nothing,
    build_choice_field,
    describe_operation,
    endpoint,
    validate_body,
)
from tournaments.api.sessions import SessionAnswer, build_session_data
from tournaments.models import Session

DEALS_CHOICES = [
    (each.value, each.label) for each in (Session.Deals.RECORDED, Session.Deals.NONE)
]


class Deals(serializers.Serializer[Any]):
    """Where the deals come from: dealt by the program, or shuffled at the table (none)."""

    deals = build_choice_field(
        DEALS_CHOICES,
        default=Session.Deals.RECORDED.value,
        help_text="recorded: dealt by the program, or written down; none: shuffled at table",
    )


class Reopening(serializers.Serializer[Any]):
    """Why a session is opened again; needed once the period for corrections is over."""

    reason = serializers.CharField(max_length=200, required=False, allow_blank=True)


@describe_operation("GET", "boards", BoardAnswer, paged=True)
@describe_operation("POST", "boards_prepare", SessionAnswer, request=Deals)
@endpoint("GET", "POST")
def boards(request: Request, slug: str, number: int) -> Response:
    """List a session's boards; or have them dealt, which the session tells when it is done.

    Hands and turn-ups are null until the session is closed.
    """
    if request.method == "GET":
        return boards_of(request, slug, number)
    visit = page_loaders.director_event(request, slug).at(number)
    session = page_loaders.load_session(visit)
    if validate_body(Deals, request)["deals"] == Session.Deals.NONE:
        tournaments.services.shuffle_at_table(session=session, by=request.user)
    else:
        tournaments.services.prepare_boards(session=session, by=request.user)
    return Response(build_session_data(page_loaders.load_session(visit)))


@describe_operation("POST", "session_open", SessionAnswer, request=None)
@endpoint("POST")
def session_open(request: Request, slug: str, number: int) -> Response:
    """Let play begin: scores can be entered, and the seating stands."""
    return _run_action(request, slug, number, scoring.services.open_session)


@describe_operation("POST", "session_close", SessionAnswer, request=None)
@endpoint("POST")
def session_close(request: Request, slug: str, number: int) -> Response:
    """End the session: the hands may be seen, and scores are no longer entered."""
    return _run_action(request, slug, number, scoring.services.close_session)


@describe_operation("POST", "session_setup", SessionAnswer, request=None)
@endpoint("POST")
def session_setup(request: Request, slug: str, number: int) -> Response:
    """Take the opening back, as long as no score has been entered."""
    return _run_action(request, slug, number, scoring.services.return_to_setup)


@describe_operation("POST", "session_reopen", SessionAnswer, request=Reopening)
@endpoint("POST")
def session_reopen(request: Request, slug: str, number: int) -> Response:
    """Open a closed session again; after the period for corrections it takes a reason."""
    visit = page_loaders.director_event(request, slug).at(number)
    session = page_loaders.load_session(visit)
    input_data = validate_body(Reopening, request)
    scoring.services.reopen_session(session=session, by=request.user, **input_data)
    return Response(build_session_data(page_loaders.load_session(visit)))


def _run_action(
    request: Request, slug: str, number: int, act: Callable[..., Session]
) -> Response:
    """Run an idempotent act on a session without a request body, and return the session."""
    visit = page_loaders.director_event(request, slug).at(number)
    validate_body(Nothing, request)
    act(session=page_loaders.load_session(visit), by=request.user)
    return Response(build_session_data(page_loaders.load_session(visit)))
