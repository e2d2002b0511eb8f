"""Parts of pages: a page asks for one again and again; who opens its address gets the page."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers

View = Callable[..., HttpResponse]

ASKED_BY_A_PAGE = "HX-Request"
"""What htmx says when a page asks for a part of itself."""


DRAWN = (200, 204)


def part_of(page: str) -> Callable[[View], View]:
    """Let a view draw a part of the page of this name, whose address has the same gaps.

    Whoever opens the part's own address, from a history or a shared link, is led to the page:
    the part alone has no title, no style and no way on.
    """

    def made(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            drawn = view(request, *args, **kwargs)  # it refuses whoever may not look
            if ASKED_BY_A_PAGE not in request.headers and drawn.status_code in DRAWN:
                drawn = HttpResponseRedirect(reverse(page, args=args, kwargs=kwargs))
            patch_vary_headers(drawn, [ASKED_BY_A_PAGE])
            return drawn

        return answer

    return made
