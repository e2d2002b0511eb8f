"""The language of a request: the reader's choice, or the browser's first language we have.

The reader's choice is in a cookie, stored by `server.display_settings`. Django's own functions
compare it and the Accept-Language header with the languages that have a catalogue.
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
"""The language of API responses, whatever the client's: programs compare their texts."""
LANGUAGE_COOKIE = re.compile(rf"{settings.LANGUAGE_COOKIE_NAME}=[A-Za-z-]{{2,10}}")
MAX_REMEMBERED_LENGTH = 200


class LanguageMiddleware(LocaleMiddleware):
    """Django's LocaleMiddleware, except that the API has one language."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the language of the reader, or that of the API."""
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

    It is called for each page from the cache, where Django's function would take a tenth of the
    time. Browsers send few different headers; longer ones are not remembered.
    """
    cookies = request.META.get("HTTP_COOKIE", "")
    accepted = request.META.get("HTTP_ACCEPT_LANGUAGE", "")
    if len(cookies) + len(accepted) > MAX_REMEMBERED_LENGTH:
        return get_language_from_request(request)
    return find_language(cookies, accepted)


@lru_cache(maxsize=1000)
def find_language(cookies: str, accepted: str) -> str:
    """Return the language for the headers Cookie and Accept-Language, by Django's rules."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(cookies)
    request.META = {"HTTP_ACCEPT_LANGUAGE": accepted}
    return get_language_from_request(request)


def has_only_language_cookie(cookies: str) -> bool:
    """Return whether a Cookie header has the reader's language and nothing else."""
    return LANGUAGE_COOKIE.fullmatch(cookies) is not None


def list_language_choices() -> list[tuple[str, str]]:
    """List the languages by code, each with its own name; [] if there is only one."""
    return settings.LANGUAGES if len(settings.LANGUAGES) > 1 else []
