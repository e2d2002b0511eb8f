"""The reader of board files, which detects their format."""

from django.utils.translation import gettext as _

from boards import dlm, dup, lin, pbn, usebio
from boards.whist import UnusableBoards
from boards.whist.board_file import MAX_BYTES, NO_TURN_UPS, BoardFile, TurnUps


def read_boards(data: bytes, *, turn_ups: TurnUps = NO_TURN_UPS) -> BoardFile:
    """Read the boards of a PBN, plain text, DUP, DLM, LIN or USEBIO file.

    The format is detected. Raises UnusableBoards with at most 100 problems.
    """
    if len(data) > MAX_BYTES:
        raise UnusableBoards([_("The file is larger than 2 MB. Split it into smaller files.")])
    if dup.is_dup(data):
        return dup.read_dup(data, turn_ups=turn_ups)
    if dlm.is_dlm(data):
        return dlm.read_dlm(data, turn_ups=turn_ups)
    if usebio.is_usebio(data):
        return usebio.read_usebio(data, turn_ups=turn_ups)
    if lin.is_lin(data):
        return lin.read_lin(data, turn_ups=turn_ups)
    return pbn.read_pbn(data, turn_ups=turn_ups)
