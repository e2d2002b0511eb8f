"""The conversion of exceptions in file readers into errors that name the position."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from boards.whist.errors import WhistError

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class FilePosition:
    """The current position in a file, which the reader updates while reading."""

    position_text: str = ""


@contextmanager
def wrap_file_errors(create_error: Callable[[str], WhistError]) -> Iterator[FilePosition]:
    """Replace each exception that the `with` block raises, except WhistError.

    The new exception is the error that `create_error` returns for the position in the file.

    All exceptions are caught, because libraries can fail in many ways on a damaged file. The
    exceptions are logged, because some may be bugs of the reader.
    """
    file_position = FilePosition()
    try:
        yield file_position
    except WhistError:
        raise
    except Exception as error:
        logger.info(
            "A file could not be read (%s)",
            file_position.position_text or "start",
            exc_info=True,
        )
        raise create_error(file_position.position_text) from error
