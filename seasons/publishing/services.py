"""Services for publishing results as documents: upload, receipt, and cached export tables."""

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
from clubs.club_server import build_club_api_url, clean_token
from clubs.file_fields import UnusableFile
from clubs.models import Club
from exchange.results.event_results import load_results
from exchange.results.tables import TableFile, build_table_files
from scoring.models import Ranking
from scoring.standings_engine import standings
from seasons.publishing.documents.values import (
    PublishedSeason,
    compute_digest,
    read_published_document,
)
from seasons.publishing.errors import ConflictingDocument, DocumentRefused, OutdatedDocument
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

TABLE_COLUMNS_VERSION = 1
"""The version of the tables' columns; increment it to invalidate all cached tables."""
MAX_EVENTS_PER_QUERY = 40
"""The maximum number of events that one query loads, which limits memory use."""


@transaction.atomic
def set_destination(
    *, club: Club, address: str, token: str, is_automatic: bool, by: Actor
) -> Destination:
    """Set the server to which results are uploaded; an empty token keeps the stored one.

    Raises InvalidDestination for an invalid address or token.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    destination = Destination.objects.filter(club=club).first() or Destination(club=club)
    destination.address = build_club_api_url(address, club.slug)
    destination.is_automatic = is_automatic
    if token.strip():
        destination.sealed_token = encrypt_secret(clean_token(token))
    destination.trouble, destination.tries, destination.next_at = "", 0, None
    destination.save()
    new_values = {"address": destination.address, "automatic": is_automatic}
    audit.record(by, "results.destination", subject=club, after=new_values)
    return destination


@transaction.atomic
def delete_destination(*, club: Club, by: Actor) -> None:
    """Delete a club's destination with its token; documents on the server remain there."""
    destination = Destination.objects.filter(club=club).first()
    if destination is not None:
        destination.delete()
        old_values = {"address": destination.address}
        audit.record(by, "results.destination", subject=club, before=old_values, after={})


@transaction.atomic
def queue_upload(*, club: Club, by: Actor) -> None:
    """Queue the upload of all documents that are missing on the club's server."""
    destination = Destination.objects.select_for_update().filter(club=club).first()
    if destination is None:
        return
    Destination.objects.filter(pk=destination.pk).update(next_at=timezone.now(), tries=0)
    audit.record(by, "results.sent", subject=club, after={"address": destination.address})
    enqueue(UPLOAD_JOB, destination.pk)


@transaction.atomic
def requeue_document(*, club: Club, uid: UUID, by: Actor) -> None:
    """Queue another upload of a document that was withdrawn, refused or in conflict.

    In a conflict, another computer has uploaded the same document. This computer's version then
    replaces the other version on the server.
    """
    publications = Publication.objects.select_for_update().filter(club=club, uid=uid)
    for publication in publications.exclude(
        state__in=[Publication.State.SENT, Publication.State.WAITING]
    ):
        is_conflict = publication.state == Publication.State.CONFLICT
        publication.state = (
            Publication.State.OVERRIDING if is_conflict else Publication.State.WAITING
        )
        publication.error = ""
        publication.save(update_fields=["state", "error"])
        audit.record(by, "results.sent", subject=club, after={"name": publication.name})
    _queue_upload_job(club)


@transaction.atomic
def queue_withdrawal(*, club: Club, uid: UUID, by: Actor) -> None:
    """Queue the withdrawal of a document from the server; later uploads do not include it."""
    publications = Publication.objects.select_for_update().filter(club=club, uid=uid)
    publication = publications.exclude(state=Publication.State.WITHDRAWN).first()
    if publication is None or publication.state == Publication.State.WITHDRAWING:
        return
    publication.state = Publication.State.WITHDRAWING
    publication.save(update_fields=["state"])
    audit.record(by, "results.withdrawn", subject=club, after={"name": publication.name})
    _queue_upload_job(club)


def _queue_upload_job(club: Club) -> None:
    for destination_pk in Destination.objects.filter(club=club).values_list("pk", flat=True):
        enqueue(UPLOAD_JOB, destination_pk)


