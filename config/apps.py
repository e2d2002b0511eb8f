import threading
from typing import Any

from django.apps import AppConfig


class PlumbingConfig(AppConfig):
    name = "config"
    verbose_name = "Overplay"

    def ready(self) -> None:
        """Give a worker process of its own its sweep."""
        from celery.signals import worker_init, worker_process_init, worker_ready

        import config.tasks  # noqa: F401 - so that a page can ring the bell
        from server.memory import settle

        worker_init.connect(sweep, dispatch_uid="overplay.sweep")
        worker_ready.connect(settle, dispatch_uid="overplay.settle")
        worker_process_init.connect(settle, dispatch_uid="overplay.settle")


def sweep(sender: Any, **_signal: Any) -> None:
    """Sweep in a thread of the worker's parent, from its start on and whatever is away.

    A laptop's worker is a thread itself, and `serve` sweeps for it.
    """
    from config.jobs import KINDS
    from server.jobs import bell
    from server.jobs.sweeping import Sweep

    if bell.lives_here():
        return

    def children() -> list[int]:
        processes = getattr(getattr(sender.pool, "_pool", None), "_pool", None) or []
        return [process.pid for process in processes]

    threading.Thread(target=Sweep(KINDS, children).run, name="sweep", daemon=True).start()
