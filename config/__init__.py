"""The plumbing: settings, site map, Celery app. Without a word of whist."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
