"""django-allauth's adapters, which customise sign-in, messages and encryption of secrets."""

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

from server.logins import (
    factor_rows,
    login_sessions,
    reauthentication,
    secret_encryption,
    throttle,
)
from server.models import User

FACTOR_GRACE_PERIOD = timedelta(days=7)
OWN_COMPUTER_KEY = "own_computer"
"""Session key of the value of the checkbox "my own computer".

It is deleted when the second factor has been entered.
"""
SESSION_AUTH_HASH_KEY = "lock"
"""Session key of the value of the user's `get_session_auth_hash` after the password was
entered.

It is deleted when the second factor has been entered.
"""
WRONG_CODE_COUNT_KEY = "wrong_codes"
"""Session key of the number of wrong codes since the password was entered."""


def _is_factor_required(_user: User) -> bool:
    return False


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # it has no types
    """The account adapter: sign-up is disabled, and every login event is logged.

    `is_second_factor_required` returns whether a login needs a second factor; `config` sets it.
    """

    is_second_factor_required: Callable[[User], bool] = staticmethod(_is_factor_required)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False: visitors cannot create logins."""
        return False

    def get_login_stages(self) -> list[str]:
        """Return the stage of the second factor, which allauth would skip for some logins."""
        return ["allauth.mfa.stages.AuthenticateStage"]

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign a user in, and record the session and the authentication."""
        is_own_computer = bool(request.session.get(OWN_COMPUTER_KEY))
        is_known_device = bool(throttle.read_device_id(request, user.get_username()))
        super().login(request, user)
        for session_data_key in (OWN_COMPUTER_KEY, SESSION_AUTH_HASH_KEY, WRONG_CODE_COUNT_KEY):
            request.session.pop(session_data_key, None)
        reauthentication.record_authentication(request)
        login_sessions.record_session(
            request, user, is_own_computer=is_own_computer, is_known_device=is_known_device
        )
        self._set_factor_due_date(request, user)

    def post_login(
        self, request: HttpRequest, user: User, *, redirect_url: str | None = None, **_more: Any
    ) -> HttpResponse:
        """Redirect to the requested page, and set the cookie of a known device."""
        target_url = redirect_url or resolve_url(settings.LOGIN_REDIRECT_URL)
        response = HttpResponseRedirect(target_url)
        throttle.remember_device(response, user.get_username())
        return response

    def is_reauthentication_required(self, *, app: str, **_more: Any) -> bool:
        """Return whether the pages of second factors require re-authentication."""
        return not reauthentication.is_login_recent(context.request)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, str]]:
        """Return the methods of re-authentication: the password, and any passkey."""
        methods = [{"id": "again", "url": reverse("again"), "description": _("Password")}]
        if user.is_authenticated and factor_rows.has_passkey(user):
            passkey_url = reverse("mfa_reauthenticate_webauthn")
            methods.append({"id": "passkey", "url": passkey_url, "description": _("Passkey")})
        return methods

    def add_message(self, *_args: Any, **_more: Any) -> None:
        """Do nothing: our own views show messages instead of allauth's."""

    def send_notification_mail(self, *_args: Any, **_more: Any) -> None:
        """Do nothing: `server.logins.mails` sends mail instead of allauth."""

    def _set_factor_due_date(self, request: HttpRequest, user: User) -> None:
        """Set and log the date from which a login needs a second factor."""
        if not settings.IS_SERVER_DEPLOYMENT or factor_rows.has_second_factor(user):
            return
        if not self.is_second_factor_required(user):
            due_at = None
        else:
            due_at = user.factor_due_at or timezone.now() + FACTOR_GRACE_PERIOD
            messages.warning(
                request,
                _("Set up two-step sign-in under Account. %(days)s.")
                % {"days": factor_rows.format_days_left(due_at)},
            )
        if due_at != user.factor_due_at:
            user.factor_due_at = due_at
            user.save(update_fields=["factor_due_at"])


class FactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # it has no types
    """The adapter of second factors; their secrets are stored encrypted."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy("Wrong or already used code. Wait for the next one."),
    }

    def encrypt(self, text: str) -> str:
        """Encrypt a secret."""
        return secret_encryption.encrypt_secret(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt a secret."""
        return secret_encryption.decrypt_secret(encrypted_text)

    def get_totp_label(self, user: User) -> str:
        """Return the label of the login in an authenticator app."""
        return f"{user.get_username()} ({context.request.get_host()})"

    def build_totp_svg(self, url: str) -> str:
        """Return "": the page renders the QR code itself."""
        return ""

    def generate_authenticator_name(self, user: User, type: Any) -> str:
        """Return the default name of a passkey."""
        return _("Passkey")

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """Return the user data that is stored in a passkey: a name, but no mail address."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        name = user.get_username()
        return entity | {"name": name, "display_name": name}
