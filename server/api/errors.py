"""The view that creates API tokens, and the exception handler that formats all API errors."""

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

from server.api.endpoints import ErrorResponseSerializer
from server.errors import PageNotFound
from server.logins.authentication import authenticate_password
from server.logins.event_log import LoginEventKind, log_login_event
from server.logins.factor_rows import has_second_factor
from server.logins.login_page import format_wait_message
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
        400: ErrorResponseSerializer,
        403: ErrorResponseSerializer,
        429: OpenApiResponse(ErrorResponseSerializer, "Wait and try again."),
    },
    auth=[],
)
@api_view(["POST"])
@authentication_classes([])
@permission_classes([])
def create_token(request: Request) -> Response:
    """Create a token for a login name and password."""
    credentials = CredentialsSerializer(data=request.data)
    credentials.is_valid(raise_exception=True)
    username, password = (
        credentials.validated_data["username"],
        credentials.validated_data["password"],
    )
    try:
        user = authenticate_password(to_django_request(request), username, password)
    except AttemptLimitReached as attempt_limit:
        raise TooManyAttempts(attempt_limit) from None
    if user is None:
        raise exceptions.ValidationError(
            _("Wrong name or password."),
            code="wrong_login",
        )
    _check_password_login_allowed(user)
    token_text = create_password_token(user, PASSWORD_TOKEN_NAME)
    log_login_event(
        LoginEventKind.TOKEN_CREATED,
        user=user,
        request=to_django_request(request),
        detail=PASSWORD_TOKEN_NAME,
    )
    return Response({"token": token_text})


class TooManyAttempts(exceptions.APIException):
    """Too many wrong passwords."""

    status_code = 429
    default_code = "too_many_attempts"

    def __init__(self, attempt_limit: AttemptLimitReached) -> None:
        super().__init__(format_wait_message(attempt_limit))
        self.wait = attempt_limit.seconds


def _check_password_login_allowed(user: User) -> None:
    """Raise PermissionDenied if the login needs a second factor or a new password."""
    if must_change_password(user):
        raise exceptions.PermissionDenied(
            _("Sign in and set your own password first."), code="password_change_needed"
        )
    if has_second_factor(user):
        raise exceptions.PermissionDenied(
            _("This login uses two-step sign-in. Create a token under Account."),
            code="factor_needed",
        )


def build_error_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """Convert an API exception to a response with `code`, `detail` and, for invalid fields,
    `fields`.
    """
    api_exception = _convert_to_api_exception(error)
    if api_exception is None:
        return None
    set_rollback()
    return Response(
        _build_error_body(api_exception),
        status=api_exception.status_code,
        headers=_build_headers(api_exception),
    )


def _convert_to_api_exception(error: Exception) -> exceptions.APIException | None:
    if isinstance(error, PageNotFound):
        return exceptions.NotFound(error.reason)
    if isinstance(error, Http404):
        return exceptions.NotFound(_("Not found. Check the address."))
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied(str(error) or None)
    if isinstance(error, ValidationError):
        return exceptions.ValidationError(serializers.as_serializer_error(error))
    return error if isinstance(error, exceptions.APIException) else None


def _build_error_body(api_exception: exceptions.APIException) -> dict[str, Any]:
    detail = api_exception.detail
    if isinstance(detail, list) and len(detail) == 1:
        detail = detail[0]
    if isinstance(detail, str):
        return {"code": getattr(detail, "code", api_exception.default_code), "detail": detail}
    return {
        "code": api_exception.default_code,
        "detail": " ".join(_list_messages(detail)),
        "fields": detail,
    }


def _list_messages(detail: Any, field_name: str = "") -> list[str]:
    """Return the messages of an error detail, each preceded by the name of its field."""
    if isinstance(detail, dict):
        return [
            message
            for name, nested_detail in detail.items()
            for message in _list_messages(nested_detail, str(name))
        ]
    if isinstance(detail, list):
        return [
            message
            for nested_detail in detail
            for message in _list_messages(nested_detail, field_name)
        ]
    return [
        f"{field_name}: {detail}"
        if field_name and field_name != "non_field_errors"
        else str(detail)
    ]


def _build_headers(api_exception: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if auth_header := getattr(api_exception, "auth_header", None):
        headers["WWW-Authenticate"] = auth_header
    if wait_seconds := getattr(api_exception, "wait", None):
        headers["Retry-After"] = str(int(wait_seconds))
    return headers
