"""Authentication by name and password; no other module compares passwords."""

from django.contrib.auth import authenticate
from django.http import HttpRequest

from server.logins import throttle
from server.logins.event_log import LoginEventKind, log_login_event
from server.models import User


def authenticate_password(request: HttpRequest, name: str, password: str) -> User | None:
    """Return the login with this name and password, or None if they are wrong.

    Raises AttemptLimitReached after too many wrong attempts, without comparing the password. An
    unknown name takes as long as a wrong password.
    """
    try:
        attempt = throttle.count_attempt(request, name)
    except throttle.AttemptLimitReached:
        log_login_event(
            LoginEventKind.THROTTLED, user=_find_user_by_name(name), request=request
        )
        raise
    user = authenticate(request, username=name, password=password)
    if not isinstance(user, User):
        log_login_event(
            LoginEventKind.WRONG_PASSWORD, user=_find_user_by_name(name), request=request
        )
        return None
    throttle.accept_attempt(attempt)
    return user


def _find_user_by_name(name: str) -> User | None:
    return User.objects.filter(username=name).first()
