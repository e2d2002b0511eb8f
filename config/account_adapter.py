"""The project's adapter for django-allauth, with the clubs' requirements for logins."""

from clubs.access import must_have_factor
from server.logins.adapters import AccountAdapter


class ClubAccountAdapter(AccountAdapter):
    """An account adapter that requires a second factor of owners on a server."""

    must_have_factor = staticmethod(must_have_factor)
