"""HTMX fragments: opened directly, the URL of a fragment redirects to its page."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers

ViewFunction = Callable[..., HttpResponse]

HTMX_HEADER = "HX-Request"
"""The request header that htmx sends."""


SUCCESS_STATUS_CODES = (200, 204)


def redirect_unless_htmx(page_url_name: str) -> Callable[[ViewFunction], ViewFunction]:
    """Return a decorator for views that render a fragment of the page with this URL name.

    The page takes the same URL arguments. A request that htmx did not send, e.g. from a shared
    link, is redirected to the page, since a fragment has no title, style or navigation.
    """

    def decorate(view: ViewFunction) -> ViewFunction:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            # the view is also called before a redirect, because it checks permissions
            response = view(request, *args, **kwargs)
            if (
                HTMX_HEADER not in request.headers
                and response.status_code in SUCCESS_STATUS_CODES
            ):
                response = HttpResponseRedirect(
                    reverse(page_url_name, args=args, kwargs=kwargs)
                )
            patch_vary_headers(response, [HTMX_HEADER])
            return response

        return wrapper

    return decorate
