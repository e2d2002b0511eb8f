"""Endpoints that all kinds of activity share: begin one, store its file, show its secret."""

import json
from collections.abc import Callable
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.activities.models import Activity, ActivityQuerySet, EveningActivity
from clubs.activities.secrecy import told_secret
from clubs.models import Club
from server.api.frame import Shape


class SecretAnswer(serializers.Serializer[Any]):
    """The secret of a closed drive, and what was published before play."""

    secret = serializers.CharField()
    commitment = serializers.CharField()


def club_named(request: Request, slug: str | None) -> Club:
    """Find the club of this name among the login's own; without a name, the only one.

    Refuses where there are several and none is named; a strange name is not found.
    """
    clubs = access.clubs_of(request)
    if slug is not None:
        return get_object_or_404(clubs, slug=slug)
    found = list(clubs[:2])
    if len(found) != 1:
        raise exceptions.ValidationError({"club": [_("Name the club.")]})
    return found[0]


def begun(
    request: Request,
    shape: Shape,
    given: dict[str, Any],
    rows: ActivityQuerySet[Any],
    begin: Callable[..., Activity],
) -> Response:
    """Begin an evening in the club that is named; the same key again is the same evening."""
    club, key = club_named(request, given.pop("club", None)), given.pop("key", None)
    known = rows.created_with(club, key) is not None
    made = begin(club=club, form_key=key, by=request.user, **given)
    return Response(shape(made).data, status=200 if known else 201)


def stored(
    request: Request, slug: str, shape: Shape, store: Callable[..., Activity]
) -> Response:
    """Store an evening's file in a club; sent twice it is the same evening."""
    club = get_object_or_404(access.clubs_of(request), slug=slug)
    made = store(club=club, text=json.dumps(request.data), by=request.user)
    return Response(shape(made).data, status=201)


def secret_of(row: EveningActivity) -> Response:
    """Tell the secret of an evening that is closed, and what was published of it."""
    told = {"secret": told_secret(row), "commitment": row.commitment}
    return Response(SecretAnswer(told).data)
