"""The error boundary of a file reader: any exception becomes an error that names its place."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from boards.whist.errors import WhistError

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class FilePlace:
    """The current position of a reader in its file, which the reader updates."""

    position_text: str = ""


@contextmanager
def wrap_file_errors(refuse: Callable[[str], WhistError]) -> Iterator[FilePlace]:
    """Turn any exception of a reader into `refuse(place)`; a WhistError passes through.

    A damaged file can fail anywhere in a library, so the exceptions are not listed. They are
    logged, because a defect of the reader itself ends here as well.
    """
    place = FilePlace()
    try:
        yield place
    except WhistError:
        raise
    except Exception as error:
        logger.info(
            "A file could not be read (%s)", place.position_text or "start", exc_info=True
        )
        raise refuse(place.position_text) from error
