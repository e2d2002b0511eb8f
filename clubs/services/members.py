"""Services that add members to a club, change their roles and remove them."""

import re

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from boards.whist import WhistError
from clubs import audit
from clubs.audit import Actor
from clubs.models import Club, Membership
from clubs.services.clubs import update_club
from server.command_line import format_command
from server.logins import login_sessions
from server.logins.event_log import LoginEventKind, log_login_event
from server.logins.passwords import compute_first_password_expiry
from server.models import User

PASSWORD_CHARACTERS = (
    "abcdefghjkmnpqrstuvwxyz23456789"  # without i, l, o, 0, 1 (they look alike)
)
PASSWORD_GROUP_COUNT, PASSWORD_GROUP_LENGTH = 3, 5
ROLES_IN_DESCENDING_RIGHTS = Membership.Role.values
"""The roles, beginning with the one that has the most rights."""


class MembershipChangeRefused(WhistError):
    """A refused change of a club's members, for example one that would leave no owner."""

    code = "member_refused"


@transaction.atomic
def add_member(
    *, club: Club, login: str, role: str, form_key: str, by: Actor
) -> tuple[Membership, str]:
    """Create a login for a club, and return the membership and the first password.

    The password is derived from the form key. A form that is sent twice therefore creates one
    login with one password. Raises MembershipChangeRefused if a user with a role in any club
    has the login name, because that user may be a stranger.
    """
    Club.objects.select_for_update().get(pk=club.pk)  # serialise double clicks
    login = login.strip()
    _check_role(role)
    password = derive_first_password(login, form_key)
    new_login = _create_login(login)  # validate the name before it is used in a query
    user = _find_login(login) or new_login
    if user.pk and user.check_password(password):
        existing_member = Membership.objects.filter(club=club, user=user).first()
        if existing_member is not None:
            return existing_member, password
    if user.pk and not _has_no_rights(user):
        raise MembershipChangeRefused(
            _("The name “%(login)s” is taken. Choose another.") % {"login": login}
        )
    user.is_active = True
    user.set_password(password)
    user.first_password_until = compute_first_password_expiry()
    user.save()
    login_sessions.end_other_sessions(user)
    member = Membership.objects.create(club=club, user=user, role=role)
    log_login_event(LoginEventKind.FIRST_PASSWORD, user=user)
    log_login_event(LoginEventKind.ROLE_CHANGED, user=user, detail=f"-> {role}")
    audit.record(
        by,
        "member.added",
        subject=club,
        where={"login": user.get_username()},
        after={"role": role},
    )
    return member, password


@transaction.atomic
def change_role(*, member: Membership, role: str, by: Actor) -> Membership:
    """Change a member's role; raise MembershipChangeRefused if no owner would be left."""
    member = _lock_membership(member)
    _check_role(role)
    old_role = member.role
    if old_role == role:
        return member
    _check_has_other_owner(member)
    member.role = role
    member.full_clean()
    member.save(update_fields=["role"])
    if ROLES_IN_DESCENDING_RIGHTS.index(role) > ROLES_IN_DESCENDING_RIGHTS.index(old_role):
        login_sessions.end_other_sessions(member.user)
    log_login_event(
        LoginEventKind.ROLE_CHANGED, user=member.user, detail=f"{old_role} -> {role}"
    )
    audit.record(
        by,
        "member.changed",
        subject=member.club,
        where={"login": member.user.get_username()},
        before={"role": old_role},
        after={"role": role},
    )
    return member


@transaction.atomic
def remove_member(*, member: Membership, by: Actor) -> None:
    """Remove a member from a club; raise MembershipChangeRefused for the only owner."""
    Club.objects.select_for_update().get(pk=member.club_id)
    existing_member = (
        Membership.objects.filter(pk=member.pk).select_related("club", "user").first()
    )
    if existing_member is None:
        return
    _check_has_other_owner(existing_member)
    existing_member.delete()
    login_sessions.end_other_sessions(existing_member.user)
    log_login_event(
        LoginEventKind.ROLE_CHANGED,
        user=existing_member.user,
        detail=f"{existing_member.role} ->",
    )
    audit.record(
        by,
        "member.removed",
        subject=existing_member.club,
        where={"login": existing_member.user.get_username()},
        before={"role": existing_member.role},
    )


