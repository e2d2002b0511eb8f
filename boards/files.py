"""The reader of board files, which detects their format."""

from django.utils.translation import gettext as _

from boards import dlm, dup, lin, pbn, usebio
from boards.whist import UnusableBoards
from boards.whist.board_file import MAX_FILE_BYTES, NO_TURN_UPS, BoardFile, TurnUpsByBoard


def read_boards(
    file_content: bytes, *, missing_turn_ups: TurnUpsByBoard = NO_TURN_UPS
) -> BoardFile:
    """Read the boards of a PBN, plain text, DUP, DLM, LIN or USEBIO file.

    The format is detected. Raises UnusableBoards with at most 100 problems.
    """
    if len(file_content) > MAX_FILE_BYTES:
        raise UnusableBoards([_("The file is larger than 2 MB. Split it into smaller files.")])
    if dup.is_dup(file_content):
        return dup.read_dup(file_content, turn_ups=missing_turn_ups)
    if dlm.is_dlm(file_content):
        return dlm.read_dlm(file_content, turn_ups=missing_turn_ups)
    if usebio.is_usebio(file_content):
        return usebio.read_usebio(file_content, turn_ups=missing_turn_ups)
    if lin.is_lin(file_content):
        return lin.read_lin(file_content, turn_ups=missing_turn_ups)
    return pbn.read_pbn(file_content, turn_ups=missing_turn_ups)
