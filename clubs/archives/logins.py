"""The mapping of an imported club's login names to users of this installation.

An existing user with the same login name may be another person. Such a user gets a role only
as a member of the replaced club, or as the user who runs the import.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError

from clubs.archives.archive_file import ArchiveLogin
from clubs.archives.errors import BadArchive
from server.models import User


class LoginMapping:
    """The mapping of login names to users during one import, which creates missing users."""

    def __init__(
        self, logins: Iterable[ArchiveLogin], user_pks_by_trusted_login: Mapping[str, int]
    ) -> None:
        self._user_pks_by_login = dict(user_pks_by_trusted_login)
        self.unmatched_names: list[str] = []
        self.names_without_password: list[str] = []
        for login in logins:
            if login.name in self._user_pks_by_login:
                continue
            if User.objects.filter(username=login.name).exists():
                self.unmatched_names.append(login.name)
            else:
                self._create_login(login)

    def get_user_pk(self, login_name: Any) -> int | None:
        """Return the primary key of the user for a login name of the archive, or None.

        None means that the login is not in the archive, or may be another person's here.
        """
        return self._user_pks_by_login.get(login_name) if isinstance(login_name, str) else None

    def _create_login(self, login: ArchiveLogin) -> None:
        """Create a user.

        Without a password hash the user cannot sign in until an owner sets one.
        """
        user = User(username=login.name)
        if login.password:
            user.password = login.password
        else:
            user.set_unusable_password()
            self.names_without_password.append(login.name)
        try:
            user.clean_fields()
        except ValidationError as error:
            raise BadArchive.from_invalid_column("server.User", "username") from error
        user.save()
        self._user_pks_by_login[login.name] = user.pk
