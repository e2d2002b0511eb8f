"""Helpers to sign in: with a password, from an address, in a known or new browser."""

import secrets
import time
from base64 import b32decode, b32encode
from datetime import timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import encrypt
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.db.models import F
from django.test import Client

from server.models import User, WrongTry

PASSWORD = "odd tricks win games"


def create_login(name: str = "director") -> User:
    """Create a login with a password."""
    return User.objects.create_user(name, password=PASSWORD)


def sign_in(
    client: Client, name: str = "director", password: str = PASSWORD, **extra: Any
) -> Any:
    """Submit the sign-in form."""
    return client.post("/login/", {"username": name, "password": password}, **extra)


def is_signed_in(client: Client) -> bool:
    """Return whether a browser is signed in."""
    return client.get("/director/account/").status_code == 200


def backdate_failed_attempts(seconds: float) -> None:
    """Make the failed attempts this much older."""
    WrongTry.objects.update(at=F("at") - timedelta(seconds=seconds))


def add_authenticator(user: User) -> str:
    """Give a login an authenticator app; return its secret."""
    secret = b32encode(secrets.token_bytes(20)).decode()
    kind = Authenticator.Type.TOTP
    Authenticator.objects.create(user=user, type=kind, data={"secret": encrypt(secret)})
    return secret


def list_app_codes(secret: str) -> list[str]:
    """Return the codes that an app shows 30 seconds earlier, now and 30 seconds later."""
    totp, now = TOTP(b32decode(secret), 6, SHA1(), 30), int(time.time())
    return [totp.generate(now + seconds).decode() for seconds in (-30, 0, 30)]


def list_factor_kinds(user: User) -> list[str]:
    """Return the kinds of second factors that a login has."""
    authenticators = Authenticator.objects.filter(user=user).order_by("type")
    return list(authenticators.values_list("type", flat=True))
