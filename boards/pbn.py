"""The reader and writer of Portable Bridge Notation (PBN).

PBN has no tag for the turn-up, so this project has defined one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from boards.whist import Card, Deal, Seat, Suit, UnreadableCard, UnusableBoards, WhistError
from boards.whist.board_file import (
    DECLARED_TRUMPS_TAG,
    MAX_BOARD_COUNT,
    NO_TURN_UPS,
    TURN_UP_TAG,
    BoardFile,
    TurnUpsByBoard,
    UncheckedBoard,
    build_too_many_boards_error,
    check_boards,
    decode_text,
    format_board_problem,
)
from boards.whist.notation import format_hands, read_hands

MAX_LINES = 100_000
"""The maximum number of lines in a file.

A set of 1,000 boards with auctions, plays and tables has fewer lines.
"""
MAX_WARNINGS = 200


def format_pbn(
    deals_by_board: Mapping[int, Deal],
    *,
    event_name: str = "?",
    site: str = "?",
    date: str = "????.??.??",
    generator: str = "Overplay",
    scoring: str = "?",
    header: str = "",
    ns_tricks_by_board: Mapping[int, int] | None = None,
    extra_lines_by_board: Mapping[int, str] | None = None,
) -> str:
    """Return boards as a PBN file.

    `date` is in the form 2026.03.10. `ns_tricks_by_board` has the tricks N/S won, and
    `extra_lines_by_board` has further lines, such as a ScoreTable. `header` has comment lines
    for the top of the file. The texts in `extra_lines_by_board` and `header` must end with a
    newline.
    """
    games = [
        PbnGame(
            board_number=board_number,
            deal=deal,
            ns_tricks=(ns_tricks_by_board or {}).get(board_number),
            extra_lines=(extra_lines_by_board or {}).get(board_number, ""),
        )
        for board_number, deal in sorted(deals_by_board.items())
    ]
    return format_games(
        games,
        event_name=event_name,
        site=site,
        date=date,
        generator=generator,
        scoring=scoring,
        header=header,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class PbnGame:
    """One game of a PBN file: a board, or a board as one table played it.

    `trumps` replaces the deal's trumps if each table declares its own. `extra_tags` are
    additional tags such as Round and Table. `extra_lines` are additional lines, each ending
    with a newline.
    """

    board_number: int
    deal: Deal
    player_names_by_seat: Mapping[Seat, str] = field(default_factory=dict)
    trumps: Suit | None = None
    ns_tricks: int | None = None
    extra_tags: Mapping[str, str] = field(default_factory=dict)
    extra_lines: str = ""


def format_games(
    games: Iterable[PbnGame],
    *,
    event_name: str,
    site: str,
    date: str,
    scoring: str,
    generator: str = "Overplay",
    header: str = "",
) -> str:
    """Return games as a PBN file in the given order; `date` is in the form 2026.03.10."""
    game_texts = []
    for game in games:
        tags = {
            "Event": event_name,
            "Site": site,
            "Date": date,
            "Board": str(game.board_number),
            **{
                seat.name.title(): game.player_names_by_seat.get(seat, "?")
                for seat in _PLAYER_TAG_SEATS
            },
            "Dealer": game.deal.dealer.value,
            "Vulnerable": "None",
            "Deal": format_hands(game.deal, game.deal.dealer),
            "Scoring": scoring,
            "Declarer": game.deal.dealer.value,
            "Contract": f"1{game.trumps or game.deal.trumps or 'NT'}",
            **_build_result_tag(game.deal, game.ns_tricks),
            **game.extra_tags,
            "Generator": generator,
            **_build_trumps_tag(game.deal),
        }
        tag_lines = [f'[{name} "{_quote_value(value)}"]\n' for name, value in tags.items()]
        game_texts.append("".join(tag_lines) + game.extra_lines)
    return f"% PBN 2.1\n% EXPORT\n{header}\n" + "\n".join(game_texts)


def read_pbn(file_content: bytes | str, *, turn_ups: TurnUpsByBoard = NO_TURN_UPS) -> BoardFile:
    """Read the boards of a PBN file, or of plain lines with board, deal and turn-up.

    Unknown lines, missing tags and unusual values only cause warnings with the line number. A
    file of results may repeat a board for each table. Raises UnusableBoards with every problem
    of the cards or turn-ups, or for more than MAX_BOARD_COUNT different boards.
    """
    parsed_boards = _ParsedBoards()
    file_lines = decode_text(file_content).splitlines()
    if len(file_lines) > MAX_LINES:
        raise UnusableBoards(
            [_("The file has more than 100,000 lines. Split it into smaller files.")]
        )
    for game in _split_games(file_lines, parsed_boards):
        _add_board(game, parsed_boards)
    return check_boards(
        parsed_boards.boards,
        problems=parsed_boards.problems,
        warnings=parsed_boards.warnings,
        turn_ups=turn_ups,
    )


@dataclass
class _ParsedBoards:
    """The boards, problems and warnings that are collected while a file is read."""

    boards: list[UncheckedBoard] = field(default_factory=list)
    board_tags: set[tuple[str, ...]] = field(default_factory=set)
    """The board number, dealer, cards and turn-up of each board, as written in the file."""
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def add_warning(self, line_number: int, warning_text: str) -> None:
        if len(self.warnings) < MAX_WARNINGS:
            self.warnings.append(
                _("Line %(line)s: %(text)s") % {"line": line_number, "text": warning_text}
            )


@dataclass
class _TaggedGame:
    """The tags of one game by lower-case name, and the line number of the first tag."""

    line_number: int = 0
    tags: dict[str, str] = field(default_factory=dict)


_PLAYER_TAG_SEATS = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
"""The seats in the order in which the PBN standard lists the tags for players."""
_Tags = list[tuple[str, str]]
"""The tags of one line, as (lower-case name, value)."""

_TAG_PATTERN = re.compile(r'\[\s*(?P<name>\w+)\s+"(?P<value>(?:(?!"\s*\]).)*)"\s*\]')
_PLAIN_LINE_PATTERN = re.compile(
    r"(?:board\s+|#)?(?P<board>\d+)[\s.:)]+(?P<deal>[NESW]\w*\s*:\s*\S+\s+\S+\s+\S+\s+[^\s,;]+)"
    r"(?:[\s,;]+(?P<turn_up>\S+))?",
    re.IGNORECASE,
)
_UNKNOWN_VALUES = ("", "?", "-")
_TAG_END_PATTERN = re.compile(r'"\s*\]')
# the first character of a tag, comment or quoted text
_SPECIAL_CHARACTER_PATTERN = re.compile(r'[\[{;"]')
_COMMENT_LINE = "%"  # represents a line that has only comments
_MAX_LINE_LENGTH = 2000
"""The maximum number of characters in a line, because very long lines are slow to parse.

