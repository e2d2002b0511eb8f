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
    DestinationRefused,
    RequestFunction,
    ServerResponse,
    ServerUnreachable,
    make_requester,
)
from clubs.models import Act, Club
from drives.models import Drive
from rubbers.models import RubberNight
from seasons.ladders.models import Season
from seasons.publishing.documents.values import compute_digest
from seasons.publishing.documents.writing import (
    Evening,
    build_drive_document,
    build_event_document,
    build_season_document,
    list_drives_to_publish,
    query_events_to_publish,
)
from seasons.publishing.models import Destination, Publication
from server.jobs.kinds import JobKind, Lane, describe_by_column, find_club_by_column
from server.logins.secret_encryption import WrongKey, decrypt_secret
from tournaments.models import Event, Session

MAX_DOCUMENTS_PER_BATCH = 20
"""The maximum number of documents in memory at a time."""
State = Publication.State
Sendable = TypeVar("Sendable", Event, Drive, RubberNight, Evening, Season)
RETRY_DELAYS = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=1),
)
"""The delays before each retry after a failed upload; the last one is repeated."""
PAUSED_STATES = (State.WITHDRAWN, State.GOING, State.TWICE)
"""The states of documents that are sent again only if a user decides it."""
MIN_QUIET_TIME = timedelta(minutes=10)
"""The time since the last change after which an automatic upload may start."""


