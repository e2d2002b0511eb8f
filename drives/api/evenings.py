"""What activities of an evening have in common for programs: begun, stored, their secrets."""

import json
from collections.abc import Callable
from typing import Any

from django.db.models import Model
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.models import Club
from drives.api.shapes import SecretAnswer
from drives.secrecy import Sealed, told_secret
from server.api.frame import Shape


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
    rows: type[Model],
    begin: Callable[..., Model],
) -> Response:
    """Begin an evening in the club that is named; the same key again is the same evening."""
    club, key = club_named(request, given.pop("club", None)), given.pop("key", None)
    known = bool(key) and rows._default_manager.filter(club=club, form_key=key).exists()
    made = begin(club=club, form_key=key, by=request.user, **given)
    return Response(shape(made).data, status=200 if known else 201)


def stored(request: Request, slug: str, shape: Shape, store: Callable[..., Model]) -> Response:
    """Store an evening's file in a club; sent twice it is the same evening."""
    club = get_object_or_404(access.clubs_of(request), slug=slug)
    made = store(club=club, text=json.dumps(request.data), by=request.user)
    return Response(shape(made).data, status=201)


def secret_of(row: Sealed) -> Response:
    """Tell the secret of an evening that is closed, and what was published of it."""
    told = {"secret": told_secret(row), "commitment": row.commitment}
    return Response(SecretAnswer(told).data)
