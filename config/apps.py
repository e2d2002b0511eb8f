import threading
from typing import Any

from django.apps import AppConfig


class ProjectAppConfig(AppConfig):
    """The app configuration of `config`, needed for its commands, template tags and signals."""

    name = "config"
    verbose_name = "Overplay"

    def ready(self) -> None:
        """Connect the worker's signals to `start_job_sweep` and `freeze_loaded_objects`."""
        from celery.signals import worker_init, worker_process_init, worker_ready

        import config.tasks  # noqa: F401 - registers the task for pages
        from server.memory import freeze_loaded_objects

        worker_init.connect(start_job_sweep, dispatch_uid="overplay.sweep")
        worker_ready.connect(freeze_loaded_objects, dispatch_uid="overplay.settle")
        worker_process_init.connect(freeze_loaded_objects, dispatch_uid="overplay.settle")


def start_job_sweep(sender: Any, **_signal: Any) -> None:
    """Start the sweep for due and interrupted jobs in a thread of the worker's parent process.

    The sweep starts even if the broker or the database is unavailable. On a laptop the worker
    is a thread, and `serve` runs its sweep.
    """
    from config.jobs import KINDS
    from server.jobs import broker
    from server.jobs.sweep import Sweep

    if broker.is_broker_in_memory():
        return

    def list_pool_pids() -> list[int]:
        pool = sender.pool  # the pool is None or inactive while the worker waits for its broker
        return pool.info.get("processes", []) if pool and pool.active else []

    threading.Thread(target=Sweep(KINDS, list_pool_pids).run, name="sweep", daemon=True).start()