The PBN standard allows only 255.
"""


def _split_games(file_lines: list[str], parsed_boards: _ParsedBoards) -> Iterator[_TaggedGame]:
    """Yield the games of a file; an empty line or a repeated tag ends a game."""
    game, previous_game, is_in_table = _TaggedGame(), _TaggedGame(), False
    for line_number, (tags, untagged_text) in enumerate(
        _iter_uncommented_lines(file_lines, parsed_boards), start=1
    ):
        tag_names = {name for name, _value in tags} & {"event", "board", "deal"}
        has_repeated_tag = any(name in game.tags for name in tag_names)
        if game.tags and (has_repeated_tag or not (tags or untagged_text)):
            yield game
            previous_game, game, is_in_table = game, _TaggedGame(), False
        if tags:
            game.line_number = game.line_number or line_number
            game.tags |= {
                name: previous_game.tags.get(name, "?") if value == "#" else value
                for name, value in tags
            }
            is_in_table = _is_table_tag(tags[-1][0])
        elif untagged_text not in ("", _COMMENT_LINE) and not is_in_table:
            yield from _read_plain_line(untagged_text, line_number, parsed_boards)
    if game.tags:
        yield game


def _is_table_tag(tag_name: str) -> bool:
    """Return whether the lines after this tag are the tag's content, such as an auction."""
    return tag_name in ("auction", "play") or (
        tag_name.endswith("table") and tag_name != "table"
    )


def _read_plain_line(
    line: str, line_number: int, parsed_boards: _ParsedBoards
) -> Iterator[_TaggedGame]:
    line_match = _PLAIN_LINE_PATTERN.fullmatch(line)
    if line_match:
        tags = {name: value for name, value in line_match.groupdict().items() if value}
        if "turn_up" in tags:
            tags[TURN_UP_TAG.lower()] = tags["turn_up"]
        yield _TaggedGame(line_number, tags)
    else:
        message = _("“%(text)s” is neither a tag nor a board, so it was left out.")
        parsed_boards.add_warning(line_number, message % {"text": line[:40]})


def _iter_uncommented_lines(
    file_lines: list[str], parsed_boards: _ParsedBoards
) -> Iterator[tuple[_Tags, str]]:
    """Yield the tags and the other text of each line, without comments.

    A line that begins with % is a comment.
    """
    comment_line_number = 0
    for line_number, line in enumerate(file_lines, start=1):
        tags, untagged_text = _Tags(), ""
        if len(line) > _MAX_LINE_LENGTH:
            message = _("longer than %(most)s characters, so it was left out.")
            parsed_boards.add_warning(line_number, message % {"most": _MAX_LINE_LENGTH})
        elif comment_line_number or not line.lstrip().startswith("%"):
            tags, untagged_text, comment_line_number = _split_line(
                line.strip(), line_number, comment_line_number
            )
        # A line that has only a comment does not end a game, unlike an empty line.
        yield tags, untagged_text or (_COMMENT_LINE if line.strip() else "")
    if comment_line_number:
        parsed_boards.add_warning(
            comment_line_number, _("the comment that starts here with { is never closed.")
        )


