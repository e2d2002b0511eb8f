"""The view that creates tokens, and the exception handler with the format of all API errors."""

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

from server.api.endpoints import Refusal
from server.errors import PageNotFound
from server.logins.authentication import authenticate_password
from server.logins.event_log import LoginEventKind, log_login_event
from server.logins.factor_rows import has_factor
from server.logins.login_page import format_wait
from server.logins.passwords import must_change_password
from server.logins.throttle import AttemptLimitReached
from server.logins.tokens import create_password_token
from server.models import User
from server.private_apis import to_django_request

PASSWORD_TOKEN_NAME = "made with the password"
"""The name of tokens that a client created with a login name and password."""


class CredentialsSerializer(serializers.Serializer[Any]):
    """A director's name and password."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=128, trim_whitespace=False)


class TokenSerializer(serializers.Serializer[Any]):
    """The token to send as `Authorization: Token …`."""

    token = serializers.CharField()


@extend_schema(
    operation_id="token",
    request=CredentialsSerializer,
    responses={
        200: TokenSerializer,
        400: Refusal,
        403: Refusal,
        429: OpenApiResponse(Refusal, "Wait and try again."),
    },
    auth=[],
)
@api_view(["POST"])
@authentication_classes([])
@permission_classes([])
def create_token(request: Request) -> Response:
    """Give the token that goes with a name and password."""
    credentials = CredentialsSerializer(data=request.data)
    credentials.is_valid(raise_exception=True)
    name, password = (
        credentials.validated_data["username"],
        credentials.validated_data["password"],
    )
    try:
        user = authenticate_password(to_django_request(request), name, password)
    except AttemptLimitReached as wait:
        raise TooManyAttempts(wait) from None
    if user is None:
        raise exceptions.ValidationError(
            _("Wrong name or password."),
            code="wrong_login",
        )
    _check_password_is_enough(user)
    token_text = create_password_token(user, PASSWORD_TOKEN_NAME)
    log_login_event(
        LoginEventKind.TOKEN_MADE,
        user=user,
        request=to_django_request(request),
        detail=PASSWORD_TOKEN_NAME,
    )
    return Response({"token": token_text})


class TooManyAttempts(exceptions.APIException):
    """Too many wrong passwords."""

    status_code = 429
    default_code = "too_many_attempts"

    def __init__(self, wait: AttemptLimitReached) -> None:
        super().__init__(format_wait(wait))
        self.wait = wait.seconds


def _check_password_is_enough(user: User) -> None:
    """Raise PermissionDenied if the login needs a second factor or a new password."""
    if must_change_password(user):
        raise exceptions.PermissionDenied(
            _("Sign in and set your own password first."), code="password_change_needed"
        )
    if has_factor(user):
        raise exceptions.PermissionDenied(
            _("This login uses two-step sign-in. Create a token under Account."),
            code="factor_needed",
        )


def build_error_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """Convert an API exception to a response with `code`, `detail` and, for invalid fields,
    `fields`.
    """
    refusal = _to_api_exception(error)
    if refusal is None:
        return None
    set_rollback()
    return Response(
        _build_error_body(refusal), status=refusal.status_code, headers=_build_headers(refusal)
    )


def _to_api_exception(error: Exception) -> exceptions.APIException | None:
    if isinstance(error, PageNotFound):
        return exceptions.NotFound(error.reason)
    if isinstance(error, Http404):
        return exceptions.NotFound(_("Not found. Check the address."))
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied(str(error) or None)
    if isinstance(error, ValidationError):
        return exceptions.ValidationError(serializers.as_serializer_error(error))
    return error if isinstance(error, exceptions.APIException) else None


def _build_error_body(refusal: exceptions.APIException) -> dict[str, Any]:
    detail = refusal.detail
    if isinstance(detail, list) and len(detail) == 1:
        detail = detail[0]
    if isinstance(detail, str):
        return {"code": getattr(detail, "code", refusal.default_code), "detail": detail}
    return {
        "code": refusal.default_code,
        "detail": " ".join(_list_messages(detail)),
        "fields": detail,
    }


def _list_messages(detail: Any, field: str = "") -> list[str]:
    """Return the messages of an error detail, each with its field's name in front."""
    if isinstance(detail, dict):
        return [
            line for name, part in detail.items() for line in _list_messages(part, str(name))
        ]
    if isinstance(detail, list):
        return [line for part in detail for line in _list_messages(part, field)]
    return [f"{field}: {detail}" if field and field != "non_field_errors" else str(detail)]


def _build_headers(refusal: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if challenge := getattr(refusal, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(refusal, "wait", None):
        headers["Retry-After"] = str(int(wait))
    return headers
