"""Documents that a club sends here: taken whole or not at all, each version once.

A document is known by its lasting name; its digest says whether it is the same. What comes
twice changes nothing, so whoever lost the answer sends again. Of an earlier version nothing is
kept but its moment and its reason, so that a name hidden later is nowhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor
from clubs.file_fields import UnusableFile
from clubs.models import Club
from seasons.publishing.documents.values import PublishedSeason, digest_of, read_published
from seasons.publishing.errors import DocumentRefused, OlderDocument, TwoComputers
from seasons.publishing.models import Received, ReceivedVersion


@dataclass(frozen=True, slots=True)
class Sent:
    """A document as it was sent: its name, its version, its digest, and why it follows."""

    uid: UUID
    version: int
    digest: str
    document: Mapping[str, Any]
    reason: str = ""


@transaction.atomic
def receive(*, club: Club, sent: Sent, by: Actor) -> tuple[Received, bool]:
    """Take a document, and say whether it is anything new.

    Raises UnusableFile with every fault of it, OlderDocument or TwoComputers where another
    version of it is here, DocumentRefused where this server holds the evening itself.
    """
    read = read_published(sent.document)
    _check(sent)
    club = Club.objects.select_for_update().get(pk=club.pk)  # two that send race here
    kind = str(sent.document["kind"])
    day = read.last_day if isinstance(read, PublishedSeason) else read.day
    _refuse_own(club, sent.uid)
    row = Received.objects.filter(club=club, uid=sent.uid).first()
    if row is not None and row.digest == sent.digest and row.withdrawn_at is None:
        return row, False
    if row is not None:
        _refuse_older(row, sent)
    now = timezone.now()
    row = row or Received(club=club, uid=sent.uid, kind=kind)
    row.slug = row.slug or _slug(club, kind, read.slug)
    row.kind, row.name, row.day, row.version = kind, read.name, day, sent.version
    row.digest, row.document = sent.digest, dict(sent.document)
    row.received_at, row.withdrawn_at = now, None
    row.save()
    ReceivedVersion.objects.create(
        received=row, number=sent.version, reason=sent.reason[:200], at=now
    )
    told = {"name": row.name, "version": row.version}
    audit.record(by, "results.received", subject=club, after=told)
    return row, True


@transaction.atomic
def withdraw_received(*, club: Club, uid: UUID, version: int, by: Actor) -> bool:
    """Show a document no more; its content goes, and what comes later may be newer again.

    Says whether there was anything to withdraw. Raises OlderDocument where a version is here
    that whoever asks does not know of.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    row = Received.objects.filter(club=club, uid=uid).first()
    if row is None or row.withdrawn_at is not None:
        return False
    if row.version > version:
        raise OlderDocument(_newer(row), row.version)
    row.withdrawn_at, row.document, row.digest = timezone.now(), {}, ""
    row.save(update_fields=["withdrawn_at", "document", "digest"])
    told = {"name": row.name, "version": row.version}
    audit.record(by, "results.withdrawn", subject=club, after=told)
    return True


@dataclass(frozen=True, slots=True)
class Known:
    """What a sender says it has: the name, version and digest of a document."""

    uid: UUID
    version: int
    digest: str


def missing(club: Club, known: Sequence[Known]) -> tuple[list[UUID], dict[UUID, int]]:
    """Name the documents of a list that are not here as they are there.

    Beside them which versions of the list's documents are here.
    """
    rows = Received.objects.filter(club=club, uid__in=[each.uid for each in known])
    found = list(rows.defer("document"))
    here = {row.uid: row.digest for row in found if row.withdrawn_at is None}
    lacking = [each.uid for each in known if here.get(each.uid) != each.digest]
    return lacking, {row.uid: row.version for row in found}


def _check(sent: Sent) -> None:
    faults = []
    if str(sent.document.get("uid")) != str(sent.uid):
        faults.append(_("uid: this is another document than the address says."))
    if digest_of(sent.document) != sent.digest:
        faults.append(_("digest: the document is not the one that was sent; send it again."))
    if faults:
        raise UnusableFile(faults)


def _refuse_own(club: Club, uid: UUID) -> None:
    """An evening that is run on this very server is shown by itself."""
    own = (club.events, club.seasons, club.drives, club.rubber_nights)
    if any(rows.filter(uid=uid).exists() for rows in own):
        raise DocumentRefused(_("This server holds the evening itself, and shows it already."))


def _refuse_older(row: Received, sent: Sent) -> None:
    if sent.version < row.version:
        raise OlderDocument(_newer(row), row.version)
    if sent.version == row.version:
        words = _(
            "Another document of version %(version)s is here: two computers hold this evening. "
            "Choose the one that is right, and send it as version %(next)s."
        )
        words %= {"version": row.version, "next": row.version + 1}
        raise TwoComputers(words, row.version)


def _newer(row: Received) -> str:
    return _("A newer version is here: version %(version)s.") % {"version": row.version}


def _slug(club: Club, kind: str, wanted: str) -> str:
    """An address that no other document of the club has."""
    taken = Received.objects.filter(club=club, kind=kind).values_list("slug", flat=True)
    slug, number = wanted, 1
    while slug in set(taken):
        number += 1
        slug = f"{wanted[:70]}-{number}"
    return slug
