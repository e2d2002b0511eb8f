"""Sessions of logins: how long they last, the list of them, and ending them."""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from server.logins import mails
from server.logins.client_info import client_address, describe_device, shorten_address
from server.logins.notes import What, log_login_event
from server.models import ApiToken, SignIn, User

IDLE_TIMEOUT = timedelta(hours=12)
"""Idle timeout of a session on a server."""
MAX_SESSION_AGE = timedelta(days=30)
"""Lifetime of a session from the password on; on one's own computer the idle timeout."""
USE_RECORDED_EVERY = timedelta(minutes=5)
SINCE, SEEN, OWN = "since", "seen", "own_computer"


def record_session(request: HttpRequest, user: User, *, own: bool, is_known: bool) -> None:
    """Record a new session; on a laptop no mail is sent."""
    now = timezone.now()
    noted = log_login_event(
        What.SIGNED_IN if is_known else What.NEW_DEVICE, user=user, request=request
    )
    if not is_known:
        mails.notify_login(noted)
    if not settings.ON_A_SERVER:
        return
    request.session[SINCE] = request.session[SEEN] = now.timestamp()
    request.session[OWN] = own
    if request.session.session_key is None:
        request.session.create()
    _put_on_the_list(request, user, now)


def _put_on_the_list(request: HttpRequest, user: User, at: datetime) -> None:
    SignIn.objects.update_or_create(
        session_key=request.session.session_key,
        defaults={
            "user": user,
            "at": at,
            "seen_at": timezone.now(),
            "device": describe_device(request)[:60],
            "address": shorten_address(client_address(request)),
        },
    )


def has_expired(request: HttpRequest) -> bool:
    """Return whether a session has expired; if not, record sometimes that it is used."""
    now = timezone.now()
    since = _moment(request, SINCE) or now
    seen = _moment(request, SEEN)
    idle = MAX_SESSION_AGE if request.session.get(OWN) else IDLE_TIMEOUT
    if now - since > MAX_SESSION_AGE or (seen is not None and now - seen > idle):
        return True
    if seen is None or now - seen > USE_RECORDED_EVERY:
        request.session.setdefault(SINCE, now.timestamp())
        request.session[SEEN] = now.timestamp()
        SignIn.objects.filter(session_key=request.session.session_key).update(seen_at=now)
    return False


def sessions_of(user: User) -> QuerySet[SignIn]:
    """Return the sessions of a login, the last used first."""
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
    """End every session of a login but the current one, and its API tokens.

    The current one gets the login's new lock number and stays in the list under its new key.
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
    """Keep the current session after the login's other sessions were ended."""
    if request.user.pk != user.pk:
        return
    user.refresh_from_db()
    listed = SignIn.objects.filter(session_key=request.session.session_key)
    update_session_auth_hash(request, user)  # this changes the session's key
    if settings.ON_A_SERVER:
        listed.delete()
        _put_on_the_list(request, user, _moment(request, SINCE) or timezone.now())


def remove_session(request: HttpRequest) -> None:
    """Remove the current session from the list at sign-out."""
    if request.session.session_key:
        SignIn.objects.filter(session_key=request.session.session_key).delete()


def _moment(request: HttpRequest, name: str) -> datetime | None:
    kept = request.session.get(name)
    return datetime.fromtimestamp(kept, tz=timezone.get_default_timezone()) if kept else None
