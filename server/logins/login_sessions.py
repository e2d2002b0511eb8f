"""Record, list, expire and end the sessions of logins."""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from server.logins import mails
from server.logins.client_info import describe_device, find_client_address, shorten_address
from server.logins.event_log import LoginEventKind, log_login_event
from server.models import ApiToken, SignIn, User

IDLE_TIMEOUT = timedelta(hours=12)
"""The idle timeout of a session on a server."""
MAX_SESSION_AGE = timedelta(days=30)
"""The maximum lifetime of a session, and the idle timeout on the user's own computer."""
USE_RECORDING_INTERVAL = timedelta(minutes=5)
SIGNED_IN_AT_KEY, LAST_USED_AT_KEY, OWN_COMPUTER_KEY = "since", "seen", "own_computer"
"""Session keys: the times of the sign-in and the last use, and whether the computer is
the user's own.
"""


def record_session(
    request: HttpRequest, user: User, *, is_own_computer: bool, is_known_device: bool
) -> None:
    """Log a new session, and send a notice if the device is unknown.

    On a server, the session is also recorded in the list of sessions.
    """
    now = timezone.now()
    login_note = log_login_event(
        LoginEventKind.SIGNED_IN if is_known_device else LoginEventKind.NEW_DEVICE,
        user=user,
        request=request,
    )
    if not is_known_device:
        mails.enqueue_login_notice(login_note)
    if not settings.IS_SERVER_DEPLOYMENT:
        return
    request.session[SIGNED_IN_AT_KEY] = request.session[LAST_USED_AT_KEY] = now.timestamp()
    request.session[OWN_COMPUTER_KEY] = is_own_computer
    if request.session.session_key is None:
        request.session.create()
    _record_session_row(request, user, now)


def _record_session_row(request: HttpRequest, user: User, signed_in_at: datetime) -> None:
    SignIn.objects.update_or_create(
        session_key=request.session.session_key,
        defaults={
            "user": user,
            "at": signed_in_at,
            "seen_at": timezone.now(),
            "device": describe_device(request)[:60],
            "address": shorten_address(find_client_address(request)),
        },
    )


def has_session_expired(request: HttpRequest) -> bool:
    """Return whether a session has expired.

    For a valid session, the time of the last use is updated at most every five minutes.
    """
    now = timezone.now()
    started_at = _read_time(request, SIGNED_IN_AT_KEY) or now
    last_used_at = _read_time(request, LAST_USED_AT_KEY)
    idle_timeout = MAX_SESSION_AGE if request.session.get(OWN_COMPUTER_KEY) else IDLE_TIMEOUT
    if now - started_at > MAX_SESSION_AGE or (
        last_used_at is not None and now - last_used_at > idle_timeout
    ):
        return True
    if last_used_at is None or now - last_used_at > USE_RECORDING_INTERVAL:
        request.session.setdefault(SIGNED_IN_AT_KEY, now.timestamp())
        request.session[LAST_USED_AT_KEY] = now.timestamp()
        SignIn.objects.filter(session_key=request.session.session_key).update(seen_at=now)
    return False


def list_login_sessions(user: User) -> QuerySet[SignIn]:
    """Return the sessions of a login, the last used one first."""
    oldest_start = timezone.now() - MAX_SESSION_AGE
    return SignIn.objects.filter(user=user, at__gt=oldest_start).order_by("-seen_at")


def end_session(user: User, pk: int) -> SignIn | None:
    """End one session of a login; return its deleted row, or None if there is no such one."""
    sign_in = SignIn.objects.filter(user=user, pk=pk).first()
    if sign_in is not None:
        SessionStore(sign_in.session_key).delete()
        sign_in.delete()
    return sign_in


@transaction.atomic
def end_other_sessions(
    user: User, *, kept_request: HttpRequest | None = None, should_revoke_tokens: bool = True
) -> None:
    """End all sessions of a user except that of `kept_request`.

    With `should_revoke_tokens`, the user's API tokens are deleted too. The function increments
    the user's `lock_number`, on which the hash in every session depends. The kept session gets
    a new key and the new hash.
    """
    User.objects.filter(pk=user.pk).update(lock_number=F("lock_number") + 1)
    user.refresh_from_db(fields=["lock_number"])
    if should_revoke_tokens:
        ApiToken.objects.filter(user=user).delete()
    kept_session_key = kept_request.session.session_key if kept_request is not None else None
    SignIn.objects.filter(user=user).exclude(session_key=kept_session_key).delete()
    if kept_request is not None:
        update_session_auth_hash(kept_request, user)
        SignIn.objects.filter(session_key=kept_session_key).update(
            session_key=kept_request.session.session_key
        )


def keep_current_session(request: HttpRequest, user: User) -> None:
    """Keep the current session valid after the login's other sessions have been ended."""
    if request.user.pk != user.pk:
        return
    user.refresh_from_db()
    sign_ins = SignIn.objects.filter(session_key=request.session.session_key)
    update_session_auth_hash(request, user)  # this changes the session's key
    if settings.IS_SERVER_DEPLOYMENT:
        sign_ins.delete()
        _record_session_row(
            request, user, _read_time(request, SIGNED_IN_AT_KEY) or timezone.now()
        )


def delete_session_row(request: HttpRequest) -> None:
    """Delete the current session's row at sign-out."""
    if request.session.session_key:
        SignIn.objects.filter(session_key=request.session.session_key).delete()


def _read_time(request: HttpRequest, session_key: str) -> datetime | None:
    timestamp = request.session.get(session_key)
    return (
        datetime.fromtimestamp(timestamp, tz=timezone.get_default_timezone())
        if timestamp
        else None
    )
