"""The pages of second factors: at sign-in, and for adding and removing them."""

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

from server.logins import factor_rows, mails, signins
from server.logins.adapters import LOCK, WRONG_CODES
from server.logins.notes import What, log_login_event
from server.logins.reauthentication import record_authentication, require_recent_login
from server.logins.sealing import WrongKey
from server.models import User

MOST_WRONG = 5
"""Wrong codes after which the password is required again."""
again = method_decorator(require_recent_login, name="dispatch")


def passkeys_work(request: HttpRequest) -> bool:
    """Return whether browsers allow passkeys on a page of this host."""
    return request.is_secure() or request.get_host().partition(":")[0] == "localhost"


class FactorAtDoor(AuthenticateView):  # type: ignore[misc]  # it has no types
    """The page after the password: a code, or a passkey."""

    template_name = "server/factors/at_door.html"

    @method_decorator(login_not_required)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Start over if the password was changed or all sessions were ended since."""
        stage = LoginStageController.enter(request, AuthenticateStage.key)
        answer: HttpResponseBase
        if stage is not None and not _holds_still(request, stage.login.user):
            messages.info(request, _("You were signed out after a while. Sign in again."))
            answer = stage.abort()
        else:
            answer = super().dispatch(request, *args, **kwargs)
        return answer

    def form_invalid(self, form: Any) -> HttpResponse:
        """Count a wrong code; after five the password is requested again."""
        wrong = self.request.session.get(WRONG_CODES, 0) + 1
        self.request.session[WRONG_CODES] = wrong
        answer: HttpResponse
        if wrong >= MOST_WRONG:
            messages.error(self.request, _("Five codes were wrong. Begin with the password."))
            answer = self.stage.abort()
        else:
            answer = super().form_invalid(form)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the kinds of factors of the login."""
        user = self.stage.login.user
        types = set(Authenticator.objects.filter(user=user).values_list("type", flat=True))
        found: dict[str, Any] = super().get_context_data(**kwargs)
        return found | {
            "has_code": types - {Authenticator.Type.WEBAUTHN} != set(),
            "has_passkey": Authenticator.Type.WEBAUTHN in types,
        }


def _holds_still(request: HttpRequest, user: User) -> bool:
    """Return whether the login is unchanged since its password was entered."""
    return constant_time_compare(request.session.get(LOCK, ""), user.get_session_auth_hash())


class PasskeyAtDoor(LoginWebAuthnView):  # type: ignore[misc]  # it has no types
    """Sign-in with a passkey only; it verifies the user itself."""

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the error on the sign-in page."""
        messages.error(self.request, _("This passkey is not known here."))
        return redirect("login")


class Change(FormMixin[Any]):
    """Base of pages that change the second factors of a login."""

    request: HttpRequest
    what: What
    kind: Any = ""

    def form_valid(self, form: Any) -> HttpResponse:
        """Log the change, and end other sessions and tokens."""
        answer = super().form_valid(form)
        _changed(self.request, self.what, str(self.kind))
        return answer


@again
class OwnFactors(IndexView):  # type: ignore[misc]  # it has no types
    """The second factors of the login."""

    template_name = "server/factors/own.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add whether passkeys work here, the codes left, and when a factor is required."""
        found: dict[str, Any] = super().get_context_data(**kwargs)
        codes = found["authenticators"].get(Authenticator.Type.RECOVERY_CODES)
        due = self.request.user.factor_due_at
        return found | {
            "codes_left": _count_codes(codes) if codes else 0,
            "has_codes": codes is not None,
            "app": found["authenticators"].get(Authenticator.Type.TOTP),
            "passkeys": found["authenticators"].get(Authenticator.Type.WEBAUTHN, []),
            "passkeys_work": passkeys_work(self.request),
            "due": factor_rows.days_left(due) if due else "",
        }


def _count_codes(codes: Any) -> int | None:
    """Count the unused recovery codes; None where they were encrypted with another key."""
    try:
        return len(codes.get_unused_codes())
    except WrongKey:
        return None


