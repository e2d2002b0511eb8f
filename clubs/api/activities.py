"""The endpoint functions that all kinds of activity share: create, import, show the secret."""

import json
from collections.abc import Callable
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import permissions
from clubs.activities.models import Activity, ActivityQuerySet, EveningActivity
from clubs.activities.secrecy import format_secret
from clubs.models import Club
from server.api.endpoints import SerializerClass


class SecretSerializer(serializers.Serializer[Any]):
    """The secret of a closed activity, and the commitment published before play."""

    secret = serializers.CharField()
    commitment = serializers.CharField()


def find_club(request: Request, slug: str | None) -> Club:
    """Return the login's club with this slug; without a slug, its only club.

    Raises an error if there are several clubs and no slug, and 404 for an unknown slug.
    """
    clubs = permissions.list_directed_clubs(request)
    if slug is not None:
        return get_object_or_404(clubs, slug=slug)
    first_clubs = list(clubs[:2])
    if len(first_clubs) != 1:
        raise exceptions.ValidationError({"club": [_("Enter the club.")]})
    return first_clubs[0]


def create_activity(
    request: Request,
    serializer_class: SerializerClass,
    input_data: dict[str, Any],
    queryset: ActivityQuerySet[Any],
    create_function: Callable[..., Activity],
) -> Response:
    """Create an activity with `create_function`, and return the response.

    The club is the one in `input_data`, or the login's only club. A repeated request with the
    same `key` returns the existing activity, with status 200 instead of 201.
    """
    club, form_key = (
        find_club(request, input_data.pop("club", None)),
        input_data.pop("key", None),
    )
    is_repeated_request = queryset.find_by_form_key(club, form_key) is not None
    activity = create_function(club=club, form_key=form_key, by=request.user, **input_data)
    return Response(serializer_class(activity).data, status=200 if is_repeated_request else 201)


def import_activity(
    request: Request,
    slug: str,
    serializer_class: SerializerClass,
    import_function: Callable[..., Activity],
) -> Response:
    """Import an activity from the JSON file in the request into a club; idempotent."""
    club = get_object_or_404(permissions.list_directed_clubs(request), slug=slug)
    activity = import_function(club=club, file_text=json.dumps(request.data), by=request.user)
    return Response(serializer_class(activity).data, status=201)


def build_secret_response(activity: EveningActivity) -> Response:
    """Return the response with a closed activity's secret and its published commitment."""
    secret_data = {"secret": format_secret(activity), "commitment": activity.commitment}
    return Response(SecretSerializer(secret_data).data)
