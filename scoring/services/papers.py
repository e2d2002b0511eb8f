"""Services that order papers (PDF files); a background job prints each paper."""

from collections.abc import Collection

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor
from printing import orders
from scoring.errors import PaperRefused, QuotaReached
from scoring.models import Paper
from scoring.papers import get_paper_kind, tasks
from scoring.papers.waits import describe_required_step
from scoring.secrecy import can_print_paper
from server import quotas
from server.jobs.outbox import enqueue
from tournaments.models import Event, Session

BYTES_PER_MEGABYTE = 1024**2
SECONDS_PER_DAY = 86_400


@transaction.atomic
def order_paper(*, session: Session, kind: str, size: str, by: Actor) -> Paper:
    """Order a paper; a waiting order is not repeated, a failed one is replaced.

    Raises PaperRefused for a paper that cannot be produced, and QuotaReached if the club has
    used its daily quota or its storage.
    """
    paper_kind = get_paper_kind(kind)
    if size not in Event.PaperSize.values:
        raise PaperRefused(_("Paper size must be A4 or Letter."))
    if not session.sections.exists():
        raise PaperRefused(_("Choose a movement first."))
    if not can_print_paper(session, paper_kind):
        raise PaperRefused(
            _("This paper shows the hands. Print it after the session is closed.")
        )
    if required_step := describe_required_step(session, paper_kind):
        raise PaperRefused(
            _("%(paper)s isn’t available yet. First %(what)s.")
            % {"paper": paper_kind.title, "what": required_step}
        )
    # A double click submits two requests, which must create one order.
    session = Session.objects.select_for_update().get(pk=session.pk)
    paper, is_new = orders.order_paper(
        Paper.objects.filter(session=session),
        session=session,
        kind=kind,
        size=size,
        by=audit.format_author_key(by),
    )
    if not is_new:
        return paper
    _use_paper_quota(session.event.club_id)
    history_location = {"session": session.number, "paper": kind}
    audit.record(by, "paper.ordered", subject=session.event, where=history_location)
    enqueue(tasks.PRINT_PAPER_JOB, paper.pk)
    return paper


def _use_paper_quota(club_id: int) -> None:
    """Count one more paper in a club's daily quota, or raise QuotaReached."""
    if not quotas.try_to_use_quota(quotas.PAPERS_QUOTA, club_id):
        raise QuotaReached(
            quotas.explain_papers_limit(), wait_seconds=quotas.compute_seconds_until_tomorrow()
        )
    if (limit_mb := settings.QUOTA_MEDIA_MB) and sum_stored_bytes([club_id]).get(
        club_id, 0
    ) >= limit_mb * BYTES_PER_MEGABYTE:
        raise QuotaReached(
            _(
                "The club’s papers have filled its %(most)s MB on this server. Each is "
                "deleted after %(days)s days. Print from the existing ones, or ask your "
                "server administrator for more space (QUOTA_MEDIA_MB)."
            )
            % {"most": number_format(limit_mb), "days": orders.PAPER_LIFETIME.days},
            wait_seconds=SECONDS_PER_DAY,
        )


def sum_stored_bytes(club_ids: Collection[int]) -> dict[int, int]:
    """Return the total size of each club's stored papers in bytes.

    Expired papers, which will be deleted, do not count. Clubs without papers are omitted.
    """
    expiry_cutoff = timezone.now() - orders.PAPER_LIFETIME
    papers = Paper.objects.filter(session__event__club__in=club_ids, made_at__gt=expiry_cutoff)
    bytes_with_club_ids = (
        papers.order_by().values_list("session__event__club").annotate(Sum("bytes"))
    )
    return dict(bytes_with_club_ids)
