"""Where a button leads back to: only a page of this program."""

from django.utils.http import url_has_allowed_host_and_scheme


def safe_back(back: str) -> str:
    """Return the page of this program that a button leads back to; empty for any other."""
    is_ours = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return back if is_ours else ""
