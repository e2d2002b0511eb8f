"""The upload of a club's documents to its server; only changed documents are sent.

Failed uploads are retried.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.club_server import (
    InvalidDestination,
    RequestFunction,
    ServerResponse,
    ServerUnreachable,
    build_request_function,
)
from clubs.models import Act, Club
from drives.models import Drive
from rubbers.models import RubberNight
from seasons.ladders.models import Season
from seasons.publishing.documents.values import compute_digest
from seasons.publishing.documents.writing import (
    PublishableActivity,
    build_drive_document,
    build_event_document,
    build_season_document,
    list_activities_to_publish,
    query_events_to_publish,
)
from seasons.publishing.models import Destination, Publication
from server.jobs.kinds import JobKind, Lane, build_club_finder, build_column_describer
from server.logins.secret_encryption import WrongKey, decrypt_secret
from tournaments.models import Event, Session

MAX_DOCUMENTS_PER_BATCH = 20
"""The maximum number of documents in memory at a time."""
State = Publication.State
PublishedObject = TypeVar(
    "PublishedObject", Event, Drive, RubberNight, PublishableActivity, Season
)
RETRY_DELAYS = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=1),
)
"""The delays before each retry after a failed upload; the last one is repeated."""
PAUSED_STATES = (State.WITHDRAWN, State.WITHDRAWING, State.CONFLICT)
"""The states of documents that are sent again only if a user decides it."""
MIN_TIME_SINCE_CHANGE = timedelta(minutes=10)
"""The time since the last change after which an automatic upload may start."""


@dataclass(frozen=True, slots=True)
class UploadItem:
    """An evening or season to upload, with the function that builds its document."""

    uid: UUID
    name: str
    build_document: Callable[[], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class UploadResult:
    """The outcome of the upload of one document."""

    name: str
    state: str  # sent, unchanged, refused, withdrawn, or would be sent
    version: int = 0
    reason: str = ""


def list_upload_items(club: Club, events: Iterable[Event] | None = None) -> list[UploadItem]:
    """Return the items to upload: the given events, or all documents of a club.

    A club's documents are those of public events, of closed drives and rubber nights, and of
    seasons.
    """
    published_events = query_events_to_publish(club) if events is None else events
    upload_items = [
        _build_upload_item(public_event, build_event_document)
        for public_event in published_events
    ]
    if events is None:
        upload_items += [
            _build_upload_item(activity, build_drive_document)
            for activity in list_activities_to_publish(club)
        ]
        seasons = club.seasons.select_related("club")
        upload_items += [
            _build_upload_item(season, build_season_document) for season in seasons
        ]
    return upload_items


def upload_documents(
    club: Club,
    upload_items: Sequence[UploadItem],
    send_request: RequestFunction,
    *,
    is_dry_run: bool = False,
    chosen_uids: frozenset[UUID] = frozenset(),
) -> Iterator[UploadResult]:
    """Upload the documents that are missing on the server, and yield the outcome of each.

    The documents in `chosen_uids` replace any version on the server. With `is_dry_run`, nothing
    is sent or stored. Raises ServerUnreachable if there is no response, and InvalidDestination
    if the server refuses the club's uploads.
    """
    for batch_start in range(0, len(upload_items), MAX_DOCUMENTS_PER_BATCH):
        items_with_documents = [
            (upload_item, upload_item.build_document())
            for upload_item in upload_items[batch_start : batch_start + MAX_DOCUMENTS_PER_BATCH]
        ]
        yield from _upload_batch(
            club,
            items_with_documents,
            send_request,
            is_dry_run=is_dry_run,
            chosen_uids=chosen_uids,
        )


def withdraw_document(publication: Publication, send_request: RequestFunction) -> UploadResult:
    """Withdraw a sent document from the server."""
    response = send_request(
        "DELETE", f"published/{publication.uid}/?version={publication.version}", None
    )
    _raise_if_refused(response)
    if response.status != 204:
        Publication.objects.filter(pk=publication.pk).update(error=response.refusal_message)
        return UploadResult(
            publication.name, "refused", publication.version, response.refusal_message
        )
    Publication.objects.filter(pk=publication.pk).update(
        state=State.WITHDRAWN, digest="", error=""
    )
    return UploadResult(publication.name, "withdrawn", publication.version)


def list_documents_to_withdraw(
    club: Club, upload_items: Sequence[UploadItem]
) -> list[Publication]:
    """Return the sent documents of evenings that are no longer public.

    These evenings are archived, or their standings are hidden. The document of an event that
    was opened again for a correction stays until the event is closed.
    """
    sent_publications = Publication.objects.filter(club=club, state=State.SENT)
    sent_publications = sent_publications.exclude(
        uid__in=[upload_item.uid for upload_item in upload_items]
    )
    listed_events = Event.objects.filter(club=club).exclude_hidden()
    visible_events = listed_events.exclude(
        standings_shown=Event.StandingsVisibility.NEVER
    ).values("uid")
    listed_drives = Drive.objects.exclude_hidden().filter(club=club).values("uid")
    listed_nights = RubberNight.objects.exclude_hidden().filter(club=club).values("uid")
    return list(
        sent_publications.exclude(uid__in=visible_events)
        .exclude(uid__in=listed_drives)
        .exclude(uid__in=listed_nights)
    )


def _build_upload_item(
    published_object: PublishedObject, serialize: Callable[[PublishedObject], dict[str, Any]]
) -> UploadItem:
    return UploadItem(
        published_object.uid, published_object.name, lambda: serialize(published_object)
    )


def _upload_batch(
    club: Club,
    items_with_documents: Sequence[tuple[UploadItem, dict[str, Any]]],
    send_request: RequestFunction,
    *,
    is_dry_run: bool,
    chosen_uids: frozenset[UUID],
) -> Iterator[UploadResult]:
    digest_by_uid = {
        upload_item.uid: compute_digest(document)
        for upload_item, document in items_with_documents
    }
    publication_by_uid = _get_or_build_publications(
        club, items_with_documents, should_store=not is_dry_run
    )
    document_versions = [
        {"uid": str(uid), "version": max(publication_by_uid[uid].version, 1), "digest": digest}
        for uid, digest in digest_by_uid.items()
    ]
    response = send_request("POST", "published/missing/", {"documents": document_versions})
    _raise_if_refused(response)
    if response.status != 200:
        raise InvalidDestination(response.refusal_message)
    missing_uids = set(response.body_data.get("missing", ()))
    remote_version_by_uid = _parse_remote_versions(response)
    for upload_item, document in items_with_documents:
        publication, digest = (
            publication_by_uid[upload_item.uid],
            digest_by_uid[upload_item.uid],
        )
        if str(upload_item.uid) not in missing_uids:
            if not is_dry_run:
                _record_upload(
                    publication, remote_version_by_uid.get(upload_item.uid, 1), digest
                )
            yield UploadResult(
                upload_item.name, "unchanged", remote_version_by_uid.get(upload_item.uid, 1)
            )
        elif is_dry_run:
            yield UploadResult(upload_item.name, "would be sent", publication.version + 1)
        else:
            previous_version = (
                max(publication.version, remote_version_by_uid.get(upload_item.uid, 0))
                if upload_item.uid in chosen_uids
                else publication.version
            )
            yield _upload_document(
                publication, previous_version + 1, digest, document, send_request
            )


def _upload_document(
    publication: Publication,
    version: int,
    digest: str,
    document: Mapping[str, Any],
    send_request: RequestFunction,
) -> UploadResult:
    request_body = {"version": version, "digest": digest, "document": document}
    if publication.version:
        request_body["reason"] = _("corrected")
    response = send_request("PUT", f"published/{publication.uid}/", request_body)
    while response.status == 429:  # the server limits uploads per minute
        time.sleep(min(max(response.retry_after_seconds, 1), 60))
        response = send_request("PUT", f"published/{publication.uid}/", request_body)
    _raise_if_refused(response)
    if response.status == 200:
        stored_version = int(response.body_data.get("version", version))
        _record_upload(publication, stored_version, digest)
        return UploadResult(publication.name, "sent", stored_version)
    is_conflict = response.status == 409 and response.body_data.get("code") in (
        "older",
        "two_computers",
    )
    new_state = State.CONFLICT if is_conflict else State.REFUSED
    Publication.objects.filter(pk=publication.pk).update(
        state=new_state, error=response.refusal_message[:2000]
    )
    return UploadResult(
        publication.name, "refused", publication.version, response.refusal_message
    )


def _raise_if_refused(response: ServerResponse) -> None:
    """Raise InvalidDestination if the server refuses the token or does not know the club."""
    if response.status in (401, 403, 404):
        raise InvalidDestination(response.refusal_message)


def _parse_remote_versions(response: ServerResponse) -> dict[UUID, int]:
    remote_versions = response.body_data.get("versions")
    return (
        {UUID(uid): int(remote_version) for uid, remote_version in remote_versions.items()}
        if isinstance(remote_versions, dict)
        else {}
    )


def _get_or_build_publications(
    club: Club,
    items_with_documents: Sequence[tuple[UploadItem, dict[str, Any]]],
    *,
    should_store: bool,
) -> dict[UUID, Publication]:
    uids = [upload_item.uid for upload_item, _document in items_with_documents]
    publication_by_uid = {
        publication.uid: publication
        for publication in Publication.objects.filter(club=club, uid__in=uids)
    }
    for upload_item, _document in items_with_documents:
        if upload_item.uid not in publication_by_uid:
            publication = Publication(
                club=club, uid=upload_item.uid, name=upload_item.name[:200]
            )
            if should_store:
                publication, _is_created = Publication.objects.get_or_create(
                    club=club, uid=upload_item.uid, defaults={"name": upload_item.name[:200]}
                )
            publication_by_uid[upload_item.uid] = publication
    return publication_by_uid


def _record_upload(publication: Publication, version: int, digest: str) -> None:
    Publication.objects.filter(pk=publication.pk).update(
        version=version,
        digest=digest,
        state=State.SENT,
        error="",
        sent_at=timezone.now(),
    )


def upload_waiting_documents(pk: int) -> None:
    """Upload the waiting documents of a destination; `pk` is its primary key.

    Errors are stored as text. If the server is unreachable, a retry is scheduled.
    """
    destination = Destination.objects.select_related("club").filter(pk=pk).first()
    if destination is None:
        return
    now = timezone.now()
    try:
        _send_documents(destination)
    except ServerUnreachable as error:
        delay = RETRY_DELAYS[min(destination.tries, len(RETRY_DELAYS) - 1)]
        _update_destination(
            destination, trouble=str(error), tries=destination.tries + 1, next_at=now + delay
        )
    except InvalidDestination as error:
        _update_destination(
            destination, trouble=str(error), tries=0, next_at=None, looked_at=now
        )
    except WrongKey:
        message = _("The token can’t be read. Enter it again.")
        _update_destination(destination, trouble=message, tries=0, next_at=None, looked_at=now)
    else:
        _update_destination(destination, trouble="", tries=0, next_at=None, looked_at=now)


def _send_documents(destination: Destination) -> None:
    club = destination.club
    send_request = build_request_function(
        destination.address, decrypt_secret(destination.sealed_token)
    )
    publications = Publication.objects.filter(club=club)
    paused_uids = set(
        publications.filter(state__in=PAUSED_STATES).values_list("uid", flat=True)
    )
    chosen_uids = frozenset(
        publications.filter(state=State.OVERRIDING).values_list("uid", flat=True)
    )
    upload_items = list_upload_items(club)
    for publication in [
        *publications.filter(state=State.WITHDRAWING),
        *list_documents_to_withdraw(club, upload_items),
    ]:
        withdraw_document(publication, send_request)
    for _result in upload_documents(
        club,
        [upload_item for upload_item in upload_items if upload_item.uid not in paused_uids],
        send_request,
        chosen_uids=chosen_uids,
    ):
        pass


def _update_destination(destination: Destination, **new_values: object) -> None:
    Destination.objects.filter(pk=destination.pk).update(**new_values)


def list_due_destination_pks() -> Iterable[int]:
    """Return the primary keys of the destinations with a due upload.

    An upload is due at the time of a retry. An automatic upload is also due after changes,
    while no session of the club is open.
    """
    now = timezone.now()
    due_destination_pks = list(
        Destination.objects.filter(next_at__lte=now).values_list("pk", flat=True)
    )
    for destination in Destination.objects.filter(
        is_automatic=True, next_at=None
    ).select_related("club"):
        open_sessions = Session.objects.filter(
            event__club=destination.club, state=Session.State.OPEN
        )
        if _has_changes_to_upload(destination, now) and not open_sessions.exists():
            due_destination_pks.append(destination.pk)
    return due_destination_pks


def _has_changes_to_upload(destination: Destination, now: datetime) -> bool:
    upload_act_condition = Q(action__startswith="results.")
    change_acts = (
        Act.objects.filter(club=destination.club.slug)
        .exclude(upload_act_condition)
        .order_by("-pk")
    )
    last_change_time = change_acts.values_list("at", flat=True).first()
    return (
        last_change_time is not None
        and last_change_time < now - MIN_TIME_SINCE_CHANGE
        and (destination.looked_at is None or destination.looked_at < last_change_time)
    )


UPLOAD_JOB = JobKind(
    "results_sent",
    title=gettext_lazy("results for the club’s server"),
    lane=Lane.LATER,
    time_limit=900,
    run=upload_waiting_documents,
    find_missing_job_keys=list_due_destination_pks,
    describe_subject=build_column_describer(Destination.objects, "club__name"),
    find_club=build_club_finder(Destination.objects),
)