@dataclass(frozen=True, slots=True)
class SentDocument:
    """An uploaded document with its uid, version and digest, and why this version was made."""

    uid: UUID
    version: int
    digest: str
    document: Mapping[str, Any]
    reason: str = ""


@transaction.atomic
def receive_document(
    *, club: Club, sent_document: SentDocument, by: Actor
) -> tuple[Received, bool]:
    """Store a received document; return its row, and whether the document is new.

    Raises UnusableFile with every problem of the document. Raises OutdatedDocument or
    ConflictingDocument if a conflicting version is stored, and DocumentRefused if this server
    runs the evening itself.
    """
    published_document = read_published_document(sent_document.document)
    _check_document(sent_document)
    # This lock makes a second upload of the same document wait for the first one.
    club = Club.objects.select_for_update().get(pk=club.pk)
    document_kind = str(sent_document.document["kind"])
    day = (
        published_document.last_day
        if isinstance(published_document, PublishedSeason)
        else published_document.day
    )
    _check_not_hosted_by_this_server(club, sent_document.uid)
    received_document = Received.objects.filter(club=club, uid=sent_document.uid).first()
    if (
        received_document is not None
        and received_document.digest == sent_document.digest
        and received_document.withdrawn_at is None
    ):
        return received_document, False
    if received_document is not None:
        _check_document_not_outdated(received_document, sent_document)
    now = timezone.now()
    received_document = received_document or Received(
        club=club, uid=sent_document.uid, kind=document_kind
    )
    received_document.slug = received_document.slug or _create_free_slug(
        club, document_kind, published_document.slug
    )
    (
        received_document.kind,
        received_document.name,
        received_document.day,
        received_document.version,
    ) = (
        document_kind,
        published_document.name,
        day,
        sent_document.version,
    )
    received_document.digest, received_document.document = (
        sent_document.digest,
        dict(sent_document.document),
    )
    received_document.received_at, received_document.withdrawn_at = now, None
    received_document.save()
    ReceivedVersion.objects.create(
        received=received_document,
        number=sent_document.version,
        reason=sent_document.reason[:200],
        at=now,
    )
    new_values = {"name": received_document.name, "version": received_document.version}
    audit.record(by, "results.received", subject=club, after=new_values)
    return received_document, True


