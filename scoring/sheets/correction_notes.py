"""The note for players on how to have a wrong score corrected, and until when."""

from django.utils import timezone
from django.utils.translation import gettext as _

from server.dates import format_date
from tournaments.models import EntryLink, Session


def explain_corrections(session: Session) -> str:
    """Return how players can have a wrong score of a session corrected; "" before play.

    Personal QR codes are mentioned only if the event has them and they accept queries.
    """
    if session.state == Session.State.PLANNED:
        return ""
    corrections_end = session.corrections_end
    if session.state == Session.State.OPEN or corrections_end is None:
        return _("Is a score wrong? Tell the director.")
    placeholders = {"time": format_date(corrections_end, "SHORT_DAY_MONTH_TIME")}
    if corrections_end <= timezone.now():
        return _("Score corrections closed on %(time)s.") % placeholders
    if _has_personal_codes(session):
        message = _(
            "Is a score wrong? Tell the director by %(time)s, or use your personal QR code."
        )
        return message % placeholders
    return _("Is a score wrong? Tell the director by %(time)s.") % placeholders


def _has_personal_codes(session: Session) -> bool:
    """Return whether entries have personal pages on which they can query a score."""
    event = session.event
    if event.most_points:
        return False
    return EntryLink.objects.filter(entry__event=event, revoked_at__isnull=True).exists()
