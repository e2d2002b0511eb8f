"""The content of a board file, and the check of its deals."""

import codecs
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from boards.whist.cards import Card
from boards.whist.deals import Deal, format_problems, list_deal_problems
from boards.whist.errors import UnreadableCard, UnusableBoards
from boards.whist.seats import Seat

TURN_UP_TAG = "WhistTurnUp"
"""The name of this project's PBN tag for the turn-up."""

DECLARED_TRUMPS_TAG = "WhistTrumps"
"""The name of this project's PBN tag for a declared trump suit.

Its value is "?" if each table declares its own suit.
"""

TurnUpsByBoard = Mapping[int, Card] | None
"""The turn-ups by board number that a file lacks; None if trumps are declared."""

NO_TURN_UPS: Mapping[int, Card] = {}


MAX_FILE_BYTES = 2_000_000
MAX_BOARD_COUNT = 1_000  # the maximum number of boards in a file
MAX_REPORTED_PROBLEMS = 100
MAX_HAND_CHARACTERS = 100  # the rest of a longer hand is not read


@dataclass(frozen=True, slots=True)
class UncheckedBoard:
    """One board as read from a file, before its cards are checked."""

    number: int
    dealer: Seat
    hands: Mapping[Seat, Sequence[Card]]
    turn_up: Card | None = None


@dataclass(frozen=True, slots=True)
class BoardFile:
    """The valid boards of a file by number, and the warnings of the reader."""

    deals_by_board: Mapping[int, Deal]
    warnings: tuple[str, ...] = ()


def check_boards(
    boards: Iterable[UncheckedBoard],
    *,
    problems: Sequence[str] = (),
    warnings: Sequence[str] = (),
    turn_ups: TurnUpsByBoard = NO_TURN_UPS,
) -> BoardFile:
    """Check every board card by card, and return the boards of the file.

    `turn_ups` has the turn-ups that the file lacks. If `turn_ups` is None, trumps are declared
    and boards need no turn-up. Raises UnusableBoards with every problem of every board.

    Source: rules B4, B8.
    """
    all_problems, deals_by_board = list(problems), dict[int, Deal]()
    for board in boards:
        if len(all_problems) > MAX_REPORTED_PROBLEMS:
            all_problems.append(_("There are more problems. Correct these first."))
            break
        turn_up, board_problem = _check_board_cards(board, turn_ups)
        if board_problem:
            all_problems.append(format_board_problem(board.number, board_problem))
            continue
        hands = {seat: frozenset(board.hands[seat]) for seat in Seat}
        deal = Deal(hands, board.dealer, turn_up)
        if deals_by_board.setdefault(board.number, deal) != deal:
            message = _("in the file twice, with different cards.")
            all_problems.append(format_board_problem(board.number, message))
    if not deals_by_board and not all_problems:
        all_problems.append(
            _("No boards found. Paste PBN, or lines such as 1 N:KT8.A96.A95.7542 ... H6.")
        )
    if all_problems:
        raise UnusableBoards(all_problems)
    return BoardFile(dict(sorted(deals_by_board.items())), tuple(warnings))


def build_too_many_boards_error() -> UnusableBoards:
    """Return the error for a file with more than MAX_BOARD_COUNT boards."""
    return UnusableBoards(
        [_("The file has more than 1,000 boards. Split it into smaller files.")]
    )


def parse_turn_ups(turn_ups_text: str) -> dict[int, Card]:
    """Return turn-ups by board number from a text such as "1 H6, 2 ST".

    Raises UnusableBoards for an unreadable part, or for two cards for one board.
    """
    turn_ups_by_board: dict[int, Card] = {}
    position, stripped_text = 0, turn_ups_text.strip()
    while position < len(stripped_text):
        turn_up_match = _TURN_UP_PATTERN.match(stripped_text, position)
        if turn_up_match is None:
            raise UnusableBoards([_format_unreadable_message(stripped_text[position:])])
        board_number = int(turn_up_match["board"])
        try:
            card = Card.parse(turn_up_match["card"])
        except UnreadableCard:
            raise UnusableBoards(
                [_format_unreadable_message(stripped_text[position:])]
            ) from None
        if turn_ups_by_board.setdefault(board_number, card) != card:
            message = _("Turn-ups: board %(board)s has two different cards.")
            raise UnusableBoards([message % {"board": board_number}])
        position = turn_up_match.end()
    return turn_ups_by_board


def format_board_problem(board_number: int, problem: object) -> str:
    """Return the text of a problem with its board number in front."""
    return _("Board %(board)s: %(problem)s") % {"board": board_number, "problem": problem}


def decode_text(file_content: bytes | str) -> str:
    """Decode the text of another program's file: UTF-16, UTF-8 or Windows-1252."""
    if isinstance(file_content, str):
        return file_content.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    if file_content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return file_content.decode("utf-16", "replace")
    if b"\0" in file_content[:2]:
        return file_content.decode(
            "utf-16-be" if file_content[:1] == b"\0" else "utf-16-le", "replace"
        )
    try:
        return file_content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return file_content.decode("cp1252", "replace")


_TURN_UP_PATTERN = re.compile(
    r"(?:board\s+)?(?P<board>\d{1,4})[\s.:=)]+(?P<card>[^\s,;]+)[\s,;]*", re.IGNORECASE
)


def _format_unreadable_message(unreadable_text: str) -> str:
    return _("Turn-ups: “%(text)s” can’t be read. Enter board and card, such as 1 H6.") % {
        "text": unreadable_text[:20]
    }


def _check_board_cards(
    board: UncheckedBoard, turn_ups: TurnUpsByBoard
) -> tuple[Card | None, str]:
    """Return a board's turn-up and the text of all problems, which is empty if there are none.

    If trumps are declared (`turn_ups` is None), a board needs no turn-up.
    """
    if turn_ups is None:
        problem_text = _format_problems_of_board(board, None, has_declared_trumps=True)
        return board.turn_up if board.turn_up in board.hands[
            board.dealer
        ] else None, problem_text
    turn_up = board.turn_up or turn_ups.get(board.number)
    return turn_up, _format_problems_of_board(board, turn_up)


def _format_problems_of_board(
    board: UncheckedBoard, turn_up: Card | None, *, has_declared_trumps: bool = False
) -> str:
    problems = list_deal_problems(board.hands, board.dealer, turn_up)
    if turn_up is None and not has_declared_trumps:
        problems.append(
            _(
                'the turn-up is missing (add [%(tag)s "H6"] below the deal, or H6 at its end, '
                "or list it separately)"
            )
            % {"tag": TURN_UP_TAG}
        )
    return format_problems(problems) if problems else ""
