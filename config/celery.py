"""The Celery app, for a worker in a thread of `serve` or in a separate process."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("overplay")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["config"])
