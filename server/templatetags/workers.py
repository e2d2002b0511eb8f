"""What a director's pages tell of the program that works in the background."""

from django import template
from django.utils import timezone

from server.backups.tasks import is_overdue
from server.jobs import heartbeats

register = template.Library()


@register.simple_tag
def backup_is_overdue() -> bool:
    """Whether there has been no good backup for more than a week."""
    return is_overdue(timezone.now())


@register.simple_tag
def worker_is_missing() -> bool:
    """Whether nothing has been heard of a worker for half a minute."""
    return heartbeats.has_no_worker()
