"""The wall before every page that is not public."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponseBase


class LoginWall(LoginRequiredMiddleware):
    """Ask for a login, except on public pages.

    Django's own wall looks at the visitor first, even where nobody needs a login; that reads
    the cookie of every page, and no page is then the same for everybody.
    """

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[Any, ...],
        view_kwargs: dict[str, Any],
    ) -> HttpResponseBase | None:
        """Let public views through unasked."""
        if not getattr(view_func, "login_required", True):
            return None
        return super().process_view(request, view_func, view_args, view_kwargs)
