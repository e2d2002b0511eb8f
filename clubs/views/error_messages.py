"""The display of service errors as messages on the next page."""

from contextlib import AbstractContextManager
from types import TracebackType

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from boards.whist import WhistError


def show_errors_as_messages(request: HttpRequest) -> AbstractContextManager[None, bool]:
    """Return a context manager that shows an error of its `with` block as a message.

    It handles WhistError and ValidationError. The rest of the block is skipped, and the code
    after the block runs.
    """
    return _ErrorMessages(request)


class _ErrorMessages:
    def __init__(self, request: HttpRequest) -> None:
        self.request = request

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        if isinstance(error, WhistError):
            messages.error(self.request, str(error))
        elif isinstance(error, ValidationError):
            messages.error(self.request, " ".join(error.messages))
        return isinstance(error, WhistError | ValidationError)
