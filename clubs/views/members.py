"""The pages on which owners manage the members of their clubs."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

import clubs.services
from boards.whist import WhistError
from clubs import audit, permissions
from clubs.models import Act, Club, Membership
from clubs.views.error_messages import show_errors_as_messages
from server.logins.login_sessions import keep_current_session
from server.logins.mails import build_reset_path
from server.logins.reauthentication import require_recent_login
from server.numbers import parse_number_or_zero


@dataclass(frozen=True, slots=True)
class NewPassword:
    """A new password of a member, which is shown to the owner once.

    On a server, `reset_url` is a one-time link with which the member can set another password.
    """

    login: str
    password: str
    reset_url: str = ""


@never_cache
@require_safe
@require_recent_login
def show_members(request: HttpRequest) -> HttpResponseBase:
    """Show the members of the user's own clubs, their roles, and recent changes."""
    return _render_page(request)


@never_cache
@require_POST
@require_recent_login
def create_member(request: HttpRequest) -> HttpResponseBase:
    """Create a login for a club; its first password is shown only in this response."""
    club = permissions.get_owned_club(request, request.POST.get("club", ""))

    def add_member() -> NewPassword:
        member, password = clubs.services.add_member(
            club=club,
            login=request.POST.get("login", ""),
            role=request.POST.get("role", ""),
            form_key=request.POST.get("form_key", ""),
            by=request.user,
        )
        return _build_new_password(request, member, password)

    return _show_new_password(request, add_member)


@never_cache
@require_POST
@require_recent_login
def renew_member_password(request: HttpRequest) -> HttpResponseBase:
    """Set a new password for a member; it is shown only in this response."""
    member = _get_member(request)

    def renew_password() -> NewPassword:
        password = clubs.services.reset_password(
            member=member, form_key=request.POST.get("form_key", ""), by=request.user
        )
        return _build_new_password(request, member, password)

    return _show_new_password(request, renew_password)


@require_POST
@require_recent_login
def update_member_role(request: HttpRequest) -> HttpResponseBase:
    """Change the role of a member."""
    member = _get_member(request)
    with show_errors_as_messages(request):
        membership = clubs.services.change_role(
            member=member, role=request.POST.get("role", ""), by=request.user
        )
        placeholders = {
            "login": membership.user.get_username(),
            "role": membership.get_role_display(),
        }
        messages.success(request, _("%(login)s is now %(role)s.") % placeholders)
        keep_current_session(request, membership.user)
    return _redirect_to_members_page(request)


@require_POST
@require_recent_login
def update_second_factor_requirement(request: HttpRequest) -> HttpResponseBase:
    """Set whether all members of a club need a second factor, or only the owners."""
    club = permissions.get_owned_club(request, request.POST.get("club", ""))
    is_required = request.POST.get("asks") == "all"
    clubs.services.set_second_factor_required(
        club=club, is_required=is_required, by=request.user
    )
    message = (
        _("Two-step sign-in is now required for everyone in %(club)s.")
        if is_required
        else _("Two-step sign-in is now required only for owners of %(club)s.")
    )
    messages.success(request, message % {"club": club.name})
    return redirect("members")


@require_POST
@require_recent_login
def delete_member(request: HttpRequest) -> HttpResponseBase:
    """Remove a member from a club."""
    member = _get_member(request)
    with show_errors_as_messages(request):
        clubs.services.remove_member(member=member, by=request.user)
        placeholders = {"login": member.user.get_username(), "club": member.club.name}
        messages.success(request, _("%(login)s was removed from %(club)s.") % placeholders)
        keep_current_session(request, member.user)
    return _redirect_to_members_page(request)


def _build_new_password(request: HttpRequest, member: Membership, password: str) -> NewPassword:
    """Build a member's NewPassword, which on a server contains a link to set another one."""
    user = member.user
    user.refresh_from_db()  # the link depends on the current password hash
    reset_url = (
        request.build_absolute_uri(build_reset_path(user))
        if settings.IS_SERVER_DEPLOYMENT
        else ""
    )
    return NewPassword(user.get_username(), password, reset_url)


def _show_new_password(
    request: HttpRequest, change_password: Callable[[], NewPassword]
) -> HttpResponse:
    """Call `change_password`, and show the page with its new password or its error message."""
    try:
        new_password = change_password()
    except WhistError as error:
        messages.error(request, str(error))
        return _render_page(request, status=400)
    return _render_page(request, new_password)


def _render_page(
    request: HttpRequest, new_password: NewPassword | None = None, *, status: int = 200
) -> HttpResponse:
    owned_clubs = permissions.list_owned_clubs(request)
    if not owned_clubs:
        raise PermissionDenied(_("Only an owner can change users and roles."))
    clubs = [(club, _list_members(club), _list_changes(club)) for club in owned_clubs]
    context = {
        "clubs": clubs,
        "roles": Membership.Role.choices,
        "handed": new_password,
        "on_a_server": settings.IS_SERVER_DEPLOYMENT,
        "form_key": secrets.token_hex(16),
        "typed": request.POST.get("login", "")[:150] if status != 200 else "",
    }
    return render(request, "clubs/members.html", context, status=status)


def _list_members(club: Club) -> list[tuple[Membership, bool]]:
    """Return a club's memberships, each with whether it is that of the club's only owner."""
    memberships = list(club.memberships.select_related("user").order_by("user__username"))
    owner_count = sum(membership.role == Membership.Role.OWNER for membership in memberships)
    return [
        (membership, owner_count == 1 and membership.role == Membership.Role.OWNER)
        for membership in memberships
    ]


def _list_changes(club: Club) -> list[tuple[Act, str, str]]:
    """Return the latest changes of a club's members, newest first: act, text and author."""
    acts = audit.list_acts(club).filter(action__startswith="member.")
    text_by_action = {
        "member.added": _("%(login)s was added as %(after)s"),
        "member.changed": _("%(login)s is now %(after)s (was %(before)s)"),
        "member.removed": _("%(login)s (%(before)s) was removed"),
        "member.password": _("%(login)s got a new password"),
    }
    return [
        (
            act,
            text_by_action.get(act.action, act.action)
            % {
                "login": act.where.get("login", ""),
                "before": _format_role(act.before),
                "after": _format_role(act.after),
            },
            audit.describe_author(act.by),
        )
        for act in acts.order_by("-at", "-pk")[:20]
    ]


def _format_role(recorded_values: audit.AuditData) -> str:
    role_code = str(recorded_values.get("role", ""))
    return str(dict(Membership.Role.choices).get(role_code, role_code))


def _get_member(request: HttpRequest) -> Membership:
    return permissions.get_membership_for_owner(
        request, parse_number_or_zero(request.POST.get("member"))
    )


def _redirect_to_members_page(request: HttpRequest) -> HttpResponse:
    """Redirect to the members page, or to the desk if the user is no longer an owner."""
    return redirect("members" if permissions.list_owned_clubs(request).exists() else "desk")
