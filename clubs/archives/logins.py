"""Logins that a club had elsewhere: names, which give nobody here any rights.

A login that is here already may be another person's of the same name, so it gets a role only
where this very club trusted it, or where it belongs to who brings the club in.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError

from clubs.archives.errors import BadArchive
from clubs.archives.packing import Login
from server.models import User


class Logins:
    """Who is who, for one archive that comes in."""

    def __init__(self, told: Iterable[Login], trusted: Mapping[str, int]) -> None:
        self._keys = dict(trusted)
        self.strangers: list[str] = []
        self.made_bare: list[str] = []
        for login in told:
            if login.name in self._keys:
                continue
            if User.objects.filter(username=login.name).exists():
                self.strangers.append(login.name)
            else:
                self._make(login)

    def key_of(self, name: Any) -> int | None:
        """The login of a name that was trusted, or made just now."""
        return self._keys.get(name) if isinstance(name, str) else None

    def _make(self, login: Login) -> None:
        """Make a login; without a password nobody signs in by it until an owner gives one."""
        user = User(username=login.name)
        if login.password:
            user.password = login.password
        else:
            user.set_unusable_password()
            self.made_bare.append(login.name)
        try:
            user.clean_fields()
        except ValidationError as error:
            raise BadArchive.row("server.User", "username") from error
        user.save()
        self._keys[login.name] = user.pk