@transaction.atomic
def reset_password(*, member: Membership, form_key: str, by: Actor) -> str:
    """Set and return a new password for a member who has lost the old one.

    Raises MembershipChangeRefused for a member with rights outside this club, because an
    owner could otherwise sign in to another club.
    """
    member = _lock_membership(member)
    user = member.user
    has_other_clubs = Membership.objects.filter(user=user).exclude(club=member.club).exists()
    if has_other_clubs or user.is_staff or user.is_superuser:
        raise MembershipChangeRefused(
            _("%(login)s has rights outside this club. Use the command line: %(command)s")
            % {
                "login": user.get_username(),
                "command": format_command(f"changepassword {user.get_username()}"),
            }
        )
    password = derive_first_password(user.get_username(), form_key)
    if user.check_password(password):
        return password
    user.set_password(password)
    user.first_password_until = compute_first_password_expiry()
    user.save(update_fields=["password", "first_password_until"])
    login_sessions.end_other_sessions(user)
    log_login_event(LoginEventKind.FIRST_PASSWORD, user=user)
    act_location = {"login": user.get_username()}
    audit.record(by, "member.password", subject=member.club, where=act_location)
    return password


@transaction.atomic
def set_second_factor_required(*, club: Club, is_required: bool, by: Actor) -> Club:
    """Set whether all members of a club need a second factor, or only the owners."""
    return update_club(club, "club.factor", {"all": is_required}, {"all": "asks_factor"}, by=by)


def derive_first_password(login: str, form_key: str) -> str:
    """Return the password that is derived from a form key and a login name.

    Raises MembershipChangeRefused if the form key is missing or too short.
    """
    if len(form_key) < 32:
        raise MembershipChangeRefused(_("Reload the page and try again."))
    password_hmac = salted_hmac(
        "overplay.first-password", f"{form_key}/{login}", algorithm="sha256"
    )
    remaining_number = int.from_bytes(password_hmac.digest(), "big")
    letters = []
    for _position in range(PASSWORD_GROUP_COUNT * PASSWORD_GROUP_LENGTH):
        remaining_number, letter_index = divmod(remaining_number, len(PASSWORD_CHARACTERS))
        letters.append(PASSWORD_CHARACTERS[letter_index])
    letter_groups = (
        "".join(letters[group_start : group_start + PASSWORD_GROUP_LENGTH])
        for group_start in range(0, len(letters), PASSWORD_GROUP_LENGTH)
    )
    return "-".join(letter_groups)


def _create_login(login: str) -> User:
    user = User(username=login, password="unusable")
    try:
        user.clean_fields()
    except ValidationError as error:
        raise MembershipChangeRefused(" ".join(error.messages)) from error
    return user


def _find_login(login: str) -> User | None:
    """Return the user with this login name, ignoring case, or None.

    SQLite ignores case only for ASCII letters. Other names are therefore queried with a
    regular expression.
    """
    username_filter = {"username__iexact": login}
    if not login.isascii():
        username_filter = {"username__iregex": f"^{re.escape(login)}$"}
    folded_login = login.casefold()
    candidates = User.objects.filter(**username_filter).order_by("pk")
    return next((user for user in candidates if user.username.casefold() == folded_login), None)


def _has_no_rights(user: User) -> bool:
    """Return whether a user has no role in any club and is not an administrator."""
    return not (
        user.is_staff or user.is_superuser or Membership.objects.filter(user=user).exists()
    )


def _check_role(role: str) -> None:
    if role not in Membership.Role.values:
        raise MembershipChangeRefused(_("Choose owner, director or scorer."))


def _check_has_other_owner(member: Membership) -> None:
    owners = Membership.objects.filter(club=member.club, role=Membership.Role.OWNER)
    if not owners.exclude(pk=member.pk).exists():
        raise MembershipChangeRefused(
            _("%(login)s is the only owner. Make someone else an owner first.")
            % {"login": member.user.get_username()}
        )


def _lock_membership(member: Membership) -> Membership:
    """Lock the club of a membership, and return the current membership.

    Raises MembershipChangeRefused if the membership no longer exists.
    """
    Club.objects.select_for_update().get(pk=member.club_id)
    membership = Membership.objects.filter(pk=member.pk).select_related("club", "user").first()
    if membership is None:
        raise MembershipChangeRefused(_("This user no longer has a role in the club."))
    return membership
