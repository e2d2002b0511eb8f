"""The one-time link that opens the browser signed in when a laptop's program starts."""

import hashlib
import hmac
import os
import secrets
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path

from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from server.errors import PageNotFound
from server.hall_network import LOOPBACK_HOSTS, is_from_this_computer
from server.logins.adapters import OWN_COMPUTER_KEY, SESSION_AUTH_HASH_KEY, WRONG_CODE_COUNT_KEY
from server.logins.passwords import find_passwordless_owner


class StartLink:
    """The token of the link, which is valid for one request.

    The hash of the token is stored in a file of the data folder, so that a second start can
    create a link for the program that already runs.
    """

    def create_link_path(self) -> str:
        """Return the path of a new link and invalidate an earlier one."""
        token = secrets.token_urlsafe(32)
        token_file = self._token_file
        token_file.unlink(missing_ok=True)
        token_file.touch(mode=0o600)
        token_file.write_text(_hash_token(token), "ascii")
        return reverse("start", args=[token])

    def consume_token(self, token: str) -> bool:
        """Invalidate the link if this is its token; return whether it is."""
        with suppress(OSError):
            if hmac.compare_digest(self._token_file.read_text("ascii"), _hash_token(token)):
                self._token_file.unlink()  # raises for all but one simultaneous request
                return True
        return False

    @property
    def _token_file(self) -> Path:
        return Path(settings.DATA_DIR, "start.link")


def _hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


start_link = StartLink()


@login_not_required
@never_cache
@require_safe
def sign_in_with_link(request: HttpRequest, token: str) -> HttpResponse:
    """Sign in the laptop's owner, once and only on the laptop itself.

    A used link redirects to the home page if the browser is signed in. Otherwise the response
    explains how to get a new link.
    """
    home_url = resolve_url(settings.LOGIN_REDIRECT_URL)
    host = request.get_host().rpartition(":")[0].strip("[]") or request.get_host()
    if is_from_this_computer(request) and host in LOOPBACK_HOSTS and request.method == "GET":
        owner = find_passwordless_owner()
        if owner is not None and start_link.consume_token(token):
            request.session[OWN_COMPUTER_KEY] = True
            request.session[SESSION_AUTH_HASH_KEY] = owner.get_session_auth_hash()
            request.session[WRONG_CODE_COUNT_KEY] = 0
            response: HttpResponse = perform_login(request, owner, redirect_url=home_url)
            return response
        if request.user.is_authenticated:
            return HttpResponseRedirect(home_url)
    raise PageNotFound(_("This link has been used. Restart Overplay to be signed in."))


def open_browser(url: str, folder: Path) -> None:
    """Open the browser at a URL if this machine has a screen.

    The browser gets the name of a file that redirects to the URL and that only its owner can
    read, since other accounts can see the arguments of every process.
    """
    has_screen = sys.platform in ("win32", "darwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if not has_screen:
        return
    page_path = folder / "start.html"
    page_path.unlink(missing_ok=True)
    page_path.touch(mode=0o600)
    page_path.write_text(f'<meta http-equiv="refresh" content="0; url={url}">\n', "utf-8")
    webbrowser.open(page_path.resolve().as_uri())
