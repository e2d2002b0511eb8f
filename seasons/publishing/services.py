"""Services for sent documents, received documents, and cached tables."""

import json
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from boards.models import Board
from clubs import audit
from clubs.audit import Actor
from clubs.club_server import check_token, complete_club_address
from clubs.file_fields import UnusableFile
from clubs.models import Club
from exchange.results.event_results import load_results
from exchange.results.tables import TableFile, build_table_files
from scoring.models import Ranking
from scoring.standings_engine import standings
from seasons.publishing.documents.values import PublishedSeason, compute_digest, read_published
from seasons.publishing.errors import DocumentRefused, OlderDocument, TwoComputers
from seasons.publishing.models import (
    Destination,
    EventTables,
    Publication,
    Received,
    ReceivedVersion,
)
from seasons.publishing.sending import UPLOAD_JOB
from server.jobs.outbox import enqueue
from server.logins.secret_encryption import encrypt_secret
from server.public_versions import read_versions
from server.version import VERSION
from tournaments.models import Entry, EntryPlayer, Event, Session

COLUMNS_VERSION = 1
"""The version of the tables' columns; increment it to invalidate all cached tables."""
MAX_EVENTS_PER_QUERY = 40
"""The maximum number of events that one query loads, which limits memory use."""


@transaction.atomic
def set_destination(
    *, club: Club, address: str, token: str, is_automatic: bool, by: Actor
) -> Destination:
    """Set the server to which a club's results are uploaded; an empty token keeps the stored
    one.

    Raises DestinationRefused for an invalid address or token.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    row = Destination.objects.filter(club=club).first() or Destination(club=club)
    row.address = complete_club_address(address, club.slug)
    row.is_automatic = is_automatic
    if token.strip():
        row.sealed_token = encrypt_secret(check_token(token))
    row.trouble, row.tries, row.next_at = "", 0, None
    row.save()
    data = {"address": row.address, "automatic": is_automatic}
    audit.record(by, "results.destination", subject=club, after=data)
    return row


@transaction.atomic
def delete_destination(*, club: Club, by: Actor) -> None:
    """Delete a club's destination with its token; documents on the server remain there."""
    row = Destination.objects.filter(club=club).first()
    if row is not None:
        row.delete()
        before = {"address": row.address}
        audit.record(by, "results.destination", subject=club, before=before, after={})


@transaction.atomic
def queue_upload(*, club: Club, by: Actor) -> None:
    """Queue the upload of all documents that are missing on the club's server."""
    row = Destination.objects.select_for_update().filter(club=club).first()
    if row is None:
        return
    Destination.objects.filter(pk=row.pk).update(next_at=timezone.now(), tries=0)
    audit.record(by, "results.sent", subject=club, after={"address": row.address})
    enqueue(UPLOAD_JOB, row.pk)


@transaction.atomic
def queue_document_again(*, club: Club, uid: UUID, by: Actor) -> None:
    """Queue a document again that was withdrawn, refused, or also sent by another computer.

    In the last case, this computer's document replaces that of the other computer.
    """
    rows = Publication.objects.select_for_update().filter(club=club, uid=uid)
    for row in rows.exclude(state__in=[Publication.State.SENT, Publication.State.WAITS]):
        is_ours = row.state == Publication.State.TWICE
        row.state = Publication.State.OURS if is_ours else Publication.State.WAITS
        row.error = ""
        row.save(update_fields=["state", "error"])
        audit.record(by, "results.sent", subject=club, after={"name": row.name})
    _queue_upload_job(club)


@transaction.atomic
def queue_withdrawal(*, club: Club, uid: UUID, by: Actor) -> None:
    """Queue the withdrawal of a document from the server; later uploads leave it out."""
    rows = Publication.objects.select_for_update().filter(club=club, uid=uid)
    row = rows.exclude(state=Publication.State.WITHDRAWN).first()
    if row is None or row.state == Publication.State.GOING:
        return
    row.state = Publication.State.GOING
    row.save(update_fields=["state"])
    audit.record(by, "results.withdrawn", subject=club, after={"name": row.name})
    _queue_upload_job(club)


def _queue_upload_job(club: Club) -> None:
    for pk in Destination.objects.filter(club=club).values_list("pk", flat=True):
        enqueue(UPLOAD_JOB, pk)


@dataclass(frozen=True, slots=True)
class SentDocument:
    """A document in a request: its uid, version, digest, and the reason for the version."""

    uid: UUID
    version: int
    digest: str
    document: Mapping[str, Any]
    reason: str = ""


