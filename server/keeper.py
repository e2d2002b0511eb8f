"""The keeper's pages, and what they answer to a list asked for in a way no list can follow."""

from functools import wraps
from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.contrib.admin.views.main import ERROR_FLAG
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

UNREADABLE = (ValueError, TypeError, OverflowError, DatabaseError)
"""What Django's lists let through where a filter in an address is no value of its column."""


class KeeperSite(AdminSite):
    """Django's own site; a filter that it cannot follow is left out, as most others are."""

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Guard a page, and lead from an address that cannot be read to the page itself."""
        guarded = super().admin_view(view, cacheable)

        @wraps(guarded)
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                answered: HttpResponse = guarded(request, *args, **kwargs)
            except UNREADABLE:
                if request.method != "GET" or not set(request.GET) - {ERROR_FLAG}:
                    raise
                return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
            return answered

        return answer


class Keeper(AdminConfig):
    """Let Django's administration use our site."""

    default_site = "server.keeper.KeeperSite"
