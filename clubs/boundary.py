"""The boundary around a reader of files: any failure becomes an error that names its place."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from boards.whist.errors import WhistError

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class FilePlace:
    """The current position of a reader in its file, which the reader updates."""

    words: str = ""


@contextmanager
def file_boundary(refuse: Callable[[str], WhistError]) -> Iterator[FilePlace]:
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
        logger.info("A file could not be read (%s)", place.words or "start", exc_info=True)
        raise refuse(place.words) from error
