"""API endpoints for files: event files, and board files that other programs can read."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import permissions
from exchange.eventfile.exporter import export_event
from exchange.eventfile.importer import import_event
from exchange.formats import map_formats_by_name
from exchange.views.hands import build_board_file_response
from scoring import page_loaders
from scoring.secrecy import can_see_hands
from scoring.session_snapshot import load_session_snapshot
from server.api.endpoints import describe_file_response, describe_operation, endpoint
from server.errors import PageNotReady
from tournaments.forms import FileForm


@describe_operation("GET", "event_export", OpenApiTypes.OBJECT, error_statuses=(401, 403, 404))
@endpoint("GET", is_public=False)
def get_event_file(request: Request, slug: str) -> Response:
    """Return the event file; it has no hands until every session is closed."""
    event = page_loaders.load_director_event(request, slug).event
    can_show_hands = all(can_see_hands(session) for session in event.sessions.all())
    return Response(export_event(event, should_include_deals=can_show_hands))


class FileUploadSerializer(serializers.Serializer[Any]):
    """An event file, uploaded as a form field."""

    file = serializers.FileField(help_text="the event file, at most ten million bytes")


class ImportResultSerializer(serializers.Serializer[Any]):
    """The event that was imported."""

    slug = serializers.CharField(help_text="its address")
    name = serializers.CharField()
    date = serializers.DateField()
    state = serializers.CharField(help_text="planned, open or closed")


@describe_operation(
    "POST",
    "event_import",
    ImportResultSerializer,
    request={"multipart/form-data": FileUploadSerializer},
    is_created=True,
)
@endpoint("POST", parser_class=MultiPartParser)
def import_event_from_file(request: Request, slug: str) -> Response:
    """Import an event file into a club, completely or not at all; report every problem."""
    club = get_object_or_404(permissions.list_directed_clubs(request), slug=slug)
    form = FileForm({}, request.FILES)
    if not form.is_valid():
        messages_by_field = {
            name: [str(message) for message in messages]
            for name, messages in form.errors.items()
        }
        raise exceptions.ValidationError(dict[str, Any](messages_by_field))
    event = import_event(club=club, document=form.read_content(), by=request.user)
    loaded_event = page_loaders.load_director_event(request, event.slug).event
    return Response(ImportResultSerializer(loaded_event).data, status=201)


@extend_schema(
    operation_id="boards_file",
    responses=describe_file_response("application/octet-stream", 404),
)
@endpoint("GET")
def get_board_file(request: Request, slug: str, number: int, kind: str) -> HttpResponse:
    """Return the boards of a closed session as pbn, pbn-plays, dup or lin."""
    access = page_loaders.load_public_event(slug).with_session(number)
    session = page_loaders.load_session(access)
    file_format = map_formats_by_name().get(kind)
    if file_format is None or session.board_set is None or not can_see_hands(session):
        raise PageNotReady(_("The boards can be saved once the session is closed."))
    return build_board_file_response(
        file_format, file_format.write_file(load_session_snapshot(session)), access.event.slug
    )
