"""Django's administration site, with access checks and redirects for invalid filters."""

from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.translation import gettext as _

FILTER_ERRORS = (ValueError, TypeError, OverflowError, DatabaseError)
"""Errors that Django's list pages raise for a filter with an invalid value."""


HIDDEN_APPS = {"account", "mfa"}
"""Libraries whose models are not shown, since they store second factors."""


class ProtectedAdminSite(AdminSite):
    """Django's administration site, which ignores filters that cannot be applied."""

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register a model, unless it belongs to a hidden app."""
        one = isinstance(model_or_iterable, type)
        given: list[Any] = [model_or_iterable] if one else list(model_or_iterable)
        shown = [each for each in given if each._meta.app_label not in HIDDEN_APPS]
        super().register(shown, admin_class, **options)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Redirect to the sign-in page: the login lacks a permission or a second factor."""
        user = request.user
        if not user.is_authenticated:
            to = urlencode({"next": request.GET.get("next", request.path)})
            return redirect(f"{settings.LOGIN_URL}?{to}")
        if not super().has_permission(request):
            raise PermissionDenied
        messages.warning(request, _("The admin area needs two-step sign-in. Set it up."))
        return redirect("mfa_index")

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the login may use the site; a server also requires a second factor."""
        from server.logins.factor_rows import has_factor  # at import no models are loaded

        user: Any = request.user
        is_staff = super().has_permission(request)
        return is_staff and (not settings.ON_A_SERVER or has_factor(user))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Protect a view, and redirect an invalid filter to the unfiltered page."""
        guarded = super().admin_view(view, cacheable)

        @wraps(guarded)
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                answered: HttpResponse = guarded(request, *args, **kwargs)
            except FILTER_ERRORS:
                if request.method != "GET" or not set(request.GET) - {ERROR_FLAG}:
                    raise
                return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
            return answered

        return answer


class ProtectedAdminConfig(AdminConfig):
    """The app configuration that makes Django use ProtectedAdminSite."""

    default_site = "server.admin_site.ProtectedAdminSite"
