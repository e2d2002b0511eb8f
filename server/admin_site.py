"""Django's admin site with our access checks; a filter with an invalid value is ignored."""

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
    """The admin site: it requires our login and ignores filters with invalid values."""

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register a model, unless it belongs to a hidden app."""
        is_single_model = isinstance(model_or_iterable, type)
        models: list[Any] = [model_or_iterable] if is_single_model else list(model_or_iterable)
        visible_models = [model for model in models if model._meta.app_label not in HIDDEN_APPS]
        super().register(visible_models, admin_class, **options)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Redirect a visitor to the sign-in page, or a user without a second factor to add one.

        Raises PermissionDenied for a user who may not open the admin site.
        """
        user = request.user
        if not user.is_authenticated:
            query_string = urlencode({"next": request.GET.get("next", request.path)})
            return redirect(f"{settings.LOGIN_URL}?{query_string}")
        if not super().has_permission(request):
            raise PermissionDenied
        messages.warning(request, _("The admin area needs two-step sign-in. Set it up."))
        return redirect("mfa_index")

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may open the admin site.

        On a server the user also needs a second factor.
        """
        from server.logins.factor_rows import (
            has_second_factor,  # models can't be imported before the apps are loaded
        )

        user: Any = request.user
        is_staff = super().has_permission(request)
        return is_staff and (not settings.IS_SERVER_DEPLOYMENT or has_second_factor(user))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Wrap a view: check access, and redirect an invalid filter to the unfiltered list."""
        protected_view = super().admin_view(view, cacheable)

        @wraps(protected_view)
        def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                response: HttpResponse = protected_view(request, *args, **kwargs)
            except FILTER_ERRORS:
                if request.method != "GET" or not set(request.GET) - {ERROR_FLAG}:
                    raise
                return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
            return response

        return wrapper


class ProtectedAdminConfig(AdminConfig):
    """The app configuration that makes Django use ProtectedAdminSite."""

    default_site = "server.admin_site.ProtectedAdminSite"
