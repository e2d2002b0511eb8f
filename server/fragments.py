"""HTMX fragments of pages. A fragment's URL opened directly redirects to its page."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers

View = Callable[..., HttpResponse]

ASKED_BY_A_PAGE = "HX-Request"
"""The header of an htmx request from a page."""


DRAWN = (200, 204)


def fragment_of(page: str) -> Callable[[View], View]:
    """Make a view render a fragment of the page with this URL name and the same arguments.

    Opened directly, from a history or a shared link, the fragment's URL redirects to the page:
    a fragment has no title, no style and no navigation.
    """

    def made(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            drawn = view(request, *args, **kwargs)  # checks permissions
            if ASKED_BY_A_PAGE not in request.headers and drawn.status_code in DRAWN:
                drawn = HttpResponseRedirect(reverse(page, args=args, kwargs=kwargs))
            patch_vary_headers(drawn, [ASKED_BY_A_PAGE])
            return drawn

        return answer

    return made
