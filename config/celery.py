"""The Celery app, whether its worker is a thread of `serve` or a process of its own."""

import logging
import os
from typing import Any

from celery import Celery
from celery.contrib.django.task import DjangoTask
from kombu.exceptions import OperationalError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

log = logging.getLogger(__name__)


class Job(DjangoTask):  # type: ignore[type-arg]  # generic only in its type stubs
    """A task that is done on the spot when its queue cannot be reached.

    The page that asked for it answers later, and nothing is lost.
    """

    abstract = True

    def apply_async(self, *args: Any, **options: Any) -> Any:
        """Queue the task, or do it here and now."""
        try:
            return super().apply_async(*args, **options)
        except OperationalError as error:
            log.warning("The queue cannot be reached (%s): %s is done here.", error, self.name)
            return self.apply(*args, **options)


app = Celery("overplay", task_cls=Job)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["scoring.papers"])  # a folder of a room, and no app of its own