@transaction.atomic
def receive_document(*, club: Club, sent: SentDocument, by: Actor) -> tuple[Received, bool]:
    """Store a received document; return its row, and whether the document is new.

    Raises UnusableFile with every problem of the document. Raises OlderDocument or
    TwoComputers if a conflicting version is stored, and DocumentRefused if this server runs
    the evening itself.
    """
    published = read_published(sent.document)
    _check(sent)
    club = Club.objects.select_for_update().get(pk=club.pk)  # two uploads race here
    kind = str(sent.document["kind"])
    day = published.last_day if isinstance(published, PublishedSeason) else published.day
    _check_not_run_here(club, sent.uid)
    row = Received.objects.filter(club=club, uid=sent.uid).first()
    if row is not None and row.digest == sent.digest and row.withdrawn_at is None:
        return row, False
    if row is not None:
        _refuse_older(row, sent)
    now = timezone.now()
    row = row or Received(club=club, uid=sent.uid, kind=kind)
    row.slug = row.slug or _create_free_slug(club, kind, published.slug)
    row.kind, row.name, row.day, row.version = kind, published.name, day, sent.version
    row.digest, row.document = sent.digest, dict(sent.document)
    row.received_at, row.withdrawn_at = now, None
    row.save()
    ReceivedVersion.objects.create(
        received=row, number=sent.version, reason=sent.reason[:200], at=now
    )
    document = {"name": row.name, "version": row.version}
    audit.record(by, "results.received", subject=club, after=document)
    return row, True


@transaction.atomic
def withdraw_received(*, club: Club, uid: UUID, version: int, by: Actor) -> bool:
    """Withdraw a received document and delete its content; a later version may be sent.

    Returns whether there was a document to withdraw. Raises OlderDocument if the stored
    version is newer than `version`.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    row = Received.objects.filter(club=club, uid=uid).first()
    if row is None or row.withdrawn_at is not None:
        return False
    if row.version > version:
        raise OlderDocument(_describe_newer_version(row), row.version)
    row.withdrawn_at, row.document, row.digest = timezone.now(), {}, ""
    row.save(update_fields=["withdrawn_at", "document", "digest"])
    document = {"name": row.name, "version": row.version}
    audit.record(by, "results.withdrawn", subject=club, after=document)
    return True


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """The uid, version and digest of a document on the sending computer."""

    uid: UUID
    version: int
    digest: str


def list_missing_documents(
    club: Club, known_documents: Sequence[DocumentVersion]
) -> tuple[list[UUID], dict[UUID, int]]:
    """Return the uids of listed documents that this server lacks or has with other content.

    The second value is the stored version of each document that this server has, by uid.
    """
    rows = Received.objects.filter(
        club=club, uid__in=[known_document.uid for known_document in known_documents]
    )
    stored_rows = list(rows.defer("document"))
    digests_by_uid = {row.uid: row.digest for row in stored_rows if row.withdrawn_at is None}
    missing_uids = [
        known_document.uid
        for known_document in known_documents
        if digests_by_uid.get(known_document.uid) != known_document.digest
    ]
    return missing_uids, {row.uid: row.version for row in stored_rows}


def _check(sent: SentDocument) -> None:
    faults = []
    if str(sent.document.get("uid")) != str(sent.uid):
        faults.append(_("uid: this document isn't the one in the URL."))
    if compute_digest(sent.document) != sent.digest:
        faults.append(_("digest: the document has changed. Send it again."))
    if faults:
        raise UnusableFile(faults)


def _check_not_run_here(club: Club, uid: UUID) -> None:
    """Raise DocumentRefused if this server runs the evening and shows it itself."""
    own_managers = (club.events, club.seasons, club.drives, club.rubber_nights)
    if any(rows.filter(uid=uid).exists() for rows in own_managers):
        raise DocumentRefused(_("This server runs the event itself and already shows it."))


def _refuse_older(row: Received, sent: SentDocument) -> None:
    if sent.version < row.version:
        raise OlderDocument(_describe_newer_version(row), row.version)
    if sent.version == row.version:
        words = _(
            "Two computers have sent this event. This server has version "
            "%(version)s. Choose the right one and send it as version "
            "%(next)s."
        )
        words %= {"version": row.version, "next": row.version + 1}
        raise TwoComputers(words, row.version)


def _describe_newer_version(row: Received) -> str:
    return _("This server has a newer version: version %(version)s.") % {"version": row.version}


def _create_free_slug(club: Club, kind: str, preferred_slug: str) -> str:
    """Return a slug that no other document of the club has."""
    used_slugs = Received.objects.filter(club=club, kind=kind).values_list("slug", flat=True)
    slug, number = preferred_slug, 1
    while slug in set(used_slugs):
        number += 1
        slug = f"{preferred_slug[:70]}-{number}"
    return slug


Files = Mapping[str, TableFile]


def iter_event_tables(
    events: Sequence[Event], *, in_full: bool
) -> Iterator[tuple[Event, Files]]:
    """Yield each event with its export tables; missing tables are built and cached."""
    for first in range(0, len(events), MAX_EVENTS_PER_QUERY):
        batch = events[first : first + MAX_EVENTS_PER_QUERY]
        stamps = compute_stamps(batch, in_full=in_full)
        current_tables = EventTables.objects.filter(event__in=batch, stamp__in=stamps.values())
        bodies_by_event = dict(current_tables.values_list("event", "body"))
        for event in batch:
            body = bodies_by_event.get(event.pk)
            if body is None:
                yield event, _build_tables(event, in_full=in_full)
            else:
                yield event, _read_tables(bytes(body))


def cache_tables(event: Event) -> None:
    """Cache an event's export tables with full names, unless they are cached already."""
    stamp = compute_stamps([event], in_full=True)[event.pk]
    if not EventTables.objects.filter(event=event, stamp=stamp).exists():
        _build_tables(event, in_full=True)


