"""Background jobs: a transactional outbox of job rows, run by Celery workers.

`outbox` writes a job in the transaction that needs it, `broker` sends a message that wakes a
worker, `runner` claims and runs jobs, `sweep` finds lost work. docs/jobs.md explains the whole.
"""
