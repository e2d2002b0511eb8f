"""The API of links for people without a login: entry links and a session's helper link."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from hall.challenges.services import create_entry_links, revoke_entry_link
from hall.helpers.services import create_hand_link, revoke_hand_link
from hall.models import HandLink
from scoring import page_loaders
from server.api.endpoints import EmptySerializer, describe_operation, endpoint, validate_body
from server.errors import PageNotFound
from tournaments.models import EntryLink, Event, Session

PATH_HELP_TEXT = "the path of the secret link on this server"


class EntryLinkSerializer(serializers.Serializer[Any]):
    """The secret link of an entry. On its page, players query scores and answer queries."""

    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    path = serializers.CharField(help_text=PATH_HELP_TEXT)


class NewHelperLinkSerializer(serializers.Serializer[Any]):
    """Whether the users of a new helpers' link play in this session."""

    are_outsiders = serializers.BooleanField(
        default=False,
        help_text="true: no user of the link plays these boards, so all can be typed at once; "
        "false: each board can be typed after the last table has played it",
    )


class HelperLinkSerializer(serializers.Serializer[Any]):
    """The link with which helpers type a session's hands; it expires automatically."""

    path = serializers.CharField(help_text=PATH_HELP_TEXT)
    are_outsiders = serializers.BooleanField()
    ends_at = serializers.DateTimeField()


@describe_operation(
    "GET", "entry_links", EntryLinkSerializer(many=True), error_statuses=(401, 403, 404)
)
@describe_operation("POST", "entry_links_make", EntryLinkSerializer(many=True), request=None)
@endpoint("GET", "POST", is_public=False)
def list_or_create_entry_links(request: Request, slug: str) -> Response:
    """List the valid links of entries, or create a link for each entry that has none."""
    event = page_loaders.load_director_event(request, slug).event
    if request.method == "POST":
        validate_body(EmptySerializer, request)
        create_entry_links(event=event, by=request.user)
    valid_links = [entry_link for entry_link in _query_entry_links(event) if entry_link.path]
    return Response(EntryLinkSerializer(valid_links, many=True).data)


@describe_operation("DELETE", "entry_link_revoke", error_statuses=(401, 403, 404))
@endpoint("DELETE")
def delete_entry_link(request: Request, slug: str, number: int) -> Response:
    """Revoke the link of an entry."""
    event = page_loaders.load_director_event(request, slug).event
    entry_link = get_object_or_404(_query_entry_links(event), entry__number=number)
    revoke_entry_link(link=entry_link, by=request.user)
    return Response(status=204)


@describe_operation("GET", "helpers", HelperLinkSerializer, error_statuses=(401, 403, 404))
@describe_operation(
    "POST", "helpers_make", HelperLinkSerializer, request=NewHelperLinkSerializer
)
@describe_operation("DELETE", "helpers_revoke")
@endpoint("GET", "POST", "DELETE", is_public=False)
def manage_helper_link(request: Request, slug: str, number: int) -> Response:
    """Return the helpers' link, create it unless one is valid, or revoke it."""
    session = page_loaders.load_session(
        page_loaders.load_director_event(request, slug).with_session(number)
    )
    if request.method == "DELETE":
        revoke_hand_link(session=session, by=request.user)
        return Response(status=204)
    if request.method == "POST":
        created_link = create_hand_link(
            session=session, **validate_body(NewHelperLinkSerializer, request), by=request.user
        )
        return Response(HelperLinkSerializer(created_link).data)
    return Response(HelperLinkSerializer(_get_valid_link(session)).data)


def _query_entry_links(event: Event) -> Any:
    entry_links = EntryLink.objects.filter(entry__event=event, revoked_at=None)
    return entry_links.select_related("entry__event__club").order_by("entry__number")


def _get_valid_link(session: Session) -> HandLink:
    now = timezone.now()
    for link in session.hand_links.filter(revoked_at=None):
        if link.path and link.is_live(now):
            return link
    raise PageNotFound(_("Helpers don’t have a link now."))