def compute_stamps(events: Sequence[Event], *, in_full: bool) -> dict[int, str]:
    """Return a stamp for each event that changes whenever its tables' sources change.

    The number of queries is fixed. If no name is hidden, the stamps for full names and for
    public names are equal.
    """
    keys = [event.pk for event in events]
    at = read_versions(event.audit_key for event in events)
    versions = dict(Ranking.objects.filter(event__in=keys).values_list("event", "version"))
    names, session_states = (
        _load_player_names(keys, in_full=in_full),
        _load_session_states(keys),
    )
    stamps = {}
    for event in events:
        stamp_parts = [
            *(COLUMNS_VERSION, VERSION, get_language(), str(event.uid), event.name),
            *(at[event.audit_key], versions.get(event.pk)),
            *(names[event.pk], session_states[event.pk]),
        ]
        stamps[event.pk] = sha256(json.dumps(stamp_parts).encode()).hexdigest()
    return stamps


def _load_player_names(events: Sequence[int], *, in_full: bool) -> dict[int, list[object]]:
    people: dict[int, list[tuple[str, str]]] = defaultdict(list)
    members = EntryPlayer.objects.filter(entry__event__in=events).select_related("player")
    for member in members.order_by("entry", "pk"):
        shown_name = member.player.shown_name
        people[member.entry_id].append(
            (member.player.name if in_full else shown_name, shown_name)
        )
    names_by_event: dict[int, list[object]] = defaultdict(list)
    entries = Entry.objects.filter(event__in=events).order_by("event", "number")
    for event, pk, number, name in entries.values_list("event", "pk", "number", "name"):
        names_by_event[event].append((number, name, people[pk]))
    return names_by_event


def _load_session_states(events: Sequence[int]) -> dict[int, list[object]]:
    """Return the state of each event's sessions on which the export tables depend.

    For each session it has the number, state, results revision, whether its cards are secret,
    and its boards. Cards are secret until all sessions that play them are closed.
    """
    states_by_event: dict[int, list[object]] = defaultdict(list)
    rows = Session.objects.filter(event__in=events).order_by("event", "number")
    columns = ("event", "number", "state", "revision", "board_set")
    sessions = list(rows.values_list(*columns))
    sets = {board_set for *_rest, board_set in sessions if board_set is not None}
    awaited = Session.objects.filter(board_set__in=sets).exclude(state=Session.State.CLOSED)
    secret_board_sets = set(awaited.values_list("board_set", flat=True))
    deals: dict[int | None, list[int]] = defaultdict(
        list
    )  # another event may have corrected one
    current = Board.objects.current().filter(board_set__in=sets).order_by("pk")
    for board_set, pk in current.values_list("board_set", "pk"):
        deals[board_set].append(pk)
    for event, number, state, revision, board_set in sessions:
        is_awaited = board_set in secret_board_sets
        states_by_event[event].append((number, state, revision, is_awaited, deals[board_set]))
    return states_by_event


def _build_tables(event: Event, *, in_full: bool) -> Files:
    standings.update_standings(
        event
    )  # first: data read after a stamp is at least as new as the stamp
    stamp = compute_stamps([event], in_full=in_full)[event.pk]
    table_files = build_table_files(load_results(event, in_full=in_full))
    text = json.dumps(
        {
            name: [table_file.keys, table_file.csv.decode()]
            for name, table_file in table_files.items()
        }
    )
    other = compute_stamps([event], in_full=not in_full)[event.pk]
    with transaction.atomic():
        EventTables.objects.filter(event=event).exclude(stamp__in=(stamp, other)).delete()
        EventTables.objects.update_or_create(
            event=event, stamp=stamp, defaults={"body": zlib.compress(text.encode())}
        )
    return table_files


def _read_tables(body: bytes) -> Files:
    stored_tables = json.loads(zlib.decompress(body))
    return {
        name: TableFile(tuple(keys), text.encode())
        for name, (keys, text) in stored_tables.items()
    }
