"""HTMX fragments of pages. A fragment's URL opened directly redirects to its page."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers

View = Callable[..., HttpResponse]

HTMX_HEADER = "HX-Request"
"""The request header that htmx sends."""


RENDERED_STATUSES = (200, 204)


def fragment_of(page: str) -> Callable[[View], View]:
    """Decorate a view that renders a fragment of the page with this URL name and arguments.

    A request without htmx, from the browser history or a shared link, is redirected to the
    page: the fragment has no title, style or navigation.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            drawn = view(request, *args, **kwargs)  # checks permissions
            if HTMX_HEADER not in request.headers and drawn.status_code in RENDERED_STATUSES:
                drawn = HttpResponseRedirect(reverse(page, args=args, kwargs=kwargs))
            patch_vary_headers(drawn, [HTMX_HEADER])
            return drawn

        return answer

    return decorate
