"""The pages of a login: password, tokens, devices, and the login log for owners."""

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

from server.logins import mails, signins, throttle, tokens
from server.logins.forms import MailForm, NewPassword
from server.logins.notes import What, log_login_event
from server.logins.page import Tried, locked_out
from server.logins.passwords import has_no_password_yet
from server.logins.reauthentication import require_recent_login
from server.models import ApiToken, LoginNote, User
from server.numbers import number_or_zero, whole_number
from server.refusals import PageMissing
from server.safe_redirects import safe_redirect

Clubs = Callable[[HttpRequest], list[tuple[int, str]]]
"""Returns the keys and names of the clubs in which a request's login has rights."""
Seen = Callable[[HttpRequest], list[int] | None]
"""Returns the keys of the logins whose log a request may see; None means all."""
OFFERED = ("read", "score", "direct", "publish")
"""Scopes that a token may have; no API operation needs an owner yet."""
ON_A_PAGE = 100


class PasswordPage(PasswordChangeView):
    """A new password; it ends the login's other sessions."""

    form_class = NewPassword

    def get_form(self, form_class: object = None) -> Any:
        """Return the form; the one of a changed password counts wrong old ones."""
        if has_no_password_yet(_login(self.request)):
            return SetPasswordForm(**self.get_form_kwargs())
        form = NewPassword(**self.get_form_kwargs())
        form.request = self.request
        return form

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add whether this is the first password, and the page to return to."""
        context = super().get_context_data(**kwargs)
        back = self.request.POST.get("next") or self.request.GET.get("next", "")
        return context | {
            "is_first": not isinstance(context["form"], NewPassword),
            "next": safe_redirect(back),
        }

    def form_valid(self, form: object) -> HttpResponse:
        """Save it, log it, and end everything the old one opened."""
        assert isinstance(form, SetPasswordForm)
        user = form.save()
        User.objects.filter(pk=user.pk).update(first_password_until=None)
        user.first_password_until = None
        signins.end_other_sessions(user, keep=self.request)
        mails.notify_login(log_login_event(What.PASSWORD, user=user, request=self.request))
        if to := safe_redirect(self.request.POST.get("next", "")):
            messages.success(self.request, _("Password saved."))
            return redirect(to)
        return redirect("password_change_done")


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Request a reset link; the response is the same for every address."""
    if not settings.HAS_MAIL:
        raise PageMissing(
            _("This site sends no e-mail. Ask your club's owner for a new password.")
        )
    address = request.POST.get("address", "").strip()[:254]
    if address:
        try:
            throttle.count_attempt(request, f"mail to {address}")
        except throttle.Wait as wait:
            return locked_out(request, wait, Tried.LETTER)
        for user in mails.enqueue_resets(address):
            log_login_event(What.RESET_ASKED, user=user, request=request)
    return render(request, "registration/forgotten.html", {"is_sent": bool(address)})


class ResetPage(PasswordResetConfirmView):
    """A new password through the mailed link, valid once within half an hour."""

    template_name = "registration/reset.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        """Save it, log it, and end everything the old one opened."""
        answer = super().form_valid(form)
        User.objects.filter(pk=form.user.pk).update(first_password_until=None)
        signins.end_other_sessions(form.user)
        mails.notify_login(log_login_event(What.RESET, user=form.user, request=self.request))
        messages.success(self.request, _("The new password is saved. Sign in with it."))
        return answer


@require_recent_login
def own_mail(request: HttpRequest) -> HttpResponseBase:
    """Change the mail address of the login."""
    user = _login(request)
    form = MailForm(request.POST if request.method == "POST" else None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("The address is saved."))
        return redirect("account")
    return render(request, "server/mail.html", {"form": form})


@require_recent_login
def own_tokens(request: HttpRequest, clubs: Clubs) -> HttpResponseBase:
    """List the login's tokens; make one, which only this response shows."""
    user, reached = _login(request), clubs(request)
    shown = ""
    if request.method == "POST":
        name = request.POST.get("name", "").strip()
        scopes = tuple(each for each in OFFERED if each in request.POST.getlist("scopes"))
        days = whole_number(request.POST.get("days", ""), most=tokens.LONGEST)
        club = number_or_zero(request.POST.get("club", "")) or None
        if not name or not scopes or not days or (club and club not in dict(reached)):
            messages.error(
                request,
                _("Give it a name, at least one thing it may do, and 1 to 365 days."),
            )
        else:
            row, shown = tokens.make_token(user, name=name, scopes=scopes, club=club, days=days)
            noted = log_login_event(
                What.TOKEN_MADE, user=user, request=request, detail=row.name
            )
            mails.notify_login(noted)
    context = {
        "tokens": [(row, _club_of(row, reached)) for row in tokens.valid_tokens_of(user)],
        "scopes": [(each, tokens.SCOPES[each]) for each in OFFERED],
        "clubs": reached if len(reached) > 1 else [],
        "usual": tokens.USUAL,
        "longest": tokens.LONGEST,
        "shown": shown,
    }
    return render(request, "server/tokens.html", context)