@again
class AddApp(Change, ActivateTOTPView):  # type: ignore[misc]  # it has no types
    """Add an authenticator app: its secret as a QR code or text, confirmed by a code."""

    template_name = "server/factors/add_app.html"
    what, kind = What.FACTOR_ADDED, gettext_lazy("authenticator app")
    draw: Callable[[str], object] | None = None
    """Returns a QR code as rows; passed in, since this room imports no QR library."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the QR code as rows of squares, which the page renders."""
        found: dict[str, Any] = super().get_context_data(**kwargs)
        secret = found["form"].secret
        groups = " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
        drawn = self.draw(found["totp_url"]) if self.draw else None
        return found | {"code": drawn, "secret": groups}

    def form_valid(self, form: Any) -> HttpResponse:
        """Store the factor; its first code is used up."""
        answer = super().form_valid(form)
        user = self.request.user
        factor = Authenticator.objects.get(user=user, type=Authenticator.Type.TOTP)
        factor_rows.use_code(factor, form.cleaned_data["code"])
        return answer


@again
class RemoveApp(Change, DeactivateTOTPView):  # type: ignore[misc]  # it has no types
    """Remove an authenticator app."""

    template_name = "server/factors/remove.html"
    what, kind = What.FACTOR_REMOVED, gettext_lazy("authenticator app")


@again
class AddPasskey(Change, AddWebAuthnView):  # type: ignore[misc]  # it has no types
    """Add a passkey."""

    template_name = "server/factors/add_passkey.html"
    what, kind = What.FACTOR_ADDED, gettext_lazy("passkey")


@again
class RemovePasskey(Change, RemoveWebAuthnView):  # type: ignore[misc]  # it has no types
    """Remove a passkey."""

    template_name = "server/factors/remove.html"
    what, kind = What.FACTOR_REMOVED, gettext_lazy("passkey")
    success_url = reverse_lazy("mfa_index")


class NeedsReadableCodes(View):
    """Redirects to the page of factors if the codes were encrypted with another key."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the page, or a redirect to the page that offers new codes."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except WrongKey:
            return redirect("mfa_index")


@again
class Codes(NeedsReadableCodes, ViewRecoveryCodesView):  # type: ignore[misc]  # it has no types
    """Ten recovery codes to print, for the loss of phone and security key."""

    template_name = "server/factors/codes.html"


@again
class NewCodes(Change, GenerateRecoveryCodesView):  # type: ignore[misc]  # it has no types
    """Replace the recovery codes."""

    template_name = "server/factors/new_codes.html"
    what = What.CODES

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the form without the library's count of old codes, which needs their key."""
        return FormMixin.get_context_data(self, **kwargs)


@again
class CodesFile(NeedsReadableCodes, DownloadRecoveryCodesView):  # type: ignore[misc]  # it has no types
    """The recovery codes as a file."""

    template_name = "server/factors/codes.txt"


class PasskeyAgain(ReauthenticateWebAuthnView):  # type: ignore[misc]  # it has no types
    """Re-authentication with a passkey."""

    template_name = "server/factors/again.html"

    def form_valid(self, form: Any) -> HttpResponse:
        """Continue with the requested page."""
        answer: HttpResponse = super().form_valid(form)
        record_authentication(self.request)
        return answer

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the error here."""
        messages.error(self.request, _("This passkey is not known here."))
        return redirect("mfa_reauthenticate_webauthn")


@require_recent_login
def shown_again(request: HttpRequest) -> HttpResponseBase:
    """Continue after re-authentication for a page without a form to send again."""
    record_authentication(request)
    to = request.GET.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        to, {request.get_host()}, require_https=request.is_secure()
    )
    return HttpResponseRedirect(to if safe else str(reverse_lazy("account")))


def _changed(request: HttpRequest, what: Any, detail: str) -> None:
    """Log a change of factors, end other sessions, and update the due date."""
    user = request.user
    assert isinstance(user, User)
    mails.notify_login(log_login_event(what, user=user, request=request, detail=detail))
    signins.end_other_sessions(user, keep=request)
    if factor_rows.has_factor(user):
        user.factor_due_at = None
        messages.success(
            request, _("It is saved. Other devices and programs must sign in again.")
        )
    else:
        must = settings.ON_A_SERVER and get_adapter().must_have_factor(user)
        user.factor_due_at = timezone.now() if must else None
        messages.success(request, _("Your login has no second factor now."))
    user.save(update_fields=["factor_due_at"])
