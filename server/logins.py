"""The door: its page, who is asking, and what guessing at passwords meets."""

from typing import Any

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext


class LoginForm(AuthenticationForm):
    """The name and the password of who directs or scores."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": gettext_lazy(
            "This name and this password do not belong together. Type both again; "
            "capital and small letters are different."
        ),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = gettext_lazy("Name")


class LoginPage(LoginView):
    """The page to sign in; it says where a name and a password come from."""

    authentication_form = LoginForm
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add whether this machine has the demo club, whose login the start has printed."""
        has_demo = (settings.DATA_DIR / "demo_login.txt").exists()
        return super().get_context_data(**kwargs) | {"has_demo": has_demo}


def client_address(request: HttpRequest) -> str:
    """Return the address that a login comes from.

    Behind the server's proxy it is the last address that the proxy itself wrote down; whatever
    a client claims stands before it and is not believed.
    """
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.ON_A_SERVER else ""
    return str(forwarded.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR", ""))


def locked_out(
    request: HttpRequest, response: HttpResponse | None = None, *args: Any, **kwargs: Any
) -> HttpResponse:
    """Answer a login after too many wrong passwords, as a page or, under /api/, as JSON."""
    minutes = int(settings.AXES_COOLOFF_TIME.total_seconds() // 60)
    wait = ngettext(
        "Too many wrong passwords. Wait %(minutes)d minute and try again.",
        "Too many wrong passwords. Wait %(minutes)d minutes and try again.",
        minutes,
    ) % {"minutes": minutes}
    if request.path.startswith("/api/"):
        return JsonResponse({"code": "too_many_attempts", "detail": wait}, status=429)
    context = {"title": _("Wait a little"), "wait": wait, "minutes": minutes}
    return render(request, "registration/locked.html", context, status=429)
