"""Throttling of wrong attempts, counted by device, name and address in the database.

A browser that has signed in under a name has a device cookie and a separate counter. So
attempts from elsewhere do not lock it out, and a hall behind one address does not lock out its
people. [OWASP, Slow Down Online Guessing Attacks with Device Cookies]
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

from server.logins.client_info import client_address
from server.models import WrongTry

OF_A_DEVICE, DEVICE_WINDOW = 10, timedelta(minutes=15)
OF_A_NAME, NAME_WINDOW = 10, timedelta(hours=1)
"""Wrong tries for a name by all devices together that are not known; only these then wait."""
OF_AN_ADDRESS, ADDRESS_WINDOW = 30, timedelta(hours=1)
"""Different names tried from one address."""
DELAY_PER_ATTEMPT = timedelta(seconds=0.5)
"""Delay per earlier wrong attempt, for unknown devices."""
DEVICE_COOKIE_AGE = timedelta(days=365)
TOKEN = "a token of the API"
SALT = "server.logins.throttle"


class Wait(Exception):
    """Too many wrong attempts; nothing was compared."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    @property
    def minutes(self) -> int:
        """The wait in whole minutes."""
        return ceil(self.seconds / 60)


def count_attempt(request: HttpRequest, name: str) -> WrongTry:
    """Count an attempt before anything is compared; raise Wait if it is one too many.

    It counts as wrong until `right` removes it. Of attempts at the same moment the later see
    the earlier, so no more than the limit are ever compared.
    """
    row = WrongTry.objects.create(
        at=timezone.now(),
        name=_key(name.strip().casefold()),
        address=_key(client_address(request)),
        device=device_of(request, name) or _signed_in(request, name),
    )
    seconds = _of_device(row) if row.device else max(_of_name(row), _of_address(row))
    if seconds > 0:
        row.delete()
        raise Wait(ceil(seconds))
    return row


def accept_attempt(row: WrongTry) -> None:
    """Remove a right attempt from the count; a known device starts again from zero."""
    found = WrongTry.objects.filter(pk=row.pk)
    if row.device:
        found |= WrongTry.objects.filter(device=row.device)
    found.delete()


def count_invalid_token(request: HttpRequest) -> None:
    """Count an invalid token; raise Wait after thirty of them from one address."""
    address, name = _key(client_address(request)), _key(TOKEN)
    since = timezone.now() - ADDRESS_WINDOW
    tries = WrongTry.objects.filter(name=name, address=address, at__gt=since)
    if tries.count() >= OF_AN_ADDRESS:
        raise Wait(int(ADDRESS_WINDOW.total_seconds()))
    WrongTry.objects.create(at=timezone.now(), name=name, address=address)


def count_request(
    request: HttpRequest, what: str, *, of_an_address: int, of_all: int, within: timedelta
) -> None:
    """Count a request that is open to the public; raise Wait if it is one too many.

    There is a limit for one address and one for all together. These do not count as wrong
    attempts.
    """
    now = timezone.now()
    name, address = _key(f"use/{what}"), _key(f"use/{what}/{client_address(request)}")
    rows = WrongTry.objects.filter(name=name, at__gt=now - within)
    mine = rows.filter(address=address).count() >= of_an_address
    if mine or rows.count() >= of_all:
        raise Wait(int(within.total_seconds()))
    WrongTry.objects.create(at=now, name=name, address=address)


def device_of(request: HttpRequest, name: str) -> str:
    """Return the known device of a request, if it has signed in under this name."""
    cookie = _cookie_name(name)
    try:
        nonce = request.get_signed_cookie(cookie, salt=SALT, max_age=DEVICE_COOKIE_AGE)
    except (KeyError, signing.BadSignature):
        return ""
    return _key(f"{cookie}/{nonce}")


def remember_device(response: HttpResponse, name: str) -> None:
    """Mark a browser as known; it gets a new mark each time."""
    response.set_signed_cookie(
        _cookie_name(name),
        secrets.token_hex(16),
        salt=SALT,
        max_age=int(DEVICE_COOKIE_AGE.total_seconds()),
        secure=settings.ON_A_SERVER,
        httponly=True,
        samesite="Lax",
    )


def delete_expired_attempts(now: datetime) -> None:
    """Delete attempts that no longer count."""
    WrongTry.objects.filter(at__lt=now - max(NAME_WINDOW, ADDRESS_WINDOW)).delete()


def _signed_in(request: HttpRequest, name: str) -> str:
    """Return the browser in which this login is signed in: it is known by that."""
    user = getattr(request, "user", None)
    is_own = user is not None and user.is_authenticated and user.get_username() == name
    return _key(f"session/{request.session.session_key}") if is_own else ""


def _cookie_name(name: str) -> str:
    """Return the cookie's name, one for each login name: two people may share a browser."""
    prefix = "__Host-" if settings.ON_A_SERVER else ""
    return f"{prefix}known-{_key(name.strip().casefold())[:12]}"


def _key(text: str) -> str:
    return salted_hmac(SALT, text, algorithm="sha256").hexdigest()


def _before(row: WrongTry, window: timedelta) -> QuerySet[WrongTry]:
    return WrongTry.objects.filter(pk__lt=row.pk, at__gt=row.at - window).order_by("-pk")


def _of_device(row: WrongTry) -> float:
    tries = _before(row, DEVICE_WINDOW).filter(device=row.device, name=row.name)
    return _until_one_is_free(row, tries, OF_A_DEVICE, DEVICE_WINDOW)


def _of_name(row: WrongTry) -> float:
    tries = _before(row, NAME_WINDOW).filter(device="", name=row.name)
    times = list(tries.values_list("at", flat=True)[:OF_A_NAME])
    if times and len(times) < OF_A_NAME:
        return (times[0] + DELAY_PER_ATTEMPT * len(times) - row.at).total_seconds()
    return _until_one_is_free(row, tries, OF_A_NAME, NAME_WINDOW)


def _of_address(row: WrongTry) -> float:
    tries = _before(row, ADDRESS_WINDOW).filter(device="", address=row.address)
    names = set(tries.exclude(name=_key(TOKEN)).values_list("name", flat=True))
    if row.name in names or len(names) < OF_AN_ADDRESS:
        return 0.0
    return _until_one_is_free(row, tries, OF_AN_ADDRESS, ADDRESS_WINDOW)


def _until_one_is_free(
    row: WrongTry, tries: QuerySet[WrongTry], most: int, window: timedelta
) -> float:
    """Return the seconds until fewer than `most` of these attempts count."""
    times = list(tries.values_list("at", flat=True)[:most])
    return (times[-1] + window - row.at).total_seconds() if len(times) >= most else 0.0
