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
from server.logins.forms import MailAddressForm, NewPasswordForm
from server.logins.login_page import AttemptKind, build_throttled_response
from server.logins.passwords import has_no_password_yet
from server.logins.reauthentication import require_recent_login
from server.models import ApiToken, LoginNote, User
from server.numbers import parse_number_or_zero, parse_whole_number
from server.safe_redirects import clean_redirect

ReachableClubsFinder = Callable[[HttpRequest], list[tuple[int, str]]]
"""A function that returns the keys and names of the clubs that a request may access."""
VisibleLoginsFinder = Callable[[HttpRequest], list[int] | None]
"""A function that returns the keys of logins whose log a request may see, or None for all."""
OFFERED_SCOPES = ("read", "score", "direct", "publish")
"""The scopes that a new token may have; "own" is missing because no API operation needs it."""
ROWS_PER_PAGE = 100


class PasswordPage(PasswordChangeView):
    """The page to change the password, which ends the login's other sessions."""

    form_class = NewPasswordForm

    def get_form(self, form_class: object = None) -> Any:
        """Return a form without the old password for a user without a password.

        The other form gets the request, which it needs to count wrong old passwords.
        """
        if has_no_password_yet(_find_current_user(self.request)):
            return SetPasswordForm(**self.get_form_kwargs())
        form = NewPasswordForm(**self.get_form_kwargs())
        form.request = self.request
        return form

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add to the context whether the login has no password yet, and the next URL."""
        context = super().get_context_data(**kwargs)
        next_url = self.request.POST.get("next") or self.request.GET.get("next", "")
        return context | {
            "is_first": not isinstance(context["form"], NewPasswordForm),
            "next": clean_redirect(next_url),
        }

    def form_valid(self, form: object) -> HttpResponse:
        """Save and log the new password, and end all other sessions and tokens."""
        assert isinstance(form, SetPasswordForm)
        user = form.save()
        User.objects.filter(pk=user.pk).update(first_password_until=None)
        user.first_password_until = None
        login_sessions.end_other_sessions(user, kept_request=self.request)
        mails.enqueue_login_notice(
            log_login_event(LoginEventKind.PASSWORD_CHANGED, user=user, request=self.request)
        )
        if target_url := clean_redirect(self.request.POST.get("next", "")):
            messages.success(self.request, _("Password saved."))
            return redirect(target_url)
        return redirect("password_change_done")


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def request_password_reset(request: HttpRequest) -> HttpResponse:
    """Send a reset link by mail; the response does not reveal whether the address is known."""
    if not settings.HAS_MAIL:
        raise PageNotFound(
            _("This site sends no e-mail. Ask your club’s owner for a new password.")
        )
    mail_address = request.POST.get("address", "").strip()[:254]
    if mail_address:
        try:
            throttle.count_attempt(request, f"mail to {mail_address}")
        except throttle.AttemptLimitReached as attempt_limit:
            return build_throttled_response(
                request, attempt_limit, AttemptKind.PASSWORD_RESET_MAIL
            )
        for user in mails.enqueue_reset_mails(mail_address):
            log_login_event(LoginEventKind.PASSWORD_RESET_REQUESTED, user=user, request=request)
    return render(request, "registration/forgotten.html", {"is_sent": bool(mail_address)})


class PasswordResetPage(PasswordResetConfirmView):
    """The page to set a new password, opened by the link in a mail."""

    template_name = "registration/reset.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        """Save and log the new password, and end all sessions and tokens."""
        response = super().form_valid(form)
        User.objects.filter(pk=form.user.pk).update(first_password_until=None)
        login_sessions.end_other_sessions(form.user)
        mails.enqueue_login_notice(
            log_login_event(LoginEventKind.PASSWORD_RESET, user=form.user, request=self.request)
        )
        messages.success(self.request, _("Password saved. Sign in with your new password."))
        return response


@require_recent_login
def edit_mail_address(request: HttpRequest) -> HttpResponseBase:
    """Change the mail address of the login."""
    user = _find_current_user(request)
    form = MailAddressForm(request.POST if request.method == "POST" else None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("E-mail address saved."))
        return redirect("account")
    return render(request, "server/mail.html", {"form": form})


@require_recent_login
def show_tokens(
    request: HttpRequest, find_reachable_clubs: ReachableClubsFinder
) -> HttpResponseBase:
    """Show the login's tokens; a POST creates one and shows its text once."""
    user, reachable_clubs = _find_current_user(request), find_reachable_clubs(request)
    token_text = ""
    if request.method == "POST":
        name = request.POST.get("name", "").strip()
        scopes = tuple(
            scope for scope in OFFERED_SCOPES if scope in request.POST.getlist("scopes")
        )
        days = parse_whole_number(
            request.POST.get("days", ""), maximum=tokens.MAX_TOKEN_VALIDITY_DAYS
        )
        club_pk = parse_number_or_zero(request.POST.get("club", "")) or None
        if (
            not name
            or not scopes
            or not days
            or (club_pk and club_pk not in dict(reachable_clubs))
        ):
            messages.error(
                request,
                _("Enter a name, choose at least one right, and 1 to 365 days."),
            )
        else:
            token, token_text = tokens.create_token(
                user, name=name, scopes=scopes, club_pk=club_pk, days=days
            )
            login_note = log_login_event(
                LoginEventKind.TOKEN_CREATED, user=user, request=request, detail=token.name
            )
            mails.enqueue_login_notice(login_note)
    context = {
        "tokens": [
            (token, _format_token_club(token, reachable_clubs))
            for token in tokens.list_valid_tokens(user)
        ],
        "scopes": [(scope, tokens.SCOPES[scope]) for scope in OFFERED_SCOPES],
        "clubs": reachable_clubs if len(reachable_clubs) > 1 else [],
        "usual": tokens.DEFAULT_TOKEN_VALIDITY_DAYS,
        "longest": tokens.MAX_TOKEN_VALIDITY_DAYS,
        "shown": token_text,
    }
    return render(request, "server/tokens.html", context)


