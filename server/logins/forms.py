"""The forms of second factors: each code works once, and wrong ones are counted."""

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
from server.logins.authentication import try_password
from server.logins.notes import What, log_login_event
from server.logins.page import Tried, wait_words
from server.logins.sealing import WrongKey
from server.models import User

CODE = {"autocomplete": "one-time-code", "spellcheck": "false", "autocapitalize": "none"}
DIGITS = CODE | {"inputmode": "numeric"}


class CodeForm(AuthenticateForm):  # type: ignore[misc]  # it has no types
    """A code of the authenticator, or a recovery code."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"] = forms.CharField(
            label=gettext_lazy("Code of your authenticator, or a recovery code"),
            max_length=20,
            widget=forms.TextInput(attrs=DIGITS | {"autofocus": True}),
        )

    def clean_code(self) -> str:
        """Accept a right code that was not used before; count a wrong one."""
        code: str = self.cleaned_data["code"]
        request = context.request
        try:
            row = throttle.count_attempt(request, self.user.get_username())
        except throttle.Wait as wait:
            words = wait_words(wait, Tried.CODE)
            raise forms.ValidationError(words, code="wait") from None
        for factor in Authenticator.objects.filter(user=self.user):
            if _is_right(factor, code):
                throttle.accept_attempt(row)
                factor.user = self.user
                self.authenticator = factor
                return code
        log_login_event(What.WRONG_FACTOR, user=self.user, request=request)
        raise get_adapter().validation_error("incorrect_code")


def _is_right(factor: Authenticator, code: str) -> bool:
    with suppress(WrongKey):  # encrypted with another key: no code can match
        if factor.type == Authenticator.Type.TOTP:
            return factor_rows.use_code(factor, code)
        if factor.type == Authenticator.Type.RECOVERY_CODES:
            return bool(factor.wrap().validate_code(code))
    return False


class ActivateForm(ActivateTOTPForm):  # type: ignore[misc]  # it has no types
    """The first code of an authenticator, which shows that it has the secret."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = gettext_lazy("Code that the authenticator shows now")
        self.fields["code"].widget = forms.TextInput(attrs=DIGITS)


class NewPassword(PasswordChangeForm):
    """The old password, and the new one twice."""

    request: Any = None

    def clean_old_password(self) -> str:
        """Compare the old password; wrong ones count as at sign-in."""
        old: str = self.cleaned_data["old_password"]
        try:
            user = try_password(self.request, self.user.get_username(), old)
        except throttle.Wait as wait:
            raise forms.ValidationError(wait_words(wait), code="wait") from None
        if user is None:
            raise forms.ValidationError(
                self.error_messages["password_incorrect"], code="password_incorrect"
            )
        return old


class MailForm(forms.ModelForm[User]):
    """The mail address of the login."""

    class Meta:
        model = User
        fields = ["email"]
        labels = {"email": gettext_lazy("E-mail address")}
