"""Template tags about the background worker and backups."""

from django import template
from django.utils import timezone

from server.backups.tasks import is_backup_overdue
from server.jobs import heartbeats

register = template.Library()


@register.simple_tag(name="backup_is_overdue")
def has_overdue_backup() -> bool:
    """Return whether there has been no good backup for more than a week."""
    return is_backup_overdue(timezone.now())


@register.simple_tag(name="worker_is_missing")
def is_worker_missing() -> bool:
    """Return whether no worker has sent a heartbeat for half a minute."""
    return heartbeats.has_no_worker()
