"""The API that receives results: a document is stored whole or not at all, and idempotently."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.file_fields import UnusableFile
from clubs.models import Club
from seasons.publishing.documents.values import MAX_BYTES
from seasons.publishing.errors import DocumentRefused, OlderDocument
from seasons.publishing.models import Received, ReceivedVersion
from seasons.publishing.services import (
    DocumentVersion,
    SentDocument,
    list_missing_documents,
    receive_document,
    withdraw_received,
)
from server.api.endpoints import describe_operation, endpoint, paginate, validate_body
from server.errors import PageNotFound
from server.numbers import parse_whole_number

MAX_ENVELOPE_BYTES = 10_000
"""Bytes in a request in addition to the document."""
MAX_PUBLISHED = 2000
A_MINUTE, MINUTE = 60, timedelta(minutes=1)


class DocumentNamed(serializers.Serializer[Any]):
    """A document by its name, its version and its digest."""

    uid = serializers.UUIDField(help_text="the lasting name of the evening or season")
    version = serializers.IntegerField(min_value=1, max_value=10**6)
    digest = serializers.RegexField(
        "^[0-9a-f]{64}$", help_text="SHA-256 of the document, its keys sorted, without blanks"
    )


class DocumentSent(serializers.Serializer[Any]):
    """A document of `whist-published/1`, and which version of it this is."""

    version = serializers.IntegerField(min_value=1, max_value=10**6)
    digest = serializers.RegexField("^[0-9a-f]{64}$")
    reason = serializers.CharField(required=False, allow_blank=True, max_length=200)
    document = serializers.DictField(help_text="what everybody may see of an evening")


class DocumentTaken(serializers.Serializer[Any]):
    """The version of an uploaded document that is now stored, and whether the upload changed
    it.
    """

    uid = serializers.UUIDField()
    version = serializers.IntegerField()
    digest = serializers.CharField()
    new = serializers.BooleanField()


class DocumentHere(serializers.Serializer[Any]):
    """A document that everybody may see here."""

    uid = serializers.UUIDField()
    kind = serializers.CharField(help_text="event or season")
    slug = serializers.CharField()
    name = serializers.CharField()
    day = serializers.DateField()
    version = serializers.IntegerField()
    digest = serializers.CharField()
    received_at = serializers.DateTimeField()


class DocumentsNamed(serializers.Serializer[Any]):
    """Documents that a computer has."""

    documents = DocumentNamed(many=True)


class DocumentsMissing(serializers.Serializer[Any]):
    """Those of them that are not here as they are there, and the versions that are here."""

    missing = serializers.ListField(child=serializers.UUIDField())
    versions = serializers.DictField(child=serializers.IntegerField())


class VersionConflict(exceptions.APIException):
    """409: another version of the document is on this server."""

    status_code = 409

    def __init__(self, refused: DocumentRefused) -> None:
        super().__init__(str(refused), refused.code)
        self.newer = refused.newer


class Unusable(exceptions.APIException):
    """422: a document with faults; nothing has changed."""

    status_code = 422
    default_code = "unusable_document"


class Withdrawn(exceptions.APIException):
    """410: a document that was withdrawn."""

    status_code = 410
    default_code = "withdrawn"


class TooLarge(exceptions.APIException):
    """413: a request that is longer than a document may be."""

    status_code = 413
    default_code = "too_large"


@describe_operation("GET", "published_list", DocumentHere, paged=True, refused=())
@endpoint("GET")
def published_list(request: Request, slug: str) -> Response:
    """List what a club has sent here, the newest day first."""
    rows = Received.objects.filter(club__slug=slug, withdrawn_at=None)
    return paginate(request, rows.defer("document"), DocumentHere)


@describe_operation("POST", "published_missing", DocumentsMissing, request=DocumentsNamed)
@endpoint("POST", public=False, needs="publish")
def published_missing(request: Request, slug: str) -> Response:
    """Say which documents of a list are not here yet: so a broken sending goes on."""
    club = _get_club(request, slug)
    given = validate_body(DocumentsNamed, request)["documents"]
    if len(given) > MAX_PUBLISHED:
        raise exceptions.ValidationError(_("Send at most 2000 at a time."))
    known = [DocumentVersion(**each) for each in given]
    lacking, versions = list_missing_documents(club, known)
    return Response(
        {
            "missing": [str(each) for each in lacking],
            "versions": {str(uid): version for uid, version in versions.items()},
        }
    )


@describe_operation("GET", "published", OpenApiTypes.OBJECT, refused=(404, 410))
@describe_operation(
    "PUT",
    "publish",
    DocumentTaken,
    request=DocumentSent,
    refused=(400, 401, 403, 404, 409, 413, 422, 429),
)
@describe_operation("DELETE", "unpublish", request=None, refused=(401, 403, 404, 409))
@endpoint("GET", "PUT", "DELETE", needs="publish")
def published(request: Request, slug: str, uid: UUID) -> Response:
    """Hand out a document, take one, or withdraw one."""
    if request.method == "GET":
        return _show_document(slug, uid)
    club = _get_club(request, slug)
    if request.method == "DELETE":
        return _withdraw_document(request, club, uid)
    length = parse_whole_number(request.META.get("CONTENT_LENGTH") or "", most=10**12)
    if length is None or length > MAX_BYTES + MAX_ENVELOPE_BYTES:
        raise TooLarge(_("A document can have at most 5 MB. Send its length too."))
    _limit_rate(club)
    given = validate_body(DocumentSent, request)
    try:
        row, new = receive_document(
            club=club, sent=SentDocument(uid=uid, **given), by=request.user
        )
    except UnusableFile as faults:
        raise Unusable({"document": list(faults.problems)}) from None
    except DocumentRefused as refused:
        raise VersionConflict(refused) from None
    data = {"uid": row.uid, "version": row.version, "digest": row.digest, "new": new}
    return Response(DocumentTaken(data).data)


def _limit_rate(club: Club) -> None:
    """Limit the number of documents of a club per minute."""
    now = timezone.now()
    rows = ReceivedVersion.objects.filter(received__club=club, at__gt=now - MINUTE)
    came = list(rows.order_by("at").values_list("at", flat=True))
    if len(came) >= A_MINUTE:
        raise exceptions.Throttled(wait=(came[0] + MINUTE - now).total_seconds() + 1)


def _show_document(slug: str, uid: UUID) -> Response:
    row = Received.objects.filter(club__slug=slug, uid=uid).first()
    if row is None:
        raise PageNotFound(_("Document not found."))
    if row.withdrawn_at is not None:
        raise Withdrawn(_("The club has withdrawn this."))
    return Response({"version": row.version, "digest": row.digest, "document": row.document})


def _withdraw_document(request: Request, club: Club, uid: UUID) -> Response:
    version = parse_whole_number(request.query_params.get("version", ""), most=10**6) or 10**6
    try:
        withdraw_received(club=club, uid=uid, version=version, by=request.user)
    except OlderDocument as refused:
        raise VersionConflict(refused) from None
    return Response(status=204)


def _get_club(request: Request, slug: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None or not access.can_direct(request.user, club):
        raise PageNotFound(_("Club not found."))
    return club
