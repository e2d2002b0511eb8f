"""Mails about a login: links to set a new password, and notices of logged events."""

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from server.jobs.kinds import JobKind, Lane
from server.jobs.outbox import enqueue
from server.models import LoginNote, User


def enqueue_login_notice(login_note: LoginNote) -> None:
    """Enqueue a notice of a logged event, if mail is configured for the login."""
    user = login_note.user if settings.HAS_MAIL and login_note.user_id else None
    if user is not None and user.email:
        enqueue(LOGIN_NOTICE_JOB, login_note.pk)


def enqueue_reset_mails(mail_address: str) -> list[User]:
    """Enqueue a reset link for each login with this mail address; return the logins."""
    users = list(User.objects.filter(email__iexact=mail_address, is_active=True)[:5])
    for user in users:
        enqueue(PASSWORD_RESET_JOB, user.pk)
    return users


def build_reset_path(user: User) -> str:
    """Return the path of a reset link, which is valid once within half an hour."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("reset", args=[uid, default_token_generator.make_token(user)])


def send_reset_link(user_pk: int) -> None:
    """Create a reset link, which is not stored, and send it to the user."""
    recipient = User.objects.filter(pk=user_pk, is_active=True).exclude(email="").first()
    if recipient is None or not recipient.has_usable_password():
        return
    path = build_reset_path(recipient)
    message = _(
        "We received a request to reset the password for %(name)s.\n\n%(address)s\n\nThe "
        "link works once and expires in 30 minutes. If you didn’t ask for it, ignore this "
        "e-mail."
    )
    placeholders = {"name": recipient.get_username(), "address": f"{settings.SITE_URL}{path}"}
    send_mail(_("Reset your password"), message % placeholders, None, [recipient.email])


def send_login_notice(login_note_pk: int) -> None:
    """Send a notice of a logged event to its login."""
    login_note = LoginNote.objects.filter(pk=login_note_pk).first()
    user = (
        User.objects.filter(pk=login_note.user_id or 0).first()
        if login_note is not None
        else None
    )
    if login_note is None or user is None or not user.email:
        return
    message = _(
        "%(name)s: %(what)s. %(at)s, %(device)s, %(address)s\n\nIf this wasn’t you, sign "
        "in, set a new password and sign out everywhere else."
    )
    placeholders = {
        "name": login_note.name,
        "what": login_note.get_what_display(),
        "at": f"{login_note.at:%Y-%m-%d %H:%M} UTC",
        "device": login_note.device,
        "address": login_note.address,
    }
    send_mail(_("Your login"), message % placeholders, None, [user.email])


def _return_no_job_keys() -> list[int]:
    return []


PASSWORD_RESET_JOB = JobKind(
    "login_reset",
    title=gettext_lazy("sending an e-mail to reset a password"),
    lane=Lane.NOW,
    time_limit=60,
    run=send_reset_link,
    find_missing_job_keys=_return_no_job_keys,
)
LOGIN_NOTICE_JOB = JobKind(
    "login_word",
    title=gettext_lazy("sending an e-mail about a login"),
    lane=Lane.LATER,
    time_limit=60,
    run=send_login_notice,
    find_missing_job_keys=_return_no_job_keys,
)