@transaction.atomic
def withdraw_received_document(*, club: Club, uid: UUID, version: int, by: Actor) -> bool:
    """Withdraw a received document and delete its content; a later version may be sent.

    Returns whether there was a document to withdraw. Raises OutdatedDocument if the stored
    version is newer than `version`.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    received_document = Received.objects.filter(club=club, uid=uid).first()
    if received_document is None or received_document.withdrawn_at is not None:
        return False
    if received_document.version > version:
        raise OutdatedDocument(
            _describe_newer_version(received_document), received_document.version
        )
    received_document.withdrawn_at, received_document.document, received_document.digest = (
        timezone.now(),
        {},
        "",
    )
    received_document.save(update_fields=["withdrawn_at", "document", "digest"])
    old_values = {"name": received_document.name, "version": received_document.version}
    audit.record(by, "results.withdrawn", subject=club, after=old_values)
    return True


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """The uid, version and digest of a document on the sending computer."""

    uid: UUID
    version: int
    digest: str


def list_missing_documents(
    club: Club, client_documents: Sequence[DocumentVersion]
) -> tuple[list[UUID], dict[UUID, int]]:
    """Return the uids of listed documents that this server lacks or has with other content.

    The second value is the stored version of each document that this server has, by uid.
    """
    received_documents = Received.objects.filter(
        club=club, uid__in=[client_document.uid for client_document in client_documents]
    )
    stored_documents = list(received_documents.defer("document"))
    digests_by_uid = {
        received_document.uid: received_document.digest
        for received_document in stored_documents
        if received_document.withdrawn_at is None
    }
    missing_uids = [
        client_document.uid
        for client_document in client_documents
        if digests_by_uid.get(client_document.uid) != client_document.digest
    ]
    return missing_uids, {
        received_document.uid: received_document.version
        for received_document in stored_documents
    }


def _check_document(sent_document: SentDocument) -> None:
    faults = []
    if str(sent_document.document.get("uid")) != str(sent_document.uid):
        faults.append(_("uid: this document isn’t the one in the URL."))
    if compute_digest(sent_document.document) != sent_document.digest:
        faults.append(_("digest: the document has changed. Send it again."))
    if faults:
        raise UnusableFile(faults)


def _check_not_hosted_by_this_server(club: Club, uid: UUID) -> None:
    """Raise DocumentRefused if this server runs the evening and shows it itself."""
    managers = (club.events, club.seasons, club.drives, club.rubber_nights)
    if any(manager.filter(uid=uid).exists() for manager in managers):
        raise DocumentRefused(_("This server runs the event itself and already shows it."))


def _check_document_not_outdated(
    received_document: Received, sent_document: SentDocument
) -> None:
    if sent_document.version < received_document.version:
        raise OutdatedDocument(
            _describe_newer_version(received_document), received_document.version
        )
    if sent_document.version == received_document.version:
        message = _(
            "Two computers have sent this event. This server has version "
            "%(version)s. Choose the right one and send it as version "
            "%(next)s."
        )
        message %= {"version": received_document.version, "next": received_document.version + 1}
        raise ConflictingDocument(message, received_document.version)


def _describe_newer_version(received_document: Received) -> str:
    return _("This server has a newer version: version %(version)s.") % {
        "version": received_document.version
    }


def _create_free_slug(club: Club, document_kind: str, preferred_slug: str) -> str:
    """Return a slug that no other document of the club has."""
    used_slugs = Received.objects.filter(club=club, kind=document_kind).values_list(
        "slug", flat=True
    )
    slug, suffix_number = preferred_slug, 1
    while slug in set(used_slugs):
        suffix_number += 1
        slug = f"{preferred_slug[:70]}-{suffix_number}"
    return slug


TableFiles = Mapping[str, TableFile]


def iter_event_tables(
    events: Sequence[Event], *, has_full_names: bool
) -> Iterator[tuple[Event, TableFiles]]:
    """Yield each event with its export tables; missing tables are built and cached."""
    for start in range(0, len(events), MAX_EVENTS_PER_QUERY):
        batch = events[start : start + MAX_EVENTS_PER_QUERY]
        stamp_by_event = compute_table_stamps(batch, has_full_names=has_full_names)
        current_tables = EventTables.objects.filter(
            event__in=batch, stamp__in=stamp_by_event.values()
        )
        compressed_files_by_event = dict(current_tables.values_list("event", "body"))
        for event in batch:
            compressed_files = compressed_files_by_event.get(event.pk)
            if compressed_files is None:
                yield event, _create_table_files(event, has_full_names=has_full_names)
            else:
                yield event, _read_tables(bytes(compressed_files))


def cache_tables(event: Event) -> None:
    """Cache an event's export tables with full names, unless they are cached already."""
    stamp = compute_table_stamps([event], has_full_names=True)[event.pk]
    if not EventTables.objects.filter(event=event, stamp=stamp).exists():
        _create_table_files(event, has_full_names=True)


def compute_table_stamps(events: Sequence[Event], *, has_full_names: bool) -> dict[int, str]:
    """Return a dict from event key to a hash of the data from which the tables are built.

    With `has_full_names`, this data has the full names of players, otherwise their public
    names. If all names are public, both hashes are equal. The number of queries is fixed.
    """
    event_pks = [event.pk for event in events]
    versions_by_audit_key = read_versions(event.audit_key for event in events)
    ranking_version_by_event = dict(
        Ranking.objects.filter(event__in=event_pks).values_list("event", "version")
    )
    names_by_event, states_by_event = (
        _load_player_names(event_pks, has_full_names=has_full_names),
        _load_session_states(event_pks),
    )
    stamp_by_event = {}
    for event in events:
        stamp_parts = [
            *(TABLE_COLUMNS_VERSION, VERSION, get_language(), str(event.uid), event.name),
            *(versions_by_audit_key[event.audit_key], ranking_version_by_event.get(event.pk)),
            *(names_by_event[event.pk], states_by_event[event.pk]),
        ]
        stamp_by_event[event.pk] = sha256(json.dumps(stamp_parts).encode()).hexdigest()
    return stamp_by_event


