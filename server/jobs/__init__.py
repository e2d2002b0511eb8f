"""Background jobs: a transactional outbox of job rows, run by Celery workers.

`outbox` writes a job in the transaction that needs it, and `broker` sends a message that wakes
a worker. `runner` claims and runs jobs, and `sweep` finds lost ones. See docs/jobs.md.
"""
