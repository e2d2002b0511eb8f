"""Second factors as rows: who has one, a code that counts once, and taking all away."""

from datetime import datetime
from math import ceil

from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.mfa.utils import decrypt
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.logins.sealing import WrongKey, seal, unseal
from server.models import User

LAST = "last_step"
"""Where a factor keeps the step of time whose code was used last."""
SEALED = ("secret", "seed")
"""What of a factor lies sealed: the secret of an app, the seed of recovery codes."""
DAY = 24 * 60 * 60


def has_factor(user: User) -> bool:
    """Whether a login has a second factor."""
    return bool(Authenticator.objects.filter(user=user).exists())


def has_passkey(user: User) -> bool:
    """Whether one of them is a passkey."""
    kind = Authenticator.Type.WEBAUTHN
    return bool(Authenticator.objects.filter(user=user, type=kind).exists())


def days_left(due: datetime) -> str:
    """Say how many days there are until a factor is asked for."""
    days = ceil((due - timezone.now()).total_seconds() / DAY)
    if days < 1:
        return _("It is due")
    words = ngettext("%(days)d day is left", "%(days)d days are left", days)
    return words % {"days": days}


@transaction.atomic
def use_code(factor: Authenticator, code: str) -> bool:
    """Take an authenticator's code if it is right and newer than any that was taken.

    The lock is for two who send the same code at the same moment.
    """
    row = Authenticator.objects.select_for_update().get(pk=factor.pk)
    secret = decrypt(row.data["secret"])
    for step in yield_hotp_counters_from_time():
        is_code = compare_user_code(
            actual=code, expected=format_hotp_value(hotp_value(secret, step))
        )
        if is_code and step > row.data.get(LAST, -1):
            row.data[LAST] = step
            row.save(update_fields=["data"])
            return True
    return False


def take_all(user: User) -> int:
    """Take every second factor of a login away; return how many there were."""
    found = Authenticator.objects.filter(user=user)
    number: int = found.count()
    found.delete()
    return number


@transaction.atomic
def seal_anew() -> int:
    """Seal every secret with the first key, after the key was changed; return how many.

    A secret that no key opens any more stays as it is: its owner is let in at the machine.
    """
    number = 0
    for row in Authenticator.objects.select_for_update().exclude(data={}):
        for name in set(SEALED) & set(row.data):
            try:
                row.data[name] = seal(unseal(row.data[name]))
            except WrongKey:
                continue
            number += 1
            row.save(update_fields=["data"])
    return number
