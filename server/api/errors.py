"""The token endpoint, and the common format of all API errors."""

from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.decorators import api_view, authentication_classes, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import set_rollback

from server.api.frame import Refusal
from server.logins.authentication import try_password
from server.logins.factor_rows import has_factor
from server.logins.notes import What, log_login_event
from server.logins.page import wait_words
from server.logins.passwords import must_change_password
from server.logins.throttle import Wait
from server.logins.tokens import make_token_by_password
from server.models import User
from server.private_apis import django_request
from server.refusals import PageMissing

BY_PASSWORD = "made with the password"
"""The name of tokens that clients request with a password."""


class Credentials(serializers.Serializer[Any]):
    """A director's name and password."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=128, trim_whitespace=False)


class Key(serializers.Serializer[Any]):
    """The token to send as `Authorization: Token …`."""

    token = serializers.CharField()


@extend_schema(
    operation_id="token",
    request=Credentials,
    responses={
        200: Key,
        400: Refusal,
        403: Refusal,
        429: OpenApiResponse(Refusal, "Wait and try again."),
    },
    auth=[],
)
@api_view(["POST"])
@authentication_classes([])
@permission_classes([])
def token(request: Request) -> Response:
    """Give the token that goes with a name and password."""
    given = Credentials(data=request.data)
    given.is_valid(raise_exception=True)
    name, password = given.validated_data["username"], given.validated_data["password"]
    try:
        user = try_password(django_request(request), name, password)
    except Wait as wait:
        raise TooManyTries(wait) from None
    if user is None:
        raise exceptions.ValidationError(
            _("This name and password do not belong together. Check both and try again."),
            code="wrong_login",
        )
    _check_password_is_enough(user)
    shown = make_token_by_password(user, BY_PASSWORD)
    log_login_event(
        What.TOKEN_MADE, user=user, request=django_request(request), detail=BY_PASSWORD
    )
    return Response({"token": shown})


class TooManyTries(exceptions.APIException):
    """Too many wrong passwords."""

    status_code = 429
    default_code = "too_many_attempts"

    def __init__(self, wait: Wait) -> None:
        super().__init__(wait_words(wait))
        self.wait = wait.seconds


def _check_password_is_enough(user: User) -> None:
    """Refuse a login that needs a second factor or a new password."""
    if must_change_password(user):
        raise exceptions.PermissionDenied(
            _("Sign in and set a password of your own first."), code="password_change_needed"
        )
    if has_factor(user):
        raise exceptions.PermissionDenied(
            _("This login has a second factor: make the token on its page, under Account."),
            code="factor_needed",
        )


def answer_refusal(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return `{"code", "detail"}`, with `fields` for errors of single fields.

    An exception that is not an API exception is a bug and is raised again.
    """
    refusal = _as_refusal(error)
    if refusal is None:
        return None
    set_rollback()
    return Response(_body(refusal), status=refusal.status_code, headers=_headers(refusal))


def _as_refusal(error: Exception) -> exceptions.APIException | None:
    if isinstance(error, PageMissing):
        return exceptions.NotFound(error.reason)
    if isinstance(error, Http404):
        return exceptions.NotFound(_("There is nothing here. Check the address."))
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied(str(error) or None)
    if isinstance(error, ValidationError):
        return exceptions.ValidationError(serializers.as_serializer_error(error))
    return error if isinstance(error, exceptions.APIException) else None


def _body(refusal: exceptions.APIException) -> dict[str, Any]:
    detail = refusal.detail
    if isinstance(detail, list) and len(detail) == 1:
        detail = detail[0]
    if isinstance(detail, str):
        return {"code": getattr(detail, "code", refusal.default_code), "detail": detail}
    return {
        "code": refusal.default_code,
        "detail": " ".join(_sentences(detail)),
        "fields": detail,
    }


def _sentences(detail: Any, field: str = "") -> list[str]:
    """Return each message once, with its field's name in front."""
    if isinstance(detail, dict):
        return [line for name, part in detail.items() for line in _sentences(part, str(name))]
    if isinstance(detail, list):
        return [line for part in detail for line in _sentences(part, field)]
    return [f"{field}: {detail}" if field and field != "non_field_errors" else str(detail)]


def _headers(refusal: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if challenge := getattr(refusal, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(refusal, "wait", None):
        headers["Retry-After"] = str(int(wait))
    return headers
