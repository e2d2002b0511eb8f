"""The allauth adapter of the project, with the clubs' requirements for logins."""

from clubs.access import must_have_factor
from server.logins.adapters import Accounts


class Doors(Accounts):
    """Sign-in that requires a second factor of owners on a server."""

    must_have_factor = staticmethod(must_have_factor)