def _club_of(row: ApiToken, reached: Sequence[tuple[int, str]]) -> str:
    """Return the only club that a token reaches, "" for all."""
    if row.club is None:
        return ""
    return dict(reached).get(row.club) or _("for a club that is not here or not yours any more")


@require_POST
@require_recent_login
def token_end(request: HttpRequest) -> HttpResponseBase:
    """Revoke one of the tokens."""
    user = _login(request)
    row = tokens.revoke_token(user, number_or_zero(request.POST.get("token")))
    if row is not None:
        log_login_event(What.TOKEN_ENDED, user=user, request=request, detail=row.name)
        messages.success(request, _("“%(name)s” is refused from now on.") % {"name": row.name})
    return redirect("tokens")


@require_safe
def devices(request: HttpRequest) -> HttpResponse:
    """List the sessions of the login."""
    user = _login(request)
    context = {
        "rows": signins.sessions_of(user),
        "here": request.session.session_key,
        "on_a_server": settings.ON_A_SERVER,
    }
    return render(request, "server/devices.html", context)


@require_POST
@require_recent_login
def devices_end(request: HttpRequest) -> HttpResponseBase:
    """End one other session, or all of them."""
    user = _login(request)
    if request.POST.get("device"):
        signins.end_session(user, number_or_zero(request.POST.get("device")))
        messages.success(request, _("That device is signed out."))
    else:
        signins.end_other_sessions(user, keep=request, tokens=False)
        messages.success(request, _("Only this device is signed in now."))
    log_login_event(What.ENDED, user=user, request=request)
    return redirect("devices")


@require_safe
def login_log(request: HttpRequest, seen: Seen) -> HttpResponse:
    """Show the log of the logins of the owner's clubs, newest first."""
    pages = Paginator(_lines(request, seen), ON_A_PAGE)
    page = pages.get_page(number_or_zero(request.GET.get("page")) or 1)
    return render(request, "server/login_log.html", {"page": page})


@require_safe
def login_log_file(request: HttpRequest, seen: Seen) -> StreamingHttpResponse:
    """Return the same as a CSV file."""
    response = StreamingHttpResponse(
        _written(_lines(request, seen)), content_type="text/csv; charset=utf-8"
    )
    response.headers["Content-Disposition"] = 'attachment; filename="logins.csv"'
    return response


class _Line:
    """A file-like object for the CSV writer that returns each line."""

    def write(self, text: str) -> str:
        return text


def _written(rows: QuerySet[LoginNote]) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield writer.writerow(["at", "name", "what", "device", "address", "detail"])
    for row in rows.iterator(chunk_size=500):
        cells = [row.at.isoformat(timespec="seconds"), row.name, row.what]
        yield writer.writerow([*cells, *map(_plain, (row.device, row.address, row.detail))])


def _plain(text: str) -> str:
    """Return a cell that no spreadsheet reads as a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def _lines(request: HttpRequest, seen: Seen) -> QuerySet[LoginNote]:
    rows = LoginNote.objects.order_by("-at", "-pk")
    among = seen(request)
    if among is None:
        return rows
    if not among:
        raise PermissionDenied(_("Only an owner of a club sees what happened at its logins."))
    return rows.filter(user__in=among)


def _login(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # the login wall let it through
    return request.user
