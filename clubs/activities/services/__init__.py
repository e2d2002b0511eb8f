"""Every change that all kinds of activity share: a verb, atomic, audited."""

from clubs.activities.services.lifecycle import (
    archive,
    archiving,
    close,
    lock,
    reopen,
    restore,
    touch,
)

__all__ = ["archive", "archiving", "close", "lock", "reopen", "restore", "touch"]