def _format_token_club(token: ApiToken, reachable_clubs: Sequence[tuple[int, str]]) -> str:
    """Return the name of the one club that a token may access, or "" for all clubs."""
    if token.club is None:
        return ""
    return dict(reachable_clubs).get(token.club) or _("club not found, or not yours")


@require_POST
@require_recent_login
def revoke_token(request: HttpRequest) -> HttpResponseBase:
    """Revoke a token of the login."""
    user = _find_current_user(request)
    token = tokens.revoke_token(user, parse_number_or_zero(request.POST.get("token")))
    if token is not None:
        log_login_event(
            LoginEventKind.TOKEN_REVOKED, user=user, request=request, detail=token.name
        )
        messages.success(request, _("Token “%(name)s” cancelled.") % {"name": token.name})
    return redirect("tokens")


@require_safe
def show_devices(request: HttpRequest) -> HttpResponse:
    """Show the sessions of the login."""
    user = _find_current_user(request)
    context = {
        "rows": login_sessions.list_login_sessions(user),
        "here": request.session.session_key,
        "on_a_server": settings.IS_SERVER_DEPLOYMENT,
    }
    return render(request, "server/devices.html", context)


@require_POST
@require_recent_login
def end_sessions(request: HttpRequest) -> HttpResponseBase:
    """End one or all of the login's other sessions."""
    user = _find_current_user(request)
    if request.POST.get("device"):
        login_sessions.end_session(user, parse_number_or_zero(request.POST.get("device")))
        messages.success(request, _("Device signed out."))
    else:
        login_sessions.end_other_sessions(
            user, kept_request=request, should_revoke_tokens=False
        )
        messages.success(request, _("All other devices signed out."))
    log_login_event(LoginEventKind.OTHER_DEVICES_SIGNED_OUT, user=user, request=request)
    return redirect("devices")


@require_safe
def show_login_log(
    request: HttpRequest, find_visible_logins: VisibleLoginsFinder
) -> HttpResponse:
    """Show the log of the logins in the owner's clubs, newest entry first."""
    paginator = Paginator(
        _select_visible_login_notes(request, find_visible_logins), ROWS_PER_PAGE
    )
    page = paginator.get_page(parse_number_or_zero(request.GET.get("page")) or 1)
    return render(request, "server/login_log.html", {"page": page})


@require_safe
def download_login_log(
    request: HttpRequest, find_visible_logins: VisibleLoginsFinder
) -> StreamingHttpResponse:
    """Return the login log as a CSV file."""
    response = StreamingHttpResponse(
        _iter_csv_lines(_select_visible_login_notes(request, find_visible_logins)),
        content_type="text/csv; charset=utf-8",
    )
    response.headers["Content-Disposition"] = 'attachment; filename="logins.csv"'
    return response


class _LineEcho:
    """A file-like object for the CSV writer whose `write` returns the line."""

    def write(self, text: str) -> str:
        return text


def _iter_csv_lines(login_notes: QuerySet[LoginNote]) -> Iterator[str]:
    writer = csv.writer(_LineEcho())
    yield writer.writerow(["at", "name", "what", "device", "address", "detail"])
    for login_note in login_notes.iterator(chunk_size=500):
        cells = [login_note.at.isoformat(timespec="seconds"), login_note.name, login_note.what]
        yield writer.writerow(
            [
                *cells,
                *map(
                    _escape_formula, (login_note.device, login_note.address, login_note.detail)
                ),
            ]
        )


def _escape_formula(cell_text: str) -> str:
    """Return a cell's text in a form that no spreadsheet evaluates as a formula."""
    return f"'{cell_text}" if cell_text[:1] in ("=", "+", "-", "@") else cell_text


def _select_visible_login_notes(
    request: HttpRequest, find_visible_logins: VisibleLoginsFinder
) -> QuerySet[LoginNote]:
    login_notes = LoginNote.objects.order_by("-at", "-pk")
    visible_logins = find_visible_logins(request)
    if visible_logins is None:
        return login_notes
    if not visible_logins:
        raise PermissionDenied(_("Only an owner can see the login log."))
    return login_notes.filter(user__in=visible_logins)


def _find_current_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # the login middleware guarantees a signed-in user
    return request.user
