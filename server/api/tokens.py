"""The key by which a login's programs are known."""

from rest_framework.authtoken.models import Token

from server.models import User


def key_of(user: User) -> str | None:
    """Tell a login's key, or None while it has none."""
    found = Token.objects.filter(user=user).first()
    return found.key if found else None


def make_key(user: User) -> str:
    """Give a login its key; the one that it has stays."""
    key: str = Token.objects.get_or_create(user=user)[0].key
    return key


def revoke_key(user: User) -> None:
    """Take a login's key away: programs that use it are refused from now on."""
    Token.objects.filter(user=user).delete()
