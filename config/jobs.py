"""Finds the jobs that a crash or a power cut left behind, and queues them again."""

from typing import Any

import boards.tasks
import scoring.papers.tasks
import scoring.tasks

RESUMES = (boards.tasks.resume, scoring.tasks.resume, scoring.papers.tasks.resume)


def resume_all(**_signal: Any) -> None:
    """Queue every unfinished job again; each is safe to run twice."""
    for resume in RESUMES:
        resume()
