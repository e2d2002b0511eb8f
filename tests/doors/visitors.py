"""Somebody at the door: with a password, at an address, in a browser that is known or not."""

from datetime import timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.db.models import F
from django.test import Client

from server.models import User, WrongTry

PASSWORD = "odd tricks win games"


def somebody(name: str = "director") -> User:
    """A login with a password."""
    return User.objects.create_user(name, password=PASSWORD)


def come(client: Client, name: str = "director", password: str = PASSWORD, **extra: Any) -> Any:
    """Send the form of the door."""
    return client.post("/login/", {"username": name, "password": password}, **extra)


def is_in(client: Client) -> bool:
    """Whether a browser is signed in."""
    return client.get("/director/account/").status_code == 200


def time_passes(seconds: float) -> None:
    """Let wrong tries be so much older."""
    WrongTry.objects.update(at=F("at") - timedelta(seconds=seconds))


def with_an_app(user: User) -> str:
    """Give a login an authenticator app; return its secret."""
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    return secret


def codes(secret: str) -> list[str]:
    """The codes that an app shows half a minute ago, now and in half a minute."""
    steps = yield_hotp_counters_from_time()
    return [format_hotp_value(hotp_value(secret, step)) for step in steps]


def factors(user: User) -> list[str]:
    """The kinds of second factors that a login has."""
    found = Authenticator.objects.filter(user=user).order_by("type")
    return list(found.values_list("type", flat=True))
