"""The API that opens and closes a session and prepares its boards."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

import scoring.services
import tournaments.services
from scoring import page_loaders
from scoring.api.serializers import BoardSerializer
from scoring.api.session_data import list_boards
from server.api.endpoints import (
    EmptySerializer,
    build_choice_field,
    describe_operation,
    endpoint,
    validate_body,
)
from tournaments.api.sessions import SessionSerializer, build_session_data
from tournaments.models import Session

DEALS_CHOICES = [
    (deals.value, deals.label)
    for deals in (Session.DealsState.RECORDED, Session.DealsState.NONE)
]


class DealSourceSerializer(serializers.Serializer[Any]):
    """The source of the deals: dealt by the program, or shuffled at the table (none)."""

    deals = build_choice_field(
        DEALS_CHOICES,
        default=Session.DealsState.RECORDED.value,
        help_text="recorded: dealt by the program or entered; none: shuffled at the table",
    )


class ReopeningSerializer(serializers.Serializer[Any]):
    """The reason for reopening a session, required after the period for corrections."""

    reason = serializers.CharField(max_length=200, required=False, allow_blank=True)


@describe_operation("GET", "boards", BoardSerializer, is_paginated=True)
@describe_operation("POST", "boards_prepare", SessionSerializer, request=DealSourceSerializer)
@endpoint("GET", "POST")
def board_list(request: Request, slug: str, number: int) -> Response:
    """List a session's boards, or enqueue their dealing; the session shows when it is done.

    Hands and turn-ups are null until the session is closed.
    """
    if request.method == "GET":
        return list_boards(request, slug, number)
    access = page_loaders.load_director_event(request, slug).with_session(number)
    session = page_loaders.load_session(access)
    if validate_body(DealSourceSerializer, request)["deals"] == Session.DealsState.NONE:
        tournaments.services.set_table_shuffling(session=session, by=request.user)
    else:
        tournaments.services.request_dealing(session=session, by=request.user)
    return Response(build_session_data(page_loaders.load_session(access)))


@describe_operation("POST", "session_open", SessionSerializer, request=None)
@endpoint("POST")
def open_session(request: Request, slug: str, number: int) -> Response:
    """Open the session: scores can be entered, and the seating is fixed."""
    return _run_action(request, slug, number, scoring.services.open_session)


@describe_operation("POST", "session_close", SessionSerializer, request=None)
@endpoint("POST")
def close_session(request: Request, slug: str, number: int) -> Response:
    """Close the session: its hands become public, and no more scores can be entered."""
    return _run_action(request, slug, number, scoring.services.close_session)


@describe_operation("POST", "session_setup", SessionSerializer, request=None)
@endpoint("POST")
def return_session_to_setup(request: Request, slug: str, number: int) -> Response:
    """Undo the opening, as long as no score has been entered."""
    return _run_action(request, slug, number, scoring.services.return_session_to_setup)


@describe_operation("POST", "session_reopen", SessionSerializer, request=ReopeningSerializer)
@endpoint("POST")
def reopen_session(request: Request, slug: str, number: int) -> Response:
    """Reopen a closed session; after the period for corrections a reason is required."""
    access = page_loaders.load_director_event(request, slug).with_session(number)
    session = page_loaders.load_session(access)
    input_data = validate_body(ReopeningSerializer, request)
    scoring.services.reopen_session(session=session, by=request.user, **input_data)
    return Response(build_session_data(page_loaders.load_session(access)))


def _run_action(
    request: Request, slug: str, session_number: int, run_service: Callable[..., Session]
) -> Response:
    """Run an idempotent service on a session without a request body; return the session."""
    access = page_loaders.load_director_event(request, slug).with_session(session_number)
    validate_body(EmptySerializer, request)
    run_service(session=page_loaders.load_session(access), by=request.user)
    return Response(build_session_data(page_loaders.load_session(access)))
