"""The account pages of a login: password, tokens and sessions; and the login log for owners."""

import csv
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from server.errors import PageNotFound
from server.logins import login_sessions, mails, throttle, tokens
from server.logins.event_log import LoginEventKind, log_login_event
from server.logins.forms import MailForm, NewPasswordForm
from server.logins.login_page import AttemptKind, build_locked_response
from server.logins.passwords import has_no_password_yet
from server.logins.reauthentication import require_recent_login
from server.models import ApiToken, LoginNote, User
from server.numbers import parse_number_or_zero, parse_whole_number
from server.safe_redirects import clean_redirect

ReachableClubs = Callable[[HttpRequest], list[tuple[int, str]]]
"""A function that returns the keys and names of the clubs that a request may access."""
VisibleLogins = Callable[[HttpRequest], list[int] | None]
"""A function that returns the keys of the logins whose log a request may see.

None means all.
"""
OFFERED_SCOPES = ("read", "score", "direct", "publish")
"""The scopes that a token may have; no API operation needs an owner yet."""
ROWS_PER_PAGE = 100


class PasswordPage(PasswordChangeView):
    """The page to change the password, which ends the login's other sessions."""

    form_class = NewPasswordForm

    def get_form(self, form_class: object = None) -> Any:
        """Build the form with the request, which is needed to count wrong old passwords."""
        if has_no_password_yet(_find_current_user(self.request)):
            return SetPasswordForm(**self.get_form_kwargs())
        form = NewPasswordForm(**self.get_form_kwargs())
        form.request = self.request
        return form

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add whether this is the first password, and the page to return to."""
        context = super().get_context_data(**kwargs)
        back = self.request.POST.get("next") or self.request.GET.get("next", "")
        return context | {
            "is_first": not isinstance(context["form"], NewPasswordForm),
            "next": clean_redirect(back),
        }

    def form_valid(self, form: object) -> HttpResponse:
        """Save and log the new password, and end all other sessions and tokens."""
        assert isinstance(form, SetPasswordForm)
        user = form.save()
        User.objects.filter(pk=user.pk).update(first_password_until=None)
        user.first_password_until = None
        login_sessions.end_other_sessions(user, keep=self.request)
        mails.notify_login(
            log_login_event(LoginEventKind.PASSWORD, user=user, request=self.request)
        )
        if to := clean_redirect(self.request.POST.get("next", "")):
            messages.success(self.request, _("Password saved."))
            return redirect(to)
        return redirect("password_change_done")


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def request_password_reset(request: HttpRequest) -> HttpResponse:
    """Send a reset link by mail; the response is the same for every address."""
    if not settings.HAS_MAIL:
        raise PageNotFound(
            _("This site sends no e-mail. Ask your club's owner for a new password.")
        )
    address = request.POST.get("address", "").strip()[:254]
    if address:
        try:
            throttle.count_attempt(request, f"mail to {address}")
        except throttle.AttemptLimitReached as wait:
            return build_locked_response(request, wait, AttemptKind.RESET_MAIL)
        for user in mails.enqueue_resets(address):
            log_login_event(LoginEventKind.RESET_ASKED, user=user, request=request)
    return render(request, "registration/forgotten.html", {"is_sent": bool(address)})


class ResetPage(PasswordResetConfirmView):
    """The page to set a new password, opened through the mailed link."""

    template_name = "registration/reset.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        """Save and log the new password, and end all sessions and tokens."""
        answer = super().form_valid(form)
        User.objects.filter(pk=form.user.pk).update(first_password_until=None)
        login_sessions.end_other_sessions(form.user)
        mails.notify_login(
            log_login_event(LoginEventKind.RESET, user=form.user, request=self.request)
        )
        messages.success(self.request, _("Password saved. Sign in with it."))
        return answer


@require_recent_login
def edit_mail_address(request: HttpRequest) -> HttpResponseBase:
    """Change the mail address of the login."""
    user = _find_current_user(request)
    form = MailForm(request.POST if request.method == "POST" else None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("E-mail address saved."))
        return redirect("account")
    return render(request, "server/mail.html", {"form": form})


@require_recent_login
def show_tokens(request: HttpRequest, clubs: ReachableClubs) -> HttpResponseBase:
    """Show the login's tokens; on POST create one, whose secret only this response shows."""
    user, reached = _find_current_user(request), clubs(request)
    shown = ""
    if request.method == "POST":
        name = request.POST.get("name", "").strip()
        scopes = tuple(
            each for each in OFFERED_SCOPES if each in request.POST.getlist("scopes")
        )
        days = parse_whole_number(request.POST.get("days", ""), most=tokens.MAX_DAYS)
        club = parse_number_or_zero(request.POST.get("club", "")) or None
        if not name or not scopes or not days or (club and club not in dict(reached)):
            messages.error(
                request,
                _("Enter a name, choose at least one right, and 1 to 365 days."),
            )
        else:
            row, shown = tokens.create_token(
                user, name=name, scopes=scopes, club=club, days=days
            )
            noted = log_login_event(
                LoginEventKind.TOKEN_MADE, user=user, request=request, detail=row.name
            )
            mails.notify_login(noted)
    context = {
        "tokens": [
            (row, _format_token_club(row, reached)) for row in tokens.list_valid_tokens(user)
        ],
        "scopes": [(each, tokens.SCOPES[each]) for each in OFFERED_SCOPES],
        "clubs": reached if len(reached) > 1 else [],
        "usual": tokens.DEFAULT_DAYS,
        "longest": tokens.MAX_DAYS,
        "shown": shown,
    }
    return render(request, "server/tokens.html", context)


