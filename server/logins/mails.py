"""Letters about a login: to set a new password, and that something about it has changed."""

from typing import Any

from server.models import User


def tell(user: User, what: Any) -> None:
    """Send word of a change, where there is mail."""
