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

LAST_TIME_STEP_KEY = "last_step"
"""Key in a factor's data: the time step of the last accepted code."""
ENCRYPTED_FIELD_NAMES = ("secret", "seed")
"""Keys in a factor's data with encrypted values: an app's secret, the recovery codes' seed."""
SECONDS_PER_DAY = 24 * 60 * 60
CODE_VALIDITY_SECONDS = 30
"""The seconds for which an authenticator app shows one code."""


def has_second_factor(user: User) -> bool:
    """Return whether a login has a second factor."""
    return bool(Authenticator.objects.filter(user=user).exists())


def has_passkey(user: User) -> bool:
    """Return whether a login has a passkey."""
    factor_type = Authenticator.Type.WEBAUTHN
    return bool(Authenticator.objects.filter(user=user, type=factor_type).exists())


def format_days_left(due_at: datetime) -> str:
    """Return a phrase with the number of days until a second factor is required."""
    days = ceil((due_at - timezone.now()).total_seconds() / SECONDS_PER_DAY)
    if days < 1:
        return _("It’s due now")
    message = ngettext("%(days)d day left", "%(days)d days left", days)
    return message % {"days": days}


@transaction.atomic
def accept_code(factor: Authenticator, code: str) -> bool:
    """Accept an authenticator code if it is valid and newer than the last accepted one.

    django-allauth rejects a used code for only 30 seconds, but a code is valid for 90 seconds.
    The row lock prevents that two simultaneous requests use the same code.
    """
    locked_factor = Authenticator.objects.select_for_update().get(pk=factor.pk)
    hotp = HOTP(b32decode(decrypt(locked_factor.data["secret"])), length=6, algorithm=SHA1())
    digits, current_step = re.sub(r"\W", "", code), int(time.time()) // CODE_VALIDITY_SECONDS
    for time_step in range(
        current_step - settings.MFA_TOTP_TOLERANCE,
        current_step + settings.MFA_TOTP_TOLERANCE + 1,
    ):
        is_match = constant_time_compare(digits, hotp.generate(time_step).decode())
        if is_match and time_step > locked_factor.data.get(LAST_TIME_STEP_KEY, -1):
            locked_factor.data[LAST_TIME_STEP_KEY] = time_step
            locked_factor.save(update_fields=["data"])
            return True
    return False


def delete_factors(user: User) -> int:
    """Delete every second factor of a login; return how many there were."""
    factors = Authenticator.objects.filter(user=user)
    factor_count: int = factors.count()
    factors.delete()
    return factor_count


@transaction.atomic
def reencrypt_secrets() -> int:
    """Encrypt every secret again after a change of the root key; return their number.

    A secret that no key decrypts is left unchanged: the operator must reset its owner's login.
    """
    secret_count = 0
    for factor in Authenticator.objects.select_for_update().exclude(data={}):
        for field_name in set(ENCRYPTED_FIELD_NAMES) & set(factor.data):
            try:
                factor.data[field_name] = encrypt_secret(
                    decrypt_secret(factor.data[field_name])
                )
            except WrongKey:
                continue
            secret_count += 1
            factor.save(update_fields=["data"])
    return secret_count
