"""Throttling of wrong attempts, counted by device, name and address in the database.

A browser that has signed in under a name has a device cookie and a separate counter. Attempts
from elsewhere do not lock it out, and a hall behind one address does not lock out its people.
Source: OWASP, Slow Down Online Guessing Attacks with Device Cookies.
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
MAX_PER_NAME, NAME_WINDOW = 10, timedelta(hours=1)
"""Wrong tries for a name by all devices together that are not known; only these then wait."""
MAX_PER_ADDRESS, ADDRESS_WINDOW = 30, timedelta(hours=1)
"""Different names tried from one address."""
DELAY_PER_ATTEMPT = timedelta(seconds=0.5)
"""The additional delay for each earlier wrong attempt of unknown devices."""
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
        """The time to wait, rounded up to minutes."""
        return ceil(self.seconds / 60)


def count_attempt(request: HttpRequest, name: str) -> WrongTry:
    """Count an attempt before the password is compared; raise AttemptLimitReached at the limit.

    It counts as wrong until `accept_attempt` deletes it. Of several simultaneous attempts the
    later ones see the earlier ones: no more than the limit are ever compared.
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
    """Delete a successful attempt; for a known device, also delete its wrong ones."""
    found = WrongTry.objects.filter(pk=row.pk)
    if row.device:
        found |= WrongTry.objects.filter(device=row.device)
    found.delete()


def count_invalid_token(request: HttpRequest) -> None:
    """Count an invalid token; raise AttemptLimitReached after thirty from one address."""
    address, name = _hash_key(find_client_address(request)), _hash_key(TOKEN_ATTEMPT_NAME)
    since = timezone.now() - ADDRESS_WINDOW
    tries = WrongTry.objects.filter(name=name, address=address, at__gt=since)
    if tries.count() >= MAX_PER_ADDRESS:
        raise AttemptLimitReached(int(ADDRESS_WINDOW.total_seconds()))
    WrongTry.objects.create(at=timezone.now(), name=name, address=address)


def count_request(
    request: HttpRequest, what: str, *, of_an_address: int, of_all: int, within: timedelta
) -> None:
    """Count a public request; raise AttemptLimitReached if there are too many.

    There is a limit for one address, and one for all addresses together. These requests do not
    count as wrong attempts.
    """
    now = timezone.now()
    name, address = (
        _hash_key(f"use/{what}"),
        _hash_key(f"use/{what}/{find_client_address(request)}"),
    )
    rows = WrongTry.objects.filter(name=name, at__gt=now - within)
    mine = rows.filter(address=address).count() >= of_an_address
    if mine or rows.count() >= of_all:
        raise AttemptLimitReached(int(within.total_seconds()))
    WrongTry.objects.create(at=now, name=name, address=address)


def read_device(request: HttpRequest, name: str) -> str:
    """Return the known device of a request, or "" if it has not signed in under this name."""
    cookie = _build_cookie_name(name)
    try:
        nonce = request.get_signed_cookie(cookie, salt=COOKIE_SALT, max_age=DEVICE_COOKIE_AGE)
    except (KeyError, signing.BadSignature):
        return ""
    return _hash_key(f"{cookie}/{nonce}")


def remember_device(response: HttpResponse, name: str) -> None:
    """Set a new device cookie, which marks the browser as known for this login name."""
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
    """Delete attempts that are older than every time window."""
    WrongTry.objects.filter(at__lt=now - max(NAME_WINDOW, ADDRESS_WINDOW)).delete()


def _find_signed_in_device(request: HttpRequest, name: str) -> str:
    """Return the current session as known device if this login is signed in, else ""."""
    user = getattr(request, "user", None)
    is_own = user is not None and user.is_authenticated and user.get_username() == name
    return _hash_key(f"session/{request.session.session_key}") if is_own else ""


def _build_cookie_name(name: str) -> str:
    """Return the device cookie's name for a login name: two people may share a browser."""
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
    times = list(tries.values_list("at", flat=True)[:MAX_PER_NAME])
    if times and len(times) < MAX_PER_NAME:
        return (times[0] + DELAY_PER_ATTEMPT * len(times) - row.at).total_seconds()
    return _compute_wait(row, tries, MAX_PER_NAME, NAME_WINDOW)


def _compute_address_wait(row: WrongTry) -> float:
    tries = _list_earlier_attempts(row, ADDRESS_WINDOW).filter(device="", address=row.address)
    names = set(
        tries.exclude(name=_hash_key(TOKEN_ATTEMPT_NAME)).values_list("name", flat=True)
    )
    if row.name in names or len(names) < MAX_PER_ADDRESS:
        return 0.0
    return _compute_wait(row, tries, MAX_PER_ADDRESS, ADDRESS_WINDOW)


def _compute_wait(
    row: WrongTry, tries: QuerySet[WrongTry], limit: int, window: timedelta
) -> float:
    """Return the seconds until fewer than `limit` of these attempts are in the time window."""
    times = list(tries.values_list("at", flat=True)[:limit])
    return (times[-1] + window - row.at).total_seconds() if len(times) >= limit else 0.0
