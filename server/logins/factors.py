"""Pages of second factors: at sign-in, and to add and remove them."""

from collections.abc import Callable
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.stages import LoginStageController
from allauth.mfa.base.views import AuthenticateView, IndexView
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import (
    DownloadRecoveryCodesView,
    GenerateRecoveryCodesView,
    ViewRecoveryCodesView,
)
from allauth.mfa.stages import AuthenticateStage
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from allauth.mfa.webauthn.views import (
    AddWebAuthnView,
    LoginWebAuthnView,
    ReauthenticateWebAuthnView,
    RemoveWebAuthnView,
)
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.generic import View
from django.views.generic.edit import FormMixin

from server.logins import factor_rows, login_sessions, mails
from server.logins.adapters import SESSION_AUTH_HASH_KEY, WRONG_CODE_COUNT_KEY
from server.logins.event_log import LoginEventKind, log_login_event
from server.logins.reauthentication import record_authentication, require_recent_login
from server.logins.secret_encryption import WrongKey
from server.models import User

MAX_WRONG_CODES = 5
"""The number of wrong codes after which the password must be entered again."""
recent_login_required = method_decorator(require_recent_login, name="dispatch")


def can_use_passkeys(request: HttpRequest) -> bool:
    """Return whether browsers allow passkeys on this host."""
    return request.is_secure() or request.get_host().partition(":")[0] == "localhost"


class SecondFactorPage(AuthenticateView):  # type: ignore[misc]  # it has no types
    """The page after the password page, which requests a code or a passkey."""

    template_name = "server/factors/at_door.html"

    @method_decorator(login_not_required)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Restart the sign-in if the login has changed since the password was entered.

        The login has changed if it has another password, or if all its sessions were ended.
        """
        login_stage = LoginStageController.enter(request, AuthenticateStage.key)
        response: HttpResponseBase
        if login_stage is not None and not _is_login_unchanged(request, login_stage.login.user):
            messages.info(request, _("You were signed out after a while. Sign in again."))
            response = login_stage.abort()
        else:
            response = super().dispatch(request, *args, **kwargs)
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        """Count a wrong code; after five the sign-in restarts with the password."""
        wrong_code_count = self.request.session.get(WRONG_CODE_COUNT_KEY, 0) + 1
        self.request.session[WRONG_CODE_COUNT_KEY] = wrong_code_count
        response: HttpResponse
        if wrong_code_count >= MAX_WRONG_CODES:
            messages.error(self.request, _("Five wrong codes. Start again with your password."))
            response = self.stage.abort()
        else:
            response = super().form_invalid(form)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add to the context whether the login has an authenticator app or recovery codes, and
        whether it has a passkey.
        """
        user = self.stage.login.user
        factor_types = set(
            Authenticator.objects.filter(user=user).values_list("type", flat=True)
        )
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {
            "has_code": factor_types - {Authenticator.Type.WEBAUTHN} != set(),
            "has_passkey": Authenticator.Type.WEBAUTHN in factor_types,
        }


def _is_login_unchanged(request: HttpRequest, user: User) -> bool:
    """Return whether the sign-in may continue after the password was entered.

    It may not if the password was changed or all sessions of the login were ended since.
    """
    return constant_time_compare(
        request.session.get(SESSION_AUTH_HASH_KEY, ""), user.get_session_auth_hash()
    )


class PasskeySignInPage(LoginWebAuthnView):  # type: ignore[misc]  # it has no types
    """Sign-in with a passkey and no password; the passkey verifies the user."""

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the error on the sign-in page."""
        messages.error(self.request, _("Unknown passkey."))
        return redirect("login")


class FactorChangeMixin(FormMixin[Any]):
    """Base class of pages that change the second factors of a login."""

    request: HttpRequest
    event_kind: LoginEventKind
    factor_name: Any = ""

    def form_valid(self, form: Any) -> HttpResponse:
        """Save the change, log it, end the login's other sessions and revoke its tokens."""
        response = super().form_valid(form)
        _record_factor_change(self.request, self.event_kind, str(self.factor_name))
        return response


@recent_login_required
class OwnFactorsPage(IndexView):  # type: ignore[misc]  # it has no types
    """The list of the signed-in user's second factors."""

    template_name = "server/factors/own.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add to the context the factors, the number of unused recovery codes, and the number
        of days until a factor is required.
        """
        context: dict[str, Any] = super().get_context_data(**kwargs)
        recovery_codes = context["authenticators"].get(Authenticator.Type.RECOVERY_CODES)
        due_at = self.request.user.factor_due_at
        return context | {
            "codes_left": _count_unused_codes(recovery_codes) if recovery_codes else 0,
            "has_codes": recovery_codes is not None,
            "app": context["authenticators"].get(Authenticator.Type.TOTP),
            "passkeys": context["authenticators"].get(Authenticator.Type.WEBAUTHN, []),
            "passkeys_work": can_use_passkeys(self.request),
            "due": factor_rows.format_days_left(due_at) if due_at else "",
        }


def _count_unused_codes(recovery_codes: Any) -> int | None:
    """Count the unused recovery codes; return None if they cannot be decrypted."""
    try:
        return len(recovery_codes.get_unused_codes())
    except WrongKey:
        return None


@recent_login_required
class AddAuthenticatorPage(FactorChangeMixin, ActivateTOTPView):  # type: ignore[misc]  # it has no types
    """A page that adds an authenticator app, with its secret as QR code and text."""

    template_name = "server/factors/add_app.html"
    event_kind, factor_name = LoginEventKind.FACTOR_ADDED, gettext_lazy("authenticator app")
    build_qr_rows: Callable[[str], object] | None = None
    """Returns the QR code of a text as rows of squares; `config` sets it."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the QR code as rows of squares, and the secret in groups of four letters."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        secret = context["form"].secret
        grouped_secret = " ".join(
            secret[start : start + 4] for start in range(0, len(secret), 4)
        )
        qr_rows = self.build_qr_rows(context["totp_url"]) if self.build_qr_rows else None
        return context | {"code": qr_rows, "secret": grouped_secret}

    def form_valid(self, form: Any) -> HttpResponse:
        """Store the factor, and mark its first code as used."""
        response = super().form_valid(form)
        user = self.request.user
        factor = Authenticator.objects.get(user=user, type=Authenticator.Type.TOTP)
        factor_rows.accept_code(factor, form.cleaned_data["code"])
        return response


