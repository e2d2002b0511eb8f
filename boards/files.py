"""Reading a file of boards in any known format."""

from django.utils.translation import gettext as _

from boards import dlm, dup, lin, pbn, usebio
from boards.whist import UnusableBoards
from boards.whist.reading import MAX_BYTES, NO_TURN_UPS, TURN_UPS, Reading


def read(data: bytes, *, turn_ups: TURN_UPS = NO_TURN_UPS) -> Reading:
    """Read a file in PBN, plain lines, DUP, DLM, LIN or USEBIO; the format is detected.

    Raises UnusableBoards with the problems, at most 100.
    """
    if len(data) > MAX_BYTES:
        raise UnusableBoards([_("The file is larger than 2 MB. Save fewer boards.")])
    if dup.is_dup(data):
        return dup.read(data, turn_ups=turn_ups)
    if dlm.is_dlm(data):
        return dlm.read(data, turn_ups=turn_ups)
    if usebio.is_usebio(data):
        return usebio.read(data, turn_ups=turn_ups)
    if lin.is_lin(data):
        return lin.read(data, turn_ups=turn_ups)
    return pbn.read(data, turn_ups=turn_ups)
