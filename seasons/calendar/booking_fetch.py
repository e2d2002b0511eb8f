"""The fetch of a club's bookings file from the club's server, as a job of the worker."""

import json
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.whist import WhistError
from clubs import audit
from clubs.audit import Actor
from clubs.club_server import build_club_api_url, build_request_function, clean_token
from clubs.models import Club
from seasons.calendar.booking_file import import_booking_file
from seasons.calendar.models import BookingFetch
from server.jobs.kinds import JobKind, Lane, build_club_finder, build_column_describer
from server.jobs.outbox import enqueue
from server.logins.secret_encryption import WrongKey, decrypt_secret, encrypt_secret
from server.models import User

REQUEST_TIMEOUT_SECONDS = 30.0
MAX_PROBLEMS = 5
TASK_TIME_LIMIT_SECONDS = 120
"""The time limit of the fetch task.

The limit is longer than the timeout of the request, which does not include the DNS lookup.
"""


class BookingFetchFailed(WhistError):
    """The error for bookings that could not be fetched; the text is the reason."""

    code = "not_fetched"


def download_bookings(club_api_url: str, token: str) -> bytes:
    """Download a club's bookings file; `club_api_url` is the URL of the club's API.

    Raises WhistError with the reason for a failure.
    """
    response = build_request_function(
        club_api_url, token, timeout_seconds=REQUEST_TIMEOUT_SECONDS
    )("GET", "bookings/", None)
    if response.status != 200:
        raise BookingFetchFailed(response.refusal_message)
    return json.dumps(response.body_data).encode()


State = BookingFetch.State


@transaction.atomic
def queue_fetch(*, club: Club, server: str, token: str, by: Actor) -> BookingFetch:
    """Queue a fetch of a club's bookings; it replaces an earlier fetch that is still queued.

    The token is stored encrypted until the worker has used it. Raises InvalidDestination for
    an invalid address or token.
    """
    address, sealed_token = (
        build_club_api_url(server, club.slug),
        encrypt_secret(clean_token(token)),
    )
    # The lock makes the second request of a double click wait for the first one.
    Club.objects.select_for_update().get(pk=club.pk)
    booking_fetch, _is_new = BookingFetch.objects.update_or_create(
        club=club,
        defaults={
            "address": address,
            "sealed_token": sealed_token,
            "state": State.WAITING,
            "by": audit.format_author_key(by),
            "asked_at": timezone.now(),
            "counts": {},
            "skipped": [],
            "problems": [],
        },
    )
    enqueue(BOOKING_FETCH_JOB, booking_fetch.pk)
    return booking_fetch


def run_fetch(pk: int) -> None:
    """Run a queued fetch and import its bookings; do nothing if the fetch is already done."""
    booking_fetch = (
        BookingFetch.objects.select_related("club").filter(pk=pk, state=State.WAITING).first()
    )
    if booking_fetch is None:
        return
    try:
        document = download_bookings(
            booking_fetch.address, decrypt_secret(booking_fetch.sealed_token)
        )
        by = User.objects.filter(username=booking_fetch.by).first()
        import_result = import_booking_file(document=document, club=booking_fetch.club, by=by)
    except WrongKey:
        _store_outcome(
            booking_fetch,
            State.FAILED,
            problems=[_("The token can’t be read. Enter it again.")],
        )
    except WhistError as error:
        problem_texts = getattr(error, "problems", None) or [str(error)]
        _store_outcome(
            booking_fetch,
            State.FAILED,
            problems=[str(problem) for problem in problem_texts[:MAX_PROBLEMS]],
        )
    else:
        counts = {
            "new": import_result.new_count,
            "changed": import_result.changed_count,
            "gone": import_result.cancelled_booking_count,
        }
        _store_outcome(
            booking_fetch, State.DONE, counts=counts, skipped=list(import_result.skipped_names)
        )


def _store_outcome(
    booking_fetch: BookingFetch, new_state: str, **column_values: object
) -> None:
    """Store the outcome of a fetch, unless a newer fetch has been queued since then."""
    unchanged_fetch = BookingFetch.objects.filter(
        pk=booking_fetch.pk, sealed_token=booking_fetch.sealed_token
    )
    unchanged_fetch.update(state=new_state, sealed_token="", **column_values)


def _mark_fetch_failed(pk: int, error: str) -> None:
    fetches = BookingFetch.objects.filter(pk=pk, state=State.WAITING)
    fetches.update(state=State.FAILED, sealed_token="", problems=[error])


def _list_waiting_fetch_pks() -> Iterable[int]:
    return list(BookingFetch.objects.filter(state=State.WAITING).values_list("pk", flat=True))


BOOKING_FETCH_JOB = JobKind(
    "bookings_fetched",
    title=gettext_lazy("booking import from the club’s server"),
    lane=Lane.LATER,  # a slow server must not hold up papers and standings
    time_limit=TASK_TIME_LIMIT_SECONDS,
    run=run_fetch,
    find_missing_job_keys=_list_waiting_fetch_pks,
    on_failure=_mark_fetch_failed,
    describe_subject=build_column_describer(BookingFetch.objects, "club__name"),
    find_club=build_club_finder(BookingFetch.objects),
)
