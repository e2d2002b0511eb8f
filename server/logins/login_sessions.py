"""Sessions of logins: their lifetime, their list, and ending them."""

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
"""The maximum lifetime of a session; on the user's own computer also the idle timeout."""
USE_RECORDED_EVERY = timedelta(minutes=5)
SINCE_KEY, SEEN_KEY, OWN_COMPUTER_KEY = "since", "seen", "own_computer"


def record_session(request: HttpRequest, user: User, *, own: bool, is_known: bool) -> None:
    """Record and log a new session; send a notice if the device is unknown.

    On a laptop only the log entry is made.
    """
    now = timezone.now()
    noted = log_login_event(
        LoginEventKind.SIGNED_IN if is_known else LoginEventKind.NEW_DEVICE,
        user=user,
        request=request,
    )
    if not is_known:
        mails.notify_login(noted)
    if not settings.ON_A_SERVER:
        return
    request.session[SINCE_KEY] = request.session[SEEN_KEY] = now.timestamp()
    request.session[OWN_COMPUTER_KEY] = own
    if request.session.session_key is None:
        request.session.create()
    _record_session_row(request, user, now)


def _record_session_row(request: HttpRequest, user: User, at: datetime) -> None:
    SignIn.objects.update_or_create(
        session_key=request.session.session_key,
        defaults={
            "user": user,
            "at": at,
            "seen_at": timezone.now(),
            "device": describe_device(request)[:60],
            "address": shorten_address(find_client_address(request)),
        },
    )


def has_session_expired(request: HttpRequest) -> bool:
    """Return whether a session has expired; if not, update its last use every few minutes."""
    now = timezone.now()
    since = _read_time(request, SINCE_KEY) or now
    seen = _read_time(request, SEEN_KEY)
    idle = MAX_SESSION_AGE if request.session.get(OWN_COMPUTER_KEY) else IDLE_TIMEOUT
    if now - since > MAX_SESSION_AGE or (seen is not None and now - seen > idle):
        return True
    if seen is None or now - seen > USE_RECORDED_EVERY:
        request.session.setdefault(SINCE_KEY, now.timestamp())
        request.session[SEEN_KEY] = now.timestamp()
        SignIn.objects.filter(session_key=request.session.session_key).update(seen_at=now)
    return False


def list_sessions(user: User) -> QuerySet[SignIn]:
    """Return the sessions of a login, the last used one first."""
    living = timezone.now() - MAX_SESSION_AGE
    return SignIn.objects.filter(user=user, at__gt=living).order_by("-seen_at")


def end_session(user: User, pk: int) -> SignIn | None:
    """End one session of a login; return None if there is no such session."""
    row = SignIn.objects.filter(user=user, pk=pk).first()
    if row is not None:
        SessionStore(row.session_key).delete()
        row.delete()
    return row


@transaction.atomic
def end_other_sessions(
    user: User, *, keep: HttpRequest | None = None, tokens: bool = True
) -> None:
    """End all sessions of a login except the current one, and revoke its API tokens.

    The current session gets the login's new lock number and a new key.
    """
    User.objects.filter(pk=user.pk).update(lock_number=F("lock_number") + 1)
    user.refresh_from_db(fields=["lock_number"])
    if tokens:
        ApiToken.objects.filter(user=user).delete()
    kept = keep.session.session_key if keep is not None else None
    SignIn.objects.filter(user=user).exclude(session_key=kept).delete()
    if keep is not None:
        update_session_auth_hash(keep, user)
        SignIn.objects.filter(session_key=kept).update(session_key=keep.session.session_key)


def keep_session(request: HttpRequest, user: User) -> None:
    """Keep the current session valid after the login's other sessions were ended."""
    if request.user.pk != user.pk:
        return
    user.refresh_from_db()
    listed = SignIn.objects.filter(session_key=request.session.session_key)
    update_session_auth_hash(request, user)  # this changes the session's key
    if settings.ON_A_SERVER:
        listed.delete()
        _record_session_row(request, user, _read_time(request, SINCE_KEY) or timezone.now())


def remove_session(request: HttpRequest) -> None:
    """Remove the current session from the list of sessions, at sign-out."""
    if request.session.session_key:
        SignIn.objects.filter(session_key=request.session.session_key).delete()


def _read_time(request: HttpRequest, name: str) -> datetime | None:
    kept = request.session.get(name)
    return datetime.fromtimestamp(kept, tz=timezone.get_default_timezone()) if kept else None
