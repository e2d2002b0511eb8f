"""How django-allauth behaves here: its steps of signing in, its words, what it keeps sealed."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from server.logins import factor_rows, reauthentication, sealing, signins, throttle
from server.models import User

UNTIL_A_FACTOR = timedelta(days=7)
OWN_COMPUTER = "own_computer"
"""What the form to sign in asks, kept while a second factor is asked for."""
LOCK = "lock"
"""What the login's sessions were bound to when the password was right, kept as long."""
WRONG_CODES = "wrong_codes"
"""How many wrong codes were sent since the password was right, kept as long."""


def _asks_nobody(_user: User) -> bool:
    return False


class Accounts(DefaultAccountAdapter):  # type: ignore[misc]  # it has no types
    """Signing in: nobody signs up, and what happens is noted.

    `must_have_factor` tells of a login whether it is asked for a second factor; the rooms above
    know.
    """

    must_have_factor: Callable[[User], bool] = staticmethod(_asks_nobody)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Nobody makes a login for themselves."""
        return False

    def get_login_stages(self) -> list[str]:
        """After the password the second factor, for who has one."""
        return ["allauth.mfa.stages.AuthenticateStage"]

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign somebody in."""
        own = bool(request.session.get(OWN_COMPUTER))
        known = bool(throttle.device_of(request, user.get_username()))
        super().login(request, user)
        for each in (OWN_COMPUTER, LOCK, WRONG_CODES):
            request.session.pop(each, None)
        reauthentication.show(request)
        signins.begin(request, user, own=own, is_known=known)
        self._ask_for_factor(request, user)

    def post_login(
        self, request: HttpRequest, user: User, *, redirect_url: str | None = None, **_more: Any
    ) -> HttpResponse:
        """Go where one wanted to; the browser is known from now on."""
        to = redirect_url or resolve_url(settings.LOGIN_REDIRECT_URL)
        response = HttpResponseRedirect(to)
        throttle.remember_device(response, user.get_username())
        return response

    def is_reauthentication_required(self, *, app: str, **_more: Any) -> bool:
        """Whether the second factor's pages ask for the password again."""
        return not reauthentication.is_recent(context.request)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, str]]:
        """The ways to show once more who one is: the password, and a passkey if any."""
        found = [{"id": "again", "url": reverse("again"), "description": _("Password")}]
        if user.is_authenticated and factor_rows.has_passkey(user):
            address = reverse("mfa_reauthenticate_webauthn")
            found.append({"id": "passkey", "url": address, "description": _("Passkey")})
        return found

    def add_message(self, *_args: Any, **_more: Any) -> None:
        """Say nothing: our views speak for themselves."""

    def send_notification_mail(self, *_args: Any, **_more: Any) -> None:
        """Send nothing: `server.logins.mails` does."""

    def _ask_for_factor(self, request: HttpRequest, user: User) -> None:
        """Set the day from when on a login needs its second factor, and tell of it."""
        if not settings.ON_A_SERVER or factor_rows.has_factor(user):
            return
        if not self.must_have_factor(user):
            due = None
        else:
            due = user.factor_due_at or timezone.now() + UNTIL_A_FACTOR
            messages.warning(
                request,
                _("Add a second factor to your login: Account, then Second factor. %(days)s.")
                % {"days": factor_rows.days_left(due)},
            )
        if due != user.factor_due_at:
            user.factor_due_at = due
            user.save(update_fields=["factor_due_at"])


class Factors(DefaultMFAAdapter):  # type: ignore[misc]  # it has no types
    """Second factors: sealed where they are stored, named in our words."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy(
            "This is not right, or was used already. Wait for the next code, and try again."
        ),
    }

    def encrypt(self, text: str) -> str:
        """Seal a secret."""
        return sealing.seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Read a sealed secret."""
        return sealing.unseal(encrypted_text)

    def get_totp_label(self, user: User) -> str:
        """What an authenticator calls the login."""
        return f"{user.get_username()} ({context.request.get_host()})"

    def build_totp_svg(self, url: str) -> str:
        """Draw nothing: the page draws the code itself."""
        return ""

    def generate_authenticator_name(self, user: User, type: Any) -> str:
        """A first name for a passkey."""
        return _("Passkey")

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """What a passkey keeps of a login: its name, and no mail address."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        name = user.get_username()
        return entity | {"name": name, "display_name": name}