def _format_token_club(row: ApiToken, reached: Sequence[tuple[int, str]]) -> str:
    """Return the name of the only club that a token may access, or "" for all."""
    if row.club is None:
        return ""
    return dict(reached).get(row.club) or _("for a club that isn't here or isn't yours")


@require_POST
@require_recent_login
def end_token(request: HttpRequest) -> HttpResponseBase:
    """Revoke one of the login's tokens."""
    user = _find_current_user(request)
    row = tokens.revoke_token(user, parse_number_or_zero(request.POST.get("token")))
    if row is not None:
        log_login_event(LoginEventKind.TOKEN_ENDED, user=user, request=request, detail=row.name)
        messages.success(request, _("Token “%(name)s” cancelled.") % {"name": row.name})
    return redirect("tokens")


@require_safe
def show_devices(request: HttpRequest) -> HttpResponse:
    """Show the sessions of the login."""
    user = _find_current_user(request)
    context = {
        "rows": login_sessions.list_sessions(user),
        "here": request.session.session_key,
        "on_a_server": settings.ON_A_SERVER,
    }
    return render(request, "server/devices.html", context)


@require_POST
@require_recent_login
def end_sessions(request: HttpRequest) -> HttpResponseBase:
    """End one other session of the login, or all of them."""
    user = _find_current_user(request)
    if request.POST.get("device"):
        login_sessions.end_session(user, parse_number_or_zero(request.POST.get("device")))
        messages.success(request, _("Device signed out."))
    else:
        login_sessions.end_other_sessions(user, keep=request, tokens=False)
        messages.success(request, _("All other devices signed out."))
    log_login_event(LoginEventKind.ENDED, user=user, request=request)
    return redirect("devices")


@require_safe
def show_login_log(request: HttpRequest, seen: VisibleLogins) -> HttpResponse:
    """Show the log of the logins in the owner's clubs, newest entry first."""
    pages = Paginator(_select_visible_events(request, seen), ROWS_PER_PAGE)
    page = pages.get_page(parse_number_or_zero(request.GET.get("page")) or 1)
    return render(request, "server/login_log.html", {"page": page})


@require_safe
def download_login_log(request: HttpRequest, seen: VisibleLogins) -> StreamingHttpResponse:
    """Return the login log as a CSV file."""
    response = StreamingHttpResponse(
        _iter_csv_lines(_select_visible_events(request, seen)),
        content_type="text/csv; charset=utf-8",
    )
    response.headers["Content-Disposition"] = 'attachment; filename="logins.csv"'
    return response


class _LineEcho:
    """A file-like object whose `write` returns the line, for the CSV writer."""

    def write(self, text: str) -> str:
        return text


def _iter_csv_lines(rows: QuerySet[LoginNote]) -> Iterator[str]:
    writer = csv.writer(_LineEcho())
    yield writer.writerow(["at", "name", "what", "device", "address", "detail"])
    for row in rows.iterator(chunk_size=500):
        cells = [row.at.isoformat(timespec="seconds"), row.name, row.what]
        yield writer.writerow(
            [*cells, *map(_escape_formula, (row.device, row.address, row.detail))]
        )


def _escape_formula(text: str) -> str:
    """Return a cell's text in a form that no spreadsheet evaluates as a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def _select_visible_events(request: HttpRequest, seen: VisibleLogins) -> QuerySet[LoginNote]:
    rows = LoginNote.objects.order_by("-at", "-pk")
    among = seen(request)
    if among is None:
        return rows
    if not among:
        raise PermissionDenied(_("Only an owner can see the login log."))
    return rows.filter(user__in=among)


def _find_current_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # the login middleware guarantees a signed-in user
    return request.user
