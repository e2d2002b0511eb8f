"""Validates redirect targets: only pages of this program are allowed."""

from django.utils.http import url_has_allowed_host_and_scheme


def clean_redirect(target: str) -> str:
    """Return a redirect target if it is a page of this program, else ""."""
    is_own_page = target.startswith("/") and url_has_allowed_host_and_scheme(
        target, allowed_hosts=None
    )
    return target if is_own_page else ""
