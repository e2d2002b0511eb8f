"""Throttling of wrong attempts, counted in the database by device, name and address.

A browser that has signed in under a name gets a device cookie and its own counter, so attempts
from other devices do not lock it out. People in a hall with one address do not lock each other
out either. Source: OWASP, Slow Down Online Guessing Attacks with Device Cookies.
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

from server import cookie_names
from server.logins.client_info import find_client_address
from server.models import WrongTry

MAX_ATTEMPTS_PER_DEVICE, DEVICE_WINDOW = 10, timedelta(minutes=15)
"""The maximum number of wrong attempts from one known device in a time window."""
MAX_ATTEMPTS_PER_NAME, NAME_WINDOW = 10, timedelta(hours=1)
"""The maximum number of wrong attempts for a name from all unknown devices in a time window."""
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

    The attempt counts as wrong until `accept_attempt` deletes it. Because it is stored first,
    simultaneous attempts cannot exceed the limit.
    """
    attempt = WrongTry.objects.create(
        at=timezone.now(),
        name=_hash_text(name.strip().casefold()),
        address=_hash_text(find_client_address(request)),
        device=read_device_id(request, name) or _find_signed_in_device(request, name),
    )
    delay_seconds = (
        _compute_wait_seconds_for_device(attempt)
        if attempt.device
        else max(
            _compute_wait_seconds_for_name(attempt), _compute_wait_seconds_for_address(attempt)
        )
    )
    if delay_seconds > 0:
        attempt.delete()
        raise AttemptLimitReached(ceil(delay_seconds))
    return attempt


def accept_attempt(attempt: WrongTry) -> None:
    """Delete a successful attempt, and all earlier attempts from the same known device."""
    attempts = WrongTry.objects.filter(pk=attempt.pk)
    if attempt.device:
        attempts |= WrongTry.objects.filter(device=attempt.device)
    attempts.delete()


def count_invalid_token(request: HttpRequest) -> None:
    """Count an invalid token; raise AttemptLimitReached after 30 from one address."""
    address_hash, name_hash = (
        _hash_text(find_client_address(request)),
        _hash_text(TOKEN_ATTEMPT_NAME),
    )
    window_start = timezone.now() - ADDRESS_WINDOW
    earlier_attempts = WrongTry.objects.filter(
        name=name_hash, address=address_hash, at__gt=window_start
    )
    if earlier_attempts.count() >= MAX_NAMES_PER_ADDRESS:
        raise AttemptLimitReached(int(ADDRESS_WINDOW.total_seconds()))
    WrongTry.objects.create(at=timezone.now(), name=name_hash, address=address_hash)


def count_request(
    request: HttpRequest,
    purpose: str,
    *,
    max_per_address: int,
    max_total_requests: int,
    window: timedelta,
) -> None:
    """Count a public request; raise AttemptLimitReached if there are too many.

    `max_per_address` limits the requests from one address, and `max_total_requests` those from
    all addresses. Requests do not count as wrong attempts.
    """
    now = timezone.now()
    name_hash, address_hash = (
        _hash_text(f"use/{purpose}"),
        _hash_text(f"use/{purpose}/{find_client_address(request)}"),
    )
    earlier_requests = WrongTry.objects.filter(name=name_hash, at__gt=now - window)
    is_address_over_limit = (
        earlier_requests.filter(address=address_hash).count() >= max_per_address
    )
    if is_address_over_limit or earlier_requests.count() >= max_total_requests:
        raise AttemptLimitReached(int(window.total_seconds()))
    WrongTry.objects.create(at=now, name=name_hash, address=address_hash)


def read_device_id(request: HttpRequest, name: str) -> str:
    """Return the id of a known device, or "" if it has not signed in under this name."""
    cookie_name = _build_cookie_name(name)
    try:
        nonce = request.get_signed_cookie(
            cookie_name, salt=COOKIE_SALT, max_age=DEVICE_COOKIE_AGE
        )
    except (KeyError, signing.BadSignature):
        return ""
    return _hash_text(f"{cookie_name}/{nonce}")


