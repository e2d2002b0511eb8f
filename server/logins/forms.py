"""The forms of logins: codes of second factors, a new password, and the mail address."""

from contextlib import suppress
from typing import Any

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.contrib.auth.forms import PasswordChangeForm
from django.utils.translation import gettext_lazy

from server.logins import factor_rows, throttle
from server.logins.authentication import authenticate_password
from server.logins.event_log import LoginEventKind, log_login_event
from server.logins.login_page import AttemptKind, format_wait_message
from server.logins.secret_encryption import WrongKey
from server.models import User

CODE_INPUT_ATTRIBUTES = {
    "autocomplete": "one-time-code",
    "spellcheck": "false",
    "autocapitalize": "none",
}
DIGITS_INPUT_ATTRIBUTES = CODE_INPUT_ATTRIBUTES | {"inputmode": "numeric"}


class CodeForm(AuthenticateForm):  # type: ignore[misc]  # it has no types
    """The form for a code of the authenticator app or a recovery code."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"] = forms.CharField(
            label=gettext_lazy("Code from your app, or a recovery code"),
            max_length=20,
            widget=forms.TextInput(attrs=DIGITS_INPUT_ATTRIBUTES | {"autofocus": True}),
        )

    def clean_code(self) -> str:
        """Accept a valid code that was not used before; count a wrong one."""
        code: str = self.cleaned_data["code"]
        request = context.request
        try:
            attempt = throttle.count_attempt(request, self.user.get_username())
        except throttle.AttemptLimitReached as attempt_limit:
            message = format_wait_message(attempt_limit, AttemptKind.SECOND_FACTOR_CODE)
            raise forms.ValidationError(message, code="wait") from None
        for factor in Authenticator.objects.filter(user=self.user):
            if _is_valid_code(factor, code):
                throttle.accept_attempt(attempt)
                factor.user = self.user
                self.authenticator = factor
                return code
        log_login_event(LoginEventKind.WRONG_FACTOR, user=self.user, request=request)
        raise get_adapter().validation_error("incorrect_code")


def _is_valid_code(factor: Authenticator, code: str) -> bool:
    with suppress(WrongKey):  # the secret was encrypted with another key, so no code can match
        if factor.type == Authenticator.Type.TOTP:
            return factor_rows.accept_code(factor, code)
        if factor.type == Authenticator.Type.RECOVERY_CODES:
            return bool(factor.wrap().validate_code(code))
    return False


class ActivateAuthenticatorForm(ActivateTOTPForm):  # type: ignore[misc]  # it has no types
    """The form for an app's first code, which proves that the app has the secret."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = gettext_lazy("Code from the app")
        self.fields["code"].widget = forms.TextInput(attrs=DIGITS_INPUT_ATTRIBUTES)


class NewPasswordForm(PasswordChangeForm):
    """The form to change the password: the old password, and the new one twice."""

    request: Any = None

    def clean_old_password(self) -> str:
        """Check the old password; wrong ones count like wrong passwords at sign-in."""
        old_password: str = self.cleaned_data["old_password"]
        try:
            user = authenticate_password(self.request, self.user.get_username(), old_password)
        except throttle.AttemptLimitReached as attempt_limit:
            raise forms.ValidationError(
                format_wait_message(attempt_limit), code="wait"
            ) from None
        if user is None:
            raise forms.ValidationError(
                self.error_messages["password_incorrect"], code="password_incorrect"
            )
        return old_password


class MailAddressForm(forms.ModelForm[User]):
    """The form for the login's mail address."""

    class Meta:
        model = User
        fields = ["email"]
        labels = {"email": gettext_lazy("E-mail address")}
