"""The door to the whole house: the machine room's, told what clubs ask of their logins."""

from clubs.access import must_have_factor
from server.logins.adapters import Accounts


class Doors(Accounts):
    """Signing in, where an owner needs a second factor on a server."""

    must_have_factor = staticmethod(must_have_factor)