def remember_device(response: HttpResponse, name: str) -> None:
    """Set a device cookie, which marks the browser as known for this login name."""
    response.set_signed_cookie(
        _build_cookie_name(name),
        secrets.token_hex(16),
        salt=COOKIE_SALT,
        max_age=int(DEVICE_COOKIE_AGE.total_seconds()),
        secure=settings.IS_SERVER_DEPLOYMENT,
        httponly=True,
        samesite="Lax",
    )


def delete_expired_attempts(now: datetime) -> None:
    """Delete attempts that are too old to count."""
    WrongTry.objects.filter(at__lt=now - max(NAME_WINDOW, ADDRESS_WINDOW)).delete()


def _find_signed_in_device(request: HttpRequest, name: str) -> str:
    """Return the id of the current session, which then counts as a known device.

    The id is "" if the session is not signed in with this login name.
    """
    user = getattr(request, "user", None)
    is_own_login = user is not None and user.is_authenticated and user.get_username() == name
    return _hash_text(f"session/{request.session.session_key}") if is_own_login else ""


def _build_cookie_name(name: str) -> str:
    """Return the name of the device cookie.

    Each login name has its own cookie, because people may share a browser.
    """
    return cookie_names.build_cookie_name(f"known-{_hash_text(name.strip().casefold())[:12]}")


def _hash_text(key_text: str) -> str:
    return salted_hmac(COOKIE_SALT, key_text, algorithm="sha256").hexdigest()


def _list_earlier_attempts(attempt: WrongTry, window: timedelta) -> QuerySet[WrongTry]:
    return WrongTry.objects.filter(pk__lt=attempt.pk, at__gt=attempt.at - window).order_by(
        "-pk"
    )


def _compute_wait_seconds_for_device(attempt: WrongTry) -> float:
    earlier_attempts = _list_earlier_attempts(attempt, DEVICE_WINDOW).filter(
        device=attempt.device, name=attempt.name
    )
    return _compute_wait_seconds(
        attempt, earlier_attempts, MAX_ATTEMPTS_PER_DEVICE, DEVICE_WINDOW
    )


def _compute_wait_seconds_for_name(attempt: WrongTry) -> float:
    earlier_attempts = _list_earlier_attempts(attempt, NAME_WINDOW).filter(
        device="", name=attempt.name
    )
    attempt_times = list(earlier_attempts.values_list("at", flat=True)[:MAX_ATTEMPTS_PER_NAME])
    if attempt_times and len(attempt_times) < MAX_ATTEMPTS_PER_NAME:
        return (
            attempt_times[0] + DELAY_PER_ATTEMPT * len(attempt_times) - attempt.at
        ).total_seconds()
    return _compute_wait_seconds(attempt, earlier_attempts, MAX_ATTEMPTS_PER_NAME, NAME_WINDOW)


def _compute_wait_seconds_for_address(attempt: WrongTry) -> float:
    earlier_attempts = _list_earlier_attempts(attempt, ADDRESS_WINDOW).filter(
        device="", address=attempt.address
    )
    tried_names = set(
        earlier_attempts.exclude(name=_hash_text(TOKEN_ATTEMPT_NAME)).values_list(
            "name", flat=True
        )
    )
    if attempt.name in tried_names or len(tried_names) < MAX_NAMES_PER_ADDRESS:
        return 0.0
    return _compute_wait_seconds(
        attempt, earlier_attempts, MAX_NAMES_PER_ADDRESS, ADDRESS_WINDOW
    )


def _compute_wait_seconds(
    attempt: WrongTry,
    earlier_attempts: QuerySet[WrongTry],
    max_attempts: int,
    window: timedelta,
) -> float:
    """Return the seconds until fewer than `max_attempts` attempts are in the time window."""
    attempt_times = list(earlier_attempts.values_list("at", flat=True)[:max_attempts])
    return (
        (attempt_times[-1] + window - attempt.at).total_seconds()
        if len(attempt_times) >= max_attempts
        else 0.0
    )
