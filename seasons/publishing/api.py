"""The API that receives results; an upload is atomic and idempotent."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import permissions
from clubs.file_fields import UnusableFile
from clubs.models import Club
from seasons.publishing.documents.values import MAX_DOCUMENT_BYTES
from seasons.publishing.errors import DocumentRefused, OutdatedDocument
from seasons.publishing.models import Received, ReceivedVersion
from seasons.publishing.services import (
    DocumentVersion,
    SentDocument,
    list_missing_documents,
    receive_document,
    withdraw_received_document,
)
from server.api.endpoints import describe_operation, endpoint, paginate, validate_body
from server.errors import PageNotFound
from server.numbers import parse_whole_number

MAX_ENVELOPE_BYTES = 10_000
"""The maximum number of bytes that a request adds to the document itself."""
MAX_PUBLISHED_DOCUMENTS = 2000
MAX_DOCUMENTS_PER_MINUTE, RATE_LIMIT_PERIOD = 60, timedelta(minutes=1)


class DocumentVersionSerializer(serializers.Serializer[Any]):
    """A version of a document: its uid, its version number and its digest."""

    uid = serializers.UUIDField(help_text="the stable identifier of the evening or season")
    version = serializers.IntegerField(min_value=1, max_value=10**6)
    digest = serializers.RegexField(
        "^[0-9a-f]{64}$",
        help_text="SHA-256 of the document as JSON with sorted keys and no spaces",
    )


class SentDocumentSerializer(serializers.Serializer[Any]):
    """A document of `whist-published/1` to store, with its version."""

    version = serializers.IntegerField(min_value=1, max_value=10**6)
    digest = serializers.RegexField("^[0-9a-f]{64}$")
    reason = serializers.CharField(required=False, allow_blank=True, max_length=200)
    document = serializers.DictField(help_text="the public data of an evening or season")


class StoredDocumentSerializer(serializers.Serializer[Any]):
    """The stored version of an uploaded document, and whether the upload changed it."""

    uid = serializers.UUIDField()
    version = serializers.IntegerField()
    digest = serializers.CharField()
    new = serializers.BooleanField()


class PublishedDocumentSerializer(serializers.Serializer[Any]):
    """A public document on this server."""

    uid = serializers.UUIDField()
    kind = serializers.CharField(help_text="event or season")
    slug = serializers.CharField()
    name = serializers.CharField()
    day = serializers.DateField()
    version = serializers.IntegerField()
    digest = serializers.CharField()
    received_at = serializers.DateTimeField()


class DocumentListSerializer(serializers.Serializer[Any]):
    """The versions of the documents on the sending computer."""

    documents = DocumentVersionSerializer(many=True)


class MissingDocumentsSerializer(serializers.Serializer[Any]):
    """The uids of missing or different documents, and the stored versions by uid."""

    missing = serializers.ListField(child=serializers.UUIDField())
    versions = serializers.DictField(child=serializers.IntegerField())


class VersionConflict(exceptions.APIException):
    """Status 409: the server has another version of the document."""

    status_code = 409

    def __init__(self, error: DocumentRefused) -> None:
        super().__init__(str(error), error.code)
        self.newer_version = error.newer_version


class UnusableDocument(exceptions.APIException):
    """Status 422: the document has faults; nothing was stored."""

    status_code = 422
    default_code = "unusable_document"


class DocumentWithdrawn(exceptions.APIException):
    """Status 410: the document was withdrawn."""

    status_code = 410
    default_code = "withdrawn"


class DocumentTooLarge(exceptions.APIException):
    """Status 413: the request is longer than the maximum size of a document."""

    status_code = 413
    default_code = "too_large"


@describe_operation("GET", "published_list", PublishedDocumentSerializer, is_paginated=True)
@endpoint("GET")
def list_published_documents(request: Request, slug: str) -> Response:
    """List the documents that a club has sent to this server, newest day first."""
    received_documents = Received.objects.filter(club__slug=slug, withdrawn_at=None)
    return paginate(request, received_documents.defer("document"), PublishedDocumentSerializer)


@describe_operation(
    "POST", "published_missing", MissingDocumentsSerializer, request=DocumentListSerializer
)
@endpoint("POST", is_public=False, required_scope="publish")
def find_missing_documents(request: Request, slug: str) -> Response:
    """Return the uids of the listed documents whose version this server does not have."""
    club = _get_club(request, slug)
    documents = validate_body(DocumentListSerializer, request)["documents"]
    if len(documents) > MAX_PUBLISHED_DOCUMENTS:
        raise exceptions.ValidationError(_("Send at most 2000 at a time."))
    sent_versions = [DocumentVersion(**document) for document in documents]
    missing_uids, version_by_uid = list_missing_documents(club, sent_versions)
    return Response(
        {
            "missing": [str(missing_uid) for missing_uid in missing_uids],
            "versions": {str(uid): version for uid, version in version_by_uid.items()},
        }
    )


@describe_operation("GET", "published", OpenApiTypes.OBJECT, error_statuses=(404, 410))
@describe_operation(
    "PUT",
    "publish",
    StoredDocumentSerializer,
    request=SentDocumentSerializer,
    error_statuses=(400, 401, 403, 404, 409, 413, 422, 429),
)
@describe_operation("DELETE", "unpublish", request=None, error_statuses=(401, 403, 404, 409))
@endpoint("GET", "PUT", "DELETE", required_scope="publish")
def handle_published_document(request: Request, slug: str, uid: UUID) -> Response:
    """Show, store or withdraw a published document."""
    if request.method == "GET":
        return _show_document(slug, uid)
    club = _get_club(request, slug)
    if request.method == "DELETE":
        return _withdraw_document(request, club, uid)
    content_length = parse_whole_number(
        request.META.get("CONTENT_LENGTH") or "", maximum=10**12
    )
    if content_length is None or content_length > MAX_DOCUMENT_BYTES + MAX_ENVELOPE_BYTES:
        raise DocumentTooLarge(_("A document can have at most 5 MB. Send its length too."))
    _limit_document_rate(club)
    body = validate_body(SentDocumentSerializer, request)
    try:
        received_document, is_new = receive_document(
            club=club, sent_document=SentDocument(uid=uid, **body), by=request.user
        )
    except UnusableFile as error:
        raise UnusableDocument({"document": list(error.problems)}) from None
    except DocumentRefused as error:
        raise VersionConflict(error) from None
    document_data = {
        "uid": received_document.uid,
        "version": received_document.version,
        "digest": received_document.digest,
        "new": is_new,
    }
    return Response(StoredDocumentSerializer(document_data).data)


def _limit_document_rate(club: Club) -> None:
    """Limit the number of documents of a club per minute."""
    now = timezone.now()
    versions = ReceivedVersion.objects.filter(
        received__club=club, at__gt=now - RATE_LIMIT_PERIOD
    )
    receipt_times = list(versions.order_by("at").values_list("at", flat=True))
    if len(receipt_times) >= MAX_DOCUMENTS_PER_MINUTE:
        raise exceptions.Throttled(
            wait=(receipt_times[0] + RATE_LIMIT_PERIOD - now).total_seconds() + 1
        )


def _show_document(club_slug: str, uid: UUID) -> Response:
    received_document = Received.objects.filter(club__slug=club_slug, uid=uid).first()
    if received_document is None:
        raise PageNotFound(_("Document not found."))
    if received_document.withdrawn_at is not None:
        raise DocumentWithdrawn(_("The club has withdrawn this."))
    return Response(
        {
            "version": received_document.version,
            "digest": received_document.digest,
            "document": received_document.document,
        }
    )


def _withdraw_document(request: Request, club: Club, uid: UUID) -> Response:
    version = (
        parse_whole_number(request.query_params.get("version", ""), maximum=10**6) or 10**6
    )
    try:
        withdraw_received_document(club=club, uid=uid, version=version, by=request.user)
    except OutdatedDocument as error:
        raise VersionConflict(error) from None
    return Response(status=204)


def _get_club(request: Request, club_slug: str) -> Club:
    club = Club.objects.filter(slug=club_slug).first()
    if club is None or not permissions.can_direct(request.user, club):
        raise PageNotFound(_("Club not found."))
    return club
