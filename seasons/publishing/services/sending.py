"""Where a club's results are sent, what is sent at all, and what is withdrawn."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clubs import audit
from clubs.audit import Actor
from clubs.club_server import check_token, club_address
from clubs.models import Club
from seasons.publishing.models import Destination, Publication
from seasons.publishing.sending import SEND
from server.jobs.outbox import enqueue
from server.logins.sealing import seal


@transaction.atomic
def set_destination(
    *, club: Club, address: str, token: str, is_automatic: bool, by: Actor
) -> Destination:
    """Store where results are sent; an empty token keeps the stored one.

    Raises DestinationRefused for an address or a token that cannot be used.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)
    row = Destination.objects.filter(club=club).first() or Destination(club=club)
    row.address = club_address(address, club.slug)
    row.is_automatic = is_automatic
    if token.strip():
        row.sealed_token = seal(check_token(token))
    row.trouble, row.tries, row.next_at = "", 0, None
    row.save()
    told = {"address": row.address, "automatic": is_automatic}
    audit.record(by, "results.destination", subject=club, after=told)
    return row


@transaction.atomic
def forget_destination(*, club: Club, by: Actor) -> None:
    """Send nothing any more, and keep no token; what was sent stays there."""
    row = Destination.objects.filter(club=club).first()
    if row is not None:
        row.delete()
        before = {"address": row.address}
        audit.record(by, "results.destination", subject=club, before=before, after={})


@transaction.atomic
def send_results(*, club: Club, by: Actor) -> None:
    """Have everything sent that the club's server has not."""
    row = Destination.objects.select_for_update().filter(club=club).first()
    if row is None:
        return
    Destination.objects.filter(pk=row.pk).update(next_at=timezone.now(), tries=0)
    audit.record(by, "results.sent", subject=club, after={"address": row.address})
    enqueue(SEND, row.pk)


@transaction.atomic
def send_again(*, club: Club, uid: UUID, by: Actor) -> None:
    """Send a document that was withdrawn, refused, or is held by another computer too.

    Of two computers that hold an evening, this one's is then taken as right.
    """
    rows = Publication.objects.select_for_update().filter(club=club, uid=uid)
    for row in rows.exclude(state__in=[Publication.State.SENT, Publication.State.WAITS]):
        is_ours = row.state == Publication.State.TWICE
        row.state = Publication.State.OURS if is_ours else Publication.State.WAITS
        row.error = ""
        row.save(update_fields=["state", "error"])
        audit.record(by, "results.sent", subject=club, after={"name": row.name})
    _want(club)


@transaction.atomic
def withdraw_results(*, club: Club, uid: UUID, by: Actor) -> None:
    """Have the server show a document no more, and do not send it again."""
    rows = Publication.objects.select_for_update().filter(club=club, uid=uid)
    row = rows.exclude(state=Publication.State.WITHDRAWN).first()
    if row is None or row.state == Publication.State.GOING:
        return
    row.state = Publication.State.GOING
    row.save(update_fields=["state"])
    audit.record(by, "results.withdrawn", subject=club, after={"name": row.name})
    _want(club)


def _want(club: Club) -> None:
    for pk in Destination.objects.filter(club=club).values_list("pk", flat=True):
        enqueue(SEND, pk)