def _load_player_names(
    event_pks: Sequence[int], *, has_full_names: bool
) -> dict[int, list[object]]:
    names_by_entry: dict[int, list[tuple[str, str]]] = defaultdict(list)
    entry_players = EntryPlayer.objects.filter(entry__event__in=event_pks).select_related(
        "player"
    )
    for entry_player in entry_players.order_by("entry", "pk"):
        shown_name = entry_player.player.shown_name
        names_by_entry[entry_player.entry_id].append(
            (entry_player.player.name if has_full_names else shown_name, shown_name)
        )
    names_by_event: dict[int, list[object]] = defaultdict(list)
    entries = Entry.objects.filter(event__in=event_pks).order_by("event", "number")
    for event_pk, entry_pk, entry_number, entry_name in entries.values_list(
        "event", "pk", "number", "name"
    ):
        names_by_event[event_pk].append((entry_number, entry_name, names_by_entry[entry_pk]))
    return names_by_event


def _load_session_states(event_pks: Sequence[int]) -> dict[int, list[object]]:
    """Return a dict from event key to the session data that affects the export tables.

    Each value is a list with a tuple for each session: number, state, results revision, whether
    its cards are secret, and the keys of its boards. Cards are secret until all sessions that
    play them are closed.
    """
    states_by_event: dict[int, list[object]] = defaultdict(list)
    session_rows = Session.objects.filter(event__in=event_pks).order_by("event", "number")
    columns = ("event", "number", "state", "revision", "board_set")
    sessions = list(session_rows.values_list(*columns))
    board_set_pks = {
        board_set_pk for *_rest, board_set_pk in sessions if board_set_pk is not None
    }
    unfinished_sessions = Session.objects.filter(board_set__in=board_set_pks).exclude(
        state=Session.State.CLOSED
    )
    secret_board_set_pks = set(unfinished_sessions.values_list("board_set", flat=True))
    # A correction by another event with the same boards only changes the keys of the boards.
    board_pks_by_set: dict[int | None, list[int]] = defaultdict(list)
    current_boards = Board.objects.current().filter(board_set__in=board_set_pks).order_by("pk")
    for board_set_pk, board_pk in current_boards.values_list("board_set", "pk"):
        board_pks_by_set[board_set_pk].append(board_pk)
    for event_pk, session_number, session_state, revision, board_set_pk in sessions:
        are_cards_secret = board_set_pk in secret_board_set_pks
        states_by_event[event_pk].append(
            (
                session_number,
                session_state,
                revision,
                are_cards_secret,
                board_pks_by_set[board_set_pk],
            )
        )
    return states_by_event


def _create_table_files(event: Event, *, has_full_names: bool) -> TableFiles:
    # The stamp is computed before the results are loaded, so it is never newer than them.
    standings.update_standings(event)
    stamp = compute_table_stamps([event], has_full_names=has_full_names)[event.pk]
    table_file_by_name = build_table_files(load_results(event, has_full_names=has_full_names))
    tables_json = json.dumps(
        {
            table_name: [table_file.column_keys, table_file.csv.decode()]
            for table_name, table_file in table_file_by_name.items()
        }
    )
    other_stamp = compute_table_stamps([event], has_full_names=not has_full_names)[event.pk]
    with transaction.atomic():
        EventTables.objects.filter(event=event).exclude(stamp__in=(stamp, other_stamp)).delete()
        EventTables.objects.update_or_create(
            event=event, stamp=stamp, defaults={"body": zlib.compress(tables_json.encode())}
        )
    return table_file_by_name


def _read_tables(compressed_files: bytes) -> TableFiles:
    stored_tables = json.loads(zlib.decompress(compressed_files))
    return {
        table_name: TableFile(tuple(columns), csv_text.encode())
        for table_name, (columns, csv_text) in stored_tables.items()
    }
