"""Throttles wrong attempts, counted in the database by device, name and address.

A browser that has signed in under a name has a device cookie and a counter of its own. Attempts
from other devices do not lock it out, and people in a hall share an address without locking
each other out. Source: OWASP, Slow Down Online Guessing Attacks with Device Cookies.
"""

import secrets
from datetime import datetime, timedelta
from math import ceil

from django.conf import settings
from django.core import signing
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from server.logins.client_info import find_client_address
from server.models import WrongTry

MAX_PER_DEVICE, DEVICE_WINDOW = 10, timedelta(minutes=15)
MAX_TRIES_PER_NAME, NAME_WINDOW = 10, timedelta(hours=1)
"""The maximum wrong tries for a name in a time window by all unknown devices together."""
MAX_NAMES_PER_ADDRESS, ADDRESS_WINDOW = 30, timedelta(hours=1)
"""The maximum number of different names tried from one address in a time window."""
DELAY_PER_ATTEMPT = timedelta(seconds=0.5)
"""The delay that each wrong attempt adds to the next attempt of an unknown device."""
DEVICE_COOKIE_AGE = timedelta(days=365)
TOKEN_ATTEMPT_NAME = "a token of the API"
COOKIE_SALT = "server.logins.throttle"


class AttemptLimitReached(Exception):
    """There were too many wrong attempts; no password was compared."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    @property
    def minutes(self) -> int:
        """The waiting time in minutes, rounded up."""
        return ceil(self.seconds / 60)


def count_attempt(request: HttpRequest, name: str) -> WrongTry:
    """Count an attempt before the password is compared; raise AttemptLimitReached at the limit.

    It counts as wrong until `accept_attempt` deletes it. Because it is stored first,
    simultaneous attempts cannot exceed the limit.
    """
    row = WrongTry.objects.create(
        at=timezone.now(),
        name=_hash_key(name.strip().casefold()),
        address=_hash_key(find_client_address(request)),
        device=read_device(request, name) or _find_signed_in_device(request, name),
    )
    seconds = (
        _compute_device_wait(row)
        if row.device
        else max(_compute_name_wait(row), _compute_address_wait(row))
    )
    if seconds > 0:
        row.delete()
        raise AttemptLimitReached(ceil(seconds))
    return row


def accept_attempt(row: WrongTry) -> None:
    """Delete a successful attempt, and earlier wrong ones of a known device."""
    attempts = WrongTry.objects.filter(pk=row.pk)
    if row.device:
        attempts |= WrongTry.objects.filter(device=row.device)
    attempts.delete()


def count_invalid_token(request: HttpRequest) -> None:
    """Count an invalid token; raise AttemptLimitReached after 30 from one address."""
    address, name = _hash_key(find_client_address(request)), _hash_key(TOKEN_ATTEMPT_NAME)
    window_start = timezone.now() - ADDRESS_WINDOW
    tries = WrongTry.objects.filter(name=name, address=address, at__gt=window_start)
    if tries.count() >= MAX_NAMES_PER_ADDRESS:
        raise AttemptLimitReached(int(ADDRESS_WINDOW.total_seconds()))
    WrongTry.objects.create(at=timezone.now(), name=name, address=address)


def count_request(
    request: HttpRequest,
    purpose: str,
    *,
    max_per_address: int,
    max_in_total: int,
    window: timedelta,
) -> None:
    """Count a public request; raise AttemptLimitReached if there are too many.

    `max_per_address` limits the requests of one address, `max_in_total` those of all. They do
    not count as wrong attempts.
    """
    now = timezone.now()
    name, address = (
        _hash_key(f"use/{purpose}"),
        _hash_key(f"use/{purpose}/{find_client_address(request)}"),
    )
    rows = WrongTry.objects.filter(name=name, at__gt=now - window)
    is_address_over_limit = rows.filter(address=address).count() >= max_per_address
    if is_address_over_limit or rows.count() >= max_in_total:
        raise AttemptLimitReached(int(window.total_seconds()))
    WrongTry.objects.create(at=now, name=name, address=address)


def read_device(request: HttpRequest, name: str) -> str:
    """Return the id of a known device, or "" if it has not signed in under this name."""
    cookie = _build_cookie_name(name)
    try:
        nonce = request.get_signed_cookie(cookie, salt=COOKIE_SALT, max_age=DEVICE_COOKIE_AGE)
    except (KeyError, signing.BadSignature):
        return ""
    return _hash_key(f"{cookie}/{nonce}")


def remember_device(response: HttpResponse, name: str) -> None:
    """Set a device cookie, which marks the browser as known for this login name."""
    response.set_signed_cookie(
        _build_cookie_name(name),
        secrets.token_hex(16),
        salt=COOKIE_SALT,
        max_age=int(DEVICE_COOKIE_AGE.total_seconds()),
        secure=settings.ON_A_SERVER,
        httponly=True,
        samesite="Lax",
    )


def delete_expired_attempts(now: datetime) -> None:
    """Delete attempts that are too old to count."""
    WrongTry.objects.filter(at__lt=now - max(NAME_WINDOW, ADDRESS_WINDOW)).delete()


def _find_signed_in_device(request: HttpRequest, name: str) -> str:
    """Return the key of the current session as a known device.

    It is "" if the session is not signed in with this login name.
    """
    user = getattr(request, "user", None)
    is_own = user is not None and user.is_authenticated and user.get_username() == name
    return _hash_key(f"session/{request.session.session_key}") if is_own else ""


def _build_cookie_name(name: str) -> str:
    """Return the name of the device cookie.

    Each login name has its own cookie, because people may share a browser.
    """
    prefix = "__Host-" if settings.ON_A_SERVER else ""
    return f"{prefix}known-{_hash_key(name.strip().casefold())[:12]}"


def _hash_key(text: str) -> str:
    return salted_hmac(COOKIE_SALT, text, algorithm="sha256").hexdigest()


def _list_earlier_attempts(row: WrongTry, window: timedelta) -> QuerySet[WrongTry]:
    return WrongTry.objects.filter(pk__lt=row.pk, at__gt=row.at - window).order_by("-pk")


def _compute_device_wait(row: WrongTry) -> float:
    tries = _list_earlier_attempts(row, DEVICE_WINDOW).filter(device=row.device, name=row.name)
    return _compute_wait(row, tries, MAX_PER_DEVICE, DEVICE_WINDOW)


def _compute_name_wait(row: WrongTry) -> float:
    tries = _list_earlier_attempts(row, NAME_WINDOW).filter(device="", name=row.name)
    times = list(tries.values_list("at", flat=True)[:MAX_TRIES_PER_NAME])
    if times and len(times) < MAX_TRIES_PER_NAME:
        return (times[0] + DELAY_PER_ATTEMPT * len(times) - row.at).total_seconds()
    return _compute_wait(row, tries, MAX_TRIES_PER_NAME, NAME_WINDOW)


def _compute_address_wait(row: WrongTry) -> float:
    tries = _list_earlier_attempts(row, ADDRESS_WINDOW).filter(device="", address=row.address)
    names = set(
        tries.exclude(name=_hash_key(TOKEN_ATTEMPT_NAME)).values_list("name", flat=True)
    )
    if row.name in names or len(names) < MAX_NAMES_PER_ADDRESS:
        return 0.0
    return _compute_wait(row, tries, MAX_NAMES_PER_ADDRESS, ADDRESS_WINDOW)


def _compute_wait(
    row: WrongTry, tries: QuerySet[WrongTry], limit: int, window: timedelta
) -> float:
    """Return the seconds until fewer than `limit` of these attempts are in the time window."""
    times = list(tries.values_list("at", flat=True)[:limit])
    return (times[-1] + window - row.at).total_seconds() if len(times) >= limit else 0.0