@recent_login_required
class RemoveAuthenticatorPage(FactorChangeMixin, DeactivateTOTPView):  # type: ignore[misc]  # it has no types
    """A page that removes the authenticator app."""

    template_name = "server/factors/remove.html"
    event_kind, factor_name = LoginEventKind.FACTOR_REMOVED, gettext_lazy("authenticator app")


@recent_login_required
class AddPasskeyPage(FactorChangeMixin, AddWebAuthnView):  # type: ignore[misc]  # it has no types
    """A page that adds a passkey."""

    template_name = "server/factors/add_passkey.html"
    event_kind, factor_name = LoginEventKind.FACTOR_ADDED, gettext_lazy("passkey")


@recent_login_required
class RemovePasskeyPage(FactorChangeMixin, RemoveWebAuthnView):  # type: ignore[misc]  # it has no types
    """A page that removes a passkey."""

    template_name = "server/factors/remove.html"
    event_kind, factor_name = LoginEventKind.FACTOR_REMOVED, gettext_lazy("passkey")
    success_url = reverse_lazy("mfa_index")


class DecryptableCodesMixin(View):
    """Base class of pages that show the recovery codes, which must be decrypted."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """If the codes cannot be decrypted, redirect to the list of factors to create new
        ones.
        """
        try:
            return super().dispatch(request, *args, **kwargs)
        except WrongKey:
            return redirect("mfa_index")


@recent_login_required
class RecoveryCodesPage(DecryptableCodesMixin, ViewRecoveryCodesView):  # type: ignore[misc]  # it has no types
    """The login's ten recovery codes, which replace a lost phone or security key."""

    template_name = "server/factors/codes.html"


@recent_login_required
class NewRecoveryCodesPage(FactorChangeMixin, GenerateRecoveryCodesView):  # type: ignore[misc]  # it has no types
    """A page that replaces the recovery codes."""

    template_name = "server/factors/new_codes.html"
    event_kind = LoginEventKind.RECOVERY_CODES_CREATED

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Skip allauth's count of the old codes, which fails if they cannot be decrypted."""
        return FormMixin.get_context_data(self, **kwargs)


@recent_login_required
class RecoveryCodesFile(DecryptableCodesMixin, DownloadRecoveryCodesView):  # type: ignore[misc]  # it has no types
    """The recovery codes as a text file."""

    template_name = "server/factors/codes.txt"


class PasskeyReauthenticationPage(ReauthenticateWebAuthnView):  # type: ignore[misc]  # it has no types
    """Re-authentication with a passkey."""

    template_name = "server/factors/again.html"

    def form_valid(self, form: Any) -> HttpResponse:
        """Record the authentication, and continue with the requested page."""
        response: HttpResponse = super().form_valid(form)
        record_authentication(self.request)
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        """Redirect to the same page, which shows the error as a message."""
        messages.error(self.request, _("Unknown passkey."))
        return redirect("mfa_reauthenticate_webauthn")


@require_recent_login
def redirect_after_reauthentication(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the page that required re-authentication."""
    record_authentication(request)
    target_url = request.GET.get("next", "")
    is_safe = url_has_allowed_host_and_scheme(
        target_url, {request.get_host()}, require_https=request.is_secure()
    )
    return HttpResponseRedirect(target_url if is_safe else str(reverse_lazy("account")))


def _record_factor_change(request: HttpRequest, event_kind: Any, detail: str) -> None:
    """Log a change of factors, end the login's other sessions, and update `factor_due_at`."""
    user = request.user
    assert isinstance(user, User)
    mails.enqueue_login_notice(
        log_login_event(event_kind, user=user, request=request, detail=detail)
    )
    login_sessions.end_other_sessions(user, kept_request=request)
    if factor_rows.has_second_factor(user):
        user.factor_due_at = None
        messages.success(request, _("Saved. Other devices and programs must sign in again."))
    else:
        is_second_factor_required = (
            settings.IS_SERVER_DEPLOYMENT and get_adapter().is_second_factor_required(user)
        )
        user.factor_due_at = timezone.now() if is_second_factor_required else None
        messages.success(request, _("Two-step sign-in is off."))
    user.save(update_fields=["factor_due_at"])
