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
from server.api.endpoints import Nothing, describe_operation, endpoint, validate_body
from server.errors import PageNotFound
from tournaments.models import EntryLink, Event, Session

PATH_HELP_TEXT = "the secret address, behind the server's own"


class EntryLinkAnswer(serializers.Serializer[Any]):
    """An entry's own address, under which it asks about its scores and answers others."""

    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    path = serializers.CharField(help_text=PATH_HELP_TEXT)


class Helpers(serializers.Serializer[Any]):
    """Who gets the helpers' address."""

    are_outsiders = serializers.BooleanField(
        default=False,
        help_text="you vouch that nobody who gets it plays these boards, so that they may be "
        "typed at once; else each board once nobody may still play it",
    )


class HandLinkAnswer(serializers.Serializer[Any]):
    """The address under which helpers type a session's hands in; it ends by itself."""

    path = serializers.CharField(help_text=PATH_HELP_TEXT)
    are_outsiders = serializers.BooleanField()
    ends_at = serializers.DateTimeField()


@describe_operation("GET", "entry_links", EntryLinkAnswer(many=True), refused=(401, 403, 404))
@describe_operation("POST", "entry_links_make", EntryLinkAnswer(many=True), request=None)
@endpoint("GET", "POST", public=False)
def entry_links(request: Request, slug: str) -> Response:
    """List the entries' own addresses that answer; or give one to each that has none."""
    event = page_loaders.director_event(request, slug).event
    if request.method == "POST":
        validate_body(Nothing, request)
        create_entry_links(event=event, by=request.user)
    valid_links = [each for each in _build_entry_links(event) if each.path]
    return Response(EntryLinkAnswer(valid_links, many=True).data)


@describe_operation("DELETE", "entry_link_revoke", refused=(401, 403, 404))
@endpoint("DELETE")
def entry_link(request: Request, slug: str, number: int) -> Response:
    """Take an entry's own address back: it answers no more."""
    event = page_loaders.director_event(request, slug).event
    entry_link_row = get_object_or_404(_build_entry_links(event), entry__number=number)
    revoke_entry_link(link=entry_link_row, by=request.user)
    return Response(status=204)


@describe_operation("GET", "helpers", HandLinkAnswer, refused=(401, 403, 404))
@describe_operation("POST", "helpers_make", HandLinkAnswer, request=Helpers)
@describe_operation("DELETE", "helpers_revoke")
@endpoint("GET", "POST", "DELETE", public=False)
def helpers(request: Request, slug: str, number: int) -> Response:
    """Show the helpers' address; make one, or keep the one that lives; or take it back."""
    session = page_loaders.load_session(page_loaders.director_event(request, slug).at(number))
    if request.method == "DELETE":
        revoke_hand_link(session=session, by=request.user)
        return Response(status=204)
    if request.method == "POST":
        created_link = create_hand_link(
            session=session, **validate_body(Helpers, request), by=request.user
        )
        return Response(HandLinkAnswer(created_link).data)
    return Response(HandLinkAnswer(_get_valid_link(session)).data)


def _build_entry_links(event: Event) -> Any:
    rows = EntryLink.objects.filter(entry__event=event, revoked_at=None)
    return rows.select_related("entry__event__club").order_by("entry__number")


def _get_valid_link(session: Session) -> HandLink:
    now = timezone.now()
    for link in session.hand_links.filter(revoked_at=None):
        if link.path and link.is_live(now):
            return link
    raise PageNotFound(_("Helpers have no link now."))
