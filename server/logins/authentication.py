"""Authentication by name and password: the only place that compares a password."""

from django.contrib.auth import authenticate
from django.http import HttpRequest

from server.logins import throttle
from server.logins.notes import What, log_login_event
from server.models import User


def try_password(request: HttpRequest, name: str, password: str) -> User | None:
    """Return the login of a name and password, None if they are wrong.

    Raises Wait after too many wrong ones, without comparing. Takes as long for an unknown name.
    """
    try:
        row = throttle.count_attempt(request, name)
    except throttle.Wait:
        log_login_event(What.WAIT, user=_named(name), request=request)
        raise
    user = authenticate(request, username=name, password=password)
    if not isinstance(user, User):
        log_login_event(What.WRONG_PASSWORD, user=_named(name), request=request)
        return None
    throttle.accept_attempt(row)
    return user


def _named(name: str) -> User | None:
    return User.objects.filter(username=name).first()
