"""The reader of the hands in a USEBIO file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from django.utils.translation import gettext as _

from boards.whist import Card, Seat, Suit, UnreadableCard, UnusableBoards
from boards.whist.board_file import (
    MAX_HAND_CHARACTERS,
    NO_TURN_UPS,
    BoardFile,
    TurnUpsByBoard,
    UncheckedBoard,
    check_boards,
    format_board_problem,
)

SEATS_BY_NAME = {seat.name.title(): seat for seat in Seat} | {seat.value: seat for seat in Seat}
SUITS_BY_NAME = {suit.name: suit for suit in Suit}


def is_usebio(file_content: bytes) -> bool:
    """Return whether a file looks like USEBIO, by the XML root element in any encoding."""
    return b"<USEBIO" in file_content.replace(b"\0", b"")[:2000].upper()


def read_usebio(file_content: bytes, *, turn_ups: TurnUpsByBoard = NO_TURN_UPS) -> BoardFile:
    """Read the boards in the HANDSET element of a USEBIO file.

    Raises UnusableBoards, which lists every problem with its board number or line number.
    """
    parser = _HandsetParser()
    try:
        parser.parse(file_content)
    except (expat.ExpatError, LookupError, ValueError) as error:
        # Errors without a line number come from an unknown or a multi-byte encoding.
        message = _("Line %(line)s: this isn’t valid XML.")
        raise UnusableBoards([message % {"line": getattr(error, "lineno", 1)}]) from None
    if not parser.boards:
        raise UnusableBoards(
            [_("This USEBIO file has no hands. Export it again with its HANDSET.")]
        )
    boards = [
        _build_board(board_number, hands, turn_ups) for board_number, hands in parser.boards
    ]
    return check_boards(boards, problems=parser.problems, turn_ups=turn_ups)


def _build_board(
    board_number: int, hands: Mapping[Seat, list[Card]], turn_ups: TurnUpsByBoard
) -> UncheckedBoard:
    """Return a board; its dealer is the seat that has the turn-up, if the turn-up is known."""
    turn_up = (turn_ups or {}).get(board_number)
    turn_up_seats = [seat for seat, cards in hands.items() if turn_up in cards]
    dealer = turn_up_seats[0] if turn_up_seats else Seat.find_dealer(board_number)
    return UncheckedBoard(
        board_number, dealer, {seat: hands.get(seat, []) for seat in Seat}, turn_up
    )


@dataclass
class _HandsetParser:
    """A streaming XML parser that collects the boards in the HANDSET element."""

    boards: list[tuple[int, dict[Seat, list[Card]]]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _open_element_names: list[str] = field(default_factory=list)
    _text_parts: list[str] = field(default_factory=list)
    _board_number: int = 0
    _seat: Seat | None = None

    def parse(self, file_content: bytes) -> None:
        """Parse a whole document; raise ExpatError if it is invalid or defines entities."""
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start_element
        parser.EndElementHandler = self._end_element
        parser.CharacterDataHandler = self._text_parts.append
        parser.EntityDeclHandler = _reject_entity
        parser.Parse(file_content, True)

    def _start_element(self, element_name: str, _attributes: Mapping[str, str]) -> None:
        self._open_element_names.append(element_name.upper())
        self._text_parts.clear()

    def _end_element(self, element_name: str) -> None:
        element_text = "".join(self._text_parts).strip()
        self._text_parts.clear()
        if "HANDSET" in self._open_element_names:
            self._read_element(element_name.upper(), element_text)
        self._open_element_names.pop()

    def _read_element(self, element_name: str, element_text: str) -> None:
        if element_name == "BOARD_NUMBER":
            self._board_number = (
                int(element_text) if re.fullmatch("[0-9]{1,4}", element_text) else 0
            )
            self.boards.append((self._board_number, {}))
        elif element_name == "DIRECTION":
            self._seat = SEATS_BY_NAME.get(element_text.title())
        elif element_name in SUITS_BY_NAME and self._seat is not None and self.boards:
            hand = self.boards[-1][1].setdefault(self._seat, [])
            try:
                hand += [
                    Card.parse(SUITS_BY_NAME[element_name].value + rank)
                    for rank in _split_ranks(element_text[:MAX_HAND_CHARACTERS])
                ]
            except UnreadableCard as problem:
                self.problems.append(format_board_problem(self._board_number, problem))


def _split_ranks(ranks_text: str) -> list[str]:
    return ["T" if rank == "10" else rank for rank in re.findall(r"10|\S", ranks_text.upper())]


def _reject_entity(*_declaration: object) -> None:
    raise UnusableBoards([_("An XML file with entities is not accepted.")])