@dataclass(frozen=True, slots=True)
class UploadItem:
    """An evening or season to upload, with the function that builds its document."""

    uid: UUID
    name: str
    make: Callable[[], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class SendResult:
    """The outcome of the upload of one document."""

    name: str
    state: str  # sent, unchanged, refused, withdrawn, or would be sent
    version: int = 0
    reason: str = ""


def list_items(club: Club, events: Iterable[Event] | None = None) -> list[UploadItem]:
    """Return the items to upload: those of the given events, or all items of a club.

    All items are the closed public events, the closed drives and rubber nights, and the
    seasons.
    """
    public_events = query_events_to_publish(club) if events is None else events
    upload_items = [
        _build_upload_item(public_event, build_event_document) for public_event in public_events
    ]
    if events is None:
        upload_items += [
            _build_upload_item(activity, build_drive_document)
            for activity in list_drives_to_publish(club)
        ]
        seasons = club.seasons.select_related("club")
        upload_items += [
            _build_upload_item(season, build_season_document) for season in seasons
        ]
    return upload_items


def upload_documents(
    club: Club,
    items: Sequence[UploadItem],
    send_request: RequestFunction,
    *,
    try_only: bool = False,
    ours: frozenset[UUID] = frozenset(),
) -> Iterator[SendResult]:
    """Upload the documents that are missing on the server, and yield the outcome of each.

    The documents in `ours` replace the server's version, whatever it is. Raises
    ServerUnreachable if there is no response, and DestinationRefused if the server refuses the
    club's uploads.
    """
    for start in range(0, len(items), MAX_DOCUMENTS_PER_BATCH):
        items_with_documents = [
            (item, item.make()) for item in items[start : start + MAX_DOCUMENTS_PER_BATCH]
        ]
        yield from _upload_batch(
            club, items_with_documents, send_request, try_only=try_only, ours=ours
        )


def withdraw_document(row: Publication, send_request: RequestFunction) -> SendResult:
    """Withdraw a sent document from the server."""
    response = send_request("DELETE", f"published/{row.uid}/?version={row.version}", None)
    _raise_if_refused(response)
    if response.status != 204:
        Publication.objects.filter(pk=row.pk).update(error=response.refusal_message)
        return SendResult(row.name, "refused", row.version, response.refusal_message)
    Publication.objects.filter(pk=row.pk).update(state=State.WITHDRAWN, digest="", error="")
    return SendResult(row.name, "withdrawn", row.version)


def list_documents_to_withdraw(club: Club, items: Sequence[UploadItem]) -> list[Publication]:
    """Return the sent documents of evenings that are no longer public.

    These evenings are archived, or their standings are hidden. The document of an event that
    was opened again for a correction stays until the event is closed.
    """
    sent_rows = Publication.objects.filter(club=club, state=State.SENT)
    sent_rows = sent_rows.exclude(uid__in=[item.uid for item in items])
    open_again = Event.objects.filter(club=club).exclude_hidden()
    visible_events = open_again.exclude(standings_shown=Event.Shown.NEVER).values("uid")
    open_drives = Drive.objects.exclude_hidden().filter(club=club).values("uid")
    open_nights = RubberNight.objects.exclude_hidden().filter(club=club).values("uid")
    return list(
        sent_rows.exclude(uid__in=visible_events)
        .exclude(uid__in=open_drives)
        .exclude(uid__in=open_nights)
    )


def _build_upload_item(of: Sendable, write: Callable[[Sendable], dict[str, Any]]) -> UploadItem:
    return UploadItem(of.uid, of.name, lambda: write(of))


def _upload_batch(
    club: Club,
    items_with_documents: Sequence[tuple[UploadItem, dict[str, Any]]],
    send_request: RequestFunction,
    *,
    try_only: bool,
    ours: frozenset[UUID],
) -> Iterator[SendResult]:
    digests = {item.uid: compute_digest(document) for item, document in items_with_documents}
    rows = _get_or_create_rows(club, items_with_documents, keep_rows=not try_only)
    document_versions = [
        {"uid": str(uid), "version": max(rows[uid].version, 1), "digest": digest}
        for uid, digest in digests.items()
    ]
    response = send_request("POST", "published/missing/", {"documents": document_versions})
    _raise_if_refused(response)
    if response.status != 200:
        raise DestinationRefused(response.refusal_message)
    missing_uids = set(response.data.get("missing", ()))
    remote_versions = _parse_remote_versions(response)
    for item, document in items_with_documents:
        row, digest = rows[item.uid], digests[item.uid]
        if str(item.uid) not in missing_uids:
            if not try_only:
                _record_upload(row, remote_versions.get(item.uid, 1), digest)
            yield SendResult(item.name, "unchanged", remote_versions.get(item.uid, 1))
        elif try_only:
            yield SendResult(item.name, "would be sent", row.version + 1)
        else:
            base = (
                max(row.version, remote_versions.get(item.uid, 0))
                if item.uid in ours
                else row.version
            )
            yield _upload_document(row, base + 1, digest, document, send_request)


def _upload_document(
    row: Publication,
    version: int,
    digest: str,
    document: Mapping[str, Any],
    send_request: RequestFunction,
) -> SendResult:
    request_body = {"version": version, "digest": digest, "document": document}
    if row.version:
        request_body["reason"] = _("corrected")
    response = send_request("PUT", f"published/{row.uid}/", request_body)
    while response.status == 429:  # a rate limit per minute: send the rest later
        time.sleep(min(max(response.retry_after_seconds, 1), 60))
        response = send_request("PUT", f"published/{row.uid}/", request_body)
    _raise_if_refused(response)
    if response.status == 200:
        stored_version = int(response.data.get("version", version))
        _record_upload(row, stored_version, digest)
        return SendResult(row.name, "sent", stored_version)
    is_conflict = response.status == 409 and response.data.get("code") in (
        "older",
        "two_computers",
    )
    state = State.TWICE if is_conflict else State.REFUSED
    Publication.objects.filter(pk=row.pk).update(
        state=state, error=response.refusal_message[:2000]
    )
    return SendResult(row.name, "refused", row.version, response.refusal_message)


def _raise_if_refused(response: ServerResponse) -> None:
    """Raise DestinationRefused if the server refuses the token or does not know the club."""
    if response.status in (401, 403, 404):
        raise DestinationRefused(response.refusal_message)


def _parse_remote_versions(response: ServerResponse) -> dict[UUID, int]:
    remote_versions = response.data.get("versions")
    return (
        {UUID(uid): int(remote_version) for uid, remote_version in remote_versions.items()}
        if isinstance(remote_versions, dict)
        else {}
    )


def _get_or_create_rows(
    club: Club,
    items_with_documents: Sequence[tuple[UploadItem, dict[str, Any]]],
    *,
    keep_rows: bool,
) -> dict[UUID, Publication]:
    uids = [item.uid for item, _document in items_with_documents]
    rows_by_uid = {row.uid: row for row in Publication.objects.filter(club=club, uid__in=uids)}
    for item, _document in items_with_documents:
        if item.uid not in rows_by_uid:
            row = Publication(club=club, uid=item.uid, name=item.name[:200])
            if keep_rows:
                row, _new = Publication.objects.get_or_create(
                    club=club, uid=item.uid, defaults={"name": item.name[:200]}
                )
            rows_by_uid[item.uid] = row
    return rows_by_uid


def _record_upload(row: Publication, version: int, digest: str) -> None:
    Publication.objects.filter(pk=row.pk).update(
        version=version,
        digest=digest,
        state=State.SENT,
        error="",
        sent_at=timezone.now(),
    )


def upload_club(pk: int) -> None:
    """Upload the waiting documents of a destination; `pk` is its primary key.

    Errors are stored as text. If the server is unreachable, a retry is scheduled.
    """
    row = Destination.objects.select_related("club").filter(pk=pk).first()
    if row is None:
        return
    now = timezone.now()
    try:
        _send(row)
    except ServerUnreachable as problem:
        later = RETRY_DELAYS[min(row.tries, len(RETRY_DELAYS) - 1)]
        _store_values(row, trouble=str(problem), tries=row.tries + 1, next_at=now + later)
    except DestinationRefused as problem:
        _store_values(row, trouble=str(problem), tries=0, next_at=None, looked_at=now)
    except WrongKey:
        message = _("The token can't be read. Enter it again.")
        _store_values(row, trouble=message, tries=0, next_at=None, looked_at=now)
    else:
        _store_values(row, trouble="", tries=0, next_at=None, looked_at=now)


def _send(row: Destination) -> None:
    club = row.club
    send_request = make_requester(row.address, decrypt_secret(row.sealed_token))
    rows = Publication.objects.filter(club=club)
    paused_uids = set(rows.filter(state__in=PAUSED_STATES).values_list("uid", flat=True))
    ours = frozenset(rows.filter(state=State.OURS).values_list("uid", flat=True))
    items = list_items(club)
    for withdrawn_row in [
        *rows.filter(state=State.GOING),
        *list_documents_to_withdraw(club, items),
    ]:
        withdraw_document(withdrawn_row, send_request)
    for _result in upload_documents(
        club,
        [upload_item for upload_item in items if upload_item.uid not in paused_uids],
        send_request,
        ours=ours,
    ):
        pass


def _store_values(row: Destination, **values: object) -> None:
    Destination.objects.filter(pk=row.pk).update(**values)


def iter_due_destinations() -> Iterable[int]:
    """Yield the primary keys of the destinations with a due upload.

    An upload is due at the time of a retry. An automatic upload is also due after changes,
    while no session of the club is open.
    """
    now = timezone.now()
    due_keys = list(Destination.objects.filter(next_at__lte=now).values_list("pk", flat=True))
    for row in Destination.objects.filter(is_automatic=True, next_at=None).select_related(
        "club"
    ):
        playing = Session.objects.filter(event__club=row.club, state=Session.State.OPEN)
        if _has_changed(row, now) and not playing.exists():
            due_keys.append(row.pk)
    return due_keys


def _has_changed(row: Destination, now: datetime) -> bool:
    is_upload_act = Q(action__startswith="results.")
    acts = Act.objects.filter(club=row.club.slug).exclude(is_upload_act).order_by("-pk")
    last = acts.values_list("at", flat=True).first()
    return (
        last is not None
        and last < now - MIN_QUIET_TIME
        and (row.looked_at is None or row.looked_at < last)
    )


UPLOAD_JOB = JobKind(
    "results_sent",
    title=gettext_lazy("results for the club's server"),
    lane=Lane.LATER,
    time_limit=900,
    run=upload_club,
    find_missing=iter_due_destinations,
    describe=describe_by_column(Destination.objects, "club__name"),
    find_club=find_club_by_column(Destination.objects),
)
