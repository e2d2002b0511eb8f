"""Refusals of services as messages on the next page."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest

from boards.whist import WhistError


@contextmanager
def refusals_as_messages(request: HttpRequest) -> Iterator[None]:
    """Show a WhistError as an error message; the rest of the block is skipped."""
    try:
        yield
    except WhistError as refused:
        messages.error(request, str(refused))
