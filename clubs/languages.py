"""The language of a club's papers, e-mails, big screen and directors' pages.

Public pages are in the reader's language (`server.languages`). If a club has not chosen a
language, papers and e-mails are in the language of the installation, and pages in the reader's.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from clubs.models import Club
from clubs.permissions import list_memberships

DIRECTOR_PATH_PREFIX = "/director/"


class DirectorLanguageMiddleware:
    """Middleware that shows directors' pages in the language of the user's clubs.

    If the user's clubs have different languages, a page of one club is in the language of that
    club (`clubs.activities.activity_access`). Other pages are in the reader's language. This
    middleware must come after the login middleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response; the language is activated by `process_view`."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        """Activate the language of the user's clubs if they all have the same one.

        The memberships are cached for the permission checks.
        """
        if len(settings.LANGUAGES) < 2 or not is_director_page(request):
            return
        if request.user.is_authenticated:
            languages = {membership.club.language for membership in list_memberships(request)}
            if len(languages) == 1:
                activate_language(languages.pop())


def is_director_page(request: HttpRequest) -> bool:
    """Return whether the request is for a directors' page, whose language the club chooses."""
    return request.path_info.startswith(DIRECTOR_PATH_PREFIX)


def activate_language(language: str) -> None:
    """Activate a club's language for the rest of the request; "" changes nothing."""
    if language:
        translation.activate(language)


def override_language(club_id: int | None) -> AbstractContextManager[None]:
    """Return a context manager that activates a club's language, for work outside requests.

    Without a club, or if the club has chosen no language, it activates the language of the
    installation. This function executes at most one query.
    """
    language = ""
    if club_id is not None:
        languages = Club.objects.filter(pk=club_id).values_list("language", flat=True)
        language = languages.first() or ""
    return translation.override(language or settings.LANGUAGE_CODE)
