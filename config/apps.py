from django.apps import AppConfig


class PlumbingConfig(AppConfig):
    name = "config"
    verbose_name = "Overplay"

    def ready(self) -> None:
        """Let a worker process of its own begin with what was left undone."""
        from celery.signals import worker_ready

        from config.jobs import resume_all

        worker_ready.connect(resume_all, dispatch_uid="overplay.resume")
