from django.apps import AppConfig


class PlumbingConfig(AppConfig):
    name = "config"
    verbose_name = "Overplay"

    def ready(self) -> None:
        """Let a worker process of its own begin with what was left undone."""
        from celery.signals import worker_process_init, worker_ready

        from config.jobs import resume_all
        from server.memory import settle

        worker_ready.connect(resume_all, dispatch_uid="overplay.resume")
        worker_ready.connect(settle, dispatch_uid="overplay.settle")
        worker_process_init.connect(settle, dispatch_uid="overplay.settle")
