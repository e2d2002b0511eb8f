"""The language of a request: the user's choice, or else a language that the browser requests.

The user's choice is in a cookie, stored by `server.display_settings`. Django's own functions
compare the cookie and the Accept-Language header with the languages that have a catalogue.
"""

import re
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, parse_cookie
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.translation import get_language_from_request

API_PREFIX = "/api/"
API_LANGUAGE = "en"
"""The language of all API responses, because programs compare the texts."""
LANGUAGE_COOKIE_PATTERN = re.compile(rf"{settings.LANGUAGE_COOKIE_NAME}=[A-Za-z-]{{2,10}}")
MAX_CACHED_HEADER_LENGTH = 200


class LanguageMiddleware(LocaleMiddleware):
    """Django's LocaleMiddleware, except that the API has one language."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the language of the user, or that of the API."""
        if request.path_info.startswith(API_PREFIX):
            translation.activate(API_LANGUAGE)
        else:
            super().process_request(request)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Add the headers Content-Language and Vary, except to the API's responses."""
        if request.path_info.startswith(API_PREFIX):
            return response
        return super().process_response(request, response)


def get_request_language(request: HttpRequest) -> str:
    """Return the language in which a public page is rendered for this request.

    Results are cached by the two headers. Without this cache, Django's function would take a
    tenth of the time in which a cached page is served. Long headers are not cached.
    """
    cookie_header = request.META.get("HTTP_COOKIE", "")
    accept_header = request.META.get("HTTP_ACCEPT_LANGUAGE", "")
    if len(cookie_header) + len(accept_header) > MAX_CACHED_HEADER_LENGTH:
        return get_language_from_request(request)
    return find_language(cookie_header, accept_header)


@lru_cache(maxsize=1000)
def find_language(cookie_header: str, accept_header: str) -> str:
    """Return the language for the headers Cookie and Accept-Language, by Django's rules."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(cookie_header)
    request.META = {"HTTP_ACCEPT_LANGUAGE": accept_header}
    return get_language_from_request(request)


def has_only_language_cookie(cookie_header: str) -> bool:
    """Return whether a Cookie header has only the language cookie."""
    return LANGUAGE_COOKIE_PATTERN.fullmatch(cookie_header) is not None


def list_language_choices() -> list[tuple[str, str]]:
    """List the languages by code, each with its own name; [] if there is only one."""
    return settings.LANGUAGES if len(settings.LANGUAGES) > 1 else []
