"""The project's adapter for django-allauth, with the clubs' requirements for logins."""

from clubs.permissions import is_second_factor_required
from server.logins.adapters import AccountAdapter


class ClubAccountAdapter(AccountAdapter):
    """An account adapter that requires a second factor of owners on a server."""

    is_second_factor_required = staticmethod(is_second_factor_required)
