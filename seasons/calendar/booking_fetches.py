"""Fetching bookings from a club's server: ordered on a page, done by a worker."""

import json
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.whist import WhistError
from clubs import audit
from clubs.audit import Actor
from clubs.club_server import check_token, club_address, make_requester
from clubs.models import Club
from seasons.calendar.booking_file import bring_bookings
from seasons.calendar.models import BookingFetch
from server.jobs.kinds import Kind, Lane, name_of, owner_of
from server.jobs.outbox import enqueue
from server.logins.sealing import WrongKey, seal, unseal
from server.models import User

DEADLINE_SECONDS = 30.0


class NotFetched(WhistError):
    """The bookings could not be fetched; the text is the server's reason."""

    code = "not_fetched"


def fetch_document(address: str, token: str) -> bytes:
    """Fetch a club's bookings as a document; `address` is that of the club's API.

    Raises WhistError with the reason.
    """
    answer = make_requester(address, token, seconds=DEADLINE_SECONDS)("GET", "bookings/", None)
    if answer.status != 200:
        raise NotFetched(answer.words)
    return json.dumps(answer.told).encode()


State = BookingFetch.State
MAX_PROBLEMS = 5
LIMIT_SECONDS = 120
"""More than the deadline of the request, because the name is resolved before it begins."""


@transaction.atomic
def order_fetch(*, club: Club, server: str, token: str, by: Actor) -> BookingFetch:
    """Order a fetch of a club's bookings; a later order replaces one that still waits.

    The token is sealed and kept only until it is used. Raises DestinationRefused for an address
    or a token that cannot be used.
    """
    address, sealed = club_address(server, club.slug), seal(check_token(token))
    Club.objects.select_for_update().get(pk=club.pk)  # a double click races here
    row, _is_new = BookingFetch.objects.update_or_create(
        club=club,
        defaults={
            "address": address,
            "sealed_token": sealed,
            "state": State.WANTED,
            "by": audit.name_of(by),
            "asked_at": timezone.now(),
            "counts": {},
            "skipped": [],
            "problems": [],
        },
    )
    enqueue(BOOKINGS, row.pk)
    return row


def fetch(pk: int) -> None:
    """Fetch what was ordered and import it; nothing for an order that is done."""
    row = BookingFetch.objects.select_related("club").filter(pk=pk, state=State.WANTED).first()
    if row is None:
        return
    try:
        document = fetch_document(row.address, unseal(row.sealed_token))
        by = User.objects.filter(username=row.by).first()
        told = bring_bookings(document=document, club=row.club, by=by)
    except WrongKey:
        _finish(row, State.FAILED, problems=[_("The token can't be read. Enter it again.")])
    except WhistError as refused:
        problems = getattr(refused, "problems", None) or [str(refused)]
        _finish(row, State.FAILED, problems=[str(each) for each in problems[:MAX_PROBLEMS]])
    else:
        counts = {"new": told.new, "changed": told.changed, "gone": told.gone}
        _finish(row, State.DONE, counts=counts, skipped=list(told.skipped))


def _finish(row: BookingFetch, state: str, **values: object) -> None:
    """Store the outcome, unless a newer order has replaced this one."""
    same = BookingFetch.objects.filter(pk=row.pk, sealed_token=row.sealed_token)
    same.update(state=state, sealed_token="", **values)


def _give_up(pk: int, error: str) -> None:
    rows = BookingFetch.objects.filter(pk=pk, state=State.WANTED)
    rows.update(state=State.FAILED, sealed_token="", problems=[error])


def _unfinished() -> Iterable[int]:
    return list(BookingFetch.objects.filter(state=State.WANTED).values_list("pk", flat=True))


BOOKINGS = Kind(
    "bookings_fetched",
    title=gettext_lazy("bookings to be fetched from the club's server"),
    lane=Lane.LATER,  # a slow server must not hold up papers and standings
    time_limit=LIMIT_SECONDS,
    run=fetch,
    find_missing=_unfinished,
    on_failure=_give_up,
    describe=name_of(BookingFetch.objects, "club__name"),
    club_of=owner_of(BookingFetch.objects),
)
