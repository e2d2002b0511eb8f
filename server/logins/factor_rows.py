"""Second factors in the database: existence checks, one-time codes, and removal."""

import re
import time
from base64 import b32decode
from datetime import datetime
from math import ceil

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import decrypt
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.hotp import HOTP
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.logins.secret_encryption import WrongKey, decrypt_secret, encrypt_secret
from server.models import User

LAST_STEP_KEY = "last_step"
"""The key, in a factor's data, of the time step of the last accepted code."""
ENCRYPTED_KEYS = ("secret", "seed")
"""The encrypted keys in a factor's data: an app's secret, and the seed of recovery codes."""
DAY_SECONDS = 24 * 60 * 60
CODE_VALIDITY_SECONDS = 30
"""The seconds for which an authenticator app shows one code."""


def has_factor(user: User) -> bool:
    """Return whether a login has a second factor."""
    return bool(Authenticator.objects.filter(user=user).exists())


def has_passkey(user: User) -> bool:
    """Return whether a login has a passkey."""
    kind = Authenticator.Type.WEBAUTHN
    return bool(Authenticator.objects.filter(user=user, type=kind).exists())


def format_days_left(due: datetime) -> str:
    """Return a phrase with the number of days until a second factor is required."""
    days = ceil((due - timezone.now()).total_seconds() / DAY_SECONDS)
    if days < 1:
        return _("It's due now")
    message = ngettext("%(days)d day left", "%(days)d days left", days)
    return message % {"days": days}


@transaction.atomic
def accept_code(factor: Authenticator, code: str) -> bool:
    """Accept an authenticator code if it is valid and newer than the last accepted one.

    django-allauth rejects a used code for only 30 seconds, but a code is valid for 90. The row
    lock handles simultaneous requests with the same code.
    """
    row = Authenticator.objects.select_for_update().get(pk=factor.pk)
    codes = HOTP(b32decode(decrypt(row.data["secret"])), length=6, algorithm=SHA1())
    digits, now = re.sub(r"\W", "", code), int(time.time()) // CODE_VALIDITY_SECONDS
    for step in range(now - settings.MFA_TOTP_TOLERANCE, now + settings.MFA_TOTP_TOLERANCE + 1):
        is_code = constant_time_compare(digits, codes.generate(step).decode())
        if is_code and step > row.data.get(LAST_STEP_KEY, -1):
            row.data[LAST_STEP_KEY] = step
            row.save(update_fields=["data"])
            return True
    return False


def delete_factors(user: User) -> int:
    """Delete every second factor of a login; return how many there were."""
    factors = Authenticator.objects.filter(user=user)
    number: int = factors.count()
    factors.delete()
    return number


@transaction.atomic
def reencrypt_secrets() -> int:
    """Encrypt every secret again after a change of the root key; return their number.

    A secret that no key decrypts is left unchanged: the operator must reset its owner's login.
    """
    number = 0
    for row in Authenticator.objects.select_for_update().exclude(data={}):
        for name in set(ENCRYPTED_KEYS) & set(row.data):
            try:
                row.data[name] = encrypt_secret(decrypt_secret(row.data[name]))
            except WrongKey:
                continue
            number += 1
            row.save(update_fields=["data"])
    return number
