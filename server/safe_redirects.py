"""Validation of redirect targets: only pages of this program are allowed."""

from django.utils.http import url_has_allowed_host_and_scheme


def clean_redirect(target_url: str) -> str:
    """Return a redirect target if it is a page of this program, else ""."""
    is_on_this_site = target_url.startswith("/") and url_has_allowed_host_and_scheme(
        target_url, allowed_hosts=None
    )
    return target_url if is_on_this_site else ""
