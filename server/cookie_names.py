"""The names of cookies. On a server they have a prefix, so that no other site can set them."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


def build_cookie_name(name: str, path: str = "/") -> str:
    """Return the name of a cookie, with the prefix that browsers only accept over https.

    `__Host-` also requires the path `/`; a cookie for another path gets `__Secure-`.
    """
    if not settings.IS_SERVER_DEPLOYMENT:
        return name
    return f"__Host-{name}" if path == "/" else f"__Secure-{name}"


class _PrefixedCookieStorage(CookieStorage):
    """Stores messages in a cookie whose name is built by `build_cookie_name`."""

    @property
    def cookie_name(self) -> str:  # type: ignore[override]  # a constant in Django
        return build_cookie_name("messages")


class MessageStorage(FallbackStorage):
    """Stores messages in a cookie, and messages that do not fit there in the session."""

    storage_classes = (_PrefixedCookieStorage, SessionStorage)