def _split_line(
    line: str, line_number: int, comment_line_number: int
) -> tuple[_Tags, str, int]:
    """Return the tags and other text of a line, and the line number of an unclosed comment.

    An unclosed comment continues on the next line. `comment_line_number` is the number of the
    line on which such a comment began. Both numbers are 0 if there is no unclosed comment.
    """
    tags, untagged_text, position = _Tags(), "", 0
    last_tag_end = max(
        (tag_end.start() for tag_end in _TAG_END_PATTERN.finditer(line)), default=-1
    )
    while position < len(line):
        if comment_line_number:
            position = line.find("}", position) + 1 or len(line) + 1
            comment_line_number = comment_line_number if position > len(line) else 0
        elif position < last_tag_end and (tag_match := _TAG_PATTERN.match(line, position)):
            tags.append((tag_match["name"].lower(), tag_match["value"]))
            position = tag_match.end()
        elif (
            line[position] == '"'
            and position >= last_tag_end
            and (text_end := line.find('"', position + 1)) > 0
        ):
            # A tag inside a quoted text is not read.
            untagged_text, position = (
                untagged_text + line[position : text_end + 1],
                text_end + 1,
            )
        elif line[position] == ";":
            break
        elif line[position] == "{":
            comment_line_number, position = line_number, position + 1
        else:
            special_character_match = _SPECIAL_CHARACTER_PATTERN.search(line, position + 1)
            text_end = special_character_match.start() if special_character_match else len(line)
            untagged_text, position = untagged_text + line[position:text_end], text_end
    return tags, untagged_text.strip(), comment_line_number


def _add_board(game: _TaggedGame, parsed_boards: _ParsedBoards) -> None:
    """Add the board of a game, if it has one, to the parsed boards."""
    deal_text = game.tags.get("deal", "")
    if deal_text in _UNKNOWN_VALUES:
        parsed_boards.add_warning(
            game.line_number, _("there are no cards here, so it was left out.")
        )
        return
    if _is_repeated(game, parsed_boards):
        return
    board_number = _read_board_number(game, parsed_boards)
    try:
        parsed_boards.boards.append(
            UncheckedBoard(
                board_number,
                _read_dealer(game, board_number, parsed_boards),
                read_hands(deal_text),
                _read_turn_up(game),
            )
        )
    except WhistError as problem:
        parsed_boards.problems.append(format_board_problem(board_number, problem))


def _is_repeated(game: _TaggedGame, parsed_boards: _ParsedBoards) -> bool:
    """Return whether the file has the same board above; raise UnusableBoards for too many."""
    tag_names = ("dealer", "deal", TURN_UP_TAG.lower())
    board_tag = game.tags.get("board") or f"line {game.line_number}"
    board_tags = (board_tag, *(game.tags.get(name, "") for name in tag_names))
    if board_tags in parsed_boards.board_tags:
        return True
    if len(parsed_boards.board_tags) == MAX_BOARD_COUNT:
        raise build_too_many_boards_error()
    parsed_boards.board_tags.add(board_tags)
    return False


def _read_board_number(game: _TaggedGame, parsed_boards: _ParsedBoards) -> int:
    number_match = re.search(r"\d{1,4}", game.tags.get("board", ""))
    if number_match and int(number_match[0]):
        return int(number_match[0])
    board_number = parsed_boards.boards[-1].number + 1 if parsed_boards.boards else 1
    message = _("this deal has no board number and was read as board %(board)s.")
    parsed_boards.add_warning(game.line_number, message % {"board": board_number})
    return board_number


def _read_dealer(game: _TaggedGame, board_number: int, parsed_boards: _ParsedBoards) -> Seat:
    dealer_letter = game.tags.get("dealer", "").strip().upper()[:1]
    if dealer_letter and dealer_letter in "NESW":
        return Seat(dealer_letter)
    dealer = Seat.find_dealer(board_number)
    if "dealer" in game.tags:
        message = _("board %(board)s has no dealer, so %(seat)s was assumed.")
        parsed_boards.add_warning(
            game.line_number, message % {"board": board_number, "seat": dealer.word}
        )
    return dealer


def _read_turn_up(game: _TaggedGame) -> Card | None:
    turn_up_text = game.tags.get(TURN_UP_TAG.lower(), "?").strip()
    if turn_up_text in _UNKNOWN_VALUES:
        return None
    try:
        return Card.parse(turn_up_text)
    except UnreadableCard as problem:
        message = _("the turn-up can’t be read. %(problem)s")
        raise UnreadableCard(message % {"problem": problem}) from None


def _build_result_tag(deal: Deal, ns_tricks: int | None) -> dict[str, str]:
    """Return the Result tag, or {} if there is no result.

    A Result tag with "?" makes other programs fail.
    """
    if ns_tricks is None:
        return {}
    return {"Result": str(ns_tricks if deal.dealer.side == "NS" else 13 - ns_tricks)}


def _build_trumps_tag(deal: Deal) -> dict[str, str]:
    """Return the project's tag for the turn-up or the declared suit ("?" if unknown)."""
    if deal.turn_up is not None:
        return {TURN_UP_TAG: deal.turn_up.code}
    return {DECLARED_TRUMPS_TAG: deal.declared_trumps.value if deal.declared_trumps else "?"}


def _quote_value(tag_value: str) -> str:
    return tag_value.replace('"', "'").replace("\n", " ")
