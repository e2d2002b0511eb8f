"""Redirect targets from requests: only pages of this program."""

from django.utils.http import url_has_allowed_host_and_scheme


def safe_redirect(back: str) -> str:
    """Return a target if it is a page of this program, else an empty text."""
    is_ours = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return back if is_ours else ""
